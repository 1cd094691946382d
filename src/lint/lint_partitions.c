/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Partitions of slurm.conf: their keys, and checks of them and of fathom.conf's scopes and pools.
 * Each check is a function whose row, at the end of the file, tells what it finds and why. */
#include "lint/lint_context.h"

#include "conf/conf_partitions.h"
#include "format/slurm/slurm_nodes.h"
#include "memory/need_memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- keys of a partition ------------------------------------------------------------ */

size_t lint_next_partition(const struct lint *lint, size_t at)
{
	return slurm_next_described(lint->site->slurm, "PartitionName", at);
}

/* Returns the line of a partition, see lint_next_partition(); SLURM_CONF_NONE: there is no
 * partition with this name. */
static size_t lint_find_partition(const struct lint *lint, const char *name)
{
	size_t at = SLURM_CONF_NONE;

	while ((at = lint_next_partition(lint, at)) != SLURM_CONF_NONE)
		if (!strcmp(lint->site->slurm->pair[at].value, name))
			return at;
	return SLURM_CONF_NONE;
}

const struct slurm_pair *lint_partition_key(const struct lint *lint, size_t partition,
					    const char *key)
{
	return slurm_line_pair(lint->site->slurm, partition, key);
}

double lint_partition_number(const struct lint *lint, size_t partition, const char *key)
{
	const struct slurm_pair *pair = lint_partition_key(lint, partition, key);
	char *end;
	double number;

	if (!pair)
		pair = lint_partition_key(lint, partition, "Priority"); /* it sets both */
	if (!pair)
		return lint->site->slurm->pair[partition].is_open ? NAN : 1;
	number = strtod(pair->value, &end);
	return pair->is_unknown || *end ? NAN : number;
}

/* ---- lists of nodes ----------------------------------------------------------------- */

/* Returns whether two sorted lists have the same names. */
static bool are_equal(const struct host_list *a, const struct host_list *b)
{
	for (size_t i = 0; i < a->count; i++)
		if (i >= b->count || strcmp(a->name[i], b->name[i]))
			return false;
	return a->count == b->count;
}

/* ---- all partitions, for checks of src/conf ------------------------------------------ */

struct listed_partitions {
	const struct lint *lint;
	struct conf_partition *list;
	size_t *line;		/* by partition: its line, see lint_next_partition() */
	size_t count;		/* of partitions */
	struct conf_queue *queue;	/* what fathom.conf says of partitions */
	size_t queue_count;		/* 0: there is no fathom.conf */
};

/* Returns whether jobs of a partition may be preempted; false if no PreemptMode is given. */
static bool may_be_preempted(const struct lint *lint, size_t partition)
{
	const struct slurm_pair *mode = lint_partition_key(lint, partition, "PreemptMode");

	if (!mode)
		mode = slurm_conf_find(lint->site->slurm, "PreemptMode");
	return mode && strncasecmp(mode->value, "OFF", 3);
}

/* Adds the partition of a line. */
static void add_partition(struct listed_partitions *partitions, size_t at)
{
	const struct lint *lint = partitions->lint;

	partitions->line[partitions->count] = at;
	partitions->list[partitions->count++] = (struct conf_partition){
		.name = lint->site->slurm->pair[at].value,
		.job_factor = lint_partition_number(lint, at, "PriorityJobFactor"),
		.tier = lint_partition_number(lint, at, "PriorityTier"),
		.may_be_preempted = may_be_preempted(lint, at),
	};
}

/* Lists all partitions, and what fathom.conf says of them. False: there are none, or slurm.conf may
 * have others than those that it shows, as it is a template. */
static bool list_partitions(struct lint *lint, struct listed_partitions *partitions)
{
	const struct fathom_conf *conf = lint->site->fathom;
	size_t count = lint->site->slurm->pair_count + 1, at = SLURM_CONF_NONE;
	bool known = !lint->site->slurm->is_open;

	*partitions = (struct listed_partitions){ .lint = lint };
	partitions->list = need_zeros(count, sizeof(*partitions->list));
	partitions->line = need_zeros(count, sizeof(*partitions->line));
	partitions->queue_count = conf ? conf_queue_count(conf) : 0;
	partitions->queue = need_zeros(partitions->queue_count, sizeof(*partitions->queue));
	while ((at = lint_next_partition(lint, at)) != SLURM_CONF_NONE) {
		known &= !lint->site->slurm->pair[at].is_unknown;
		add_partition(partitions, at);
	}
	need_done(conf && conf_list_queues(conf, partitions->list, partitions->count,
					   partitions->queue));
	return known && partitions->count;
}

