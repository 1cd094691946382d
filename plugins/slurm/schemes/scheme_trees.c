/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the tree on which a scheme is evaluated, if its policy looks at sums of its own. The tree
 * has the nodes of the associations, or those of the scope's own tree. Each node gets three sorts
 * of amounts:
 *
 *   - the sums of what has run, decayed to the time of usage (add_sums)
 *   - what other clusters have used (add_global)
 *   - what runs now and holds, such as slots (add_holdings)
 */
#include "schemes/schemes_private.h"

#include "base/log.h"
#include "core/error.h"

#include <stdlib.h>

/* The amounts of all nodes while the tree of a scheme is made. */
struct node_amounts {
	/* by node: what it has by itself, without the nodes below it */
	struct amounts_of_node {
		struct fathom_sums sums;	/* of what has run, here or on other clusters */
		struct fathom_holdings holdings;	/* of what runs now, such as slots */
	} *by_node;
	double memory, slots;		/* what all running jobs of the cluster hold */
};

/* Returns how many of a TRES a run has; 0 if the rate has no TRES of this index. */
static double tres_held(const struct fathom_run_rate *rate, uint32_t tres)
{
	return tres < rate->tres_count ? (double)rate->tres[tres] : 0;
}

/* ---- the tree ------------------------------------------------------------------------------ */

/* Returns the scheme's tree with the present nodes, made anew if associations have come or gone;
 * its amounts may still be those of the last evaluation. It is the scope's own tree, or a copy of
 * the tree of associations. NULL: *problem says why. */
static struct fathom_tree *renew_nodes(const struct schemes *schemes, size_t scheme,
				       struct fathom_error *problem)
{
	struct scheme_state *state = &schemes->state[scheme];
	const struct associations *associations = schemes->associations;

	if (has_own_tree(schemes, scheme)) {
		if (!state->own_tree || state->own_tree->map != associations->map) {
			shared_release(state->own_tree);
			state->own_tree = scope_tree_create(schemes->settings,
							    &schemes->settings->scheme[scheme],
							    associations, problem);
		}
		return state->own_tree ? state->own_tree->shares.tree : NULL;
	}
	if (!state->tree || state->map != associations->map) {
		fathom_tree_destroy(state->tree);
		fathom_node_index_release(state->map);
		state->tree = fathom_tree_copy(associations->tree, problem);
		state->map = state->tree ? fathom_node_index_share(associations->map) : NULL;
	}
	return state->tree;
}

/* Returns the node of the scheme's tree at which a run of an association counts. association,
 * account: their ids; the account counts if the tree of associations does not have the association.
 * leaf: the key of the run's leaf in the scope's own tree; 0: not known, so the association's first
 * leaf counts. */
static uint32_t charged_node(const struct schemes *schemes, size_t scheme, uint32_t association,
			     uint32_t account, uint32_t leaf)
{
	if (has_own_tree(schemes, scheme))
		return scope_tree_charged(schemes->state[scheme].own_tree, association, leaf);
	return fathom_node_index_heir(schemes->associations->map, association, account);
}

/* ---- usage of other clusters ---------------------------------------------------------------- */

/* Copies the problem of each line of `last` to the line of the same cluster. */
static void keep_problems(struct global_usage *fresh, const struct global_usage *last)
{
	const struct conf_global_shares *shares = &fresh->settings->conf.global;

	for (size_t i = 0; i < shares->count; i++) {
		const struct global_line *line = global_usage_line(last, shares->share[i].cluster);

		if (line && line->problem)
			fresh->line[i].problem = strdup(line->problem);
	}
}

/* If schemes->global was read by other settings, replaces it, here and where it is published, by
 * what it knows of the clusters of the present settings: the next read may hang. If out of memory,
 * it stays. */
static void replace_old_global(struct schemes *schemes)
{
	struct global_usage *fresh = NULL;

	if (!schemes->global || schemes->global->settings == schemes->settings)
		return;
	if (schemes->settings->conf.global.count) {
		fresh = global_usage_create(schemes->settings, schemes->global);
		if (!fresh)
			return;
		keep_problems(fresh, schemes->global);
		global_usage_add_up(fresh, schemes->associations->map,
				    schemes->associations->node_count, *schemes->time);
	}
	shared_release(schemes->global);
	schemes->global = fresh;
	published_set(&schemes->results->global, shared_reference(fresh));
}

