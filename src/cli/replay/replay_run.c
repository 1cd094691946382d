/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks that all candidates can be replayed, then runs them in rounds: each round reads the trace
 * once, and gives each job to all its replays.
 */
#include "cli/replay/replay_command.h"

#include "core/error.h"
#include "format/job_settings.h"
#include "format/slurm_time.h"
#include "policy/pbs_unknown_group.h"
#include "policy/settings_layout.h"
#include "policy/traits.h"
#include "priority/usage_formula.h"

#include <errno.h>
#include <time.h>

#define QUEUE_WEIGHT 1000000	/* see weigh_queues() */

const struct replay_plan *replay_plan_of(const struct replay_plan *plan, size_t cluster)
{
	return plan->cluster ? &plan->cluster[cluster].plan : plan;
}

const char *replay_scheduler_names(const struct replay_options *options)
{
	const size_t count = options->schedulers.count;
	const char **name = need_zeros(count, sizeof(*name));

	for (size_t i = 0; i < count; i++)
		name[i] = replay_schedulers[options->schedulers.which[i]]->name;
	return need_join(name, count, ",");
}

/* Returns the day of a time in the local time zone, as in the plugin. If it is not known when the
 * trace begins, time 0 is the beginning of 1970, UTC. See struct replay_rules. */
static struct fathom_date day_of(double time, const void *epoch)
{
	double begin = *(const double *)epoch;
	time_t seconds = (time_t)floor(isnan(begin) ? time : begin + time);
	struct tm day = { 0 };

	(isnan(begin) ? gmtime_r : localtime_r)(&seconds, &day);
	return (struct fathom_date){ day.tm_year + 1900, day.tm_mon + 1, day.tm_mday };
}

/* ---- settings ------------------------------------------------------------------------------ */

/* For fathom_setting_named(). */
static const struct fathom_setting reset_key = { .name = "priority_usage_reset_period" };
static const struct fathom_setting period_key = { .name = "priority_calc_period" };

/* Returns whether a key of --set is that of a formula. */
static bool is_formula_key(const char *key)
{
	return fathom_setting_named(conf_setting(CONF_FORMULA), key) ||
	       fathom_setting_named(conf_setting(CONF_FORMULA_SCALE), key);
}

/* Returns whether --set takes a key under any policy. */
static bool has_key(const char *key)
{
	return job_settings_know(key) || is_formula_key(key);
}

const struct general_settings replay_general = { has_key, setting_similar_of_jobs };

/* Settings of policies that may charge memory or GPUs; names for fathom_setting_named(). */
static const struct fathom_setting charging_settings[] = {
	{ .name = REPLAY_USAGE_FORMULA }, { .name = REPLAY_GPU_WEIGHT },
};

/* Returns whether a setting looks at the QOS or TRES that jobs ask for. */
static bool wants_requests(const char *key)
{
	for (size_t i = 0; i < sizeof(charging_settings) / sizeof(*charging_settings); i++)
		if (fathom_setting_named(&charging_settings[i], key))
			return true;
	return fathom_setting_named(job_settings_at(JOB_WEIGHT_QOS), key) ||
	       fathom_setting_named(job_settings_at(JOB_WEIGHT_TRES), key) || is_formula_key(key);
}

bool replay_sets_want_requests(const struct sets *sets)
{
	for (size_t i = 0; i < sets->count; i++)
		if (wants_requests(sets->set[i]->key))
			return true;
	return false;
}

/* ---- settings of the options --------------------------------------------------------------- */

/* Changes a setting of a run as --set says, unless set_slurm_key() or the run's scopes take the
 * key. -1: *error says what is wrong. */
