/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A factor at a time is that of the tree with the usage of idle nodes decayed until then. For most
 * policies the first second at which it is at the level is found by bisection.
 *
 * Classic fair share has a closed form. If usage of idle nodes is multiplied by
 * y = 2^(-t / half-life), both the root's usage T and effective usage times T are linear in y:
 *
 *	T(y) = T0 + (T1 - T0) y,  U(y) T(y) = N0 + (N1 - N0) y
 *
 * where 1 is now and 0 is without that usage. The factor is at the level where U is
 * u = -log2(level) * shares * dampening factor: y = (u T0 - N0) / (N1 - N0 - u (T1 - T0)).
 * Source: Slurm, "Classic Fairshare Algorithm".
 */
#include "evaluate/explain_until.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>

#define MOST_HALF_LIVES 200.	/* after which nothing is left that a double could add to others */
#define STEPS_A_HALF_LIFE 32
#define SCANNED_HALF_LIVES 32
#define MOST_SECONDS 0x1p62	/* beyond which a double holds no multiples of a second */

const char *explain_idle_name(enum explained_idle idle)
{
	static const char *const names[IDLE_COUNT] = {
		[IDLE_USER] = "user", [IDLE_ACCOUNT] = "account", [IDLE_ALL] = "all",
	};

	return names[idle];
}

/* ---- the tree at a time --------------------------------------------------------------------- */

struct decaying_tree {
	const struct evaluated_tree *of;
	struct fathom_tree *tree;	/* a copy, which decays */
	struct fathom_result *result;
	size_t user;
	bool *is_idle;		/* by node */
	double site;
};

/* Evaluates the tree as it is after so many seconds. Returns the user's factor through *factor. */
static int decay_to(struct decaying_tree *decaying, double seconds, double *factor,
		    struct fathom_error *error)
{
	const struct evaluated_tree *of = decaying->of;
	const struct fathom_tree *from = of->snapshot->tree;

	for (size_t node = 0; node < fathom_tree_count(from); node++)
		if (decaying->is_idle[node] &&
		    policy_set_idle(of->policy, &of->settings, decaying->tree, from, node, seconds,
				    decaying->site, error))
			return -1;
	fathom_tree_settle(decaying->tree);
	fathom_evaluate(decaying->result, decaying->tree, &of->settings);
	*factor = fathom_result_factor(decaying->result)[decaying->user];
	return 0;
}

/* ---- closed form ---------------------------------------------------------------------- */

/* The root's usage, and the effective usage of the user times that. */
struct linear_point {
	double whole, effective;
};

static int read_point(struct decaying_tree *decaying, double seconds, struct linear_point *point,
		      struct fathom_error *error)
{
	const double *effective;
	double factor;

	if (decay_to(decaying, seconds, &factor, error))
		return -1;
	effective = fathom_result_effective_usage(decaying->result);
	point->whole = fathom_tree_usage(decaying->tree, 0);
	point->effective = effective[decaying->user] * point->whole;
	return 0;
}

static double dampening_factor(const struct evaluated_tree *of)
{
	size_t setting = policy_setting_with(of->policy, SETTING_DAMPENING_FACTOR);

	return setting == POLICY_HAS_NONE ? 1 : fathom_settings_value(&of->settings, setting);
}

/* Returns the seconds until the factor is `level`; NAN: the closed form gives none. */
static int solve(struct decaying_tree *decaying, double level, double half_life, double *seconds,
		 struct fathom_error *error)
{
	double shares = fathom_result_norm_shares(decaying->result)[decaying->user];
	double usage = -log2(level) * shares * dampening_factor(decaying->of), left;
	struct linear_point now, end;

	*seconds = NAN;
	if (read_point(decaying, 0, &now, error) || read_point(decaying, INFINITY, &end, error))
		return -1;
	left = (usage * end.whole - end.effective) /
	       (now.effective - end.effective - usage * (now.whole - end.whole));
	if (left > 0 && left <= 1)
		*seconds = ceil(-log2(left) * half_life);
	return 0;
}

/* ---- bisection ------------------------------------------------------------------------ */

/* Finds the first second in (low, high] at which the factor is at the level; at `low` it is not
 * and at `high` it is. guess: tried first with the second before it; or NAN. */
