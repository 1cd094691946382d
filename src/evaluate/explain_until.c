/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds when the factor of a user comes to a level while some nodes are idle. The factor after so
 * many seconds is that of the tree in which the usage of idle nodes has decayed for so long. For
 * most policies the first second at which it is at the level is found by bisection.
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
#include "evaluate/explain.h"

#include <math.h>

#define MOST_HALF_LIVES 200.	/* after them, what is left is too little for a double to add */
#define STEPS_A_HALF_LIFE 32	/* of scan_for_interval() */
#define SCANNED_HALF_LIVES 32	/* after them, so little is left that the factor does not change */
#define MOST_SECONDS 0x1p62	/* the search ends there if the half-life is longer than any time */

const char *explain_idle_name(enum explained_idle idle)
{
	static const char *const names[IDLE_COUNT] = {
		[IDLE_USER] = "user", [IDLE_ACCOUNT] = "account", [IDLE_ALL] = "all",
	};

	return names[idle];
}

/* ---- the tree at a time --------------------------------------------------------------------- */

/* A tree in which some nodes are idle, and the user whose factor is followed. */
struct decaying_tree {
	struct tried_tree tried;
	size_t user;
	size_t idle;		/* the node that is idle, with all below it */
	struct usage_decay decay;	/* of the site */
};

/* Evaluates the tree as it is after `seconds`. Returns the user's factor. */
static double decay_to(struct decaying_tree *decaying, double seconds)
{
	tried_tree_set_idle(&decaying->tried, decaying->idle, seconds,
			    decaying->decay.half_life);
	return tried_tree_evaluate(&decaying->tried)[decaying->user];
}

/* ---- closed form ---------------------------------------------------------------------- */

/* T and N at the head of this file, at a time. */
struct linear_point {
	double total;		/* T: the root's usage */
	double product;		/* N: the user's effective usage times T */
};

/* Returns the point after `seconds`; INFINITY: when the usage of idle nodes is gone. */
static struct linear_point point_at(struct decaying_tree *decaying, double seconds)
{
	const double *effective;
	double total;

	decay_to(decaying, seconds);
	effective = fathom_result_effective_usage(decaying->tried.result);
	total = fathom_tree_usage(decaying->tried.tree, 0);
	return (struct linear_point){ total, effective[decaying->user] * total };
}

/* Returns the dampening factor; 1 for a policy that has none. */
static double dampening_factor(const struct evaluated_tree *of)
{
	size_t setting = policy_setting_with(of->policy, SETTING_DAMPENING_FACTOR);

	return setting == POLICY_HAS_NONE ? 1 : fathom_settings_value(&of->settings, setting);
}

/* Returns the whole seconds until the factor is `level`, by the closed form at the head of this
 * file, where `usage` is u and `left` is y. NAN: the closed form has no solution. half_life:
 * seconds. */
static double solve(struct decaying_tree *decaying, double level, double half_life)
{
	double shares = fathom_result_norm_shares(decaying->tried.result)[decaying->user];
	double usage = -log2(level) * shares * dampening_factor(decaying->tried.of);
	struct linear_point now = point_at(decaying, 0), end = point_at(decaying, INFINITY);
	double left = (usage * end.total - end.product) /
		      (now.product - end.product - usage * (now.total - end.total));

	return left > 0 && left <= 1 ? ceil(-log2(left) * half_life) : NAN;
}

/* ---- bisection ------------------------------------------------------------------------ */

/* Finds the first second in (low, high] at which the factor is at the level; at `low` it is not
 * and at `high` it is. guess: the second to try first, then the one before or after it; NAN: there
 * is no guess. is_closed of the result: the guess was right, but for a second. */
static struct explained_recovery bisect(struct decaying_tree *decaying, double level, double low,
					double high, double guess)
{
	double next = guess;

	while (high - low > 1) {
		bool guesses = next > low && next < high;
		double middle = guesses ? next : floor(low + (high - low) / 2);
		bool is_at_level = decay_to(decaying, middle) >= level;

		if (is_at_level)
			high = middle;
		else
			low = middle;
		/* a right guess ends the search: its neighbour is on the other side of the level */
		next = guesses && middle == guess ? (is_at_level ? guess - 1 : guess + 1) : NAN;
	}
	return (struct explained_recovery){ .seconds = high, .factor = decay_to(decaying, high),
					    .is_closed = fabs(high - guess) <= 1 };
}

