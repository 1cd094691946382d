/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Partitions of slurm.conf: their keys, and checks of them and of fathom.conf's scopes and pools.
 * Each check is a function whose row, at the end of the file, tells what it finds and why. */
#include "lint/lint_context.h"

#include "conf/conf_partitions.h"
#include "format/slurm/slurm_nodes.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"

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

double lint_partition_number(const struct lint *lint, size_t partition, const char *key)
{
	const struct slurm_pair *pair = slurm_line_pair(lint->site->slurm, partition, key);
	char *end;
	double number;

	if (!pair)
		pair = slurm_line_pair(lint->site->slurm, partition, "Priority"); /* it sets both */
	if (!pair)
		return lint->site->slurm->pair[partition].is_open ? NAN : 1;
	number = strtod(pair->value, &end);
	return pair->is_unknown || *end ? NAN : number;
}

/* ---- all partitions, also for checks of src/conf ------------------------------------- */

struct lint_partitions {
	struct listed_partition {
		size_t line;		/* see lint_next_partition() */
		struct host_list nodes;	/* sorted; empty if they are not known */
		bool has_nodes;		/* they are known */
	} *listed;
	struct conf_partition *partition;	/* the same partitions, as src/conf takes them */
	size_t count;
	bool is_whole;		/* there are some, and slurm.conf can have no others than those that
				 * it shows, as a template might */
	struct conf_partitions conf;	/* what the checks of src/conf take; without queues if there
					 * is no fathom.conf */
};

/* Returns whether jobs of a partition may be preempted. general: the key of all partitions; NULL:
 * it is not given, so that only those may be that have a key of their own. */
static bool may_be_preempted(const struct slurm_conf *slurm, size_t partition,
			     const struct slurm_pair *general)
{
	const struct slurm_pair *own = slurm_line_pair(slurm, partition, "PreemptMode");
	const struct slurm_pair *mode = own ? own : general;

	return mode && strncasecmp(mode->value, "OFF", 3);
}

/* For struct conf_partitions: returns whether partitions a and b have the same nodes; true if their
 * nodes are not known. */
static bool same_nodes(const void *context, size_t a, size_t b)
{
	const struct lint_partitions *all = context;
	const struct host_list *of_a = &all->listed[a].nodes, *of_b = &all->listed[b].nodes;
	size_t i = 0;

	while (i < of_a->count && i < of_b->count && !strcmp(of_a->name[i], of_b->name[i]))
		i++;
	return !all->listed[a].has_nodes || !all->listed[b].has_nodes ||
	       (i == of_a->count && i == of_b->count);
}

/* For struct conf_partitions: returns whether partitions a and b have a node in common; false if
 * their nodes are not known. */
static bool share_nodes(const void *context, size_t a, size_t b)
{
	const struct lint_partitions *all = context;

	return host_list_common(&all->listed[a].nodes, &all->listed[b].nodes);
}

/* Adds the partition of a line. preempt_mode: see may_be_preempted(). */
static void add_partition(const struct lint *lint, struct lint_partitions *all, size_t at,
			  const struct slurm_pair *preempt_mode)
{
	struct listed_partition *added = &all->listed[all->count];

	added->line = at;
	added->has_nodes = !slurm_list_nodes(lint->site->slurm, at, &added->nodes);
	if (!added->has_nodes)
		host_list_clear(&added->nodes);
	all->partition[all->count++] = (struct conf_partition){
		.name = lint->site->slurm->pair[at].value,
		.job_factor = lint_partition_number(lint, at, "PriorityJobFactor"),
		.tier = lint_partition_number(lint, at, "PriorityTier"),
		.may_be_preempted = may_be_preempted(lint->site->slurm, at, preempt_mode),
	};
}

/* Adds all partitions of slurm.conf, and sets is_whole. */
static void add_partitions(const struct lint *lint, struct lint_partitions *all)
{
	const struct slurm_conf *slurm = lint->site->slurm;
	const struct slurm_pair *preempt_mode = slurm_conf_find(slurm, "PreemptMode");
	size_t at = SLURM_CONF_NONE;

	all->listed = need_zeros(slurm->pair_count, sizeof(*all->listed));
	all->partition = need_zeros(slurm->pair_count, sizeof(*all->partition));
	all->is_whole = !slurm->is_open;
	while ((at = lint_next_partition(lint, at)) != SLURM_CONF_NONE) {
		all->is_whole &= !slurm->pair[at].is_unknown;
		add_partition(lint, all, at, preempt_mode);
	}
	all->is_whole &= all->count > 0;
}

