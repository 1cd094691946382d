/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/replay/replay_run.h"

#include "cli/complain.h"
#include "core/suggestion.h"
#include "format/job_settings.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static double half_life_of(const struct candidate *candidate, const struct sets *sets)
{
	return sets->half_life_count ? sets->half_life[candidate->half_life]
				     : conf_setting(CONF_HALF_LIFE)->standard;
}

/* A label lacks the policy if there is only one. */
static void set_name(struct replay_run *run, size_t policies)
{
	const char *policy = fathom_policy_name(run->policy), *label = run->candidate->label;

	if (policies > 1 && *label)
		snprintf(run->name, sizeof(run->name), "%s", label);
	else
		snprintf(run->name, sizeof(run->name), "%s%s%s", policy, *label ? " " : "", label);
}

/* ---- settings ------------------------------------------------------------------------------ */

static const char *similar_key(const char *key)
{
	char words[MOST_KEY];
	struct suggestion suggestion = { .word = words };
	const struct fathom_setting *setting;

	setting_key_words(key, words, sizeof(words));
	suggestion.length = strlen(words);
	for (size_t i = 0; (setting = job_settings_at(i)); i++)
		suggestion_consider(&suggestion, setting->name);
	return suggestion.name;
}

const struct general_settings replay_general = { job_settings_know, similar_key };

/* Weights of what a trace does not tell. */
static const struct { enum job_setting key; const char *name; } unknown[] = {
	{ JOB_WEIGHT_ASSOC, "PriorityWeightAssoc" },
	{ JOB_WEIGHT_PARTITION, "PriorityWeightPartition" },
	{ JOB_WEIGHT_QOS, "PriorityWeightQOS" }, { JOB_WEIGHT_TRES, "PriorityWeightTRES" },
};

static int set_priority(struct replay_run *run, const struct replay_frame *frame)
{
	const struct job_settings *slurm = &run->slurm;

	for (size_t i = 0; i < sizeof(unknown) / sizeof(*unknown); i++)
		if (slurm->given[unknown[i].key])
			return complain("--set: %s: a replay has the factors age, fairshare and "
					"job size only", unknown[i].name);
	run->by_sum = slurm->given[JOB_WEIGHT_AGE] || slurm->given[JOB_WEIGHT_FAIRSHARE] ||
		      slurm->given[JOB_WEIGHT_JOB_SIZE];
	run->priority = (struct fathom_priority_config){
		.weight = { .age = (uint32_t)slurm->value[JOB_WEIGHT_AGE],
			    .fairshare = (uint32_t)slurm->value[JOB_WEIGHT_FAIRSHARE],
			    .job_size = (uint32_t)slurm->value[JOB_WEIGHT_JOB_SIZE] },
		.max_age = slurm->value[JOB_MAX_AGE], .flags = slurm->flags,
		.cluster_cpus = (uint32_t)run->input->trace.cpus,
		.cluster_nodes = (uint32_t)(frame->nodes > 0 ? frame->nodes
							     : run->input->trace.cpus),
	};
	return 0;
}

static int apply_sets(struct replay_run *run, const struct sets *sets)
{
	for (size_t i = 0; i < sets->count; i++) {
		char key[MOST_KEY];
		const char *value = set_split(sets->set[i], key, sizeof(key));
		struct fathom_error error;
		int status = job_settings_know(key)
				     ? job_settings_set(&run->slurm, key, value, &error)
				     : settings_set(run->policy, &run->settings, key, value,
						    &error);

		if (status)
			return complain("--set: %s: %s; see fathom replay --help", key,
					error.text);
	}
	return 0;
}

/* ---- runs ---------------------------------------------------------------------------------- */

static int create_run(struct replay_run *run, const struct replay_frame *frame)
{
	struct fathom_error error;
	const struct replay_rules rules = {
		.policy = run->policy, .settings = run->settings, .scheduler = frame->scheduler,
		.cpus = (uint64_t)run->input->trace.cpus, .half_life = run->half_life,
		.calc_period = frame->calc_period, .warm_up = frame->warm_up,
		.priority = run->by_sum ? &run->priority : NULL,
		.started = frame->started, .context = run,
	};

	if (frame->started && !(run->schedule = tmpfile()))
		return complain("--schedule: %s", strerror(errno));
	run->replay = replay_create(&rules, run->input->snapshot.tree, &error);
	return run->replay ? 0 : complain("%s", error.text);
}

int replay_runs_create(struct replay_runs *runs, const struct candidates *candidates,
		       const struct sets *sets, const struct replay_frame *frame,
		       const struct replay_input *input, size_t only)
{
	*runs = (struct replay_runs){ .frame = frame };
	for (size_t i = 0; i < candidates->count; i++) {
		const struct candidate *candidate = &candidates->item[i];
		struct replay_run *run = &runs->run[runs->count];
		bool several = candidate->policy != candidates->item[0].policy ||
			       candidates->item[candidates->count - 1].policy != candidate->policy;

		if (only != EVERY_CANDIDATE && i != only)
			continue;
		runs->count++;
		*run = (struct replay_run){
			.candidate = candidate, .input = input,
			.policy = candidate->policy ? candidate->policy
						    : fathom_policy_find(STANDARD_POLICY),
			.half_life = half_life_of(candidate, sets),
			.slurm = job_settings_standard(),
		};
		run->settings = fathom_settings_standard(run->policy);
		set_name(run, several ? 2 : 1);
		if (apply_sets(run, &candidate->sets) || set_priority(run, frame) ||
		    create_run(run, frame))
			return EXIT_WRONG;
	}
	return 0;
}

void replay_runs_clear(struct replay_runs *runs)
{
	for (size_t i = 0; i < runs->count; i++) {
		replay_destroy(runs->run[i].replay);
		if (runs->run[i].schedule)
			fclose(runs->run[i].schedule);
	}
	runs->count = 0;
}
