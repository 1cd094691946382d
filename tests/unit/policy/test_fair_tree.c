/* SPDX-License-Identifier: GPL-2.0-or-later */
/* semantics.md section 4 and 7.2: Fair Tree in its three ways to tie. */
#include "../unit.h"

#define T9_B "B 100 (b1 10000/10, b2 1000/1, b3 100000/1)"
#define T9_A "A 1000 (a1 10000/100, a2 1000/10, a3 100000/10)"
#define T9_C "C 10 (c1 100/0, c2 10/1)"
#define F1 "account1 1000 (leaf.1.1 10000/100, leaf.1.2 1000/11, leaf.1.3 100000/10), " \
	   "account2 100 (leaf.2.1 100000/8, leaf.2.2 10000/3), " \
	   "account3 10 (leaf.3.1 100/0, leaf.3.2 10/1)"
#define SAME NULL

/* Ranks of the users, in the order of the tree; SAME: as documented. */
static const struct { const char *name, *tree, *documented, *slurm, *flux; } vectors[] = {
	{ "T1", UNIT_D1, "3 4 2 1 5 7 6", SAME, SAME },
	{ "T2", UNIT_C1, "3 5 4 2 1", SAME, SAME },
	{ "T3", "A 1 (a1 1/10, a2 1/30), B 1 (b1 1/20, b2 1/20)", "1 4 2 2", "1 2 2 2", SAME },
	{ "T4", "u 1/40, v 1/40, A 1 (a1 1/10, a2 1/30)", "1 1 1 4", SAME, "1 1 3 4" },
	{ "T5", "A 1 (a1 1/10, a2 1/30), B 1 (b1 1/10, b2 1/30), C 2 (c1 1/40, c2 1/40)",
	  "1 5 1 5 3 3", "1 2 2 4 4 4", SAME },
	{ "T6", "A 1 (a 1/0, b 0/0, c 0/5, d parent/5), e 1/10", "1 4 4 1 1", SAME, "3 4 4 2 1" },
	{ "T7", "A 1 (a 1/10, P parent (b 2/20, c 1/30)), B 1 (d 1/60)", "1 1 4 3", "1 1 3 3",
	  SAME },
	{ "T8", "a 1/3, b 1/3.0000000000000004, c 1/6", "1 1 3", "1 2 3", SAME },
	/* flux goes by the difference of two values, by their ratio only above 1 */
	{ "hardly more", "a 1/3, b 1/3.0000000000003", "1 1", "1 2", "1 2" },
	{ "hardly more of little", "a 1/1e6, b 1/1000000.00001, c 1000000/1", "2 3 1", SAME,
	  "2 2 1" },
	{ "T9", T9_A ", " T9_B ", " T9_C, "5 5 3 5 5 3 1 2", "5 4 3 8 7 6 1 2", SAME },
	{ "T10", T9_A ", B 100 (b1 0/10, b2 0/1, b3 100000/1), " T9_C, "5 5 4 7 7 3 1 2",
	  "5 4 3 7 7 6 1 2", SAME },
	{ "T11", "u 100/12, " T9_A ", " T9_C, "3 5 5 3 1 2", "6 5 4 3 1 2", "3 5 5 4 1 2" },
	{ "T12", T9_A ", " T9_B ", C 10000 (c1 10000/1000, c2 1000/100, c3 100000/100)",
	  "4 4 1 4 4 1 4 4 1", "9 8 7 6 5 4 3 2 1", SAME },
	{ "F1", F1, "6 7 5 3 4 1 2", SAME, SAME },
	/* nobody used anything: all tie, users first where flux tells them apart */
	{ "idle", "A 1 (a 1, b 5), u 3", "1 1 1", "1 1 1", "2 2 1" },
	{ "idle, zero shares", "A 1 (a 1, b 0), u 0", "1 2 3", SAME, SAME },
	/* a tie is handed down to the best user through any depth */
	{ "handed down", "u 1/40, A 1 (B 1 (C 1 (a 1/10, b 1/30)))", "1 1 3", SAME, "1 2 3" },
	{ "handed down, best is last", "u 1/40, A 1 (B 1 (C 1 (a 1/30, b 1/10)))", "1 3 1", SAME,
	  "1 3 2" },
	/* only to the first of the list, though the second ties with that */
	{ "handed to two", "u 1/40, A 1 (a 1/20, b 1/20)", "1 1 1", SAME, "1 2 2" },
	{ "not beyond", "u 1/40, A 1 (B 1 (a 1/10), b 1/30)", "1 1 3", SAME, "1 2 3" },
	/* empty accounts */
	{ "empty", "E 1 (), a 1/5, b 1/10", "1 2", SAME, SAME },
	{ "empty account between ties", "a 1/10, E 1/10 (), b 1/10", "1 1", SAME, SAME },
	{ "empty before account", "E 1/0 (), A 1 (a 1/0), b 1/5", "1 2", SAME, SAME },
	{ "only empty accounts", "E 1 (F 1 ()), G 1 ()", "", SAME, SAME },
	{ "merged with an empty one", "A 1 (a 1/10, b 1/30), E 1/40 ()", "1 2", SAME, SAME },
	/* merged lists keep each account's own level */
	{ "merged", "A 1 (a 3/10, b 1/30), B 2 (c 1/70, d 9/10)", "2 3 4 1", "1 2 4 2", SAME },
	{ "merged below merged", "A 1 (B 1 (a 1/10, b 1/30)), C 1 (D 1 (c 1/20, d 1/20))",
	  "1 4 2 2",
	  "1 2 2 2", SAME },
	/* after gathered accounts the last one is "the node before" */
	{ "after merged", "A 1 (a 1/10), B 1 (b 1/10), c 1/20", "1 1 3", "1 1 3", SAME },
	/* usage left by deleted users is in the parent's sum alone */
	{ "own usage", "/1000; a 1/10, b 2/10", "2 1", SAME, SAME },
	/* zero shares come last, and tie with each other whatever they used */
	{ "zero shares", "a 0/9, b 1/1e9, c 0/0", "2 1 2", SAME, SAME },
	{ "all zero shares", "a 0/9, A 0 (b 1/1, c 1/2)", "1 1 3", SAME, "1 2 3" },
	/* "parent" users first: infinity, above flux's weight for no usage */
	{ "parent user", "a 1/0, p parent/1e9, b 1/5", "1 1 3", SAME, "2 1 3" },
	/* it has no place in the list, where it would end a tie */
	{ "parent account", "a 1/10, P parent (b 1/10), c 1/10, d 1/20", "1 1 1 4", SAME, SAME },
	/* transparent all the way */
	{ "transparent root", "P parent (Q parent (a 1/5), b 1/10), c 1/20", "1 2 3", SAME, SAME },
	{ "no users", "", "", SAME, SAME },
};