/* Sets what the checks of src/conf take. */
static void set_conf(const struct lint *lint, struct lint_partitions *all)
{
	const struct fathom_conf *conf = lint->site->fathom;
	const struct slurm_pair *preempt = lint_pair(lint, KEY_PREEMPT_TYPE);
	size_t queue_count = conf ? conf_queue_count(conf) : 0;
	struct conf_queue *queue = need_zeros(queue_count, sizeof(*queue));

	need_done(conf && conf_list_queues(conf, all->partition, all->count, queue));
	all->conf = (struct conf_partitions){
		.list = all->partition, .count = all->count,
		.queue = queue, .queue_count = queue_count,
		.preempt_by_tier = preempt && !strcasecmp(preempt->value, "preempt/partition_prio"),
		.same_nodes = same_nodes, .share_nodes = share_nodes, .context = all,
	};
}

/* Returns all partitions, and what fathom.conf says of them. The first check that asks lists
 * them. */
static const struct lint_partitions *list_partitions(struct lint *lint)
{
	if (!lint->partitions) {
		lint->partitions = need_object(sizeof(*lint->partitions));
		add_partitions(lint, lint->partitions);
		set_conf(lint, lint->partitions);
	}
	return lint->partitions;
}

/* Reports what a check of src/conf finds, if slurm.conf is whole. */
static void check_with(struct lint *lint, int (*check)(const struct conf_partitions *partitions,
						       struct conf_fault *fault))
{
	const struct lint_partitions *all = list_partitions(lint);
	struct conf_fault fault;

	if (all->is_whole && check(&all->conf, &fault))
		lint_in_fathom(lint, fault.line, fault.key, "%s", fault.error.text);
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
	const struct lint_partitions *all = list_partitions(lint);
	struct conf_fault warning;

	for (size_t i = 0; all->is_whole && i < all->conf.queue_count; i++)
		if (warns(&all->conf, i, &warning))
			lint_in_fathom(lint, warning.line, warning.key, "%s", warning.error.text);
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

/* Returns the nodes of a queue's partition, sorted; NULL: there is no partition, or its nodes are
 * not known. */
static const struct host_list *nodes_of(const struct lint_partitions *all,
					const struct conf_queue *queue)
{
	bool is_known = queue->partition != CONF_NO_PARTITION &&
			all->listed[queue->partition].has_nodes;

	return is_known ? &all->listed[queue->partition].nodes : NULL;
}

/* Returns the first node, in the order of names, that two host partitions have in common. NULL:
 * there is none, or not all nodes are known. a, b: their first queues; nodes_of_a: an empty table,
 * which is filled. */
static const char *find_common(const struct lint_partitions *all, struct name_index *nodes_of_a,
			       const struct conf_queue *a, const struct conf_queue *b)
{
	const char *first = NULL;

	for (size_t i = 0; i < a->of_scope->partition_count; i++) {
		const struct host_list *nodes = nodes_of(all, &a[i]);

		if (!nodes)
			return NULL;
		for (size_t j = 0; j < nodes->count; j++)
			need_put(nodes_of_a, piece_of(nodes->name[j]), i);
	}
	for (size_t i = 0; i < b->of_scope->partition_count; i++) {
		const struct host_list *nodes = nodes_of(all, &b[i]);

		if (!nodes)
			return NULL;
		for (size_t j = 0; j < nodes->count; j++)
			if (name_index_get(nodes_of_a, piece_of(nodes->name[j])) !=
				    NAME_INDEX_NONE &&
			    (!first || strcmp(nodes->name[j], first) < 0))
				first = nodes->name[j];
	}
	return first;
}

/* Returns whether a queue is the first of a host partition. */
static bool begins_host_partition(const struct conf_queue *queue, size_t index)
{
	return queue[index].scope && queue[index].of_scope->kind == CONF_HOST_PARTITION &&
	       (!index || queue[index - 1].scope != queue[index].scope);
}

/* Reports two host partitions that have a node in common, at the second one. first, second: their
 * first queues. */
static void compare_scopes(struct lint *lint, const struct conf_queue *first,
			   const struct conf_queue *second)
{
	struct name_index nodes_of_first = { .count = 0 };
	const char *common = find_common(list_partitions(lint), &nodes_of_first, first, second);

	name_index_clear(&nodes_of_first);
	if (common)
		lint_in_fathom(lint, second->of_scope->line, "Scope", "host partitions '%.60s' and "
			       "'%.60s' both have node %.60s", first->of_scope->name,
			       second->of_scope->name, common);
}

/* Returns by number of a scope whether it has a node that another scope has, too. */
static bool *list_sharing_scopes(const struct lint_partitions *all, size_t scope_count)
{
	bool *shares = need_zeros(scope_count + 1, sizeof(*shares));
	struct name_index *first = need_index();	/* from nodes to the first scope of each */

	for (size_t i = 0; i < all->conf.queue_count; i++) {
		const struct conf_queue *queue = &all->conf.queue[i];
		const struct host_list *nodes = queue->scope ? nodes_of(all, queue) : NULL;

		for (size_t j = 0; nodes && j < nodes->count; j++) {
			struct piece node = piece_of(nodes->name[j]);
			size_t scope = name_index_get(first, node);

			if (scope == NAME_INDEX_NONE)
				need_put(first, node, queue->scope);
			else if (scope != queue->scope)
				shares[scope] = shares[queue->scope] = true;
		}
	}
	return shares;
}

/* Compares all pairs of host partitions that may have a node in common. */
static void hosts_overlap(struct lint *lint)
{
	const struct lint_partitions *all = list_partitions(lint);
	const bool *shares = list_sharing_scopes(all, lint->site->fathom->scope_count);
	const struct conf_queue *queue = all->conf.queue;
	size_t *compared = NULL, count = 0;	/* the first queues of such host partitions */

	for (size_t i = 0; i < all->conf.queue_count; i++) {
		if (!begins_host_partition(queue, i) || !shares[queue[i].scope])
			continue;
		for (size_t j = 0; j < count; j++)
			compare_scopes(lint, &queue[compared[j]], &queue[i]);
		NEED_ADD(compared, count, i);
	}
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

/* A job has one priority in a partition, so it goes by one scope: checks each partition. All scopes
 * have hosts, or none has. */
static void hosts_mixed(struct lint *lint)
{
	const struct lint_partitions *all = list_partitions(lint);
	const struct fathom_conf *conf = lint->site->fathom;
	bool has_hosts = conf->scope_count && conf->scope->hosts.text;

	for (size_t i = 0; has_hosts && all->is_whole && i < all->count; i++)
		check_mixed(lint, all->partition[i].name, &all->listed[i].nodes);
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
}

/* Reports at most one node of each partition. Without lines of nodes, slurm.conf is not whole. */
static void node_unknown(struct lint *lint)
{
	const struct slurm_conf *slurm = lint->site->slurm;
	const struct lint_partitions *all = list_partitions(lint);
	struct host_list nodes = { NULL };
	bool known = !slurm->is_open && !slurm_list_all_nodes(slurm, &nodes) && nodes.count;

	host_list_sort(&nodes);
	for (size_t i = 0; known && i < all->count; i++) {
		const char *unknown = host_list_unknown(&all->listed[i].nodes, &nodes);

		if (unknown)
			lint_at(lint, slurm_line_pair(slurm, all->listed[i].line, "Nodes"),
				"partition '%.60s' has '%.60s', which no NodeName line has",
				all->partition[i].name, unknown);
	}
}

/* Sums up the shares of each pool at its first line: all its lines have the index of that as
 * `first`. */
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
	size_t partition;	/* index in struct lint_partitions */
};

/* For qsort(): by name, then by partition. */
static int compare_placed(const void *x, const void *y)
{
	const struct placed_node *a = x, *b = y;
	int order = strcmp(a->name, b->name);

	return order ? order : (a->partition > b->partition) - (a->partition < b->partition);
}

/* Returns the first of two neighbours that are the same node in partitions of different tiers;
 * NULL: there are none. node: `count` nodes, sorted. */
static const struct placed_node *find_shared(const struct lint_partitions *all,
					     const struct placed_node *node, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		double tier = all->partition[node[i].partition].tier;
		double before = all->partition[node[i - 1].partition].tier;

		if (!strcmp(node[i - 1].name, node[i].name) && (tier < before || tier > before))
			return &node[i - 1];
	}
	return NULL;
}

