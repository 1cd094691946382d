/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PBS: the share that an entity was promised, the usage that it is charged with, and
 * 2^(-usage / share) for job_sort_formula; also the order in which PBS's scheduler
 * serves entities.
 * Source: OpenPBS, design of fairshare_perc, fairshare_tree_usage and
 * fairshare_factor (PP-718); its scheduler for what usage starts at and for
 * the comparison of paths.
 */
#include "policy/policy.h"

enum {
	INITIAL_USAGE,
	UNKNOWN_SHARES,
	DECAY_TIME,
	DECAY_FACTOR,
	USAGE_RES,
	ENTITY,
	ENFORCE_NO_SHARES,
};
enum { PERC, TREE_USAGE, FACTOR };

/* ---- usage and shares ------------------------------------------------------ */

/* Fills `usage` under the rule that everybody's usage begins at `initial`: an entity has
 * `initial` until its own usage is greater. An account has `initial` plus the usage of its
 * entities, of which those not above `initial` add nothing. Returns `usage`. */
static const double *usage_from(const struct fathom_tree *tree, double initial, double *usage)
{
	for (size_t node = tree->node_count; node-- > 0;) {
		const double *of_child = usage + tree->first_child[node];
		double sum = tree->own_usage[node];

		for (uint32_t i = 0; i < tree->child_count[node]; i++)
			sum += of_child[i];
		if (tree->kind[node] == FATHOM_USER && sum <= initial)
			sum = 0;
		usage[node] = sum;
	}
	for (size_t node = 0; node < tree->node_count; node++) {
		if (tree->kind[node] == FATHOM_USER)
			usage[node] = fmax(usage[node], initial);
		else
			usage[node] += initial;
	}
	return usage;
}

/* Fills `perc` with normalised shares as if the root had one more child, the group "unknown",
 * with no members. Returns `perc`. */
static const double *share_with_unknown(const struct fathom_tree *tree, double unknown,
					double *perc)
{
	double level_shares = tree->level_shares[0] + unknown;

	perc[0] = 1;
	for (size_t node = 1; node < tree->node_count; node++) {
		uint32_t p = tree->fs_parent[node];

		if (tree_uses_parent_shares(tree, node))
			perc[node] = perc[p];
		else if (p)
			perc[node] = perc[p] * tree->level_share[node];
		else
			perc[node] = tree->raw_shares[node] / level_shares;
	}
	return perc;
}

/* The entity's own usage, plus its share of what the rest of its group has used (OpenPBS:
 * fairshare_tree_usage). */
static double tree_usage(const struct fathom_tree *tree, size_t node, double norm_usage,
			 const double *effective)
{
	uint32_t p = tree->fs_parent[node];

	if (!p)
		return norm_usage;
	if (tree_uses_parent_shares(tree, node))
		return effective[p];
	return norm_usage + (effective[p] - norm_usage) * tree->level_share[node];
}

/* ---- evaluation ------------------------------------------------------------ */

static size_t scratch_size(const struct fathom_tree *tree)
{
	return 2 * tree->node_count * sizeof(double);
}

static void evaluate(const struct fathom_tree *tree, const double *settings,
		     struct fathom_result *result)
{
	double *scratch = result->scratch, *effective = result->effective_usage;
	double *factor = result->factor;

	result->norm_shares = tree->norm_shares;
	if (settings[INITIAL_USAGE] > 0)
		result->usage = usage_from(tree, settings[INITIAL_USAGE], scratch);
	if (settings[UNKNOWN_SHARES] > 0)
		result->norm_shares = share_with_unknown(tree, settings[UNKNOWN_SHARES],
							 scratch + tree->node_count);
	result->norm_usage[0] = policy_norm_usage_of(result->usage, 0);
	effective[0] = 1;
	for (size_t node = 1; node < tree->node_count; node++) {
		double norm_usage = policy_norm_usage_of(result->usage, node);

		result->norm_usage[node] = norm_usage;
		effective[node] = tree_usage(tree, node, norm_usage, effective);
		factor[node] = policy_exponent(tree, node, result->norm_shares[node],
					       effective[node], -1, factor);
	}
	policy_exponentials(tree, factor);
}

static bool needs_shares(const double *settings)
{
	return settings[ENFORCE_NO_SHARES] > 0;
}

/* ---- the scheduler's order -------------------------------------------------- */

/* Returns how many levels lie between a node and the root; 0 for the root. */
static size_t depth(const struct fathom_tree *tree, size_t node)
{
	size_t levels = 0;

	for (; node; node = tree->fs_parent[node])
		levels++;
	return levels;
}

/* Compares two siblings by usage over share. `if_equal` is the result if they are equal. */
static int compare_siblings(const struct fathom_result *result, size_t a, size_t b, int if_equal)
{
	double share_a = result->norm_shares[a], share_b = result->norm_shares[b];
	double ratio_a = result->usage[a] / share_a, ratio_b = result->usage[b] / share_b;

	if (!(share_a > 0) || !(share_b > 0))
		return (share_b > 0) - (share_a > 0);	/* no share: last */
	if (ratio_a == ratio_b)
		return if_equal;
	return ratio_a > ratio_b ? 1 : -1;
}

