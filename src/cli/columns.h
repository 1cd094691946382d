/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns by sshare's names, then those of a policy. */
#ifndef CLI_COLUMNS_H
#define CLI_COLUMNS_H

#include "cli/evaluated_tree.h"

#define MOST_COLUMNS 32
#define MOST_WIDTH 1000	/* characters, of a column */
#define CELL_SIZE 400	/* the largest double has 309 digits */

struct chosen;

struct column {
	const char *name;
	bool right;		/* aligned */
	bool live;		/* known of a running cluster only, a text */
	const char *meaning;
	/* Text of a cell, in `buffer` or elsewhere; "" where there is none. */
	const char *(*text)(const struct figures *figures, const struct chosen *chosen, size_t node,
			    char *buffer);
};

/* One column to print. */
struct chosen {
	const struct column *column;
	const char *heading;
	bool is_own;		/* of the policy, */
	size_t index;		/* its column of this number */
	int width;		/* as asked for, below 0: aligned to the left; 0: as it comes */
	bool is_tree;		/* drawn with tree lines */
};

struct choice {
	struct chosen chosen[MOST_COLUMNS];
	size_t count;
};

/* From "Account,User%20,..." as sshare takes it: any case, beginnings do. -1:
 * unknown, or of a running cluster only. */
int columns_parse(struct choice *choice, const char *list, const struct fathom_policy *policy,
		  bool live, struct fathom_error *error);
/* What is printed if nothing is asked for. */
void columns_standard(struct choice *choice, const struct fathom_policy *policy, bool with_partition,
		      bool with_all, bool live);
/* The two policies' factors and ranks. */
void columns_of_shadow(struct choice *choice, bool with_partition);
/* Of digits, which nobody may cut. */
bool column_is_number(const struct column *column);
/* Is `name` that of a column, whatever the policy? */
bool columns_know(const char *name, size_t length);
/* One line a column, on stdout. */
void columns_help(void);

#endif
