/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the fathom.conf that is in force, and what it says together with slurm.conf. slurm.conf is
 * always slurmctld's; fathom.conf is what slurmctld tells of it, or the file on this host. */
#include "live/live_private.h"

#include "conf/conf_parse.h"
#include "conf/conf_partitions.h"
#include "conf/conf_policy.h"
#include "conf/conf_told.h"
#include "format/format.h"
#include "json/figures.h"
#include "memory/need_names.h"
#include "policy/traits.h"
#include "priority/job_comment.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

/* ---- fathom.conf ----------------------------------------------------------------- */

bool live_conf_is_fathom(const slurm_conf_t *slurm)
{
	return slurm->priority_type && strstr(slurm->priority_type, "fathom");
}

const char *live_conf_path(const slurm_conf_t *slurm, const char *name)
{
	const char *path = getenv("SLURM_CONF"), *slash;

	if (!path || !*path)
		path = slurm->slurm_conf;
	slash = path ? strrchr(path, '/') : NULL;
	if (!slash)
		return NULL;
	return name ? need_print("%.*s/%s", (int)(slash - path), path, name) : path;
}

/* Reads the copy of the last good fathom.conf that the plugin keeps, in place of a wrong file.
 * Returns a warning that says so. fault: what is wrong with the file. *is_known: *conf was set to
 * the copy, as this is a host of slurmctld, and the user may read it. */
static const char *read_last_good(struct fathom_conf *conf, const slurm_conf_t *slurm,
				  const char *fault, bool *is_known)
{
	const char *folder = slurm->state_save_location;
	const char *path = folder ? need_print("%s/" CONF_KEPT_NAME, folder) : NULL;
	struct document input;
	struct stat status;

	*is_known = false;
	if (!path || stat(path, &status))
		return need_print("%s; the last good settings stay in force, or the defaults if "
				  "there are none", fault);
	if (!document_load_regular(&input, path, NULL)) {
		conf_mark_nuls(input.text, input.length);
		*is_known = !conf_parse_text(conf, path, input.text, NULL);
	}
	return need_print("%s; the last good settings, of %s, stay in force", fault,
			  need_date((double)status.st_mtime, "%Y-%m-%dT%H:%M:%S"));
}

const char *live_conf_told(const slurm_conf_t *slurm)
{
	if (!live_conf_is_fathom(slurm) || !conf_told_is(slurm->priority_params))
		return NULL;
	return need_owned(conf_told_read(slurm->priority_params), free);
}

/* Returns a warning that this host has no fathom.conf; NULL: it needs none, as slurmctld tells its
 * own, or as without slurmdbd there is no tree that a policy could evaluate. */
static const char *remark_of_missing(const slurm_conf_t *slurm, bool has_told)
{
	const char *storage = slurm->accounting_storage_type;

	if (has_told || !storage || !strstr(storage, "slurmdbd"))
		return NULL;
	return "policy assumed: this host has no fathom.conf, and slurmctld does not tell its own";
}

/* Returns what the fathom.conf of this host says; see live_conf_read(). has_told: slurmctld tells
 * its own, so that a file that is missing or cannot be read needs no warning. */
static struct fathom_conf read_file(const slurm_conf_t *slurm, bool has_told, const char **remark,
				    bool *is_known)
{
	struct fathom_conf conf = conf_standard();
	const char *path = live_conf_path(slurm, "fathom.conf");
	struct document input;
	struct fathom_error error = { .code = ENOENT };

	*remark = NULL;
	*is_known = true;
	if (!path || document_load_regular(&input, path, &error)) {
		*is_known = error.code == ENOENT;
		if (*is_known)
			*remark = remark_of_missing(slurm, has_told);
		else if (!has_told)
			*remark = need_print("%.200s: %s; its policy is unknown", path, error.text);
	} else {
		conf_mark_nuls(input.text, input.length);
		if (conf_parse_text(&conf, path, input.text, &error))
			*remark = read_last_good(&conf, slurm, error.text, is_known);
	}
	return conf;
}

struct fathom_conf live_conf_read(const slurm_conf_t *slurm, const char **remark, bool *is_known)
{
	struct fathom_conf told = conf_standard(), of_file;
	const char *text = live_conf_told(slurm), *file_remark;
	bool has_told = text && !conf_parse_text(&told, "slurmctld", text, NULL), file_is_known;

	of_file = read_file(slurm, has_told, &file_remark, &file_is_known);
	if (remark)
		*remark = file_remark;
	if (is_known)
		*is_known = has_told || file_is_known;
	return has_told ? told : of_file;
}

/* ---- the policy ------------------------------------------------------------------ */

