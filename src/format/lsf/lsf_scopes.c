/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists the scopes. Of a set of queues, FAIRSHARE_QUEUES of the master names the slaves, whose own
 * FAIRSHARE has no effect:
 *
 *	queue	FAIRSHARE		FAIRSHARE_QUEUES
 *	night	USER_SHARES[...]	day		scope night, with queues night and day
 *	day	USER_SHARES[...]			no scope
 *
 * Source: LSF, "Cross-queue User-based Fairshare", "Host Partition User-based Fairshare",
 * "Queue-based Fairshare".
 */
#include "format/lsf/lsf.h"

#include "document/text.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"

#include <stdarg.h>
#include <stdio.h>
#include <strings.h>

/* The scopes while they are made. */
struct maker {
	const struct lsf_conf *conf;
	struct lsf_scopes *scopes;
	/* From names of queues to indices of conf->entry: */
	struct name_index *queues;	/* of the queue */
	struct name_index *masters;	/* of the master of its set, also for the master itself */
	struct name_index *pools;	/* from names of slot pools: of its first queue */
};

/* Returns the index of an entry in conf->entry. */
static size_t index_of(const struct maker *maker, const struct lsf_entry *entry)
{
	return (size_t)(entry - maker->conf->entry);
}

static _Noreturn void wrong(const struct lsf_entry *entry, const char *key, const char *format,
			    ...) __attribute__((format(printf, 3, 4)));

/* Fails with a message about a key of an entry, at the key's line, or the entry's if it lacks the
 * key. */
static _Noreturn void wrong(const struct lsf_entry *entry, const char *key, const char *format, ...)
{
	const struct lsf_pair *pair = lsf_entry_pair(entry, key);
	struct site_origin origin = entry->origin;
	char text[200];
	va_list arguments;

	if (pair)
		origin.line = pair->line;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	wrong_at(AT_ORIGIN(origin), "%s: %s", key, text);
}

/* ---- queues ------------------------------------------------------------------------------ */

/* Enters the names of all entries of a section. Fails, see wrong_at(), if a name occurs twice. */
static void enter_names(struct maker *maker, const struct lsf_section *section,
			struct name_index *names)
{
	const struct lsf_entry *entry = NULL;

	while ((entry = lsf_conf_next(maker->conf, section, entry))) {
		const char *name = lsf_entry_value(entry, section->name_key);
		size_t earlier = name_index_get(names, piece_of(name));

		if (earlier != NAME_INDEX_NONE)
			wrong(entry, section->name_key, "'%.64s' is already in line %zu of %s",
			      name, maker->conf->entry[earlier].origin.line,
			      maker->conf->entry[earlier].origin.file);
		need_put(names, piece_of(name), index_of(maker, entry));
	}
}

/* Notes the master of a queue. Fails, see wrong_at(), if no section describes the queue, or it is
 * in another set. */
static void enter_slave(struct maker *maker, const struct lsf_entry *master, struct piece slave)
{
	size_t other = name_index_get(maker->masters, slave);

	if (name_index_get(maker->queues, slave) == NAME_INDEX_NONE)
		wrong(master, "FAIRSHARE_QUEUES", "no section describes queue '%.*s'",
		      PIECE(slave));
	if (other != NAME_INDEX_NONE && other != index_of(maker, master))
		wrong(master, "FAIRSHARE_QUEUES", "queue '%.*s' is in the set of '%.64s' already; "
		      "must be in one set", PIECE(slave),
		      lsf_entry_value(&maker->conf->entry[other], "QUEUE_NAME"));
	need_put(maker->masters, slave, index_of(maker, master));
}

/* Notes the master of the queues in its set, if it has FAIRSHARE_QUEUES. */
static void enter_set(struct maker *maker, const struct lsf_entry *master)
{
	const char *name = lsf_entry_value(master, "QUEUE_NAME");
	const char *slaves = lsf_entry_value(master, "FAIRSHARE_QUEUES");
	struct lsf_word word;

	if (!slaves)
		return;
	if (!lsf_entry_value(master, "FAIRSHARE"))
		wrong(master, "FAIRSHARE_QUEUES", "queue '%.64s' must have FAIRSHARE, too", name);
	enter_slave(maker, master, piece_of(name));
	while (lsf_next_word(&slaves, &word))
		enter_slave(maker, master, word.name);
}

/* Returns a key by which a queue describes the pool that it is in; NULL: it has none. */
static const char *pool_key(const struct lsf_entry *queue)
{
	const char *by_priority = lsf_entry_value(queue, "USE_PRIORITY_IN_POOL");

	if (lsf_entry_value(queue, "MAX_SLOTS_IN_POOL"))
		return "MAX_SLOTS_IN_POOL";
	return by_priority && !strncasecmp(by_priority, "y", 1) ? "USE_PRIORITY_IN_POOL" : NULL;
}

/* Notes the first queue of a pool. Fails, see wrong_at(), if another queue of the pool describes
 * it. pool: SLOT_POOL of the queue. */
