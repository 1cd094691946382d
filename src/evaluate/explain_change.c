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

#include "memory/need_memory.h"

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

static bool swaps_by(struct change_search *search, const struct explained_change *from,
		     double steps)
{
	struct explained_change change = changed_by(from, steps);

	return search->swaps(search->context, &change);
}

/* Returns the greatest number of steps that costs less than the best change. */
static double limit_steps(const struct change_search *search, const struct explained_change *from,
			  double most)
{
	double limit = ceil(cost_of(&search->best) * fmax(fabs(from->from), 1)) - 1;

	return search->best.what != CHANGE_COUNT && limit < most ? limit : most;
}

void change_search_try(struct change_search *search, enum explained_what what, size_t node,
		       double value, double most)
{
	const struct explained_change from = { what, node, value, value };
	double low = 0, high = 1;	/* `low` does not swap */

	most = limit_steps(search, &from, most);
	if (!(most >= 1))
		return;
	while (!swaps_by(search, &from, high)) {
		if (high >= most)
			return;
		low = high;
		high = fmin(2 * high, most);
	}
	while (high - low > 1) {
		double middle = floor(low + (high - low) / 2);

		if (swaps_by(search, &from, middle))
			high = middle;
		else
			low = middle;
	}
	search->best = changed_by(&from, high);
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

void explain_change_set(struct tried_tree *tried, const struct explained_change *change,
			double value)
{
	int resource = policy_usage_resource(tried->of->policy, tried->tree);

	if (change->what == CHANGE_SHARES)
		fathom_tree_set_raw_shares(tried->tree, change->node, (uint32_t)value);
	else if (resource == POLICY_USES_USAGE)
		fathom_tree_set_own_usage(tried->tree, change->node, value);
	else
		need_done(fathom_tree_set_own_resource(tried->tree, change->node,
						       (enum fathom_resource)resource, value,
						       NULL));
}

void change_search_path(struct change_search *search, const struct explained_tree *of,
			size_t behind, const struct change_kinds *kinds)
{
	const struct fathom_tree *tree = of->tree->snapshot->tree;
	double usage = own_usage(of, behind);

	if (kinds->wanted[CHANGE_USAGE])
		change_search_try(search, CHANGE_USAGE, behind, usage, ceil(usage));
	for (size_t node = behind; kinds->wanted[CHANGE_SHARES] && node;
	     node = fathom_tree_parent(tree, node)) {
		uint32_t shares = fathom_tree_raw_shares(tree, node);

		if (shares != FATHOM_SHARES_PARENT && !(of->hidden && of->hidden[node]))
			change_search_try(search, CHANGE_SHARES, node, shares,
					  (double)(FATHOM_SHARES_PARENT - 1 - shares));
	}
}

/* ---- two users ------------------------------------------------------------------------------ */

struct two_users {
	struct tried_tree tried;
	size_t behind, ahead;
};

static bool swaps_users(void *context, const struct explained_change *change)
{
	struct two_users *users = context;
	const double *factor;

	explain_change_set(&users->tried, change, change->to);
	factor = tried_tree_evaluate(&users->tried);
	explain_change_set(&users->tried, change, change->from);
	return explain_factor_is_greater(factor[users->behind], factor[users->ahead]);
}

struct explained_change explain_user_change(const struct explained_tree *of, size_t behind,
					    size_t ahead, const struct change_kinds *kinds)
{
	struct two_users users = { tried_tree_create(of->tree), behind, ahead };
	struct change_search search = { .swaps = swaps_users, .context = &users,
					.best = { .what = CHANGE_COUNT } };

	change_search_path(&search, of, behind, kinds);
	tried_tree_clear(&users.tried);
	return search.best;
}
