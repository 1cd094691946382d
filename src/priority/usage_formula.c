/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes the usage of a run by a formula. Where it is not known how much of a resource a job
 * really uses, the allocated amount counts. The formula is about the run alone: the fields of
 * weights, partition and QOS are 0.
 */
#include "priority/usage_formula.h"

#include "core/cpu_use.h"

#define KILOBYTES 1024	/* in a megabyte, in which Slurm counts memory */

double usage_formula_value(const struct fathom_stretch *run, double seconds, void *formula)
{
	static const struct fathom_priority_config config;	/* all 0 */
	static const struct fathom_queue queue;			/* all 0 */
	const struct fathom_job job = { .cpus = (uint32_t)run->cpus, .nodes = (uint32_t)run->nodes,
					.minutes = seconds / 60 };
	const struct fathom_formula_job used = {
		.config = &config, .job = &job, .queue = &queue,
		.memory = run->memory * KILOBYTES, .gpus = run->gpus,
		.cpu_time = cpu_use_known(run->cpu_use, run->cpus) * seconds,
	};
	struct fathom_formula_tally tally = { 0 };

	return fathom_formula_value(formula, &used, &tally);
}