static const char *const modes[] = { "documented", "slurm", "flux" };

/* valgrind computes long double in 64 bits. */
static bool long_double_is_long(void)
{
	volatile long double one = 1, little = 0x1p-60L;

	return one + little != one;
}

static const char *expected_ranks(size_t vector, size_t mode)
{
	const char *of_mode[] = { vectors[vector].documented, vectors[vector].slurm,
				  vectors[vector].flux };

	if (mode == 1 && !strcmp(vectors[vector].name, "T12") && !long_double_is_long())
		return "3 2 1 6 5 3 9 8 6";
	return of_mode[mode] ? of_mode[mode] : vectors[vector].documented;
}

/* Of users in the order of rows, e.g. "1 2 2 4". */
static void write_ranks(const struct unit_tree *given, const double *rank, char *text, size_t size)
{
	size_t length = 0;

	*text = '\0';
	for (size_t row = 0; row < given->count; row++)
		if (given->rows[row].kind == FATHOM_USER)
			length += (size_t)snprintf(
				text + length, size - length, "%s%.17g", length ? " " : "",
				rank[fathom_tree_node_of_row(given->tree, row)]);
}

TEST_LOOP(ranks_are_the_documents, 3 * COUNT(vectors))
{
	size_t vector = (size_t)_i / 3, mode = (size_t)_i % 3;
	struct unit_tree given = unit_tree_read(vectors[vector].tree);
	char setting[32], ranks[256];
	struct fathom_result *result;

	snprintf(setting, sizeof(setting), "tie_mode=%s", modes[mode]);
	result = unit_evaluate(given.tree, "fair-tree", setting);
	write_ranks(&given, unit_column(result, "fair-tree", "rank"), ranks, sizeof(ranks));
	ck_assert_msg(!strcmp(ranks, expected_ranks(vector, mode)), "%s, %s: %s, must be %s",
		      vectors[vector].name, setting, ranks, expected_ranks(vector, mode));
}