/* Returns the nodes of all partitions whose tier is known, *count of them, sorted: a partition of
 * unknown tier must not stand between two others. NULL: there are none. */
static struct placed_node *place_nodes(const struct lint_partitions *all, size_t *count)
{
	struct placed_node *node = NULL;

	*count = 0;
	for (size_t i = 0; i < all->count; i++) {
		const struct host_list *nodes = &all->listed[i].nodes;

		for (size_t j = 0; !isnan(all->partition[i].tier) && j < nodes->count; j++)
			NEED_ADD(node, *count, (struct placed_node){ nodes->name[j], i });
	}
	if (*count)
		qsort(node, *count, sizeof(*node), compare_placed);
	return node;
}

/* Reports two partitions that share a node and have different tiers. One example is enough. */
static void tier_first(struct lint *lint)
{
	const struct lint_partitions *all = list_partitions(lint);
	const struct conf_partition *first, *second;
	const struct placed_node *node, *shared;
	size_t count;

	if (!all->is_whole)
		return;
	node = place_nodes(all, &count);
	shared = find_shared(all, node, count);
	if (!shared)
		return;
	first = &all->partition[shared[0].partition];
	second = &all->partition[shared[1].partition];
	lint_at(lint, &lint->site->slurm->pair[all->listed[shared[1].partition].line],
		"partitions '%.60s' and '%.60s' share node %.60s and have PriorityTier %.0f and "
		"%.0f", first->name, second->name, shared->name, first->tier, second->tier);
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
