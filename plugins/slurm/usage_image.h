/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What survives a pass, in memory: the time of it, all usage that is not zero,
 * and which jobs are charged beyond that time. Either all of it, or what has
 * changed since all of it was last saved, other than by decay.
 */
#ifndef SLURM_USAGE_IMAGE_H
#define SLURM_USAGE_IMAGE_H

#include "compat.h"

struct amount;

/* One association's or QOS' own usage. */
struct usage_row {
	uint32_t id, parent_id;		/* parent 0: none, or a QOS */
	double raw, wall;
};

struct usage_rows {
	struct usage_row *row;
	double *tres;			/* tres_count a row */
	uint32_t count, size;
};

/* A run that is not over, or is charged beyond `time`. */
struct job_row {
	uint32_t job_id, ended;
	uint32_t assoc_id, account_id, qos_id, partition_qos_id;
	int64_t start, charged_until, resized;
	double suspended, billing, usage_factor;
};

struct usage_image {
	int64_t time, last_reset;	/* time 0: nothing to be saved */
	uint32_t tres_count;		/* of those that are used by anything */
	uint32_t *tres_id;		/* as the database numbers them */
	uint32_t *tres_at;		/* as slurmctld numbers them, while it is filled */
	struct usage_rows associations, qos;
	struct job_row *job;
	uint64_t *job_tres;		/* tres_count a row */
	uint32_t job_count;
};

void usage_image_clear(struct usage_image *image);
/* Empty, with room for the TRES marked in `used` (slurmctld_tres_cnt of them);
 * keeps its memory for the next pass. -1: out of memory. */
int usage_image_begin(struct usage_image *image, const bool *used);
/* A row; one without any usage only if it is `needed`. Out of memory: the
 * image's time becomes 0. */
void usage_rows_add(struct usage_image *image, struct usage_rows *rows, uint32_t id,
		    uint32_t parent_id, const slurmdb_assoc_usage_t *usage, bool needed);
void usage_rows_add_qos(struct usage_image *image, const slurmdb_qos_rec_t *qos);
/* What is used after its row was added. No such row: one is added, and
 * returned (counted from 1). */
uint32_t usage_rows_amend(struct usage_image *image, struct usage_rows *rows, uint32_t row,
			  uint32_t id, uint32_t parent_id, const struct amount *amount);
const struct usage_row *usage_rows_find(const struct usage_rows *rows, uint32_t id);
/* A row's TRES in the order in which slurmctld has them now. */
void usage_image_tres(const struct usage_image *image, const struct usage_rows *rows, size_t row,
		      double *tres);
/* The same for a job's. */
void usage_image_job_tres(const struct usage_image *image, size_t job, uint64_t *tres);

#endif
