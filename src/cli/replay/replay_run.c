/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/replay/replay_run.h"

#include "cli/complain.h"
#include "cli/replay/replay_formula.h"
#include "cli/replay/replay_weights.h"
#include "cli/replay/site_scopes.h"
#include "format/job_settings.h"
#include "format/slurm_time.h"
#include "policy/traits.h"
#include "priority/usage_formula.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double half_life_of(const struct candidate *candidate, const struct sets *sets,
			   const struct replay_site *site)
{
	return sets->half_life_count ? sets->half_life[candidate->half_life] : site->half_life;
}

double replay_calc_period(const struct replay_frame *frame, const struct replay_site *site)
{
	return frame->calc_period > 0 ? frame->calc_period : site->calc_period;
}

static const struct fathom_policy *policy_of(const struct candidate *candidate,
					     const struct replay_site *site)
{
	const struct fathom_policy *policy = candidate->policy;

	if (!policy)
		policy = replay_site_policy(site);
	return policy ? policy : fathom_policy_find(STANDARD_POLICY);
}

/* A label lacks the policy if there is only one. */
static void set_name(struct replay_run *run, bool has_several)
{
	const char *policy = fathom_policy_name(run->policy), *label = run->candidate->label;

	if (has_several && *label)
		snprintf(run->name, sizeof(run->name), "%s", label);
	else
		snprintf(run->name, sizeof(run->name), "%s%s%s", policy, *label ? " " : "", label);
}

/* ---- settings ------------------------------------------------------------------------------ */

static const struct fathom_setting reset_key = { .name = "priority_usage_reset_period" };

static bool is_formula_key(const char *key)
{
	return fathom_setting_named(conf_setting(CONF_FORMULA), key) ||
	       fathom_setting_named(conf_setting(CONF_FORMULA_SCALE), key);
}

static bool has_key(const char *key)
{
	return job_settings_know(key) || is_formula_key(key);
}

static const char *similar_key(const char *key)
{
	return setting_similar_of_jobs(key, conf_setting(CONF_FORMULA_SCALE));
}

const struct general_settings replay_general = { has_key, similar_key };

/* Settings of policies that may charge memory or GPUs. */
static const struct fathom_setting charging[] = {
	{ .name = REPLAY_USAGE_FORMULA }, { .name = REPLAY_GPU_WEIGHT },
};

static bool wants_requests(const char *key)
{
	for (size_t i = 0; i < sizeof(charging) / sizeof(*charging); i++)
		if (fathom_setting_named(&charging[i], key))
			return true;
	return fathom_setting_named(job_settings_at(JOB_WEIGHT_QOS), key) ||
	       fathom_setting_named(job_settings_at(JOB_WEIGHT_TRES), key) || is_formula_key(key);
}

bool replay_sets_want_requests(const struct sets *sets)
{
	for (size_t i = 0; i < sets->count; i++) {
		if (wants_requests(sets->set[i]->key))
			return true;
	}
	return false;
}

/* ---- what the trace does not tell ---------------------------------------------------------- */

static bool has_days(const struct replay_run *run)
{
	return run->reset_period != FATHOM_RESET_NONE && run->reset_period != FATHOM_RESET_NOW;
}

static int report_resets(bool strict)
{
	if (strict)
		return complain(REPLAY_RESET_PERIOD ": the trace does not say when it begins "
				"(UnixStartTime); --strict refuses this");
	remark(REPLAY_RESET_PERIOD ": the trace does not say when it begins (UnixStartTime); its "
	       "second 0 counts as the beginning of 1970, UTC");
	return 0;
}

static int report_gpus(bool strict)
{
	if (strict)
		return complain(REPLAY_GPU_WEIGHT ": the trace does not tell GPUs; --strict "
				"refuses this");
	remark(REPLAY_GPU_WEIGHT ": left out; the trace does not tell GPUs");
	return 0;
}

/* ---- settings of the options --------------------------------------------------------------- */

static int set_key(struct replay_run *run, const struct set *set, struct fathom_error *error)
{
	const char *key = set->key, *value = set->value;

	if (fathom_setting_named(&reset_key, key))
		return slurm_reset_parse(value, &run->reset_period, error);
	if (fathom_setting_named(conf_setting(CONF_FORMULA), key))
		return run->formula_text = value, 0;
	if (fathom_setting_named(conf_setting(CONF_FORMULA_SCALE), key))
		return fathom_setting_parse(conf_setting(CONF_FORMULA_SCALE), value,
					    &run->formula_scale, error);
	if (job_settings_know(key))
		return job_settings_set(&run->slurm, key, value, error);
	return settings_set(run->policy, &run->settings, set, error);
}

