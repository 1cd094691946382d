/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Some policies (lsf, pbs, flux) and all scopes look at other sums than usage_raw, for example at
 * CPU time with a half-life of its own. Each scheme has such sums for each association:
 *
 *	a job of anna's is charged  ->  schemes_charge() adds to anna's sums in each scheme
 *	an evaluation               ->  schemes_tree() copies the tree and puts the sums into it
 */
#include "fairshare/fairshare_private.h"

#include "base/log.h"
#include "core/error.h"
#include "fairshare/evaluate_queues.h"
#include "fairshare/run_leaves.h"

#include <stdlib.h>
#include <string.h>

/* ---- the state of each scheme ------------------------------------------------------------- */

static void free_state(struct scheme_state *state)
{
	fathom_policy_sums_destroy(state->sums);
	fathom_tree_destroy(state->tree);
	fathom_node_index_release(state->map);
	entities_destroy(state->entities);
	queue_sums_destroy(state->queues);
	scope_tree_release(state->own);
}

/* Takes the state of the old scheme of this name away, if its sums are of this kind; else returns
 * an empty one. */
static struct scheme_state take_state(struct fairshare *fairshare, const char *name,
				      const char *kind)
{
	const struct settings *before = fairshare->settings;
	struct scheme_state state = { NULL };

	for (size_t i = 0; before && !state.sums && i < before->scheme_count; i++)
		if (!strcmp(before->scheme[i].name, name) &&
		    !strcmp(settings_kind_of_sums(&before->scheme[i]), kind)) {
			state = fairshare->scheme_state[i];
			fairshare->scheme_state[i] = (struct scheme_state){ NULL };
			entities_destroy(state.entities);	/* the shares may be others */
			scope_tree_release(state.own);
			state.entities = NULL;
			state.own = NULL;
		}
	return state;
}

/* Returns the state that a scheme begins with: its own from before; or that of the shadow that is
 * put in force, or the other way round; or one with the saved sums, or with none. */
static struct scheme_state take_over_sums(struct fairshare *fairshare, const struct scheme *scheme)
{
	struct scheme_state state = { NULL };

	if (!scheme->keeps_sums)
		return state;
	state = take_state(fairshare, scheme->name, settings_kind_of_sums(scheme));
	if (!state.sums)
		state = take_state(fairshare, settings_other_name(scheme),
				   settings_kind_of_sums(scheme));
	if (state.sums)
		return state;
	state.sums = fathom_policy_sums_create();
	if (state.sums)
		scheme_sums_restore(state.sums, scheme, &fairshare->unclaimed);
	else
		error(LOG_PREFIX "out of memory; policy %s sees usage alone",
		      fathom_policy_name(scheme->policy));
	return state;
}

/* The same with the sums of partitions, which a scheme begins anew if it did not charge them. */
static struct scheme_state take_over(struct fairshare *fairshare, const struct scheme *scheme)
{
	struct scheme_state state = take_over_sums(fairshare, scheme);

	if (state.sums && scheme->charges_queues) {
		if (state.queues)
			return state;
		state.queues = queue_sums_create();
		if (state.queues)
			queue_sums_restore(state.queues, scheme, &fairshare->unclaimed,
					   fathom_policy_sums_since(state.sums));
		else
			error(LOG_PREFIX "out of memory; partitions are not charged");
		return state;
	}
	queue_sums_destroy(state.queues);
	state.queues = NULL;
	return state;
}

void schemes_forget(struct fairshare *fairshare)
{
	for (size_t i = 0; fairshare->settings && i < fairshare->settings->scheme_count; i++)
		free_state(&fairshare->scheme_state[i]);
	free(fairshare->scheme_state);
	settings_release(fairshare->settings);
	fairshare->scheme_state = NULL;
	fairshare->settings = NULL;
}

bool schemes_begin(struct fairshare *fairshare, const struct settings *settings)
{
	struct scheme_state *state = calloc(settings->scheme_count, sizeof(*state));

	if (!state) {
		error(LOG_PREFIX "out of memory; factors stay as they were");
		return false;
	}
	for (size_t i = 0; i < settings->scheme_count; i++)
		state[i] = take_over(fairshare, &settings->scheme[i]);
	schemes_forget(fairshare);
	fairshare->scheme_state = state;
	fairshare->settings = settings_reference(settings);
	return true;
}

