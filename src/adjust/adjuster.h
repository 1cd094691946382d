/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whom to ask for the adjustment of LSF's dynamic priority. */
#ifndef ADJUST_ADJUSTER_H
#define ADJUST_ADJUSTER_H

#include "fathom.h"

struct adjuster {
	fathom_adjust_function *adjust;	/* NULL: nobody */
	double threshold;		/* of the document's example */
	double slot_memory;		/* 0: not known */
	void *object;			/* a site's own, loaded */
};

/* "memory:THRESHOLD"; all else is the file of a site's shared object. */
bool adjuster_is_file(const char *what);
/* -1: error->text says what is wrong with it; to be closed in any case. */
int adjuster_open(struct adjuster *adjuster, const char *what, struct fathom_error *error);
void adjuster_close(struct adjuster *adjuster);

/* Compares with slot_memory, and has none. */
bool adjuster_lacks_slot_memory(const struct adjuster *adjuster);

/* How much an adjustment counts under the policy; NAN: it has no use for one. */
double adjuster_weight(const struct fathom_policy *policy, const struct fathom_settings *settings);

/* Asks for every node of a tree that has been settled. -1: ENOMEM. */
int adjuster_apply(const struct adjuster *adjuster, struct fathom_tree *tree,
		   struct fathom_error *error);

#endif