TEST_EACH(factor_follows_from_rank, vectors)
{
	struct unit_tree given = unit_tree_read(vectors[_i].tree);
	struct fathom_result *result = unit_evaluate(given.tree, "fair-tree", NULL);
	const double *rank = unit_column(result, "fair-tree", "rank");
	double users = (double)fathom_tree_user_count(given.tree);

	for (size_t node = 0; node < given.count; node++) {
		double factor = fathom_result_factor(result)[node];

		if (fathom_tree_kind(given.tree, node) == FATHOM_USER)
			ck_assert(factor == (users - rank[node] + 1) / users);
		else
			ck_assert(isnan(factor) && isnan(rank[node]));
	}
}

static const struct { const char *tree, *mode, *node; double level_fs; } level_fs[] = {
	/* T1 */
	{ UNIT_D1, SAME, "A", 1.5 }, { UNIT_D1, SAME, "A1", 1.333333333 },
	{ UNIT_D1, SAME, "A11", 0.9 },
	{ UNIT_D1, SAME, "u1", 2.5 }, { UNIT_D1, SAME, "u2", 0.833333333 },
	{ UNIT_D1, SAME, "A12", 1.05 },
	{ UNIT_D1, SAME, "u3", 0.5 }, { UNIT_D1, SAME, "u4", INFINITY },
	{ UNIT_D1, SAME, "A2", 0.8 },
	{ UNIT_D1, SAME, "u5", 1 }, { UNIT_D1, SAME, "B", 0.666666667 },
	{ UNIT_D1, SAME, "u6", 0.75 },
	{ UNIT_D1, SAME, "u7", 1.5 }, { UNIT_D1, SAME, "root", NAN },
	/* T2: root has usage of its own, which counts */
	{ UNIT_C1, SAME, "A", 0.888888889 }, { UNIT_C1, SAME, "B", 1.6875 },
	{ UNIT_C1, SAME, "C", 0.45 },
	{ UNIT_C1, SAME, "D", 2.4 }, { UNIT_C1, SAME, "E", 0.416666667 },
	{ UNIT_C1, SAME, "F", INFINITY },
	{ UNIT_C1, SAME, "user1", 1 }, { UNIT_C1, SAME, "user2", 0.5 },
	{ UNIT_C1, SAME, "user3", INFINITY }, { UNIT_C1, SAME, "user4", 1 },
	{ UNIT_C1, SAME, "user5", INFINITY },
	/* slurm's long double shows no other figures */
	{ UNIT_D1, "tie_mode=slurm", "A1", 1.333333333 },
	{ UNIT_D1, "tie_mode=slurm", "u4", INFINITY },
	/* F1, flux */
	{ F1, "tie_mode=flux", "account1", 0.990246445 },
	{ F1, "tie_mode=flux", "account2", 1.089271089 },
	{ F1, "tie_mode=flux", "account3", 1.198198198 },
	{ F1, "tie_mode=flux", "leaf.3.1", 0x1p64 },
	{ F1, "tie_mode=flux", "leaf.3.2", 0.090909091 }, { F1, "tie_mode=flux", "leaf.2.1", 1.25 },
	{ F1, "tie_mode=flux", "leaf.2.2", 0.333333333 },
	{ F1, "tie_mode=flux", "leaf.1.3", 10.900900901 },
	{ F1, "tie_mode=flux", "leaf.1.1", 0.109009009 },
	{ F1, "tie_mode=flux", "leaf.1.2", 0.099099099 },
	/* edges */
	{ "P parent (a 1/1), b 1/1, p parent/2", SAME, "P", NAN },
	{ "P parent (a 1/1), b 1/1, p parent/2", SAME, "a", 2 },
	{ "P parent (a 1/1), b 1/1, p parent/2", SAME, "p", INFINITY },
	{ "P parent (a 1/1), b 1/1, p parent/2", "tie_mode=flux", "p", INFINITY },
	{ "a 0/0, b 1/9", SAME, "a", 0 }, { "a 0/0, b 1/9", "tie_mode=flux", "a", 0 },
	{ "a 0/1, b 0/9", SAME, "a", 0 },
	{ "a 1/0, b 1/0", SAME, "a", INFINITY }, { "a 1/0, b 1/0", "tie_mode=flux", "a", 0x1p64 },
	{ "a 1/9e-10, b 1/1", "tie_mode=flux", "a", 0x1p64 },
	{ "a 1/2e-9, b 1/0", "tie_mode=flux", "a", .5 },
	{ "a 1/5e-324, b 1/1e300", SAME, "a", INFINITY },	/* u underflows to 0 */
	{ "a 1/5e-324, b 1/1e-10", "tie_mode=slurm", "a", INFINITY },
};

