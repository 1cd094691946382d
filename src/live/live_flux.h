/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What priorities by flux-accounting's rule are made of. slurmctld sends sprio terms, which
 * tell nothing where a weight is 0. Include compat.h first. */
#pragma once

#include "jobs/job_list.h"

/* Sets the priorities of banks and queues where the rows do not have them from their terms: where
 * the weight is 0, or a row is without terms. Within libslurm_ask(). */
void live_flux_complete(struct job_list *list, const slurm_conf_t *conf);
