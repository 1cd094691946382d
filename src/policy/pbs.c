/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PBS: the share that an entity was promised, the usage that it is charged with, and
 * 2^(-usage / share) for job_sort_formula; also the order in which PBS's scheduler
 * serves entities (order=path). Two groups with half of the shares each, whose entities have
 * equal shares:
 *
 *	entity	group	used	promised	usage that counts	factor
 *	ada	physics	30	0.25		0.3 + (0.4 - 0.3) / 2	2^(-0.35 / 0.25)
 *	bob	physics	10	0.25		0.1 + (0.4 - 0.1) / 2	2^(-0.25 / 0.25)
 *	cleo	biology	60	0.5		0.6			2^(-0.6 / 0.5)
 *
 * 0.4 and 0.6 are what the groups have used, of the whole.
 * Source: OpenPBS, design of fairshare_perc, fairshare_tree_usage and
 * fairshare_factor (PP-718); its scheduler for what usage starts at and for
 * the comparison of paths.
 */
#include "policy/policy.h"

#include "policy/sort.h"

#define TIE_TOLERANCE 1e-12	/* relative; rounding makes ratios differ that are equal */

enum { INITIAL_USAGE, UNKNOWN_SHARES, DECAY_TIME, DECAY_FACTOR, USAGE_RES, ENTITY,
       ENFORCE_NO_SHARES, ORDER };				/* settings */
enum { PERC, TREE_USAGE, FACTOR, USAGE_PERC };			/* columns */

/* ---- usage and shares ------------------------------------------------------ */

/* Fills `usage` under the rule that everybody's usage begins at `initial`: an entity has
 * `initial` until its own usage is greater. An account has `initial` plus the usage of its
 * entities, of which those not above `initial` add nothing. Returns `usage`. */
