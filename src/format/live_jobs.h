/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs of the running cluster, as the RPC of sprio tells of them. */
#ifndef FORMAT_LIVE_JOBS_H
#define FORMAT_LIVE_JOBS_H

#include "evaluate/job_list.h"

/*
 * Asks the controller of the local cluster. Rows have their weighted factors,
 * and a priority only where an administrator has set it. with_names: account
 * and QOS too, for which older releases want another RPC. -1: it could not be
 * reached, or has no factors; the error says why.
 */
int live_jobs_read(struct job_list *list, bool with_names, struct fathom_error *error);

#endif