static int apply_sets(struct replay_run *run, const struct sets *sets)
{
	for (size_t i = 0; i < sets->count; i++) {
		struct fathom_error error;

		if (set_key(run, sets->set[i], &error))
			return complain("--set: %s: %s; see fathom replay --help",
					sets->set[i]->key, error.text);
	}
	return 0;
}

/* ---- whom jobs are charged to, and how much -------------------------------------------- */

/* Only traces with TRES tell these. */
static const char *const fields_of_tres[] = { "mem", "ngpus" };

static int check_fields(const struct fathom_formula *formula, const struct trace *trace)
{
	for (size_t i = 0; !trace->names_tres && i < fathom_field_count(); i++)
		for (size_t j = 0; j < sizeof(fields_of_tres) / sizeof(*fields_of_tres); j++)
			if (!strcmp(fathom_field_at(i)->name, fields_of_tres[j]) &&
			    fathom_formula_uses(formula, i))
				return complain(REPLAY_USAGE_FORMULA ": %s: the trace does not "
						"tell it; use ncpus, nodect, walltime and cput",
						fields_of_tres[j]);
	return 0;
}

/* CPU seconds, the default, need no formula. */
static int make_usage_formula(const struct fathom_policy *policy,
			      const struct fathom_settings *settings, const struct trace *trace,
			      struct fathom_formula **formula)
{
	const struct fathom_settings standard = fathom_settings_standard(policy);
	struct fathom_error error;

	if (!strcmp(settings->formula, standard.formula))
		return 0;
	*formula = fathom_formula_create(settings->formula, NULL, NULL, &error);
	if (!*formula)
		return complain(REPLAY_USAGE_FORMULA ": %s", error.text);
	return check_fields(*formula, trace);
}

/* Sets shares, entities and usage formula of each scope. */
static int set_scopes(struct replay_run *run)
{
	const struct replay_input *input = run->input;
	const struct replay_scope live = { .policy = run->policy, .settings = run->settings };
	size_t count = input->site.conf.scope_count;

	run->scope = calloc(count + 1, sizeof(*run->scope));
	run->scope_entities = calloc(count + 1, sizeof(*run->scope_entities));
	if (!run->scope || !run->scope_entities)
		return complain("out of memory");
	if (site_scopes_set(run->scope, &input->site, &input->partitions, &live))
		return EXIT_WRONG;
	for (size_t i = 0; i < count; i++) {
		struct replay_scope *scope = &run->scope[i];
		struct fathom_formula *formula = NULL;
		int status = replay_entities_create(&run->scope_entities[i], input, scope->policy,
						    &scope->settings) ||
			     make_usage_formula(scope->policy, &scope->settings, &input->trace,
						&formula);

		scope->tree = input->shares[i].tree;
		scope->leaves = scope->tree ? &input->shares[i].leaves : NULL;
		scope->formula = formula;
		scope->used = formula ? usage_formula_value : NULL;
		scope->entities = run->scope_entities[i].tree ? &run->scope_entities[i] : NULL;
		if (status)
			return EXIT_WRONG;
	}
	return 0;
}

static void clear_scopes(struct replay_run *run)
{
	size_t count = run->scope && run->scope_entities ? run->input->site.conf.scope_count : 0;

	for (size_t i = 0; i < count; i++) {
		fathom_formula_destroy(run->scope[i].formula);
		entity_tree_clear(&run->scope_entities[i]);
	}
	free(run->scope);
	free(run->scope_entities);
}

/* ---- runs ---------------------------------------------------------------------------------- */

static int create_run(struct replay_run *run, const struct replay_runs *runs)
{
	const struct replay_frame *frame = runs->frame;
	const struct site_partitions *partitions = &run->input->partitions;
	struct fathom_error error;
	const struct replay_rules rules = {
		.policy = run->policy, .settings = run->settings, .scheduler = frame->scheduler,
		.cpus = (uint64_t)run->input->trace.cpus, .half_life = run->half_life,
		.group_cpus = partitions->group_cpus, .group_nodes = partitions->group_nodes,
		.group_count = partitions->group_count,
		.partition = partitions->of_replay,
		.partition_count = partitions->trace.count + 1,
		.scope = run->scope, .scope_count = run->input->site.conf.scope_count,
		.pool = partitions->pool, .pool_count = partitions->pool_count,
		.scope_of_group = partitions->scope_of_group,
		.calc_period = replay_calc_period(frame, &run->input->site),
		.warm_up = frame->warm_up,
		.reset_period = run->reset_period, .day_of = trace_day_of,
		.calendar = &run->input->calendar,
		.priority = run->by_sum ? &run->priority : NULL,
		.job_formula = run->job_formula.formula ? &run->job_formula : NULL,
		.request = runs->requests.at, .partition_tres = runs->requests.partition_tres,
		.entities = run->entities.tree ? &run->entities : NULL,
		.used = run->formula ? usage_formula_value : NULL, .formula = run->formula,
		.started = frame->started, .context = run,
	};

	if (frame->started && !(run->schedule = tmpfile()))
		return complain("--schedule: %s", strerror(errno));
	run->replay = replay_create(&rules, run->input->snapshot.tree, &error);
	return run->replay ? 0 : complain("%s", error.text);
}

