/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --adjust: whom to ask for the adjustment of LSF's dynamic priority. */
#ifndef CLI_ADJUST_H
#define CLI_ADJUST_H

#include "fathom.h"

struct adjuster {
	fathom_adjust_function *adjust;	/* NULL: nobody */
	double threshold;		/* of the document's example */
	double slot_memory;
	void *object;			/* a site's own, loaded */
};

/* "memory:THRESHOLD", or the file of a site's shared object. EXIT_WRONG after
 * a complaint, or 0. */
int adjuster_open(struct adjuster *adjuster, const char *what);
void adjuster_close(struct adjuster *adjuster);
int adjuster_set_slot_memory(struct adjuster *adjuster, const char *value);

/* Asks for every node of the tree; `policy` must have a use for it. */
int adjuster_apply(const struct adjuster *adjuster, struct fathom_tree *tree,
		   const struct fathom_policy *policy);

#endif