static int set_other_key(struct replay_run *run, const struct set *set, struct fathom_error *error)
{
	const char *key = set->key, *value = set->value;
	bool is_of_policy = policy_setting_named(run->policy, setting_own_name(key)) !=
			    POLICY_HAS_NONE;
	bool is_of_scopes_alone = !is_of_policy &&
				  site_scopes_have(&run->input->site, key, run->candidate);

	if (fathom_setting_named(&reset_key, key))
		return slurm_reset_parse(value, &run->reset_period, error);
	if (fathom_setting_named(conf_setting(CONF_FORMULA), key)) {
		run->formula_text = value;
		return 0;
	}
	if (fathom_setting_named(conf_setting(CONF_FORMULA_SCALE), key))
		return fathom_setting_parse(conf_setting(CONF_FORMULA_SCALE), value,
					    &run->formula_scale, error);
	if (fathom_setting_named(&period_key, key))
		return fathom_error_set(error, EINVAL, "is the same for all that is replayed side "
					"by side; give --calc-period");
	if (job_settings_know(key) || is_of_scopes_alone)
		return 0;
	return settings_set(run->policy, &run->settings, set, error);
}

/* Changes a key of slurm.conf as --set says; another key changes nothing. -1: *error says what is
 * wrong. */
static int set_slurm_key(struct replay_run *run, const struct set *set, struct fathom_error *error)
{
	if (!job_settings_know(set->key))
		return 0;
	return job_settings_set_option(&run->slurm, set->key, set->value, error);
}

/* Returns -1 if --set gives FormulaScale, but the run has no formula; *error says so. */
static int check_scale(struct replay_run *run, const struct set *set, struct fathom_error *error)
{
	if (*run->formula_text || !fathom_setting_named(conf_setting(CONF_FORMULA_SCALE), set->key))
		return 0;
	return fathom_error_set(error, EINVAL, "needs a formula, which it multiplies");
}

/* Calls `change` for each --set of the run's candidate. Refuses a setting for which it returns
 * -1. */
static void apply_sets(struct replay_run *run,
		       int (*change)(struct replay_run *run, const struct set *set,
				     struct fathom_error *error))
{
	const struct sets *sets = &run->candidate->sets;
	struct fathom_error error;

	for (size_t i = 0; i < sets->count; i++)
		if (change(run, sets->set[i], &error))
			refuse("--set: %s: %s; see fathom replay --help", sets->set[i]->key,
			       error.text);
}

/* Lets jobs go by the priorities of another scheduler's queues, if nothing else orders them: gives
 * the partitions, which queues have become, the weight that fathom convert gives them. */
static void weigh_queues(struct replay_run *run)
{
	const struct fathom_conf *conf = &run->input->site.conf;
	bool has_order = !policy_is_first_come(run->policy) && !replay_has_no_order(run);
	bool is_ordered = has_order || conf->scope_count || conf->slot_share_count ||
			  run->slurm.given[JOB_WEIGHT_PARTITION];

	if (run->input->site.queues_are_foreign && !is_ordered)
		run->slurm.value[JOB_WEIGHT_PARTITION] = QUEUE_WEIGHT;
}

/* Sets the policy of a run and its settings, as the site's files and the options say. Keys of
 * slurm.conf come first: PriorityFlags chooses the policy, unless an option or fathom.conf does. */
static void set_policy(struct replay_run *run)
{
	const struct replay_site *site = &run->input->site;

	apply_sets(run, set_slurm_key);
	run->policy = run->candidate->policy ? run->candidate->policy
					     : replay_policy_by(site, &run->slurm);
	run->settings = replay_settings_by(site, &run->slurm, run->policy);
	apply_sets(run, set_other_key);
	apply_sets(run, check_scale);
	weigh_queues(run);
}

/* ---- whom jobs are charged to, and how much -------------------------------------------- */

/* Sets the entity of each user, by node: the user or the account, as a trace tells no other. */
static void name_entities(const char **entity, const struct snapshot *snapshot,
			  enum fairshare_entity kind)
{
	const struct fathom_tree *tree = snapshot->tree;

