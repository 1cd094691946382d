/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What survives a pass, in memory: the time of it, all usage that is not zero,
 * and which jobs are charged beyond that time. Either all of it, or what has
 * changed since all of it was last saved, other than by decay.
 */
#ifndef SLURM_USAGE_IMAGE_H
#define SLURM_USAGE_IMAGE_H

#include "base/compat.h"
#include "fathom.h"

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
	uint64_t base;		/* the saved image that lacks these rows; 0: this has all of them */
	double decay;		/* of the base's other rows, since they were saved */
	uint64_t saved;		/* the last whole image on disk, by its checksum; 0: none is good */
	uint32_t tres_count;		/* of those that are used by anything */
	uint32_t *tres_id;		/* as the database numbers them */
	uint32_t *tres_at;		/* as slurmctld numbers them, while it is filled */
	struct usage_rows associations, qos;
	struct job_row *job;
	uint64_t *job_tres;		/* tres_count a row */
	uint32_t *job_partition;	/* where its name begins in `names`, from 1; 0: not known */
	uint32_t job_count, partition_count;	/* the second 0 where none is known */
	char *names;			/* each with a '\0' */
	uint32_t names_length;
	struct image_sums sums;
};

void usage_image_clear(struct usage_image *image);
/*
 * Empty, with room for those of slurmctld's first TRES that are marked in `used`;
 * keeps its memory for the next pass. It will have the rows of associations
 * that are not what `decay` makes of the last saved ones, or all of them if
 * that is `whole`, or has to be. -1: out of memory.
 */
int usage_image_begin(struct usage_image *image, const bool *used, uint32_t tres_count, bool whole,
		      double decay);
/* Associations from the beginning, and all of them if that is `whole`. */
void usage_image_begin_again(struct usage_image *image, bool whole);
static inline bool usage_image_is_whole(const struct usage_image *image)
{
	return !image->base;
}
/* What the record has, in `*row` (from 1; 0: a new one, or none where nothing
 * is used). Out of memory: the image's time becomes 0. */
void usage_image_put(struct usage_image *image, const slurmdb_assoc_rec_t *record,
		     uint32_t parent_id, uint32_t *row);
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
/* Makes a whole image what it was at the time of its `changes`, which are
 * left empty. False: they are not of the same TRES, or out of memory; the
 * image is then good for nothing. */
bool usage_image_merge(struct usage_image *image, struct usage_image *changes);
const struct usage_row *usage_rows_find(const struct usage_rows *rows, uint32_t id);
/* A row's TRES in the order in which slurmctld has them now. */
void usage_image_tres(const struct usage_image *image, const struct usage_rows *rows, size_t row,
		      double *tres);
/* The same for a job's. */
void usage_image_job_tres(const struct usage_image *image, size_t job, uint64_t *tres);

#endif
