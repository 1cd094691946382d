/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LSF's user-based fair share. Siblings are ordered by their dynamic share priority:
 * shares over a weighted sum of what their jobs have used and hold. All users below
 * the best sibling come before those of the next one. Siblings of equal priority tie:
 *
 *	account	shares	weighted sum	priority	users, in order
 *	physics	20	10		2		ada 1, bob 2 (ada is better than bob)
 *	biology	30	15		2		cleo 1
 *	botany	10	10		1		dan 4 (three users have better accounts)
 *
 * Source: LSF, "Fairshare Scheduling".
 */
#include "policy/policy.h"

#include "core/cpu_use.h"
#include "policy/sort.h"

/* RUN_TIME_DECAY and HIST_HOURS take effect when jobs are added up: the sums that an
 * evaluation sees have decayed already. */
enum { CPU_TIME_FACTOR, RUN_TIME_FACTOR, RUN_JOB_FACTOR, COMMITTED_RUN_TIME_FACTOR,
       FAIRSHARE_ADJUSTMENT_FACTOR, ENABLE_HIST_RUN_TIME, RUN_TIME_DECAY, HIST_HOURS };
enum { DYNAMIC_PRIORITY, ORDER, STARTED, RESERVED, CPU_TIME, RUN_TIME, ADJUST };

#define HOUR 3600.		/* the formula's unit of time */
#define LEAST_DENOMINATOR 0.01	/* a priority is at most 100 times the shares */
#define TIE_TOLERANCE 1e-12	/* relative; rounding makes equal priorities differ */

/* ---- dynamic share priority --------------------------------------------------- */

/* Returns the amount of a resource that a node has, 0 if the tree has no column of it. */
static double amount(const struct fathom_tree *tree, enum fathom_resource resource, size_t node)
{
	return tree->resource[resource] ? tree->resource[resource][node] : 0;
}

/* Returns the amount of a resource that is a time, in hours. */
static double hours(const struct fathom_tree *tree, enum fathom_resource resource, size_t node)
{
	return amount(tree, resource, node) / HOUR;
}

/* Returns the run time of a node's running jobs in seconds. A tree without run times has only
 * usage, which then counts as run time. */
static double run_time_so_far(const struct fathom_tree *tree, size_t node)
{
	return tree->resource[FATHOM_RUN_TIME] ? tree->resource[FATHOM_RUN_TIME][node]
					       : tree->usage[node];
}

/* Returns the weighted sum that shares are divided by. promise: counts in addition to what the tree
 * has. */
static double consumption(const struct fathom_tree *tree, const double *settings, size_t node,
			  const struct fathom_promise *promise)
{
	double cpu_time = hours(tree, FATHOM_CPU_TIME, node);
	double running = (run_time_so_far(tree, node) + promise->run_time) / HOUR;
	double run_time = running;	/* with that of finished jobs, if it counts */
	double committed = hours(tree, FATHOM_COMMITTED_RUN_TIME, node) +
			   promise->committed_run_time / HOUR;
	double slots_and_one = 1 + amount(tree, FATHOM_JOB_SLOTS, node) + promise->job_slots;
	double adjustment = amount(tree, FATHOM_ADJUSTMENT, node);

	if (settings[ENABLE_HIST_RUN_TIME] > 0)
		run_time += hours(tree, FATHOM_HIST_RUN_TIME, node);
	return cpu_time * settings[CPU_TIME_FACTOR] +
	       run_time * settings[RUN_TIME_FACTOR] +
	       (committed - running) * settings[COMMITTED_RUN_TIME_FACTOR] +
	       slots_and_one * settings[RUN_JOB_FACTOR] +
	       adjustment * settings[FAIRSHARE_ADJUSTMENT_FACTOR];
}

/* Returns the priority of a node that has shares of its own. promise: counts in addition to what
 * the tree has. */