	for (size_t node = 0; node < fathom_tree_count(tree); node++)
		if (fathom_tree_kind(tree, node) == FATHOM_USER)
			entity[node] = kind == ENTITY_EUSER ? snapshot_name(snapshot, node)
							    : snapshot_account(snapshot, node);
}

NEED_DESTROYER(clear_entities, entity_tree_clear)

/* Makes the tree of entities from the ResourceGroup lines of fathom.conf, else from the accounts of
 * the tree. kind: what a user of the tree is charged as; unknown_shares: of PBS's group "unknown",
 * for entities that no line names. */
static const struct entity_tree *make_entity_tree(const struct replay_input *input,
						  enum fairshare_entity kind,
						  uint32_t unknown_shares)
{
	struct entity_tree *entities = need_object(sizeof(*entities));
	const struct conf_resources *resources = &input->site.conf.resources;
	size_t count = fathom_tree_count(input->snapshot.tree), row_count = resources->count;
	const char **entity = need_zeros(count, sizeof(*entity));	/* by node, of users */
	struct entity_row *accounts = need_zeros(count, sizeof(*accounts));
	struct fathom_error error;

	name_entities(entity, &input->snapshot, kind);
	if (!row_count)
		row_count = entity_rows_of_accounts(accounts, &input->snapshot, count);
	if (entity_tree_create(entities, resources->count ? resources->row : accounts, row_count,
			       unknown_shares, entity, count, &error))
		refuse("%s", error.text);
	return need_owned(entities, clear_entities);
}

/* Makes the tree of entities to which policy pbs charges jobs (fathom.conf: ResourceGroup,
 * FairshareEntity). NULL: jobs are charged to associations. Refuses all entities but users and
 * accounts, as a trace tells only these of its jobs. */
static const struct entity_tree *make_entities(const struct replay_input *input,
					       const struct fathom_policy *policy,
					       const struct fathom_settings *settings)
{
	size_t setting = policy_setting_with(policy, SETTING_ENTITY);
	size_t unknown = policy_setting_with(policy, SETTING_UNKNOWN_SHARES);
	bool has_rows = input->site.conf.resources.count;
	enum fairshare_entity kind;

	if (setting == POLICY_HAS_NONE)
		return NULL;
	kind = (enum fairshare_entity)settings->value[setting];
	if (kind != ENTITY_EUSER && kind != ENTITY_ACCOUNT_NAME)
		refuse("fairshare_entity: a replay charges users and accounts, must be euser or "
		       "Account_Name");
	if (!has_rows && kind != ENTITY_ACCOUNT_NAME)
		return NULL;	/* users have the tree of associations */
	return make_entity_tree(input, kind, (uint32_t)settings->value[unknown]);
}

/* Fields of formulas that only traces with TRES tell. */
static const char *const fields_of_tres[] = { "mem", "ngpus" };

/* Refuses a formula of usage with a field that the trace does not tell. */
static void check_fields(const struct fathom_formula *formula, const struct trace *trace)
{
	for (size_t i = 0; i < sizeof(fields_of_tres) / sizeof(*fields_of_tres); i++)
		if (!trace->names_tres && usage_formula_uses(formula, fields_of_tres[i]))
			refuse(REPLAY_USAGE_FORMULA ": %s: the trace does not tell it; use ncpus, "
			       "nodect, walltime and cput", fields_of_tres[i]);
}

NEED_DESTROYER(destroy_formula, fathom_formula_destroy)

/* Compiles the policy's formula of what jobs are charged. NULL: CPU seconds, the default, which
 * need no formula. */
static struct fathom_formula *make_usage_formula(const struct fathom_settings *settings,
						 const struct trace *trace)
{
	struct fathom_formula *formula;
	struct fathom_error error;

	if (usage_formula_create(&formula, settings->formula, &error))
		refuse(REPLAY_USAGE_FORMULA ": %s", error.text);
	check_fields(formula, trace);
	return formula ? need_owned(formula, destroy_formula) : NULL;
}

