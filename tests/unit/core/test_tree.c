/* SPDX-License-Identifier: GPL-2.0-or-later */
/* semantics.md section 1: the tree, shares, levels and usage. */
#include "../unit.h"

#include "core/snapshot.h"

#define PARENT FATHOM_SHARES_PARENT

/* ---- what a tree may not be -------------------------------------------------- */

#define ROOT(i) { .id = (i), .is_root = true }
#define ACCOUNT(i, p) { .id = (i), .parent_id = (p), .kind = FATHOM_ACCOUNT, .raw_shares = 1 }
#define USER(i, p) { .id = (i), .parent_id = (p), .kind = FATHOM_USER, .raw_shares = 1 }
#define USED(i, p, u) \
	{ .id = (i), .parent_id = (p), .kind = FATHOM_USER, .raw_shares = 1, .usage = (u) }

static const struct {
	const char *what;
	struct fathom_row rows[5];
	size_t count, row;
	const char *says;
} wrong_trees[] = {
	{ "empty", { ROOT(1) }, 0, FATHOM_NO_ROW, "0 associations" },
	{ "no root", { ACCOUNT(1, 2), ACCOUNT(2, 1) }, 2, FATHOM_NO_ROW, "no root" },
	{ "two roots", { ROOT(1), USER(2, 1), ROOT(3) }, 3, 2, "two roots; a tree has one" },
	{ "root is a user", { { .id = 1, .is_root = true, .kind = FATHOM_USER } }, 1, 0,
	  "account" },
	{ "duplicate id", { ROOT(1), USER(2, 1), USER(3, 1), USER(2, 1) }, 4, 3, "id 2" },
	{ "root's id again", { USER(7, 7), ROOT(7) }, 2, 1, "id 7" },
	{ "unknown parent", { ROOT(1), USER(2, 1), USER(3, 9) }, 3, 2, "parent 9" },
	{ "user as parent", { USER(3, 2), ROOT(1), USER(2, 1) }, 3, 0, "parent 2 is a user" },
	{ "own parent", { ROOT(1), ACCOUNT(2, 2) }, 2, 1, "id 2" },
	{ "cycle", { ROOT(1), USER(2, 1), ACCOUNT(3, 5), ACCOUNT(4, 3), ACCOUNT(5, 4) }, 5, 2,
	  "cycle" },
	{ "below a cycle", { ROOT(1), USER(4, 3), ACCOUNT(2, 3), ACCOUNT(3, 2) }, 4, 3, "id 3" },
	{ "far below one", { ROOT(1), USER(4, 5), ACCOUNT(5, 6), ACCOUNT(6, 7), ACCOUNT(7, 6) }, 5,
	  3, "id 6" },
	{ "negative usage", { ROOT(1), USED(2, 1, 5), USED(3, 1, -1e-300) }, 3, 2, "usage" },
	{ "NaN as usage", { ROOT(1), USED(2, 1, NAN) }, 2, 1, "usage" },
	{ "infinite usage", { ROOT(1), USED(2, 1, INFINITY) }, 2, 1, "usage is inf" },
	{ "root's usage", { { .id = 1, .is_root = true, .usage = -1 } }, 1, 0, "usage" },
};

TEST_EACH(wrong_tree_names_the_row, wrong_trees)
{
	struct fathom_error error = { .row = 12345 };
	struct fathom_tree *tree =
		fathom_tree_create(wrong_trees[_i].rows, wrong_trees[_i].count, &error);

	ck_assert_msg(!tree, "%s: taken", wrong_trees[_i].what);
	ck_assert_int_eq(error.code, EINVAL);
	ck_assert_msg(error.row == wrong_trees[_i].row, "%s: row %zu", wrong_trees[_i].what,
		      error.row);
	ck_assert_msg(strstr(error.text, wrong_trees[_i].says), "%s: %s", wrong_trees[_i].what,
		      error.text);
	ck_assert_ptr_null(fathom_tree_create(wrong_trees[_i].rows, wrong_trees[_i].count, NULL));
}

