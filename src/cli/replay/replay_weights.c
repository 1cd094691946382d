/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses the weights by which a replay sums up the factors of jobs: those of slurm.conf and --set
 * whose factors are known. Others count as 0.
 */
#include "cli/replay/replay_command.h"

#define TRES_KEY "PriorityWeightTRES"

static const struct { enum job_setting key; const char *name; } weights[] = {
	{ JOB_WEIGHT_AGE, "PriorityWeightAge" },
	{ JOB_WEIGHT_FAIRSHARE, "PriorityWeightFairshare" },
	{ JOB_WEIGHT_JOB_SIZE, "PriorityWeightJobSize" },
	{ JOB_WEIGHT_PARTITION, "PriorityWeightPartition" },
	{ JOB_WEIGHT_ASSOC, "PriorityWeightAssoc" }, { JOB_WEIGHT_QOS, "PriorityWeightQOS" },
	{ JOB_WEIGHT_TRES, TRES_KEY },
};

#define WEIGHTS (sizeof(weights) / sizeof(*weights))

static bool has_weight(const struct job_settings *settings, enum job_setting weight)
{
	if (weight != JOB_WEIGHT_TRES)
		return settings->value[weight] > 0;
	for (size_t i = 0; i < settings->tres_count; i++)
		if (settings->tres[i].weight > 0)
			return true;
	return false;
}

/* Returns whether a weight is above 0, and its factor is known. */
static bool can_use(const struct replay_input *input, const struct job_settings *settings,
		    enum job_setting weight)
{
	return has_weight(settings, weight) && !replay_unknown_factor(input, settings, weight);
}

/* Says that a weight is left out, an error if `strict`. tres: one of PriorityWeightTRES; "" for
 * other weights. reason: NULL: it is not left out. */
static void report_left_out(const char *name, const char *tres, const char *reason, bool strict)
{
	const char *colon = *tres ? ": " : "";

	if (reason && strict)
		refuse("%s%s%s: %s; --strict refuses this", name, colon, tres, reason);
	if (reason)
		remark("%s%s%s: left out; %s", name, colon, tres, reason);
}

void replay_report_weights(const struct replay_input *input, bool strict)
{
	const struct job_settings *settings = &input->site.settings;

	/* of PriorityWeightTRES each TRES is reported by itself, below */
	for (size_t i = 0; i < WEIGHTS; i++)
		if (weights[i].key != JOB_WEIGHT_TRES && has_weight(settings, weights[i].key))
			report_left_out(weights[i].name, "",
					replay_unknown_factor(input, settings, weights[i].key),
					strict);
	/* replay_unknown_tres() has no reason for a weight of 0 */
	for (size_t i = 0; i < settings->tres_count; i++)
		report_left_out(TRES_KEY, settings->tres[i].name,
				replay_unknown_tres(input, settings, i), strict);
}

/* Returns whether a weight has the same value in both settings. */
static bool is_same_weight(const struct job_settings *a, const struct job_settings *b,
			   enum job_setting weight)
{
	if (a->value[weight] < b->value[weight] || a->value[weight] > b->value[weight])
		return false;
	return weight != JOB_WEIGHT_TRES ||
	       (a->tres_count == b->tres_count &&
		!memcmp(a->tres, b->tres, a->tres_count * sizeof(*a->tres)));
}

/* Returns whether the policy of the run has a sum of its own. */
static bool has_own_sum(const struct replay_run *run)
{
	return fathom_policy_priority_rule(run->policy) == FATHOM_FLUX_PRIORITY;
}

bool replay_has_no_order(const struct replay_run *run)
{
	if (run->candidate->policy || policy_is_first_come(run->policy) || has_own_sum(run) ||
	    *run->formula_text || !replay_no_fair_share(&run->input->site))
		return false;
	for (size_t i = 0; i < WEIGHTS; i++)
		if (can_use(run->input, &run->slurm, weights[i].key))
			return false;
	return true;
}