bool schemes_follow(struct fairshare *fairshare, const struct settings *settings)
{
	return fairshare->settings == settings || schemes_begin(fairshare, settings);
}

/* ---- changes of the sums --------------------------------------------------- */

/* NULL: the scheme's policy looks at usage_raw alone. */
static struct fathom_policy_sums *sums_of(const struct fairshare *fairshare, size_t scheme)
{
	return fairshare->scheme_state[scheme].sums;
}

/* NULL: the scheme does not charge partitions. */
static struct queue_sums *queues_of(const struct fairshare *fairshare, size_t scheme)
{
	return fairshare->scheme_state[scheme].queues;
}

static double half_life_of(const struct fairshare *fairshare, size_t scheme)
{
	const struct scheme *of = &fairshare->settings->scheme[scheme];

	return fathom_policy_half_life(of->policy, &of->settings, fairshare->settings->half_life);
}

static bool has_own_tree(const struct fairshare *fairshare, size_t scheme)
{
	return fairshare->settings->scheme[scheme].user_shares;
}

bool schemes_count_run(const struct settings *settings, size_t scheme,
		       const struct fathom_run *run)
{
	const struct scheme *of = &settings->scheme[scheme];

	if (!scopes_scheme_includes(settings, scheme, run->id.partition))
		return false;
	for (uint32_t i = 0; of->hosts && i < run->rate.part_count; i++)
		if (run->rate.part[i].cpus && !strcmp(run->rate.part[i].hosts, of->name))
			return true;
	return !of->hosts;
}

/* Returns the leaf that the charge counts at, and notes it for the rest of the run. 0: none. */
static uint32_t leaf_of_charge(struct fairshare *fairshare, size_t scheme,
			       const struct run_leaves *leaves, const struct fathom_charge *charge)
{
	const struct fathom_run_id *id = &charge->run.id;
	uint32_t leaf;

	if (!has_own_tree(fairshare, scheme))
		return 0;
	leaf = run_leaves_find(leaves, fairshare->settings, scheme, id);
	if (!id->leaf && !charge->over && !book_leaf(fairshare->book, id->job))
		book_set_leaf(fairshare->book, id->job, leaf);
	return leaf;
}

static void charge_scheme(struct fairshare *fairshare, size_t scheme,
			  const struct fathom_charges *charges, size_t first, size_t end,
			  uint32_t gpu_tres)
{
	const struct settings *settings = fairshare->settings;
	struct run_leaves leaves = { NULL };

	if (has_own_tree(fairshare, scheme))
		/* a charge is of the ledger */
		leaves = run_leaves_begin(fairshare->results, NULL);
	for (size_t i = first; i < end; i++) {
		struct fathom_charge charge = *fathom_charges_at(charges, i);

		if (!schemes_count_run(settings, scheme, &charge.run))
			continue;
		charge.run.id.leaf = leaf_of_charge(fairshare, scheme, &leaves, &charge);
		scheme_sums_add(sums_of(fairshare, scheme), settings, &settings->scheme[scheme],
				&charge, gpu_tres);
		if (queues_of(fairshare, scheme))
			queue_sums_add(queues_of(fairshare, scheme), settings,
				       &settings->scheme[scheme], &charge, gpu_tres);
	}
	run_leaves_end(&leaves);
}

/* Returns slurmctld's index of GPUs; without GPUs -1, which as uint32_t is beyond all TRES. */
static uint32_t find_gpu_tres(void)
{
	assoc_mgr_lock_t locks = { .tres = READ_LOCK };
	slurmdb_tres_rec_t gpu = { .type = "gres", .name = "gpu" };
	uint32_t at;

	assoc_mgr_lock(&locks);
	at = (uint32_t)assoc_mgr_find_tres_pos(&gpu, true);
	assoc_mgr_unlock(&locks);
	return at;
}

