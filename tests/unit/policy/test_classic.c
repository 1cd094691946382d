/* SPDX-License-Identifier: GPL-2.0-or-later */
/* semantics.md section 2: the classic policy. */
#include "../unit.h"

static const struct { const char *tree, *node; double s, u, u_e, f, f_2; } vectors[] = {
	{ UNIT_C1, "A", 0.4, 0.45, 0.45, 0.458502022, 0.677127773 },
	{ UNIT_C1, "B", 0.3, 0.2, 0.3875, 0.408478863, 0.639123512 },
	{ UNIT_C1, "user1", 0.3, 0.2, 0.3875, 0.408478863, 0.639123512 },
	{ UNIT_C1, "C", 0.1, 0.25, 0.3, 0.125, 0.353553391 },
	{ UNIT_C1, "user2", 0.05, 0.25, 0.275, 0.022097087, 0.148650889 },
	{ UNIT_C1, "user3", 0.05, 0, 0.15, 0.125, 0.353553391 },
	{ UNIT_C1, "D", 0.6, 0.25, 0.25, 0.749153538, 0.865536561 },
	{ UNIT_C1, "E", 0.25, 0.25, 0.25, 0.5, 0.707106781 },
	{ UNIT_C1, "user4", 0.25, 0.25, 0.25, 0.5, 0.707106781 },
	{ UNIT_C1, "F", 0.35, 0, 0.145833333, 0.749153538, 0.865536561 },
	{ UNIT_C1, "user5", 0.35, 0, 0.145833333, 0.749153538, 0.865536561 },
	{ UNIT_C1, "root", 1, 1, 1, NAN, NAN },
	{ UNIT_C2, "A", 0.6, 0.5, 0.5, 0.561231024, 0.749153538 },
	{ UNIT_C2, "P", 0.6, 0.375, 0.5, 0.561231024, 0.749153538 },
	{ UNIT_C2, "u1", 0.15, 0.25, 0.3125, 0.235968578, 0.485765970 },
	{ UNIT_C2, "u2", 0.6, 0.125, 0.5, 0.561231024, 0.749153538 },
	{ UNIT_C2, "u3", 0.45, 0.125, 0.40625, 0.534855923, 0.731338447 },
	{ UNIT_C2, "B", 0.4, 0.5, 0.5, 0.420448208, 0.648419777 },
	{ UNIT_C2, "u4", 0.4, 0.5, 0.5, 0.420448208, 0.648419777 },
	{ UNIT_C2, "z", 0, 0, 0, 0, 0 },
	{ UNIT_C2, "u5", 1, 0, 0, 0.5, 0.707106781 },
	/* no usage anywhere */
	{ "A 1 (a 1, b 0, p parent), c 3", "root", 1, 0, 1, NAN, NAN },
	{ "A 1 (a 1, b 0, p parent), c 3", "A", .25, 0, 0, 1, 1 },
	{ "A 1 (a 1, b 0, p parent), c 3", "a", .25, 0, 0, 1, 1 },
	{ "A 1 (a 1, b 0, p parent), c 3", "b", 0, 0, 0, 0, 0 },
	{ "A 1 (a 1, b 0, p parent), c 3", "p", .25, 0, 0, 1, 1 },
	{ "A 1 (a 1, b 0, p parent), c 3", "c", .75, 0, 0, 1, 1 },
	/* a level of zero shares only: U_E of the account */
	{ "A 1 (a 0/10, b 0/0), c 3/30", "a", 0, .25, .25, 0, 0 },
	{ "A 1 (a 0/10, b 0/0), c 3/30", "b", 0, 0, .25, 0, 0 },
	/* zero shares among others: U */
	{ "A 1 (a 0/10, b 1/10), c 3/20", "a", 0, .25, .25, 0, 0 },
	{ "A 1 (a 0/10, b 1/10), c 3/20", "b", .25, .25, .5, .25, .5 },
	/* a level of zero shares below the root: U, not U_E of the root */
	{ "a 0/10, b 0/30", "a", 0, .25, .25, 0, 0 },
	/* and below an account whose own share is 0 */
	{ "A 0 (a 1/10), b 1/30", "a", 0, .25, .25, 0, 0 },
	/* usage left by deleted users counts for the account, not for others */
	{ "A 1/30 (a 1/10, b 1/0), c 1/40", "a", .25, .125, .3125, 0.420448208, 0.648419777 },
	{ "A 1/30 (a 1/10, b 1/0), c 1/40", "b", .25, 0, .25, .5, .707106781 },
	/* the document: had user2 four shares */
	{ "/300; A 40 (B 30 (u1 1/200), C 10 (user2 4/250, u3 1/0)), D 60 (u4 1/250)", "user2", .08,
	  .25, .29, 0.081052472, 0.284697159 },
	/* the document: neither u2 nor u3 has used anything, but u2's account has */
	{ "A 1 (B 1 (u1 1/100, u2 1/0), C 1 (u3 1/0)), d 1/0", "u2", .125, 0, .5, .0625, .25 },
	{ "A 1 (B 1 (u1 1/100, u2 1/0), C 1 (u3 1/0)), d 1/0", "u3", .25, 0, .5, .25, .5 },
	/* all users "parent": one factor, by the usage of the account */
	{ "A 1 (a parent/10, b parent/0), c 1/20", "a", .5, 1 / 3., 1 / 3., 0.629960525,
	  0.793700526 },
	{ "A 1 (a parent/10, b parent/0), c 1/20", "b", .5, 0, 1 / 3., 0.629960525, 0.793700526 },
	/* a transparent account at the root, and a "parent" user below it */
	{ "P parent (a 1/10, q parent/10), b 1/20", "a", .5, .25, .25, .707106781, .840896415 },
	{ "P parent (a 1/10, q parent/10), b 1/20", "q", 1, .25, .25, .5, .707106781 },
	{ "P parent (a 1/10, q parent/10), b 1/20", "P", 1, .5, .5, .5, .707106781 },
};

