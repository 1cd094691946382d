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

/* Tries a change. Returns whether the one behind goes first then, and undoes the change. */
typedef bool change_trial(void *context, const struct explained_change *change);

/* The search for the least change, that is, with the least |to - from| / max(|from|, 1). */
struct change_search {
	change_trial *swaps;
	void *context;
	struct explained_change best;	/* begin with what: CHANGE_COUNT */
};

/* Searches one kind of change of a value as it is, or of a node. most: the greatest change in whole
 * steps of 1, down for usage and nice, up for the others; usage ends at 0. Keeps the least change
 * that swaps in search->best, unless that is less already. If more change never swaps back, it is
 * the least, and half of it does not swap. */
void change_search_try(struct change_search *search, enum explained_what what, size_t node,
		       double value, double most);

/* Which kinds of change are searched, by enum explained_what. */
struct change_kinds {
	bool wanted[CHANGE_COUNT];
};

/* Searches all changes of usage and shares on the path to the node `behind`. */
void change_search_path(struct change_search *search, const struct explained_tree *of,
			size_t behind, const struct change_kinds *kinds);

/* Sets what changes to a value, such as change->to. */
void explain_change_set(struct tried_tree *tried, const struct explained_change *change,
			double value);

/* Finds the least change of usage and shares that puts the user `behind` before the user
 * `ahead`. */
struct explained_change explain_user_change(const struct explained_tree *of, size_t behind,
					    size_t ahead, const struct change_kinds *kinds);

#endif
