/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes the usage of a run by a formula. Where it is not known how much of a resource a job
 * really uses, the allocated amount counts. The formula is about the run alone: the fields of
 * weights, partition and QOS are 0.
 */
#include "priority/usage_formula.h"

#include "core/cpu_use.h"

#include <math.h>
#include <string.h>

#define CPU_TIME "cput"
#define KILOBYTES 1024	/* in a megabyte, in which Slurm counts memory */

int usage_formula_create(struct fathom_formula **formula, const char *text,
			 struct fathom_error *error)
{
	*formula = NULL;
	if (!*text || !strcmp(text, CPU_TIME))
		return 0;
	*formula = fathom_formula_create(text, NULL, NULL, error);
	return *formula ? 0 : -1;
}

bool usage_formula_uses(const struct fathom_formula *formula, const char *field)
{
	if (!formula)
		return !strcmp(field, CPU_TIME);
	for (size_t i = 0; i < fathom_field_count(); i++)
		if (!strcmp(fathom_field_at(i)->name, field))
			return fathom_formula_uses(formula, i);
	return false;
}

double usage_formula_value(const struct fathom_stretch *run, double seconds, void *formula)
{
	static const struct fathom_priority_config config;	/* all 0 */
	static const struct fathom_queue queue;			/* all 0 */
	double cpu_time = cpu_use_known(run->cpu_use, run->cpus) * seconds;
	const struct fathom_job job = { .cpus = (uint32_t)fmin(run->cpus, UINT32_MAX),
					.nodes = (uint32_t)fmin(run->nodes, UINT32_MAX),
					.minutes = seconds / 60 };
	const struct fathom_formula_job used = {
		.config = &config, .job = &job, .queue = &queue,
		.memory = run->memory * KILOBYTES, .gpus = run->gpus, .cpu_time = cpu_time,
	};
	struct fathom_formula_tally tally = { 0 };

	return formula ? fathom_formula_value(formula, &used, &tally) : cpu_time;
}