static double dynamic_priority(const struct fathom_tree *tree, const double *settings, size_t node,
			       const struct fathom_promise *promise)
{
	double divisor = consumption(tree, settings, node, promise);

	/* the condition is negated to be true for NAN, the sum of infinite terms of both signs */
	if (!(divisor > LEAST_DENOMINATOR))
		divisor = LEAST_DENOMINATOR;
	return tree->raw_shares[node] / divisor;
}

/* Fills the column of priorities. Parents come first, so that the priority of an account is known
 * when a user with shares `parent` gets it. */
static void fill_priorities(const struct fathom_tree *tree, const double *settings,
			    double *priority)
{
	static const struct fathom_promise nothing;

	for (size_t node = 0; node < tree->node_count; node++) {
		if (!tree_uses_parent_shares(tree, node))
			priority[node] = dynamic_priority(tree, settings, node, &nothing);
		else if (tree->kind[node] == FATHOM_USER)
			priority[node] = priority[tree->fs_parent[node]];
		else
			priority[node] = NAN;
	}
}

/* ---- order ---------------------------------------------------------------------- */

/* What is needed to put all users into one order. */
struct user_order {
	const struct fathom_tree *tree;
	const double *priority;	/* by node */
	struct sort_item *level, *spare;	/* siblings that are being sorted; room for it */
	uint32_t *users;	/* by node: number of users in its subtree; see count_users() */
	double *place;		/* by node: of a user, its place, from 1; of an account, the
				 * number of users before the first of its own */
};

/* Counts the users below each node by fs parent, so that an account with shares `parent` has 0: its
 * users belong to the level above it. */
static void count_users(struct user_order *order)
{
	const struct fathom_tree *tree = order->tree;

	for (size_t node = 0; node < tree->node_count; node++)
		order->users[node] = tree->kind[node] == FATHOM_USER;
	for (size_t node = tree->node_count - 1; node > 0; node--)
		order->users[tree->fs_parent[node]] += order->users[node];
}

/* Returns whether two priorities are equal but for rounding. greater: not below `less`. */
static bool is_tie(double greater, double less)
{
	return greater - less <= TIE_TOLERANCE * greater;
}

/* Sorts the members of an account's level by priority and sets their places. Members that tie have
 * the same place, and the next member comes behind all their users. */
static void order_level(struct user_order *order, uint32_t account)
{
	const struct fathom_tree *tree = order->tree;
	const uint32_t *member = tree->level_member + tree->level_first[account];
	size_t count = tree->level_count[account];
	double before = order->place[account];	/* users before the present tie */
	double tied = 0;			/* users of the present tie so far */

	for (size_t i = 0; i < count; i++)
		order->level[i] = (struct sort_item){ .key = order->priority[member[i]],
						      .node = member[i] };
	sort_descending(order->level, order->spare, count);
	for (size_t i = 0; i < count; i++) {
		uint32_t node = order->level[i].node;

		if (i && !is_tie(order->level[i - 1].key, order->level[i].key)) {
			before += tied;
			tied = 0;
		}
		order->place[node] = before + (tree->kind[node] == FATHOM_USER);
		tied += order->users[node];
	}
}

/* Sets the places of all users. Accounts come before their members, so that an account's place is
 * known when its level is ordered. After that the place is not needed, and the column has NAN for
 * accounts. */
static void order_users(struct user_order *order)
{
	const struct fathom_tree *tree = order->tree;

	count_users(order);
	order->place[0] = 0;
	for (size_t node = 0; node < tree->node_count; node++) {
		if (tree->kind[node] == FATHOM_USER)
			continue;
		order_level(order, (uint32_t)node);
		order->place[node] = NAN;
	}
}

/* ---- what bhpart and bqueues -l list --------------------------------------------- */

/* Fills the columns that bhpart and bqueues list. They list run time with that of finished jobs,
 * whether the formula counts it or not. */
