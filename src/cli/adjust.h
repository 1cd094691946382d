/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options --adjust and --slot-memory, for the adjustment of LSF's dynamic priority. */
#ifndef CLI_ADJUST_H
#define CLI_ADJUST_H

#include "adjust/adjuster.h"

/* Store the value of an option. Return 0, or EXIT_WRONG after printing an error. */
int adjust_set_source(struct adjuster *adjuster, const char *source);
int adjust_set_slot_memory(struct adjuster *adjuster, const char *value);
/* Adjusts each node of a tree. The policy must use the adjustment. */
void adjust_tree(const struct adjuster *adjuster, struct fathom_tree *tree,
		 const struct fathom_policy *policy, const struct fathom_settings *settings);

#endif
