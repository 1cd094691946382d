/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds when a user's factor is back at a level if jobs no longer run. */
#ifndef EVALUATE_EXPLAIN_UNTIL_H
#define EVALUATE_EXPLAIN_UNTIL_H

#include "evaluate/explain_tree.h"

/* Who is idle: their usage decays. All others use as much as decays. */
enum explained_idle { IDLE_USER, IDLE_ACCOUNT, IDLE_ALL, IDLE_COUNT };

/* Returns "user", "account" or "all". */
const char *explain_idle_name(enum explained_idle idle);

struct explained_recovery {
	double seconds;		/* whole; NAN: never */
	double factor;		/* then; if never, the one that it comes to */
	bool is_now;		/* it is at the level now, also while jobs run */
	bool is_closed;		/* found by a closed form; else by bisection */
};

/* level: 0 to 1. site: the site's half-life of usage in seconds, 0: no decay. idle: IDLE_ACCOUNT is
 * the user's account with all that is below it. */
struct explained_recovery explain_until(const struct explained_tree *of, size_t user, double level,
					double site, enum explained_idle idle);

#endif
