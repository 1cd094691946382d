/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the scopes and slot pools of partitions. The checks are those of src/conf, with the
 * partitions of slurm.conf in place of slurmctld's. */
#include "cli/replay/replay_command.h"

#include "conf/conf_partitions.h"
#include "format/job_settings.h"
#include "format/slurm/slurm_nodes.h"
#include "policy/traits.h"

#include <errno.h>
#include <strings.h>

/* ---- hosts --------------------------------------------------------------------------------- */

/* Refuses a host of a scope that is not a node of slurm.conf. */
static void check_hosts(const struct replay_site *site)
{
	struct host_list nodes = { NULL };

	slurm_list_all_nodes(&site->slurm, &nodes);	/* no error: read_machine() has read them */
	host_list_sort(&nodes);
	for (size_t i = 0; i < site->conf.scope_count; i++) {
		const struct conf_scope *scope = &site->conf.scope[i];
		const char *host = conf_hosts_unknown(&scope->hosts, &nodes);

		if (host)
			refuse("%s: Hosts: '%s' is not a node of slurm.conf",
			       replay_conf_place(site, scope->line), host);
	}
}

/* Sets the scopes of groups and partitions, if scopes have hosts. Jobs of a partition go by the
 * first scope in fathom.conf that has one of its nodes. */
static void find_hosts(struct site_partitions *partitions, const struct replay_site *site)
{
	const struct conf_scope *scope = NULL;
	/* the partition with all nodes */
	struct replay_partition *whole = &partitions->partition[partitions->trace.count];

	for (size_t i = 0; i < site->conf.scope_count && !scope; i++)
		if (site->conf.scope[i].hosts.text)
			scope = &site->conf.scope[i];
	if (!scope)
		return;
	if (!partitions->group_count)
		refuse("%s: Hosts: the nodes are not known; give --from slurm.conf, and no --cpus",
		       replay_conf_place(site, scope->line));
	check_hosts(site);
	partitions->scope_of_group = need_zeros(partitions->group_count,
						sizeof(*partitions->scope_of_group));
	for (size_t i = 0; i < partitions->group_count; i++) {
		uint32_t number = (uint32_t)site->machine.group[i].node_class;	/* of a scope */

		partitions->scope_of_group[i] = number;
		if (number && (!whole->scope || number < whole->scope))
			whole->scope = number;
	}
	for (size_t i = 0; i < partitions->trace.count; i++)
		partitions->partition[i].scope =
			i < site->machine.partition_count
				? (uint32_t)site->machine.partition[i].first_class
				: whole->scope;
}

/* ---- pools --------------------------------------------------------------------------------- */

/* Functions for struct conf_partitions. a, b: indices of partitions, whose groups of nodes are in
 * ascending order; context: the struct site_partitions. */

static bool have_same_nodes(const void *context, size_t a, size_t b)
{
	const struct site_partitions *partitions = context;
	const struct replay_partition *of_a = &partitions->partition[a];
	const struct replay_partition *of_b = &partitions->partition[b];

	return of_a->group_count == of_b->group_count &&
	       !memcmp(of_a->group, of_b->group, of_a->group_count * sizeof(*of_a->group));
}

static bool share_nodes(const void *context, size_t a, size_t b)
{
	const struct site_partitions *partitions = context;
	const struct replay_partition *of_a = &partitions->partition[a];
	const struct replay_partition *of_b = &partitions->partition[b];
	size_t i = 0, j = 0;

	while (i < of_a->group_count && j < of_b->group_count) {
		if (of_a->group[i] == of_b->group[j])
			return true;
		if (of_a->group[i] < of_b->group[j])
			i++;
		else
			j++;
	}
	return false;
}

/* Refuses a pool whose nodes are all hosts of scopes, which take no part in pools. */
static void check_pool_hosts(const struct site_partitions *partitions,
			     const struct replay_site *site, const struct conf_queue *queue)
{
	const struct replay_partition *partition = &partitions->partition[queue->partition];
	size_t scoped = 0;

	for (size_t i = 0; partitions->scope_of_group && i < partition->group_count; i++)
		scoped += partitions->scope_of_group[partition->group[i]] > 0;
	if (scoped && scoped == partition->group_count)
		refuse("%s: Partition: all nodes of '%s' are hosts of scopes, which take no part "
		       "in slot pools", replay_conf_place(site, queue->share->line), queue->name);
}

/* Returns an array by SlotPool line. The element of a pool's first line says whether a queue of the
 * pool preempts or is preempted, so that the pool is left out, as in the plugin; a remark says so.
 * scoped: number of elements of checked->queue that are of Scope lines. */
static bool *find_void_pools(const struct conf_partitions *checked, const struct replay_site *site,
			     size_t scoped)
{
	bool *is_void = need_zeros(site->conf.slot_share_count, sizeof(*is_void));
	struct conf_fault fault;

	for (size_t i = 0; i < site->conf.slot_share_count; i++) {
		bool *of_pool = &is_void[site->conf.slot_share[i].first];

		if (*of_pool || !conf_pool_preempts(checked, scoped + i, &fault))
			continue;
		*of_pool = true;
		remark("%s: %s: %s", replay_conf_place(site, fault.line), fault.key,
		       fault.error.text);
	}
	return is_void;
}

