/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Explains places by what the table of policies says of their comparison: a policy either walks
 * the tree, comparing siblings, or compares usage over share of the users themselves.
 *
 *	account	share	used	used/share	user	share	used/share
 *	physics	.4	.45	1.1		ann	.05	3
 *	biology	.6	.25	0.4		bob	.35	0.4
 *
 * Walked, ann and bob part at physics and biology, and physics costs ann most. By usage over
 * share, ann's own step from 1.1 to 3 is greater than that of physics from 1 to 1.1, so ann's own
 * usage costs most.
 */
#include "evaluate/explain_tree.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>

#define ROUNDING 1e-12	/* values that differ by less, in proportion, are equal */

/* ---- figures ------------------------------------------------------------------------- */

const struct policy_comparison *explain_comparison(const struct explained_tree *of)
{
	return policy_comparison(of->tree->policy, &of->tree->settings);
}

static bool uses_parent_shares(const struct fathom_tree *tree, size_t node)
{
	return node && fathom_tree_raw_shares(tree, node) == FATHOM_SHARES_PARENT;
}

/* A node with shares `parent` has the ratio of its fs parent. */
static double ratio_of(const struct explained_tree *of, size_t node)
{
	const struct json_columns *columns = &of->tree->columns;
	const struct fathom_tree *tree = of->tree->snapshot->tree;

	if (uses_parent_shares(tree, node))
		node = fathom_tree_fs_parent(tree, node);
	if (!(columns->norm_shares[node] > 0))
		return INFINITY;
	return columns->effective_usage[node] / columns->norm_shares[node];
}

double explain_figure(const struct explained_tree *of, size_t node)
{
	const struct policy_comparison *comparison = explain_comparison(of);
	double figure;

	if (!comparison)
		return NAN;
	if (comparison->column == POLICY_HAS_NONE)
		return ratio_of(of, node);
	figure = of->tree->columns.column[comparison->column][node];
	return figure < LEVEL_FS_WITHOUT_USAGE || isnan(figure) ? figure : INFINITY;
}

double explain_times_share(const struct explained_tree *of, size_t node)
{
	const struct policy_comparison *comparison = explain_comparison(of);
	double figure = explain_figure(of, node);

	if (!comparison || comparison->figure == FIGURE_PLAIN)
		return NAN;
	if (comparison->is_walked && of->tree->columns.usage[node] == 0)
		return 0;
	return comparison->figure == FIGURE_RATIO ? figure : 1 / figure;
}

bool explain_factor_is_greater(double one, double other)
{
	return one - other > ROUNDING * one;
}

/* Returns whether `a` is better than `b` by more than rounding. */
static bool is_better(const struct policy_comparison *comparison, double a, double b)
{
	double greater = comparison->less_is_better ? b : a;
	double less = comparison->less_is_better ? a : b;

	if (isinf(greater))	/* the product below would be infinite, too */
		return !isinf(less);
	return greater - less > ROUNDING * greater;
}

static bool is_hidden(const struct explained_tree *of, size_t node)
{
	return of->hidden && of->hidden[node];
}

/* ---- paths --------------------------------------------------------------------------- */

int explained_path_create(struct explained_path *path, const struct explained_tree *of,
			  size_t node, struct fathom_error *error)
{
	const struct fathom_tree *tree = of->tree->snapshot->tree;
	size_t depth = 1;

	for (size_t at = node; at; at = fathom_tree_parent(tree, at))
		depth++;
	*path = (struct explained_path){ .node = calloc(depth, sizeof(*path->node)) };
	if (!path->node)
		return fathom_error_no_memory(error);
	for (size_t at = node, left = depth; left--; at = fathom_tree_parent(tree, at))
		path->node[left] = at;
	for (size_t i = 0; i < depth; i++)
		if (!is_hidden(of, path->node[i]))
			path->node[path->count++] = path->node[i];
	return 0;
}

void explained_path_clear(struct explained_path *path)
{
	free(path->node);
	*path = (struct explained_path){ 0 };
}

/* Returns how many levels of the policy lie above a node; accounts with shares `parent` are
 * none. */
