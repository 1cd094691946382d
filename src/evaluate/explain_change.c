/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Searches by evaluating the policy again after each change. A change grows by doubling until it
 * swaps the two, and is then halved down to the least one between:
 *
 *	shares 10 -> 11 no, 12 no, 14 no, 18 yes, 16 no, 17 yes: 17
 *
 * A change that is not less than the best so far is not tried.
 */
#include "evaluate/explain_change.h"

#include "core/error.h"

#include <math.h>

const char *explain_change_name(enum explained_what what)
{
	static const char *const names[CHANGE_COUNT] = {
		[CHANGE_USAGE] = "usage", [CHANGE_SHARES] = "shares", [CHANGE_AGE] = "age",
		[CHANGE_NICE] = "nice",
	};

	return names[what];
}

/* ---- one value ------------------------------------------------------------------------- */

static bool goes_down(enum explained_what what)
{
	return what == CHANGE_USAGE || what == CHANGE_NICE;
}

static struct explained_change changed_by(const struct explained_change *from, double steps)
{
	struct explained_change change = *from;

	change.to = goes_down(from->what) ? from->from - steps : from->from + steps;
	if (from->what == CHANGE_USAGE)
		change.to = fmax(change.to, 0);
	return change;
}

static double cost_of(const struct explained_change *change)
{
	return fabs(change->to - change->from) / fmax(fabs(change->from), 1);
}

static int try_steps(struct change_search *search, const struct explained_change *from,
		     double steps, bool *swaps, struct fathom_error *error)
{
	struct explained_change change = changed_by(from, steps);

	return search->swaps(search->context, &change, swaps, error);
}

/* Returns the greatest number of steps that costs less than the best change. */
static double limit_steps(const struct change_search *search, const struct explained_change *from,
			  double most)
{
	double limit;

	if (search->best.what == CHANGE_COUNT)
		return most;
	limit = ceil(cost_of(&search->best) * fmax(fabs(from->from), 1)) - 1;
	return fmin(most, limit);
}

/* Doubles the steps until they swap. *low: the greatest number that does not; *high: one that
 * does, 0 if none does. */
static int find_swapping(struct change_search *search, const struct explained_change *from,
			 double most, double *low, double *high, struct fathom_error *error)
{
	bool swaps = false;

	*low = *high = 0;
	for (double steps = 1; most >= 1; steps = fmin(2 * steps, most)) {
		if (try_steps(search, from, steps, &swaps, error))
			return -1;
		if (swaps) {
			*high = steps;
			return 0;
		}
		*low = steps;
		if (steps >= most)
			return 0;
	}
	return 0;
}

/* Halves the interval: *high swaps and low does not. */
static int narrow(struct change_search *search, const struct explained_change *from, double low,
		  double *high, struct fathom_error *error)
{
	while (*high - low > 1) {
		double middle = floor(low + (*high - low) / 2);
		bool swaps;

		if (try_steps(search, from, middle, &swaps, error))
			return -1;
		if (swaps)
			*high = middle;
		else
			low = middle;
	}
	return 0;
}

int change_search_try(struct change_search *search, const struct explained_change *from,
		      double most, struct fathom_error *error)
{
	double low, steps;

	if (find_swapping(search, from, limit_steps(search, from, most), &low, &steps, error))
		return -1;
	if (!(steps > 0))
		return 0;
	if (narrow(search, from, low, &steps, error))
		return -1;
	search->best = changed_by(from, steps);
	return 0;
}

/* ---- usage and shares ---------------------------------------------------------------------- */

static double own_usage(const struct explained_tree *of, size_t node)
{
	const struct fathom_tree *tree = of->tree->snapshot->tree;
	int resource = policy_usage_resource(of->tree->policy, tree);

	if (resource == POLICY_USES_USAGE)
		return fathom_tree_own_usage(tree, node);
	return fathom_tree_own_resource(tree, node, (enum fathom_resource)resource);
}

int explain_change_set(const struct fathom_policy *policy, struct fathom_tree *tree,
		       const struct explained_change *change, bool back,
		       struct fathom_error *error)
{
	double value = back ? change->from : change->to;
	int resource = policy_usage_resource(policy, tree);

	if (change->what == CHANGE_SHARES)
		fathom_tree_set_raw_shares(tree, change->node, (uint32_t)value);
	else if (change->what == CHANGE_USAGE && resource == POLICY_USES_USAGE)
		fathom_tree_set_own_usage(tree, change->node, value);
	else if (change->what == CHANGE_USAGE)
		return fathom_tree_set_own_resource(tree, change->node,
						    (enum fathom_resource)resource, value, error);
	return 0;
}

static int try_shares(struct change_search *search, const struct explained_tree *of, size_t node,
		      struct fathom_error *error)
{
	uint32_t shares = fathom_tree_raw_shares(of->tree->snapshot->tree, node);
	struct explained_change from = { CHANGE_SHARES, node, shares, shares };

	if (shares == FATHOM_SHARES_PARENT || (of->hidden && of->hidden[node]))
		return 0;
	return change_search_try(search, &from, (double)(FATHOM_SHARES_PARENT - 1 - shares), error);
}

int change_search_path(struct change_search *search, const struct explained_tree *of, size_t behind,
		       const struct change_kinds *kinds, struct fathom_error *error)
{
	double usage = own_usage(of, behind);
	struct explained_change less = { CHANGE_USAGE, behind, usage, usage };

	if (kinds->wanted[CHANGE_USAGE] &&
	    change_search_try(search, &less, ceil(usage), error))
		return -1;
	for (size_t node = behind; kinds->wanted[CHANGE_SHARES] && node;
	     node = fathom_tree_parent(of->tree->snapshot->tree, node))
		if (try_shares(search, of, node, error))
			return -1;
	return 0;
}

/* ---- two users ------------------------------------------------------------------------------ */

struct two_users {
	const struct evaluated_tree *of;
	struct fathom_tree *tree;	/* a copy, which changes */
	struct fathom_result *result;
	size_t behind, ahead;
};

static int swaps_users(void *context, const struct explained_change *change, bool *swaps,
		       struct fathom_error *error)
{
	struct two_users *users = context;
	const double *factor;

	if (explain_change_set(users->of->policy, users->tree, change, false, error))
		return -1;
	fathom_tree_settle(users->tree);
	fathom_evaluate(users->result, users->tree, &users->of->settings);
	factor = fathom_result_factor(users->result);
	*swaps = explain_factor_is_greater(factor[users->behind], factor[users->ahead]);
	return explain_change_set(users->of->policy, users->tree, change, true, error);
}

int explain_user_change(struct explained_change *change, const struct explained_tree *of,
			size_t behind, size_t ahead, const struct change_kinds *kinds,
			struct fathom_error *error)
{
	struct two_users users = {
		.of = of->tree, .behind = behind, .ahead = ahead,
		.tree = fathom_tree_copy(of->tree->snapshot->tree, error),
	};
	struct change_search search = { .swaps = swaps_users, .context = &users,
					.best = { .what = CHANGE_COUNT } };
	int status = -1;

	if (users.tree)
		users.result = fathom_result_create(of->tree->policy, users.tree, error);
	if (users.result)
		status = change_search_path(&search, of, behind, kinds, error);
	*change = search.best;
	fathom_result_destroy(users.result);
	fathom_tree_destroy(users.tree);
	return status;
}
