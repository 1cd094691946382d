/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/replay/site_scopes.h"

#include "cli/complain.h"
#include "cli/replay/site_pools.h"
#include "conf/conf_partitions.h"
#include "conf/conf_policy.h"
#include "format/job_settings.h"
#include "format/slurm/slurm_nodes.h"
#include "policy/traits.h"

#include <stdlib.h>
#include <string.h>

/* ---- hosts --------------------------------------------------------------------------------- */

static const struct conf_scope *first_with_hosts(const struct fathom_conf *conf)
{
	for (size_t i = 0; i < conf->scope_count; i++)
		if (conf->scope[i].hosts.text)
			return &conf->scope[i];
	return NULL;
}

static int complain_of_hosts(const struct replay_site *site, const struct host_list *nodes)
{
	for (size_t i = 0; i < site->conf.scope_count; i++) {
		const struct conf_scope *scope = &site->conf.scope[i];
		const char *host = conf_hosts_unknown(&scope->hosts, nodes);

		if (host)
			return complain("%s:%u: Hosts: '%s' is not a node of slurm.conf",
					site->conf_name, scope->line, host);
	}
	return 0;
}

static int check_hosts(const struct replay_site *site)
{
	struct host_list nodes = { NULL };
	int status;

	slurm_list_all_nodes(&site->slurm, &nodes);	/* they were read before */
	host_list_sort(&nodes);
	status = complain_of_hosts(site, &nodes);
	host_list_clear(&nodes);
	return status;
}

/* Jobs of a partition go by the first scope in fathom.conf that has one of its nodes. */
static int find_hosts(struct site_partitions *partitions, const struct replay_site *site)
{
	const struct conf_scope *scope = first_with_hosts(&site->conf);
	struct replay_partition *whole = &partitions->of_replay[partitions->trace.count];

	if (!partitions->group_count)
		return complain("%s:%u: Hosts: the nodes are not known; give --from slurm.conf, "
				"and no --cpus", site->conf_name, scope->line);
	if (check_hosts(site))
		return EXIT_WRONG;
	partitions->scope_of_group = calloc(partitions->group_count,
					    sizeof(*partitions->scope_of_group));
	if (!partitions->scope_of_group)
		return complain("out of memory");
	for (size_t i = 0; i < partitions->group_count; i++) {
		uint32_t number = (uint32_t)site->machine.group[i].node_class;

		partitions->scope_of_group[i] = number;
		if (number && (!whole->scope || number < whole->scope))
			whole->scope = number;
	}
	for (size_t i = 0; i < partitions->trace.count; i++)
		partitions->of_replay[i].scope =
			i < site->machine.partition_count
				? (uint32_t)site->machine.partition[i].first_class
				: whole->scope;
	return 0;
}

/* ---- partitions ---------------------------------------------------------------------------- */

static int check_queues(const struct replay_site *site, const struct conf_partitions *partitions)
{
	struct conf_fault fault;

	if (!conf_check_partition_names(partitions, &fault) &&
	    !conf_check_partition_factors(partitions, &fault) &&
	    !conf_check_pool_nodes(partitions, &fault))
		return 0;
	return complain("%s:%u: %s: %s", site->conf_name, fault.line, fault.key, fault.error.text);
}

/* Behind the queues of Scope lines are those of SlotPool lines. */
static int set_numbers(struct site_partitions *partitions, const struct replay_site *site,
		       const struct conf_partitions *checked)
{
	size_t scoped = checked->queue_count - site->conf.slot_share_count;

	for (size_t i = 0; i < scoped; i++)
		partitions->of_replay[checked->queue[i].partition].scope =
			(uint32_t)checked->queue[i].scope;
	return site_pools_set(partitions, site, checked->queue + scoped);
}

static int check(struct site_partitions *partitions, const struct replay_site *site,
		 struct conf_partition *list, struct conf_queue *queue)
{
	const struct conf_partitions checked = {
		.list = list, .count = partitions->trace.count, .queue = queue,
		.queue_count = conf_queue_count(&site->conf),
		.same_nodes = site_pools_same_nodes, .context = partitions,
	};

	for (size_t i = 0; i < checked.count; i++)
		list[i] = (struct conf_partition){
			.name = partitions->limits[i].name,
			.job_factor = partitions->of_replay[i].queue.partition_factor };
	if (conf_list_queues(&site->conf, list, checked.count, queue))
		return complain("out of memory");
	return check_queues(site, &checked) ? EXIT_WRONG : set_numbers(partitions, site, &checked);
}

/* ---- classes ------------------------------------------------------------------------------- */

/* Ranks partitions by PriorityJobFactor, the highest first. */
static void rank(struct site_partitions *partitions)
{
	for (size_t i = 0; i < partitions->trace.count; i++) {
		struct replay_partition *partition = &partitions->of_replay[i];

		partition->rank = 0;
		for (size_t j = 0; j < partitions->trace.count; j++)
			partition->rank += partitions->of_replay[j].queue.partition_factor >
					   partition->queue.partition_factor;
	}
}

