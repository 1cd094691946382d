/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds when the factor of a user comes to a level while some nodes are idle. The factor after so
 * many seconds is that of the tree in which the usage of idle nodes has decayed for so long; the
 * first second at which it is at the level is found by bisection.
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

/* ---- bisection ------------------------------------------------------------------------ */

/* Finds the first second in (low, high] at which the factor is at the level; at `low` it is not
 * and at `high` it is. */
static struct explained_recovery bisect(struct decaying_tree *decaying, double level, double low,
					double high)
{
	while (high - low > 1) {
		double middle = floor(low + (high - low) / 2);

		if (decay_to(decaying, middle) >= level)
			high = middle;
		else
			low = middle;
	}
	return (struct explained_recovery){ .seconds = high, .factor = decay_to(decaying, high) };
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
	double low = 0, high = most;
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
	return bisect(decaying, level, low, high);
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
