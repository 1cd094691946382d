/* SPDX-License-Identifier: GPL-2.0-or-later */
/* semantics.md section 5: the policy of PBS and its scheduler's order. */
#include "../unit.h"

#define P1 "group1 40 (bob 50/100, cathy 50/100), group2 60 (suzy 60/0, scott 40/1000)"
#define PBSFS "initial_usage=1"		/* what OpenPBS itself starts at */

static const struct {
	const char *tree, *setting, *node;
	double perc, usage, tree_usage, factor;
} vectors[] = {
	/* P1, as the document computes it */
	{ P1, NULL, "root", 1, 1200, 1, NAN },
	{ P1, NULL, "group1", .4, 200, 0.166666667, 0.749153538 },
	{ P1, NULL, "bob", .2, 100, .125, 0.648419777 },
	{ P1, NULL, "cathy", .2, 100, .125, 0.648419777 },
	{ P1, NULL, "group2", .6, 1000, 0.833333333, 0.381858783 },
	{ P1, NULL, "suzy", .36, 0, .5, 0.381858783 },
	{ P1, NULL, "scott", .24, 1000, 0.833333333, 0.090106674 },
	/* and as pbsfs shows it */
	{ P1, PBSFS, "root", 1, 1201, 1, NAN },
	{ P1, PBSFS, "group1", .4, 201, 0.167360533, 0.748253314 },
	{ P1, PBSFS, "bob", .2, 100, 0.125312240, 0.647718475 },
	{ P1, PBSFS, "cathy", .2, 100, 0.125312240, 0.647718475 },
	{ P1, PBSFS, "group2", .6, 1001, 0.833472107, 0.381797569 },
	{ P1, PBSFS, "suzy", .36, 1, 0.500416320, 0.381552813 },
	{ P1, PBSFS, "scott", .24, 1000, 0.832972523, 0.090200620 },
	/* an entity that is still at the start, or was never above it, adds nothing */
	{ "A 1 (a 1/10, b 1/4)", "initial_usage=4", "root", 1, 14, 1, NAN },
	{ "A 1 (a 1/10, b 1/4)", "initial_usage=4", "A", 1, 14, 1, .5 },
	{ "A 1 (a 1/10, b 1/4)", "initial_usage=4", "b", .5, 4, 9 / 14., 0.410167678 },
	{ "A 1 (a 1/10, b 1/5)", "initial_usage=4", "A", 1, 19, 1, .5 },
	{ "A 1 (a 1/10, b 1/3)", "initial_usage=4", "b", .5, 4, 9 / 14., 0.410167678 },
	/* what deleted entities have left counts for their account */
	{ "/7; A 1/5 (a 1/10), b 1/0", "initial_usage=2", "A", .5, 17, 17 / 24., 0.374576769 },
	{ "/7; A 1/5 (a 1/10), b 1/0", "initial_usage=2", "root", 1, 24, 1, NAN },
	/* nobody has used anything */
	{ "A 1 (a 1, b 0), c 3", NULL, "a", .25, 0, 0, 1 },
	{ "A 1 (a 1, b 0), c 3", NULL, "b", 0, 0, 0, 0 },
	{ "a 1, b 1", PBSFS, "a", .5, 1, 1, .25 },
	/* entities of the root: their own usage alone */
	{ "a 1/10, b 3/30", NULL, "a", .25, 10, .25, .5 },
	/* an only zero share: the entity's own usage, where classic takes the group's */
	{ "A 1 (a 0/10, b 0/0), c 3/30", NULL, "a", 0, 10, .25, 0 },
	{ "A 1 (a 0/10, b 0/0), c 3/30", NULL, "b", 0, 0, 0, 0 },
	{ "A 1 (B 0/10 (a 1/10)), c 1/20", NULL, "a", 0, 10, .5, 0 },
	/* below a group without shares the fraction stays */
	{ "A 0 (a 1/10, b 1/0), c 1/10", NULL, "a", 0, 10, .5, 0 },
	{ "A 0 (a 1/10, b 1/0), c 1/10", NULL, "b", 0, 0, .25, 0 },
	/* any depth */
	{ "A 1 (B 1 (C 1 (D 1 (a 1/10, b 3/10))))", NULL, "a", .25, 10, .625, 0.176776695 },
	/* "parent", which PBS does not know, as in classic */
	{ UNIT_C2, NULL, "u1", .15, 100, .3125, 0.235968578 },
	{ UNIT_C2, NULL, "u2", .6, 50, .5, 0.561231024 },
	{ UNIT_C2, NULL, "P", .6, 150, .5, 0.561231024 },
	{ UNIT_C2, NULL, "u5", 1, 0, 0, .5 },
	/* the group of those that are not listed has its shares of the whole */
	{ P1, "unknown_shares=100", "root", 1, 1200, 1, NAN },
	{ P1, "unknown_shares=100", "group1", .2, 200, 0.166666667, 0.561231024 },
	{ P1, "unknown_shares=100", "bob", .1, 100, .125, 0.420448208 },
	{ "A 0 (a 1/10), u parent/0", "unknown_shares=5", "a", 0, 10, 1, 0 },
	{ "A 0 (a 1/10), u parent/0", "unknown_shares=5", "u", 1, 0, 0, .5 },
	{ "A 5 (P parent (a 1/1, b 3/1)), c 5/2", "unknown_shares=10", "b", .1875, 1, .4375,
	  0.198425131 },
	/* what is about jobs changes nothing here */
	{ P1, "fairshare_decay_factor=0.9", "scott", .24, 1000, 0.833333333, 0.090106674 },
	{ P1, "fairshare_enforce_no_shares=no", "scott", .24, 1000, 0.833333333, 0.090106674 },
};

