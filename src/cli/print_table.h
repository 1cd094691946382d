/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows and columns of text on stdout, whatever they hold. */
#ifndef CLI_PRINT_TABLE_H
#define CLI_PRINT_TABLE_H

#include "fathom.h"

#define MOST_COLUMNS 32
#define MOST_WIDTH 1000	/* characters, of a column */
#define CELL_SIZE 4096	/* bytes: all TRES of a job stand in one; a width in UTF-8 fits */
#define NO_ROW SIZE_MAX

struct table_column {
	const char *heading;
	/* Text of a cell, in `buffer` of CELL_SIZE or elsewhere; "" where there is none. */
	const char *(*text)(const void *context, const struct table_column *column, size_t row,
			    char *buffer);
	const void *of;		/* for `text`: what the column shows, */
	size_t detail;		/* and which of it */
	const char *missing;	/* stands in a table for ""; NULL: nothing does */
	int least, most;	/* characters in a table; 0: no bound */
	bool right;		/* aligned */
	bool is_tree;		/* drawn with tree lines */
	bool shrinks;		/* where the terminal is too narrow */
};

struct table {
	struct table_column column[MOST_COLUMNS];
	size_t column_count, row_count;
	const void *context;	/* of the cells */
	bool has_header;
	/* of a tree, by row: the row above that it hangs on, or NO_ROW, and how deep it is */
	const size_t *parent, *depth;
	bool (*is_bold)(const void *context, size_t row);	/* if there are colours; or NULL */
};

/* By libsmartcols, which prints no header without a row. -1: ENOMEM. */
int print_table(const struct table *table, struct fathom_error *error);
/* `separator` between columns; `ends`: after the last one too. Depth is told by blanks. */
void print_separated(const struct table *table, const char *separator, bool ends);

#endif
