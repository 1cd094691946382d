/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where LSF's fair share applies, a host partition or a queue, and the table of its share tree. */
#pragma once

#include "cli/options.h"
#include "cli/tree_comparison.h"
#include "core/list_text.h"

#define LSF_UNKNOWN "-"
#define LSF_QUEUE_FIRST "queue"	/* of DispatchOrder */

/* Rows that the options of each of LSF's tools have. */
#define LSF_OPTIONS                                                                          \
	{ 'V', "version", NULL, "print the version of fathom", option_version, 0, 0 },         \
	{ 'h', "help", NULL, "print this help", option_help, 0, 0 }

/* A scope with its tree, or the tree of all jobs. */
struct lsf_place {
	const char *name;
	bool is_scope;
	const char *const *partition;	/* queues */
	size_t partition_count;
	const char *text[SCOPE_TEXT_COUNT];	/* NULL: the scope has no such setting */
	struct tree_source source;
	const struct evaluated_tree *tree;	/* see lsf_place_tree() */
};

/* The places of a source. */
struct lsf_places {
	struct lsf_place *place;
	size_t count;
	const struct tree_options *how;
};

#define LSF_MOST_NAMES 32

/* Returns the scopes that are host partitions, or those that are not, and behind them the tree of
 * all jobs, unless it is that of a scope. how: trees are evaluated. */
struct lsf_places lsf_places_of(const struct tree_source *source, const struct tree_options *how,
				bool host_partitions);
/* Returns the tree of a place, evaluated. */
const struct evaluated_tree *lsf_place_tree(const struct lsf_places *places, size_t i);
/* Returns whether the tree of all jobs is not alone. It then stands for no queue or host partition
 * of its own. */
bool lsf_place_is_rest(const struct lsf_places *places, size_t i);
/* Returns whether a name is asked for. names: LSF_MOST_NAMES, up to a NULL; none: all. */
bool lsf_is_wanted(const char *const *names, const char *name);
/* Refuses a name that is asked for but not in a list: "NAME: LACKS". */
void lsf_check_wanted(const char *const *names, struct name_list list, const char *lacks);

/* Prints the table of a level, "SHARE_INFO_FOR: NAME/", the highest priority first; is_recursive:
 * and those of all groups in it. with_adjust: also the column ADJUST. */
void lsf_shares_print(const struct evaluated_tree *tree, const char *name, bool is_recursive,
		      bool with_adjust);
/* Return slots of running jobs, and slots that are only reserved, of the whole tree; NAN: not
 * known. */
double lsf_started(const struct evaluated_tree *tree);
double lsf_reserved(const struct evaluated_tree *tree);
