/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds when the factor of a user comes to a level while some nodes are idle. The factor after so
 * many seconds is that of the tree in which the usage of idle nodes has decayed for so long; the
 * first second at which it is at the level is found by bisection.
 */
#include "evaluate/explain.h"

#include <math.h>

#define MOST_HALF_LIVES 200.	/* after them, what is left is too little for a double to add */
#define STEPS_A_HALF_LIFE 32	/* in which the factor is tried */
#define SCANNED_HALF_LIVES 32	/* after them, so little is left that the factor does not change */
#define MOST_SECONDS 0x1p62	/* the search ends there if the half-life is longer than any time */

const char *const explain_idle_names[IDLE_COUNT + 1] = {
	[IDLE_USER] = "user", [IDLE_ACCOUNT] = "account", [IDLE_ALL] = "all",
};

/* ---- the tree at a time --------------------------------------------------------------------- */

/* A tree in which some nodes are idle, and the user whose factor is followed. */
struct decaying_tree {
	const struct evaluated_tree *now;	/* the tree as it is */
	struct evaluated_tree tried;	/* its copy, as it is some seconds later */
	size_t user;
	size_t idle;		/* the node that is idle, with all below it */
	double level;		/* the factor that is waited for, 0 to 1 */
	struct usage_decay decay;	/* of the site */
};

/* Evaluates the tree as it is after `seconds`. Returns the user's factor. */
static double decay_to(struct decaying_tree *decaying, double seconds)
{
	tried_tree_set_idle(&decaying->tried, decaying->now, decaying->idle, seconds,
			    decaying->decay.half_life);
	return tried_tree_evaluate(&decaying->tried)[decaying->user];
}

/* ---- the search --------------------------------------------------------------------------- */

double explain_least(explain_holds *holds, void *context, double low, double high)
{
	while (high - low > 1) {
		double middle = floor(low + (high - low) / 2);

		/* beyond 2^53 a double may have no whole number between the two */
		if (middle == low || middle == high)
			break;
		if (holds(context, middle))
			high = middle;
		else
			low = middle;
	}
	return high;
}

double explain_first_second(explain_holds *holds, void *context, double from, double to, int steps,
			    double most)
{
	double low = 0, high;

	for (int i = 0; from < to && low < most && i <= steps; i++) {
		high = fmin(floor(from + (to - from) * i / steps), most);
		if (holds(context, high))
			return explain_least(holds, context, low, high);
		low = high;
	}
	return holds(context, most) ? explain_least(holds, context, low, most) : NAN;
}

/* Returns whether the factor is at the level after `seconds`. context: the struct decaying_tree. */
static bool is_at_level(void *context, double seconds)
{
	struct decaying_tree *decaying = context;

	return decay_to(decaying, seconds) >= decaying->level;
}

/* Finds when the factor comes to the level before usage is reset. Now, while jobs run, it is
 * below. */
static struct explained_recovery find_before_reset(struct decaying_tree *decaying)
{
	const struct fathom_policy *policy = decaying->now->policy;
	const struct fathom_settings *settings = &decaying->now->settings;
	const struct policy_comparison *comparison = policy_comparison(policy, settings);
	const struct usage_decay *decay = &decaying->decay;
	double half_life = fathom_policy_half_life(policy, settings, decay->half_life);
	double end = decay->reset > 0 ? decay->reset - 1 : MOST_SECONDS;
	double most = ceil(fmin(half_life * MOST_HALF_LIVES, end));
	/* with an offset, the factor may go up and down again */
	double scanned = comparison && comparison->has_offset ? half_life * SCANNED_HALF_LIVES : 0;
	struct explained_recovery recovery = { .factor = decay_to(decaying, 0) };

	/* after 0 idle seconds jobs hold nothing any more, which may be enough */
	if (recovery.factor >= decaying->level)
		return recovery;
	recovery.seconds = explain_first_second(is_at_level, decaying, 0, scanned,
						SCANNED_HALF_LIVES * STEPS_A_HALF_LIFE, most);
	recovery.factor = decay_to(decaying, isnan(recovery.seconds) ? most : recovery.seconds);
	return recovery;
}

/* Finds when the factor comes to the level, by decay, or else by the reset of usage. */
static struct explained_recovery find_recovery(struct decaying_tree *decaying)
{
	struct explained_recovery recovery = find_before_reset(decaying);

	if (!isnan(recovery.seconds) || !(decaying->decay.reset > 0))
		return recovery;
	tree_reset_usage(decaying->tried.snapshot->tree);
	recovery = (struct explained_recovery){
		.factor = tried_tree_evaluate(&decaying->tried)[decaying->user], .is_reset = true,
	};
	recovery.seconds = recovery.factor >= decaying->level ? decaying->decay.reset : NAN;
	return recovery;
}

struct explained_recovery explain_until(const struct explained_tree *view, size_t user,
					double level, struct usage_decay decay,
					enum explained_idle idle)
{
	const size_t idle_node[IDLE_COUNT] = {
		[IDLE_USER] = user, [IDLE_ALL] = 0,
		[IDLE_ACCOUNT] = fathom_tree_parent(view->tree->snapshot->tree, user),
	};
	/* recorded, if a cluster has told it */
	double factor = view->tree->columns.factor[user];
	struct decaying_tree decaying = { .now = view->tree, .user = user, .level = level,
					  .decay = decay, .idle = idle_node[idle] };

	if (factor >= level)
		return (struct explained_recovery){ .factor = factor, .is_now = true };
	decaying.tried = tried_tree_create(view->tree);
	return find_recovery(&decaying);
}
