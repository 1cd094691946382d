/* SPDX-License-Identifier: GPL-2.0-or-later */
/* semantics.md section 3: the depth-oblivious policy. */
#include "../unit.h"

#define ANY 99.	/* not told by the document */

static const struct {
	const char *tree, *node;
	double parent_ratio, local_ratio, k, ratio, u_e, f;
} vectors[] = {
	{ UNIT_D1, "A", NAN, NAN, NAN, 0.666666667, 0.4, 0.629960525 },
	{ UNIT_D1, "A1", 0.666666667, 0.75, 1, 0.5, 0.15, 0.707106781 },
	{ UNIT_D1, "A11", 0.5, 1.111111111, 0.076856121, 0.504065237, 0.045365871, 0.705117095 },
	{ UNIT_D1, "u1", 0.504065237, 0.4, 1, 0.201626095, 0.004536587, 0.869569898 },
	{ UNIT_D1, "u2", 0.504065237, 1.2, 0.078540262, 0.511335168, 0.034515124, 0.701572854 },
	{ UNIT_D1, "A12", 0.5, 0.952380952, 1, 0.476190476, 0.1, 0.718873349 },
	{ UNIT_D1, "u3", 0.476190476, 2, 0.067742528, 0.499083530, 0.052403771, 0.707556112 },
	{ UNIT_D1, "u4", NAN, NAN, NAN, 0, 0, 1 },
	{ UNIT_D1, "A2", 0.666666667, 1.25, 0.195692846, 0.696423371, 0.208927011, 0.617100184 },
	{ UNIT_D1, "u5", 0.696423371, 1, 1, 0.696423371, 0.208927011, 0.617100184 },
	{ UNIT_D1, "B", NAN, NAN, NAN, 1.5, 0.6, 0.353553391 },
	{ UNIT_D1, "u6", 1.5, 1.333333333, 1, 2, 0.4, 0.25 },
	{ UNIT_D1, "u7", 1.5, 0.666666667, 0.195692846, 1.385579533, 0.277115907, 0.382735723 },
	{ UNIT_D1, "root", NAN, NAN, NAN, 1, 1, NAN },
	/* D2 */
	{ UNIT_C1, "B", ANY, ANY, 0.742489117, ANY, ANY, ANY },
	{ UNIT_C1, "user1", ANY, 1, 1, ANY, ANY, 0.589340061 },
	{ UNIT_C1, "user2", ANY, ANY, ANY, ANY, ANY, 0.03125 },
	{ UNIT_C1, "user3", NAN, NAN, NAN, 0, 0, 1 },
	{ UNIT_C1, "E", ANY, ANY, 0.049600375, ANY, ANY, ANY },
	{ UNIT_C1, "user4", ANY, ANY, ANY, ANY, ANY, 0.739612541 },
	{ UNIT_C1, "user5", NAN, NAN, NAN, 0, 0, 1 },
	/* D3 */
	{ UNIT_C2, "u1", ANY, ANY, 0.546141069, ANY, ANY, 0.372721824 },
	{ UNIT_C2, "u2", NAN, NAN, NAN, 0.833333333, 0.5, 0.561231024 },
	{ UNIT_C2, "P", NAN, NAN, NAN, 0.833333333, 0.5, 0.561231024 },
	{ UNIT_C2, "u3", ANY, ANY, 1, ANY, ANY, 0.773583876 },
	{ UNIT_C2, "u4", ANY, ANY, ANY, ANY, ANY, 0.420448208 },
	{ UNIT_C2, "z", NAN, NAN, NAN, NAN, 0, 0 },
	{ UNIT_C2, "u5", NAN, NAN, NAN, 1, 0, 0.5 },
	/* a level of zero shares only: U, where classic has the account's U_E */
	{ "A 1 (a 0/10, b 0/0), c 3/30", "a", NAN, NAN, NAN, NAN, .25, 0 },
	{ "A 1 (a 0/10, b 0/0), c 3/30", "b", NAN, NAN, NAN, NAN, 0, 0 },
	/* an account without share: its users' shares are 0 too */
	{ "A 0 (a 1/10), b 1/30", "a", NAN, NAN, NAN, NAN, .25, 0 },
	/* the document: siblings have used twice their shares, one of them two thirds of its own */
	{ "A 1 (a 1/1, b 1/5), c 3/6", "a", 2, 1 / 3., 0.076856121, 1.838062635, 0.229757829,
	  0.279697132 },
	/* no usage at all */
	{ "A 1 (a 1), b 1", "a", NAN, NAN, NAN, 0, 0, 1 },
	/* root's children: R = U/S, exactly classic, whatever their number */
	{ "a 1/30, b 3/10", "a", NAN, NAN, NAN, 3, .75, .125 },
	/* R_parent just 1: k is 1 on both sides */
	{ "A 1 (a 1/10, b 1/30), c 1/40", "a", 1, .5, 1, .5, .125, .707106781 },
	{ "A 1 (a 1/10, b 1/30), c 1/40", "b", 1, 1.5, 1, 1.5, .375, .353553391 },
	/* an account's own usage and its "parent" users' are in R_parent, not in R_level */
	{ "A 1/10 (a 1/10, b 1/10, p parent/10), c 1/40", "a", 1, 1, 1, 1, .25, .5 },
	{ "A 1/10 (a 1/10, b 1/10, p parent/10), c 1/40", "p", NAN, NAN, NAN, 1, .5, .5 },
	/* "parent" users of a "parent" account at the root show the root's ratio */
	{ "P parent (q parent/10), b 1/10", "q", NAN, NAN, NAN, 1, .5, .5 },
};