/* For struct conf_partitions: returns whether partitions a and b have the same nodes; true if their
 * nodes are not known. */
static bool same_nodes(const void *context, size_t a, size_t b)
{
	const struct listed_partitions *partitions = context;
	struct host_list of_a = { NULL }, of_b = { NULL };
	bool same = slurm_list_nodes(partitions->lint->site->slurm, partitions->line[a], &of_a) ||
		    slurm_list_nodes(partitions->lint->site->slurm, partitions->line[b], &of_b) ||
		    are_equal(&of_a, &of_b);

	host_list_clear(&of_a);
	host_list_clear(&of_b);
	return same;
}

/* For struct conf_partitions: returns whether partitions a and b have a node in common; false if
 * their nodes are not known. */
static bool share_nodes(const void *context, size_t a, size_t b)
{
	const struct listed_partitions *partitions = context;
	struct host_list of_a = { NULL }, of_b = { NULL };
	bool share = !slurm_list_nodes(partitions->lint->site->slurm, partitions->line[a], &of_a) &&
		     !slurm_list_nodes(partitions->lint->site->slurm, partitions->line[b],
				       &of_b) && host_list_common(&of_a, &of_b);

	host_list_clear(&of_a);
	host_list_clear(&of_b);
	return share;
}

/* Returns the partitions in the form that the checks of src/conf take. */
static struct conf_partitions as_conf(const struct listed_partitions *partitions)
{
	const struct slurm_pair *preempt = lint_pair(partitions->lint, KEY_PREEMPT_TYPE);

	return (struct conf_partitions){
		.list = partitions->list,
		.count = partitions->count,
		.queue = partitions->queue,
		.queue_count = partitions->queue_count,
		.preempt_by_tier = preempt && !strcasecmp(preempt->value, "preempt/partition_prio"),
		.same_nodes = same_nodes,
		.share_nodes = share_nodes,
		.context = partitions,
	};
}

/* Reports what a check of src/conf finds. */
static void check_with(struct lint *lint, int (*check)(const struct conf_partitions *partitions,
						       struct conf_fault *fault))
{
	struct listed_partitions partitions;
	struct conf_fault fault;

	if (list_partitions(lint, &partitions)) {
		const struct conf_partitions conf = as_conf(&partitions);

		if (check(&conf, &fault))
			lint_in_fathom(lint, fault.line, fault.key, "%s", fault.error.text);
	}
}

/* ---- checks of fathom.conf ---------------------------------------------------------- */

static void partition_unknown(struct lint *lint)
{
	check_with(lint, conf_check_partition_names);
}

static void factor_within_scope(struct lint *lint)
{
	check_with(lint, conf_check_partition_factors);
}

static void pool_nodes(struct lint *lint)
{
	check_with(lint, conf_check_pool_nodes);
}

/* Reports what src/conf finds for each line of a pool. */
static void warn_with(struct lint *lint, bool (*warns)(const struct conf_partitions *partitions,
						       size_t index, struct conf_fault *warning))
{
	struct listed_partitions partitions;
	struct conf_fault warning;

	if (list_partitions(lint, &partitions)) {
		const struct conf_partitions conf = as_conf(&partitions);

		for (size_t i = 0; i < conf.queue_count; i++)
			if (warns(&conf, i, &warning))
				lint_in_fathom(lint, warning.line, warning.key, "%s",
					       warning.error.text);
	}
}

static void pool_preemption(struct lint *lint)
{
	warn_with(lint, conf_pool_preempts);
}

/* Reports pools with different tiers, and with preempt/qos each QOS that preempts others, as its
 * jobs may be in a pool. */
static void pool_tiers(struct lint *lint)
{
	const struct slurm_pair *preempt = lint_pair(lint, KEY_PREEMPT_TYPE);
	const struct fathom_conf *conf = lint->site->fathom;

	warn_with(lint, conf_pool_tier_differs);
	if (!preempt || strcasecmp(preempt->value, "preempt/qos"))
		return;
	for (size_t i = 0; i < lint->site->qos_count && conf->slot_share_count; i++)
		if (lint->site->qos[i].preempts)
			lint_in_fathom(lint, conf->slot_share[0].line, "SlotPool",
				       "jobs of QOS '%.60s' preempt those of others in a pool",
				       lint->site->qos[i].name);
}

/* Sets `nodes` to the nodes of all partitions of a scope, sorted; the caller clears the list.
 * -1: they are not known. */