/* Returns the keys of slurm.conf that src/conf needs. */
static struct conf_slurm as_conf(const slurm_conf_t *slurm)
{
	return (struct conf_slurm){
		.has_fair_tree = slurm->priority_flags & PRIORITY_FLAGS_FAIR_TREE,
		.has_depth_oblivious = slurm->priority_flags & PRIORITY_FLAGS_DEPTH_OBLIVIOUS,
		.dampening_factor = slurm->fs_dampening_factor,
	};
}

const struct fathom_policy *live_conf_policy(const struct fathom_conf *conf,
					     const slurm_conf_t *slurm)
{
	const struct conf_slurm keys = as_conf(slurm);

	return conf_policy_in_force(conf, &keys);
}

double live_conf_dampening_factor(const struct fathom_conf *conf, const slurm_conf_t *slurm)
{
	const struct conf_slurm keys = as_conf(slurm);

	return conf_dampening_factor(conf, &keys);
}

/* If the cluster runs Slurm's own plugin, ties are resolved as that does. */
struct fathom_settings live_conf_settings(const struct fathom_conf *conf, const slurm_conf_t *slurm,
					  const struct fathom_policy *policy)
{
	const struct conf_slurm keys = as_conf(slurm);
	struct fathom_settings settings = conf_settings(conf, &keys, policy);

	if (!live_conf_is_fathom(slurm))
		policy_set(policy, &settings, SETTING_TIE_MODE, TIE_SLURM);
	return settings;
}

/* ---- the order of dispatch ------------------------------------------------------------- */

/* Returns the policy of a scope. scope: NULL: that of partitions in no scope. */
static const struct fathom_policy *policy_of(const struct fathom_conf *conf,
					     const slurm_conf_t *slurm,
					     const struct conf_scope *scope)
{
	return scope && scope->policy ? scope->policy : live_conf_policy(conf, slurm);
}

/* Returns whether jobs have places in LSF's order of dispatch, because of their policy. scope: that
 * of their partition; NULL: it is in none. */
static bool places_jobs(const struct fathom_conf *conf, const slurm_conf_t *slurm,
			const struct conf_scope *scope)
{
	const struct conf_slurm keys = as_conf(slurm);
	const struct fathom_policy *policy = policy_of(conf, slurm, scope);
	struct fathom_settings settings;

	/* jobs outside scopes go first come, first served, whatever the policy (OtherHosts) */
	if (!scope && conf_others_are_first_come(conf))
		return false;
	settings = scope ? conf_scope_settings(conf, &keys, scope, policy)
			 : conf_settings(conf, &keys, policy);
	return fathom_policy_places_jobs(policy, &settings);
}

/* Returns whether jobs of any partition have places, because of a policy or of a slot pool. */
static bool some_places_jobs(const struct fathom_conf *conf, const slurm_conf_t *slurm)
{
	bool places = conf->slot_share_count || places_jobs(conf, slurm, NULL);

	for (size_t i = 0; i < conf->scope_count; i++)
		places |= places_jobs(conf, slurm, &conf->scope[i]);
	return places;
}

/* Returns whether a node is a host of the scope; false if the scope is of partitions. */
static bool scope_has(const struct conf_scope *scope, const char *node)
{
	return scope->hosts.text && conf_hosts_have(&scope->hosts, node);
}

/* Returns whether one of the nodes is a host of the scope. */
static bool scope_has_any(const struct conf_scope *scope, const struct host_list *nodes)
{
	for (size_t i = 0; i < nodes->count; i++)
		if (scope_has(scope, nodes->name[i]))
			return true;
	return false;
}

/* Returns whether a node is a host of some scope. */
static bool is_in_scope(const struct fathom_conf *conf, const char *node)
{
	for (size_t i = 0; i < conf->scope_count; i++)
		if (scope_has(&conf->scope[i], node))
			return true;
	return false;
}

/* Returns the nodes of a partition; the caller clears the list. */
static struct host_list nodes_of(const partition_info_t *partition)
{
	struct host_list nodes = { 0 };
	struct fathom_error error;

	if (partition->nodes && host_list_add_all(&nodes, partition->nodes, &error))
		wrong_by(NULL, 0, &error);
	return nodes;
}

/* Adds the partition to each scope that has one of its nodes, or with HostRule=first to the first
 * one alone. The plugin does the same. */
static void add_partition(struct fathom_conf *conf, const partition_info_t *partition)
{
	struct host_list nodes = nodes_of(partition);

	for (size_t i = 0; i < conf->scope_count; i++) {
		if (!scope_has_any(&conf->scope[i], &nodes))
			continue;
		need_done(conf_scope_add_partition(&conf->scope[i], partition->name,
						   strlen(partition->name)));
		if (conf_host_rule(conf) == HOST_RULE_FIRST)
			break;
	}
	host_list_clear(&nodes);
}

