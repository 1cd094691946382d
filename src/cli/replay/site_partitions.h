/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The partitions of a site, as a trace and as a replay need them. */
#pragma once

#include "cli/replay/replay_site.h"
#include "format/trace/trace_partitions.h"
#include "replay/replay_rules.h"

/* A site without partitions has none here, and one without nodes has no groups: then each CPU of
 * the machine is as good as any other. */
struct site_partitions {
	struct trace_partition *limits;
	struct trace_site trace;
	struct replay_partition *of_replay;	/* behind the site's: one with all nodes */
	uint32_t *groups;			/* of each of these, one after the other */
	uint64_t *group_cpus, *group_nodes;
	uint32_t *scope_of_group;	/* as in struct replay_rules; NULL: no scope has hosts */
	size_t *classes;	/* by scope: classes of its partitions; 0: users go first */
	struct replay_pool *pool;
	size_t pool_count;
	size_t group_count;	/* 0: nodes are not known */
	double cpus, nodes;	/* of the machine; 0: not known */
};

/* with_nodes: whether the machine has the site's nodes. Without them each partition has the whole
 * machine, and keeps its name and limits. */
void site_partitions_create(struct site_partitions *partitions, const struct replay_site *site,
			    bool with_nodes);
