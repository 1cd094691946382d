/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run of s seconds at the rate R, decayed to its end with the half-life h, is charged
 *
 *	R * h / ln 2 * (1 - 2^(-s / h)),
 *
 * and of what its user had used before, the part 2^(-s / h) is left. The factor is that of the
 * tree with the sum of both. For a policy with sums of its own, fathom_policy_accrue() tells what a
 * run adds to them.
 */
#include "evaluate/explain.h"

#include "core/cpu_use.h"
#include "memory/need_memory.h"
#include "priority/usage_formula.h"

#include <math.h>

#define BACK_AT 0.99	/* usage never decays to nothing: a factor is back but for 1 % */

/* ---- what a run is charged ---------------------------------------------------------------- */

/* Returns whether the policy counts billing TRES seconds in this tree, else it counts sums of its
 * own. */
static bool charges_billing(const struct explained_tree *view)
{
	const struct fathom_policy *policy = view->tree->policy;

	return !fathom_policy_keeps_sums(policy) ||
	       (!fathom_policy_has_own_usage(policy) &&
		policy_usage_resource(policy, view->tree->snapshot->tree) == POLICY_USES_USAGE);
}

/* Returns what a run has added to the policy's sums at its end. busy: the part of its CPUs' time
 * that it uses, 0 to 1. half_life: seconds; 0: no decay. */
static struct fathom_sums sums_of(const struct evaluated_tree *tree,
				  const struct explained_would *would, double busy,
				  double half_life)
{
	struct fathom_stretch run = {
		.end = would->seconds, .ran = would->seconds, .limit = would->seconds,
		.cpus = would->cpus, .nodes = would->nodes, .gpus = would->gpus,
		.cpu_use = cpu_use_of(busy * would->cpus, 1), .factor = 1, .over = true,
	};
	struct fathom_sums sums = { { 0 } };

	run.used_before = usage_formula_value(&run, 0, would->formula);
	run.used = usage_formula_value(&run, run.ran, would->formula);
	fathom_policy_accrue(tree->policy, &tree->settings, half_life, &run, run.end, &sums);
	return sums;
}

/* Returns the sum by which the policy charges: usage of its own, or else CPU time. */
static double charge_of_sums(const struct evaluated_tree *tree, struct fathom_sums sums)
{
	return sums.value[fathom_policy_has_own_usage(tree->policy) ? FATHOM_SUM_USAGE
								    : FATHOM_SUM_CPU_TIME];
}

/* Returns what a policy with sums of its own has charged for a run, without decay; 0 for a policy
 * without. busy: see sums_of(). */
static double charge_of(const struct evaluated_tree *tree, const struct explained_would *would,
			double busy)
{
	const double no_decay = 0;

	return charge_of_sums(tree, sums_of(tree, would, busy, no_decay));
}

/* What a caller may give, in the order of `kinds`. */
enum { CPUS, NODES, GPUS, BILLING, KIND_COUNT };

static const struct kind {
	const char *name;
	struct explained_would one;	/* a run of a second that has one of it */
	const char *field[2];	/* of formulas that charge it */
	bool in_billing;	/* it counts where the policy charges billing */
} kinds[KIND_COUNT] = {
	[CPUS] = { "cpus", { .cpus = 1, .seconds = 1 }, { "ncpus", "cput" }, true },
	[NODES] = { "nodes", { .nodes = 1, .seconds = 1 }, { "nodect", "" }, false },
	[GPUS] = { "gpus", { .gpus = 1, .seconds = 1 }, { "ngpus", "" }, false },
	[BILLING] = { "billing", { .billing = 1, .seconds = 1 }, { "", "" }, true },
};

/* Returns whether the policy charges for a kind. */
static bool is_charged(const struct kind *kind, const struct explained_would *would,
		       const struct explained_tree *view)
{
	if (charges_billing(view))
		return kind->in_billing;
	if (would->formula)
		return usage_formula_uses(would->formula, kind->field[0]) ||
		       usage_formula_uses(would->formula, kind->field[1]);
	return charge_of(view->tree, &kind->one, 1) > 0;
}

const char *explain_would_lacks(const struct explained_would *would,
				const struct explained_tree *view)
{
	if (charges_billing(view))
		return would->cpus > 0 || would->billing > 0 ? NULL : "cpus=N or billing=N";
	if (!(would->nodes > 0) && is_charged(&kinds[NODES], would, view))
		return "nodes=N";
	if (!(would->cpus > 0) && is_charged(&kinds[CPUS], would, view))
		return "cpus=N";
	return NULL;
}

const char *explain_would_ignores(const struct explained_would *would,
				  const struct explained_tree *view)
{
	const double given[KIND_COUNT] = { would->cpus, would->nodes, would->gpus, would->billing };
	const char *ignored[KIND_COUNT + 1] = { NULL };
	size_t count = 0;

	for (size_t i = 0; i < KIND_COUNT; i++)
		if (given[i] > 0 && !is_charged(&kinds[i], would, view))
			ignored[count++] = kinds[i].name;
	return need_list(name_list_of(ignored), " and ", 64);
}