TEST(extreme_ids_and_shares_are_taken)
{
	const struct fathom_row rows[] = {
		{ .id = INT64_MIN, .parent_id = INT64_MAX, .raw_shares = PARENT - 1,
		  .kind = FATHOM_USER },
		{ .id = 0, .parent_id = INT64_MAX, .raw_shares = PARENT - 1, .kind = FATHOM_USER },
		{ .id = INT64_MAX, .parent_id = 4711, .raw_shares = PARENT, .is_root = true },
		{ .id = -1, .parent_id = INT64_MAX, .raw_shares = 0, .kind = FATHOM_USER },
	};
	struct fathom_tree *tree = fathom_tree_create(rows, COUNT(rows), NULL);

	ck_assert_ptr_nonnull(tree);
	ck_assert_uint_eq(fathom_tree_node_of_row(tree, 2), 0);
	ck_assert_uint_eq(fathom_tree_raw_shares(tree, 0), 1);
	ck_assert(fathom_tree_norm_shares(tree, fathom_tree_node_of_row(tree, 0)) == .5);
	ck_assert(fathom_tree_norm_shares(tree, fathom_tree_node_of_row(tree, 1)) == .5);
	ck_assert_int_eq(fathom_tree_id(tree, fathom_tree_node_of_row(tree, 0)), INT64_MIN);
	fathom_tree_destroy(tree);
}

static const double used_by_root[] = { 0, 5 };

TEST_EACH(root_alone_is_a_tree, used_by_root)
{
	struct unit_tree alone = unit_tree_read(_i ? "/5;" : "");

	ck_assert_uint_eq(fathom_tree_count(alone.tree), 1);
	ck_assert_uint_eq(fathom_tree_user_count(alone.tree), 0);
	ck_assert_uint_eq(fathom_tree_parent(alone.tree, 0), 0);
	ck_assert_uint_eq(fathom_tree_fs_parent(alone.tree, 0), 0);
	ck_assert(fathom_tree_norm_shares(alone.tree, 0) == 1);
	ck_assert(fathom_tree_usage(alone.tree, 0) == used_by_root[_i]);
	for (size_t i = 0; i < fathom_policy_count(); i++) {
		struct fathom_result *result =
			unit_evaluate(alone.tree, fathom_policy_name(fathom_policy_at(i)), NULL);

		ck_assert(fathom_result_norm_shares(result)[0] == 1);
		ck_assert(fathom_result_effective_usage(result)[0] == 1);
		ck_assert(isnan(fathom_result_factor(result)[0]));
	}
}

/* ---- order --------------------------------------------------------------------- */

static const char mixed[] =
	"/3; A 60 (P parent (u1 10/100, u2 parent/50, Q parent (q 5/1)), u3 30/50,"
	" E 7 ()), B 40/9 (u4 1/200, z 0/0), u5 parent/0, u6 25/6";

TEST(parents_come_first_and_siblings_are_contiguous)
{
	struct unit_tree given = unit_tree_read(mixed);
	const struct fathom_tree *tree = given.tree;

	ck_assert_uint_eq(fathom_tree_count(tree), given.count);
	ck_assert_uint_eq(fathom_tree_user_count(tree), 8);
	for (size_t node = 0; node < given.count; node++) {
		size_t first = fathom_tree_first_child(tree, node);

		ck_assert_uint_le(fathom_tree_parent(tree, node), node);
		for (size_t i = 0; i < fathom_tree_child_count(tree, node); i++)
			ck_assert_uint_eq(fathom_tree_parent(tree, first + i), node);
	}
	/* siblings in the order of the rows */
	ck_assert_uint_eq(unit_node(&given, "B"), unit_node(&given, "A") + 1);
	ck_assert_uint_eq(unit_node(&given, "u6"), unit_node(&given, "A") + 3);
}

