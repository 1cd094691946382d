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
#include "evaluate/explain.h"

#include "memory/need_memory.h"

#include <math.h>
#include <string.h>

#define ROUNDING 1e-12	/* values that differ by less, in proportion, are equal */

bool explain_is_hidden(const struct explained_tree *view, size_t node)
{
	return view->hidden && view->hidden[node];
}

/* ---- figures ------------------------------------------------------------------------- */

const struct policy_comparison *explain_comparison(const struct explained_tree *view)
{
	return policy_comparison(view->tree->policy, &view->tree->settings);
}

/* Returns whether a node has shares `parent`, so that its children count as its account's. */
static bool uses_parent_shares(const struct fathom_tree *tree, size_t node)
{
	return node && fathom_tree_raw_shares(tree, node) == FATHOM_SHARES_PARENT;
}

/* Returns usage over share of a node; INFINITY: it has no share. A node with shares `parent` has
 * the ratio of its fs parent. */
static double ratio_of(const struct explained_tree *view, size_t node)
{
	const struct json_columns *columns = &view->tree->columns;
	const struct fathom_tree *tree = view->tree->snapshot->tree;

	if (uses_parent_shares(tree, node))
		node = fathom_tree_fs_parent(tree, node);
	if (!(columns->norm_shares[node] > 0))
		return INFINITY;
	return columns->effective_usage[node] / columns->norm_shares[node];
}

double explain_figure(const struct explained_tree *view, size_t node)
{
	const struct policy_comparison *comparison = explain_comparison(view);
	double figure;

	if (!comparison)
		return NAN;
	if (comparison->column == POLICY_HAS_NONE)
		return ratio_of(view, node);
	figure = view->tree->columns.column[comparison->column][node];
	/* flux-accounting has a great number in place of infinity */
	return figure < LEVEL_FS_WITHOUT_USAGE || isnan(figure) ? figure : INFINITY;
}

double explain_times_share(const struct explained_tree *view, size_t node)
{
	const struct policy_comparison *comparison = explain_comparison(view);
	double figure = explain_figure(view, node);

	if (!comparison || comparison->figure == FIGURE_PLAIN)
		return NAN;
	/* 1 / INFINITY: it has used nothing; 1 / 0: it has no share, whatever it has used */
	return comparison->figure == FIGURE_RATIO ? figure : 1 / figure;
}

bool explain_factor_is_greater(double one, double other)
{
	return one - other > ROUNDING * one;
}

/* Returns whether the figure `a` is better than `b` by more than rounding. */
static bool is_better(const struct policy_comparison *comparison, double a, double b)
{
	double greater = comparison->less_is_better ? b : a;
	double less = comparison->less_is_better ? a : b;

	if (isinf(greater))	/* the product below would be infinite, too */
		return !isinf(less);
	return greater - less > ROUNDING * greater;
}

/* ---- paths --------------------------------------------------------------------------- */

struct explained_path explained_path_create(const struct explained_tree *view, size_t node)
{
	const struct fathom_tree *tree = view->tree->snapshot->tree;
	struct explained_path path = { .count = !explain_is_hidden(view, 0) };
	size_t left;

	for (size_t above = node; above; above = fathom_tree_parent(tree, above))
		path.count += !explain_is_hidden(view, above);
	path.node = need_zeros(path.count, sizeof(*path.node));
	left = path.count;
	for (size_t above = node; left; above = fathom_tree_parent(tree, above))
		if (!explain_is_hidden(view, above))
			path.node[--left] = above;
	return path;
}

/* Returns the level of a node: 0 for the root, 1 for nodes below it. Accounts with shares `parent`
 * are not a level: the policy takes their children as children of the account above. */
static size_t level_of(const struct fathom_tree *tree, size_t node)
{
	size_t level = 0;

	for (; node; node = fathom_tree_fs_parent(tree, node))
		level++;
	return level;
}

/* Returns the node at `level` of the path from the root to a node; level 0 is the root. Returns the
 * node itself if its own level is `level` or less. */
static size_t at_level(const struct fathom_tree *tree, size_t node, size_t level)
{
	for (size_t own = level_of(tree, node); own > level; own--)
		node = fathom_tree_fs_parent(tree, node);
	return node;
}