/* Finds the first interval in which the factor comes to the level, for a factor that may go up and
 * down again. At 0 seconds it is below the level. Misses a time at the level that is shorter than a
 * step. *low and *high: the ends of all that is searched, then of the interval; they stay as they
 * are if there is none. */
static void scan_for_interval(struct decaying_tree *decaying, double level, double half_life,
			      double *low, double *high)
{
	double step = fmax(floor(half_life / STEPS_A_HALF_LIFE), 1);
	double most = fmin(*high, half_life * SCANNED_HALF_LIVES);

	for (double seconds = step; seconds < most; seconds += step) {
		if (decay_to(decaying, seconds) >= level) {
			*low = seconds - step;
			*high = seconds;
			return;
		}
	}
}

/* Finds when the factor comes to the level before usage is reset. Now, while jobs run, it is
 * below. */
static struct explained_recovery find_before_reset(struct decaying_tree *decaying, double level)
{
	const struct evaluated_tree *of = decaying->tried.of;
	const struct policy_comparison *comparison = policy_comparison(of->policy, &of->settings);
	const struct usage_decay *decay = &decaying->decay;
	double half_life = fathom_policy_half_life(of->policy, &of->settings, decay->half_life);
	double end = decay->reset > 0 ? decay->reset - 1 : MOST_SECONDS;
	double most = ceil(fmin(half_life * MOST_HALF_LIVES, end));
	double guess = NAN, low = 0, high = most;
	struct explained_recovery recovery = { .factor = decay_to(decaying, 0) };

	/* after 0 idle seconds jobs hold nothing any more, which may be enough */
	if (recovery.factor >= level)
		return recovery;
	recovery = (struct explained_recovery){ .seconds = NAN,
						.factor = decay_to(decaying, most) };
	if (comparison && comparison->has_offset)
		scan_for_interval(decaying, level, half_life, &low, &high);
	if (!(recovery.factor >= level) && high == most)
		return recovery;	/* not even in the end */
	if (comparison && comparison->is_linear)
		guess = solve(decaying, level, half_life);
	return bisect(decaying, level, low, high, guess);
}

/* Finds when the factor comes to the level, by decay, or else by the reset of usage. */
static struct explained_recovery find_recovery(struct decaying_tree *decaying, double level)
{
	struct explained_recovery recovery = find_before_reset(decaying, level);

	if (!isnan(recovery.seconds) || !(decaying->decay.reset > 0))
		return recovery;
	tree_reset_usage(decaying->tried.tree);
	recovery = (struct explained_recovery){
		.factor = tried_tree_evaluate(&decaying->tried)[decaying->user], .is_reset = true,
	};
	recovery.seconds = recovery.factor >= level ? decaying->decay.reset : NAN;
	return recovery;
}

/* ---- a user --------------------------------------------------------------------------- */

/* Returns the node that is idle, with all below it. */
static size_t idle_node(const struct fathom_tree *tree, size_t user, enum explained_idle idle)
{
	const size_t node[IDLE_COUNT] = {
		[IDLE_USER] = user, [IDLE_ACCOUNT] = fathom_tree_parent(tree, user),
		[IDLE_ALL] = 0,
	};

	return node[idle];
}

struct explained_recovery explain_until(const struct explained_tree *view, size_t user,
					double level, struct usage_decay decay,
					enum explained_idle idle)
{
	/* recorded, if a cluster has told it */
	double factor = view->tree->columns.factor[user];
	struct explained_recovery recovery = { .factor = factor, .is_now = true };

	if (!(factor >= level)) {
		struct decaying_tree decaying = {
			.tried = tried_tree_create(view->tree), .user = user, .decay = decay,
			.idle = idle_node(view->tree->snapshot->tree, user, idle),
		};

		recovery = find_recovery(&decaying, level);
	}
	return recovery;
}
