/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of flux-accounting's tables for trees of other sources. */
#ifndef CLI_VIEW_FLUX_ROWS_H
#define CLI_VIEW_FLUX_ROWS_H

#include "evaluate/evaluated_tree.h"
#include "format/flux/flux_accounts.h"

/* Makes rows of an evaluated tree, which comes from `source`. Columns that the tree does not have
 * get no value. */
struct flux_accounts flux_rows_of_tree(const struct evaluated_tree *tree, const char *source);

#endif
