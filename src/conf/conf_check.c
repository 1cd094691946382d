/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks fathom.conf as a whole: first each scope and each slot share by itself, whether its line
 * has all that it needs; then names: two lines may not define the same scope, or use the same
 * partition. Each of these checks enters its names into an index, with the number of the line, and
 * so meets the line before that has the same name:
 *
 *	5: Scope=gpu Partitions=a,b	a and b are entered with the number of scope gpu
 *	7: Scope=cpu Partitions=b,c	b is there already: wrong, it is named twice
 */
#include "conf/conf_check.h"

#include <string.h>

/* ---- names: each check gets an empty index, and messages are about the later line ----------- */

/* In these checks, `earlier` is the number, entered before, of a line that has the same name, or
 * NAME_INDEX_NONE. */

/* Two scopes may not have the same name. */
static int check_scope_names(struct fathom_conf *conf, struct name_index *names,
			     struct conf_fault *fault)
{
	for (size_t i = 0, earlier; i < conf->scope_count; i++) {
		const struct conf_scope *scope = &conf->scope[i];

		if (name_index_replace(names, piece_of(scope->name), i, &earlier, &fault->error))
			return -1;
		if (earlier != NAME_INDEX_NONE)
			return FAULT(fault, scope->line, "Scope", "'%s' is already defined on line "
				     "%u; must have another name", scope->name,
				     conf->scope[earlier].line);
	}
	return 0;
}

/* Lines of the same pool are its queues. Only the first of them may describe the pool. Sets `first`
 * of the others to that of the line before; on the pool's first line it is right already. */
static int check_pools(struct fathom_conf *conf, struct name_index *names, struct conf_fault *fault)
{
	for (size_t i = 0, earlier; i < conf->slot_share_count; i++) {
		struct conf_slot_share *share = &conf->slot_share[i];
		const char *key = share->max_slots > 0 ? "MaxSlotsInPool" : "UsePriorityInPool";

		if (name_index_replace(names, piece_of(share->pool), i, &earlier, &fault->error))
			return -1;
		if (earlier == NAME_INDEX_NONE)
			continue;
		share->first = conf->slot_share[earlier].first;
		if (share->max_slots > 0 || share->use_priority)
			return FAULT(fault, share->line, key, "must be on the first line of pool "
				     "'%s', line %u", share->pool,
				     conf->slot_share[share->first].line);
	}
	return 0;
}

/* Each partition is in one scope at most. */
static int check_scoped_partitions(const struct fathom_conf *conf, size_t index,
				   struct name_index *names, struct conf_fault *fault)
{
	const struct conf_scope *scope = &conf->scope[index];

	for (size_t i = 0, earlier; i < scope->partition_count; i++) {
		const char *name = scope->partition[i];

		if (name_index_replace(names, piece_of(name), index, &earlier, &fault->error))
			return -1;
		if (earlier != NAME_INDEX_NONE)
			return FAULT(fault, scope->line, "Partitions", "'%s' is in scope '%s' "
				     "(line %u) already, must be named once", name,
				     conf->scope[earlier].name, conf->scope[earlier].line);
	}
	return 0;
}

/* A partition may be in one scope, and also in one slot pool if the scope is of kind queue. In the
 * index, numbers of slot shares come behind those of scopes. */
static int check_partitions(struct fathom_conf *conf, struct name_index *names,
			    struct conf_fault *fault)
{
	for (size_t i = 0; i < conf->scope_count; i++)
		if (check_scoped_partitions(conf, i, names, fault))
			return -1;
	for (size_t i = 0, earlier; i < conf->slot_share_count; i++) {
		const struct conf_slot_share *share = &conf->slot_share[i], *other;
		const struct conf_scope *scope;

		if (name_index_replace(names, piece_of(share->partition), conf->scope_count + i,
				       &earlier, &fault->error))
			return -1;
		if (earlier == NAME_INDEX_NONE)
			continue;
		if (earlier >= conf->scope_count) {
			other = &conf->slot_share[earlier - conf->scope_count];
			return FAULT(fault, share->line, "Partition", "'%s' is in pool '%s' (line "
				     "%u) already, must be named once", share->partition,
				     other->pool, other->line);
		}
		scope = &conf->scope[earlier];
		if (scope->kind != CONF_QUEUE)
			return FAULT(fault, share->line, "Partition", "'%s' is in scope '%s' (line "
				     "%u) of kind %s, whose partitions cannot be in a slot pool",
				     share->partition, scope->name, scope->line,
				     conf_scope_kinds[scope->kind]);
	}
	return 0;
}

/* ---- scopes ------------------------------------------------------------------------- */

int conf_check_pairs(const struct conf_scope *scope, const struct fathom_policy *policy,
		     struct conf_fault *fault)
{
	const char *key = conf_scope_foreign_key(scope, policy);

	if (!key)
		return 0;
	return FAULT(fault, scope->line, key, "policy %s of scope '%s' has no such setting; see "
		     "fathom.conf(5)", fathom_policy_name(policy), scope->name);
}

