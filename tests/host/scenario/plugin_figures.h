/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All figures that a priority plugin keeps up to date, as numbers with names. So the
 * results of two courses of events can be compared.
 */
#pragma once

#include "controller/host.h"

#define FIGURES_MAX 40000

struct figure {
	const char *name;	/* a literal */
	uint32_t id;		/* of the association, QOS or job */
	double value;
	double tolerance;	/* relative to the greater of two figures */
	double slack;		/* absolute, added to the tolerance */
};

struct figures {
	size_t count;
	struct figure figure[FIGURES_MAX];
};

/* Takes usage and running seconds of each association and QOS. */
void figures_take_usage(struct figures *figures);
/* Takes the factors of the associations and the priorities of the jobs. */
void figures_take_priorities(struct figures *figures);

/* Returns how many figures differ, and prints them after `what` on stderr. */
unsigned figures_differ(const struct figures *expected, const struct figures *found,
			const char *what);
/* Does the same, where each association may have its own usage of `one` or of `other`. */
unsigned figures_are_neither(const struct figures *one, const struct figures *other,
			     const struct figures *found, const char *what);
/* Returns how many accounts have usage other than the sum of their members and their
 * own. */
unsigned figures_are_sums(const char *what);
