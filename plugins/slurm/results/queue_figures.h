/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The figures of partitions under policy pbs with FairshareEntity=queue, in the tree that
 * ResourceGroup lines make:
 *
 *	ResourceGroup="gpu root 30", ResourceGroup="cpu root 70"; gpu has used all
 *	gpu: factor 2^-(1 / 0.3)	cpu: factor 1
 */
#ifndef SLURM_QUEUE_FIGURES_H
#define SLURM_QUEUE_FIGURES_H

#include "core/numbered_names.h"

#include <stdbool.h>

/* The figures of one association by the policy of a scope, or of one partition. */
struct fairshare_scoped {
	double factor, norm_shares, effective_usage;	/* 0 to 1 */
	bool may_run;			/* false: the policy starts no jobs of it */
};

struct queue_figures {
	struct numbered_names names;
	struct fairshare_scoped *figures;	/* by name */
};

void queue_figures_destroy(struct queue_figures *figures);	/* NULL is allowed */
/* NULL: the partition was not there yet. */
const struct fairshare_scoped *queue_figures_find(const struct queue_figures *figures,
						  const char *partition);

#endif
