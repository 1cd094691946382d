/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The scope of --scope. */
#ifndef CLI_TREE_SHOWN_SCOPE_H
#define CLI_TREE_SHOWN_SCOPE_H

#include "cli/tree_comparison.h"

/* Evaluates a tree and shows it. */
typedef void tree_shower(void *context, const struct tree_source *source);

/* Shows the tree of a source, or that of its scope `name`. name: NULL: of no
 * scope. */
void show_tree_or_scope(const char *name, const struct tree_source *source, tree_shower *show,
			void *context);

#endif
