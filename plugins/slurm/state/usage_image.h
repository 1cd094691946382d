/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The content of the state file, in memory: the time of usage, the own usage of each association,
 * the usage of each QOS, the policies' sums, and until when each run is charged. Usage of
 * associations is kept in these rows, and slurmctld's records are copies of them. All else is
 * copied into the image before state.h writes it to disk. A start reads it back.
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
	uint32_t id, parent_id;		/* parent_id is 0 for the root and for a QOS */
};

/* Rows with usage, of associations or of QOS. */
struct usage_rows {
	struct usage_row *row;
	double *amount;			/* usage_image_width() amounts for each row: USAGE_RAW,
					 * USAGE_WALL, then one for each TRES of the image, as in
					 * records/record_usage.h */
	uint32_t count;			/* rows */
};

/* A row of the ledger: a run that goes on; or one that has ended and is charged beyond the image's
 * time. `reserved` members, here and below, are 0 and fill the struct, as it is written to the
 * file. */
struct job_row {
	uint32_t job_id, ended;		/* ended: 1 or 0 */
	uint32_t assoc_id, account_id, qos_id, partition_qos_id;
	uint32_t leaf, reserved;	/* leaf: as in struct fathom_run_id; 0: none */
	int64_t start, charged_until, resized;	/* times */
	double suspended;		/* seconds */
	double billing;			/* weighted TRES, charged each second */
	double usage_factor;		/* that of the QOS */
};

/* The part of a run on a set of hosts; see struct fathom_run_part. */
struct part_row {
	uint32_t job;			/* index of its job_row; parts are in the order of jobs */
	uint32_t hosts;			/* 1 + offset of the name in `names` of the image */
	uint64_t cpus, all_cpus;
};

/* A section has the sums that one scheme's policy keeps beside usage: a row for each association
 * and leaf. The rows of all sections follow each other in one array, in the order of the
 * sections. */
#define SECTION_NAME_MAX 127	/* characters */
/* What a partition has used of a slot pool is saved in the same form, a section with one row. It
 * has this in place of a policy's name, which has no blank. */
#define SECTION_OF_POOLS "slot pools"
/* A section without rows, with scheme "": its `since` is that of schemes that have no section. */
#define SECTION_OF_RESET "last reset"

/* The head of a section. */
struct sums_section {
	char scheme[SECTION_NAME_MAX + 1], policy[32];	/* names */
	int64_t since;			/* time of the last reset; 0: never */
	uint32_t row_count, reserved;
};

/* A row of a section; its sums are in `value` of struct image_sums. */
struct sums_row {
	uint32_t id, account_id;	/* association, and its account in case it is deleted */
	uint32_t leaf, reserved;	/* as in struct job_row */
	int64_t time;			/* until which the sums are decayed */
};

/* Columns have names, as another release may have other columns. */
struct sums_column {
	char name[32];
};

/* The sums of all sections. */
struct image_sums {
	struct sums_section *section;
	struct sums_column *column;
	struct sums_row *row;
	double *value;			/* column_count sums for each row */
	uint32_t section_count, column_count, row_count;
	size_t section_room, row_room, value_room;	/* elements that the arrays have room for;
							 * 0 in an image that was read */
};

#define APPLIED_IMPORTS 62	/* files of ImportUsage that are remembered */

/* Which files have been applied to usage (state/usage_changes.h), so that none is applied twice. A
 * file is known by its number, whole_file_hash(). */
struct applied_usage {
	uint64_t is_lost;	/* 1: the state files were damaged, so that it is not known which
				 * files have been applied; or 0 */
	uint64_t request;	/* the last request of `fathom usage`; 0: none */
	uint64_t import[APPLIED_IMPORTS];	/* files of ImportUsage, the newest first; 0:
						 * none */
};

/* See the head of this file. Start with all members 0. */
struct usage_image {
	int64_t time;			/* the time of the pass; 0: the image is incomplete, and
					 * must not be saved */
	int64_t last_reset;		/* time of the last reset of all usage; 0: never */
	struct applied_usage applied;
	uint32_t tres_count;		/* TRES that any row or job uses: the columns of rows and
					 * jobs */
	uint32_t *tres_id;		/* by column: the TRES's id in the database */
	uint32_t *tres_at;		/* by column: the TRES's index in slurmctld, as
					 * usage_image_widen() has found it; UINT32_MAX: slurmctld
					 * does not have it */
	struct usage_rows associations;	/* by node of the tree; in an image that was read, in the
					 * order in which they were saved */
	struct usage_rows qos;		/* in no order */
	struct job_row *job;
	uint64_t *job_tres;		/* tres_count counts for each job */
	uint32_t *job_partition;	/* by job: 1 + offset of the partition's name in `names`; 0:
					 * not known */
	uint32_t job_count;
	struct part_row *part;
	uint32_t part_count;
	char *names;			/* names of partitions and sets of hosts, each with its
					 * '\0' */
	uint32_t names_length;
	struct image_sums sums;
};