/* Candidates of the same policy stand side by side. */
static bool has_several_policies(const struct candidates *candidates)
{
	return candidates->item[0].policy != candidates->item[candidates->count - 1].policy;
}

/* Sets what the run is like, as the site's files and the options say. */
static int begin_run(struct replay_run *run, const struct replay_plan *plan, size_t which)
{
	const struct replay_site *site = &plan->input->site;
	const struct candidate *candidate = &plan->candidates->item[which];

	*run = (struct replay_run){
		.candidate = candidate, .input = plan->input,
		.policy = policy_of(candidate, site),
		.half_life = half_life_of(candidate, plan->sets, site),
		.slurm = site->settings, .reset_period = site->reset_period,
		.formula_text = site->conf.formula,
		.formula_scale = site->conf.value[CONF_FORMULA_SCALE],
	};
	run->settings = replay_site_settings(site, run->policy);
	set_name(run, has_several_policies(plan->candidates));
	return apply_sets(run, &candidate->sets) || replay_weights_check(run) ||
			       replay_entities_create(&run->entities, run->input, run->policy,
						      &run->settings) ||
			       make_usage_formula(run->policy, &run->settings, &run->input->trace,
						  &run->formula) ||
			       set_scopes(run)
		       ? EXIT_WRONG : 0;
}

static void clear_run(struct replay_run *run)
{
	replay_destroy(run->replay);
	fathom_formula_destroy(run->formula);
	replay_formula_clear(run);
	entity_tree_clear(&run->entities);
	free(run->tres_weight);
	clear_scopes(run);
	if (run->schedule)
		fclose(run->schedule);
}

/* What any of the candidates looks at. */
struct wanted {
	bool days, gpus;
};

/* Without weights, whose warnings are said when the run is made for its round. */
static int check_candidate(const struct replay_plan *plan, size_t which, struct wanted *wanted)
{
	const struct replay_runs none = { .frame = plan->frame };
	struct replay_run run;
	int status = begin_run(&run, plan, which);

	if (!status) {
		replay_requests_add_tres(plan->input, &run.slurm, *run.formula_text);
		status = create_run(&run, &none);
	}
	wanted->days |= has_days(&run);
	wanted->gpus |= replay_gpu_weight(run.policy, &run.settings) > 0;
	clear_run(&run);
	return status;
}

int replay_plan_check(const struct replay_plan *plan, bool strict)
{
	struct wanted wanted = { false, false };
	int status = 0;

	for (size_t i = 0; !status && i < plan->candidates->count; i++)
		status = check_candidate(plan, i, &wanted);
	if (!status && wanted.days && isnan(plan->input->calendar.epoch))
		status = report_resets(strict);
	if (!status && wanted.gpus && !plan->input->trace.names_tres)
		status = report_gpus(strict);
	return status;
}

int replay_runs_create(struct replay_runs *runs, const struct replay_plan *plan, size_t first,
		       size_t count)
{
	*runs = (struct replay_runs){ .frame = plan->frame,
				      .run = calloc(count, sizeof(*runs->run)) };
	if (!runs->run)
		return complain("out of memory");
	if (replay_requests_create(&runs->requests, plan->input))
		return EXIT_WRONG;
	for (size_t i = 0; i < count; i++) {
		struct replay_run *run = &runs->run[runs->count++];

		if (begin_run(run, plan, first + i) || replay_weights_set(run, plan->frame) ||
		    create_run(run, runs))
			return EXIT_WRONG;
	}
	return 0;
}

void replay_runs_clear(struct replay_runs *runs)
{
	for (size_t i = 0; i < runs->count; i++)
		clear_run(&runs->run[i]);
	free(runs->run);
	replay_requests_clear(&runs->requests);
	*runs = (struct replay_runs){ .count = 0 };
}
