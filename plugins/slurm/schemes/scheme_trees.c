/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "schemes/schemes_private.h"

#include "base/log.h"
#include "core/error.h"
#include "schemes/run_leaves.h"

#include <stdlib.h>

/* What each node has of its own, without its members; by node. */
struct own {
	struct fathom_sums *sums;	/* of what has run */
	struct fathom_holdings *holdings;	/* of what runs now, such as slots */
	double memory, slots;		/* of all running jobs of the cluster */
};

static double held(const struct fathom_run_rate *rate, uint32_t tres)
{
	return tres < rate->tres_count ? (double)rate->tres[tres] : 0;
}

/* -1: out of memory. */
static int copy_tree(struct scheme_state *state, const struct associations *associations,
		     struct fathom_error *problem)
{
	if (state->tree && state->map == associations->map)
		return 0;
	fathom_tree_destroy(state->tree);
	fathom_node_index_release(state->map);
	state->map = NULL;
	state->tree = fathom_tree_copy(associations->tree, problem);
	if (state->tree)
		state->map = fathom_node_index_share(associations->map);
	return state->tree ? 0 : -1;
}

/* Returns the node of the scheme's tree at which a run counts. */
static uint32_t node_of_run(const struct schemes *schemes, size_t scheme,
			    const struct run_leaves *leaves, const struct fathom_run_id *id)
{
	const struct fathom_node_index *map = schemes->associations->map;

	if (!has_own_tree(schemes, scheme))
		return fathom_node_index_heir(map, id->association, id->account);
	return scope_tree_charged(schemes->state[scheme].own, id->association,
				  run_leaves_find(leaves, schemes->settings, scheme, id));
}

/* Adds what running jobs hold to the nodes at which they count. */
static void add_holdings(struct schemes *schemes, size_t scheme,
			 const struct running *running, size_t count, struct own *own)
{
	const struct settings *settings = schemes->settings;
	struct run_leaves leaves = { NULL };

	if (has_own_tree(schemes, scheme))
		leaves = run_leaves_begin(schemes->results, schemes->book);
	for (size_t i = 0; i < count; i++) {
		const struct fathom_run_id *id = &running[i].run.id;

		own->memory += held(&running[i].run.rate, TRES_ARRAY_MEM);
		own->slots += held(&running[i].run.rate, TRES_ARRAY_CPU);
		if (schemes_count_run(settings, scheme, &running[i].run))
			scheme_sums_hold(sums_of(schemes, scheme), settings,
					 &settings->scheme[scheme], &running[i],
					 &own->holdings[node_of_run(schemes, scheme, &leaves,
								    id)]);
	}
	run_leaves_end(&leaves);
}

/* Sums come first, as the site's adjustment is asked for by sums. */
static int settle_tree(const struct settings *settings, size_t scheme, struct fathom_tree *tree,
		       const struct own *own, struct fathom_error *problem)
{
	fathom_tree_settle(tree);
	if (!settings->scheme[scheme].is_adjusted)
		return 0;
	return adjuster_apply(&settings->adjuster, tree, own->memory, own->slots, problem);
}

/* Usage is copied for columns such as RawUsage; the policy looks at the sums. */
static int fill_tree(const struct schemes *schemes, size_t scheme, const struct own *own,
		     struct fathom_error *problem)
{
	const struct fathom_policy *policy = schemes->settings->scheme[scheme].policy;
	const struct fathom_tree *from = schemes->associations->tree;
	struct fathom_tree *tree = schemes->state[scheme].tree;

	for (size_t node = 0; node < schemes->associations->node_count; node++) {
		uint32_t shares = fathom_tree_raw_shares(from, node);

		if (shares != fathom_tree_raw_shares(tree, node))
			fathom_tree_set_raw_shares(tree, node, shares);
		fathom_tree_set_own_usage(tree, node, fathom_tree_own_usage(from, node));
		if (fathom_policy_set_sums(policy, tree, node, &own->sums[node],
					     &own->holdings[node], problem))
			return -1;
	}
	return settle_tree(schemes->settings, scheme, tree, own, problem);
}

/* Usage of associations counts at their first leaves, for columns such as RawUsage. */
static void set_leaf_usage(const struct associations *associations, const struct scope_tree *own,
			   struct fathom_tree *tree)
{
	const struct share_leaves *leaves = &own->shares.leaves;

	for (size_t node = 0; node < fathom_tree_count(tree); node++)
		fathom_tree_set_own_usage(tree, node, 0);
	for (size_t node = 0; node < associations->node_count; node++) {
		bool has_leaf = leaves->first[node] < leaves->first[node + 1];
		size_t leaf = has_leaf ? leaves->node[leaves->first[node]] : 0;

		fathom_tree_set_own_usage(tree, leaf,
					  fathom_tree_own_usage(tree, leaf) +
						  fathom_tree_own_usage(associations->tree, node));
	}
}