double *schemes_take_global(struct schemes *schemes, struct own_usage *own)
{
	shared_release(schemes->global);
	shared_release(schemes->own_usage);
	schemes->own_usage = own;
	schemes->global = published_get(&schemes->results->global);
	replace_old_global(schemes);
	return global_usage_sum(schemes->global, schemes->associations,
				schemes->settings->half_life, *schemes->time);
}

/* Adds what other clusters have used, as CPU time, which lsf reads, and as usage, which pbs and
 * flux read. In a scope's own tree it counts at the first leaf of each association. If out of
 * memory, it does not count, which global_usage_sum() logs. */
static void add_global(const struct schemes *schemes, size_t scheme, struct node_amounts *amounts)
{
	const struct fathom_tree *tree = schemes->associations->tree;
	const uint32_t no_account = 0, no_leaf = 0;
	double *given = global_usage_sum(schemes->global, schemes->associations,
					 half_life_of(schemes, scheme), *schemes->time);

	for (size_t node = 0; given && node < schemes->associations->node_count; node++) {
		size_t at = node;
		struct fathom_sums *to;

		if (!(given[node] > 0))
			continue;
		if (has_own_tree(schemes, scheme))
			at = charged_node(schemes, scheme, (uint32_t)fathom_tree_id(tree, node),
					  no_account, no_leaf);
		to = &amounts->by_node[at].sums;
		to->value[FATHOM_SUM_USAGE] += given[node];
		to->value[FATHOM_SUM_CPU_TIME] += given[node];
	}
	free(given);
}

/* ---- what each node has ------------------------------------------------------------------- */

/* Adds the sums of what has run to the nodes at which they count. */
static void add_sums(struct schemes *schemes, size_t scheme, struct node_amounts *amounts)
{
	struct fathom_policy_sums *sums = sums_of(schemes, scheme);
	double half_life = half_life_of(schemes, scheme), time = (double)*schemes->time;

	for (size_t at = 0; at < fathom_policy_sums_count(sums); at++) {
		const struct fathom_policy_sums_row *row =
			fathom_policy_sums_advance(sums, at, half_life, time);
		struct fathom_sums *to;
		uint32_t node;

		if (row->association == FATHOM_NO_ASSOCIATION)
			continue;
		node = charged_node(schemes, scheme, row->association, row->account, row->leaf);
		to = &amounts->by_node[node].sums;
		for (size_t i = 0; i < FATHOM_SUM_COUNT; i++)
			to->value[i] += row->own.value[i];
	}
}

/* Adds what these `count` runs hold to the nodes at which they count, and to the sums for the
 * cluster. */
static void add_holdings(struct schemes *schemes, size_t scheme,
			 const struct running *running, size_t count, struct node_amounts *amounts)
{
	const struct settings *settings = schemes->settings;
	const uint32_t no_gpus = UINT32_MAX;	/* no policy counts GPUs that runs hold */
	struct fathom_sum_rules rules = sum_rules(settings, scheme, no_gpus);
	struct run_leaves leaves = run_leaves_begin(schemes, scheme);

	for (size_t i = 0; i < count; i++) {
		const struct fathom_run_id *id = &running[i].run.id;
		uint32_t node;

		amounts->memory += tres_held(&running[i].run.rate, TRES_ARRAY_MEM);
		amounts->slots += tres_held(&running[i].run.rate, TRES_ARRAY_CPU);
		if (!schemes_count_run(settings, scheme, &running[i].run))
			continue;
		node = charged_node(schemes, scheme, id->association, id->account,
				    run_leaves_find(&leaves, id));
		fathom_policy_sums_hold(sums_of(schemes, scheme), &rules, &running[i].run,
					running[i].ran, running[i].charged_until,
					&amounts->by_node[node].holdings);
	}
	run_leaves_end(&leaves);
}

/* Copies shares and own usage of a node from the tree of associations, in which they may have
 * changed since the tree was copied: columns such as RawUsage show this usage. */
