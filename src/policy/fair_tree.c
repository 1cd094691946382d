/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fair Tree ranks users by a depth-first walk. Among siblings, the walk visits the one with
 * the greatest level fair share first, so that each user of a better account comes before
 * all users of a worse account. Level fair share is a node's part of its siblings' shares
 * over its part of their usage.
 *
 *	account  shares usage  level fair share    user  shares usage  level fs   rank
 *	    A      1     10    (1/2)/(10/40) = 2    a1     1     8   (1/2)/(8/10)   2
 *	                                            a2     1     2   (1/2)/(2/10)   1
 *	    B      1     30    (1/2)/(30/40) = 2/3  b1     1     30        1        3
 *
 * The factor of the user with rank r of n is (n - r + 1) / n: 2/3, 1, 1/3.
 *
 * Accounts with equal level fair share are a tie: the walk visits them together, as if all
 * their children were siblings. Users that tie get the same rank. The tie mode says which
 * values count as equal, and what Slurm's and Flux's own programs do differently.
 * Source: Slurm, "Fair Tree Fairshare Algorithm"; flux-accounting's weighted
 * tree for tie_mode=flux.
 */
#include "policy/fair_tree.h"

#include "policy/sort.h"

#include <math.h>
#include <string.h>

enum { TIE_MODE };

#define TIE_TOLERANCE 1e-12	/* relative; rounding makes ratios differ that are equal */
/* Source: flux-accounting, its weighted tree. */
#define FLUX_EPSILON 0x1p-52		/* greatest difference of equal weights */
#define FLUX_NO_USAGE 1e-9		/* usage below this counts as none */

/* A list of siblings that the walk is in the middle of. */
struct frame {
	size_t first, end;	/* the list: walk.list[first] to walk.list[end - 1] */
	size_t at;		/* index in walk.list of the next sibling to visit */
	bool tied;		/* the first sibling ties with the node visited before it */
};

/* The state of the walk. `list` holds the lists of siblings one behind the other. Every node
 * except the root is in exactly one of them, so `list` never overflows. */
struct walk {
	const struct fathom_tree *tree;
	enum tie_mode mode;
	struct sort_item *level;	/* all nodes, in the order of tree->level_member */
	struct sort_item *list, *spare;	/* spare: room for sorting */
	size_t list_end;		/* number of items in `list` */
	struct frame *frame;		/* a stack; the last frame is the deepest */
	size_t depth;			/* number of frames */
	const double *level_usage;	/* by node: usage over the fs parent's usage */
	double *level_fs, *rank;	/* columns to fill */
	double next_rank;		/* number of users visited, plus 1 */
	double tied_rank;		/* rank of the user visited last */
	double no_usage;		/* usage below this counts as none, see FLUX_NO_USAGE */
};

/* ---- level fair share ------------------------------------------------------ */

/* Sets key and rest of an item for TIE_SLURM: Slurm's plugin divides in long double and compares
 * all its digits for ties. `rest` keeps the digits that a double loses, as a fraction of the key.
 * usage: above 0. */
static void slurm_level_fs(double share, double usage, double parent_usage, struct sort_item *item)
{
	long double level_fs = share / ((long double)usage / parent_usage);

	item->key = (double)level_fs;
	item->rest = isinf(item->key) ? 0 : (float)((level_fs - item->key) / item->key);
}

/* Returns level fair share. share, level_usage: a node's parts of its siblings' shares and usage;
 * usage: its usage. Without usage it is INFINITY, by the division, or for Flux
 * LEVEL_FS_WITHOUT_USAGE. A table takes the place of a branch, which would be mispredicted often,
 * as idle users stand between active ones. */
static double level_fs_of(const struct walk *walk, double share, double level_usage, double usage)
{
	const double level_fs[] = { share / level_usage, LEVEL_FS_WITHOUT_USAGE };

	return level_fs[usage < walk->no_usage];
}

/* Returns a node with its level fair share, as siblings are sorted by it. */
static struct sort_item level_item(const struct walk *walk, uint32_t node)
{
	const struct fathom_tree *tree = walk->tree;
	double share = tree->level_share[node], level_usage = walk->level_usage[node];
	struct sort_item item = { .node = node };

	item.key = level_fs_of(walk, share, level_usage, tree->usage[node]);
	if (tree_uses_parent_shares(tree, node))
		item.key = INFINITY;
	else if (!(share > 0))
		item.key = 0;
	else if (walk->mode == TIE_SLURM && level_usage > 0)
		slurm_level_fs(share, tree->usage[node], tree->usage[tree->fs_parent[node]], &item);
	return item;
}

/* Fills `level` and the column LevelFS. This is done before the walk, because here nodes are
 * read in the order in which they lie in memory. */