/* ---- slot pools ------------------------------------------------------------------------ */

/* The slot pools of fathom.conf. */
struct pools {
	const struct fathom_conf *conf;
	const partition_info_msg_t *partitions;	/* of slurmctld */
	bool *is_void;		/* by index in conf->slot_share, set at the first line of each pool:
				 * preemption makes the pool void */
};

/* For struct conf_partitions: returns whether partitions a and b have nodes in common. */
static bool share_nodes(const void *context, size_t a, size_t b)
{
	const struct pools *pools = context;
	struct host_list of_a = nodes_of(&pools->partitions->partition_array[a]);
	struct host_list of_b = nodes_of(&pools->partitions->partition_array[b]);
	bool share = host_list_common(&of_a, &of_b);

	host_list_clear(&of_a);
	host_list_clear(&of_b);
	return share;
}

/* Returns a partition in the form that the checks of src/conf take. */
static struct conf_partition as_conf_partition(const partition_info_t *partition,
					       const slurm_conf_t *slurm)
{
	uint16_t mode = partition->preempt_mode == NO_VAL16 ? slurm->preempt_mode
							    : partition->preempt_mode;

	return (struct conf_partition){
		.name = partition->name, .job_factor = partition->priority_job_factor,
		.tier = partition->priority_tier,
		.may_be_preempted = (mode & ~PREEMPT_MODE_GANG) != PREEMPT_MODE_OFF,
	};
}

/* Returns the pools, with is_void set for those that the plugin leaves out because of preemption.
 * In the list of queues, the lines of pools come behind those of scopes. */
static struct pools pools_of(const struct fathom_conf *conf, const slurm_conf_t *slurm,
			     const partition_info_msg_t *partitions)
{
	struct pools pools = { conf, partitions, need_zeros(conf->slot_share_count, sizeof(bool)) };
	struct conf_partition *list = need_zeros(partitions->record_count, sizeof(*list));
	struct conf_queue *queue = need_zeros(conf_queue_count(conf), sizeof(*queue));
	const struct conf_partitions checked = {
		.list = list, .count = partitions->record_count, .queue = queue,
		.queue_count = conf_queue_count(conf), .share_nodes = share_nodes,
		.preempt_by_tier = slurm->preempt_type &&
				   !strcmp(slurm->preempt_type, "preempt/partition_prio"),
		.context = &pools,
	};
	size_t first_line = checked.queue_count - conf->slot_share_count;
	struct conf_fault fault;

	for (size_t i = 0; i < checked.count; i++)
		list[i] = as_conf_partition(&partitions->partition_array[i], slurm);
	need_done(conf_list_queues(conf, list, checked.count, queue));
	for (size_t i = 0; i < conf->slot_share_count; i++)
		pools.is_void[conf->slot_share[i].first] |=
			conf_pool_preempts(&checked, first_line + i, &fault);
	return pools;
}

/* Returns whether a partition is in a pool that is not void. */
static bool is_in_pool(const struct pools *pools, const char *partition)
{
	const struct conf_slot_share *share = pools->conf->slot_share;

	for (size_t i = 0; i < pools->conf->slot_share_count; i++)
		if (!strcmp(share[i].partition, partition))
			return !pools->is_void[share[i].first];
	return false;
}

/* Adds the nodes of a pool's partition to `nodes`, except hosts of scopes, which take no part in
 * pools. */
static void add_pool_nodes(const struct fathom_conf *conf, const partition_info_t *partition,
			   struct host_list *nodes)
{
	struct host_list own = nodes_of(partition);

	for (size_t i = 0; i < own.count; i++)
		if (!is_in_scope(conf, own.name[i]))
			need_done(host_list_add(nodes, piece_of(own.name[i]), NULL));
	host_list_clear(&own);
}

/* Adds a partition to `pooled` if it is in a pool or shares nodes with one. nodes: of all pools,
 * sorted. */
static void add_pooled(const struct pools *pools, const partition_info_t *partition,
		       const struct host_list *nodes, struct numbered_names *pooled)
{
	bool is_pooled = is_in_pool(pools, partition->name);
	struct host_list own = nodes_of(partition);

	for (size_t i = 0; i < own.count; i++)
		is_pooled |= host_list_has(nodes, own.name[i]);
	if (is_pooled)
		need_name(pooled, partition->name);
	host_list_clear(&own);
}

