/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Columns of associations, jobs, queues and runs, and tables of some of them. A relation has a
 * table of struct column, which is the only place that describes a column: its name, its heading,
 * what it means, and how a cell gets its value. Options, help, printers and JSON read it there.
 */
#pragma once

#include "relation/value.h"

#include <stddef.h>

#define MOST_COLUMNS 64
#define MOST_WIDTH 1000	/* characters of a column */
#define NO_ROW SIZE_MAX

struct table_column;

/* A cell, and room for its text. */
struct cell {
	const void *context;	/* of the table */
	const struct table_column *column;
	size_t row;
	char *buffer;		/* of CELL_SIZE */
};

/* Whether a cell shows something good or bad, as colour does. */
enum tone { TONE_NONE, TONE_GOOD, TONE_BAD };

/* COLUMN_NUMBER: aligned to the right and never cut. COLUMN_TEXT: sorted as text.
 * COLUMN_AMOUNTS: a text such as "cpu=5,mem=9", sorted by its sum. */
enum column_kind { COLUMN_NUMBER, COLUMN_TEXT, COLUMN_AMOUNTS };

struct column {
	const char *name;	/* as --output has it */
	const char *heading;	/* NULL: the name */
	char letter;		/* sprio's letter, or 0 */
	char plain_letter;	/* sprio's letter of the value before weighting, or 0 */
	const char *key;	/* in JSON; NULL: it has none */
	enum column_kind kind;
	struct value (*get)(const struct cell *cell);
	size_t detail;		/* for get() */
	enum tone (*tone)(const struct cell *cell);	/* NULL: no cell has any */
	bool is_tree;		/* drawn with tree lines */
	bool is_right;		/* a text that is aligned to the right */
	int width;		/* characters, or more if a cell needs it; 0: as cells need it */
	bool shrinks;		/* cut if the terminal is too narrow */
	bool is_common;		/* the same in all that is compared */
	bool of_comparison;	/* compares with the first, which has no such column */
	unsigned flags;		/* of the relation */
	bool (*is_there)(const void *context);	/* the rows have it; NULL: always */
	const char *meaning;
};

/* A column that may be chosen, or that has been. */
struct table_column {
	const struct column *of;
	const char *heading;
	struct value (*get)(const struct cell *cell);
	enum tone (*tone)(const struct cell *cell);
	size_t detail;		/* for get() */
	bool is_plain;		/* for get(): the value before weighting */
	size_t which;		/* for get(): of several policies, from 0 */
	const char *group;	/* stands above columns that share it, such as a policy; or NULL */
	const char *missing;	/* a drawn table shows it in empty cells; or NULL */
	enum column_kind kind;
	int least, most;	/* characters in a drawn table; 0: no bound */
	bool right;		/* aligned to the right */
	bool is_tree;		/* drawn with tree lines */
	bool shrinks;		/* cut if the terminal is too narrow */
	bool wraps;		/* continued on the next line then, between words */
	int hides;		/* hidden if the terminal is too narrow, the greatest first;
				 * 0: never */
};

struct table {
	struct table_column column[MOST_COLUMNS];
	size_t column_count, row_count;
	const void *context;	/* for get() and is_bold() */
	bool has_header;
	const char *narrow;	/* how to see columns that are hidden; NULL: by --output */
	/* of a tree, by row: its parent's row, or NO_ROW; its depth */
	const size_t *parent, *depth;
	bool (*is_bold)(const void *context, size_t row);	/* used on terminals; or NULL */
};

/* Returns a column that may be chosen. */
struct table_column table_column_of(const struct column *column);
/* Adds a column to a table that has room for it, and returns it there. */
struct table_column *table_add(struct table *table, const struct column *column);
/* Adds all columns of an array whose rows have them. */
void table_add_all(struct table *table, const struct column *column, size_t count);

/* Returns the value of a cell; its text may be in `buffer`, of CELL_SIZE. */
struct value table_value(const struct table *table, const struct table_column *column, size_t row,
			 char *buffer);
/* Returns the text of a cell, in `buffer` or elsewhere. */
const char *table_text(const struct table *table, const struct table_column *column, size_t row,
		       char *buffer);