static size_t level_of(const struct fathom_tree *tree, size_t node)
{
	size_t level = 0;

	for (; node; node = fathom_tree_fs_parent(tree, node))
		level++;
	return level;
}

/* ---- places -------------------------------------------------------------------------- */

static bool is_seen_user(const struct explained_tree *of, size_t node)
{
	return fathom_tree_kind(of->tree->snapshot->tree, node) == FATHOM_USER &&
	       !is_hidden(of, node);
}

/* Counts one user in the place of another one. */
static void count_user(struct explained_place *place, const double *factor, size_t user,
		       size_t other)
{
	place->of++;
	if (explain_factor_is_greater(factor[other], factor[user])) {
		place->rank++;
		if (place->ahead == EXPLAIN_NONE || factor[other] < factor[place->ahead])
			place->ahead = other;
	} else if (other != user && !explain_factor_is_greater(factor[user], factor[other])) {
		place->sharing++;
	}
}

struct explained_place explain_place(const struct explained_tree *of, size_t user)
{
	const double *factor = of->tree->columns.factor;
	struct explained_place place = { .rank = 1, .ahead = EXPLAIN_NONE };

	if (of->is_partial)
		return (struct explained_place){ .of = EXPLAIN_NONE, .ahead = EXPLAIN_NONE };
	for (size_t node = 0; node < fathom_tree_count(of->tree->snapshot->tree); node++)
		if (is_seen_user(of, node) && !isnan(factor[node]))
			count_user(&place, factor, user, node);
	if (isnan(factor[user]))
		place = (struct explained_place){ .of = place.of, .ahead = EXPLAIN_NONE };
	return place;
}

/* ---- what costs most ------------------------------------------------------------------- */

/* What the walk of a policy meets on a path. */
struct walked_path {
	size_t *users;		/* by node: number of users below it, by fs parent */
	size_t *member;		/* by fs parent: its child on the path, or EXPLAIN_NONE */
	size_t *better;		/* by node of the path: number of users below better siblings */
};

static void walked_path_clear(struct walked_path *path)
{
	free(path->users);
	free(path->member);
	free(path->better);
}

/* -1: ENOMEM; clear the path then, too. */
static int walked_path_create(struct walked_path *path, const struct fathom_tree *tree, size_t user,
			      struct fathom_error *error)
{
	size_t count = fathom_tree_count(tree);

	*path = (struct walked_path){ .users = calloc(count, sizeof(*path->users)),
				      .member = calloc(count, sizeof(*path->member)),
				      .better = calloc(count, sizeof(*path->better)) };
	if (!path->users || !path->member || !path->better)
		return fathom_error_no_memory(error);
	for (size_t node = count - 1; node > 0; node--) {
		path->member[node] = EXPLAIN_NONE;
		path->users[node] += fathom_tree_kind(tree, node) == FATHOM_USER;
		path->users[fathom_tree_fs_parent(tree, node)] += path->users[node];
	}
	for (size_t node = user; node; node = fathom_tree_fs_parent(tree, node))
		path->member[fathom_tree_fs_parent(tree, node)] = node;
	return 0;
}

/* Adds the users below a node to those ahead of its sibling on the path, if it is better. An
 * account with shares `parent` has no place of its own. */
static void count_better(const struct explained_tree *of, struct walked_path *path, size_t node)
{
	const struct fathom_tree *tree = of->tree->snapshot->tree;
	size_t member = path->member[fathom_tree_fs_parent(tree, node)];
	bool is_account = fathom_tree_kind(tree, node) == FATHOM_ACCOUNT;

	if (member == EXPLAIN_NONE || member == node || is_hidden(of, node) ||
	    is_hidden(of, member) || (is_account && uses_parent_shares(tree, node)))
		return;
	if (is_better(explain_comparison(of), explain_figure(of, node),
		      explain_figure(of, member)))
		path->better[member] += path->users[node];
}

static int cost_by_walk(struct explained_cost *cost, const struct explained_tree *of, size_t user,
			struct fathom_error *error)
{
	const struct fathom_tree *tree = of->tree->snapshot->tree;
	struct walked_path path;
	int status = walked_path_create(&path, tree, user, error);

