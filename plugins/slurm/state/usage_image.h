/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What survives a pass, in memory: the time of it, the own usage of each
 * association, the usage of each QOS, and which jobs are charged beyond that time.
 */
#ifndef SLURM_USAGE_IMAGE_H
#define SLURM_USAGE_IMAGE_H

#include "base/compat.h"
#include "fathom.h"

/* Whose usage a row is. */
struct usage_row {
	uint32_t id, parent_id;		/* parent 0: none, or a QOS */
};

/* The first two amounts of a row; each TRES of the image follows. */
enum { USAGE_RAW, USAGE_WALL, USAGE_TRES };

struct usage_rows {
	struct usage_row *row;
	double *amount;			/* usage_image_width() a row */
	uint32_t count, size;
};

/* A run that is not over, or is charged beyond `time`. */
struct job_row {
	uint32_t job_id, ended;
	uint32_t assoc_id, account_id, qos_id, partition_qos_id;
	int64_t start, charged_until, resized;
	double suspended, billing, usage_factor;
};

/* What one scheme's policy looks at beside usage, a row an association. The
 * rows of all sections follow each other. */
struct sums_section {
	char scheme[128], policy[32];
	int64_t since;		/* last reset; 0: never */
	uint32_t row_count, reserved;
};

struct sums_row {
	uint32_t id, account_id;	/* the second where the first is gone */
	int64_t time;		/* that it is true at */
};

/* Columns are told by their names, as a later release may have others. */
struct sums_column {
	char name[32];
};

struct image_sums {
	struct sums_section *section;
	struct sums_column *column;
	struct sums_row *row;
	double *value;		/* column_count a row */
	uint32_t section_count, column_count, row_count;
};

struct usage_image {
	int64_t time, last_reset;	/* time 0: nothing to be saved */
	uint32_t tres_count;		/* of those that are used by anything */
	uint32_t *tres_id;		/* as the database numbers them */
	uint32_t *tres_at;		/* as slurmctld numbers them, while it is filled */
	struct usage_rows associations;	/* by node of the tree, while it is filled */
	struct usage_rows qos;		/* in no order */
	struct job_row *job;
	uint64_t *job_tres;		/* tres_count a row */
	uint32_t *job_partition;	/* where its name begins in `names`, from 1; 0: not known */
	uint32_t job_count;
	char *names;			/* each with a '\0' */
	uint32_t names_length;
	struct image_sums sums;
};

void usage_image_clear(struct usage_image *image);
/* Empties it, with room for those of slurmctld's first TRES that are marked in
 * `used`; keeps its memory for the next pass. -1: out of memory. */
int usage_image_begin(struct usage_image *image, const bool *used, uint32_t tres_count);
/* As many rows of associations as a tree has nodes. -1: out of memory, the image's
 * time is 0. */
int usage_image_begin_associations(struct usage_image *image, size_t node_count);
/* Amounts in a row. */
static inline size_t usage_image_width(const struct usage_image *image)
{
	return USAGE_TRES + (size_t)image->tres_count;
}
/* Copies the record's own usage into the row of its node. */
void usage_image_put(struct usage_image *image, uint32_t node, const slurmdb_assoc_rec_t *record,
		     uint32_t parent_id);
/* Out of memory: the image's time becomes 0. */
void usage_image_put_qos(struct usage_image *image, const slurmdb_qos_rec_t *qos);
/* Room for all names that jobs have, each with its '\0'; NULL: out of memory. */
char *usage_image_make_names(struct usage_image *image, uint32_t length);
void usage_image_clear_sums(struct usage_image *image);
/* One more section with room for its rows, which the caller puts there from
 * `*first` on. -1: out of memory, the image's time is 0. */
int usage_image_add_section(struct usage_image *image, const struct sums_section *section,
			    uint32_t *first);
void usage_image_put_sums(struct usage_image *image, uint32_t at, const struct sums_row *row,
			  const struct fathom_sums *sums);
/* All sections of another image, behind its own. Out of memory: its time is 0. */
void usage_image_add_sums(struct usage_image *image, const struct usage_image *other);
/* The section of a scheme under a policy, and where its rows begin; NULL: there
 * is none. */
const struct sums_section *usage_image_section(const struct usage_image *image,
					       const char *scheme, const char *policy,
					       uint32_t *first);
/* A row's values, 0 in columns that the image has not. */
struct fathom_sums usage_image_sums(const struct usage_image *image, uint32_t at);
/* Whether a QOS has a row, and which. */
bool usage_rows_find(const struct usage_rows *rows, uint32_t id, uint32_t *at);
/* A row as slurmctld counts TRES now; `tres` has room for all of them. */
struct fathom_amount usage_image_amount(const struct usage_image *image,
					const struct usage_rows *rows, size_t row, double *tres);
/* The TRES of a job, in the same order. */
void usage_image_job_tres(const struct usage_image *image, size_t job, uint64_t *tres);

#endif