/* Makes run->scope: policy, settings, shares, entities and usage formula of each scope. */
static void set_scopes(struct replay_run *run)
{
	const struct replay_input *input = run->input;
	const struct replay_scope in_force = { .policy = run->policy, .settings = run->settings };
	size_t count = input->site.conf.scope_count;

	run->scope = need_zeros(count, sizeof(*run->scope));
	site_scopes_set(run->scope, &input->site, &input->partitions, &in_force, run->candidate);
	for (size_t i = 0; i < count; i++) {
		struct replay_scope *scope = &run->scope[i];

		scope->entities = make_entities(input, scope->policy, &scope->settings);
		scope->tree = input->shares[i].tree;
		scope->leaves = scope->tree ? &input->shares[i].leaves : NULL;
		scope->formula = make_usage_formula(&scope->settings, &input->trace);
		scope->used = scope->formula ? usage_formula_value : NULL;
	}
}

/* ---- runs ---------------------------------------------------------------------------------- */

NEED_DESTROYER(destroy_tree, fathom_tree_destroy)

/* Makes run->tree. Returns the settings by which it is evaluated: the shares of PBS's group
 * "unknown" are in the tree then, and no longer in these settings. run->settings keeps the shares,
 * for printing. */
static struct fathom_settings fork_tree(struct replay_run *run)
{
	struct fathom_settings settings = run->settings;

	run->tree = run->input->snapshot;
	run->tree.tree = need_owned(fathom_tree_copy(run->input->snapshot.tree, NULL),
				    destroy_tree);
	pbs_unknown_group_set_shares(&run->tree, run->policy, &settings);
	return settings;
}

/* Makes the tree of a run, and returns its rules, which point into the run. */
static struct replay_rules rules_of(struct replay_run *run, const struct replay_plan *plan)
{
	const struct site_partitions *partitions = &run->input->partitions;

	return (struct replay_rules){
		.policy = run->policy, .settings = fork_tree(run),
		.scheduler = run->scheduler,
		.cpus = (uint64_t)run->input->trace.cpus, .half_life = run->half_life,
		.group_cpus = partitions->group_cpus, .group_nodes = partitions->group_nodes,
		.group_count = partitions->group_count,
		.partition = partitions->partition,
		.partition_count = partitions->trace.count + 1,
		.scope = run->scope, .scope_count = run->input->site.conf.scope_count,
		.pool = partitions->pool, .pool_count = partitions->pool_count,
		.scope_of_group = partitions->scope_of_group,
		.host_rule = conf_host_rule(&run->input->site.conf),
		.others_first_come = conf_others_are_first_come(&run->input->site.conf),
		.calc_period = run->input->site.calc_period, .warm_up = plan->options->warm_up,
		.yardstick = plan->options->yardstick,
		.measured = run->input->measured->tree,
		.reset_period = run->reset_period, .day_of = day_of,
		.calendar = &run->input->trace.epoch,
		.priority = run->by_sum ? &run->priority : NULL,
		.job_formula = run->job_formula.formula ? &run->job_formula : NULL,
		.terms = plan->options->terms,
		.increases_only = run->slurm.rules & JOB_INCREASES_ONLY,
		.request = run->input->request,
		.entities = run->entities,
		.used = run->usage_formula ? usage_formula_value : NULL,
		.formula = run->usage_formula,
		.weight = run->candidate->is_global ? plan->weight : 0,
		.started = plan->options->started,
		.context = plan->options->listener ? plan->options->listener : run,
	};
}

NEED_DESTROYER(close_file, fclose)

/* Opens run->schedule if --schedule is given. */
static void open_schedule(struct replay_run *run, const struct replay_options *options)
{
	if (!options->schedule)
		return;
	run->schedule = tmpfile();
	if (!run->schedule)
		refuse("--schedule: %s", strerror(errno));
	need_owned(run->schedule, close_file);
}

