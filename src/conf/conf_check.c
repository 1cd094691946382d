/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks fathom.conf as a whole: first each scope and each slot share by itself, whether its line
 * has all that it needs; then names: two lines may not define the same scope, or use the same
 * partition. Names are sorted for that, so that lines with the same name are neighbours:
 *
 *	5: Scope=gpu Partitions=a,b	partition	line
 *	7: Scope=cpu Partitions=b,c	a		5
 *					b		5
 *					b		7	wrong: b is named twice
 *					c		7
 */
#include "conf/conf_check.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

/* A name, and the scope or the slot share on whose line it stands; the other one is NULL. */
struct named_line {
	const char *name;
	const struct conf_scope *scope;
	struct conf_slot_share *share;
};

/* Returns the line of fathom.conf on which a name stands. */
static unsigned line_of(const struct named_line *named)
{
	return named->scope ? named->scope->line : named->share->line;
}

/* Sorts by name; for one name, scopes first, then by line. */
static int compare_names(const void *x, const void *y)
{
	const struct named_line *a = x, *b = y;
	int order = strcmp(a->name, b->name);

	if (order)
		return order;
	if (!a->scope != !b->scope)
		return a->scope ? -1 : 1;
	return (line_of(a) > line_of(b)) - (line_of(a) < line_of(b));
}

/* Checks two lines that have the same name, in the order of compare_names(). -1: they
 * contradict each other. */
typedef int pair_check(const struct named_line *first, const struct named_line *second,
		       struct conf_fault *fault);

/* The names of one kind, with their lines. */
struct names {
	struct named_line *line;
	size_t count;
	bool no_memory;		/* some are missing */
};

/* Adds the name of a scope or of a slot share; the other one is NULL. */
static void add_name(struct names *names, const char *name, const struct conf_scope *scope,
		     struct conf_slot_share *share)
{
	struct named_line *added = array_append(&names->line, &names->count, sizeof(*added));

	names->no_memory |= !added;
	if (added)
		*added = (struct named_line){ name, scope, share };
}

/* Sorts the names, checks each two neighbours with the same name, and frees the array. */
static int check_same_names(struct names *names, pair_check *check, struct conf_fault *fault)
{
	struct named_line *line = names->line;
	int status = names->no_memory ? fathom_error_no_memory(&fault->error) : 0;

	if (names->count)
		qsort(line, names->count, sizeof(*line), compare_names);
	for (size_t i = 1; i < names->count && !status; i++)
		if (!strcmp(line[i - 1].name, line[i].name))
			status = check(&line[i - 1], &line[i], fault);
	free(line);
	return status;
}

/* Two scopes may not have the same name. */
static int same_scope_name(const struct named_line *first, const struct named_line *second,
			   struct conf_fault *fault)
{
	return FAULT(fault, second->scope->line, "Scope", "'%s' is already defined on line %u; "
		     "must have another name", second->name, first->scope->line);
}

/* Lines of the same pool are its queues. Only the first of them may describe the pool. Sets `first`
 * of the second line; that of the first line is right, as the lines are in order. */
static int same_pool(const struct named_line *first, const struct named_line *second,
		     struct conf_fault *fault)
{
	const char *key = second->share->max_slots > 0 ? "MaxSlotsInPool" : "UsePriorityInPool";

	second->share->first = first->share->first;
	if (!(second->share->max_slots > 0) && !second->share->use_priority)
		return 0;
	return FAULT(fault, second->share->line, key, "must be on the first line of pool '%s', "
		     "which is before line %u", second->name, first->share->line + 1);
}

/* A partition may be in one scope, and also in one slot pool if the scope is of kind queue. */
static int same_partition(const struct named_line *first, const struct named_line *second,
			  struct conf_fault *fault)
{
	if (second->scope)
		return FAULT(fault, second->scope->line, "Partitions", "'%s' is in scope '%s' "
			     "(line %u) already, must be named once", second->name,
			     first->scope->name, first->scope->line);
	if (first->share)
		return FAULT(fault, second->share->line, "Partition", "'%s' is in pool '%s' "
			     "(line %u) already, must be named once", second->name,
			     first->share->pool, first->share->line);
	if (first->scope->kind == CONF_QUEUE)
		return 0;
	return FAULT(fault, second->share->line, "Partition", "'%s' is in scope '%s' (line %u) of "
		     "kind %s, whose partitions cannot be in a slot pool", second->name,
		     first->scope->name, first->scope->line, conf_scope_kinds[first->scope->kind]);
}

