/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of what only a running cluster tells; tests/cli/lint.t has those of files. Each row says
 * whether a check fires. */
#include "../unit.h"

#include "lint/lint.h"

static const struct {
	const char *code;
	bool fires;
	const char *conf;	/* slurm.conf */
	double highest_priority;	/* of an association */
	struct lint_running running[3];
} rows[] = {
	{ "not-in-force", true, "PriorityWeightAge=1000\n", 0,
	  { { "PriorityWeightAge", "2000" } } },
	{ "not-in-force", false, "PriorityWeightAge=1000\n", 0,
	  { { "PriorityWeightAge", "1000" } } },
	{ "not-in-force", true, "PriorityType=priority/fathom\n", 0,
	  { { "PriorityType", "priority/multifactor" } } },
	{ "not-in-force", false, "PriorityType=PRIORITY/fathom\n", 0,
	  { { "PriorityType", "priority/fathom" } } },
	{ "not-in-force", false, "PriorityDecayHalfLife=7-0\n", 0,
	  { { "PriorityDecayHalfLife", "10080" }, { "PriorityMaxAge", "5" } } },
	{ "not-in-force", true, "PriorityMaxAge=1-12\n", 0, { { "PriorityMaxAge", "2100" } } },
	{ "assoc-priorities-zero", true, "PriorityWeightAssoc=1000\n", 0, { { NULL, NULL } } },
	{ "assoc-priorities-zero", false, "PriorityWeightAssoc=1000\n", 5, { { NULL, NULL } } },
	{ "assoc-weight-zero", true, "PriorityType=priority/fathom\n", 5, { { NULL, NULL } } },
	{ "assoc-weight-zero", false, "PriorityType=priority/fathom\nPriorityWeightAssoc=1000\n", 5,
	  { { NULL, NULL } } },
	{ "assoc-weight-zero", false, "PriorityType=priority/fathom\n", 0, { { NULL, NULL } } },
};

static size_t count_of(const struct lint_findings *findings, const char *code)
{
	size_t count = 0;

	for (size_t i = 0; i < findings->count; i++)
		count += !strcmp(findings->finding[i].row->code, code);
	return count;
}

static struct slurm_conf read_conf(const char *text)
{
	char name[] = "/tmp/fathom-lint.XXXXXX";
	int fd = mkstemp(name);
	struct slurm_conf conf;

	ck_assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	ck_assert(!slurm_conf_read(&conf, name, NULL));
	close(fd);
	unlink(name);
	return conf;
}

TEST_EACH(check_of_a_cluster_fires_when_it_should, rows)
{
	struct slurm_conf conf = read_conf(rows[_i].conf);
	const struct lint_site site = { .slurm = &conf, .slurm_file = "slurm.conf",
					.has_priorities = true, .running = rows[_i].running,
					.highest_priority = rows[_i].highest_priority };
	const struct lint_findings findings = lint_run(&site);

	ck_assert_msg((count_of(&findings, rows[_i].code) > 0) == rows[_i].fires, "%s: %s",
		      rows[_i].code, rows[_i].conf);
}

TEST_LOOP(row_of_the_table_is_complete, lint_row_count())
{
	const struct lint_row *row = lint_row_at((size_t)_i);
	size_t length = strlen(row->code);

	ck_assert(row->check && row->severity < LINT_SEVERITY_COUNT);
	ck_assert_msg(strspn(row->code, "abcdefghijklmnopqrstuvwxyz-") == length, "%s", row->code);
	ck_assert_msg(row->why[strlen(row->why) - 1] == '.', "%s: why is a sentence", row->code);
	ck_assert_msg(*row->fix && row->fix[strlen(row->fix) - 1] != '.' && *row->title &&
		      row->title[strlen(row->title) - 1] != '.', "%s", row->code);
	for (size_t i = 0; i < (size_t)_i; i++)
		ck_assert_str_ne(lint_row_at(i)->code, row->code);
}

TEST(nothing_known_is_nothing_found)
{
	const struct lint_site site = { 0 };
	const struct lint_findings findings = lint_run(&site);

	ck_assert_uint_eq(findings.count, 0);
}