/* Returns the part of a candidate's label behind the policy with which it begins; "": it has no
 * more. */
static const char *label_behind_policy(const char *label)
{
	const char *blank = strchr(label, ' ');

	return blank ? blank + 1 : "";
}

/*
 * Names a run by its policy, and by settings, scheduler and sharing if others differ in them:
 *
 *	lsf | lsf hist_hours=5 | lsf easy | trace
 *
 * Under `trace` the policy changes nothing, and the run has the name of the scheduler in its place.
 */
static void name_run(struct replay_run *run, const struct replay_options *options)
{
	const size_t schedulers = options->schedulers.count;
	size_t traced = replay_needs_starts(&options->schedulers);	/* 0 or 1 of them */
	/* with several policies, the label begins with that of the run */
	bool label_has_policy = options->candidates.policies.count > 1;
	/* policy or scheduler, settings, scheduler, sharing; NULL: not in the name */
	const char *word[] = { NULL, run->candidate->label, NULL, run->candidate->sharing };
	const char *name = "";

	if (run->scheduler->keeps_starts) {
		word[0] = run->scheduler->name;
		if (label_has_policy)
			word[1] = label_behind_policy(word[1]);
		if (schedulers > 1)
			word[1] = NULL;
	} else {
		word[0] = label_has_policy ? NULL : fathom_policy_name(run->policy);
		word[2] = schedulers - traced > 1 ? run->scheduler->name : NULL;
	}
	for (size_t i = 0; i < sizeof(word) / sizeof(*word); i++)
		if (word[i] && *word[i])
			name = need_print("%s%s%s", name, *name ? " " : "", word[i]);
	snprintf(run->name, sizeof(run->name), "%s", name);
}

/* Sets policy, settings, entities and scopes of the run of candidate number `number`, as the site's
 * files and the options say, but makes no replay yet. */
static void begin_run(struct replay_run *run, const struct replay_plan *plan, size_t number)
{
	const struct replay_site *site = &plan->input->site;
	const struct replay_options *options = plan->options;
	const struct candidate *candidate = &options->candidates.item[number];

	*run = (struct replay_run){
		.candidate = candidate, .input = plan->input,
		.scheduler = replay_schedulers[candidate->scheduler],
		.half_life = options->candidates.sets.half_life_count
				     ? options->candidates.sets.half_life[candidate->half_life]
				     : site->half_life,
		.slurm = site->settings, .reset_period = site->reset_period,
		.formula_text = site->conf.formula,
		.formula_scale = site->conf.value[CONF_FORMULA_SCALE], .cluster = plan->name,
	};
	set_policy(run);
	name_run(run, options);
	replay_weights_check(run);
	run->entities = make_entities(run->input, run->policy, &run->settings);
	run->usage_formula = make_usage_formula(&run->settings, &run->input->trace);
	set_scopes(run);
}

/* Says what candidates want and the trace does not tell, an error with --strict. wants_days: when
 * it begins, for the days on which usage is reset. */
static void report_untold(const struct replay_plan *plan, bool wants_days, bool wants_gpus)
{
	static const char no_days[] = REPLAY_RESET_PERIOD
		": the trace does not say when it begins (UnixStartTime)";
	const bool strict = plan->options->strict;

	wants_days &= isnan(plan->input->trace.epoch);
	wants_gpus &= !plan->input->trace.names_tres;
	if (wants_days && strict)
		refuse("%s; --strict refuses this", no_days);
	if (wants_days)
		remark("%s; its second 0 counts as the beginning of 1970, UTC", no_days);
	if (wants_gpus && strict)
		refuse(REPLAY_GPU_WEIGHT ": the trace does not tell GPUs; --strict refuses this");
	if (wants_gpus)
		remark(REPLAY_GPU_WEIGHT ": left out; the trace does not tell GPUs");
}

