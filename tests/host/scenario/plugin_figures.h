/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that a priority plugin keeps up to date, as numbers with names, so that
 * what one course of events came to can be held against another.
 */
#ifndef HOST_FIGURES_H
#define HOST_FIGURES_H

#include "controller/host.h"

#define FIGURES_MAX 40000

struct figure {
	const char *name;	/* a literal */
	uint32_t id;		/* of the association, QOS or job */
	double value;
	double tolerance;	/* of the greater of the two, in proportion */
	double slack;		/* beyond that */
};

struct figures {
	size_t count;
	struct figure figure[FIGURES_MAX];
};

/* Usage and running seconds of each association and QOS. */
void figures_take_usage(struct figures *figures);
/* What the policy came to, and the jobs' priorities. */
void figures_take_priorities(struct figures *figures);

/* Says on stderr where they differ, after `what` happened; the number of places. */
unsigned figures_differ(const struct figures *expected, const struct figures *found,
			const char *what);
/* The same where each association may have either one's own usage. */
unsigned figures_are_neither(const struct figures *one, const struct figures *other,
			     const struct figures *found, const char *what);
/* Each account has what its members and itself have, now. */
unsigned figures_are_sums(const char *what);

#endif
