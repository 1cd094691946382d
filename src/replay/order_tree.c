/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "replay/order_tree.h"

#include "core/error.h"
#include "policy/traits.h"

#include <stdlib.h>

/* ---- create and clear ------------------------------------------------------------------ */

/* Copies the tree, with ids that charges can name. */
static struct fathom_tree *copy_tree(const struct fathom_tree *tree, struct fathom_error *error)
{
	size_t count = fathom_tree_count(tree);
	struct fathom_row *rows = calloc(count, sizeof(*rows));
	struct fathom_tree *copy = NULL;

	if (!rows)
		fathom_error_no_memory(error);
	for (size_t node = 0; rows && node < count; node++)
		rows[node] = (struct fathom_row){
			.id = (int64_t)node + 1, .is_root = !node,
			.parent_id = (int64_t)fathom_tree_parent(tree, node) + 1,
			.kind = fathom_tree_kind(tree, node),
			.raw_shares = fathom_tree_raw_shares(tree, node),
			.usage = fathom_tree_own_usage(tree, node),
		};
	if (rows)
		copy = fathom_tree_create(rows, count, error);
	free(rows);
	return copy;
}

struct fathom_dispatch_tree order_tree_to_dispatch(const struct order_tree *tree)
{
	return (struct fathom_dispatch_tree){ .policy = tree->policy, .settings = tree->settings,
					      .tree = tree->copy };
}

int order_tree_create(struct order_tree *tree, const struct replay_rules *rules,
		      const struct fathom_tree *from, struct fathom_error *error)
{
	size_t count = fathom_tree_count(from);

	*tree = (struct order_tree){ .policy = rules->policy, .settings = &rules->settings };
	tree->copy = copy_tree(from, error);
	if (!tree->copy)
		return -1;
	tree->result = fathom_result_create(rules->policy, tree->copy, error);
	if (!tree->result ||
	    (rules->entities && entity_figures_create(&tree->entities, rules->policy,
						      &rules->settings, rules->entities, error)))
		return -1;
	tree->own = calloc(count, sizeof(*tree->own));
	tree->holdings = calloc(count, sizeof(*tree->holdings));
	tree->holder = calloc(count, sizeof(*tree->holder));
	return tree->own && tree->holdings && tree->holder
		       ? 0 : fathom_error_no_memory(error);
}

void order_tree_clear(struct order_tree *tree)
{
	fathom_tree_destroy(tree->copy);
	fathom_result_destroy(tree->result);
	entity_figures_clear(&tree->entities);
	free(tree->own);
	free(tree->holdings);
	free(tree->holder);
	*tree = (struct order_tree){ NULL };
}

/* ---- what running jobs hold --------------------------------------------------------------- */

static bool holds(const struct fathom_holdings *holdings)
{
	return holdings->job_slots > 0 || holdings->run_time > 0 || holdings->memory > 0;
}

void order_tree_count(struct order_tree *tree, const struct replay_moment *moment)
{
	const struct machine *machine = moment->machine;

	if (!policy_counts_holdings(tree->policy))
		return;
	for (size_t i = 0; i < machine->count; i++) {
		uint32_t slot = machine->ending[i].slot;
		uint32_t node = charge_book_node(moment->book, &moment->jobs->at[slot]);
		struct fathom_holdings *holdings = &tree->holdings[node];

		if (!charge_book_counts(moment->book, moment->jobs, slot))
			continue;
		if (!holds(holdings))
			tree->holder[tree->holder_count++] = node;
		charge_book_hold(moment->book, moment->jobs, slot, moment->now, holdings);
		if (!holds(holdings))	/* nothing of the job counts */
			tree->holder_count--;
	}
}

void order_tree_uncount(struct order_tree *tree)
{
	const struct fathom_holdings none = { 0 };

	for (size_t i = 0; i < tree->holder_count; i++)
		tree->holdings[tree->holder[i]] = none;
	tree->holder_count = 0;
}

/* ---- usage --------------------------------------------------------------------------------- */