void schemes_charge(struct fairshare *fairshare, const struct fathom_charges *charges, size_t first,
		    size_t end)
{
	uint32_t gpu_tres;

	if (!fairshare->settings->keeps_sums || first == end)
		return;
	gpu_tres = find_gpu_tres();
	for (size_t i = 0; i < fairshare->settings->scheme_count; i++)
		if (sums_of(fairshare, i))
			charge_scheme(fairshare, i, charges, first, end, gpu_tres);
}

void schemes_reset(struct fairshare *fairshare, time_t time)
{
	usage_image_clear(&fairshare->unclaimed);
	for (size_t i = 0; i < fairshare->settings->scheme_count; i++) {
		if (sums_of(fairshare, i))
			fathom_policy_sums_reset(sums_of(fairshare, i), (double)time);
		if (queues_of(fairshare, i))
			queue_sums_reset(queues_of(fairshare, i), time);
	}
}

/* Whose jobs an import is from is not known: a scope's sums do not get it. */
void schemes_change(struct fairshare *fairshare, const struct fathom_run_id *id, double factor,
		    const struct usage_added *added)
{
	const struct settings *settings = fairshare->settings;

	for (size_t i = 0; i < settings->scheme_count; i++)
		if (sums_of(fairshare, i))
			scheme_sums_change(sums_of(fairshare, i), half_life_of(fairshare, i),
					   fairshare->time, id, factor,
					   settings->scheme[i].role != SCHEME_SCOPE ? added
										   : NULL);
}

void schemes_scale_queues(struct fairshare *fairshare, double factor)
{
	for (size_t i = 0; i < fairshare->settings->scheme_count; i++)
		if (queues_of(fairshare, i) && factor != 1)
			queue_sums_scale(queues_of(fairshare, i), half_life_of(fairshare, i),
					 fairshare->time, factor);
}

void schemes_move(struct fairshare *fairshare, fathom_heir_function *heir_of, const void *context)
{
	for (size_t i = 0; i < fairshare->settings->scheme_count; i++)
		if (sums_of(fairshare, i))
			fathom_policy_sums_move(sums_of(fairshare, i), half_life_of(fairshare, i),
						heir_of, context);
}

void schemes_move_one(struct fairshare *fairshare, uint32_t from, uint32_t to)
{
	for (size_t i = 0; i < fairshare->settings->scheme_count; i++)
		if (sums_of(fairshare, i) &&
		    fathom_policy_sums_move_one(sums_of(fairshare, i), half_life_of(fairshare, i),
						from, to))
			error(LOG_PREFIX "out of memory; sums of a deleted association stay with "
					 "its id");
}

void schemes_clear(struct fairshare *fairshare, uint32_t association)
{
	for (size_t i = 0; i < fairshare->settings->scheme_count; i++)
		if (sums_of(fairshare, i))
			fathom_policy_sums_clear(sums_of(fairshare, i), association);
}

/* ---- the tree ------------------------------------------------------------------------- */

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
static uint32_t node_of_run(const struct fairshare *fairshare, size_t scheme,
			    const struct run_leaves *leaves, const struct fathom_run_id *id)
{
	const struct fathom_node_index *map = fairshare->associations.map;

	if (!has_own_tree(fairshare, scheme))
		return fathom_node_index_heir(map, id->association, id->account);
	return scope_tree_charged(fairshare->scheme_state[scheme].own, id->association,
				  run_leaves_find(leaves, fairshare->settings, scheme, id));
}