TEST_EACH(level_fair_share_is_the_documents, level_fs)
{
	struct unit_tree given = unit_tree_read(level_fs[_i].tree);
	struct fathom_result *result = unit_evaluate(given.tree, "fair-tree", level_fs[_i].mode);

	unit_assert_near(unit_column(result, "fair-tree",
				     "level_fs")[unit_node(&given, level_fs[_i].node)],
			 level_fs[_i].level_fs, "level_fs", level_fs[_i].node);
}

static const struct { const char *node; double norm_shares, effective_usage; } shares[] = {
	{ "root", 1, 1 }, { "A", .25, .5 }, { "P", .25, .5 }, { "u1", .25, .25 },
	{ "u2", .25, .25 },
	{ "u3", .75, .25 }, { "E", 0, .25 }, { "B", .75, .5 }, { "u4", 1, 1 }, { "z", 0, 0 },
	{ "u5", 1, 0 },
};

/* semantics.md 1.4: of the level, and "parent" nodes as sshare shows them. */
TEST_EACH(shares_and_usage_are_those_of_the_level, shares)
{
	struct unit_tree given =
		unit_tree_read("A 10 (P parent (u1 10/100, u2 parent/100), u3 30/100,"
			       " E 0/100 ()), B 30 (u4 1/400, z 0/0), u5 parent/0");
	struct fathom_result *result = unit_evaluate(given.tree, "fair-tree", NULL);
	size_t node = unit_node(&given, shares[_i].node);

	unit_assert_near(fathom_result_norm_shares(result)[node], shares[_i].norm_shares,
			 "norm_shares", shares[_i].node);
	unit_assert_near(fathom_result_effective_usage(result)[node], shares[_i].effective_usage,
			 "effective_usage", shares[_i].node);
}

#define DEPTH 100000

/* One user tied with a chain of accounts that ends in one user. */
TEST(tie_is_handed_down_100000_levels)
{
	static struct fathom_row rows[DEPTH + 3];
	struct fathom_tree *tree;
	struct fathom_result *result;

	rows[0] = (struct fathom_row){ .id = 0, .is_root = true };
	rows[1] = (struct fathom_row){ .id = 1, .kind = FATHOM_USER, .raw_shares = 1, .usage = 1 };
	for (size_t i = 2; i < DEPTH + 3; i++)
		rows[i] = (struct fathom_row){ .id = (int64_t)i, .raw_shares = 1,
					       .parent_id = i == 2 ? 0 : (int64_t)i - 1 };
	rows[DEPTH + 2].kind = FATHOM_USER;
	rows[DEPTH + 2].usage = 1;
	tree = fathom_tree_create(rows, DEPTH + 3, NULL);
	ck_assert_ptr_nonnull(tree);
	result = unit_evaluate(tree, "fair-tree", NULL);
	ck_assert(fathom_result_factor(result)[fathom_tree_node_of_row(tree, 1)] == 1);
	ck_assert(fathom_result_factor(result)[fathom_tree_node_of_row(tree, DEPTH + 2)] == 1);
	fathom_tree_destroy(tree);
}
