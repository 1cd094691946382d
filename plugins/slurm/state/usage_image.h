/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that is saved, in memory: the time of usage, the own usage of each association, the usage of
 * each QOS, the policies' sums, and until when each run is charged. The rows of associations are
 * the truth of which slurmctld's records are a copy; the rest is copied before state.h writes all
 * to disk. A start reads it back.
 *
 *	tres_id	1 (cpu), 4 (node)	the TRES that anybody uses
 *	row	{ id 7, parent_id 2 }	amount	raw 3600, wall 600, cpu 3600, node 600
 *	row	{ id 8, parent_id 2 }	amount	raw 0, wall 0, cpu 0, node 0
 */
#pragma once

#include "base/compat.h"
#include "fathom.h"
#include "records/record_usage.h"

/* The association or QOS that a row belongs to. */
struct usage_row {
	uint32_t id, parent_id;		/* parent 0: the root, or a QOS */
};

struct usage_rows {
	struct usage_row *row;
	double *amount;			/* usage_image_width() for each row, in the order of
					 * records/record_usage.h; its TRES are those of the
					 * image */
	uint32_t count;
};

/* A run that goes on; or that has ended and is charged beyond the image's time. */
struct job_row {
	uint32_t job_id, ended;		/* ended: 1 or 0 */
	uint32_t assoc_id, account_id, qos_id, partition_qos_id;
	uint32_t leaf, reserved;	/* leaf: of struct fathom_run_id; 0: none */
	int64_t start, charged_until, resized;	/* times */
	double suspended;		/* seconds */
	double billing;			/* weighted TRES, charged each second */
	double usage_factor;		/* of the QOS */
};

/* The part of a run on a set of hosts; see struct fathom_run_part. */
struct part_row {
	uint32_t job;			/* index of its job_row; parts are in the order of jobs */
	uint32_t hosts;			/* offset of the name in `names`, from 1 */
	uint64_t cpus, all_cpus;
};

/* The sums that one scheme's policy keeps beside usage, a row for each association and leaf. Rows
 * of the sections follow each other in one array. */
#define SECTION_NAME_MAX 127	/* characters */
/* What a partition has used of a slot pool is saved in the same form. In place of a policy's name,
 * which has no blank: */
#define SECTION_OF_POOLS "slot pools"

struct sums_section {
	char scheme[SECTION_NAME_MAX + 1], policy[32];	/* names */
	int64_t since;			/* time of the last reset; 0: never */
	uint32_t row_count, reserved;
};

struct sums_row {
	uint32_t id, account_id;	/* association, and its account in case it is deleted */
	uint32_t leaf, reserved;	/* as in struct job_row */
	int64_t time;			/* until which the sums are decayed */
};

/* Columns have names, as another release may have other columns. */
struct sums_column {
	char name[32];
};

struct image_sums {
	struct sums_section *section;
	struct sums_column *column;
	struct sums_row *row;
	double *value;			/* column_count for each row */
	uint32_t section_count, column_count, row_count;
	size_t section_room, row_room, value_room;	/* of an image that grows */
};

/* What was added to usage on request, so that it is never added again. The numbers are those of
 * whole_file_hash(). */
#define APPLIED_IMPORTS 62

struct applied_usage {
	uint64_t is_lost;	/* 1: the state files were damaged, so that it is not known */
	uint64_t request;	/* the last one of fathom usage; 0: none */
	uint64_t import[APPLIED_IMPORTS];	/* of ImportUsage, the last one first; 0: none */
};

struct usage_image {
	int64_t time;			/* of the pass; 0: incomplete, must not be saved */
	int64_t last_reset;
	struct applied_usage applied;
	uint32_t tres_count;		/* of TRES that anybody uses */
	uint32_t *tres_id;		/* their ids in the database */
	uint32_t *tres_at;		/* their indexes in slurmctld, of usage_image_widen() */
	struct usage_rows associations;	/* by node of the tree; as they were saved after a start */
	struct usage_rows qos;		/* in no order */
	struct job_row *job;
	uint64_t *job_tres;		/* tres_count for each job */
	uint32_t *job_partition;	/* offset of its name in `names`, from 1; 0: not known */
	uint32_t job_count;
	struct part_row *part;
	uint32_t part_count;
	char *names;			/* of partitions and sets of hosts, each with its '\0' */
	uint32_t names_length;
	struct image_sums sums;
};

