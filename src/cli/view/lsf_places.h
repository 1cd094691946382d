/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where LSF's fair share applies, a host partition or a queue, and the table of its share tree. */
#ifndef CLI_VIEW_LSF_PLACES_H
#define CLI_VIEW_LSF_PLACES_H

#include "cli/options.h"
#include "cli/tree_comparison.h"

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
};

#define LSF_MOST_NAMES 32

/* What options of a tool ask for. */
struct lsf_request {
	bool host_partitions;	/* else queues */
	const char *const *name;	/* LSF_MOST_NAMES, up to a NULL; none: all */
	/* Prints a place with its tree. */
	void (*print)(void *context, const struct lsf_place *place,
		      const struct evaluated_tree *tree);
	void *context;
};

/* Evaluates and prints the scopes that are host partitions, or those that are not; a source without
 * such scopes has one place, named like the root of its tree. A name that no place has is an
 * error. */
void lsf_places_print(const struct lsf_request *request, const struct tree_source *source,
		     const struct tree_options *how);
/* Returns whether a name is asked for. */
bool lsf_is_wanted(const char *const *names, const char *name);
/* Returns a name of a place: that of a host partition, or those of the queues, which are its
 * partitions. NULL: there are no more. */
const char *lsf_place_name(const struct lsf_place *place, bool host_partitions, size_t i);

/* Prints a name as a column of a width; a longer one is cut unless is_wide. */
void lsf_print_name(const char *name, int width, bool is_wide);

/* Prints the table of a level, "SHARE_INFO_FOR: NAME/", the highest priority first; is_recursive:
 * and those of all groups in it. with_adjust: also the column ADJUST. */
void lsf_shares_print(const struct evaluated_tree *tree, const char *name, bool is_recursive,
		      bool with_adjust);
/* Return slots of running jobs, and slots that are only reserved, of the whole tree; NAN: not
 * known. */
double lsf_started(const struct evaluated_tree *tree);
double lsf_reserved(const struct evaluated_tree *tree);

#endif