/* Partitions of equal PriorityJobFactor are one class of their scope. */
static int find_classes(struct site_partitions *partitions, uint32_t scope, size_t *classes)
{
	size_t count = 0, at = 0, all = partitions->trace.count;
	double *priority = calloc(all + 1, sizeof(*priority));
	size_t *class_of = calloc(all + 1, sizeof(*class_of));

	*classes = 0;
	for (size_t i = 0; priority && i < all; i++)
		if (partitions->of_replay[i].scope == scope)
			priority[count++] = partitions->of_replay[i].queue.partition_factor;
	if (priority && class_of)
		*classes = fathom_queue_classes(priority, count, class_of);
	for (size_t i = 0; *classes && i < all; i++)
		if (partitions->of_replay[i].scope == scope)
			partitions->of_replay[i].class_of = class_of[at++];
	free(priority);
	free(class_of);
	return *classes ? 0 : complain("out of memory");
}

static int find_all_classes(struct site_partitions *partitions, const struct replay_site *site)
{
	partitions->classes = calloc(site->conf.scope_count + 1, sizeof(*partitions->classes));
	if (!partitions->classes)
		return complain("out of memory");
	for (size_t i = 0; i < site->conf.scope_count; i++)
		if (site->conf.scope[i].queue_first &&
		    find_classes(partitions, (uint32_t)i + 1, &partitions->classes[i]))
			return EXIT_WRONG;
	return 0;
}

static int refuse_without_partitions(const struct replay_site *site)
{
	const struct fathom_conf *conf = &site->conf;
	bool is_scope = conf->scope_count;

	return complain("%s:%u: %s: no partitions are known; also give --from slurm.conf",
			site->conf_name, is_scope ? conf->scope->line : conf->slot_share->line,
			is_scope ? "Scope" : "SlotPool");
}

static int find_partitions(struct site_partitions *partitions, const struct replay_site *site)
{
	size_t count = partitions->trace.count;
	struct conf_partition *list;
	struct conf_queue *queue;
	int status;

	if (!count)
		return refuse_without_partitions(site);
	list = calloc(count, sizeof(*list));
	queue = calloc(conf_queue_count(&site->conf) + 1, sizeof(*queue));
	status = list && queue ? check(partitions, site, list, queue) : complain("out of memory");
	free(list);
	free(queue);
	return status;
}

int site_scopes_find(struct site_partitions *partitions, const struct replay_site *site)
{
	if (!conf_queue_count(&site->conf) && !site->conf.scope_count)
		return 0;
	if ((first_with_hosts(&site->conf) && find_hosts(partitions, site)) ||
	    (conf_queue_count(&site->conf) && find_partitions(partitions, site)))
		return EXIT_WRONG;
	rank(partitions);
	return find_all_classes(partitions, site);
}

/* ---- policies ------------------------------------------------------------------------------ */

/* A scope without a policy of its own has the settings in force, which options may have changed. */
static struct fathom_settings settings_of(const struct replay_site *site,
					  const struct conf_scope *scope,
					  const struct replay_scope *live)
{
	const struct conf_slurm slurm = job_settings_slurm(&site->settings);
	struct fathom_settings settings = live->settings;

	if (scope->policy)
		return conf_scope_settings(&site->conf, &slurm, scope, scope->policy);
	for (size_t i = 0; i < scope->pair_count; i++)
		fathom_settings_set(live->policy, &settings, scope->pair[i].key,
				    scope->pair[i].value, NULL);
	return settings;
}

static int set_scope(struct replay_scope *to, const struct replay_site *site, size_t i,
		     const struct replay_scope *live)
{
	const struct conf_scope *scope = &site->conf.scope[i];
	const struct fathom_policy *policy = scope->policy ? scope->policy : live->policy;
	const char *key = conf_scope_foreign_key(scope, policy);

	if (key)
		return complain("%s:%u: %s: policy %s of scope '%s' has no such setting; see "
				"fathom.conf(5)", site->conf_name, scope->line, key,
				fathom_policy_name(policy), scope->name);
	*to = (struct replay_scope){
		.policy = policy,
		.settings = settings_of(site, scope, live),
	};
	return 0;
}

/* In an order of dispatch the queues of a scope are served as one. */
static int check_order(const struct replay_site *site, const struct replay_scope *scope)
{
	const struct conf_scope *conf = site->conf.scope;

	for (size_t i = 0; i < site->conf.scope_count; i++)
		if (conf[i].queue_first &&
		    fathom_policy_places_jobs(scope[i].policy, &scope[i].settings))
			return complain("%s:%u: DispatchOrder: queue cannot be replayed with an "
					"order of dispatch; set run_job_factor=0",
					site->conf_name, conf[i].line);
	return 0;
}

int site_scopes_set(struct replay_scope *scope, const struct replay_site *site,
		    const struct site_partitions *partitions, const struct replay_scope *live)
{
	for (size_t i = 0; i < site->conf.scope_count; i++) {
		if (set_scope(&scope[i], site, i, live))
			return EXIT_WRONG;
		scope[i].classes = partitions->classes[i];
	}
	return check_order(site, scope);
}
