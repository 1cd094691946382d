/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of flux-accounting's tables for trees of other sources. */
#pragma once

#include "evaluate/evaluated_tree.h"
#include "format/flux/flux_accounts.h"

/* Makes rows of an evaluated tree, which comes from `source`. Columns that the tree does not have
 * get no value. */
struct flux_accounts flux_rows_of_tree(const struct evaluated_tree *tree, const char *source);

/* Prints a line of a tree, texts between separators; NULL: in columns, of which one is narrowed by
 * the indentation. */
void flux_rows_print_line(const char *separator, int indent, size_t narrowed,
			  const char *const *cells, size_t count);
