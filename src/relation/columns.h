/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Columns of associations, jobs, queues and runs, and tables of some of them. An array of struct
 * column is the only place that describes the columns of, say, jobs: name, heading, meaning, and
 * how a cell gets its value. Options, help, printers and JSON read it there. A struct table_column
 * is such a column as one table shows it, with the width that the user has chosen.
 */
#pragma once

#include "relation/value.h"

#include <stddef.h>

#define MOST_COLUMNS 64
#define MOST_WIDTH 1000	/* the greatest width that may be chosen */

struct table_column;

/* A cell whose value get() is to return. */
struct cell {
	const void *context;	/* table.context */
	const struct table_column *column;
	size_t row;
	char *buffer;		/* CELL_SIZE bytes, in which get() may write the cell's text */
};

/* Whether a cell shows something good or bad, as colour does. */
enum tone { TONE_NONE, TONE_GOOD, TONE_BAD };

enum column_kind {
	COLUMN_NUMBER,		/* aligned to the right, never cut, sorted by value_number() */
	COLUMN_TEXT,		/* aligned to the left, sorted as text */
	COLUMN_AMOUNTS		/* a text such as "cpu=5,mem=9", sorted by its value_number() */
};

/* A column as its array describes it; constant. */
struct column {
	const char *name;	/* for --output and --sort */
	const char *heading;	/* above the column; NULL: the name */
	char letter;		/* sprio's letter, or 0 */
	char plain_letter;	/* sprio's letter of the value before weighting, or 0 */
	const char *key;	/* in JSON; NULL: JSON does not have the column */
	enum column_kind kind;
	/* Returns the value of a cell; value_none() leaves it empty. */
	struct value (*get)(const struct cell *cell);
	size_t detail;		/* tells get() which value, if several columns share it */
	enum tone (*tone)(const struct cell *cell);	/* NULL: all cells have TONE_NONE */
	bool is_tree;		/* drawn with tree lines */
	bool is_right;		/* a text that is aligned to the right */
	int width;		/* least number of characters; 0: as many as the cells need */
	bool shrinks;		/* cut if the terminal is too narrow */
	bool is_common;		/* has the same cells in all lists of a comparison */
	bool of_comparison;	/* compares with the first list, which has no such column */
	unsigned flags;		/* bits that the file with the array defines */
	/* Returns whether the table with this context has the column; NULL: each has. */
	bool (*is_there)(const void *context);
	const char *meaning;	/* for help, without a full stop */
};

/* A column of a table, or of a relation, from which it is copied to tables. */
struct table_column {
	const struct column *of;	/* NULL in a struct text_table */
	const char *heading;
	struct value (*get)(const struct cell *cell);
	enum tone (*tone)(const struct cell *cell);	/* NULL: all cells have TONE_NONE */
	size_t detail;		/* for get(), see struct column */
	bool is_plain;		/* for get(): the value before weighting */
	size_t which;		/* for get(): number of the compared list, from 0 */
	const char *group;	/* stands above columns that share it, such as a policy; or NULL */
	const char *missing;	/* shown in empty cells, but not between separators; or NULL */
	enum column_kind kind;
	int least, most;	/* width of a cell, which is padded or cut, in columns of the
				 * terminal; in bytes for print_fixed(); 0: no bound */
	bool right;		/* aligned to the right */
	bool is_tree;		/* drawn with tree lines */
	/* what may happen to a column if the terminal is too narrow: */
	bool shrinks;		/* its cells are cut */
	bool wraps;		/* its cells go on in the next line, broken between words */
	int hides;		/* it is hidden, the greatest number first; 0: never */
};

/* Start with all members 0. */
struct table {
	struct table_column column[MOST_COLUMNS];
	size_t column_count, row_count;
	const void *context;	/* the rows, as get(), tone() and is_bold() know them */
	bool has_header;	/* print the headings */
	/* Tells how to see columns that are hidden; NULL: "--output chooses columns". */
	const char *narrow;
	const size_t *depth;	/* for a column with is_tree, by row; 0 for the root */
	bool (*is_bold)(const void *context, size_t row);	/* on terminals; NULL: no row is */
};

/* Returns the column as a table shows it unless the user chooses otherwise. */
struct table_column table_column_of(const struct column *column);
/* Adds a column to a table, which must have room for it, and returns it there. */
struct table_column *table_add(struct table *table, const struct column *column);
/* Adds the columns of an array, but for those that is_there() says the table does not have. Set
 * table->context before. */
void table_add_all(struct table *table, const struct column *column, size_t count);

/* Returns the value of a cell. buffer: CELL_SIZE bytes, to which value.text may point. */
struct value table_value(const struct table *table, const struct table_column *column, size_t row,
			 char *buffer);
/* Returns the text of a cell, "" for an empty one; it may be in `buffer`, which has CELL_SIZE
 * bytes. */
const char *table_text(const struct table *table, const struct table_column *column, size_t row,
		       char *buffer);