/* ---- places -------------------------------------------------------------------------- */

static bool is_seen_user(const struct explained_tree *view, size_t node)
{
	return fathom_tree_kind(view->tree->snapshot->tree, node) == FATHOM_USER &&
	       !explain_is_hidden(view, node);
}

bool explain_is_account(const struct explained_tree *view, size_t node)
{
	return fathom_tree_kind(view->tree->snapshot->tree, node) == FATHOM_ACCOUNT;
}

/* Returns whether the node `one` has a better figure than `other`. The policy must compare. */
static bool is_before(const struct explained_tree *view, size_t one, size_t other)
{
	return is_better(explain_comparison(view), explain_figure(view, one),
			 explain_figure(view, other));
}

/* Returns whether the user `one` has a greater factor than `other`. */
static bool has_greater_factor(const struct explained_tree *view, size_t one, size_t other)
{
	const double *factor = view->tree->columns.factor;

	return explain_factor_is_greater(factor[one], factor[other]);
}

/* Returns whether `other` is one of those that a node is compared with: if the node is a user, all
 * users with a factor; if it is an account, its siblings, which may be users. */
static bool competes(const struct explained_tree *view, size_t node, size_t other)
{
	const struct fathom_tree *tree = view->tree->snapshot->tree;

	if (!explain_is_account(view, node))
		return is_seen_user(view, other) && !isnan(view->tree->columns.factor[other]);
	return other && !explain_is_hidden(view, other) && !uses_parent_shares(tree, other) &&
	       fathom_tree_fs_parent(tree, other) == fathom_tree_fs_parent(tree, node);
}

/* Returns the place of a node among those for which competes(): by the factors of users, or by the
 * figures of an account and its siblings. If the node itself has no place, only the others are
 * counted. */
static struct explained_place place_among(const struct explained_tree *view, size_t node)
{
	bool (*precedes)(const struct explained_tree *, size_t, size_t) =
		explain_is_account(view, node) ? is_before : has_greater_factor;
	bool has_place = competes(view, node, node);
	struct explained_place place = { .rank = has_place, .ahead = EXPLAIN_NONE };

	for (size_t other = 0; other < fathom_tree_count(view->tree->snapshot->tree); other++) {
		if (!competes(view, node, other))
			continue;
		place.of++;
		if (!has_place)
			continue;
		if (precedes(view, other, node)) {
			place.rank++;
			/* the last of those before it */
			if (place.ahead == EXPLAIN_NONE || precedes(view, place.ahead, other))
				place.ahead = other;
		} else if (other != node && !precedes(view, node, other)) {
			place.sharing++;
		}
	}
	return place;
}

struct explained_place explain_place(const struct explained_tree *view, size_t node)
{
	struct explained_place place = { .ahead = EXPLAIN_NONE };

	if (view->is_partial)
		place.of = EXPLAIN_NONE;
	/* the root has no siblings, and an account with shares `parent` is not compared */
	else if (!explain_is_account(view, node) ||
		 (node && explain_comparison(view) &&
		  !uses_parent_shares(view->tree->snapshot->tree, node)))
		place = place_among(view, node);
	return place;
}

size_t explain_other_account(const struct explained_tree *view, size_t user)
{
	const struct snapshot *snapshot = view->tree->snapshot;
	const char *name = snapshot_name(snapshot, user);
	const double *factor = view->tree->columns.factor;
	size_t best = user;

	/* an association for one partition alone is no replacement */
	for (size_t node = 0; node < fathom_tree_count(snapshot->tree); node++)
		if (is_seen_user(view, node) && !snapshot_partition(snapshot, node) &&
		    explain_factor_is_greater(factor[node], factor[best]) &&
		    !strcmp(snapshot_name(snapshot, node), name) &&
		    strcmp(snapshot_account(snapshot, node), snapshot_account(snapshot, user)))
			best = node;
	return best == user ? EXPLAIN_NONE : best;
}

/* ---- what costs most ------------------------------------------------------------------- */

