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

#include "fairshare/evaluation.h"
#include "fairshare/queue_sums.h"
#include "partitions/partition_names.h"

struct queue_figures;

/* Evaluates the scheme's policy on the tree of partitions: those in `names`, and those that have
 * used something, by the sums at `time`. NULL: *problem says why. */
struct queue_figures *queue_figures_create(const struct settings *settings,
					   const struct scheme *scheme, struct queue_sums *sums,
					   time_t time, const struct partition_names *names,
					   struct fathom_error *problem);
void queue_figures_destroy(struct queue_figures *figures);	/* NULL is allowed */
/* NULL: the partition was not there yet. */
const struct fairshare_scoped *queue_figures_find(const struct queue_figures *figures,
						  const char *partition);

#endif