static int list_scope_nodes(const struct lint *lint, const struct conf_scope *scope,
			    struct host_list *nodes)
{
	int status = 0;

	*nodes = (struct host_list){ NULL };
	for (size_t i = 0; i < scope->partition_count && !status; i++) {
		size_t at = lint_find_partition(lint, scope->partition[i]);
		struct host_list more = { NULL };

		status = at == SLURM_CONF_NONE ||
					 slurm_list_nodes(lint->site->slurm, at, &more)
				 ? -1 : 0;
		for (size_t j = 0; j < more.count && !status; j++)
			status = host_list_add_all(nodes, more.name[j], NULL);
		host_list_clear(&more);
	}
	host_list_sort(nodes);
	return status;
}

/* Reports two host partitions that have a node in common, at the second one. */
static void compare_scopes(struct lint *lint, const struct conf_scope *a,
			   const struct conf_scope *b)
{
	struct host_list of_a, of_b;
	const char *common = NULL;

	/* '&', because both lists have to be set before they are cleared */
	if (!list_scope_nodes(lint, a, &of_a) & !list_scope_nodes(lint, b, &of_b))
		common = host_list_common(&of_a, &of_b);
	if (common)
		lint_in_fathom(lint, b->line, "Scope", "host partitions '%.60s' and '%.60s' both "
			       "have node %.60s", a->name, b->name, common);
	host_list_clear(&of_a);
	host_list_clear(&of_b);
}

/* Compares all pairs of host partitions. */
static void hosts_overlap(struct lint *lint)
{
	const struct fathom_conf *conf = lint->site->fathom;

	for (size_t i = 0; i < conf->scope_count; i++)
		for (size_t j = 0; j < i; j++)
			if (conf->scope[i].kind == CONF_HOST_PARTITION &&
			    conf->scope[j].kind == CONF_HOST_PARTITION)
				compare_scopes(lint, &conf->scope[j], &conf->scope[i]);
}

/* Returns the index of the first scope that has the node as a host; scope_count: there is none. */
static size_t scope_of_node(const struct fathom_conf *conf, const char *node)
{
	size_t scope = 0;

	while (scope < conf->scope_count && (!conf->scope[scope].hosts.text ||
					     !conf_hosts_have(&conf->scope[scope].hosts, node)))
		scope++;
	return scope;
}

/* Reports a partition whose nodes are not all of the same scope, or of no scope. One example is
 * enough. */
static void check_mixed(struct lint *lint, const char *partition, const struct host_list *nodes)
{
	const struct fathom_conf *conf = lint->site->fathom;
	char other[96] = "nodes of no scope";
	size_t first = conf->scope_count;

	for (size_t i = 0; i < nodes->count; i++) {
		size_t scope = scope_of_node(conf, nodes->name[i]);

		first = scope < first ? scope : first;
	}
	for (size_t i = 0; i < nodes->count; i++) {
		size_t scope = scope_of_node(conf, nodes->name[i]);

		if (scope == first)
			continue;
		if (scope < conf->scope_count)
			snprintf(other, sizeof(other), "of scope '%.60s'", conf->scope[scope].name);
		lint_in_fathom(lint, conf->scope[first].line, "Hosts", "partition '%.60s' has "
			       "nodes of scope '%.60s' and %s; HostRule=%s", partition,
			       conf->scope[first].name, other,
			       conf_host_rules[conf_host_rule(conf)]);
		return;
	}
}

/* A job has one priority in a partition, so it goes by one scope: checks each partition. */
static void hosts_mixed(struct lint *lint)
{
	struct listed_partitions partitions;
	bool known = list_partitions(lint, &partitions);

	for (size_t i = 0; known && i < partitions.count; i++) {
		struct host_list nodes = { NULL };

		if (!slurm_list_nodes(lint->site->slurm, partitions.line[i], &nodes))
			check_mixed(lint, partitions.list[i].name, &nodes);
		host_list_clear(&nodes);
	}
}

static void host_needless(struct lint *lint)
{
	const struct fathom_conf *conf = lint->site->fathom;

	for (size_t i = 0; i < conf->scope_count; i++)
		if (conf->scope[i].hosts.needless.count)
			lint_in_fathom(lint, conf->scope[i].line, "Hosts", CONF_NEEDLESS_HOST,
				       *conf->scope[i].hosts.needless.name);
}