static void fill_listed(const struct fathom_tree *tree, double *const *column)
{
	for (size_t node = 0; node < tree->node_count; node++) {
		double slots = amount(tree, FATHOM_JOB_SLOTS, node);
		double reserved = fmin(amount(tree, FATHOM_RESERVED_SLOTS, node), slots);

		column[STARTED][node] = slots - reserved;
		column[RESERVED][node] = reserved;
		column[CPU_TIME][node] = amount(tree, FATHOM_CPU_TIME, node);
		column[RUN_TIME][node] = run_time_so_far(tree, node) +
					 amount(tree, FATHOM_HIST_RUN_TIME, node);
		column[ADJUST][node] = amount(tree, FATHOM_ADJUSTMENT, node);
	}
}

/* ---- evaluation ------------------------------------------------------------------ */

/* Returns the bytes that `level`, `spare` and `users` of struct user_order need. */
static size_t scratch_size(const struct fathom_tree *tree)
{
	return tree->node_count * (2 * sizeof(struct sort_item) + sizeof(uint32_t));
}

/* Fills the columns that all policies have. The factor of the first of N users is 1, of the last
 * 1/N. */
static void fill_common(const struct fathom_tree *tree, struct fathom_result *result)
{
	double users = (double)tree->user_count;

	result->norm_shares = tree->norm_shares;
	policy_norm_usage(tree, result->norm_usage);
	for (size_t node = 0; node < tree->node_count; node++) {
		result->effective_usage[node] = !node;
		result->factor[node] = (users - result->column[ORDER][node] + 1) / users;
	}
}

/* Fills the columns, see fathom_policy.evaluate: first the priorities, from which the places
 * follow, from which the factors follow. */
static void evaluate(const struct fathom_tree *tree, const double *settings,
		     struct fathom_result *result)
{
	struct sort_item *items = result->scratch;
	struct user_order order = {
		.tree = tree,
		.priority = result->column[DYNAMIC_PRIORITY],
		.level = items,
		.spare = items + tree->node_count,
		.users = (uint32_t *)(items + 2 * tree->node_count),
		.place = result->column[ORDER],
	};

	fill_priorities(tree, settings, result->column[DYNAMIC_PRIORITY]);
	order_users(&order);
	fill_listed(tree, result->column);
	fill_common(tree, result);
}

static const struct policy_comparison by_priority = {
	.is_walked = true, .figure = FIGURE_PLAIN, .column = DYNAMIC_PRIORITY,
	.has_offset = true, .name = "Priority",
	.meaning = "shares over what the jobs have used and hold",
};

/* See fathom_policy.needs_shares: jobs of users without shares never run. */
static bool needs_shares(const double *settings)
{
	(void)settings;
	return true;
}

/* See fathom_policy.places_jobs. Without a run_job_factor, a dispatch lowers no priority. */
static bool places_jobs(const double *settings)
{
	return settings[RUN_JOB_FACTOR] > 0;
}

/* ---- what jobs add up to ------------------------------------------------------------ */

/* HIST_HOURS are the hours after which a tenth of usage is left. */
double fathom_hist_half_life(double hist_hours)
{
	static const double log10_2 = 0.301029995663981195214;

	return hist_hours * log10_2 * 3600;
}

/* See policy_sums.half_life. */
static double hist_half_life(const struct fathom_settings *settings)
{
	return fathom_hist_half_life(settings->value[HIST_HOURS]);
}

/* Returns the run time from the run's start to the end of the stretch, in seconds; decayed until
 * that end if RUN_TIME_DECAY is set. */
static double run_time(const double *settings, double half_life,
		       const struct fathom_stretch *stretch)
{
	double end = stretch->end;

	if (settings[RUN_TIME_DECAY] > 0)
		return fathom_decayed_seconds(end - stretch->ran, end, end, half_life);
	return stretch->ran;
}