/* Adds what running jobs hold to the nodes at which they count. */
static void add_holdings(struct fairshare *fairshare, size_t scheme,
			 const struct running *running, size_t count, struct own *own)
{
	const struct settings *settings = fairshare->settings;
	struct run_leaves leaves = { NULL };

	if (has_own_tree(fairshare, scheme))
		leaves = run_leaves_begin(fairshare->results, fairshare->book);
	for (size_t i = 0; i < count; i++) {
		const struct fathom_run_id *id = &running[i].run.id;

		own->memory += held(&running[i].run.rate, TRES_ARRAY_MEM);
		own->slots += held(&running[i].run.rate, TRES_ARRAY_CPU);
		if (schemes_count_run(settings, scheme, &running[i].run))
			scheme_sums_hold(sums_of(fairshare, scheme), settings,
					 &settings->scheme[scheme], &running[i],
					 &own->holdings[node_of_run(fairshare, scheme, &leaves,
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
static int fill_tree(const struct fairshare *fairshare, size_t scheme, const struct own *own,
		     struct fathom_error *problem)
{
	const struct fathom_policy *policy = fairshare->settings->scheme[scheme].policy;
	const struct fathom_tree *from = fairshare->associations.tree;
	struct fathom_tree *tree = fairshare->scheme_state[scheme].tree;

	for (size_t node = 0; node < fairshare->associations.node_count; node++) {
		uint32_t shares = fathom_tree_raw_shares(from, node);

		if (shares != fathom_tree_raw_shares(tree, node))
			fathom_tree_set_raw_shares(tree, node, shares);
		fathom_tree_set_own_usage(tree, node, fathom_tree_own_usage(from, node));
		if (fathom_policy_set_sums(policy, tree, node, &own->sums[node],
					     &own->holdings[node], problem))
			return -1;
	}
	return settle_tree(fairshare->settings, scheme, tree, own, problem);
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

static int fill_own_tree(struct fairshare *fairshare, size_t scheme, const struct own *own,
			 struct fathom_error *problem)
{
	const struct scheme *of = &fairshare->settings->scheme[scheme];
	const struct scope_tree *scope = fairshare->scheme_state[scheme].own;
	struct fathom_tree *tree = scope->shares.tree;

	set_leaf_usage(&fairshare->associations, scope, tree);
	for (size_t node = 0; node < fathom_tree_count(tree); node++)
		if (fathom_policy_set_sums(of->policy, tree, node, &own->sums[node],
					   &own->holdings[node], problem))
			return -1;
	return settle_tree(fairshare->settings, scheme, tree, own, problem);
}

/* Makes the scope's own tree anew if associations have come or gone. */
static int renew_nodes(struct fairshare *fairshare, size_t scheme, struct fathom_error *problem)
{
	struct scheme_state *state = &fairshare->scheme_state[scheme];

	if (state->own && scope_tree_is_of(state->own, &fairshare->associations))
		return 0;
	scope_tree_release(state->own);
	state->own = scope_tree_create(fairshare->settings, &fairshare->settings->scheme[scheme],
				       &fairshare->associations, problem);
	return state->own ? 0 : -1;
}

/* Brings a scope's own tree up to date. -1: `problem` tells why not. */
static int renew_own_tree(struct fairshare *fairshare, size_t scheme,
			  const struct running *running, size_t count,
			  struct fathom_error *problem)
{
	struct own own = { NULL };
	size_t nodes;
	int status = -1;

	if (renew_nodes(fairshare, scheme, problem))
		return -1;
	nodes = fathom_tree_count(fairshare->scheme_state[scheme].own->shares.tree);
	own.sums = calloc(nodes, sizeof(*own.sums));
	own.holdings = calloc(nodes, sizeof(*own.holdings));
	fathom_error_no_memory(problem);
	if (own.sums && own.holdings) {
		scheme_sums_collect_by_leaf(sums_of(fairshare, scheme),
					    half_life_of(fairshare, scheme), fairshare->time,
					    fairshare->scheme_state[scheme].own, own.sums);
		add_holdings(fairshare, scheme, running, count, &own);
		status = fill_own_tree(fairshare, scheme, &own, problem);
	}
	free(own.sums);
	free(own.holdings);
	return status;
}

/* Brings the scheme's tree up to date. -1: `problem` tells why not. */
static int renew_tree(struct fairshare *fairshare, size_t scheme, const struct running *running,
		      size_t count, struct fathom_error *problem)
{
	size_t nodes = fairshare->associations.node_count;
	struct own own = { .sums = calloc(nodes, sizeof(*own.sums)),
			   .holdings = calloc(nodes, sizeof(*own.holdings)) };
	int status = -1;

	if (own.sums && own.holdings &&
	    !copy_tree(&fairshare->scheme_state[scheme], &fairshare->associations, problem)) {
		fathom_policy_sums_collect(sums_of(fairshare, scheme),
					   half_life_of(fairshare, scheme),
					   (double)fairshare->time, fairshare->associations.map, 0,
					   SIZE_MAX, own.sums);
		add_holdings(fairshare, scheme, running, count, &own);
		status = fill_tree(fairshare, scheme, &own, problem);
	}
	free(own.sums);
	free(own.holdings);
	return status;
}

const struct fathom_tree *schemes_tree_holding(struct fairshare *fairshare, size_t scheme,
					       const struct running *running, size_t count,
					       struct fathom_error *problem)
{
	if (has_own_tree(fairshare, scheme))
		return sums_of(fairshare, scheme) &&
		       !renew_own_tree(fairshare, scheme, running, count, problem)
			       ? fairshare->scheme_state[scheme].own->shares.tree : NULL;
	if (!sums_of(fairshare, scheme))
		return fairshare->associations.tree;
	if (!renew_tree(fairshare, scheme, running, count, problem))
		return fairshare->scheme_state[scheme].tree;
	error(LOG_PREFIX "%s; policy %s sees usage alone", problem->text,
	      fathom_policy_name(fairshare->settings->scheme[scheme].policy));
	return fairshare->associations.tree;
}

const struct fathom_tree *schemes_tree(struct fairshare *fairshare, size_t scheme,
				       struct fathom_error *problem)
{
	const struct fathom_tree *tree;
	struct running *running;
	size_t count;

	if (!sums_of(fairshare, scheme) && !has_own_tree(fairshare, scheme))
		return fairshare->associations.tree;
	running = book_list_running(fairshare->book, fairshare->settings, &count);
	tree = schemes_tree_holding(fairshare, scheme, running, count, problem);
	free(running);
	return tree;
}

int schemes_use_entities(struct fairshare *fairshare, size_t scheme, const struct fathom_tree *tree,
			 struct fathom_result *result, struct fathom_error *problem)
{
	const struct scheme *of = &fairshare->settings->scheme[scheme];
	struct scheme_state *state = &fairshare->scheme_state[scheme];

	if (!of->has_entities)
		return 0;
	if (!state->entities || !entities_are_of(state->entities, &fairshare->associations)) {
		entities_destroy(state->entities);
		state->entities = entities_create(fairshare->settings, of, &fairshare->associations,
						 problem);
	}
	return state->entities ? entities_evaluate(state->entities, of, tree, result, problem) : -1;
}

int schemes_list_queues(struct fairshare *fairshare, size_t scheme, struct queue_figures **figures,
			struct fathom_error *problem)
{
	struct queue_sums *queues = queues_of(fairshare, scheme);

	*figures = NULL;
	if (!queues)
		return 0;
	*figures = evaluate_queues(fairshare->settings, &fairshare->settings->scheme[scheme],
				   queues, fairshare->time, &fairshare->partitions, problem);
	return *figures ? 0 : -1;
}

/* ---- saving ------------------------------------------------------------------------------ */

void schemes_copy(struct fairshare *fairshare, struct usage_image *image)
{
	usage_image_clear_sums(image);
	for (size_t i = 0; i < fairshare->settings->scheme_count; i++) {
		if (sums_of(fairshare, i))
			scheme_sums_copy(sums_of(fairshare, i), &fairshare->settings->scheme[i],
					 image);
		if (queues_of(fairshare, i))
			queue_sums_copy(queues_of(fairshare, i), &fairshare->settings->scheme[i],
					image);
	}
	/* last: a start takes the first section of a name, and these are older */
	usage_image_add_sums(image, &fairshare->unclaimed);
}

void schemes_restore(struct fairshare *fairshare, const struct usage_image *image)
{
	usage_image_add_sums(&fairshare->unclaimed, image);
	for (size_t i = 0; i < fairshare->settings->scheme_count; i++) {
		if (sums_of(fairshare, i))
			scheme_sums_restore(sums_of(fairshare, i), &fairshare->settings->scheme[i],
					    image);
		if (queues_of(fairshare, i))
			queue_sums_restore(queues_of(fairshare, i), &fairshare->settings->scheme[i],
					   image, fathom_policy_sums_since(sums_of(fairshare, i)));
	}
}
