/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What survives: the time of the last pass and reset, all usage that is not
 * zero, and which jobs are charged beyond that time, as one file that is
 * there whole or not at all.
 */
#ifndef SLURM_STATE_H
#define SLURM_STATE_H

#include "compat.h"
#include "ledger.h"

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

/* A job charged beyond `time`, or with a pause to remember. */
struct job_row {
	uint32_t job_id, ended;
	int64_t start, charged_until;
	double suspended;
};

struct usage_image {
	int64_t time, last_reset;
	uint32_t tres_count;
	uint32_t *tres_id;		/* as the database numbers them */
	struct usage_rows associations, qos;
	struct job_row *job;
	uint32_t job_count;
};

void usage_image_clear(struct usage_image *image);
/* Keeps the memory for the next pass; -1: out of memory. */
int usage_image_begin(struct usage_image *image);
int usage_rows_add(struct usage_image *image, struct usage_rows *rows, uint32_t id,
		   uint32_t parent_id, double raw, double wall, const long double *tres);

enum state_found { STATE_NONE, STATE_OWN, STATE_STOCK };

/* What StateSaveLocation holds. STATE_OWN: `image` is filled; STATE_STOCK: its
 * times alone, because multifactor ran last; a damaged file is put aside. */
enum state_found state_load(struct usage_image *image);
/* Writes the image and, for the way back, multifactor's file of times. */
int state_save(const struct usage_image *image);

#endif