/* Checks that the master queue is one of the scope's partitions. */
static int check_master_queue(const struct conf_scope *scope, struct conf_fault *fault)
{
	for (size_t i = 0; i < scope->partition_count; i++)
		if (!strcmp(scope->partition[i], scope->master_queue))
			return 0;
	return FAULT(fault, scope->line, "MasterQueue", "'%s' is not among Partitions, must be one "
		     "of them", scope->master_queue);
}

/* Makes a scope with a MasterQueue and no Kind a cross-queue set, and checks that its keys fit its
 * kind. */
static int check_kind(struct conf_scope *scope, struct conf_fault *fault)
{
	if (!scope->kind_given && scope->master_queue)
		scope->kind = CONF_CROSS_QUEUE;
	if (scope->kind != CONF_CROSS_QUEUE && scope->master_queue)
		return FAULT(fault, scope->line, "MasterQueue", "scope '%s' is of kind %s, must be "
			     "cross-queue to have one", scope->name, conf_scope_kinds[scope->kind]);
	if (scope->kind != CONF_CROSS_QUEUE && scope->queue_first)
		return FAULT(fault, scope->line, "DispatchOrder", "scope '%s' is of kind %s, must "
			     "have a MasterQueue for that", scope->name,
			     conf_scope_kinds[scope->kind]);
	if (scope->kind != CONF_CROSS_QUEUE)
		return 0;
	if (!scope->master_queue)
		return FAULT(fault, scope->line, "Kind", "scope '%s' has no MasterQueue, must name "
			     "one of its partitions", scope->name);
	if (scope->partition_count < 2)
		return FAULT(fault, scope->line, "Partitions", "cross-queue scope '%s' has only "
			     "one, must have two or more", scope->name);
	return check_master_queue(scope, fault);
}

/* Checks that the line of a scope has neither HostRule nor OtherHosts. They hold for all host
 * partitions, so only the first scope may have them, if it has Hosts; this is about all others. */
static int check_no_host_keys(const struct conf_scope *scope, struct conf_fault *fault)
{
	if (!scope->has_host_keys)
		return 0;
	return FAULT(fault, scope->line, "Scope", "'%s' has HostRule or OtherHosts, which must be "
		     "on the first line of a scope with Hosts", scope->name);
}

/* Checks that a scope has Partitions or Hosts. Makes one with Hosts and no Kind a host
 * partition. */
static int check_members(struct conf_scope *scope, struct conf_fault *fault)
{
	if (!scope->partition_count && !scope->hosts.text)
		return FAULT(fault, scope->line, "Scope", "'%s' has no Partitions, must name one "
			     "or more, or have Hosts", scope->name);
	if (!scope->hosts.text)	/* check_host_partitions() checks scopes with Hosts */
		return check_no_host_keys(scope, fault);
	if (scope->partition_count)
		return FAULT(fault, scope->line, "Hosts", "scope '%s' also has Partitions, "
			     "must have only one of them", scope->name);
	if (!scope->kind_given)
		scope->kind = CONF_HOST_PARTITION;
	scope->kind_given = true;
	if (scope->kind == CONF_HOST_PARTITION)
		return 0;
	return FAULT(fault, scope->line, "Hosts", "scope '%s' is of kind %s, must be "
		     "host-partition to have hosts", scope->name, conf_scope_kinds[scope->kind]);
}

/* Checks a scope by itself. If neither its line nor the file names a policy, PriorityFlags choose
 * it, and conf_check_scope_keys() checks the line's settings. */
static int check_scope(const struct fathom_conf *conf, struct conf_scope *scope,
		       struct conf_fault *fault)
{
	const struct fathom_policy *policy = scope->policy ? scope->policy : conf_policy(conf);

	if (check_members(scope, fault) || check_kind(scope, fault))
		return -1;
	return policy ? conf_check_pairs(scope, policy, fault) : 0;
}

/* Checks that a scope has Hosts if the first one has, and Partitions if that has Partitions: jobs
 * would belong to two scopes if one took them by partition, the other by host. */
static int check_same_terms(const struct conf_scope *first, const struct conf_scope *scope,
			    struct conf_fault *fault)
{
	if (!first->hosts.text == !scope->hosts.text)	/* both have Hosts, or neither has */
		return 0;
	return FAULT(fault, scope->line, "Scope", "'%s' has %s, and '%s' (line %u) has %s; all "
		     "scopes or none must have Hosts", scope->name,
		     scope->hosts.text ? "Hosts" : "Partitions", first->name, first->line,
		     first->hosts.text ? "Hosts" : "Partitions");
}

/* Checks scopes against the first one. As in LSF, all scopes are host partitions, or none is. */
static int check_host_partitions(const struct fathom_conf *conf, struct conf_fault *fault)
{
	for (size_t i = 1; i < conf->scope_count; i++) {
		const struct conf_scope *first = &conf->scope[0], *scope = &conf->scope[i];

		if ((scope->kind == CONF_HOST_PARTITION) != (first->kind == CONF_HOST_PARTITION))
			return FAULT(fault, scope->line, "Scope", "'%s' is of kind %s, and '%s' "
				     "(line %u) of kind %s; all scopes or none must be "
				     "host-partition", scope->name, conf_scope_kinds[scope->kind],
				     first->name, first->line, conf_scope_kinds[first->kind]);
		if (check_same_terms(first, scope, fault) || check_no_host_keys(scope, fault))
			return -1;
	}
	return 0;
}

