/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The association of a job, found by an index and without one. */
#include "../unit.h"

#include "format/format.h"
#include "jobs/job_associations.h"

static const char tree_text[] =
	"Account|User|Partition|RawShares|RawUsage\n"
	"root|||1|0\n"
	" physics|||1|0\n"
	"  physics|ada|gpu|1|1\n"
	"  physics|ada||1|2\n"
	"  physics|ada|cpu|1|3\n"
	"  physics|bob|gpu|1|4\n"
	" maths|||1|0\n"
	"  maths|ada||1|5\n"
	"  maths|physics||1|6\n";

/* usage: of the association that is found; 0: none is */
static const struct { const char *user, *account, *partition; double usage; } vectors[] = {
	{ "ada", "physics", NULL, 2 }, { "ada", "physics", "gpu", 1 },
	{ "ada", "physics", "cpu", 3 }, { "ada", "physics", "other", 2 },
	{ "ada", "Physics", "gpu", 1 }, { "ada", "maths", "gpu", 5 }, { "ada", "maths", NULL, 5 },
	{ "bob", "physics", "gpu", 4 }, { "bob", "physics", "cpu", 0 },
	{ "bob", "physics", NULL, 0 }, { "bob", "maths", "gpu", 0 }, { "ada", "root", NULL, 0 },
	{ "physics", "maths", NULL, 6 }, { "maths", "maths", NULL, 0 },
	{ "Ada", "physics", NULL, 0 }, { NULL, "physics", NULL, 0 }, { "ada", NULL, NULL, 0 },
};

static struct snapshot read_tree(void)
{
	struct document input = document_of("tree", piece_of(tree_text));
	struct snapshot snapshot;

	format_sshare.read(&input, &snapshot);
	document_clear(&input);
	return snapshot;
}

static void check(const struct snapshot *snapshot, size_t node, double usage)
{
	ck_assert_int_eq(node == JOB_NO_NODE, usage == 0);
	if (node != JOB_NO_NODE)
		ck_assert_double_eq(fathom_tree_usage(snapshot->tree, node), usage);
}

TEST_EACH(partition_goes_before_none, vectors)
{
	struct snapshot snapshot = read_tree();
	const struct job_row row = { .user = vectors[_i].user, .account = vectors[_i].account,
				     .partition = vectors[_i].partition };
	struct job_associations index;

	job_associations_create(&index, &snapshot);
	check(&snapshot, job_associations_find(&index, &row), vectors[_i].usage);
	check(&snapshot, job_associations_search(&snapshot, &row), vectors[_i].usage);
}