static const double *usage_from(const struct fathom_tree *tree, double initial, double *usage)
{
	for (size_t node = tree->node_count; node-- > 0;) {
		const double *child_usage = usage + tree->first_child[node];
		double sum = tree->own_usage[node];

		for (uint32_t i = 0; i < tree->child_count[node]; i++)
			sum += child_usage[i];
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
 * with `unknown` shares and no members. Returns `perc`. */
static const double *share_with_unknown(const struct fathom_tree *tree, double unknown,
					double *perc)
{
	double level_shares = tree->level_shares[0] + unknown;

	perc[0] = 1;
	for (size_t node = 1; node < tree->node_count; node++) {
		uint32_t fs_parent = tree->fs_parent[node];

		if (tree_uses_parent_shares(tree, node))
			perc[node] = perc[fs_parent];
		else if (fs_parent)
			perc[node] = perc[fs_parent] * tree->level_share[node];
		else	/* a child of the root competes with "unknown" */
			perc[node] = tree->raw_shares[node] / level_shares;
	}
	return perc;
}

/* ---- the scheduler's order -------------------------------------------------- */

/* Returns how many levels a node is below the root, by fs parents; 0 for the root. */
static size_t depth(const struct fathom_tree *tree, size_t node)
{
	size_t levels = 0;

	for (; node; node = tree->fs_parent[node])
		levels++;
	return levels;
}

/* Compares two siblings by usage over share, the least first. Returns less than 0 if `a` goes
 * first, more than 0 if `b` does, 0 if both lack shares, `if_equal` if their figures are equal. */
static int compare_siblings(const struct fathom_result *result, size_t a, size_t b, int if_equal)
{
	bool has_a = result->norm_shares[a] > 0, has_b = result->norm_shares[b] > 0;
	double ratio_a = result->column[USAGE_PERC][a], ratio_b = result->column[USAGE_PERC][b];

	if (!has_a || !has_b)
		return has_b - has_a;	/* a node without a share goes last */
	if (fabs(ratio_a - ratio_b) <= TIE_TOLERANCE * fmax(ratio_a, ratio_b))
		return if_equal;
	return ratio_a > ratio_b ? 1 : -1;
}

/* Goes up from both nodes, first to the same depth and then to their common ancestor. The pair
 * nearest to the root that differs decides: it is the last one that the loop compares. Without
 * one, the shorter path goes first. */
int fathom_path_compare(const struct fathom_result *result, const struct fathom_tree *tree,
			size_t a, size_t b)
{
	size_t depth_a = depth(tree, a), depth_b = depth(tree, b);
	int order = (depth_a > depth_b) - (depth_a < depth_b);

	for (; depth_a > depth_b; depth_a--)
		a = tree->fs_parent[a];
	for (; depth_b > depth_a; depth_b--)
		b = tree->fs_parent[b];
	for (; a != b; a = tree->fs_parent[a], b = tree->fs_parent[b])
		order = compare_siblings(result, a, b, order);
	return order;
}

/* Merges two sorted lists of nodes, from[0] to from[middle - 1] and from[middle] to
 * from[count - 1], into `to`. */
static void merge(const struct fathom_result *result, const struct fathom_tree *tree,
		  const uint32_t *from, size_t middle, size_t count, uint32_t *to)
{
	size_t left = 0, right = middle;

	for (size_t i = 0; i < count; i++) {
		bool take_right = left == middle ||
				  (right < count && fathom_path_compare(result, tree, from[right],
									from[left]) < 0);

		to[i] = from[take_right ? right++ : left++];
	}
}

/* Sorts nodes by their paths, stably, by merging runs whose width doubles. spare: room for `count`
 * nodes. Returns the array that has the sorted nodes: `nodes` or `spare`. An evaluation must not
 * allocate, as qsort() may. */
static uint32_t *sort_by_path(const struct fathom_result *result, const struct fathom_tree *tree,
			      uint32_t *nodes, uint32_t *spare, size_t count)
{
	for (size_t width = 1; width < count; width *= 2) {
		uint32_t *sorted = spare;

		for (size_t start = 0; start < count; start += 2 * width) {
			size_t rest = count - start;

			merge(result, tree, nodes + start, width < rest ? width : rest,
			      2 * width < rest ? 2 * width : rest, sorted + start);
		}
		spare = nodes;
		nodes = sorted;
	}
	return nodes;
}

/* Sets factors by place: the first of N users has the factor 1, the last 1/N; equal users share the
 * better one. nodes: room for twice all nodes. */
static void rank_by_path(const struct fathom_tree *tree, struct fathom_result *result,
			 uint32_t *nodes)
{
	size_t users = 0, before = 0;	/* before: the number of users before the present one */

	for (size_t node = 0; node < tree->node_count; node++) {
		result->factor[node] = NAN;
		if (tree->kind[node] == FATHOM_USER)
			nodes[users++] = (uint32_t)node;
	}
	nodes = sort_by_path(result, tree, nodes, nodes + tree->node_count, users);
	for (size_t i = 0; i < users; i++) {
		if (i && fathom_path_compare(result, tree, nodes[i - 1], nodes[i]))
			before = i;
		result->factor[nodes[i]] = (double)(users - before) / (double)users;
	}
}

/* ---- evaluation ------------------------------------------------------------ */

/* The scratch memory has room for two columns, usage and normalised shares, which
 * entity_figures_copy() uses, too; and behind them for two lists, first of all nodes and then of
 * users, which are sorted. */
static size_t scratch_size(const struct fathom_tree *tree)
{
	return tree->node_count * 2 * (sizeof(double) + sizeof(struct sort_item));
}

/* Returns whether factors follow from places by path (order=path). */
static bool is_by_path(const double *settings)
{
	return settings[ORDER] > 0;
}

/* Gives nodes whose figures differ by rounding alone the same figure: neighbours in the order of
 * figures. Without it, a could tie with b, and b with c, but not a with c, which is no order to
 * sort by. Nodes of all levels are sorted as one, as paths with a tie go on to nodes of different
 * groups. items: room for twice all nodes. */
static void join_ties(const struct fathom_tree *tree, double *figure, struct sort_item *items)
{
	for (size_t node = 0; node < tree->node_count; node++)
		items[node] = (struct sort_item){ .key = figure[node], .node = (uint32_t)node };
	sort_descending(items, items + tree->node_count, tree->node_count);
	for (size_t i = 1; i < tree->node_count; i++) {
		double greater = items[i - 1].key, less = items[i].key;

		/* INFINITY: without a share */
		if (isfinite(greater) && greater - less <= TIE_TOLERANCE * greater)
			figure[items[i].node] = figure[items[i - 1].node];
	}
}

/* Fills the column usage_perc: usage over share, INFINITY without a share. */
static void fill_usage_perc(const struct fathom_tree *tree, struct fathom_result *result)
{
	for (size_t node = 0; node < tree->node_count; node++) {
		double perc = result->norm_shares[node];

		result->column[USAGE_PERC][node] = perc > 0 ? result->usage[node] / perc : INFINITY;
	}
}

/* Fills usage and shares as PBS counts them, then exponents in one sweep from the root down, then
 * factors: the powers, or places by path. */
static void evaluate(const struct fathom_tree *tree, const double *settings,
		     struct fathom_result *result)
{
	const bool empty_is_account = false;
	double *scratch = result->scratch;
	void *lists = scratch + 2 * tree->node_count;

	result->norm_shares = tree->norm_shares;
	if (settings[INITIAL_USAGE] > 0)
		result->usage = usage_from(tree, settings[INITIAL_USAGE], scratch);
	if (settings[UNKNOWN_SHARES] > 0)
		result->norm_shares = share_with_unknown(tree, settings[UNKNOWN_SHARES],
							 scratch + tree->node_count);
	policy_sweep(tree, -1, empty_is_account, result);
	fill_usage_perc(tree, result);
	if (is_by_path(settings)) {
		join_ties(tree, result->column[USAGE_PERC], lists);
		rank_by_path(tree, result, lists);
	} else {
		policy_exponentials(tree, result->factor);
	}
}

#define BY_FACTOR                                                                       \
	.figure = FIGURE_RATIO, .column = POLICY_HAS_NONE, .less_is_better = true,      \
	.name = "Used/Share",                                                           \
	.meaning = "usage, with a part of that of the groups above, over the share"

/* By path, users are compared as PBS's scheduler does; else by usage over share, which also counts
 * the usage that everybody starts with. */
static const struct policy_comparison *choose_comparison(const double *settings)
{
	static const struct policy_comparison by_path = {
		.is_walked = true, .figure = FIGURE_PLAIN, .column = USAGE_PERC,
		.less_is_better = true, .name = "UsagePerc",
		.meaning = "usage in seconds over the part of the whole that is promised",
	};
	static const struct policy_comparison by_factor = { BY_FACTOR };
	static const struct policy_comparison from_initial = { BY_FACTOR, .has_offset = true };

	if (is_by_path(settings))
		return &by_path;
	return settings[INITIAL_USAGE] > 0 ? &from_initial : &by_factor;
}

/* See fathom_policy.needs_shares. */
static bool needs_shares(const double *settings)
{
	return settings[ENFORCE_NO_SHARES] > 0;
}

/* ---- what jobs add up to --------------------------------------------------- */

/* See policy_sums.half_life: that of even decay which gives the same at each step. */
static double step_half_life(const struct fathom_settings *settings)
{
	return fathom_decay_half_life(settings->value[DECAY_TIME], settings->value[DECAY_FACTOR]);
}

/* See policy_sums.steps. */
static struct policy_steps steps(const struct fathom_settings *settings)
{
	return (struct policy_steps){ settings->value[DECAY_TIME], settings->value[DECAY_FACTOR] };
}

/* See policy_sums.accrue. Adds what the job's resource (fairshare_usage_res) has grown by since the
 * last stretch, spread evenly over the seconds of this one; a decrease counts as 0. */
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

static const struct policy_sums sums = { .half_life = step_half_life, .steps = steps,
					 .accrue = accrue };

/* ---- the table -------------------------------------------------------------- */

static const char *const entities[] = {
	[ENTITY_EUSER] = "euser", [ENTITY_EGROUP] = "egroup",
	[ENTITY_ACCOUNT_NAME] = "Account_Name", [ENTITY_QUEUE] = "queue",
	[ENTITY_EGROUP_EUSER] = "egroup:euser", NULL,
};

static const char *const orders[] = { "factor", "path", NULL };

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
	[ORDER] = { .name = "order", .type = FATHOM_CHOICE, .choices = orders, .unit = "",
		    .meaning = "what a factor is: fairshare_factor, or the place by path" },
};

static const struct fathom_column columns[] = {
	[PERC] = { "fairshare_perc", "FairsharePerc", FATHOM_COLUMN_NUMBER, "fraction",
		   "part of the whole that is promised" },
	[TREE_USAGE] = { "fairshare_tree_usage", "FairshareTreeUsage", FATHOM_COLUMN_NUMBER,
			 "fraction", "usage with the siblings' part; more = less deserving" },
	[FACTOR] = { "fairshare_factor", "FairshareFactor", FATHOM_COLUMN_NUMBER, "factor",
		     "2^(-fairshare_tree_usage / fairshare_perc), 0.5 = on target; with "
		     "order=path the place, as FairShare" },
	[USAGE_PERC] = { "usage_perc", "UsagePerc", FATHOM_COLUMN_NUMBER, "seconds",
			 "usage over fairshare_perc, by which siblings are compared" },
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
		[USAGE_PERC] = COLUMN_OPTIONAL,
	},
	.shows_optional = is_by_path,
	.choose_comparison = choose_comparison,
	.sums = &sums,
	.needs_shares = needs_shares,
	.scratch_size = scratch_size,
	.evaluate = evaluate,
};