/* Adds CPU time as it is used, and run time when the run is over. See policy_sums.accrue. */
static void accrue(const struct fathom_settings *settings, double half_life,
		   const struct fathom_stretch *stretch, double seen, struct fathom_sums *sums)
{
	double *value = sums->value;

	value[FATHOM_SUM_CPU_TIME] +=
		stretch->factor * cpu_use_known(stretch->cpu_use, stretch->cpus) *
		fathom_decayed_seconds(stretch->begin, stretch->end, seen, half_life);
	if (stretch->over)
		value[FATHOM_SUM_HIST_RUN_TIME] +=
			stretch->factor * run_time(settings->value, half_life, stretch) *
			fathom_decay(seen - stretch->end, half_life);
}

/* Adds what a run holds, see policy_sums.hold. A job without a time limit counts as if it had asked
 * for the time that it ran. */
static void hold(const struct fathom_settings *settings, double half_life,
		 const struct fathom_stretch *stretch, struct fathom_holdings *holdings)
{
	double running = run_time(settings->value, half_life, stretch);
	double committed = stretch->limit < 0 ? running : stretch->limit;

	holdings->run_time += stretch->factor * running;
	holdings->committed_run_time += stretch->factor * committed;
	holdings->job_slots += stretch->cpus;
	holdings->memory += stretch->memory;
}

/* Number of resources that runs use or hold, from FATHOM_CPU_TIME to FATHOM_MEMORY. */
#define AMOUNT_COUNT (FATHOM_MEMORY + 1)

/* Sets a node's own amounts of these resources; that of FATHOM_RUN_TIME only if with_run_time. -1:
 * ENOMEM. */
static int set_amounts(struct fathom_tree *tree, size_t node, const double amounts[AMOUNT_COUNT],
		       bool with_run_time, struct fathom_error *error)
{
	for (size_t i = 0; i < AMOUNT_COUNT; i++)
		if ((with_run_time || i != FATHOM_RUN_TIME) &&
		    fathom_tree_set_own_resource(tree, node, (enum fathom_resource)i, amounts[i],
						 error))
			return -1;
	return 0;
}

/* Sets what a node has in the tree: its sums, and what its running jobs hold. See
 * policy_sums.set. */
static int set(struct fathom_tree *tree, size_t node, const struct fathom_sums *sums,
	       const struct fathom_holdings *holdings, struct fathom_error *error)
{
	const double amounts[AMOUNT_COUNT] = {
		[FATHOM_CPU_TIME] = sums->value[FATHOM_SUM_CPU_TIME],
		[FATHOM_RUN_TIME] = holdings->run_time,
		[FATHOM_HIST_RUN_TIME] = sums->value[FATHOM_SUM_HIST_RUN_TIME],
		[FATHOM_COMMITTED_RUN_TIME] = holdings->committed_run_time,
		[FATHOM_JOB_SLOTS] = holdings->job_slots,
		[FATHOM_MEMORY] = holdings->memory,
	};

	return set_amounts(tree, node, amounts, true, error);
}

/* Sets a node as if its jobs had ended: their run time becomes that of finished jobs, which decays,
 * and they hold nothing. A tree without run times stays without, as usage stands for them. See
 * policy_sums.idle. */
static int idle(struct fathom_tree *tree, const struct fathom_tree *from, size_t node, double left,
		struct fathom_error *error)
{
	double run_time = fathom_tree_own_resource(from, node, FATHOM_RUN_TIME);
	double finished = fathom_tree_own_resource(from, node, FATHOM_HIST_RUN_TIME);
	const double amounts[AMOUNT_COUNT] = {	/* all others are 0 */
		[FATHOM_CPU_TIME] = fathom_tree_own_resource(from, node, FATHOM_CPU_TIME) * left,
		[FATHOM_HIST_RUN_TIME] = (run_time + finished) * left,
	};

	if (set_amounts(tree, node, amounts, from->own_resource[FATHOM_RUN_TIME], error))
		return -1;
	return fathom_tree_set_own_resource(tree, node, FATHOM_RESERVED_SLOTS, 0, error);
}