static void assert_or_any(double value, double expected, const char *what, const char *node)
{
	if (expected != ANY)
		unit_assert_near(value, expected, what, node);
}

TEST_EACH(figures_are_the_documents, vectors)
{
	static const char policy[] = "depth-oblivious";
	struct unit_tree given = unit_tree_read(vectors[_i].tree);
	const char *name = vectors[_i].node;
	size_t node = unit_node(&given, name);
	struct fathom_result *result = unit_evaluate(given.tree, policy, NULL);
	struct fathom_result *dampened = unit_evaluate(given.tree, policy, "dampening_factor=2");

	assert_or_any(unit_column(result, policy, "parent_ratio")[node], vectors[_i].parent_ratio,
		      "R_parent", name);
	assert_or_any(unit_column(result, policy, "local_ratio")[node], vectors[_i].local_ratio,
		      "R_local", name);
	assert_or_any(unit_column(result, policy, "k")[node], vectors[_i].k, "k", name);
	assert_or_any(unit_column(result, policy, "usage_ratio")[node], vectors[_i].ratio, "R",
		      name);
	assert_or_any(fathom_result_effective_usage(result)[node], vectors[_i].u_e, "U_E", name);
	assert_or_any(fathom_result_factor(result)[node], vectors[_i].f, "F", name);
	if (vectors[_i].f != ANY)
		unit_assert_near(fathom_result_factor(dampened)[node], sqrt(vectors[_i].f),
				 "F, d = 2,", name);
}

/* The reason for the policy's name: accounts with one child in between change
 * nothing, under this policy. */
TEST(depth_does_not_matter)
{
	struct unit_tree flat = unit_tree_read("A 3 (a 2/40, b 1/10), c 2/50");
	struct unit_tree deep = unit_tree_read("A 3 (B 9 (C 1 (D 7 (a 2/40, b 1/10)))), c 2/50");
	struct fathom_result *one = unit_evaluate(flat.tree, "depth-oblivious", NULL);
	struct fathom_result *two = unit_evaluate(deep.tree, "depth-oblivious", NULL);

	for (size_t row = 1; row < flat.count; row++) {
		size_t node = fathom_tree_node_of_row(flat.tree, row);

		ck_assert_double_eq_tol(
			fathom_result_factor(one)[node],
			fathom_result_factor(two)[unit_node(&deep, flat.names[row])], 1e-15);
	}
}

/* R_local is exactly 1 for an only child, and k with it. */
TEST_LOOP(only_child_has_just_its_accounts_ratio, 100)
{
	struct unit_random random = { (uint64_t)_i };
	char text[96];
	struct unit_tree given;
	struct fathom_result *result;
	size_t account, child;

	snprintf(text, sizeof(text), "A %u (a %u/%u), b %u/%u", 1 + unit_random_below(&random, 99),
		 1 + unit_random_below(&random, 99), 1 + unit_random_below(&random, 999),
		 1 + unit_random_below(&random, 99), unit_random_below(&random, 999));
	given = unit_tree_read(text);
	result = unit_evaluate(given.tree, "depth-oblivious", NULL);
	account = unit_node(&given, "A");
	child = unit_node(&given, "a");
	ck_assert_msg(unit_column(result, "depth-oblivious", "local_ratio")[child] == 1, "%s",
		      text);
	ck_assert(unit_column(result, "depth-oblivious", "k")[child] == 1);
	ck_assert(fathom_result_factor(result)[child] == fathom_result_factor(result)[account]);
}