TEST(row_and_node_belong_together)
{
	struct unit_tree given = unit_tree_read(mixed);

	for (size_t row = 0; row < given.count; row++) {
		size_t node = fathom_tree_node_of_row(given.tree, row);
		size_t parent = fathom_tree_parent(given.tree, node);

		ck_assert_uint_eq(fathom_tree_nodes_of_rows(given.tree)[row], node);
		ck_assert_int_eq(fathom_tree_id(given.tree, node), given.rows[row].id);
		ck_assert_int_eq(fathom_tree_kind(given.tree, node), given.rows[row].kind);
		ck_assert(fathom_tree_own_usage(given.tree, node) == given.rows[row].usage);
		if (!row)
			continue;
		ck_assert_uint_eq(fathom_tree_raw_shares(given.tree, node),
				  given.rows[row].raw_shares);
		ck_assert_int_eq(fathom_tree_id(given.tree, parent), given.rows[row].parent_id);
	}
}

/* ---- levels and shares ----------------------------------------------------------- */

static const struct { const char *name, *fs_parent; double level_share, norm_shares; } levels[] = {
	{ "root", "root", 1, 1 },
	{ "A", "root", 60 / 125., 60 / 125. },
	{ "P", "A", 60 / 125., 60 / 125. },	/* transparent: as A */
	{ "u1", "A", 10 / 52., 60 / 125. * 10 / 52 },
	{ "u2", "A", 60 / 125., 60 / 125. },
	{ "Q", "A", 60 / 125., 60 / 125. },
	{ "q", "A", 5 / 52., 60 / 125. * 5 / 52 },
	{ "u3", "A", 30 / 52., 60 / 125. * 30 / 52 },
	{ "E", "A", 7 / 52., 60 / 125. * 7 / 52 },
	{ "B", "root", 40 / 125., 40 / 125. },
	{ "u4", "B", 1, 40 / 125. },
	{ "z", "B", 0, 0 },
	{ "u5", "root", 1, 1 },
	{ "u6", "root", 25 / 125., 25 / 125. },
};

TEST_EACH(levels_reach_across_transparent_accounts, levels)
{
	struct unit_tree given = unit_tree_read(mixed);
	size_t node = unit_node(&given, levels[_i].name);

	ck_assert_uint_eq(fathom_tree_fs_parent(given.tree, node),
			  unit_node(&given, levels[_i].fs_parent));
	unit_assert_near(fathom_tree_level_share(given.tree, node), levels[_i].level_share,
			 "level share", levels[_i].name);
	unit_assert_near(fathom_tree_norm_shares(given.tree, node), levels[_i].norm_shares, "S",
			 levels[_i].name);
}

TEST(only_zero_shares_in_a_level_give_zero_to_all_below)
{
	struct unit_tree given = unit_tree_read("A 0 (B 1 (u 1/1), v parent), C 0 (w 5)");

	for (size_t row = 1; row < given.count; row++)
		ck_assert(fathom_tree_norm_shares(given.tree,
						  fathom_tree_node_of_row(given.tree, row)) == 0);
	ck_assert(fathom_tree_norm_shares(given.tree, 0) == 1);
}

/* ---- usage --------------------------------------------------------------------- */

static const struct { const char *name; double usage; } rolled_up[] = {
	{ "u1", 100 }, { "q", 1 }, { "Q", 1 }, { "P", 151 }, { "E", 0 },
	{ "A", 201 }, { "B", 209 }, { "u5", 0 }, { "root", 419 },
};

TEST_EACH(usage_sums_over_real_children_and_keeps_an_accounts_own, rolled_up)
{
	struct unit_tree given = unit_tree_read(mixed);

	ck_assert(fathom_tree_usage(given.tree, unit_node(&given, rolled_up[_i].name)) ==
		  rolled_up[_i].usage);
}

/* ---- changes in place -------------------------------------------------------------- */

TEST(root_keeps_its_share)
{
	struct unit_tree given = unit_tree_read(mixed);

	fathom_tree_set_raw_shares(given.tree, 0, PARENT);
	fathom_tree_settle(given.tree);
	ck_assert_uint_eq(fathom_tree_raw_shares(given.tree, 0), 1);
	ck_assert(fathom_tree_norm_shares(given.tree, 0) == 1);
}

