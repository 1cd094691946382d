/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "replay/summed_priority.h"

#include <stddef.h>

#define KILOBYTES 1024	/* in a megabyte, the unit of Slurm's memory */
#define OPENPBS_ELIGIBLE 2

static struct fathom_queue queue_of(const struct replay_rules *rules, const struct replay_job *job)
{
	struct fathom_queue queue = { 0 };

	if (rules->partition)
		queue = rules->partition[job->partition].queue;
	if (!rules->request)
		return queue;
	queue.qos_priority = rules->request[job->request].qos_priority;
	queue.qos_norm = rules->request[job->request].qos_norm;
	if (rules->partition_tres)
		queue.partition_tres =
			rules->partition_tres + job->partition * rules->priority->tres_count;
	return queue;
}

/* ---- the formula ------------------------------------------------------------------------- */

static double count_of(const struct replay_rules *rules, const struct fathom_job *job, size_t tres)
{
	return job->tres && tres < rules->priority->tres_count ? (double)job->tres[tres] : 0;
}

/* Sets the values of TRES and of the policy's columns. */
static void fill_extras(const struct replay_rules *rules, const struct summed_job *of,
			const struct fathom_job *job)
{
	size_t tres = rules->priority->tres_count;
	double *extra = rules->job_formula->extra;

	for (size_t i = 0; i < tres; i++)
		extra[i] = count_of(rules, job, i);
	for (size_t i = 0; i < fathom_policy_column_count(rules->policy); i++)
		extra[tres + i] = fathom_result_column(of->columns, i)[of->job->node];
}

/* Jobs have no nice value and no site factor, and name no CPU time. */
static double by_formula(const struct replay_rules *rules, const struct summed_job *of,
			 const struct fathom_job *job, const struct fathom_queue *queue)
{
	struct replay_formula *formula = rules->job_formula;
	const struct fathom_formula_job values = {
		.config = rules->priority, .job = job, .queue = queue,
		.norm_shares = fathom_result_norm_shares(of->own)[of->own_node],
		.effective_usage = fathom_result_effective_usage(of->own)[of->own_node],
		.accrue_type = OPENPBS_ELIGIBLE, .extra = formula->extra,
		.memory = count_of(rules, job, formula->memory) * KILOBYTES,
		.gpus = count_of(rules, job, formula->gpus),
	};

	fill_extras(rules, of, job);
	return fathom_formula_priority(fathom_formula_value(formula->formula, &values,
							    &formula->tally), formula->scale);
}

/* ---- either ------------------------------------------------------------------------------ */

double summed_priority(const struct replay_rules *rules, const struct summed_job *of)
{
	const struct fathom_job job = {
		.age = of->age, .fairshare = of->fairshare, .nodes = of->job->nodes,
		.cpus = of->job->cpus, .minutes = of->job->estimate / 60,
		.tres = rules->request ? rules->request[of->job->request].tres : NULL,
	};
	const struct fathom_queue queue = queue_of(rules, of->job);
	struct fathom_factors factors;

	if (rules->job_formula)
		return by_formula(rules, of, &job, &queue);
	factors = fathom_job_factors(rules->priority, &job, &queue, NULL);
	return fathom_priority_sum(&factors, NULL);
}