#define IMAGE_COUNTS 9		/* number of counts */
/* Indexes of some arrays: those of jobs are IMAGE_JOB to IMAGE_NAMES, those of sums are all from
 * IMAGE_SECTION on. IMAGE_ARRAYS is the number of arrays. */
enum image_arrays { IMAGE_JOB = 5, IMAGE_NAMES = 9, IMAGE_SECTION, IMAGE_ARRAYS = 14 };

/* Where an image has its counts and its arrays, in the order of the state file. The lengths of the
 * arrays follow from the counts. */
struct image_list {
	uint32_t *count[IMAGE_COUNTS];
	struct image_array {
		void **data;		/* the image's pointer to the array */
		size_t length;		/* bytes */
	} array[IMAGE_ARRAYS];
};

/* Returns where the image has its counts and arrays, and the lengths of the arrays by the present
 * counts. */
struct image_list usage_image_list(struct usage_image *image);
/* Frees all arrays and sets all members to 0. */
void usage_image_clear(struct usage_image *image);
/* Removes all jobs, with their parts and the names. */
void usage_image_clear_jobs(struct usage_image *image);
/* Makes the image that of a time at which all usage was reset, without sums, and nothing ran. */
void usage_image_reset(struct usage_image *image, int64_t time);
/* Adds columns for those TRES that are marked in used[] and have none yet, and finds where
 * slurmctld has the TRES of each column now. used: by slurmctld's index, tres_count long. Returns
 * -1 if out of memory: the columns stay as they are. The caller holds tres read. */
int usage_image_widen(struct usage_image *image, const bool *used, uint32_t tres_count);
/* Returns the column of the TRES with this id in the database; image->tres_count: it has no
 * column. */
uint32_t usage_image_column(const struct usage_image *image, uint32_t id);
/* Makes `count` rows of `width` amounts, all 0. Returns -1 if out of memory; there are no rows
 * then. */
int usage_rows_create(struct usage_rows *rows, size_t count, size_t width);
/* Frees the rows and sets all members to 0. */
void usage_rows_clear(struct usage_rows *rows);
/* Returns the number of amounts in a row. */
static inline size_t usage_image_width(const struct usage_image *image)
{
	return USAGE_TRES + (size_t)image->tres_count;
}
/* Returns the amounts of the row of an association. row: its index. */
static inline double *usage_image_row(const struct usage_image *image, size_t row)
{
	return image->associations.amount + row * usage_image_width(image);
}
/* Copies the usage of all QOS into the image. The caller holds QOS and TRES read. If out of memory,
 * qos.row is NULL, and the image must not be saved. */
void usage_image_copy_qos(struct usage_image *image);
/* Removes all sums, with their sections and columns. */
void usage_image_clear_sums(struct usage_image *image);
/* Adds a section without rows, and makes room for `rows` of them. A name is cut off after
 * SECTION_NAME_MAX characters. Returns -1 if out of memory, and sets the image's time to 0. */
int usage_image_add_section(struct usage_image *image, const char *scheme, const char *policy,
			    int64_t since, size_t rows);
/* Adds a row to the last section, which has room for it. */
void usage_image_add_sums_row(struct usage_image *image, const struct fathom_policy_sums_row *row);
/* Adds copies of those sections of another image that the image lacks, except those of slot pools,
 * behind its own sections. Sets the image's time to 0 if out of memory. */
void usage_image_add_all_sums(struct usage_image *image, const struct usage_image *other);
/* Returns the first section of a scheme under a policy, and sets *first to the index of its first
 * row. NULL: there is no such section. */
const struct sums_section *usage_image_section(const struct usage_image *image, const char *scheme,
					       const char *policy, uint32_t *first);
/* Returns the row of sums at an index, with 0 for columns that the image does not have. */
struct fathom_policy_sums_row usage_image_sums_row(const struct usage_image *image, uint32_t at);
/* Sets *at to the index of the row with this id. Returns false if there is no such row; then *at is
 * the number of rows. */
bool usage_rows_find(const struct usage_rows *rows, uint32_t id, uint32_t *at);
/* Returns the amounts of a row, without released seconds. rows: of the image; row: an index there.
 * tres: an array that gets slurmctld_tres_cnt amounts, in slurmctld's order, to which the result
 * points. The caller holds tres read. */
struct fathom_amount usage_image_amount(const struct usage_image *image,
					const struct usage_rows *rows, size_t row, double *tres);
/* Writes the counts of a job into tres[], slurmctld_tres_cnt of them in slurmctld's order. job: its
 * index. The caller holds tres read, or no other thread runs. */
void usage_image_job_tres(const struct usage_image *image, size_t job, uint64_t *tres);