static const double impossible[] = { -1, -0.0, NAN, -INFINITY };

TEST_EACH(impossible_usage_is_set_to_none, impossible)
{
	struct unit_tree given = unit_tree_read(mixed);
	size_t node = unit_node(&given, "u1");

	fathom_tree_set_own_usage(given.tree, node, impossible[_i]);
	fathom_tree_settle(given.tree);
	ck_assert(fathom_tree_own_usage(given.tree, node) == 0);
	ck_assert(!signbit(fathom_tree_own_usage(given.tree, node)));
	ck_assert(fathom_tree_usage(given.tree, 0) == 319);
}

TEST(negative_zero_of_a_row_is_no_usage)
{
	const struct fathom_row rows[] = { ROOT(1), USED(2, 1, -0.0) };
	struct fathom_tree *tree = fathom_tree_create(rows, 2, NULL);

	ck_assert_ptr_nonnull(tree);
	ck_assert(!signbit(fathom_tree_own_usage(tree, 1)));
	fathom_tree_destroy(tree);
}

TEST(infinite_usage_is_set_to_the_most)
{
	struct unit_tree given = unit_tree_read(mixed);
	size_t node = unit_node(&given, "u1");

	fathom_tree_set_own_usage(given.tree, node, INFINITY);
	fathom_tree_settle(given.tree);
	ck_assert(fathom_tree_own_usage(given.tree, node) == 1e300);
	ck_assert(fathom_tree_usage(given.tree, 0) == 1e300);
}

/* ---- size ------------------------------------------------------------------------ */

#define CHAIN_LENGTH 100000
#define WIDTH 1000000

static struct fathom_tree *grow(size_t count, bool chain)
{
	struct fathom_row *rows = calloc(count, sizeof(*rows));
	struct fathom_error error = { 0 };
	struct fathom_tree *tree;

	for (size_t i = 0; i < count; i++) {
		bool leaf = i + 1 == count || (!chain && i);

		rows[i] = (struct fathom_row){ .id = (int64_t)i, .is_root = !i, .raw_shares = 1,
					       .parent_id = chain ? (int64_t)i - 1 : 0,
					       .kind = leaf ? FATHOM_USER : FATHOM_ACCOUNT,
					       .usage = 1 };
	}
	tree = fathom_tree_create(rows, count, &error);
	ck_assert_msg(tree, "%s", error.text);
	free(rows);
	return tree;
}

/* ---- resources ------------------------------------------------------------------- */

TEST(resource_sums_as_usage_does)
{
	struct unit_tree given = unit_tree_read(mixed);
	struct fathom_tree *tree = given.tree;

	for (size_t node = 0; node < given.count; node++) {
		double usage = fathom_tree_own_usage(tree, node);

		ck_assert(!fathom_tree_set_own_resource(tree, node, FATHOM_CPU_TIME, 2 * usage,
							NULL));
		ck_assert(!fathom_tree_set_own_resource(tree, node, FATHOM_ADJUSTMENT, -usage,
							NULL));
	}
	fathom_tree_settle(tree);
	for (size_t node = 0; node < given.count; node++) {
		double usage = fathom_tree_usage(tree, node);

		ck_assert(fathom_tree_resource(tree, node, FATHOM_CPU_TIME) == 2 * usage);
		ck_assert(fathom_tree_resource(tree, node, FATHOM_ADJUSTMENT) == -usage);
		ck_assert(fathom_tree_resource(tree, node, FATHOM_JOB_SLOTS) == 0);
	}
	ck_assert(fathom_tree_has_resource(tree, FATHOM_CPU_TIME));
	ck_assert(!fathom_tree_has_resource(tree, FATHOM_JOB_SLOTS));
	ck_assert(!fathom_tree_set_own_resource(tree, 1, FATHOM_JOB_SLOTS, 0, NULL));
	ck_assert(fathom_tree_has_resource(tree, FATHOM_JOB_SLOTS));
}