static int check_scope_names(const struct fathom_conf *conf, struct conf_fault *fault)
{
	struct names names = { NULL };

	for (size_t i = 0; i < conf->scope_count; i++)
		add_name(&names, conf->scope[i].name, &conf->scope[i], NULL);
	return check_same_names(&names, same_scope_name, fault);
}

/* Checks the lines of each pool, and sets their `first`. */
static int check_pools(struct fathom_conf *conf, struct conf_fault *fault)
{
	struct names names = { NULL };

	for (size_t i = 0; i < conf->slot_share_count; i++)
		add_name(&names, conf->slot_share[i].pool, NULL, &conf->slot_share[i]);
	return check_same_names(&names, same_pool, fault);
}

/* A partition may be in one scope and in one slot pool, see same_partition(). */
static int check_partitions(struct fathom_conf *conf, struct conf_fault *fault)
{
	struct names names = { NULL };

	for (size_t i = 0; i < conf->scope_count; i++)
		for (size_t j = 0; j < conf->scope[i].partition_count; j++)
			add_name(&names, conf->scope[i].partition[j], &conf->scope[i], NULL);
	for (size_t i = 0; i < conf->slot_share_count; i++)
		add_name(&names, conf->slot_share[i].partition, NULL, &conf->slot_share[i]);
	return check_same_names(&names, same_partition, fault);
}

int conf_check_pairs(const struct conf_scope *scope, const struct fathom_policy *policy,
		     struct conf_fault *fault)
{
	const char *key = conf_scope_foreign_key(scope, policy);

	if (!key)
		return 0;
	return FAULT(fault, scope->line, key, "policy %s of scope '%s' has no such setting; see "
		     "fathom.conf(5)", fathom_policy_name(policy), scope->name);
}

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

/* HostRule and OtherHosts hold for all host partitions, so only the first scope may have them, if
 * it has Hosts. first: the first scope; NULL: this one has no Hosts, so it may not have them. */