TEST_EACH(figures_are_the_documents, vectors)
{
	struct unit_tree given = unit_tree_read(vectors[_i].tree);
	const char *name = vectors[_i].node;
	size_t node = unit_node(&given, name);
	struct fathom_result *result = unit_evaluate(given.tree, "pbs", vectors[_i].setting);

	unit_assert_near(fathom_result_norm_shares(result)[node], vectors[_i].perc, "perc", name);
	unit_assert_near(fathom_result_usage(result)[node], vectors[_i].usage, "usage", name);
	unit_assert_near(fathom_result_norm_usage(result)[node],
			 fmin(vectors[_i].usage / fmax(fathom_result_usage(result)[0], 1e-300), 1),
			 "U", name);
	unit_assert_near(fathom_result_effective_usage(result)[node], vectors[_i].tree_usage,
			 "tree_usage", name);
	unit_assert_near(fathom_result_factor(result)[node], vectors[_i].factor, "factor", name);
}

TEST(pbs_has_names_of_its_own_for_common_columns)
{
	struct unit_tree given = unit_tree_read(P1);
	struct fathom_result *result = unit_evaluate(given.tree, "pbs", PBSFS);

	ck_assert_ptr_eq(unit_column(result, "pbs", "fairshare_perc"),
			 fathom_result_norm_shares(result));
	ck_assert_ptr_eq(unit_column(result, "pbs", "fairshare_tree_usage"),
			 fathom_result_effective_usage(result));
	ck_assert_ptr_eq(unit_column(result, "pbs", "fairshare_factor"),
			 fathom_result_factor(result));
}

/* What a setting put in the tree's place is gone in the next evaluation. */
TEST(settings_of_before_leave_nothing)
{
	struct unit_tree given = unit_tree_read(P1);
	const struct fathom_policy *policy = fathom_policy_find("pbs");
	struct fathom_settings standard = fathom_settings_standard(policy);
	struct fathom_result *result = unit_evaluate(given.tree, "pbs", PBSFS);

	ck_assert(fathom_result_usage(result)[0] == 1201);
	fathom_evaluate(result, given.tree, &standard);
	ck_assert(fathom_result_usage(result)[0] == 1200);
	unit_assert_near(fathom_result_factor(result)[unit_node(&given, "scott")], 0.090106674,
			 "factor", "scott");
}

static const struct { const char *tree, *setting, *a, *b; int order; } orders[] = {
	{ P1, PBSFS, "group1", "group2", -1 },	/* 502.5 before 1668.33 */
	{ P1, PBSFS, "bob", "suzy", -1 },	/* so does bob, with 500 over 2.78 */
	{ P1, PBSFS, "bob", "scott", -1 },
	{ P1, PBSFS, "bob", "cathy", 0 },
	{ P1, PBSFS, "suzy", "scott", -1 },
	{ P1, PBSFS, "bob", "bob", 0 },
	/* the shorter path ends it and goes first */
	{ P1, PBSFS, "group1", "bob", -1 },
	{ P1, PBSFS, "root", "bob", -1 },
	{ P1, PBSFS, "group2", "bob", 1 },
	{ "A 1 (B 1 (a 1/10)), c 1/5", NULL, "a", "c", 1 },
	{ "A 1 (B 1 (a 1/5)), c 1/5", NULL, "a", "c", 1 },
	{ "A 1 (B 1 (a 1/5)), c 1/5", NULL, "A", "c", 0 },
	/* equal groups: the next pair */
	{ "A 1 (a 1/10, b 1/20), B 1 (c 1/15, d 1/15)", NULL, "a", "c", -1 },
	{ "A 1 (a 1/10, b 1/20), B 1 (c 1/15, d 1/15)", NULL, "b", "c", 1 },
	{ "A 1 (E 1 (a 1/9, b 2/9)), B 1 (F 1 (c 1/9, d 2/9))", NULL, "a", "d", 1 },
	{ "A 1 (E 1 (a 1/9, b 2/9)), B 1 (F 1 (c 1/9, d 2/9))", NULL, "b", "c", -1 },
	{ "A 1 (E 1 (a 1/9, b 2/9)), B 1 (F 1 (c 1/9, d 2/9))", NULL, "a", "c", 0 },
	/* a pair nearer to the root weighs more than those below it */
	{ "A 1 (E 1 (a 1/9), e 1/1), B 1 (F 1 (c 1/1), f 1/8)", NULL, "a", "c", 1 },
	{ "A 1 (E 1 (a 9/9), e 1/8), B 1 (F 1 (c 1/9), f 9/9)", NULL, "a", "c", -1 },
	/* no shares: last; of two such, neither, whatever is below them */
	{ "a 0/0, b 1/1000", NULL, "a", "b", 1 },
	{ "a 0/0, b 0/1000, c 1/1", NULL, "a", "b", 0 },
	{ "A 0 (a 1/10), B 0 (b 1/20), c 1/1", NULL, "a", "b", 0 },
	{ "A 1 (E 0 (a 1/10), e 1/0), B 1 (F 1 (b 1/10))", NULL, "a", "b", 1 },
	{ "A 0 (a 1/10, B 1 (b 1/10)), c 1/1", NULL, "a", "b", 0 },
};