/* What the image consists of, in the order of the state file: where its counts are, and where it
 * points to its arrays, whose lengths follow from the counts. */
#define IMAGE_COUNTS 9
/* Some of the arrays: those of jobs are IMAGE_JOB to IMAGE_NAMES, those of sums are the last. */
enum image_arrays { IMAGE_JOB = 5, IMAGE_NAMES = 9, IMAGE_SECTION, IMAGE_ARRAYS = 14 };

struct image_list {
	uint32_t *count[IMAGE_COUNTS];
	struct image_array {
		void **data;
		size_t length;		/* bytes */
	} array[IMAGE_ARRAYS];
};

struct image_list usage_image_list(struct usage_image *image);
void usage_image_clear(struct usage_image *image);
/* Removes all jobs, with their parts and the names. */
void usage_image_clear_jobs(struct usage_image *image);
/* Makes it the image of a moment at which all usage and all sums were reset. */
void usage_image_reset(struct usage_image *image, int64_t time);
/* Gives the image columns for those of slurmctld's first tres_count TRES that are marked, beside
 * those that it has, and finds where slurmctld has each. The caller holds tres read. -1: out of
 * memory, the columns stay as they are. */
int usage_image_widen(struct usage_image *image, const bool *used, uint32_t tres_count);
/* Returns which of the image's TRES has this id of the database; tres_count: none. */
uint32_t usage_image_column(const struct usage_image *image, uint32_t id);
/* Makes `count` rows of 0. -1: out of memory. */
int usage_rows_create(struct usage_rows *rows, size_t count, size_t width);
void usage_rows_clear(struct usage_rows *rows);
/* The number of amounts in a row. */
static inline size_t usage_image_width(const struct usage_image *image)
{
	return USAGE_TRES + (size_t)image->tres_count;
}
/* The amounts of a row. */
static inline double *usage_image_row(const struct usage_image *image, size_t row)
{
	return image->associations.amount + row * usage_image_width(image);
}
/* Copies the usage of all QOS. The caller holds QOS and TRES read. Without memory for it qos.row is
 * NULL, and the image must not be saved. */
void usage_image_copy_qos(struct usage_image *image);
void usage_image_clear_sums(struct usage_image *image);
/* Adds a section without rows, with room for so many; cuts off a name beyond SECTION_NAME_MAX. -1:
 * out of memory, the image's time is 0. */
int usage_image_add_section(struct usage_image *image, const char *scheme, const char *policy,
			    int64_t since, size_t rows);
/* Adds a row to the last section, which has room for it. */
void usage_image_add_sums_row(struct usage_image *image, const struct fathom_policy_sums_row *row);
/* Adds all sections of another image behind its own, except those of slot pools. Sets its time to 0
 * if out of memory. */
void usage_image_add_all_sums(struct usage_image *image, const struct usage_image *other);
/* Finds the section of a scheme under a policy; its rows begin at *first. NULL: none. */
const struct sums_section *usage_image_section(const struct usage_image *image, const char *scheme,
					       const char *policy, uint32_t *first);
/* Returns a row of a section, with sums of 0 for columns that the image does not have. */
struct fathom_policy_sums_row usage_image_sums_row(const struct usage_image *image, uint32_t at);
/* Finds the row with this id. False: there is none, and *at is the number of rows. */
bool usage_rows_find(const struct usage_rows *rows, uint32_t id, uint32_t *at);
/* Returns the amounts of a row. `tres` gets slurmctld_tres_cnt counts, in slurmctld's order, to
 * which the result points. */
struct fathom_amount usage_image_amount(const struct usage_image *image,
					const struct usage_rows *rows, size_t row, double *tres);
/* Puts the TRES of a job into `tres` in the same way. */
void usage_image_job_tres(const struct usage_image *image, size_t job, uint64_t *tres);
