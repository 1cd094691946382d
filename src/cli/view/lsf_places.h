/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places: where LSF's fair share applies, each with a share tree. A place is a host partition or a
 * set of queues that share one tree, both scopes of fathom.conf, or it is the tree of all jobs. */
#pragma once

#include "cli/options.h"
#include "cli/tree_comparison.h"
#include "core/list_text.h"
#include "relation/text_table.h"

#define LSF_UNKNOWN "-"

/* Rows that the options of each of LSF's tools have. */
#define LSF_OPTIONS                                                                          \
	{ 'V', "version", NULL, "print the version of fathom", option_version, 0, 0 },         \
	{ 'h', "help", NULL, "print this help", option_help, 0, 0 }

/* A scope with its tree, or the tree of all jobs. */
struct lsf_place {
	/* The partitions of `head` are the queues of the place. Without any, the place is a queue
	 * itself, or all queues go by its tree. */
	struct scope_head head;
	bool is_scope;		/* false: the tree of all jobs, of which only the name is known */
	struct tree_source source;
	const struct evaluated_tree *tree;	/* NULL: not evaluated yet, see lsf_place_tree() */
};

/* The places of a source. */
struct lsf_places {
	struct lsf_place *place;
	size_t count;
	const struct tree_options *how;
};

#define LSF_MOST_NAMES 32	/* of operands */

/* Returns the scopes that are host partitions, or those that are not, and behind them the tree of
 * all jobs, unless --scope or the files have chosen the tree of a scope. source, how: must live as
 * long; how trees are evaluated. */
struct lsf_places lsf_places_of(const struct tree_source *source, const struct tree_options *how,
				bool host_partitions);
/* Returns the tree of place i; evaluates it when it is first asked for. */
const struct evaluated_tree *lsf_place_tree(const struct lsf_places *places, size_t i);
/* Returns whether place i is the tree of all jobs behind scopes: it then has the jobs of no scope,
 * and is not a queue or host partition itself. */
bool lsf_place_is_rest(const struct lsf_places *places, size_t i);
/* Returns whether a name is asked for. names: at most LSF_MOST_NAMES, up to a NULL; if there are
 * none, all are asked for. */
bool lsf_is_wanted(const char *const *names, const char *name);
/* Refuses a name that is asked for but is not in a list, with the error "NAME: LACKS". */
void lsf_check_wanted(const char *const *names, struct name_list list, const char *lacks);

/* A column of a table as LSF prints it. */
struct lsf_heading {
	const char *name;
	int width;		/* negative: aligned to the left */
};

#define LSF_COUNT(headings) (sizeof(headings) / sizeof(*(headings)))

/* Returns a table with columns but no rows, in which LSF_UNKNOWN stands for empty cells. */
struct text_table lsf_table(const struct lsf_heading *heading, size_t count);

/* Prints the table of the tree's top level, "SHARE_INFO_FOR: NAME/", the highest priority first.
 * is_recursive: and those of all groups below. with_adjust: also the column ADJUST. */
void lsf_shares_print(const struct evaluated_tree *tree, const char *name, bool is_recursive,
		      bool with_adjust);
/* Returns slots of running jobs, or if is_reserved those that are only reserved, of the whole tree;
 * NAN: not known. */
double lsf_slots(const struct evaluated_tree *tree, bool is_reserved);