	for (size_t node = 1; !status && node < fathom_tree_count(tree); node++)
		count_better(of, &path, node);
	for (size_t node = user; !status && node; node = fathom_tree_fs_parent(tree, node)) {
		size_t better = path.better[node];

		if (better && better >= cost->users) {
			cost->users = better;
			cost->node = node;
		}
	}
	walked_path_clear(&path);
	return status;
}

static void cost_by_ratio(struct explained_cost *cost, const struct explained_tree *of,
			  size_t user)
{
	const struct fathom_tree *tree = of->tree->snapshot->tree;
	double greatest = 0;

	for (size_t node = user; node; node = fathom_tree_fs_parent(tree, node)) {
		double above = explain_figure(of, fathom_tree_fs_parent(tree, node));
		double step = explain_figure(of, node) - above;

		/* without shares above there is no step, but the account has none either */
		if (!is_hidden(of, node) && step > ROUNDING * above && step >= greatest) {
			greatest = step;
			cost->node = node;
		}
	}
}

bool *explain_mark_below(const struct fathom_tree *tree, size_t account)
{
	bool *is_below = calloc(fathom_tree_count(tree), sizeof(*is_below));

	if (!is_below)
		return NULL;
	is_below[account] = true;
	for (size_t node = account + 1; node < fathom_tree_count(tree); node++)
		is_below[node] = is_below[fathom_tree_parent(tree, node)];
	return is_below;
}

/* Finds the user with the most usage below the node that costs most. */
static int find_greatest_user(struct explained_cost *cost, const struct explained_tree *of,
			      struct fathom_error *error)
{
	const struct fathom_tree *tree = of->tree->snapshot->tree;
	double greatest = 0, whole = fathom_tree_usage(tree, cost->node);
	bool *is_below = explain_mark_below(tree, cost->node);

	if (!is_below)
		return fathom_error_no_memory(error);
	for (size_t node = cost->node + 1; node < fathom_tree_count(tree); node++) {
		if (!is_below[node] || !is_seen_user(of, node) ||
		    !(fathom_tree_usage(tree, node) > greatest))
			continue;
		greatest = fathom_tree_usage(tree, node);
		cost->by = node;
		cost->part = greatest / whole;
	}
	free(is_below);
	return 0;
}

int explain_cost(struct explained_cost *cost, const struct explained_tree *of, size_t user,
		 struct fathom_error *error)
{
	const struct policy_comparison *comparison = explain_comparison(of);

	*cost = (struct explained_cost){ .node = EXPLAIN_NONE, .by = EXPLAIN_NONE };
	if (!comparison || of->is_partial)
		return 0;
	if (!comparison->is_walked)
		cost_by_ratio(cost, of, user);
	else if (cost_by_walk(cost, of, user, error))
		return -1;
	return cost->node == EXPLAIN_NONE ? 0 : find_greatest_user(cost, of, error);
}

/* ---- where two paths part ---------------------------------------------------------------- */

/* The levels of two paths below the account that both share. A path that ends above the last level
 * goes on with its last node. */
struct two_paths {
	size_t *who, *whom;
	size_t count;
	size_t shorter;		/* levels of the path that ends first */
	size_t above;		/* the account */
};

/* Fills the last `levels` nodes of the path to `node`, after which `node` is repeated up to
 * `count`. */
static void fill_levels(const struct fathom_tree *tree, size_t node, size_t levels, size_t count,
			size_t *path)
{
	for (size_t i = levels; i < count; i++)
		path[i] = node;
	for (size_t i = levels; i-- > 0; node = fathom_tree_fs_parent(tree, node))
		path[i] = node;
}

/* level_of_who, level_of_whom: level_of() both. */
static size_t shared_account(const struct fathom_tree *tree, size_t who, size_t level_of_who,
			     size_t whom, size_t level_of_whom)
{
	for (; level_of_who > level_of_whom; level_of_who--)
		who = fathom_tree_fs_parent(tree, who);
	for (; level_of_whom > level_of_who; level_of_whom--)
		whom = fathom_tree_fs_parent(tree, whom);
	while (who != whom) {
		who = fathom_tree_fs_parent(tree, who);
		whom = fathom_tree_fs_parent(tree, whom);
	}
	return who;
}

