/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Evaluates policy pbs on the tree of partitions, see results/queue_figures.h. */
#ifndef SLURM_EVALUATE_QUEUES_H
#define SLURM_EVALUATE_QUEUES_H

#include "schemes/queue_sums.h"
#include "partitions/partition_names.h"
#include "results/queue_figures.h"

/* Evaluates the scheme's policy on the tree of partitions: those in `names`, and those that have
 * used something, by the sums at `time`. NULL: *problem says why. */
struct queue_figures *evaluate_queues(const struct settings *settings, const struct scheme *scheme,
				      struct queue_sums *sums, time_t time,
				      const struct partition_names *names,
				      struct fathom_error *problem);

#endif