/* Leaves out replay_weights_set(), whose warnings are given when the run is made for its round. */
void replay_plan_check(const struct replay_plan *plan)
{
	bool wants_days = false, wants_gpus = false, is_measured = false, has_no_order = false;
	struct replay_rules rules = { .calc_period = plan->input->site.calc_period };
	struct fathom_error error;
	struct replay_run run;

	for (size_t i = 0; i < plan->options->candidates.count; i++) {
		struct need_memory *memory = need_memory_create(), *before;

		before = need_memory_use(memory);
		begin_run(&run, plan, i);
		need_memory_use(before);
		rules.half_life = run.half_life;
		if (replay_check(&rules, &error))
			refuse("%s", error.text);
		replay_requests_add_tres(plan->input, &run.slurm, *run.formula_text);
		/* the first candidate with shares of PBS's group "unknown" measures all runs */
		is_measured = is_measured ||
			      pbs_unknown_group_set_shares(run.input->measured, run.policy,
							   &run.settings);
		has_no_order |= !run.scheduler->keeps_starts && replay_has_no_order(&run);
		wants_days |= run.reset_period != FATHOM_RESET_NONE &&
			      run.reset_period != FATHOM_RESET_NOW;
		wants_gpus |= replay_gpu_weight(run.policy, &run.settings) > 0;
		need_memory_destroy(memory);
	}
	report_untold(plan, wants_days, wants_gpus);
	if (has_no_order && !plan->options->sums_always)
		remark("%s: fair share has no weight, so jobs go first come, first served; "
		       "--policy orders them by it", replay_no_fair_share(&plan->input->site));
	replay_requests_find(plan->input);
}

/* Makes the runs of candidate number `number`: one on each cluster, and if there are several,
 * behind them the one that stands for all, which has the figures of all but no replay. */
static void create_candidate(struct replay_run *run, const struct replay_plan *plan, size_t number)
{
	const size_t count = plan->cluster_count;
	struct replay_rules *rules = need_zeros(count, sizeof(*rules));
	struct replay **replay = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct replay_plan *own = replay_plan_of(plan, i);

		begin_run(&run[i], own, number);
		replay_weights_set(&run[i], own->options);
		rules[i] = rules_of(&run[i], own);
		open_schedule(&run[i], own->options);
	}
	if (plan->cluster)
		replay = replay_create_clusters(rules, count, run->tree.tree,
						cluster_traces_begin(plan));
	for (size_t i = 0; i < count; i++) {
		run[i].replay = replay ? replay[i] : replay_create(rules, run->tree.tree);
		run[i].figures = replay_figures(run[i].replay);
	}
	if (!plan->cluster)
		return;
	run[count] = (struct replay_run){
		.candidate = run->candidate, .policy = run->policy, .scheduler = run->scheduler,
		.settings = run->settings, .half_life = run->half_life, .input = plan->input,
		.cluster = CLUSTER_OF_ALL, .figures = replay_joint_figures(*replay),
	};
	memcpy(run[count].name, run->name, sizeof(run->name));
}

struct replay_runs replay_runs_create(const struct replay_plan *plan, size_t first, size_t count)
{
	struct replay_runs runs = { .width = plan->cluster ? plan->cluster_count + 1 : 1 };

	runs.count = count * runs.width;
	runs.run = need_zeros(runs.count, sizeof(*runs.run));
	runs.memory = need_zeros(count, sizeof(struct need_memory *));
	for (size_t i = 0; i < count; i++) {
		struct need_memory *before;

		runs.memory[i] = need_memory_create();
		before = need_memory_use(runs.memory[i]);
		create_candidate(&runs.run[i * runs.width], plan, first + i);
		need_memory_use(before);
	}
	return runs;
}

void replay_runs_clear(struct replay_runs *runs)
{
	for (size_t i = 0; i < runs->count / runs->width; i++)
		need_memory_destroy(runs->memory[i]);
	need_free(runs->memory);
	need_free(runs->run);
}
