/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Brings a copy of the tree up to date for an order of jobs: adds up in `own` what each node has
 * used by the charge books, and in `holdings` what its running jobs hold; sets both in the tree,
 * settles it, and evaluates the policy. Then it sets `own` and `holdings` back to 0, only for the
 * nodes that it has set, because trees may be large.
 */
#include "replay/job_orders.h"

/* ---- create ---------------------------------------------------------------------------- */

/* Returns a copy of the tree in which the id of a node is its number + 1, which is the association
 * of its charges. */
static struct fathom_tree *copy_tree(const struct fathom_tree *tree)
{
	size_t count = fathom_tree_count(tree);
	struct fathom_row *rows = need_zeros(count, sizeof(*rows));

	for (size_t node = 0; node < count; node++)
		rows[node] = (struct fathom_row){
			.id = (int64_t)node + 1, .is_root = !node,
			.parent_id = (int64_t)fathom_tree_parent(tree, node) + 1,
			.kind = fathom_tree_kind(tree, node),
			.raw_shares = fathom_tree_raw_shares(tree, node),
			.usage = fathom_tree_own_usage(tree, node),
		};
	return need_made(fathom_tree_create(rows, count, NULL));
}

/* For need_owned(): frees what is not in the memory of the replay. context: the order tree. */
static void destroy_figures(void *context)
{
	struct order_tree *tree = context;

	fathom_tree_destroy(tree->copy);
	fathom_result_destroy(tree->result);
	entity_figures_clear(&tree->entities);
}

void order_tree_create(struct order_tree *tree, const struct replay_rules *rules,
		       const struct fathom_tree *from)
{
	size_t count = fathom_tree_count(from);

	*tree = (struct order_tree){ .policy = rules->policy, .settings = &rules->settings };
	need_owned(tree, destroy_figures);
	tree->copy = copy_tree(from);
	tree->result = need_made(fathom_result_create(rules->policy, tree->copy, NULL));
	if (rules->entities)
		need_done(entity_figures_create(&tree->entities, rules->policy, &rules->settings,
						rules->entities, NULL));
	tree->own = need_zeros(count, sizeof(*tree->own));
	tree->holdings = need_zeros(count, sizeof(*tree->holdings));
	tree->holder = need_zeros(count, sizeof(*tree->holder));
}

/* ---- what running jobs hold --------------------------------------------------------------- */

/* Returns whether holdings are above 0: a job that counts holds slots, run time or memory. */
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
		uint32_t node = charge_book_node(moment->book, &moment->jobs->job[slot]);
		struct fathom_holdings *holdings = &tree->holdings[node];
		bool is_listed = holds(holdings);

		if (!charge_book_counts(moment->book, moment->jobs, slot))
			continue;
		charge_book_hold(moment->book, moment->jobs, slot, moment->now, holdings);
		if (!is_listed && holds(holdings))
			tree->holder[tree->holder_count++] = node;
	}
}

void order_tree_uncount(struct order_tree *tree)
{
	for (size_t i = 0; i < tree->holder_count; i++)
		tree->holdings[tree->holder[i]] = (struct fathom_holdings){ 0 };
	tree->holder_count = 0;
}

/* ---- usage --------------------------------------------------------------------------------- */

/* Adds the usage that a book has by node, as of the last pass, to `own`. */
static void add_usage(struct order_tree *tree, const struct counted_book *counted)
{
	const struct charge_book *book = counted->book;
	const double *usage = book->stepped ? book->stepped : book->usage;
	double scale = counted->weight;

	if (!book->stepped)
		scale *= charge_book_scale(book, tree->pass);
	for (size_t node = 0; node < book->nodes; node++)
		tree->own[node].value[FATHOM_SUM_USAGE] += usage[node] * scale;
}

/* Sets the usage of all nodes, for a policy without sums of its own. */
static void set_usage(struct order_tree *tree, const struct charge_book *book)
{
	for (size_t i = 0; i < book->counted_count; i++)
		add_usage(tree, &book->counted[i]);
	for (size_t node = 0; node < book->nodes; node++) {
		double *own = &tree->own[node].value[FATHOM_SUM_USAGE];

		fathom_tree_set_own_usage(tree->copy, node, *own);
		*own = 0;
	}
}