/* Returns whether `other` is a sibling of a node, may be seen, and has a better figure. */
static bool is_better_sibling(const struct explained_tree *view, size_t node, size_t other)
{
	const struct fathom_tree *tree = view->tree->snapshot->tree;

	return other != node && !explain_is_hidden(view, other) &&
	       fathom_tree_fs_parent(tree, other) == fathom_tree_fs_parent(tree, node) &&
	       is_before(view, other, node);
}

/* Returns how many users a walk reaches before those of a node because of its siblings: users that
 * are siblings with a better figure, or are below one. 0 if the node is hidden. */
static size_t users_before(const struct explained_tree *view, size_t node)
{
	const struct fathom_tree *tree = view->tree->snapshot->tree;
	size_t level = level_of(tree, node), users = 0;

	if (explain_is_hidden(view, node))
		return 0;
	for (size_t user = 1; user < fathom_tree_count(tree); user++)
		if (fathom_tree_kind(tree, user) == FATHOM_USER &&
		    is_better_sibling(view, node, at_level(tree, user, level)))
			users++;
	return users;
}

/* Finds the node on a user's path that has most users before it in the walk; of equal ones the
 * upper one. */
static void cost_by_walk(struct explained_cost *cost, const struct explained_tree *view,
			 size_t user)
{
	const struct fathom_tree *tree = view->tree->snapshot->tree;

	for (size_t node = user; node; node = fathom_tree_fs_parent(tree, node)) {
		size_t users = users_before(view, node);

		if (users && users >= cost->users) {
			cost->users = users;
			cost->node = node;
		}
	}
}

/* Finds the node on a user's path at which usage over share grows most; of equal ones the upper
 * one. */
static void cost_by_ratio(struct explained_cost *cost, const struct explained_tree *view,
			 size_t user)
{
	const struct fathom_tree *tree = view->tree->snapshot->tree;
	double greatest = 0;

	for (size_t node = user; node; node = fathom_tree_fs_parent(tree, node)) {
		double above = explain_figure(view, fathom_tree_fs_parent(tree, node));
		double step = explain_figure(view, node) - above;

		/* false also if the account has no shares: `above` is infinite, `step` NAN */
		if (!explain_is_hidden(view, node) && step > ROUNDING * above && step >= greatest) {
			greatest = step;
			cost->node = node;
		}
	}
}

/* Sets cost->by to the user with the most usage below cost->node, if one has some, and cost->part
 * to that user's part of the node's usage. */
static void find_greatest_user(struct explained_cost *cost, const struct explained_tree *view)
{
	const struct fathom_tree *tree = view->tree->snapshot->tree;
	double greatest = 0;

	for (size_t node = cost->node + 1; node < fathom_tree_count(tree); node++) {
		double usage = fathom_tree_usage(tree, node);

		if (!(usage > greatest) || !is_seen_user(view, node) ||
		    !tree_is_below(tree, node, cost->node))
			continue;
		greatest = usage;
		cost->by = node;
	}
	if (greatest > 0)
		cost->part = greatest / fathom_tree_usage(tree, cost->node);
}

struct explained_cost explain_cost(const struct explained_tree *view, size_t user)
{
	const struct policy_comparison *comparison = explain_comparison(view);
	struct explained_cost cost = { .node = EXPLAIN_NONE, .by = EXPLAIN_NONE };

	if (!comparison || view->is_partial)
		return cost;
	if (comparison->is_walked)
		cost_by_walk(&cost, view, user);
	else
		cost_by_ratio(&cost, view, user);
	if (cost.node != EXPLAIN_NONE)
		find_greatest_user(&cost, view);
	return cost;
}

/* ---- where two paths part ---------------------------------------------------------------- */

/* The paths to two nodes, compared level by level; for levels see level_of(). */
struct two_paths {
	size_t who, whom;	/* the nodes */
	size_t first;		/* the level below the last account that both paths share */
	size_t shorter;		/* the lesser level of the two nodes, up to which both paths go */
	size_t last;		/* the greater level of the two */
};

/* Returns the paths to two nodes with their levels; neither node is above the other. */
static struct two_paths two_paths(const struct fathom_tree *tree, size_t who, size_t whom)
{
	size_t level = level_of(tree, who), other = level_of(tree, whom);
	struct two_paths paths = { .who = who, .whom = whom,
				   .shorter = level < other ? level : other,
				   .last = level < other ? other : level };