/* ---- hosts ------------------------------------------------------------------------- */

/* Sets the fault for a host in two scopes. Returns -1. */
static int two_scopes_of_host(const char *name, const struct conf_scope *first,
			      const struct conf_scope *second, struct conf_fault *fault)
{
	return FAULT(fault, second->line, "Hosts", "'%s' is in scope '%s' (line %u) already, must "
		     "be in one host partition", name, first->name, first->line);
}

/* Checks that a scope with Hosts=all, but for those that it excludes, and another one have no host
 * in common. */
static int check_against_all(const struct conf_scope *all, const struct conf_scope *other,
			     struct conf_fault *fault)
{
	const struct conf_scope *first = all->line < other->line ? all : other;
	const struct conf_scope *second = first == all ? other : all;

	if (other->hosts.all)
		return two_scopes_of_host("all", first, second, fault);
	for (size_t i = 0; i < other->hosts.named.count; i++)
		if (conf_hosts_have(&all->hosts, other->hosts.named.name[i]))
			return two_scopes_of_host(other->hosts.named.name[i], first, second, fault);
	return 0;
}

/* Checks each scope with Hosts=all against all others. */
static int check_scopes_of_all(const struct fathom_conf *conf, struct conf_fault *fault)
{
	for (size_t i = 0; i < conf->scope_count; i++) {
		const struct conf_scope *scope = &conf->scope[i];

		for (size_t j = 0; scope->hosts.all && j < conf->scope_count; j++)
			if (j != i && check_against_all(scope, &conf->scope[j], fault))
				return -1;
	}
	return 0;
}

/* A host may be in one scope. */
static int check_hosts(struct fathom_conf *conf, struct name_index *names, struct conf_fault *fault)
{
	for (size_t i = 0, earlier; i < conf->scope_count; i++) {
		const struct host_list *hosts = &conf->scope[i].hosts.named;

		for (size_t j = 0; j < hosts->count; j++) {
			if (name_index_replace(names, piece_of(hosts->name[j]), i, &earlier,
					       &fault->error))
				return -1;
			if (earlier != NAME_INDEX_NONE)
				return two_scopes_of_host(hosts->name[j], &conf->scope[earlier],
							  &conf->scope[i], fault);
		}
	}
	return check_scopes_of_all(conf, fault);
}

/* ---- slot shares and UserShares ------------------------------------------------------ */

/* Checks that the line of a slot share has all that it needs. */
static int check_slot_share(const struct conf_slot_share *share, struct conf_fault *fault)
{
	if (!share->partition)
		return FAULT(fault, share->line, "SlotPool", "'%s' has no Partition on this line, "
			     "must name one", share->pool);
	if (!(share->share > 0))
		return FAULT(fault, share->line, "SlotPool", "'%s' has no SlotShare on this line, "
			     "must have one, in percent", share->pool);
	return 0;
}

/* Checks UserShares of each scope; the groups' have been checked before. */
static int check_user_shares(const struct fathom_conf *conf, struct conf_fault *fault)
{
	for (size_t i = 0; i < conf->scope_count; i++) {
		const struct conf_scope *scope = &conf->scope[i];

		fault->line = scope->line;
		if (scope->user_shares &&
		    conf_assignments_check(&scope->assignments, &conf->user_groups, fault))
			return -1;
	}
	return 0;
}

/* conf_user_groups_check() as one of the checks of names. */
static int check_user_groups(struct fathom_conf *conf, struct name_index *names,
			     struct conf_fault *fault)
{
	return conf_user_groups_check(&conf->user_groups, names, fault);
}

/* Makes the checks of names, each with an empty index. */
static int check_names(struct fathom_conf *conf, struct conf_fault *fault)
{
	static int (*const checks[])(struct fathom_conf *, struct name_index *,
				     struct conf_fault *) = {
		check_scope_names, check_pools, check_partitions, check_hosts, conf_resources_check,
		check_user_groups,
	};
	int status = 0;

	for (size_t i = 0; !status && i < sizeof(checks) / sizeof(*checks); i++) {
		struct name_index names = { NULL };

		status = checks[i](conf, &names, fault);
		name_index_clear(&names);
	}
	return status;
}

int conf_check(struct fathom_conf *conf, struct conf_fault *fault)
{
	for (size_t i = 0; i < conf->scope_count; i++)
		if (check_scope(conf, &conf->scope[i], fault))
			return -1;
	for (size_t i = 0; i < conf->slot_share_count; i++)
		if (check_slot_share(&conf->slot_share[i], fault))
			return -1;
	if (check_host_partitions(conf, fault) || check_names(conf, fault) ||
	    conf_banks_check(conf, fault) || check_user_shares(conf, fault))
		return -1;
	/* this cluster's name is not known here: the plugin checks again when it is */
	return conf_global_check(&conf->global, NULL)
		       ? fathom_error_no_memory(&fault->error) : 0;
}
