/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What --cluster does with the list that libslurm makes of the names. */
#include "../unit.h"

#include "live/compat.h"

#include "document/document.h"
#include "live/live.h"

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