static const struct policy_sums sums = { .half_life = hist_half_life, .accrue = accrue,
					 .hold = hold, .set = set, .idle = idle,
					 .usage_resource = FATHOM_RUN_TIME };

/* ---- the table ---------------------------------------------------------------------- */

#define WEIGHT(setting_name, highest, default_weight, what)                      \
	{ .name = setting_name, .type = FATHOM_NUMBER, .high = highest,          \
	  .standard = default_weight, .unit = "", .meaning = "weight of " what }

static const struct fathom_setting settings[] = {
	[CPU_TIME_FACTOR] = WEIGHT("cpu_time_factor", INFINITY, 0.7, "decayed CPU time, in hours"),
	[RUN_TIME_FACTOR] = WEIGHT("run_time_factor", INFINITY, 0.7, "run time, in hours"),
	[RUN_JOB_FACTOR] = WEIGHT("run_job_factor", INFINITY, 3,
				  "1 + job slots in use and reserved"),
	[COMMITTED_RUN_TIME_FACTOR] = WEIGHT("committed_run_time_factor", 1, 0,
					     "committed run time not yet run"),
	[FAIRSHARE_ADJUSTMENT_FACTOR] = WEIGHT("fairshare_adjustment_factor", INFINITY, 0,
					       "the adjustment"),
	[ENABLE_HIST_RUN_TIME] = { .name = "enable_hist_run_time", .type = FATHOM_SWITCH,
				   .unit = "",
				   .meaning = "run time of finished jobs counts too" },
	[RUN_TIME_DECAY] = { .name = "run_time_decay", .type = FATHOM_SWITCH, .unit = "",
			     .meaning = "whether run time decays while jobs run, if it is added up "
					"from jobs" },
	[HIST_HOURS] = { .name = "hist_hours", .type = FATHOM_NUMBER, .high = INFINITY,
			 .standard = 5, .unit = "hours",
			 .meaning = "hours that leave a tenth of times added up from jobs; 0: no "
				    "decay" },
};

static const struct fathom_column columns[] = {
	[DYNAMIC_PRIORITY] = { "dynamic_priority", "Priority", FATHOM_COLUMN_NUMBER, "shares",
			       "dynamic share priority, compared among siblings" },
	[ORDER] = { "order", "Order", FATHOM_COLUMN_COUNT, "place",
		    "1 + the users who are served before for certain" },
	[STARTED] = { "started", "Started", FATHOM_COLUMN_COUNT, "slots",
		      "slots that jobs use, without reserved ones" },
	[RESERVED] = { "reserved", "Reserved", FATHOM_COLUMN_COUNT, "slots",
		       "slots that are reserved for pending jobs" },
	[CPU_TIME] = { "total_cpu_time", "CpuTime", FATHOM_COLUMN_NUMBER, "seconds",
		       "CPU time, decayed" },
	[RUN_TIME] = { "total_run_time", "RunTime", FATHOM_COLUMN_NUMBER, "seconds",
		       "run time of running and of finished jobs, the latter decayed" },
	[ADJUST] = { "adjust", "Adjust", FATHOM_COLUMN_NUMBER, "any", "fair-share adjustment" },
};

const struct fathom_policy policy_lsf = {
	.name = "lsf",
	.summary = "LSF's dynamic share priority, walked from the top",
	.settings = settings,
	.setting_count = sizeof(settings) / sizeof(*settings),
	.setting_role = { [FAIRSHARE_ADJUSTMENT_FACTOR] = SETTING_ADJUSTMENT_FACTOR },
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(*columns),
	.column_role = {
		[DYNAMIC_PRIORITY] = COLUMN_SIBLING_PRIORITY,
		[ORDER] = COLUMN_PLACE,
	},
	.comparison = &by_priority,
	.needs_shares = needs_shares,
	.places_jobs = places_jobs,
	.takes_user_shares = true,
	.dispatch_priority = dynamic_priority,
	.sums = &sums,
	.scratch_size = scratch_size,
	.evaluate = evaluate,
};