TEST_EACH(figures_are_the_documents, vectors)
{
	struct unit_tree given = unit_tree_read(vectors[_i].tree);
	const char *name = vectors[_i].node;
	size_t node = unit_node(&given, name);
	struct fathom_result *result = unit_evaluate(given.tree, "classic", NULL);
	struct fathom_result *dampened =
		unit_evaluate(given.tree, "classic", "dampening_factor=2");

	unit_assert_near(fathom_result_norm_shares(result)[node], vectors[_i].s, "S", name);
	unit_assert_near(fathom_result_norm_usage(result)[node], vectors[_i].u, "U", name);
	unit_assert_near(fathom_result_effective_usage(result)[node], vectors[_i].u_e, "U_E",
			 name);
	unit_assert_near(fathom_result_factor(result)[node], vectors[_i].f, "F", name);
	unit_assert_near(fathom_result_factor(dampened)[node], vectors[_i].f_2, "F, d = 2,", name);
}

static const struct { const char *tree, *setting; double factor; } extremes[] = {
	{ "a 1/1, b 9999/0", NULL, 0 },			/* U_E/S of 10000 underflows, rightly */
	{ "a 1/1, b 9999/0", "dampening_factor=1e6", 0.993092495437 },
	{ "a 1/0, b 9999/1", "dampening_factor=1e-300", 1 },
	{ "a 1/1, b 1/1e-300", "dampening_factor=1e-300", 0 },
	{ "a 4294967294/1e300, b 4294967294/1e300", NULL, .5 },
	{ "a 1/5e-324, b 1/5e-324", NULL, .5 },
};

TEST_EACH(extremes_stay_within_0_and_1, extremes)
{
	struct unit_tree given = unit_tree_read(extremes[_i].tree);
	struct fathom_result *result = unit_evaluate(given.tree, "classic", extremes[_i].setting);

	unit_assert_near(fathom_result_factor(result)[unit_node(&given, "a")],
			 extremes[_i].factor, "F", extremes[_i].tree);
}

/* An evaluation leaves nothing behind that the next one would see. */
TEST(result_is_used_again)
{
	struct unit_tree given = unit_tree_read(UNIT_C1);
	struct fathom_settings settings = unit_settings(fathom_policy_find("classic"), NULL);
	struct fathom_result *result = unit_evaluate(given.tree, "classic", NULL), *fresh;
	size_t node = unit_node(&given, "user2");

	fathom_tree_set_own_usage(given.tree, node, 0);
	fathom_tree_set_own_usage(given.tree, unit_node(&given, "user3"), 800);
	fathom_tree_settle(given.tree);
	fathom_evaluate(result, given.tree, &settings);
	fresh = unit_evaluate(given.tree, "classic", NULL);
	for (node = 0; node < given.count; node++)
		ck_assert(unit_equal_or_nan(fathom_result_factor(result)[node],
					    fathom_result_factor(fresh)[node]));
}