static void prepare_levels(struct walk *walk)
{
	const struct fathom_tree *tree = walk->tree;
	size_t last = tree->node_count - 1;
	size_t count = tree->level_first[last] + tree->level_count[last];

	for (size_t i = 0; i < count; i++) {
		walk->level[i] = level_item(walk, tree->level_member[i]);
		walk->level_fs[walk->level[i].node] = walk->level[i].key;
	}
}

/* Returns whether two siblings tie, by the rule of the tie mode. */
static bool is_tie(const struct walk *walk, const struct sort_item *a, const struct sort_item *b)
{
	double greater = a->key > b->key ? a->key : b->key;
	double difference = fabs(a->key - b->key);

	if (a->key == b->key)
		return a->rest == b->rest;
	if (walk->mode == TIE_SLURM || isinf(greater))
		return false;
	if (walk->mode == TIE_FLUX)
		return difference < FLUX_EPSILON * (greater > 1 ? greater : 1);
	return difference <= TIE_TOLERANCE * greater;
}

/* ---- the walk -------------------------------------------------------------- */

static bool is_user(const struct walk *walk, const struct sort_item *item)
{
	return walk->tree->kind[item->node] == FATHOM_USER;
}

/* Puts the users of a tie of `count` siblings before its accounts; both keep their order. */
static void put_users_first(struct walk *walk, struct sort_item *tie, size_t count)
{
	size_t users = 0, accounts = 0;

	for (size_t i = 0; i < count; i++) {
		if (is_user(walk, &tie[i]))
			tie[users++] = tie[i];
		else
			walk->spare[accounts++] = tie[i];
	}
	for (size_t i = 0; i < accounts; i++)
		tie[users + i] = walk->spare[i];
}

/* Sorts siblings into the order in which they are visited: the greatest level fair share first, in
 * each tie users before accounts. */
static void sort_siblings(struct walk *walk, struct sort_item *list, size_t count)
{
	size_t end;

	sort_descending(list, walk->spare, count);
	for (size_t start = 0; start < count; start = end) {
		end = start + 1;
		while (end < count && is_tie(walk, &list[end - 1], &list[end]))
			end++;
		if (end > start + 1)
			put_users_first(walk, list + start, end - start);
	}
}

/* Adds the children of an account to the end of `list`. */
static void add_children(struct walk *walk, uint32_t account)
{
	const struct fathom_tree *tree = walk->tree;
	size_t count = tree->level_count[account];

	memcpy(walk->list + walk->list_end, walk->level + tree->level_first[account],
	       count * sizeof(*walk->list));
	walk->list_end += count;
}

/* Pushes a frame: the nodes from list[first] to the end of `list` are the siblings that are visited
 * next. tied: their account ties with the node visited before it. */
static void enter(struct walk *walk, size_t first, bool tied)
{
	sort_siblings(walk, walk->list + first, walk->list_end - first);
	walk->frame[walk->depth++] = (struct frame){ .first = first, .at = first,
						     .end = walk->list_end, .tied = tied };
}

/* Ranks the next sibling of the frame, a user. Users that tie have the rank of the first of them:
 * 1, 2, 2, 4. tied: with the node visited before it. */
static void visit_user(struct walk *walk, struct frame *frame, bool tied)
{
	uint32_t node = walk->list[frame->at++].node;

	if (!tied)
		walk->tied_rank = walk->next_rank;
	walk->rank[node] = walk->tied_rank;
	walk->next_rank++;
}

/* Visits the next sibling of the frame, an account, together with the accounts that tie with it:
 * their children are merged into one list. Slurm's plugin does not merge them. tied: with the node
 * visited before it. */
static void visit_accounts(struct walk *walk, struct frame *frame, bool tied)
{
	size_t first = walk->list_end;
	const struct sort_item *list = walk->list;

	do
		add_children(walk, list[frame->at++].node);
	while (walk->mode != TIE_SLURM && frame->at < frame->end &&
	       !is_user(walk, &list[frame->at]) &&
	       is_tie(walk, &list[frame->at - 1], &list[frame->at]));
	enter(walk, first, tied);
}

/* Returns whether the next sibling of the frame ties with the node visited before it. */
static bool is_tied(const struct walk *walk, const struct frame *frame)
{
	const struct sort_item *item = &walk->list[frame->at];

	if (frame->at == frame->first)
		return frame->tied;
	if (walk->mode == TIE_FLUX && is_user(walk, item) != is_user(walk, item - 1))
		return false;
	return is_tie(walk, item - 1, item);
}

/* Ranks all users. The walk has a stack of its own, because a tree may be too deep for
 * recursion. */
