/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree by which jobs are ordered: with the usage of the last pass, with what running jobs hold,
 * and with the figures of a policy.
 */
#pragma once

#include "policy/dispatch.h"
#include "policy/entity_figures.h"
#include "replay/charge_book.h"

struct order_tree {
	const struct fathom_policy *policy;
	const struct fathom_settings *settings;
	struct fathom_tree *copy;	/* a node's id is its number + 1 */
	struct fathom_result *result;
	double pass;			/* time of the last pass */
	struct entity_figures entities;
	struct fathom_sums *own;	/* by node: while the tree is updated; else zeros */
	struct fathom_holdings *holdings;	/* by node; of running jobs that are counted */
	uint32_t *holder;		/* nodes whose holdings are not 0 */
	size_t holder_count;
};

/* Copies the tree. */
void order_tree_create(struct order_tree *tree, const struct replay_rules *rules,
		       const struct fathom_tree *from);
/* Returns the tree as a dispatch takes it. */
struct fathom_dispatch_tree order_tree_to_dispatch(const struct order_tree *tree);
/* Adds up what running jobs hold now, in holdings and holder. */
void order_tree_count(struct order_tree *tree, const struct replay_moment *moment);
/* Ends that count. */
void order_tree_uncount(struct order_tree *tree);
/* Sets the usage of the last pass. */
void order_tree_update(struct order_tree *tree, const struct charge_book *book);
/* Like order_tree_update(), and brings the figures up to date. beside_dispatch: the tree is also
 * dispatched, so that what jobs hold is not left in it, because a dispatch adds it. An update must
 * follow before it. */
void order_tree_evaluate(struct order_tree *tree, const struct replay_moment *moment,
			 bool beside_dispatch);
/* Forgets all usage; a pass has to follow. */
void order_tree_forget(struct order_tree *tree);
