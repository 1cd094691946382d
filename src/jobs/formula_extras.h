/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names that a formula over jobs may use beside the fields: TRES, then columns of a policy. */
#ifndef JOBS_FORMULA_EXTRAS_H
#define JOBS_FORMULA_EXTRAS_H

#include "jobs/jobs.h"

/* Returns the names up to a NULL: each TRES of the jobs, gres_gpu for gres/gpu, then each column of
 * the policy. */
char **formula_extras_create(const struct jobs *jobs, const struct fathom_policy *policy);
/* Frees the names; NULL is allowed. */
void formula_extras_destroy(char **names);

#endif