static void walk_tree(struct walk *walk)
{
	const bool tied = false;	/* no node was visited before */

	add_children(walk, 0);
	enter(walk, 0, tied);
	while (walk->depth) {
		struct frame *frame = &walk->frame[walk->depth - 1];

		if (frame->at == frame->end)
			walk->depth--;
		else if (is_user(walk, &walk->list[frame->at]))
			visit_user(walk, frame, is_tied(walk, frame));
		else
			visit_accounts(walk, frame, is_tied(walk, frame));
	}
}

/* ---- evaluation ------------------------------------------------------------ */

size_t fair_tree_scratch_size(const struct fathom_tree *tree)
{
	size_t accounts = tree->node_count - tree->user_count;

	return 3 * tree->node_count * sizeof(struct sort_item) +
	       (accounts + 1) * sizeof(struct frame);
}

/* Fills the columns of usage, and sets the others to NAN for nodes that the walk does not
 * reach. */
static void fill_usage(const struct fathom_tree *tree, struct fathom_result *result)
{
	policy_norm_usage(tree, result->norm_usage);
	for (size_t node = 0; node < tree->node_count; node++) {
		double parent_usage = tree->usage[tree->fs_parent[node]];

		result->effective_usage[node] =
			parent_usage > 0 ? tree->usage[node] / parent_usage : 0;
		result->column[FAIR_TREE_LEVEL_FS][node] = NAN;
		result->column[FAIR_TREE_RANK][node] = NAN;
	}
	result->effective_usage[0] = 1;
}

/* Fills the factors: the best of N users has 1, the last 1/N. Accounts have neither rank nor
 * factor, both are NAN. */
static void fill_factors(const struct walk *walk, double *factor)
{
	double users = (double)walk->tree->user_count;

	for (size_t node = 0; node < walk->tree->node_count; node++)
		factor[node] = (users - walk->rank[node] + 1) / users;
}

void fair_tree_evaluate(const struct fathom_tree *tree, enum tie_mode mode,
			struct fathom_result *result)
{
	struct sort_item *items = result->scratch;
	struct walk walk = {
		.tree = tree,
		.mode = mode,
		.level = items,
		.list = items + tree->node_count,
		.spare = items + 2 * tree->node_count,
		.frame = (struct frame *)(items + 3 * tree->node_count),
		.level_usage = result->effective_usage,
		.level_fs = result->column[FAIR_TREE_LEVEL_FS],
		.rank = result->column[FAIR_TREE_RANK],
		.next_rank = 1,
		.tied_rank = 1,
		.no_usage = mode == TIE_FLUX ? FLUX_NO_USAGE : 0,
	};

	result->norm_shares = tree->level_share;
	fill_usage(tree, result);
	prepare_levels(&walk);
	walk_tree(&walk);
	fill_factors(&walk, result->factor);
}

const struct policy_comparison fair_tree_comparison = {
	.is_walked = true, .figure = FIGURE_INVERSE_RATIO, .column = FAIR_TREE_LEVEL_FS,
	.name = "LevelFS",
	.meaning = "the part of the siblings' shares over the part of their usage",
};

static void evaluate(const struct fathom_tree *tree, const double *settings,
		     struct fathom_result *result)
{
	fair_tree_evaluate(tree, (enum tie_mode)settings[TIE_MODE], result);
}

static const char *const tie_modes[] = {
	[TIE_DOCUMENTED] = "documented", [TIE_SLURM] = "slurm", [TIE_FLUX] = "flux", NULL,
};

static const struct fathom_setting settings[] = {
	[TIE_MODE] = { .name = "tie_mode", .type = FATHOM_CHOICE, .choices = tie_modes,
		       .standard = TIE_DOCUMENTED, .unit = "",
		       .meaning = "what becomes of siblings with equal level fair share" },
};

const struct fathom_column fair_tree_columns[FAIR_TREE_COLUMN_COUNT] = {
	[FAIR_TREE_LEVEL_FS] = { "level_fs", "LevelFS", FATHOM_COLUMN_NUMBER, "ratio",
				 "share of the siblings' shares over share of their usage; "
				 "1 = on target" },
	[FAIR_TREE_RANK] = { "rank", "Rank", FATHOM_COLUMN_COUNT, "place",
			     "1 = the best; ties share one" },
};

const struct fathom_policy policy_fair_tree = {
	.name = "fair-tree",
	.alias = "fair_tree",
	.summary = "users ranked account by account, the best account first",
	.flag = FLAG_FAIR_TREE,
	.settings = settings,
	.setting_count = sizeof(settings) / sizeof(*settings),
	.setting_role = { [TIE_MODE] = SETTING_TIE_MODE },
	.columns = fair_tree_columns,
	.column_count = FAIR_TREE_COLUMN_COUNT,
	.column_role = FAIR_TREE_COLUMN_ROLES,
	.comparison = &fair_tree_comparison,
	.scratch_size = fair_tree_scratch_size,
	.evaluate = evaluate,
};