/* ---- the tree after the run ---------------------------------------------------------------- */

/* Sets rate, is_by_use and charge where the policy charges billing TRES seconds. seconds: how many
 * of the run count at its end. */
static void set_billing_charge(struct explained_would *would, double seconds, double half_life)
{
	would->is_by_use = false;
	would->rate = would->billing > 0 ? would->billing : would->cpus;
	would->charge = would->rate * fathom_decayed_seconds(0, seconds, seconds, half_life);
}

/* Sets rate, is_by_use and charge where the policy charges sums of its own. sums: what the run has
 * added to them at its end. */
static void set_charge_of_sums(struct explained_would *would, const struct evaluated_tree *tree,
			       struct fathom_sums sums)
{
	double undecayed = charge_of(tree, would, 1);
	double without_use = charge_of(tree, would, 0);

	would->is_by_use = without_use < undecayed;
	would->rate = undecayed / would->seconds;
	would->charge = charge_of_sums(tree, sums);
}

/* Adds a sum of the run to what its user has of a resource. */
static void add_resource(struct fathom_tree *then, size_t user, enum fathom_resource resource,
			 double sum)
{
	need_done(fathom_tree_set_own_resource(
		then, user, resource, fathom_tree_own_resource(then, user, resource) + sum, NULL));
}

/* Sets rate, is_by_use and charge of the run, and adds what it is charged since the last reset to
 * what is left of the user's usage. then: the tree at the end of the run, still without it.
 * half_life: seconds. */
static void charge_run(struct explained_would *would, const struct explained_tree *view,
		       struct fathom_tree *then, size_t user, double half_life)
{
	bool by_billing = charges_billing(view);
	bool is_usage = by_billing || fathom_policy_has_own_usage(view->tree->policy);
	struct explained_would since_reset = *would;
	struct fathom_sums sums;

	since_reset.seconds -= would->reset;
	sums = sums_of(view->tree, &since_reset, 1, half_life);
	if (by_billing)
		set_billing_charge(would, since_reset.seconds, half_life);
	else
		set_charge_of_sums(would, view->tree, sums);
	if (is_usage)
		fathom_tree_set_own_usage(then, user,
					  fathom_tree_own_usage(then, user) + would->charge);
	else
		add_resource(then, user, FATHOM_HIST_RUN_TIME,
			     sums.value[FATHOM_SUM_HIST_RUN_TIME]);
	/* usage stands for run time; CPU time counts beside it, if the tree of now has it */
	if (!is_usage || fathom_tree_has_resource(view->tree->snapshot->tree, FATHOM_CPU_TIME))
		add_resource(then, user, FATHOM_CPU_TIME, sums.value[FATHOM_SUM_CPU_TIME]);
}

/* Sets next_level, next_without and next_with. after: the tree at the end of the run; then: how its
 * usage decays from that end on. */
static void find_next_level(struct explained_would *would, const struct explained_tree *view,
			    const struct explained_tree *after, size_t user,
			    struct usage_decay decay, struct usage_decay then)
{
	would->next_level = would->next_without = would->next_with = NAN;
	if (would->place.ahead == EXPLAIN_NONE ||
	    explain_factor_is_greater(would->factor_now, would->factor))
		return;
	would->next_level = after->tree->columns.factor[would->place.ahead];
	would->next_without =
		explain_until(view, user, would->next_level, decay, IDLE_USER).seconds;
	would->next_with = would->seconds + explain_until(after, user, would->next_level, then,
							  IDLE_USER).seconds;
}

void explain_would(struct explained_would *would, const struct explained_tree *view, size_t user,
		   struct usage_decay decay)
{
	const struct evaluated_tree *now = view->tree;
	double half_life = fathom_policy_half_life(now->policy, &now->settings, decay.half_life);
	struct usage_decay after_end = { decay.half_life, would->next_reset };
	struct evaluated_tree then = tried_tree_create(now);
	struct fathom_tree *tree = then.snapshot->tree;
	struct explained_tree after = { .tree = &then, .hidden = view->hidden };

	/* computed anew: a recorded factor may be of another second */
	would->factor_now = tried_tree_evaluate(&then)[user];
	/* the end of the run: what the user had used has decayed, and the run counts */
	need_done(policy_set_idle(now->policy, &now->settings, tree, now->snapshot->tree, user,
				  would->seconds, decay.half_life, NULL));
	if (would->reset > 0)
		tree_reset_usage(tree);
	charge_run(would, view, tree, user, half_life);
	tried_tree_evaluate(&then);
	would->factor = then.columns.factor[user];
	would->place = explain_place(&after, user);
	would->back = explain_until(&after, user, BACK_AT * would->factor_now, after_end,
				    IDLE_USER);
	find_next_level(would, view, &after, user, decay, after_end);
}
