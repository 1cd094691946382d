/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which partitions share nodes, so that their jobs wait in one line. */
#include "cli/explain/explain_command.h"

#include "format/slurm/slurm_nodes.h"
#include "format/slurm/slurm_partitions.h"

/* A partition, with the nodes that have been listed. */
struct partition_nodes {
	const char *name;
	double tier;
	const char *hosts;	/* of the running cluster: its nodes in Slurm's notation */
	size_t line;		/* of files: the line of slurm.conf that names its nodes, see
				 * slurm_list_nodes() */
	bool is_listed;		/* list_nodes() has set the members below */
	bool is_known;		/* its nodes are known */
	struct host_list nodes;	/* sorted */
};

struct explain_partitions {
	const struct slurm_conf *slurm;		/* NULL: they are of the running cluster */
	struct partition_nodes *partition;
	size_t count;
};

/* Reads the partitions that files describe. */
static void read_described(struct explain_partitions *partitions, const struct slurm_conf *slurm)
{
	const struct slurm_partitions described = slurm_partitions_of(slurm);

	partitions->slurm = slurm;
	partitions->count = described.count;
	partitions->partition = need_zeros(described.count, sizeof(*partitions->partition));
	for (size_t i = 0; i < described.count; i++)
		partitions->partition[i] = (struct partition_nodes){
			.name = described.at[i].name, .line = described.at[i].nodes_line,
			.tier = isnan(described.at[i].tier) ? 1 : described.at[i].tier,
		};
}

/* Reads the partitions of the running cluster. */
static void read_live_partitions(struct explain_partitions *partitions)
{
	struct queue_list list = { 0 };

	live_partitions_read(&list);
	partitions->count = list.count;
	partitions->partition = need_zeros(list.count, sizeof(*partitions->partition));
	for (size_t i = 0; i < list.count; i++)
		partitions->partition[i] = (struct partition_nodes){
			.name = list.queue[i].name, .tier = list.queue[i].tier,
			.hosts = list.queue[i].hosts,
		};
}

struct explain_partitions *explain_source_partitions(const struct explain_source *source)
{
	struct explain_partitions *partitions = need_object(sizeof(*partitions));

	if (source->live)
		read_live_partitions(partitions);
	else
		read_described(partitions, &source->input.files.slurm);
	return partitions;
}

void explain_partitions_clear(struct explain_partitions *partitions)
{
	for (size_t i = 0; i < partitions->count; i++)
		host_list_clear(&partitions->partition[i].nodes);
}

/* Returns the partition with its nodes; NULL: they are not known, as of a partition that has just
 * been removed. name: NULL: not known. */
static struct partition_nodes *list_nodes(struct explain_partitions *partitions, const char *name)
{
	struct partition_nodes *found = partitions->partition, *end = found + partitions->count;

	while (name && found < end && strcmp(found->name, name))
		found++;
	if (!name || found == end)
		return NULL;
	if (!found->is_listed && partitions->slurm) {
		found->is_known = !slurm_list_nodes(partitions->slurm, found->line, &found->nodes);
	} else if (!found->is_listed && found->hosts) {
		need_done(host_list_add_all(&found->nodes, found->hosts, NULL));
		host_list_sort(&found->nodes);
		found->is_known = true;
	}
	found->is_listed = true;
	return found->is_known ? found : NULL;
}

bool explain_partitions_share_nodes(struct explain_partitions *partitions,
				    const struct job_row *one, const struct job_row *other)
{
	const char *scope = one->scope ? one->scope : "";
	const char *scope_of_other = other->scope ? other->scope : "";
	struct partition_nodes *of_one, *of_other;

	if (strcmp(scope, scope_of_other))
		return false;
	of_one = list_nodes(partitions, one->partition);
	of_other = list_nodes(partitions, other->partition);
	return of_one && of_other && of_one->tier == of_other->tier &&
	       host_list_common(&of_one->nodes, &of_other->nodes);
}