static int two_paths_create(struct two_paths *paths, const struct fathom_tree *tree, size_t who,
			    size_t whom, struct fathom_error *error)
{
	size_t levels = level_of(tree, who), other = level_of(tree, whom);
	size_t above = shared_account(tree, who, levels, whom, other);
	size_t count, top = level_of(tree, above);

	levels -= top;
	other -= top;
	count = levels > other ? levels : other;
	*paths = (struct two_paths){ .count = count, .above = above,
				     .shorter = levels < other ? levels : other,
				     .who = calloc(2 * count + 1, sizeof(*paths->who)) };
	if (!paths->who)
		return fathom_error_no_memory(error);
	paths->whom = paths->who + count;
	fill_levels(tree, who, levels, count, paths->who);
	fill_levels(tree, whom, other, count, paths->whom);
	return 0;
}

/* Returns the first level whose figures differ; without one, the last that both paths have: a user
 * ties there with another one, or with an account whose users it then precedes. */
static size_t find_walked(const struct explained_tree *of, const struct two_paths *paths,
			  bool *is_tie)
{
	const struct policy_comparison *comparison = explain_comparison(of);

	*is_tie = false;
	for (size_t i = 0; i < paths->shorter; i++) {
		double who = explain_figure(of, paths->who[i]);
		double whom = explain_figure(of, paths->whom[i]);

		if (is_better(comparison, who, whom) || is_better(comparison, whom, who))
			return i;
	}
	*is_tie = true;
	return paths->shorter - 1;
}

/* Returns by how much usage over share grows at a level of a path. Without shares it becomes
 * infinite once, at the node whose shares are 0. */
static double growth(const struct explained_tree *of, const size_t *path, size_t above, size_t i)
{
	double figure = explain_figure(of, path[i]);
	double before = explain_figure(of, i ? path[i - 1] : above);

	return figure == before ? 0 : figure - before;
}

/* Returns the level at which the two figures move apart most, in the direction of the result. */
static size_t find_greatest_growth(const struct explained_tree *of, const struct two_paths *paths,
				   bool *is_tie)
{
	const struct policy_comparison *comparison = explain_comparison(of);
	size_t last = paths->count - 1, found = last;
	double who = explain_figure(of, paths->who[last]);
	double whom = explain_figure(of, paths->whom[last]);
	double sign = who > whom ? 1 : -1, greatest = -INFINITY;

	*is_tie = !is_better(comparison, who, whom) && !is_better(comparison, whom, who);
	for (size_t i = 0; i < paths->count; i++) {
		double apart = sign * (growth(of, paths->who, paths->above, i) -
				       growth(of, paths->whom, paths->above, i));

		if (apart > greatest) {
			greatest = apart;
			found = i;
		}
	}
	return found;
}

static bool hides_any(const struct explained_tree *of, const struct two_paths *paths)
{
	for (size_t i = 0; i < paths->count; i++)
		if (is_hidden(of, paths->who[i]) || is_hidden(of, paths->whom[i]))
			return true;
	return false;
}

int explain_parting(struct explained_parting *parting, const struct explained_tree *of,
		    size_t who, size_t whom, struct fathom_error *error)
{
	const struct policy_comparison *comparison = explain_comparison(of);
	struct two_paths paths;
	size_t level = 0;

	if (two_paths_create(&paths, of->tree->snapshot->tree, who, whom, error))
		return -1;
	*parting = (struct explained_parting){ .is_tie = true,
					       .is_hidden = hides_any(of, &paths) };
	if (comparison)
		level = comparison->is_walked ?
			find_walked(of, &paths, &parting->is_tie) :
			find_greatest_growth(of, &paths, &parting->is_tie);
	parting->who = paths.who[level];
	parting->whom = paths.whom[level];
	parting->below = paths.above;
	free(paths.who);
	return 0;
}
