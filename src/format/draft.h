/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of a tree while a reader collects them. */
#ifndef FORMAT_DRAFT_H
#define FORMAT_DRAFT_H

#include "format/text.h"

/* What a row gives beside its usage. */
struct given {
	size_t row;
	enum fathom_resource resource;
	double amount;
};

struct draft {
	struct fathom_row *row;
	size_t *name, *partition;	/* by row: place in text, or SNAPSHOT_NO_TEXT */
	size_t *line;			/* of the input */
	size_t count, room;
	char *text;
	size_t length, text_room;
	struct given *given;
	size_t given_count, given_room;
};

/* -1: a name that no table could show (empty, not UTF-8, a control
 * character), or ENOMEM. */
int draft_add(struct draft *draft, struct input *input, size_t line, const struct fathom_row *row,
	      struct piece name, struct piece partition, struct fathom_error *error);

/* A resource of the row that was added last. -1: ENOMEM. */
int draft_give(struct draft *draft, enum fathom_resource resource, double amount,
	       struct fathom_error *error);

/*
 * Makes the tree and moves names into *snapshot; the draft stays to be
 * cleared. -1: what fathom_tree_create() refuses, usage or a resource whose
 * sum is no number, and two nodes with one parent, kind and name, unless both are
 * users and tell apart by partition. With `partitions_known` false users of
 * one name are taken for associations with different ones.
 */
int draft_finish(struct draft *draft, struct input *input, bool partitions_known,
		 struct snapshot *snapshot, struct fathom_error *error);
void draft_clear(struct draft *draft);

#endif
