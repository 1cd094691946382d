/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Usage that is added up from jobs once, with several half-lives. */
#include "../unit.h"

#include "format/accounting/accounting.h"
#include "format/sources/sources.h"

#define DAY 86400.

/* ada runs on day 0 and day 10, bob from day 8 to day 9; the latest end is that of day 11 */
static const char records[] =
	"JobID|User|Account|State|Start|End|Elapsed|AllocTRES\n"
	"1|ada|physics|COMPLETED|1000000|1086400|1-00:00:00|billing=4\n"
	"2|bob|physics|COMPLETED|1691200|1777600|1-00:00:00|billing=3\n"
	"3|ada|physics|COMPLETED|1864000|1950400|1-00:00:00|billing=1\n";
#define SEEN 1950400.

static const struct { double begin, end, billing; size_t user; } runs[] = {
	{ 1000000, 1086400, 4, 0 }, { 1691200, 1777600, 3, 1 }, { 1864000, 1950400, 1, 0 },
};

static const struct accounting_rules rules = {
	.half_life = { 3 * DAY, 7 * DAY, 0, 3600 }, .half_life_count = 4,
};

/* semantics.md section 9 */
static double expected_usage(size_t user, double half_life)
{
	double sum = 0;

	for (size_t i = 0; i < COUNT(runs); i++) {
		double from = runs[i].begin - SEEN, to = runs[i].end - SEEN;

		if (runs[i].user == user)
			sum += runs[i].billing *
			       (half_life > 0 ? half_life / M_LN2 * (exp2(to / half_life) -
								     exp2(from / half_life))
					      : to - from);
	}
	return sum;
}

static struct document input_of(const char *name, const char *text)
{
	return document_of(name, piece_of(text));
}

static size_t node_of(const struct snapshot *snapshot, const char *name)
{
	size_t node = 0;

	while (strcmp(snapshot_name(snapshot, node), name))
		ck_assert(++node < fathom_tree_count(snapshot->tree));
	return node;
}

static void check_usage(const struct snapshot *snapshot, double half_life)
{
	static const char *const users[] = { "ada", "bob" };
	double sum = 0;

	ck_assert(snapshot->has_half_life && snapshot->half_life == half_life);
	ck_assert(snapshot->has_time && snapshot->time == (int64_t)SEEN);
	for (size_t i = 0; i < COUNT(users); i++) {
		double wanted = expected_usage(i, half_life);

		ck_assert_double_eq_tol(fathom_tree_usage(snapshot->tree,
							  node_of(snapshot, users[i])),
					wanted, 1e-9 * wanted);
		sum += wanted;
	}
	ck_assert_double_eq_tol(fathom_tree_usage(snapshot->tree, 0), sum, 1e-9 * sum);
}

TEST(each_half_life_has_the_usage_that_it_leaves)
{
	struct document input = input_of("records", records);
	struct snapshot snapshot[MOST_HALF_LIVES];

	accounting_read(&format_sacct, &input, &rules, snapshot, NULL);
	for (size_t i = 0; i < rules.half_life_count; i++)
		check_usage(&snapshot[i], rules.half_life[i]);
	document_clear(&input);
}

/* In whatever order the files come. */
TEST_LOOP(a_tree_gets_the_usage_of_each_half_life, 2)
{
	struct sources sources = { .rules = rules, .without_jobs = true };
	struct document tree = input_of("tree", "Account|User|RawShares|RawUsage\nroot||1|0\n"
					     " physics||3|0\n  physics|ada|2|0\n"
					     "  physics|bob|1|0\n");
	struct document jobs = input_of("records", records);

	sources_add(&sources, _i ? &format_sacct : &format_sshare, _i ? &jobs : &tree);
	sources_add(&sources, _i ? &format_sshare : &format_sacct, _i ? &tree : &jobs);
	sources_finish(&sources, false);
	ck_assert(sources.snapshot_count == rules.half_life_count && !sources.strays);
	for (size_t i = 0; i < rules.half_life_count; i++)
		check_usage(&sources.snapshot[i], rules.half_life[i]);
	document_clear(&tree);
	document_clear(&jobs);
}

static void finish(void *sources)
{
	sources_finish(sources, false);
}

TEST(a_tree_with_usage_has_no_half_life)
{
	struct sources sources = { .rules = rules, .without_jobs = true };
	struct document tree = input_of("tree", "Account|User|RawShares|RawUsage\nroot||1|7\n"
					     " root|ada|2|7\n");
	struct document jobs = input_of("records", records);
	struct failure failure;

	sources_add(&sources, &format_sacct, &jobs);
	sources_add(&sources, &format_sshare, &tree);
	ck_assert(document_try(finish, &sources, &failure));
	sources_finish(&sources, true);
	ck_assert(sources.snapshot_count == 1 && !sources.snapshot->has_half_life);
	document_clear(&tree);
	document_clear(&jobs);
}