/* Reports at most one host of each scope. */
static void host_unknown(struct lint *lint)
{
	const struct fathom_conf *conf = lint->site->fathom;
	struct host_list nodes = { NULL };
	bool known = !lint->site->slurm->is_open &&
		     !slurm_list_all_nodes(lint->site->slurm, &nodes);

	host_list_sort(&nodes);
	for (size_t i = 0; known && nodes.count && i < conf->scope_count; i++) {
		const char *host = conf_hosts_unknown(&conf->scope[i].hosts, &nodes);

		if (host)
			lint_in_fathom(lint, conf->scope[i].line, "Hosts",
				       "'%.60s' is not a node of slurm.conf", host);
	}
	host_list_clear(&nodes);
}

/* Returns the first of the names that is not in a sorted list; NULL: all of them are. */
static const char *first_unknown(const struct host_list *names, const struct host_list *list)
{
	for (size_t i = 0; i < names->count; i++)
		if (!host_list_has(list, names->name[i]))
			return names->name[i];
	return NULL;
}

/* Reports at most one node of each partition. Without lines of nodes, slurm.conf is not whole. */
static void node_unknown(struct lint *lint)
{
	const struct slurm_conf *slurm = lint->site->slurm;
	struct host_list all = { NULL };
	size_t at = SLURM_CONF_NONE;
	bool known = !slurm->is_open && !slurm_list_all_nodes(slurm, &all) && all.count;

	host_list_sort(&all);
	while (known && (at = lint_next_partition(lint, at)) != SLURM_CONF_NONE) {
		struct host_list nodes = { NULL };
		const char *unknown = slurm_list_nodes(slurm, at, &nodes) ? NULL :
				      first_unknown(&nodes, &all);

		if (unknown)
			lint_at(lint, slurm_line_pair(slurm, at, "Nodes"),
				"partition '%.60s' has '%.60s', which no NodeName line has",
				slurm->pair[at].value, unknown);
		host_list_clear(&nodes);
	}
	host_list_clear(&all);
}

/* Sums up each pool at its first line, whose index the other lines have as `first`. */
static void pool_shares(struct lint *lint)
{
	const struct fathom_conf *conf = lint->site->fathom;

	for (size_t i = 0; i < conf->slot_share_count; i++) {
		double sum = 0;

		for (size_t j = i; j < conf->slot_share_count; j++)
			if (conf->slot_share[j].first == i)
				sum += conf->slot_share[j].share;
		if (sum > 100)
			lint_in_fathom(lint, conf->slot_share[i].line, "SlotPool",
				       "the shares of pool '%.60s' add up to %g%%",
				       conf->slot_share[i].pool, sum);
	}
}

/* ---- tiers -------------------------------------------------------------------------- */

/* A node of a partition; a node of several partitions is there several times. */
struct placed_node {
	const char *name;
	size_t partition;	/* index in struct listed_partitions */
};

/* For qsort(): by name, then by partition. */
static int compare_placed(const void *x, const void *y)
{
	const struct placed_node *a = x, *b = y;
	int order = strcmp(a->name, b->name);

	return order ? order : (a->partition > b->partition) - (a->partition < b->partition);
}

/* Returns the first of two neighbours that are the same node in partitions of different tiers;
 * NULL: there are none. */
static const struct placed_node *find_shared(const struct listed_partitions *all,
					     const struct placed_node *node, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		double tier = all->list[node[i].partition].tier;
		double before = all->list[node[i - 1].partition].tier;

		if (!strcmp(node[i - 1].name, node[i].name) && (tier < before || tier > before))
			return &node[i - 1];
	}
	return NULL;
}

/* Reports two partitions that share a node and have different tiers. One example is enough.
 * Partitions of unknown tier are left out, so that they do not stand between two others. nodes: by
 * partition; node_count: in all of them. */
static void compare_tiers(struct lint *lint, const struct listed_partitions *all,
			  const struct host_list *nodes, size_t node_count)
{
	struct placed_node *node = need_zeros(node_count, sizeof(*node));
	const struct placed_node *found;
	size_t count = 0;

	for (size_t i = 0; i < all->count; i++) {
		if (isnan(all->list[i].tier))
			continue;
		for (size_t j = 0; j < nodes[i].count; j++)
			node[count++] = (struct placed_node){ nodes[i].name[j], i };
	}
	if (count)
		qsort(node, count, sizeof(*node), compare_placed);
	found = find_shared(all, node, count);
	if (found) {
		const struct conf_partition *first = &all->list[found[0].partition];
		const struct conf_partition *second = &all->list[found[1].partition];

		lint_at(lint, &lint->site->slurm->pair[all->line[found[1].partition]],
			"partitions '%.60s' and '%.60s' share node %.60s and have PriorityTier "
			"%.0f and %.0f",
			first->name, second->name, found->name, first->tier, second->tier);
	}
}

