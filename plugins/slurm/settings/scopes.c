/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns the lines of fathom.conf into lists for quick look-up: schemes (the policy in force, the
 * shadow, one for each scope), the partitions that scopes and pools name, and the hosts of scopes.
 */
#include "settings/settings.h"

#include "conf/conf_partitions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- schemes --------------------------------------------------------------------------- */

/* The name of a scheme in the state file; for a scope, what stands before its own name. */
static const char *const role_names[] = {
	[SCHEME_IN_FORCE] = "", [SCHEME_SHADOW] = "shadow", [SCHEME_SCOPE] = "scope ",
};

const char *scheme_other_name(const struct scheme *scheme)
{
	if (scheme->role == SCHEME_SCOPE)
		return scheme->name;
	return role_names[scheme->role == SCHEME_SHADOW ? SCHEME_IN_FORCE : SCHEME_SHADOW];
}

const char *scheme_kind_of_sums(const struct scheme *scheme)
{
	return fathom_policy_keeps_sums(scheme->policy) ? fathom_policy_name(scheme->policy)
							: "usage";
}

/* Sets which entities jobs of the scheme are charged to; does nothing unless its policy is pbs. The
 * lines ResourceGroup say which entities there are, and their shares; without such lines only
 * accounts can be entities, as the tree of associations has their shares. */
static void choose_entities(struct scheme *scheme, const struct conf_resources *resources)
{
	size_t entity = policy_setting_with(scheme->policy, SETTING_ENTITY);
	size_t unknown = policy_setting_with(scheme->policy, SETTING_UNKNOWN_SHARES);

	if (entity == POLICY_HAS_NONE)
		return;
	scheme->entity = (enum fairshare_entity)scheme->settings.value[entity];
	scheme->unknown_shares = (uint32_t)scheme->settings.value[unknown];
	scheme->has_entities = scheme->entity == ENTITY_ACCOUNT_NAME || resources->count;
	scheme->charges_queues = scheme->has_entities && scheme->entity == ENTITY_QUEUE;
}

/* Adds a scheme, and the partitions of its scope as queues; there is room for them. scope: empty if
 * the scheme is no scope. Returns -1 if out of memory. */
static int add_scheme(struct settings *settings, enum scheme_role role,
		      const struct fathom_policy *policy, const struct conf_scope *scope)
{
	size_t index = settings->scheme_count;
	struct scheme *scheme = &settings->scheme[index];

	*scheme = (struct scheme){
		.role = role, .policy = policy, .scope = scope,
		.settings = conf_scope_settings(&settings->conf, &settings->slurm, scope, policy),
		.keeps_sums = role == SCHEME_SCOPE || fathom_policy_keeps_sums(policy),
	};
	if (asprintf(&scheme->name, "%s%s", role_names[role], scope->name ? scope->name : "") < 0)
		return -1;
	choose_entities(scheme, &settings->conf.resources);
	settings->keeps_sums |= scheme->keeps_sums;
	settings->charges_queues |= scheme->charges_queues;
	settings->scheme_count++;
	for (size_t i = 0; i < scope->partition_count; i++)
		settings->queue[settings->queue_count++] =
			(struct queue){ .name = scope->partition[i], .scheme = index };
	return 0;
}

/* Adds all schemes: the one in force, the shadow if there is one, then those of scopes. Returns -1
 * if out of memory. */
static int add_schemes(struct settings *settings)
{
	static const struct conf_scope no_scope;
	const struct fathom_conf *conf = &settings->conf;
	const struct fathom_policy *policy = conf_policy_in_force(conf, &settings->slurm);
	const struct fathom_policy *shadow = conf_shadow_policy(conf);

	if (add_scheme(settings, SCHEME_IN_FORCE, policy, &no_scope) ||
	    (shadow && add_scheme(settings, SCHEME_SHADOW, shadow, &no_scope)))
		return -1;
	settings->host_rule = conf_host_rule(conf);
	settings->scheme[0].is_first_come = settings->with_database &&
					    conf_others_are_first_come(conf);
	for (size_t i = 0; settings->with_database && i < conf->scope_count; i++)
		if (add_scheme(settings, SCHEME_SCOPE,
			       conf->scope[i].policy ? conf->scope[i].policy : policy,
			       &conf->scope[i]))
			return -1;
	return 0;
}

/* ---- partitions and pools --------------------------------------------------------------- */

/* Compares two queues by name. */
static int compare_queues(const void *x, const void *y)
{
	const struct queue *a = x, *b = y;

	return strcmp(a->name, b->name);
}

/* Sorts all queues by name, as find_queue() needs it. */
static void sort_queues(struct settings *settings)
{
	qsort(settings->queue, settings->queue_count, sizeof(*settings->queue), compare_queues);
}

/* Returns the queue of this name among the first `count` ones, which are sorted by name; or
 * NULL. */
static struct queue *find_queue(const struct settings *settings, size_t count, const char *name)
{
	struct queue wanted = { .name = name };

