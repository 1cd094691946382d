/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree by which jobs are ordered: a copy of the tree of associations, or of a scope, with the
 * usage of the last pass, what running jobs hold, and the figures of a policy.
 */
#pragma once

#include "policy/dispatch.h"
#include "policy/entity_figures.h"
#include "replay/charge_book.h"

struct order_tree {
	const struct fathom_policy *policy;
	const struct fathom_settings *settings;
	struct fathom_tree *copy;	/* a node's id is its number + 1 */
	struct fathom_result *result;	/* of the last order_tree_evaluate() */
	double pass;			/* time of the last pass; set by the owner of the tree */
	struct entity_figures entities;	/* all 0: the policy charges associations */
	struct fathom_sums *own;	/* by node: used while the tree is updated; else 0 */
	/* By node: what its running jobs hold, from order_tree_count() to order_tree_uncount();
	 * else 0. */
	struct fathom_holdings *holdings;
	uint32_t *holder;		/* the nodes whose holdings are not 0 */
	size_t holder_count;
};

/* Makes an order tree of a copy of `from`. The rules must live as long. */
void order_tree_create(struct order_tree *tree, const struct replay_rules *rules,
		       const struct fathom_tree *from);
/* Returns the tree as a dispatch takes it. */
struct fathom_dispatch_tree order_tree_to_dispatch(const struct order_tree *tree);
/* Adds up what running jobs hold at the moment, in holdings and holder. It does not change
 * `copy`. */
void order_tree_count(struct order_tree *tree, const struct replay_moment *moment);
/* Sets holdings and holder back to none. */
void order_tree_uncount(struct order_tree *tree);
/* Sets the usage or the policy's sums of the last pass in the tree, and what order_tree_count() has
 * added up. book: the one whose `counted` books count. */
void order_tree_update(struct order_tree *tree, const struct charge_book *book);
/* Counts what jobs hold, updates the tree and evaluates the policy. beside_dispatch: the tree is
 * also dispatched; a dispatch adds what jobs hold itself, so this is taken out of the tree again.
 * order_tree_update() must be called before that dispatch. */
void order_tree_evaluate(struct order_tree *tree, const struct replay_moment *moment,
			 bool beside_dispatch);
/* Forgets all usage, as the books have been reset. */
void order_tree_forget(struct order_tree *tree);