/* Sets what a node has in the tree: its sums in `own`, and what its running jobs hold. */
static void set_node(struct order_tree *tree, size_t node)
{
	need_done(fathom_policy_set_sums(tree->policy, tree->copy, node, &tree->own[node],
					 &tree->holdings[node], NULL));
}

/* Adds the policy's sums that a book has by node, as of the last pass, to `own`. */
static void add_sums(struct order_tree *tree, const struct counted_book *counted)
{
	const struct charge_book *book = counted->book;
	double half_life = fathom_policy_half_life(tree->policy, tree->settings,
						   book->rules->half_life);

	for (size_t i = 0; i < fathom_policy_sums_count(book->sums); i++) {
		const struct fathom_policy_sums_row *row =
			fathom_policy_sums_advance(book->sums, i, half_life, tree->pass);
		struct fathom_sums *own = &tree->own[row->association - 1];

		for (size_t sum = 0; sum < FATHOM_SUM_COUNT; sum++)
			own->value[sum] += counted->weight * row->own.value[sum];
	}
}

/* Sets in the tree the nodes that have sums in a book. */
static void set_nodes(struct order_tree *tree, const struct charge_book *book)
{
	for (size_t i = 0; i < fathom_policy_sums_count(book->sums); i++)
		set_node(tree, fathom_policy_sums_at(book->sums, i)->association - 1);
}

/* Sets `own` back to 0 for the nodes that have sums in a book. */
static void drop_sums(struct order_tree *tree, const struct charge_book *book)
{
	for (size_t i = 0; i < fathom_policy_sums_count(book->sums); i++)
		tree->own[fathom_policy_sums_at(book->sums, i)->association - 1] =
			(struct fathom_sums){ { 0 } };
}

/* Sets the sums as of the last pass, and what jobs hold, of nodes that have any. All others have 0
 * in the tree. */
static void set_sums(struct order_tree *tree, const struct charge_book *book)
{
	for (size_t i = 0; i < book->counted_count; i++)
		add_sums(tree, &book->counted[i]);
	for (size_t i = 0; i < book->counted_count; i++)
		set_nodes(tree, book->counted[i].book);
	/* a node whose first job has started since the pass has no sums yet */
	for (size_t i = 0; i < tree->holder_count; i++)
		set_node(tree, tree->holder[i]);
	for (size_t i = 0; i < book->counted_count; i++)
		drop_sums(tree, book->counted[i].book);
}

void order_tree_update(struct order_tree *tree, const struct charge_book *book)
{
	if (!book->sums)
		set_usage(tree, book);
	else
		set_sums(tree, book);
	fathom_tree_settle(tree->copy);
}

/* Sets all nodes to the 0 that `own` has between updates, because later updates set only nodes that
 * have sums. Usage without sums is set for all nodes at each update anyway. */
void order_tree_forget(struct order_tree *tree)
{
	if (!fathom_policy_keeps_sums(tree->policy))
		return;
	for (size_t node = 0; node < fathom_tree_count(tree->copy); node++)
		set_node(tree, node);
}

/* ---- figures ------------------------------------------------------------------------------- */

void order_tree_evaluate(struct order_tree *tree, const struct replay_moment *moment,
			 bool beside_dispatch)
{
	size_t holder_count;

	order_tree_count(tree, moment);
	order_tree_update(tree, moment->book);
	fathom_evaluate(tree->result, tree->copy, tree->settings);
	if (tree->entities.tree) {
		entity_figures_add_usage(&tree->entities, tree->copy);
		entity_figures_use(&tree->entities, tree->copy, tree->result);
	}
	holder_count = tree->holder_count;
	order_tree_uncount(tree);
	/* `own` is 0 already, so that the sums of these nodes become 0 in the tree, too, until the
	 * next update */
	for (size_t i = 0; beside_dispatch && i < holder_count; i++)
		set_node(tree, tree->holder[i]);
}