/* Makes the pools, and sets the pool and share of each partition. queue: by SlotPool line, all of
 * them checked; is_void: see find_void_pools(). */
static void set_pools(struct site_partitions *partitions, const struct replay_site *site,
		      const struct conf_queue *queue, const bool *is_void)
{
	const struct fathom_conf *conf = &site->conf;

	partitions->pool = need_zeros(conf->slot_share_count, sizeof(*partitions->pool));
	for (size_t i = 0; i < conf->slot_share_count; i++) {
		const struct conf_slot_share *share = &conf->slot_share[i];
		struct replay_partition *partition = &partitions->partition[queue[i].partition];
		size_t first = queue[share->first].partition;

		if (is_void[share->first])
			continue;
		check_pool_hosts(partitions, site, &queue[i]);
		partition->slot_share = share->share;
		if (share->first == i)
			partitions->pool[partitions->pool_count++] = (struct replay_pool){
				.max_slots = share->max_slots > 0 ? (uint64_t)share->max_slots
								  : FATHOM_NO_LIMIT,
				.use_priority = share->use_priority,
			};
		/* numbers of pools begin at 1 */
		partition->pool = share->first == i ? (uint32_t)partitions->pool_count
						    : partitions->partition[first].pool;
	}
}

/* ---- partitions ---------------------------------------------------------------------------- */

/* Returns the value of a key of slurm.conf; "": it is not set. */
static const char *slurm_value(const struct replay_site *site, const char *key)
{
	const struct slurm_pair *pair =
		site->slurm_name ? slurm_conf_find(&site->slurm, key) : NULL;

	return pair ? pair->value : "";
}

/* Returns partition i as the checks of src/conf need it. A snapshot does not tell whether its jobs
 * may be preempted. mode: PreemptMode, if the partition has none of its own. */
static struct conf_partition checked_partition(const struct site_partitions *partitions,
					       const struct replay_site *site, size_t i,
					       const char *mode)
{
	const struct described_partition *described =
		i < site->machine.described.count ? &site->machine.described.at[i] : NULL;
	struct conf_partition partition = {
		.name = partitions->limits[i].name, .tier = partitions->partition[i].tier,
		.job_factor = partitions->partition[i].queue.partition_factor,
	};

	if (!described)
		return partition;
	if (described->preempt_mode)
		mode = described->preempt_mode;
	partition.may_be_preempted = *mode && strncasecmp(mode, "OFF", strlen("OFF"));
	return partition;
}

/* Sets the scope and pool of each partition that Scope and SlotPool lines name. */
static void find_partitions(struct site_partitions *partitions, const struct replay_site *site)
{
	const struct fathom_conf *conf = &site->conf;
	size_t count = partitions->trace.count, queue_count = conf_queue_count(conf);
	size_t scoped = queue_count - conf->slot_share_count;
	struct conf_partition *list = need_zeros(count, sizeof(*list));
	struct conf_queue *queue = need_zeros(queue_count, sizeof(*queue));
	const struct conf_partitions checked = {
		.list = list, .count = count, .queue = queue, .queue_count = queue_count,
		.same_nodes = have_same_nodes, .share_nodes = share_nodes, .context = partitions,
		.preempt_by_tier =
			!strcasecmp(slurm_value(site, "PreemptType"), "preempt/partition_prio"),
	};
	const char *preempt_mode = slurm_value(site, "PreemptMode");
	struct conf_fault fault;

	if (!queue_count)
		return;
	if (!count)
		refuse("%s: %s: no partitions are known; also give --from slurm.conf",
		       replay_conf_place(site, conf->scope_count ? conf->scope->line
								 : conf->slot_share->line),
		       conf->scope_count ? "Scope" : "SlotPool");
	for (size_t i = 0; i < count; i++)
		list[i] = checked_partition(partitions, site, i, preempt_mode);
	need_done(conf_list_queues(conf, list, count, queue));
	if (conf_check_partition_names(&checked, &fault) ||
	    conf_check_partition_factors(&checked, &fault) ||
	    conf_check_pool_nodes(&checked, &fault))
		refuse("%s: %s: %s", replay_conf_place(site, fault.line), fault.key,
		       fault.error.text);
	/* behind the queues of Scope lines are those of SlotPool lines */
	for (size_t i = 0; i < scoped; i++)
		partitions->partition[queue[i].partition].scope = (uint32_t)queue[i].scope;
	set_pools(partitions, site, queue + scoped, find_void_pools(&checked, site, scoped));
}

/* ---- classes ------------------------------------------------------------------------------- */

/* Ranks partitions by PriorityJobFactor, the highest first, from 0. */
static void rank_partitions(struct site_partitions *partitions)
{
	for (size_t i = 0; i < partitions->trace.count; i++) {
		struct replay_partition *partition = &partitions->partition[i];

		partition->rank = 0;
		for (size_t j = 0; j < partitions->trace.count; j++)
			partition->rank += partitions->partition[j].queue.partition_factor >
					   partition->queue.partition_factor;
	}
}

