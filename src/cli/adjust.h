/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --adjust and --slot-memory: the adjustment of LSF's dynamic priority. */
#ifndef CLI_ADJUST_H
#define CLI_ADJUST_H

#include "adjust/adjuster.h"

/* Of the options' values, and for every node of the tree; `policy` must have a
 * use for it. EXIT_WRONG after a complaint, or 0. */
int adjust_by(struct adjuster *adjuster, const char *what);
int adjust_set_slot_memory(struct adjuster *adjuster, const char *value);
int adjust_tree(const struct adjuster *adjuster, struct fathom_tree *tree,
		const struct fathom_policy *policy, const struct fathom_settings *settings);

#endif
