/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints tables of text on stdout. The columns and their cells come from the caller. */
#ifndef CLI_PRINT_TABLE_H
#define CLI_PRINT_TABLE_H

#include "fathom.h"

#define MOST_COLUMNS 64
#define MOST_WIDTH 1000	/* characters of a column */
#define CELL_SIZE 4096	/* bytes of a cell: enough for all TRES of a job, or MOST_WIDTH in UTF-8 */
#define NO_ROW SIZE_MAX

/* Whether a cell shows something good or bad, as colour does. */
enum tone { TONE_NONE, TONE_GOOD, TONE_BAD };

struct table_column {
	const char *heading;
	/* Returns the text of a cell, in `buffer` of CELL_SIZE or elsewhere; "" if it is empty. */
	const char *(*text)(const void *context, const struct table_column *column, size_t row,
			    char *buffer);
	/* Returns the number to sort by; NAN: unknown. NULL: sorted by text. */
	double (*number)(const void *context, const struct table_column *column, size_t row);
	/* Returns the tone of a cell; NULL: no cell has any. */
	enum tone (*tone)(const void *context, const struct table_column *column, size_t row);
	const void *of;		/* for use by text() */
	size_t detail;		/* for use by text() */
	size_t which;		/* for use by text(): of several policies, from 0 */
	const char *group;	/* stands above columns that share it, such as a policy; or NULL */
	const char *missing;	/* a drawn table shows it in empty cells; or NULL */
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
	const void *context;	/* for text() and is_bold() */
	bool has_header;
	const char *narrow;	/* how to see columns that are hidden; NULL: by --output */
	/* of a tree, by row: its parent's row, or NO_ROW; its depth */
	const size_t *parent, *depth;
	bool (*is_bold)(const void *context, size_t row);	/* used on terminals; or NULL */
};

/* Draws a table with libsmartcols, and the groups of columns in a line above it. On a terminal that
 * is too narrow, columns that hide are left out, and a line on stderr names them; groups that do
 * not fit even then follow in tables below, each with the columns of no group. Without rows it
 * prints nothing, no header either. -1: ENOMEM. */
int print_table(const struct table *table, struct fathom_error *error);
/* Prints columns with a separator between; ends: also after the last one. A heading is followed by
 * ':' and the column's group. Blanks before a name show its depth. */
void print_separated(const struct table *table, const char *separator, bool ends);

#endif