TEST(impossible_resource_is_set_to_none)
{
	struct unit_tree given = unit_tree_read("a 1, b 1");

	for (size_t i = 0; i < fathom_resource_count(); i++) {
		enum fathom_resource resource = (enum fathom_resource)i;
		double below_0 = resource == FATHOM_ADJUSTMENT ? -1 : 0;

		fathom_tree_set_own_resource(given.tree, 1, resource, -1, NULL);
		fathom_tree_set_own_resource(given.tree, 2, resource, NAN, NULL);
		fathom_tree_settle(given.tree);
		ck_assert(fathom_tree_resource(given.tree, 1, resource) == below_0);
		ck_assert(fathom_tree_resource(given.tree, 2, resource) == 0);
		ck_assert(fathom_tree_resource(given.tree, 0, resource) == below_0);
		fathom_tree_set_own_resource(given.tree, 2, resource, INFINITY, NULL);
		fathom_tree_settle(given.tree);
		ck_assert(fathom_tree_resource(given.tree, 2, resource) == (below_0 ? 0 : 1e300));
	}
}

static void expect_same(const struct fathom_tree *a, const struct fathom_tree *b, size_t node)
{
	ck_assert(fathom_tree_id(a, node) == fathom_tree_id(b, node));
	ck_assert_uint_eq(fathom_tree_parent(a, node), fathom_tree_parent(b, node));
	ck_assert_uint_eq(fathom_tree_first_child(a, node), fathom_tree_first_child(b, node));
	ck_assert_uint_eq(fathom_tree_child_count(a, node), fathom_tree_child_count(b, node));
	ck_assert(fathom_tree_kind(a, node) == fathom_tree_kind(b, node));
	ck_assert_uint_eq(fathom_tree_raw_shares(a, node), fathom_tree_raw_shares(b, node));
	ck_assert(fathom_tree_own_usage(a, node) == fathom_tree_own_usage(b, node));
	ck_assert(fathom_tree_usage(a, node) == fathom_tree_usage(b, node));
	ck_assert_uint_eq(fathom_tree_node_of_row(a, node), fathom_tree_node_of_row(b, node));
	ck_assert_uint_eq(fathom_tree_fs_parent(a, node), fathom_tree_fs_parent(b, node));
	ck_assert(fathom_tree_level_share(a, node) == fathom_tree_level_share(b, node));
	ck_assert(fathom_tree_norm_shares(a, node) == fathom_tree_norm_shares(b, node));
	ck_assert(fathom_tree_own_resource(a, node, FATHOM_MEMORY) ==
		  fathom_tree_own_resource(b, node, FATHOM_MEMORY));
	ck_assert(fathom_tree_resource(a, node, FATHOM_MEMORY) ==
		  fathom_tree_resource(b, node, FATHOM_MEMORY));
}

TEST(copy_is_the_same_and_stays_so)
{
	struct unit_tree given = unit_tree_read(mixed), again = unit_tree_read(mixed);
	struct fathom_tree *copy;

	for (size_t node = 0; node < given.count; node++) {
		fathom_tree_set_own_resource(given.tree, node, FATHOM_MEMORY, (double)node, NULL);
		fathom_tree_set_own_resource(again.tree, node, FATHOM_MEMORY, (double)node, NULL);
	}
	fathom_tree_settle(given.tree);
	fathom_tree_settle(again.tree);
	copy = fathom_tree_copy(given.tree, NULL);
	ck_assert_ptr_nonnull(copy);
	ck_assert(!fathom_tree_has_resource(copy, FATHOM_CPU_TIME));
	for (size_t node = 0; node < given.count; node++) {
		fathom_tree_set_own_usage(given.tree, node, 1e9);
		fathom_tree_set_raw_shares(given.tree, node, 77);
		fathom_tree_set_own_resource(given.tree, node, FATHOM_MEMORY, 1e9, NULL);
	}
	fathom_tree_settle(given.tree);
	ck_assert_uint_eq(fathom_tree_count(copy), again.count);
	ck_assert_uint_eq(fathom_tree_user_count(copy), fathom_tree_user_count(again.tree));
	for (size_t node = 0; node < again.count; node++)
		expect_same(copy, again.tree, node);
	fathom_tree_settle(copy);
	for (size_t node = 0; node < again.count; node++)
		expect_same(copy, again.tree, node);
	fathom_tree_destroy(copy);
}