/* Sets the class of each partition of a scope: partitions of equal PriorityJobFactor are in one
 * class. scope: its number, from 1. Returns the number of classes. */
static size_t find_classes(struct site_partitions *partitions, uint32_t scope)
{
	const size_t partition_count = partitions->trace.count;
	size_t count = 0, classes;
	/* of the scope's partitions, in their order */
	double *priority = need_zeros(partition_count, sizeof(*priority));
	size_t *class_of = need_zeros(partition_count, sizeof(*class_of));

	for (size_t i = 0; i < partition_count; i++)
		if (partitions->partition[i].scope == scope)
			priority[count++] = partitions->partition[i].queue.partition_factor;
	classes = fathom_queue_classes(priority, count, class_of);
	for (size_t i = 0; i < partition_count; i++)
		if (partitions->partition[i].scope == scope)
			partitions->partition[i].queue_class = *class_of++;
	return classes;
}

void site_scopes_find(struct site_partitions *partitions, const struct replay_site *site)
{
	if (!conf_queue_count(&site->conf) && !site->conf.scope_count)
		return;
	find_hosts(partitions, site);
	find_partitions(partitions, site);
	rank_partitions(partitions);
	partitions->classes = need_zeros(site->conf.scope_count, sizeof(*partitions->classes));
	for (size_t i = 0; i < site->conf.scope_count; i++)
		if (site->conf.scope[i].queue_first)
			partitions->classes[i] = find_classes(partitions, (uint32_t)i + 1);
}

/* ---- policies ------------------------------------------------------------------------------ */

/* Returns the policy of a scope; NULL: the one in force. An option goes before what files of
 * another scheduler say. */
static const struct fathom_policy *policy_of(const struct replay_site *site,
					     const struct conf_scope *conf,
					     const struct candidate *options)
{
	return site->conf_is_foreign && options->policy ? options->policy : conf->policy;
}

bool site_scopes_have(const struct replay_site *site, const char *key,
		      const struct candidate *options)
{
	for (size_t i = 0; site->conf_is_foreign && i < site->conf.scope_count; i++)
		if (policy_setting_named(policy_of(site, &site->conf.scope[i], options),
					 setting_own_name(key)) != POLICY_HAS_NONE)
			return true;
	return false;
}

/* Changes the settings of a scope of another scheduler by those options that its policy has. */
static void apply_options(struct replay_scope *scope, const struct candidate *options)
{
	struct fathom_error error;

	for (size_t i = 0; i < options->sets.count; i++) {
		const struct set *set = options->sets.set[i];

		if (settings_set(scope->policy, &scope->settings, set, &error) &&
		    error.code != ENOENT)
			refuse("--set: %s: %s; see fathom replay --help", set->key, error.text);
	}
}

/* Returns policy and settings of a scope. One without a policy of its own starts with the settings
 * in force, which options may have changed. Refuses a setting that the policy does not have. */
static struct replay_scope scope_of(const struct replay_site *site, const struct conf_scope *conf,
				    const struct replay_scope *in_force,
				    const struct candidate *options)
{
	const struct conf_slurm slurm = job_settings_slurm(&site->settings);
	const struct fathom_policy *own = policy_of(site, conf, options);
	struct replay_scope scope = { .policy = own ? own : in_force->policy,
				      .settings = in_force->settings };
	const char *key = conf_scope_foreign_key(conf, scope.policy);

	if (key && !site->conf_is_foreign)
		refuse("%s: %s: policy %s of scope '%s' has no such setting; see fathom.conf(5)",
		       replay_conf_place(site, conf->line), key, fathom_policy_name(scope.policy),
		       conf->name);
	if (own)
		scope.settings = conf_scope_settings(&site->conf, &slurm, conf, own);
	/* no errors: the keys have been checked, and by the reader of fathom.conf the values */
	for (size_t i = 0; !own && i < conf->pair_count; i++)
		fathom_settings_set(scope.policy, &scope.settings, conf->pair[i].key,
				    conf->pair[i].value, NULL);
	if (site->conf_is_foreign)
		apply_options(&scope, options);
	return scope;
}

void site_scopes_set(struct replay_scope *scope, const struct replay_site *site,
		     const struct site_partitions *partitions, const struct replay_scope *in_force,
		     const struct candidate *options)
{
	const struct conf_scope *conf = site->conf.scope;

	for (size_t i = 0; i < site->conf.scope_count; i++) {
		scope[i] = scope_of(site, &conf[i], in_force, options);
		scope[i].classes = partitions->classes[i];
	}
	/* in an order of dispatch the queues of a scope are served as one */
	for (size_t i = 0; i < site->conf.scope_count; i++)
		if (conf[i].queue_first &&
		    fathom_policy_places_jobs(scope[i].policy, &scope[i].settings))
			refuse("%s: DispatchOrder: queue cannot be replayed with an order of "
			       "dispatch; set run_job_factor=0",
			       replay_conf_place(site, conf[i].line));
}