TEST_EACH(order_is_that_of_the_paths, orders)
{
	struct unit_tree given = unit_tree_read(orders[_i].tree);
	struct fathom_result *result = unit_evaluate(given.tree, "pbs", orders[_i].setting);
	size_t a = unit_node(&given, orders[_i].a), b = unit_node(&given, orders[_i].b);
	int order = fathom_path_compare(result, given.tree, a, b);

	ck_assert_msg(order == orders[_i].order, "%s, %s: %d", orders[_i].a, orders[_i].b, order);
	ck_assert_int_eq(fathom_path_compare(result, given.tree, b, a), -orders[_i].order);
}

/* Order=path: the factor of the user with rank r of n is (n - r + 1) / n. */
#define PATH "order=path"
static const struct { const char *tree, *node; double factor; } ranks[] = {
	{ P1, "bob", 1 }, { P1, "cathy", 1 }, { P1, "suzy", .5 }, { P1, "scott", .25 },
	{ P1, "group1", NAN }, { P1, "root", NAN },
	/* c, whose path is shorter, goes before a, and a before what is in a group of b's */
	{ "A 1 (B 1 (a 1/5)), c 1/5", "c", 1 }, { "A 1 (B 1 (a 1/5)), c 1/5", "a", .5 },
	/* equal groups are ranked as one: a with 20, c and d with 30, b with 40 */
	{ "A 1 (a 1/10, b 1/20), B 1 (c 1/15, d 1/15)", "a", 1 },
	{ "A 1 (a 1/10, b 1/20), B 1 (c 1/15, d 1/15)", "c", .75 },
	{ "A 1 (a 1/10, b 1/20), B 1 (c 1/15, d 1/15)", "d", .75 },
	{ "A 1 (a 1/10, b 1/20), B 1 (c 1/15, d 1/15)", "b", .25 },
	/* no shares: last, and equal */
	{ "A 0 (a 1/10, B 1 (b 1/0)), c 0/7, d 1/1000", "d", 1 },
	{ "A 0 (a 1/10, B 1 (b 1/0)), c 0/7, d 1/1000", "a", .75 },
	{ "A 0 (a 1/10, B 1 (b 1/0)), c 0/7, d 1/1000", "b", .75 },
	{ "A 0 (a 1/10, B 1 (b 1/0)), c 0/7, d 1/1000", "c", .75 },
	{ "a 1/0, b 3/0", "a", 1 }, { "a 1/0, b 3/0", "b", 1 },
};

TEST_EACH(factor_is_the_place_by_path, ranks)
{
	struct unit_tree given = unit_tree_read(ranks[_i].tree);
	struct fathom_result *result = unit_evaluate(given.tree, "pbs", PATH);

	unit_assert_near(fathom_result_factor(result)[unit_node(&given, ranks[_i].node)],
			 ranks[_i].factor, "factor", ranks[_i].node);
}

static const struct { const char *node; double usage_perc; } ratios[] = {
	{ "root", 1201 }, { "group1", 502.5 }, { "group2", 1001 / .6 }, { "bob", 500 },
	{ "suzy", 1 / .36 }, { "scott", 1000 / .24 },
};

TEST(each_level_has_its_usage_over_perc)
{
	struct unit_tree given = unit_tree_read(P1), unshared = unit_tree_read("a 0/5, b 1/5");
	struct fathom_result *result = unit_evaluate(given.tree, "pbs", PBSFS);

	for (size_t i = 0; i < sizeof(ratios) / sizeof(*ratios); i++)
		unit_assert_near(unit_column(result, "pbs", "usage_perc")[unit_node(
					 &given, ratios[i].node)],
				 ratios[i].usage_perc, "usage_perc", ratios[i].node);
	result = unit_evaluate(unshared.tree, "pbs", NULL);
	ck_assert(isinf(unit_column(result, "pbs", "usage_perc")[unit_node(&unshared, "a")]));
}