/* Returns whether priorities are sums of weighted factors. They are if --set gives a weight whose
 * factor is known. Otherwise flux has a sum of its own; under other policies priorities are sums
 * if the site has a weight or nothing orders jobs, or always if options->sums_always. */
static bool is_summed(const struct replay_run *run, const struct replay_options *options)
{
	const struct job_settings *site = &run->input->site.settings;

	if ((!has_own_sum(run) && options->sums_always) || replay_has_no_order(run))
		return true;
	for (size_t i = 0; i < WEIGHTS; i++) {
		enum job_setting key = weights[i].key;
		bool is_set = run->slurm.given[key] && !site->given[key];

		if (replay_unknown_factor(run->input, &run->slurm, key))
			continue;
		if (is_set || !is_same_weight(&run->slurm, site, key) ||
		    (!has_own_sum(run) && has_weight(site, key)))
			return true;
	}
	return false;
}

/* Returns the weight of a factor; 0: the factor is not known. */
static uint32_t weight_of(const struct replay_run *run, enum job_setting weight)
{
	return can_use(run->input, &run->slurm, weight) ? (uint32_t)run->slurm.value[weight] : 0;
}

/* Returns the weight of each TRES of the site's jobs; NULL: they cannot be used. */
static const double *tres_weights(const struct replay_run *run)
{
	const struct jobs *jobs = &run->input->site.jobs;
	double *weight = need_zeros(jobs->tres_count, sizeof(*weight));

	if (!can_use(run->input, &run->slurm, JOB_WEIGHT_TRES))
		return NULL;
	for (size_t i = 0; i < run->slurm.tres_count; i++) {
		size_t tres = jobs_tres_named(jobs, run->slurm.tres[i].name);

		if (tres != JOBS_NONE && !replay_unknown_tres(run->input, &run->slurm, i))
			weight[tres] = run->slurm.tres[i].weight;
	}
	return weight;
}

void replay_weights_set(struct replay_run *run, const struct replay_options *options)
{
	double nodes = run->input->partitions.nodes > 0 ? run->input->partitions.nodes
							: run->input->trace.cpus;

	run->by_sum = *run->formula_text || is_summed(run, options);
	run->priority = (struct fathom_priority_config){
		.weight = { .age = weight_of(run, JOB_WEIGHT_AGE),
			    .fairshare = weight_of(run, JOB_WEIGHT_FAIRSHARE),
			    .job_size = weight_of(run, JOB_WEIGHT_JOB_SIZE),
			    .partition = weight_of(run, JOB_WEIGHT_PARTITION),
			    .assoc = weight_of(run, JOB_WEIGHT_ASSOC),
			    .qos = weight_of(run, JOB_WEIGHT_QOS) },
		.tres_weight = tres_weights(run),
		.tres_count = run->input->site.jobs.tres_count,
		.max_age = run->slurm.value[JOB_MAX_AGE], .flags = run->slurm.flags,
		.cluster_cpus = (uint32_t)run->input->trace.cpus,
		.cluster_nodes = (uint32_t)(options->nodes > 0 ? options->nodes : nodes),
	};
	replay_formula_create(run);
}

void replay_weights_check(const struct replay_run *run)
{
	const struct replay_input *input = run->input;
	const struct job_settings *slurm = &run->slurm, *site = &input->site.settings;
	bool has_own_tres = !is_same_weight(slurm, site, JOB_WEIGHT_TRES);
	const char *reason;

	for (size_t i = 0; has_own_tres && i < slurm->tres_count; i++)
		if ((reason = replay_unknown_tres(input, slurm, i)))
			refuse("--set: %s: %s: %s", TRES_KEY, slurm->tres[i].name, reason);
	for (size_t i = 0; i < WEIGHTS; i++)
		if ((reason = replay_unknown_factor(input, slurm, weights[i].key)) &&
		    !is_same_weight(slurm, site, weights[i].key))
			refuse("--set: %s: %s", weights[i].name, reason);
	if (slurm->given[JOB_WEIGHT_PARTITION] && !input->partitions.trace.count)
		refuse("--set: PriorityWeightPartition: no partitions are known; give --from "
		       "slurm.conf");
}
