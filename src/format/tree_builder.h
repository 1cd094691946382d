/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds a snapshot. A reader adds one row after the other, in any order, each with its name and
 * its line in the input, and then finishes the tree:
 *
 *	tree_builder_add() for each row,
 *		tree_builder_set_resource() for the row
 *	tree_builder_set_default_account() for rows
 *	tree_builder_finish()
 */
#pragma once

#include "core/name_index.h"
#include "core/numbered_names.h"
#include "core/snapshot.h"
#include "document/text.h"

/* A resource of a row. */
struct row_resource {
	size_t row;
	enum fathom_resource resource;
	double amount;
};

/* Starts with all members 0. */
struct tree_builder {
	struct fathom_row *row;
	/* by row: offset in `text`, or SNAPSHOT_NO_TEXT */
	size_t *name, *partition, *default_account;
	size_t *line;			/* by row: line of the input */
	size_t count;			/* of rows */
	char *text;			/* all names, each with its NUL */
	size_t length, text_room;	/* bytes of `text` that are used, and allocated */
	struct name_index *accounts;	/* from the names of accounts, which must live as long, to
					 * their rows; NULL: not wanted */
	struct row_resource *resource;
	size_t resource_count;
	bool has_totals;		/* the usage of a row includes that of all rows below it */
};

/* Adds a row. partition: its `at` is NULL if the row has none. Copies all. Fails, see wrong_at(),
 * if a name is empty, is not UTF-8 or has a control character. input: NULL: the error is about no
 * document. */
void tree_builder_add(struct tree_builder *builder, struct document *input, size_t line,
		      const struct fathom_row *row, struct piece name, struct piece partition);

/* Sets a resource of the row that was added last. */
void tree_builder_set_resource(struct tree_builder *builder, enum fathom_resource resource,
			       double amount);

/* Sets the default account of a user's row. Copies the name. */
void tree_builder_set_default_account(struct tree_builder *builder, size_t row,
				      struct piece account);

#define PARTITIONS_KNOWN true	/* for tree_builder_finish() */

/*
 * Makes *snapshot the tree with its names, and clears the builder.
 * partitions_known: the input says which partition a user's association is for;
 * otherwise users of the same name are accepted, as they may differ in partition.
 * Fails, see wrong_at(), if fathom_tree_create() refuses the rows, if a sum is out of
 * range, or if two nodes have the same parent, kind, name and partition.
 */
void tree_builder_finish(struct tree_builder *builder, struct document *input,
			 bool partitions_known, struct snapshot *snapshot);
/* Drops all rows and frees their memory early. */
void tree_builder_clear(struct tree_builder *builder);

/* Replaces the tree of a snapshot by a copy with users, 1 share each, below an account, as PBS has
 * them below its group "unknown". Returns false, and changes nothing, if the tree lacks the
 * account. */
bool tree_builder_add_users(struct snapshot *snapshot, const char *account,
			    const struct numbered_names *users);
