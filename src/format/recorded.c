/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Holds figures that were computed elsewhere, and copies them from one tree to another by
 * the ids of associations. */
#include "format/recorded.h"

#include "memory/need_memory.h"

#include <math.h>

#define NO_NODE SIZE_MAX

double *recorded_column(const struct recorded *recorded, size_t count, size_t column)
{
	return recorded->values + column * count;
}

void recorded_create_columns(struct recorded *recorded, size_t count)
{
	recorded->values = need_zeros(RECORDED_MOST * count, sizeof(*recorded->values));
	for (size_t i = 0; i < RECORDED_MOST * count; i++)
		recorded->values[i] = NAN;
	recorded->columns = (struct json_columns){
		.usage = recorded_column(recorded, count, RECORDED_USAGE),
		.norm_shares = recorded_column(recorded, count, RECORDED_NORM_SHARES),
		.norm_usage = recorded_column(recorded, count, RECORDED_NORM_USAGE),
		.effective_usage = recorded_column(recorded, count, RECORDED_EFFECTIVE_USAGE),
		.factor = recorded_column(recorded, count, RECORDED_FACTOR),
	};
	for (size_t i = 0; i < fathom_policy_column_count(recorded->policy); i++)
		recorded->columns.column[i] = recorded_column(recorded, count, RECORDED_OWN + i);
}

/* ---- from tree to tree -------------------------------------------------------- */

/* Returns for each node of `tree` the node with the same id in `from`, or NO_NODE. */
static size_t *match_nodes(const struct fathom_tree *tree, const struct fathom_tree *from)
{
	struct fathom_node_index *index = need_made(fathom_node_index_create(from));
	size_t count = fathom_tree_count(tree);
	size_t *match = need_zeros(count, sizeof(*match));
	uint32_t found;

	for (size_t node = 0; node < count; node++)
		match[node] = fathom_node_index_find(index, fathom_tree_id(tree, node), &found)
				      ? found : NO_NODE;
	fathom_node_index_release(index);
	return match;
}

void recorded_copy_to(struct recorded *to, const struct fathom_tree *tree,
		      const struct recorded *from)
{
	size_t count = fathom_tree_count(tree), from_count = fathom_tree_count(from->snapshot.tree);
	size_t *match = match_nodes(tree, from->snapshot.tree);

	*to = (struct recorded){ .policy = from->policy, .settings = from->settings };
	recorded_create_columns(to, count);
	for (size_t node = 0; node < count; node++) {
		if (match[node] == NO_NODE)
			recorded_column(to, count, RECORDED_USAGE)[node] =
				fathom_tree_usage(tree, node);
		for (size_t i = 0; match[node] != NO_NODE && i < RECORDED_MOST; i++)
			recorded_column(to, count, i)[node] =
				recorded_column(from, from_count, i)[match[node]];
	}
}

/* Returns `values` for the nodes of another tree, of which there are `count`: node i gets the value
 * of node match[i], or NAN if it matches none. See match_nodes(). */
static const double *copy_matching(const double *values, const size_t *match, size_t count)
{
	double *copy = need_zeros(count, sizeof(*copy));

	for (size_t node = 0; node < count; node++)
		copy[node] = match[node] == NO_NODE ? NAN : values[match[node]];
	return copy;
}

struct recorded_global recorded_global_of(const struct fathom_tree *tree,
					  const struct recorded_global *global,
					  const struct fathom_tree *from)
{
	size_t count = fathom_tree_count(tree), clusters = global->usage.count;
	const double **of = need_zeros(clusters, sizeof(*of));
	struct recorded_global copy = *global;
	size_t *match;

	if (!clusters)
		return copy;
	match = match_nodes(tree, from);
	copy.usage.own = copy_matching(global->usage.own, match, count);
	for (size_t i = 0; i < clusters; i++)
		of[i] = copy_matching(global->usage.of[i], match, count);
	copy.usage.of = of;
	return copy;
}

void recorded_give_resources(struct fathom_tree *tree, const struct fathom_tree *from)
{
	size_t *match = match_nodes(tree, from);

	for (size_t i = 0; i < fathom_resource_count(); i++) {
		enum fathom_resource resource = (enum fathom_resource)i;
		bool has = fathom_tree_has_resource(from, resource);

		for (size_t node = 0; has && node < fathom_tree_count(tree); node++)
			if (match[node] != NO_NODE)
				need_done(fathom_tree_set_own_resource(
					tree, node, resource,
					fathom_tree_own_resource(from, match[node], resource),
					NULL));
	}
	fathom_tree_settle(tree);
}

void recorded_give_usage(struct fathom_tree *tree, const double *usage)
{
	size_t count = fathom_tree_count(tree);
	double *below = need_zeros(count, sizeof(*below));	/* of the children of a node */

	for (size_t node = count; node-- > 0;) {	/* children come before their parents */
		double total = isnan(usage[node]) ? 0 : usage[node];

		/* totals are rounded, so that children may add up to more */
		fathom_tree_set_own_usage(tree, node, fmax(total - below[node], 0));
		if (node)
			below[fathom_tree_parent(tree, node)] += fmax(total, below[node]);
	}
	need_free(below);
	fathom_tree_settle(tree);
}

/* Returns the own amount of a node: its total minus the totals of its children. total: by node; NAN
 * counts as 0. */
static double own_of(const struct fathom_tree *tree, const double *total, size_t node)
{
	size_t first = fathom_tree_first_child(tree, node);
	double own = isnan(total[node]) ? 0 : total[node];

	for (size_t i = 0; i < fathom_tree_child_count(tree, node); i++)
		own -= isnan(total[first + i]) ? 0 : total[first + i];
	return own;
}

void recorded_give_resource(struct fathom_tree *tree, enum fathom_resource resource,
			    const double *total)
{
	for (size_t node = 0; node < fathom_tree_count(tree); node++) {
		double own = own_of(tree, total, node);

		need_done(fathom_tree_set_own_resource(tree, node, resource, own, NULL));
	}
	fathom_tree_settle(tree);
}
