/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What --cluster does with the list that libslurm makes of the names, and which tree is made of
 * slurmctld's answer to sshare. */
#include "../unit.h"

#include "live/compat.h"

#include "document/document.h"
#include "live/live_private.h"

void *__wrap_slurmdb_get_info_cluster(char *names);
int __wrap_slurm_get_cluster_info(void **clusters, char *names, uint16_t flags);
void __wrap_slurm_init(const char *conf);
void __wrap_slurm_fini(void);

/* libslurm finds clusters by the first function or, in later releases, by the second: here an
 * empty list, as for no names in a federation. */
void *__wrap_slurmdb_get_info_cluster(char *names)
{
	static void *list;	/* the command leaves it to its end */

	(void)names;
	if (!list)
		list = list_create(NULL);
	return list;
}

int __wrap_slurm_get_cluster_info(void **clusters, char *names, uint16_t flags)
{
	(void)flags;
	*clusters = __wrap_slurmdb_get_info_cluster(names);
	return 0;
}

void __wrap_slurm_init(const char *conf)
{
	(void)conf;	/* there is no slurm.conf */
}

void __wrap_slurm_fini(void)
{
}

static void read_clusters(void *unused)
{
	size_t count;

	(void)unused;
	live_read("", false, &count);
}

TEST(an_empty_list_of_clusters_is_an_error_with_a_text)
{
	struct failure failure;

	unsetenv("SLURM_CONF");
	ck_assert_int_eq(document_try(read_clusters, NULL, &failure), -1);
	ck_assert_ptr_nonnull(
		strstr(failure.error.text, "--cluster: slurmdbd knows none of them"));
}

/* Returns the usage of the node with an id. */
static double usage_of(const struct fathom_tree *tree, int64_t id)
{
	size_t node = 0;

	while (node < fathom_tree_count(tree) && fathom_tree_id(tree, node) != id)
		node++;
	ck_assert_uint_lt(node, fathom_tree_count(tree));
	return fathom_tree_usage(tree, node);
}

TEST(usage_below_a_hidden_account_counts_once)
{
	assoc_shares_object_t
		root = { .assoc_id = 1, .name = "root", .usage_raw = 100 },
		visible = { .assoc_id = 2, .name = "a", .parent = "root", .shares_raw = 1,
			    .usage_raw = 30 },
		user = { .assoc_id = 3, .user = 1, .name = "ada", .parent = "hidden",
			 .shares_raw = 1, .usage_raw = 60 };
	void *item[] = { &root, &visible, &user };
	const struct live_items answer = { item, 3 };
	struct snapshot snapshot;

	live_answer_tree(&answer, &snapshot);
	ck_assert_uint_eq(fathom_tree_count(snapshot.tree), 4);	/* with "hidden" */
	ck_assert_double_eq(fathom_tree_usage(snapshot.tree, 0), 100);
	ck_assert_double_eq(fathom_tree_own_usage(snapshot.tree, 0), 10);
	ck_assert_double_eq(usage_of(snapshot.tree, 3), 60);
	ck_assert_double_eq(usage_of(snapshot.tree, -4), 60);
}
