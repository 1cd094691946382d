/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the least change that puts one user or job before another one, by trying changes. */
#ifndef EVALUATE_EXPLAIN_CHANGE_H
#define EVALUATE_EXPLAIN_CHANGE_H

#include "evaluate/explain_tree.h"

/* What can change: less usage, more shares, more age, less nice. */
enum explained_what {
	CHANGE_USAGE,		/* a node's own usage, seconds */
	CHANGE_SHARES,		/* a node's raw shares */
	CHANGE_AGE,		/* of the job, seconds */
	CHANGE_NICE,		/* of the job */
	CHANGE_COUNT
};

/* Returns "usage", "shares", "age" or "nice". */
const char *explain_change_name(enum explained_what what);

struct explained_change {
	enum explained_what what;	/* CHANGE_COUNT: no change is found */
	size_t node;			/* of usage and shares */
	double from, to;
};

/* Tries a change. It sets *swaps to whether the one behind goes first then, and undoes the change.
 * -1: an error. */
typedef int change_trial(void *context, const struct explained_change *change, bool *swaps,
			 struct fathom_error *error);

/* The search for the least change, that is, with the least |to - from| / max(|from|, 1). */
struct change_search {
	change_trial *swaps;
	void *context;
	struct explained_change best;	/* begin with what: CHANGE_COUNT */
};

/* Searches one kind of change. from: the value as it is. most: the greatest change in whole steps
 * of 1, down for usage and nice, up for the others; usage ends at 0. Keeps the least change that
 * swaps in search->best, unless that is less already. If more change never swaps back, it is the
 * least, and half of it does not swap. -1: a trial failed. */
int change_search_try(struct change_search *search, const struct explained_change *from,
		      double most, struct fathom_error *error);

/* Which kinds of change are searched, by enum explained_what. */
struct change_kinds {
	bool wanted[CHANGE_COUNT];
};

/* Searches all changes of usage and shares on the path to the node `behind`. */
int change_search_path(struct change_search *search, const struct explained_tree *of, size_t behind,
		       const struct change_kinds *kinds, struct fathom_error *error);

/* Sets the change in a tree; `back` undoes it. The next evaluation must settle the tree. -1:
 * ENOMEM. */
int explain_change_set(const struct fathom_policy *policy, struct fathom_tree *tree,
		       const struct explained_change *change, bool back,
		       struct fathom_error *error);

/* Finds the least change of usage and shares that puts the user `behind` before the user `ahead`.
 * -1: ENOMEM. */
int explain_user_change(struct explained_change *change, const struct explained_tree *of,
			size_t behind, size_t ahead, const struct change_kinds *kinds,
			struct fathom_error *error);

#endif