static void set_usage(struct order_tree *tree, const struct charge_book *book)
{
	const double *usage = book->stepped ? book->stepped : book->value;
	double scale = book->stepped ? 1 : charge_book_scale(book, tree->pass);

	for (size_t node = 0; node < book->nodes; node++)
		fathom_tree_set_own_usage(tree->copy, node, usage[node] * scale);
}

static int set_node(struct order_tree *tree, size_t node, struct fathom_error *error)
{
	return fathom_policy_set_sums(tree->policy, tree->copy, node,
				      &tree->own[node], &tree->holdings[node], error);
}

/* Sets the sums as of the last pass, and what jobs hold. Nodes without sums have none in the tree
 * either. */
static int set_sums(struct order_tree *tree, const struct charge_book *book,
		    struct fathom_error *error)
{
	double half_life = fathom_policy_half_life(tree->policy, tree->settings,
						   book->half_life);
	const struct fathom_sums none = { { 0 } };

	for (size_t i = 0; i < fathom_policy_sums_count(book->sums); i++) {
		const struct fathom_policy_sums_row *row =
			fathom_policy_sums_advance(book->sums, i, half_life, tree->pass);

		tree->own[row->association - 1] = row->own;
		if (set_node(tree, row->association - 1, error))
			return -1;
	}
	/* a node whose first job has started since the pass has no sums yet */
	for (size_t i = 0; i < tree->holder_count; i++)
		if (set_node(tree, tree->holder[i], error))
			return -1;
	for (size_t i = 0; i < fathom_policy_sums_count(book->sums); i++)
		tree->own[fathom_policy_sums_at(book->sums, i)->association - 1] = none;
	return 0;
}

int order_tree_update(struct order_tree *tree, const struct charge_book *book,
		      struct fathom_error *error)
{
	if (!book->sums)
		set_usage(tree, book);
	else if (set_sums(tree, book, error))
		return -1;
	fathom_tree_settle(tree->copy);
	return 0;
}

/* Later updates leave nodes alone that have no sums. */
int order_tree_forget(struct order_tree *tree, struct fathom_error *error)
{
	const struct fathom_sums none = { { 0 } };
	const struct fathom_holdings nothing = { 0 };

	if (!fathom_policy_keeps_sums(tree->policy))
		return 0;
	for (size_t node = 0; node < fathom_tree_count(tree->copy); node++)
		if (fathom_policy_set_sums(tree->policy, tree->copy, node, &none,
					   &nothing, error))
			return -1;
	return 0;
}

/* ---- figures ------------------------------------------------------------------------------- */

/* Takes what jobs hold out of the tree, and the sums of their nodes, too. */
static int withdraw_holders(struct order_tree *tree, struct fathom_error *error)
{
	const struct fathom_holdings nothing = { 0 };

	for (size_t i = 0; i < tree->holder_count; i++) {
		tree->holdings[tree->holder[i]] = nothing;
		if (set_node(tree, tree->holder[i], error))
			return -1;
	}
	return 0;
}

/* Jobs that run have been counted. */
static int evaluate(struct order_tree *tree, const struct charge_book *book,
		    struct fathom_error *error)
{
	int status = order_tree_update(tree, book, error);

	fathom_evaluate(tree->result, tree->copy, tree->settings);
	if (tree->entities.tree) {
		entity_figures_add_usage(&tree->entities, tree->copy);
		entity_figures_use(&tree->entities, tree->copy, tree->result);
	}
	return status;
}

int order_tree_evaluate(struct order_tree *tree, const struct replay_moment *moment,
			struct fathom_error *error)
{
	int status;

	order_tree_count(tree, moment);
	status = evaluate(tree, moment->book, error);
	order_tree_uncount(tree);
	return status;
}

int order_tree_evaluate_beside_dispatch(struct order_tree *tree,
					const struct replay_moment *moment,
					struct fathom_error *error)
{
	int status;

	order_tree_count(tree, moment);
	status = evaluate(tree, moment->book, error) ||
				 withdraw_holders(tree, error)
			 ? -1 : 0;
	order_tree_uncount(tree);
	return status;
}