	paths.first = paths.shorter;
	while (at_level(tree, who, paths.first - 1) != at_level(tree, whom, paths.first - 1))
		paths.first--;
	return paths;
}

/* Returns the figure of the node at a level of a user's path; of the user, if the path ends
 * before. */
static double figure_at(const struct explained_tree *view, size_t user, size_t level)
{
	return explain_figure(view, at_level(view->tree->snapshot->tree, user, level));
}

/* Returns whether the paths have the same figure at a level, but for rounding. */
static bool ties_at(const struct explained_tree *view, const struct two_paths *paths, size_t level)
{
	const struct policy_comparison *comparison = explain_comparison(view);
	double who = figure_at(view, paths->who, level), whom = figure_at(view, paths->whom, level);

	return !is_better(comparison, who, whom) && !is_better(comparison, whom, who);
}

/* Returns the first level whose figures differ. If none do, returns the last level that both paths
 * have: there a user ties with another user, or with an account, whose users the walk puts behind
 * that user. */
static size_t find_walked(const struct explained_tree *view, const struct two_paths *paths)
{
	size_t level = paths->first;

	while (level < paths->shorter && ties_at(view, paths, level))
		level++;
	return level;
}

/* Returns by how much usage over share grows at a level of a path. Without shares it becomes
 * infinite once, at the node whose shares are 0. */
static double growth(const struct explained_tree *view, size_t user, size_t level)
{
	double figure = figure_at(view, user, level), before = figure_at(view, user, level - 1);

	return figure == before ? 0 : figure - before;
}

/* Returns the level at which the figures of the two paths move apart most, in the direction in
 * which the figures of the two users differ. */
static size_t find_greatest_growth(const struct explained_tree *view, const struct two_paths *paths)
{
	double who = explain_figure(view, paths->who), whom = explain_figure(view, paths->whom);
	double sign = who > whom ? 1 : -1, greatest = -INFINITY;
	size_t found = paths->last;

	for (size_t level = paths->first; level <= paths->last; level++) {
		double apart = sign * (growth(view, paths->who, level) -
				       growth(view, paths->whom, level));

		if (apart > greatest) {
			greatest = apart;
			found = level;
		}
	}
	return found;
}

/* Returns whether a node on either path, below the account that both share, must not be seen. */
static bool hides_any(const struct explained_tree *view, const struct two_paths *paths)
{
	const struct fathom_tree *tree = view->tree->snapshot->tree;

	for (size_t level = paths->first; level <= paths->last; level++)
		if (explain_is_hidden(view, at_level(tree, paths->who, level)) ||
		    explain_is_hidden(view, at_level(tree, paths->whom, level)))
			return true;
	return false;
}

struct explained_parting explain_parting(const struct explained_tree *view, size_t who, size_t whom)
{
	const struct fathom_tree *tree = view->tree->snapshot->tree;
	const struct policy_comparison *comparison = explain_comparison(view);
	struct two_paths paths = two_paths(tree, who, whom);
	size_t level = paths.first;
	bool is_tie = true;

	if (comparison) {
		level = comparison->is_walked ? find_walked(view, &paths)
					      : find_greatest_growth(view, &paths);
		is_tie = ties_at(view, &paths, comparison->is_walked ? level : paths.last);
	}
	return (struct explained_parting){
		.who = at_level(tree, who, level), .whom = at_level(tree, whom, level),
		.below = at_level(tree, who, paths.first - 1),
		.is_tie = is_tie, .is_hidden = hides_any(view, &paths),
	};
}

bool explain_account_is_ahead(const struct explained_tree *view, size_t one, size_t other)
{
	const struct policy_comparison *comparison = explain_comparison(view);
	struct explained_parting parting;

	if (!comparison)
		return false;
	if (!comparison->is_walked)
		return is_before(view, one, other);
	parting = explain_parting(view, one, other);
	return is_before(view, parting.who, parting.whom);
}

bool explain_is_ahead(const struct explained_tree *view, size_t one, size_t other)
{
	return explain_is_account(view, one) ? explain_account_is_ahead(view, one, other)
					     : has_greater_factor(view, one, other);
}