/* Ids depth first: as in the input, and as they are listed, be it users first. */
static const struct {
	size_t row[5];		/* in the order of the list; none: as in the input */
	int64_t id[5];
} depth_first[] = {
	{ { 0 }, { 1, 2, 4, 5, 3 } },
	{ { 0, 2, 1, 4, 3 }, { 1, 3, 2, 5, 4 } },
	{ { 4, 3, 2, 1, 0 }, { 1, 3, 2, 5, 4 } },	/* children before parents */
};

TEST_EACH(siblings_stand_as_they_are_listed, depth_first)
{
	static const struct fathom_row rows[] = {
		{ .id = 1, .is_root = true, .raw_shares = 1 },
		{ .id = 2, .parent_id = 1, .raw_shares = 1 },
		{ .id = 3, .parent_id = 1, .raw_shares = 1, .kind = FATHOM_USER },
		{ .id = 4, .parent_id = 2, .raw_shares = 1, .kind = FATHOM_USER },
		{ .id = 5, .parent_id = 2, .raw_shares = 1, .kind = FATHOM_USER },
	};
	struct fathom_tree *tree = fathom_tree_create(rows, COUNT(rows), NULL);
	size_t listed[5], order[5], depth[5];
	struct snapshot snapshot = { .tree = tree };

	for (size_t i = 0; i < 5; i++)
		listed[i] = fathom_tree_node_of_row(tree, depth_first[_i].row[i]);
	if (depth_first[_i].row[1] || depth_first[_i].row[4])
		snapshot.listed = listed;
	ck_assert_int_eq(snapshot_depth_first(&snapshot, order, depth, NULL), 0);
	for (size_t i = 0; i < 5; i++)
		ck_assert_int_eq(fathom_tree_id(tree, order[i]), depth_first[_i].id[i]);
	for (size_t node = 0; node < 5; node++)
		ck_assert_uint_eq(depth[node], fathom_tree_id(tree, node) == 1 ? 0 :
					       fathom_tree_id(tree, node) < 4 ? 1 : 2);
	fathom_tree_destroy(tree);
}

TEST(chain_of_100000_levels_is_evaluated)
{
	struct fathom_tree *tree = grow(CHAIN_LENGTH + 1, true);

	ck_assert(fathom_tree_usage(tree, 0) == CHAIN_LENGTH + 1);
	ck_assert(fathom_tree_norm_shares(tree, CHAIN_LENGTH) == 1);
	for (size_t i = 0; i < fathom_policy_count(); i++) {
		const char *policy = fathom_policy_name(fathom_policy_at(i));
		struct fathom_result *result = unit_evaluate(tree, policy, NULL);
		double factor = fathom_result_factor(result)[CHAIN_LENGTH];

		ck_assert_msg(factor > 0 && factor <= 1, "%s: %g", policy, factor);
	}
	fathom_tree_destroy(tree);
}

TEST(account_with_a_million_users_is_evaluated)
{
	struct fathom_tree *tree = grow(WIDTH + 1, false);

	ck_assert(fathom_tree_usage(tree, 0) == WIDTH + 1);
	ck_assert_uint_eq(fathom_tree_user_count(tree), WIDTH);
	for (size_t i = 0; i < fathom_policy_count(); i++) {
		const char *policy = fathom_policy_name(fathom_policy_at(i));
		struct fathom_result *result = unit_evaluate(tree, policy, NULL);
		const double *factor = fathom_result_factor(result);

		ck_assert_msg(factor[1] > 0 && factor[WIDTH] == factor[1], "%s: %g", policy,
			      factor[1]);
	}
	fathom_tree_destroy(tree);
}

TEST(destroying_nothing_is_fine)
{
	fathom_tree_destroy(NULL);
	fathom_result_destroy(NULL);
}
