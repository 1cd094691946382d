/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The source of the fairshare adjustment, an amount that LSF's dynamic priority takes
 * into account: the rule of LSF's example, "memory:2.5", or a site's shared object,
 * "./adjust.so".
 */
#pragma once

#include "fathom.h"

/* An adjustment that is ready to be computed. */
struct adjuster {
	fathom_adjust_function *adjust;	/* NULL: there is no adjustment */
	double threshold;		/* of the rule "memory:THRESHOLD", above 0 */
	double slot_memory;		/* average memory of a slot; 0: that of started jobs */
	void *object;			/* the site's shared object; NULL: the rule is used */
};

/* Checks the text that names a source, without opening it: it must be an absolute path or
 * memory:THRESHOLD. -1: EINVAL. */
int adjuster_check(const char *source, struct fathom_error *error);
/* Sets `adjust` to the function of "memory:THRESHOLD" or of a shared object. adjuster: all members
 * 0, except slot_memory. Close it also if this fails. -1: error->text says what is wrong. */
int adjuster_open(struct adjuster *adjuster, const char *source, struct fathom_error *error);
/* Unloads the shared object, if there is one. */
void adjuster_close(struct adjuster *adjuster);

/* Returns the policy's weight of the adjustment; NAN: the policy does not use it. */
double adjuster_weight(const struct fathom_policy *policy, const struct fathom_settings *settings);

/* Sets the adjustment of each node of a settled tree, see fathom_tree_adjust(). memory, slots: what
 * all started jobs of the cluster have in use; memory is in the unit of slot_memory. -1: ENOMEM. */
int adjuster_apply(const struct adjuster *adjuster, struct fathom_tree *tree, double memory,
		   double slots, struct fathom_error *error);
