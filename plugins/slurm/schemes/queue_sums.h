/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the jobs of each partition have used, by the rules of a scheme of policy pbs: with
 * FairshareEntity=queue jobs are charged to partitions, which PBS calls queues.
 */
#ifndef SLURM_QUEUE_SUMS_H
#define SLURM_QUEUE_SUMS_H

#include "charging/book.h"
#include "settings/settings.h"
#include "state/usage_image.h"

struct queue_sums;

/* What one partition has used. The name lives as long as the sums; "": jobs whose partition is not
 * known. */
struct queue_usage {
	const char *name;
	struct fathom_sums sums;
};

struct queue_sums *queue_sums_create(void);	/* NULL: out of memory */
void queue_sums_destroy(struct queue_sums *queues);	/* NULL is allowed */

/* Adds a charge to the sums of its partition. gpu_tres: as in scheme_sums_add(). */
void queue_sums_add(struct queue_sums *queues, const struct settings *settings,
		    const struct scheme *scheme, const struct fathom_charge *charge,
		    uint32_t gpu_tres);
/* Sets all sums to 0; what has run before `time` counts no more. */
void queue_sums_reset(struct queue_sums *queues, time_t time);
/* Multiplies all sums, as of `time`. */
void queue_sums_scale(struct queue_sums *queues, double half_life, time_t time, double factor);
/* Returns all sums, decayed to `time`, in one block that the caller frees. NULL: out of memory. */
struct queue_usage *queue_sums_list(struct queue_sums *queues, double half_life, time_t time,
				    size_t *count);

/* Copies the sums into the image, a section for each partition; and takes them from there. since:
 * time of the last reset, which is that of the scheme's own sums; 0: none. */
void queue_sums_copy(struct queue_sums *queues, const struct scheme *scheme,
		     struct usage_image *image);
void queue_sums_restore(struct queue_sums *queues, const struct scheme *scheme,
			const struct usage_image *image, double since);

#endif