	return bsearch(&wanted, settings->queue, count, sizeof(wanted), compare_queues);
}

/* Returns the number of the pool with this first line, as in struct queue: 1 + its index. The pool
 * must have been added. */
static size_t number_of_pool(const struct settings *settings, const struct conf_slot_share *first)
{
	size_t number = 1;

	while (settings->pool[number - 1] != first)
		number++;
	return number;
}

/* Gives a partition its share of a pool; the first line of a pool also adds the pool. The first
 * scoped_count queues are those that scopes have added, sorted by name; a partition that is none of
 * them becomes a new queue. */
static void add_share(struct settings *settings, const struct conf_slot_share *share,
		      size_t scoped_count)
{
	const struct conf_slot_share *first = &settings->conf.slot_share[share->first];
	struct queue *queue = find_queue(settings, scoped_count, share->partition);

	if (share == first)
		settings->pool[settings->pool_count++] = share;
	if (!queue)
		queue = &settings->queue[settings->queue_count++];
	queue->name = share->partition;
	queue->share = share;
	queue->pool = number_of_pool(settings, first);
}

/* Adds pools and the shares of partitions, and leaves all queues sorted by name. */
static void add_shares(struct settings *settings)
{
	const struct fathom_conf *conf = &settings->conf;
	size_t scoped_count = settings->queue_count;

	sort_queues(settings);
	for (size_t i = 0; i < conf->slot_share_count; i++)
		add_share(settings, &conf->slot_share[i], scoped_count);
	sort_queues(settings);
}

/* ---- hosts -------------------------------------------------------------------------- */

/* Notes that hosts belong to a scheme. Returns -1 if out of memory. */
static int add_hosts(struct settings *settings, const struct host_list *hosts, size_t scheme)
{
	for (size_t i = 0; i < hosts->count; i++)
		if (name_index_put(&settings->scheme_of_host, piece_of(hosts->name[i]), scheme,
				   NULL))
			return -1;
	return 0;
}

/* Notes the scheme of each host that a scope names. Hosts that are excluded from Hosts=all come
 * first, with scheme 0: if another scope names one of them, that scope's scheme replaces the 0.
 * Returns -1 if out of memory. */
static int add_all_hosts(struct settings *settings)
{
	const size_t no_scope = 0;

	for (size_t i = 0; i < settings->scheme_count; i++) {
		const struct conf_hosts *hosts = &settings->scheme[i].scope->hosts;

		settings->has_hosts |= hosts->text != NULL;
		if (!hosts->all)
			continue;
		settings->scheme_of_others = i;
		if (add_hosts(settings, &hosts->excluded, no_scope))
			return -1;
	}
	for (size_t i = 0; i < settings->scheme_count; i++)
		if (add_hosts(settings, &settings->scheme[i].scope->hosts.named, i))
			return -1;
	return 0;
}

/* ---- make and destroy ------------------------------------------------------------------ */

int scopes_create(struct settings *settings)
{
	const struct fathom_conf *conf = &settings->conf;

	/* the one in force, the shadow, and the scopes */
	settings->scheme = calloc(2 + conf->scope_count, sizeof(*settings->scheme));
	settings->queue = calloc(conf_queue_count(conf) + 1, sizeof(*settings->queue));
	settings->pool = calloc(conf->slot_share_count + 1, sizeof(*settings->pool));
	if (!settings->scheme || !settings->queue || !settings->pool || add_schemes(settings))
		return -1;
	if (!settings->with_database)
		return 0;
	add_shares(settings);
	return add_all_hosts(settings);
}

void scopes_destroy(struct settings *settings)
{
	for (size_t i = 0; i < settings->scheme_count; i++) {
		fathom_formula_destroy(settings->scheme[i].usage_res);
		free(settings->scheme[i].name);
	}
	name_index_clear(&settings->scheme_of_host);
	free(settings->scheme);
	free(settings->queue);
	free(settings->pool);
}

/* ---- look-up ------------------------------------------------------------------------- */

const struct queue *scopes_queue(const struct settings *settings, const char *partition)
{
	if (!partition || !settings->queue_count)
		return NULL;
	return find_queue(settings, settings->queue_count, partition);
}

size_t scopes_node(const struct settings *settings, int node)
{
	const node_record_t *record = node < node_record_count ? node_record_table_ptr[node] : NULL;
	size_t scheme;

	if (!record || !record->name)
		return 0;
	scheme = name_index_get(&settings->scheme_of_host, piece_of(record->name));
	return scheme == NAME_INDEX_NONE ? settings->scheme_of_others : scheme;
}

bool scopes_scheme_includes(const struct settings *settings, size_t scheme, const char *partition)
{
	const struct conf_scope *scope = settings->scheme[scheme].scope;
	const struct queue *queue;

	if (settings->scheme[scheme].role != SCHEME_SCOPE || scope->hosts.text)
		return true;
	queue = scopes_queue(settings, partition);
	return queue && queue->scheme == scheme;
}