static void enter_pool(struct maker *maker, const struct lsf_entry *queue, const char *pool)
{
	const char *key = pool_key(queue);
	size_t first = name_index_get(maker->pools, piece_of(pool));

	if (first == NAME_INDEX_NONE)
		need_put(maker->pools, piece_of(pool), index_of(maker, queue));
	else if (key)
		wrong(queue, key, "queue '%.64s' is not the first of pool '%.64s'; queue '%.64s' "
		      "must have it", lsf_entry_value(queue, "QUEUE_NAME"), pool,
		      lsf_entry_value(&maker->conf->entry[first], "QUEUE_NAME"));
}

/* Notes the pool of a queue, if it is in one. Fails, see wrong_at(), if it has one of SLOT_POOL and
 * SLOT_SHARE without the other, is in a pool and in a set, or describes a pool of which it is not
 * the first queue. */
static void check_pool(struct maker *maker, const struct lsf_entry *queue)
{
	const char *name = lsf_entry_value(queue, "QUEUE_NAME");
	const char *pool = lsf_entry_value(queue, "SLOT_POOL");

	if (!pool != !lsf_entry_value(queue, "SLOT_SHARE"))
		wrong(queue, pool ? "SLOT_POOL" : "SLOT_SHARE", "queue '%.64s' must have %s, "
		      "too", name, pool ? "SLOT_SHARE" : "SLOT_POOL");
	if (pool && name_index_get(maker->masters, piece_of(name)) != NAME_INDEX_NONE)
		wrong(queue, "SLOT_POOL", "queue '%.64s' is in a set of FAIRSHARE_QUEUES; must be "
		      "in a pool or in a set", name);
	if (pool)
		enter_pool(maker, queue, pool);
}

/* ---- the list ---------------------------------------------------------------------------- */

/* Adds a scope. shares: the key of its assignments; hosts: NULL: it is a queue. */
static void add_scope(struct maker *maker, const struct lsf_entry *entry, const char *shares,
		      const char *hosts)
{
	maker->scopes->scope[maker->scopes->count++] = (struct lsf_scope){
		.name = lsf_entry_value(entry, entry->section->name_key), .entry = entry,
		.shares = lsf_entry_pair(entry, shares),
		.slaves = lsf_entry_value(entry, "FAIRSHARE_QUEUES"), .hosts = hosts,
	};
}

/* Adds the queues with FAIRSHARE, except slaves, and checks the pools of all queues. */
static void add_queues(struct maker *maker)
{
	const struct lsf_entry *entry = NULL;

	while ((entry = lsf_conf_next(maker->conf, &lsf_queue, entry))) {
		const char *name = lsf_entry_value(entry, "QUEUE_NAME");
		size_t master = name_index_get(maker->masters, piece_of(name));

		check_pool(maker, entry);
		if (lsf_entry_value(entry, "FAIRSHARE") &&
		    (master == NAME_INDEX_NONE || master == index_of(maker, entry)))
			add_scope(maker, entry, "FAIRSHARE", NULL);
	}
}

/* Adds the host partitions. Fails, see wrong_at(), if a queue has FAIRSHARE, too. */
static void add_host_partitions(struct maker *maker)
{
	size_t queues = maker->scopes->count;	/* with FAIRSHARE */
	const struct lsf_entry *entry = NULL;

	while ((entry = lsf_conf_next(maker->conf, &lsf_host_partition, entry))) {
		const char *hosts = lsf_entry_value(entry, "HOSTS");

		if (!lsf_entry_value(entry, "USER_SHARES"))
			wrong(entry, "USER_SHARES", "must be given");
		if (!hosts)
			wrong(entry, "HOSTS", "must be given");
		if (queues)
			wrong(entry, "HPART_NAME", "queue '%.64s' has FAIRSHARE; a cluster must "
			      "have fair share of hosts or of queues",
			      maker->scopes->scope[0].name);
		add_scope(maker, entry, "USER_SHARES", hosts);
	}
}

struct lsf_scopes lsf_scopes_of(const struct lsf_conf *conf)
{
	struct lsf_scopes scopes = { need_zeros(conf->count, sizeof(*scopes.scope)), 0 };
	struct maker maker = { conf, &scopes, need_index(), need_index(), need_index() };
	const struct lsf_entry *queue = NULL;

	enter_names(&maker, &lsf_queue, maker.queues);
	enter_names(&maker, &lsf_host_partition, need_index());	/* only to find names twice */
	while ((queue = lsf_conf_next(conf, &lsf_queue, queue)))
		enter_set(&maker, queue);
	add_queues(&maker);
	add_host_partitions(&maker);
	return scopes;
}

bool lsf_scope_has_queue(const struct lsf_scope *scope, struct piece queue)
{
	const char *slaves = scope->slaves ? scope->slaves : "";
	struct lsf_word word;

	if (scope->hosts || piece_is(queue, scope->name))
		return true;
	while (lsf_next_word(&slaves, &word))
		if (piece_same(word.name, queue))
			return true;
	return false;
}
