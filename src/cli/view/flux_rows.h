/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of flux-accounting's tables for trees of other sources. */
#ifndef CLI_VIEW_FLUX_ROWS_H
#define CLI_VIEW_FLUX_ROWS_H

#include "cli/tree_comparison.h"
#include "format/flux/flux_accounts.h"

/* Prints rows, and returns an exit status. source: name of the file or cluster. */
typedef int flux_printer(const void *options, const struct flux_accounts *accounts,
			 const char *source);

/* Prints the rows of a tree under its policy. Columns that the tree does not have get no value.
 * Returns an exit status, as the next one. */
int flux_rows_print_tree(flux_printer *print, const void *options,
			 const struct tree_source *source, const struct tree_options *how);
/* Prints the rows of a database. */
int flux_rows_print_file(flux_printer *print, const void *options, struct document *input);

#endif
