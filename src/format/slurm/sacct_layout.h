/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The layout of sacct's output: which columns it has, and what is between them. */
#ifndef FORMAT_SACCT_LAYOUT_H
#define FORMAT_SACCT_LAYOUT_H

#include "document/text.h"

#define SACCT_MOST_FIELDS 128
#define SACCT_NO_FIELD SIZE_MAX

/* The columns that are read. */
enum sacct_column {
	SACCT_JOB_ID, SACCT_JOB_ID_RAW, SACCT_CLUSTER, SACCT_PARTITION, SACCT_QOS, SACCT_ACCOUNT,
	SACCT_USER, SACCT_SUBMIT, SACCT_ELIGIBLE, SACCT_START, SACCT_END, SACCT_ELAPSED,
	SACCT_ELAPSED_RAW, SACCT_STATE, SACCT_NODES, SACCT_ALLOC_NODES, SACCT_REQ_NODES,
	SACCT_CPUS, SACCT_ALLOC_CPUS, SACCT_REQ_CPUS, SACCT_REQ_TRES, SACCT_ALLOC_TRES,
	SACCT_TIME_LIMIT, SACCT_TIME_LIMIT_RAW, SACCT_JOB_NAME,
	SACCT_COLUMN_COUNT
};

struct sacct_layout {
	struct piece delimiter;		/* points into `text` */
	char text[16];
	size_t field_count;
	size_t field_of[SACCT_COLUMN_COUNT];	/* by column: its field, or SACCT_NO_FIELD */
	bool has_header;
};

/* Returns a column's name, such as "AllocTRES". */
const char *sacct_column_name(enum sacct_column column);
/* Finds the layout by the first line, a header or a job. -1: EINVAL, with the line 1. */
int sacct_layout_find(struct sacct_layout *layout, struct document *input, struct piece line,
		      size_t number, struct fathom_error *error);
/* Returns whether a line begins as a header or a job of sacct. */
bool sacct_layout_recognize(struct piece line);
/* Splits a line. A delimiter in a job's name, or at the end of the line, does not count. -1:
 * EINVAL. */
int sacct_layout_split(const struct sacct_layout *layout, struct document *input, struct piece line,
		       size_t number, struct piece *fields, struct fathom_error *error);

#endif