static int bisect(struct decaying_tree *decaying, double level, double low, double high,
		  double guess, struct explained_recovery *recovery, struct fathom_error *error)
{
	double next = guess, factor;

	recovery->is_closed = false;
	while (high - low > 1) {
		bool guesses = next > low && next < high;
		double middle = guesses ? next : floor(low + (high - low) / 2);

		if (decay_to(decaying, middle, &factor, error))
			return -1;
		if (factor >= level)
			high = middle;
		else
			low = middle;
		next = guesses && middle == guess ? (factor >= level ? guess - 1 : guess + 1) : NAN;
	}
	recovery->is_closed = fabs(high - guess) <= 1;
	recovery->seconds = high;
	return decay_to(decaying, high, &recovery->factor, error);
}

/* Where a factor may go up and down again, looks for the first interval in which it comes to the
 * level. *low and *high: its ends; unchanged if there is none. */
static int scan(struct decaying_tree *decaying, double level, double half_life, double *low,
		double *high, struct fathom_error *error)
{
	double step = fmax(floor(half_life / STEPS_A_HALF_LIFE), 1), factor;

	for (double at = step; at < half_life * SCANNED_HALF_LIVES; at += step) {
		if (decay_to(decaying, at, &factor, error))
			return -1;
		if (factor >= level) {
			*low = at - step;
			*high = at;
			return 0;
		}
	}
	return 0;
}

static int find(struct decaying_tree *decaying, double level, struct explained_recovery *recovery,
		struct fathom_error *error)
{
	const struct evaluated_tree *of = decaying->of;
	const struct policy_comparison *comparison = policy_comparison(of->policy, &of->settings);
	double half_life = fathom_policy_half_life(of->policy, &of->settings, decaying->site);
	double most = ceil(fmin(half_life * MOST_HALF_LIVES, MOST_SECONDS));
	double guess = NAN, low = 0, high = most;

	*recovery = (struct explained_recovery){ .seconds = 0 };
	if (decay_to(decaying, 0, &recovery->factor, error))
		return -1;
	/* what jobs hold ends at once */
	if (recovery->factor >= level)
		return 0;
	if (decay_to(decaying, most, &recovery->factor, error))
		return -1;
	recovery->seconds = NAN;
	if (comparison && comparison->has_offset &&
	    scan(decaying, level, half_life, &low, &high, error))
		return -1;
	if (!(recovery->factor >= level) && high == most)
		return 0;
	if (comparison && comparison->is_linear &&
	    solve(decaying, level, half_life, &guess, error))
		return -1;
	return bisect(decaying, level, low, high, guess, recovery, error);
}

/* ---- a user --------------------------------------------------------------------------- */

static size_t idle_from(const struct fathom_tree *tree, size_t user, enum explained_idle idle)
{
	const size_t from[IDLE_COUNT] = {
		[IDLE_USER] = user, [IDLE_ACCOUNT] = fathom_tree_parent(tree, user),
		[IDLE_ALL] = 0,
	};

	return from[idle];
}

static int decay(struct explained_recovery *recovery, const struct explained_tree *of, size_t user,
		 double level, double site, enum explained_idle idle, struct fathom_error *error)
{
	const struct fathom_tree *tree = of->tree->snapshot->tree;
	struct decaying_tree decaying = {
		.of = of->tree, .user = user, .site = site,
		.is_idle = explain_mark_below(tree, idle_from(tree, user, idle)),
		.tree = fathom_tree_copy(tree, error),
	};
	int status = -1;

	if (!decaying.is_idle)
		fathom_error_no_memory(error);
	else if (decaying.tree)
		decaying.result = fathom_result_create(of->tree->policy, decaying.tree, error);
	if (decaying.result)
		status = find(&decaying, level, recovery, error);
	fathom_result_destroy(decaying.result);
	fathom_tree_destroy(decaying.tree);
	free(decaying.is_idle);
	return status;
}

int explain_until(struct explained_recovery *recovery, const struct explained_tree *of, size_t user,
		  double level, double site, enum explained_idle idle, struct fathom_error *error)
{
	double factor = of->tree->columns.factor[user];	/* the cluster's, if that has told it */

	if (!(factor >= level))
		return decay(recovery, of, user, level, site, idle, error);
	*recovery = (struct explained_recovery){ .factor = factor, .is_now = true };
	return 0;
}