static void copy_shares_and_usage(const struct fathom_tree *from, struct fathom_tree *tree,
				  size_t node)
{
	uint32_t shares = fathom_tree_raw_shares(from, node);

	if (shares != fathom_tree_raw_shares(tree, node))
		fathom_tree_set_raw_shares(tree, node, shares);
	fathom_tree_set_own_usage(tree, node, fathom_tree_own_usage(from, node));
}

/* Copies own usage of the associations to the scope's own tree: it counts at the first leaf of each
 * association, or at the root if that has none. */
static void copy_usage_to_leaves(const struct associations *associations,
				 const struct share_leaves *leaves, struct fathom_tree *tree)
{
	for (size_t node = 0; node < fathom_tree_count(tree); node++)
		fathom_tree_set_own_usage(tree, node, 0);
	for (uint32_t node = 0; node < associations->node_count; node++) {
		size_t leaf = share_leaves_charged(leaves, node, 0);
		double usage = fathom_tree_own_usage(associations->tree, node);

		fathom_tree_set_own_usage(tree, leaf, fathom_tree_own_usage(tree, leaf) + usage);
	}
}

/* Puts usage, amounts and the site's adjustment into the tree. The adjustment comes last, because
 * the site computes it from the sums. Returns -1 and *problem if that fails. */
static int fill_scheme_tree(struct schemes *schemes, size_t scheme, struct fathom_tree *tree,
			    const struct node_amounts *amounts, struct fathom_error *problem)
{
	const struct settings *settings = schemes->settings;
	const struct scheme *definition = &settings->scheme[scheme];

	if (has_own_tree(schemes, scheme))
		copy_usage_to_leaves(schemes->associations,
				     &schemes->state[scheme].own_tree->shares.leaves, tree);
	for (size_t node = 0; node < fathom_tree_count(tree); node++) {
		if (!has_own_tree(schemes, scheme))
			copy_shares_and_usage(schemes->associations->tree, tree, node);
		if (fathom_policy_set_sums(definition->policy, tree, node,
					   &amounts->by_node[node].sums,
					   &amounts->by_node[node].holdings, problem))
			return -1;
	}
	fathom_tree_settle(tree);
	if (!definition->is_adjusted)
		return 0;
	return adjuster_apply(&settings->adjuster, tree, amounts->memory, amounts->slots, problem);
}

/* Brings the scheme's tree up to date, with what these `count` runs hold, and returns it. NULL:
 * *problem says why. */
static const struct fathom_tree *renew_tree(struct schemes *schemes, size_t scheme,
					    const struct running *running, size_t count,
					    struct fathom_error *problem)
{
	struct fathom_tree *tree = renew_nodes(schemes, scheme, problem);
	size_t nodes = tree ? fathom_tree_count(tree) : 0;
	struct node_amounts amounts = { .by_node = calloc(nodes + 1, sizeof(*amounts.by_node)) };
	int status = -1;

	if (tree && amounts.by_node) {
		add_sums(schemes, scheme, &amounts);
		add_global(schemes, scheme, &amounts);
		add_holdings(schemes, scheme, running, count, &amounts);
		status = fill_scheme_tree(schemes, scheme, tree, &amounts, problem);
	} else if (tree) {
		fathom_error_no_memory(problem);
	}
	free(amounts.by_node);
	return status ? NULL : tree;
}

const struct fathom_tree *schemes_tree_holding(struct schemes *schemes, size_t scheme,
					       const struct running *running, size_t count,
					       struct fathom_error *problem)
{
	const struct fathom_tree *tree = NULL;

	if (sums_of(schemes, scheme))
		tree = renew_tree(schemes, scheme, running, count, problem);
	if (tree || has_own_tree(schemes, scheme))
		return tree;
	if (sums_of(schemes, scheme))
		error(LOG_PREFIX "%s; policy %s falls back to the usage in Slurm's records",
		      problem->text, fathom_policy_name(schemes->settings->scheme[scheme].policy));
	return schemes->associations->tree;
}

struct scope_tree *schemes_own_tree(const struct schemes *schemes, size_t scheme)
{
	return schemes->state[scheme].own_tree;
}