/* Partitions whose nodes are not known are left out. */
static void tier_first(struct lint *lint)
{
	struct listed_partitions all;
	bool known = list_partitions(lint, &all);
	struct host_list *nodes = need_zeros(all.count, sizeof(*nodes));
	size_t count = 0;

	for (size_t i = 0; known && i < all.count; i++) {
		if (slurm_list_nodes(lint->site->slurm, all.line[i], &nodes[i]))
			host_list_clear(&nodes[i]);
		count += nodes[i].count;
	}
	if (known)
		compare_tiers(lint, &all, nodes, count);
	for (size_t i = 0; i < all.count; i++)
		host_list_clear(&nodes[i]);
}

/* ---- the rows ----------------------------------------------------------------------- */

const struct lint_row lint_partition_rows[] = {
	{ "partition-unknown", LINT_ERROR, LINT_SLURM | LINT_FATHOM, partition_unknown,
	  "a scope or pool with a partition that does not exist",
	  "The plugin ignores the whole file.",
	  .fix = "correct the name, or add the partition to slurm.conf" },
	{ "host-unknown", LINT_ERROR, LINT_SLURM | LINT_FATHOM, host_unknown,
	  "a scope with a host that is not a node",
	  "The plugin ignores the whole file.",
	  .fix = "correct the name, or add the node to slurm.conf" },
	{ "node-unknown", LINT_ERROR, LINT_SLURM, node_unknown,
	  "a partition with a node that does not exist",
	  "slurmctld ends when it starts.",
	  .fix = "correct the name, or add the node to slurm.conf" },
	{ "host-needless", LINT_WARNING, LINT_FATHOM, host_needless,
	  "a ~host that the list does not have",
	  "It changes nothing; perhaps the name of a host is wrong.",
	  .fix = "correct the name, or leave it out" },
	{ "factor-within-scope", LINT_ERROR, LINT_SLURM | LINT_FATHOM, factor_within_scope,
	  "a partition whose PriorityJobFactor lies within those of a cross-queue scope",
	  "LSF serves the queues of a set together, so no other queue may come between; the plugin "
		"ignores the whole file.",
	  .fix = "move its PriorityJobFactor, or give the scope DispatchOrder=QUEUE" },
	{ "hosts-overlap", LINT_WARNING, LINT_SLURM | LINT_FATHOM, hosts_overlap,
	  "host partitions that share nodes",
	  "As in LSF, a host belongs to one host partition; jobs of both compete there by two "
		"trees.",
	  .fix = "give each node to one of them" },
	{ "hosts-mixed", LINT_WARNING, LINT_SLURM | LINT_FATHOM, hosts_mixed,
	  "a partition with nodes of several host partitions, or of one and of none",
	  "A pending job has one priority in a partition, so HostRule chooses the scope by which "
		"it goes; in LSF it goes by the hosts that are free.",
	  .fix = "make a partition of the nodes of each host partition" },
	{ "pool-nodes", LINT_ERROR, LINT_SLURM | LINT_FATHOM, pool_nodes,
	  "a slot pool whose partitions have different nodes",
	  "Slots of a pool are shared out among its partitions; the plugin ignores the whole file.",
	  .fix = "give the partitions the same Nodes" },
	{ "pool-tiers", LINT_WARNING, LINT_SLURM | LINT_FATHOM, pool_tiers,
	  "a slot pool whose partitions have different tiers, or with QOS that preempt others",
	  "They go before the shares of partitions.",
	  .fix = "give the partitions the same PriorityTier, and deny QOS that preempt" },
	{ "pool-preemption", LINT_ERROR, LINT_SLURM | LINT_FATHOM, pool_preemption,
	  "a slot pool with a partition that preempts or can be preempted",
	  "As in LSF, queues of a pool can do neither; the plugin leaves the pool out.",
	  .fix = "give both partitions the same PriorityTier, or PreemptMode=OFF" },
	{ "pool-shares", LINT_NOTE, LINT_FATHOM, pool_shares,
	  "a slot pool with more than 100 percent",
	  "Shares are of all slots, so who is served last gets less than its share.",
	  .fix = "let the shares add up to 100" },
	{ "tier-first", LINT_NOTE, LINT_SLURM, tier_first,
	  "partitions that share nodes and have different tiers",
	  "PriorityTier goes before all priorities: a job of a lower tier waits, however high its "
		"priority is.",
	  .fix = "give the same PriorityTier where fair share should decide" },
	{ .code = NULL },
};
