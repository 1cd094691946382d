/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which part of a running job is on the hosts of each scope, by its CPUs there. */
#ifndef SLURM_RUN_PARTS_H
#define SLURM_RUN_PARTS_H

#include "base/compat.h"
#include "fathom.h"
#include "settings/settings.h"

/* The length of an array with all parts of a job. */
#define RUN_PARTS(settings) ((settings)->scheme_count)

/* Whether the job's record tells its hosts. The caller holds job, node read. */
bool run_parts_are_known(const job_record_t *job);
/* Fills the parts of a job, one for each scope that has hosts of it, named as the scope's scheme;
 * returns their number. The names are those of `settings`. part: an array of RUN_PARTS. The caller
 * holds job, node read, and run_parts_are_known(). */
uint32_t run_parts(const job_record_t *job, const struct settings *settings,
		   struct fathom_run_part *part);

#endif