static int check_host_keys(const struct conf_scope *first, const struct conf_scope *scope,
			   struct conf_fault *fault)
{
	if (!scope->has_host_keys || (scope == first && scope->hosts.text))
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
	if (!scope->hosts.text)	/* others are checked by check_host_partitions() */
		return check_host_keys(NULL, scope, fault);
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

/* All scopes have Partitions, or all have Hosts: jobs would belong to two scopes if one took them
 * by partition, the other by host. */
static int check_same_terms(const struct conf_scope *first, const struct conf_scope *scope,
			    struct conf_fault *fault)
{
	if (!first->hosts.text == !scope->hosts.text)
		return check_host_keys(first, scope, fault);
	return FAULT(fault, scope->line, "Scope", "'%s' has %s, and '%s' (line %u) has %s; all "
		     "scopes or none must have Hosts", scope->name,
		     scope->hosts.text ? "Hosts" : "Partitions", first->name, first->line,
		     first->hosts.text ? "Hosts" : "Partitions");
}

/* As in LSF, all scopes are host partitions, or none is. */
static int check_host_partitions(const struct fathom_conf *conf, struct conf_fault *fault)
{
	for (size_t i = 1; i < conf->scope_count; i++) {
		const struct conf_scope *first = &conf->scope[0], *scope = &conf->scope[i];

		if ((scope->kind == CONF_HOST_PARTITION) == (first->kind == CONF_HOST_PARTITION)) {
			if (check_same_terms(first, scope, fault))
				return -1;
			continue;
		}
		return FAULT(fault, scope->line, "Scope", "'%s' is of kind %s, and '%s' (line %u) "
			     "of kind %s; all scopes or none must be host-partition", scope->name,
			     conf_scope_kinds[scope->kind], first->name, first->line,
			     conf_scope_kinds[first->kind]);
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

/* A host may be in one scope. */
static int same_host(const struct named_line *first, const struct named_line *second,
		     struct conf_fault *fault)
{
	return two_scopes_of_host(second->name, first->scope, second->scope, fault);
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
	for (size_t i = 0; i < conf->scope_count; i++)
		for (size_t j = 0; conf->scope[i].hosts.all && j < conf->scope_count; j++)
			if (j != i && check_against_all(&conf->scope[i], &conf->scope[j], fault))
				return -1;
	return 0;
}

/* A host may be in one scope. */
static int check_hosts(const struct fathom_conf *conf, struct conf_fault *fault)
{
	struct names names = { NULL };

	for (size_t i = 0; i < conf->scope_count; i++)
		for (size_t j = 0; j < conf->scope[i].hosts.named.count; j++)
			add_name(&names, conf->scope[i].hosts.named.name[j], &conf->scope[i], NULL);
	return check_same_names(&names, same_host, fault) ||
	       check_scopes_of_all(conf, fault) ? -1 : 0;
}

/* ---- slot shares, banks and resources ------------------------------------------------ */

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

/* Sorts the banks, and checks that none is named twice. */
static int check_banks(struct fathom_conf *conf, struct conf_fault *fault)
{
	const struct conf_bank *second = conf_banks_sort(&conf->banks);

	if (!second)
		return 0;
	return FAULT(fault, second->line, "BankPriority", "'%s' is on line %u already, must be "
		     "named once", second->name, second[-1].line);
}

/* Checks the rows of ResourceGroup; *fault gets the line of the first wrong one. */
static int check_resources(const struct fathom_conf *conf, struct conf_fault *fault)
{
	size_t wrong = conf_resources_check(&conf->resources, &fault->error);

	if (wrong == conf->resources.count)
		return 0;
	fault->line = conf->resources.line[wrong];
	fault->key = "ResourceGroup";
	return -1;
}

/* Sorts and checks the groups; *fault gets the line of the first wrong one. */
static int check_user_groups(struct fathom_conf *conf, struct conf_fault *fault)
{
	struct conf_user_groups *groups = &conf->user_groups;
	size_t wrong = conf_user_groups_check(groups, &fault->key, &fault->error);

	if (wrong == groups->count)
		return 0;
	fault->line = groups->line[wrong];
	return -1;
}

/* Checks UserShares of each scope by making its tree; the groups' have been checked before. */
static int check_user_shares(const struct fathom_conf *conf, struct conf_fault *fault)
{
	for (size_t i = 0; i < conf->scope_count; i++) {
		const struct conf_scope *scope = &conf->scope[i];
		struct fathom_user_shares given = conf_user_shares(&scope->assignments,
								   &conf->user_groups);
		struct fathom_share_tree *tree;

		if (!scope->user_shares)
			continue;
		tree = fathom_share_tree_create(&given, &fault->error);
		fault->line = scope->line;
		fault->key = "UserShares";
		if (!tree)
			return -1;
		fathom_share_tree_destroy(tree);
	}
	return 0;
}

int conf_check(struct fathom_conf *conf, struct conf_fault *fault)
{
	for (size_t i = 0; i < conf->scope_count; i++)
		if (check_scope(conf, &conf->scope[i], fault))
			return -1;
	for (size_t i = 0; i < conf->slot_share_count; i++)
		if (check_slot_share(&conf->slot_share[i], fault))
			return -1;
	if (check_host_partitions(conf, fault) || check_scope_names(conf, fault) ||
	    check_pools(conf, fault) || check_partitions(conf, fault) ||
	    check_hosts(conf, fault) || check_banks(conf, fault) || check_resources(conf, fault) ||
	    check_user_groups(conf, fault) || check_user_shares(conf, fault))
		return -1;
	/* this cluster's name is not known here: the plugin checks again when it is */
	return conf_global_check(&conf->global, NULL)
		       ? fathom_error_no_memory(&fault->error) : 0;
}