/* Adds the names of all partitions that are in a pool, or share nodes with one, to `pooled`. */
static void find_pooled(const struct pools *pools, struct numbered_names *pooled)
{
	const partition_info_msg_t *partitions = pools->partitions;
	const partition_info_t *partition = partitions->partition_array;
	struct host_list nodes = { 0 };

	for (uint32_t i = 0; i < partitions->record_count; i++)
		if (is_in_pool(pools, partition[i].name))
			add_pool_nodes(pools->conf, &partition[i], &nodes);
	host_list_sort(&nodes);
	for (uint32_t i = 0; i < partitions->record_count; i++)
		add_pooled(pools, &partition[i], &nodes, pooled);
	host_list_clear(&nodes);
}

/* ---- partitions of the cluster --------------------------------------------------------- */

void live_conf_find_partitions(struct fathom_conf *conf, const slurm_conf_t *slurm,
			       struct numbered_names *pooled)
{
	bool has_hosts = conf->scope_count && conf->scope->hosts.text;
	partition_info_msg_t *partitions;
	struct pools pools;

	if (!has_hosts && !conf->slot_share_count)
		return;
	partitions = libslurm_partitions();
	for (uint32_t i = 0; has_hosts && i < partitions->record_count; i++)
		add_partition(conf, &partitions->partition_array[i]);
	if (conf->slot_share_count) {
		pools = pools_of(conf, slurm, partitions);
		find_pooled(&pools, pooled);
	}
}

/* Returns the first scope, from index `from` on, that the partition belongs to. NULL: there is
 * none, or partition is NULL. */
static const struct conf_scope *find_scope(const struct fathom_conf *conf, const char *partition,
					   size_t from)
{
	for (size_t i = from; partition && i < conf->scope_count; i++)
		for (size_t j = 0; j < conf->scope[i].partition_count; j++)
			if (!strcmp(conf->scope[i].partition[j], partition))
				return &conf->scope[i];
	return NULL;
}

const char *live_conf_group_fault(const struct fathom_conf *conf, const char *partition,
				  const char *user, const char *comment)
{
	const struct conf_scope *scope = live_conf_scope(conf, partition);
	struct piece word = job_comment_value(comment, "fairshare");
	struct fathom_user_shares given;
	struct fathom_share_tree *tree;
	struct fathom_error error;
	size_t node;

	if (!scope || !scope->user_shares || !user || !word.at)
		return NULL;
	/* the group's leaf is found in a tree for this user alone */
	given = conf_user_shares(&scope->assignments, &conf->user_groups);
	given.user = &user;
	given.user_count = 1;
	tree = need_made(fathom_share_tree_create(&given, NULL));
	if (!fathom_share_tree_find_leaf(
		    tree, user, need_print("%.*s", (int)word.length, word.at),
		    need_zeros(fathom_share_tree_count(tree), sizeof(double)), &node, &error))
		return NULL;
	return need_print("fairshare= is wrong: %s", error.text);
}

const struct conf_scope *live_conf_scope(const struct fathom_conf *conf, const char *partition)
{
	return find_scope(conf, partition, 0);
}

bool live_conf_has_choice(const struct fathom_conf *conf, const char *partition)
{
	const struct conf_scope *first = find_scope(conf, partition, 0);

	return first && find_scope(conf, partition, (size_t)(first - conf->scope) + 1);
}

bool live_conf_places(const struct fathom_conf *conf, const slurm_conf_t *slurm,
		      const char *partition)
{
	const struct conf_scope *scope = live_conf_scope(conf, partition);
	bool is_first_come = policy_is_first_come(policy_of(conf, slurm, scope)) ||
			     (!scope && conf_others_are_first_come(conf));

	return places_jobs(conf, slurm, scope) ||
	       (is_first_come && some_places_jobs(conf, slurm));
}

/* ---- FiguresFile and HistoryFile ------------------------------------------------------ */

const char *live_conf_path_of(const char *name, const slurm_conf_t *slurm)
{
	if (*name == '/')
		return need_text(name);
	if (!*name || !slurm->state_save_location)
		return NULL;
	return need_print("%s/%s", slurm->state_save_location, name);
}

const char *live_conf_old_figures(const char *path, int64_t time_of_pass,
				  const struct fathom_conf *conf, const slurm_conf_t *slurm)
{
	double calc_period = conf_value(conf, CONF_CALC_PERIOD, slurm->priority_calc_period);
	double written = (double)time_of_pass;

	if (!json_figures_are_late((double)time(NULL) - written, calc_period))
		return NULL;
	return need_print("%.200s: written %s; no pass has written it since", path,
			  need_date(written, "%Y-%m-%d %H:%M:%S"));
}
