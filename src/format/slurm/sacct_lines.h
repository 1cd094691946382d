/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Divides lines of sacct into fields. The first line tells the delimiter and the columns. Texts of
 * users, such as JobName or SubmitLine, may have delimiters and line ends in them: the forms of the
 * other columns then tell which fields and lines belong together.
 */
#pragma once

#include "document/text.h"

#define SACCT_MOST_COLUMNS 128
#define SACCT_MOST_FIELDS 512	/* of a line, if delimiters in its texts divide these, too */
#define SACCT_NO_FIELD SIZE_MAX

/* The columns that are read. Those from SACCT_NODES to SACCT_ALLOC_TRES tell a job's size. */
enum sacct_column {
	SACCT_JOB_ID, SACCT_JOB_ID_RAW, SACCT_CLUSTER, SACCT_PARTITION, SACCT_QOS, SACCT_ACCOUNT,
	SACCT_USER, SACCT_SUBMIT, SACCT_ELIGIBLE, SACCT_START, SACCT_END, SACCT_ELAPSED,
	SACCT_ELAPSED_RAW, SACCT_STATE, SACCT_NODES, SACCT_ALLOC_NODES, SACCT_REQ_NODES,
	SACCT_CPUS, SACCT_ALLOC_CPUS, SACCT_REQ_CPUS, SACCT_REQ_TRES, SACCT_ALLOC_TRES,
	SACCT_TIME_LIMIT, SACCT_TIME_LIMIT_RAW, SACCT_TOTAL_CPU, SACCT_NODE_LIST,
	SACCT_COLUMN_COUNT
};

/* How the lines of a file are divided, found by the first line. */
struct sacct_layout {
	struct piece delimiter;		/* points into `text`, so that a layout is not copied */
	char text[16];			/* the delimiter; not ended by NUL */
	size_t field_count;		/* of each line */
	size_t field_of[SACCT_COLUMN_COUNT];	/* by column: index, or SACCT_NO_FIELD */
	const struct sacct_column_row *row[SACCT_MOST_COLUMNS];	/* by field; NULL: not known */
	size_t text_count;		/* fields of free text */
	size_t first_text;		/* index of the first one; field_count: there is none */
	bool has_header;
	bool has_end;	/* a delimiter ends each line, as by sacct --parsable; the header tells */
};

/* Lines of a file while they are read. Set input and lines, all else 0. */
struct sacct_lines {
	struct document *input;
	struct line_stream lines;
	struct sacct_layout layout;
	struct piece field[SACCT_MOST_FIELDS];	/* of the line that is being read */
	bool has_line;		/* one with all fields has been read */
	size_t parts;		/* lines that are text of the jobs before them */
	size_t first_part;	/* number of the first one */
};

/* Returns whether the file has a column. */
static inline bool sacct_has(const struct sacct_lines *reader, size_t column)
{
	return reader->layout.field_of[column] != SACCT_NO_FIELD;
}

/* Returns the text of a column of the line that is being read; empty if there is no such column. */
static inline struct piece sacct_get(const struct sacct_lines *reader, size_t column)
{
	return sacct_has(reader, column) ? reader->field[reader->layout.field_of[column]]
				   : (struct piece){ "", 0 };
}

/* Finds the layout by the first line of a file, a header or a job. Fails if it is neither. */
void sacct_find_layout(struct sacct_lines *reader, struct piece line);
/* Splits a line into the fields of the layout; joins it with others if free text has line ends.
 * Returns false if it is a part of the last column of the job before. Fails if it has other
 * columns, or if nothing tells which. */
bool sacct_split_line(struct sacct_lines *reader, struct piece line);
/* Returns whether the line is the header once more, as where outputs of sacct were joined. */
bool sacct_is_header_again(const struct sacct_lines *reader);
/* Fails because of a column of the line. right: what it must be. */
_Noreturn void sacct_wrong(const struct sacct_lines *reader, enum sacct_column column,
			   const char *right);
/* Returns whether the first line of a file is a header of sacct, or begins as a job of sacct. */
bool sacct_is_first_line(struct piece line);
