/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of a tree while a reader collects them. */
#ifndef FORMAT_TREE_BUILDER_H
#define FORMAT_TREE_BUILDER_H

#include "format/text.h"

/* What a row gives beside its usage. */
struct row_resource {
	size_t row;
	enum fathom_resource resource;
	double amount;
};

struct tree_builder {
	struct fathom_row *row;
	size_t *name, *partition;	/* by row: place in text, or SNAPSHOT_NO_TEXT */
	size_t *line;			/* of the input */
	size_t count, room;
	char *text;
	size_t length, text_room;
	struct row_resource *resource;
	size_t resource_count, resource_room;
};

/* -1: a name that no table could show (empty, not UTF-8, a control
 * character), or ENOMEM. */
int tree_builder_add(struct tree_builder *builder, struct input *input, size_t line,
		     const struct fathom_row *row, struct piece name, struct piece partition,
		     struct fathom_error *error);

/* A resource of the row that was added last. -1: ENOMEM. */
int tree_builder_set_resource(struct tree_builder *builder, enum fathom_resource resource,
			      double amount, struct fathom_error *error);

/*
 * Makes the tree and moves names into *snapshot; the builder stays to be
 * cleared. -1: what fathom_tree_create() refuses, usage or a resource whose
 * sum is no number, and two nodes with one parent, kind and name, unless both are
 * users and tell apart by partition. With `partitions_known` false users of
 * one name are taken for associations with different ones.
 */
int tree_builder_finish(struct tree_builder *builder, struct input *input, bool partitions_known,
			struct snapshot *snapshot, struct fathom_error *error);
void tree_builder_clear(struct tree_builder *builder);

#endif