/* Goes up from both nodes, first to the same depth and then to their common ancestor. The pair
 * nearest to the root that differs decides: it is the last one that the loop compares. */
int fathom_path_compare(const struct fathom_result *result, const struct fathom_tree *tree,
			size_t a, size_t b)
{
	size_t depth_a = depth(tree, a), depth_b = depth(tree, b);
	int order = 0;

	for (; depth_a > depth_b; depth_a--)
		a = tree->fs_parent[a];
	for (; depth_b > depth_a; depth_b--)
		b = tree->fs_parent[b];
	for (; a != b; a = tree->fs_parent[a], b = tree->fs_parent[b])
		order = compare_siblings(result, a, b, order);
	return order;
}

/* ---- what jobs add up to --------------------------------------------------- */

static double step_half_life(const struct fathom_settings *settings, double site)
{
	(void)site;
	return fathom_decay_half_life(settings->value[DECAY_TIME],
				      settings->value[DECAY_FACTOR]);
}

/* Adds what the job's resource (fairshare_usage_res) has grown by since the last stretch, spread
 * evenly over the seconds of this one; a decrease counts as 0. */
static void accrue(const struct fathom_settings *settings, double half_life,
		   const struct fathom_stretch *stretch, double seen, struct fathom_sums *sums)
{
	double grown = stretch->used - stretch->used_before;

	(void)settings;
	if (grown > 0 && stretch->end > stretch->begin)
		sums->value[FATHOM_SUM_USAGE] +=
			stretch->factor * grown / (stretch->end - stretch->begin) *
			fathom_decayed_seconds(stretch->begin, stretch->end, seen, half_life);
}

static const struct policy_sums sums = { .half_life = step_half_life, .accrue = accrue };

/* ---- the table -------------------------------------------------------------- */

static const char *const entities[] = {
	"euser", "egroup", "Account_Name", "queue", "egroup:euser", NULL,
};

static const struct fathom_setting settings[] = {
	[INITIAL_USAGE] = { .name = "initial_usage", .type = FATHOM_NUMBER, .high = INFINITY,
			    .unit = "seconds",
			    .meaning = "usage that everybody starts at; 1 in OpenPBS" },
	[UNKNOWN_SHARES] = { .name = "unknown_shares", .type = FATHOM_INTEGER,
			     .high = FATHOM_SHARES_PARENT - 1, .unit = "",
			     .meaning = "shares of the group of those who are not listed" },
	[DECAY_TIME] = { .name = "fairshare_decay_time", .type = FATHOM_DURATION, .low_open = true,
			 .high = INFINITY, .standard = 86400, .unit = "seconds",
			 .meaning = "time from one step of decay to the next" },
	[DECAY_FACTOR] = { .name = "fairshare_decay_factor", .type = FATHOM_NUMBER,
			   .low_open = true, .high = 1, .high_open = true, .standard = .5,
			   .unit = "", .meaning = "what a step of decay leaves of usage" },
	[USAGE_RES] = { .name = "fairshare_usage_res", .type = FATHOM_FORMULA,
			.standard_formula = "cput", .unit = "",
			.meaning = "resource of a job, or formula of several, that is its usage" },
	[ENTITY] = { .name = "fairshare_entity", .type = FATHOM_CHOICE, .choices = entities,
		     .unit = "", .meaning = "whom a job's usage is charged to" },
	[ENFORCE_NO_SHARES] = { .name = "fairshare_enforce_no_shares", .type = FATHOM_SWITCH,
				.standard = 1, .unit = "",
				.meaning = "jobs of an entity with fairshare_perc 0 never run" },
};

static const struct fathom_column columns[] = {
	[PERC] = { "fairshare_perc", "FairsharePerc", FATHOM_COLUMN_NUMBER, "fraction",
		   "part of the whole that is promised" },
	[TREE_USAGE] = { "fairshare_tree_usage", "FairshareTreeUsage", FATHOM_COLUMN_NUMBER,
			 "fraction", "usage with the siblings' part; more = less deserving" },
	[FACTOR] = { "fairshare_factor", "FairshareFactor", FATHOM_COLUMN_NUMBER, "factor",
		     "2^(-fairshare_tree_usage / fairshare_perc); 0.5 = on target" },
};

const struct fathom_policy policy_pbs = {
	.name = "pbs",
	.summary = "PBS's fairshare_factor: 2^(-fairshare_tree_usage / fairshare_perc)",
	.settings = settings,
	.setting_count = sizeof(settings) / sizeof(*settings),
	.setting_role = {
		[UNKNOWN_SHARES] = SETTING_UNKNOWN_SHARES,
		[ENTITY] = SETTING_ENTITY,
	},
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(*columns),
	.column_role = {
		[PERC] = COLUMN_NORM_SHARES,
		[TREE_USAGE] = COLUMN_EFFECTIVE_USAGE,
		[FACTOR] = COLUMN_FACTOR,
	},
	.sums = &sums,
	.needs_shares = needs_shares,
	.scratch_size = scratch_size,
	.evaluate = evaluate,
};
