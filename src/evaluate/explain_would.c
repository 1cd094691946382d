/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run of s seconds at the rate R, decayed to its end with the half-life h, is charged
 *
 *	R * h / ln 2 * (1 - 2^(-s / h)),
 *
 * and what its user had used before is left with the part 2^(-s / h). The factor is that of the
 * tree with the sum of both.
 */
#include "evaluate/explain.h"

#include "jobs/need_trees.h"
#include "memory/need_memory.h"

#include <math.h>

#define BACK_AT 0.99	/* usage decays for ever: within 1 % a factor is back */

/* Returns what a run is charged, decayed to its end. half_life: 0: no decay */
static double charge_of(const struct explained_would *would, double half_life)
{
	if (!(half_life > 0))
		return would->rate * would->seconds;
	return would->rate * half_life / M_LN2 * -expm1(-M_LN2 * would->seconds / half_life);
}

void explain_would(struct explained_would *would, const struct explained_tree *of, size_t user,
		   double site)
{
	const struct evaluated_tree *now = of->tree;
	double half_life = fathom_policy_half_life(now->policy, &now->settings, site);
	double own = fathom_tree_own_usage(now->snapshot->tree, user);
	struct tried_tree tried = tried_tree_create(now);
	struct tree_scheme scheme = { .snapshot = need_fork(now->snapshot), .policy = now->policy,
				      .settings = now->settings };
	struct evaluated_tree *then = need_zeros(1, sizeof(*then));
	struct explained_tree after = { .tree = then, .hidden = of->hidden };

	would->charge = charge_of(would, half_life);
	/* recorded factors may be of another second */
	would->factor_before = tried_tree_evaluate(&tried)[user];
	fathom_tree_set_own_usage(scheme.snapshot->tree, user,
				  own * fathom_decay(would->seconds, half_life) + would->charge);
	fathom_tree_settle(scheme.snapshot->tree);
	evaluated_tree_create(then, &scheme);
	would->factor = then->columns.factor[user];
	would->place = explain_place(&after, user);
	would->back = explain_until(&after, user, BACK_AT * would->factor_before, site, IDLE_USER);
}