static int fill_own_tree(struct schemes *schemes, size_t scheme, const struct own *own,
			 struct fathom_error *problem)
{
	const struct scheme *of = &schemes->settings->scheme[scheme];
	const struct scope_tree *scope = schemes->state[scheme].own;
	struct fathom_tree *tree = scope->shares.tree;

	set_leaf_usage(schemes->associations, scope, tree);
	for (size_t node = 0; node < fathom_tree_count(tree); node++)
		if (fathom_policy_set_sums(of->policy, tree, node, &own->sums[node],
					   &own->holdings[node], problem))
			return -1;
	return settle_tree(schemes->settings, scheme, tree, own, problem);
}

/* Makes the scope's own tree anew if associations have come or gone. */
static int renew_nodes(struct schemes *schemes, size_t scheme, struct fathom_error *problem)
{
	struct scheme_state *state = &schemes->state[scheme];

	if (state->own && scope_tree_is_of(state->own, schemes->associations))
		return 0;
	scope_tree_release(state->own);
	state->own = scope_tree_create(schemes->settings, &schemes->settings->scheme[scheme],
				       schemes->associations, problem);
	return state->own ? 0 : -1;
}

/* Brings a scope's own tree up to date. -1: `problem` tells why not. */
static int renew_own_tree(struct schemes *schemes, size_t scheme,
			  const struct running *running, size_t count,
			  struct fathom_error *problem)
{
	struct own own = { NULL };
	size_t nodes;
	int status = -1;

	if (renew_nodes(schemes, scheme, problem))
		return -1;
	nodes = fathom_tree_count(schemes->state[scheme].own->shares.tree);
	own.sums = calloc(nodes, sizeof(*own.sums));
	own.holdings = calloc(nodes, sizeof(*own.holdings));
	fathom_error_no_memory(problem);
	if (own.sums && own.holdings) {
		scheme_sums_collect_by_leaf(sums_of(schemes, scheme),
					    half_life_of(schemes, scheme), *schemes->time,
					    schemes->state[scheme].own, own.sums);
		add_holdings(schemes, scheme, running, count, &own);
		status = fill_own_tree(schemes, scheme, &own, problem);
	}
	free(own.sums);
	free(own.holdings);
	return status;
}

/* Brings the scheme's tree up to date. -1: `problem` tells why not. */
static int renew_tree(struct schemes *schemes, size_t scheme, const struct running *running,
		      size_t count, struct fathom_error *problem)
{
	size_t nodes = schemes->associations->node_count;
	struct own own = { .sums = calloc(nodes, sizeof(*own.sums)),
			   .holdings = calloc(nodes, sizeof(*own.holdings)) };
	int status = -1;

	if (own.sums && own.holdings &&
	    !copy_tree(&schemes->state[scheme], schemes->associations, problem)) {
		fathom_policy_sums_collect(sums_of(schemes, scheme),
					   half_life_of(schemes, scheme),
					   (double)*schemes->time, schemes->associations->map, 0,
					   SIZE_MAX, own.sums);
		add_holdings(schemes, scheme, running, count, &own);
		status = fill_tree(schemes, scheme, &own, problem);
	}
	free(own.sums);
	free(own.holdings);
	return status;
}

const struct fathom_tree *schemes_tree_holding(struct schemes *schemes, size_t scheme,
					       const struct running *running, size_t count,
					       struct fathom_error *problem)
{
	if (has_own_tree(schemes, scheme))
		return sums_of(schemes, scheme) &&
		       !renew_own_tree(schemes, scheme, running, count, problem)
			       ? schemes->state[scheme].own->shares.tree : NULL;
	if (!sums_of(schemes, scheme))
		return schemes->associations->tree;
	if (!renew_tree(schemes, scheme, running, count, problem))
		return schemes->state[scheme].tree;
	error(LOG_PREFIX "%s; policy %s sees usage alone", problem->text,
	      fathom_policy_name(schemes->settings->scheme[scheme].policy));
	return schemes->associations->tree;
}

struct scope_tree *schemes_own_tree(const struct schemes *schemes, size_t scheme)
{
	return schemes->state[scheme].own;
}

void schemes_find_leaves(const struct schemes *schemes, size_t scheme, struct running *running,
			 size_t count)
{
	const struct settings *settings = schemes->settings;
	struct run_leaves leaves;

	if (!has_own_tree(schemes, scheme))
		return;
	leaves = run_leaves_begin(schemes->results, schemes->book);
	for (size_t i = 0; i < count; i++) {
		struct fathom_run *run = &running[i].run;

		if (!run->id.leaf && schemes_count_run(settings, scheme, run))
			run->id.leaf = run_leaves_find(&leaves, settings, scheme, &run->id);
	}
	run_leaves_end(&leaves);
}
