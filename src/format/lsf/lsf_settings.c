/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes settings of fathom.conf and slurm.conf of LSF's configuration. LSF is first come, first
 * served, except in queues with FAIRSHARE and host partitions, which become scopes. A queue becomes
 * a partition, its PRIORITY the PriorityJobFactor:
 *
 *	Begin Queue				Policy=fcfs
 *	QUEUE_NAME = night			PartitionName=night PriorityJobFactor=40
 *	PRIORITY   = 40
 *	FAIRSHARE  = USER_SHARES[[lab, 3]]	Scope=night Partitions=night Policy=lsf \
 *	HIST_HOURS = 10					UserShares="[lab, 3]" HistHours=10
 *	End Queue
 */
#include "format/lsf/lsf.h"

#include "conf/conf_hosts.h"
#include "document/text.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"
#include "policy/traits.h"

#include <string.h>

#define KEY_SIZE 64	/* enough for a setting's name in fathom.conf */

/* One file, while its settings are made. */
struct writer {
	struct document *input;
	struct lsf_conf conf;
	struct lsf_groups groups;
	struct lsf_scopes scopes;
	struct site_settings *settings;
};

/* Begins a line of fathom.conf, such as Scope=night. */
static void begin(struct writer *writer, const char *key, const char *value)
{
	site_settings_begin(writer->settings, SITE_FATHOM_CONF, key, value);
}

/* Adds a pair to the last line of fathom.conf. value: NULL: adds nothing. */
static void add(struct writer *writer, const char *key, const char *value)
{
	if (value)
		site_settings_add(writer->settings, SITE_FATHOM_CONF, key, value);
}

/* Notes what neither file can hold. */
#define LOSE(writer, ...) site_settings_lose((writer)->settings, __VA_ARGS__)

/* ---- settings of the policy -------------------------------------------------------------- */

/* Returns the key of fathom.conf for a pair, in `text` of KEY_SIZE bytes: HistHours for HIST_HOURS.
 * NULL: the pair is not a setting of the policy, or has no value. */
static const char *setting_key(const struct lsf_entry *entry, const struct lsf_pair *pair,
			       char *text)
{
	size_t index = policy_setting_named(lsf_policy(), pair->key);

	if (!*pair->value || !lsf_key_find(entry->section, pair->key) || index == POLICY_HAS_NONE)
		return NULL;
	return fathom_setting_camel_case(fathom_policy_setting(lsf_policy(), index), text,
					 KEY_SIZE);
}

/* Adds the policy's settings of a queue to the line of its scope. */
static void add_settings(struct writer *writer, const struct lsf_entry *entry)
{
	char key[KEY_SIZE];

	for (size_t i = 0; i < entry->count; i++)
		if (setting_key(entry, &entry->pair[i], key))
			add(writer, key, entry->pair[i].value);
}

/* Sets the policy's settings of section Parameters, each on its own line with its own origin. */
static void set_parameters(struct writer *writer, const struct lsf_entry *entry)
{
	char key[KEY_SIZE];

	for (size_t i = 0; i < entry->count; i++) {
		writer->settings->origin.line = entry->pair[i].line;
		if (setting_key(entry, &entry->pair[i], key))
			site_settings_set(writer->settings, SITE_FATHOM_CONF, key,
					  entry->pair[i].value);
	}
}

/* ---- queues ------------------------------------------------------------------------------ */

/* Begins the line of a queue's partition. */
static void add_queue(struct writer *writer, const struct lsf_entry *entry)
{
	const struct lsf_pair *priority = lsf_entry_pair(entry, "PRIORITY");
	const char *name = lsf_entry_value(entry, "QUEUE_NAME");

	site_settings_begin_partition(writer->settings, name);
	if (!priority)
		return;
	writer->settings->origin.line = priority->line;
	site_settings_add_priority(writer->settings, name, priority->value);
	writer->settings->origin = entry->origin;
}

/* Adds the line of a queue in a slot pool. */
static void add_pool(struct writer *writer, const struct lsf_entry *entry)
{
	const char *pool = lsf_entry_value(entry, "SLOT_POOL");

	if (!pool)
		return;
	begin(writer, "SlotPool", pool);
	add(writer, "Partition", lsf_entry_value(entry, "QUEUE_NAME"));
	add(writer, "SlotShare", lsf_entry_value(entry, "SLOT_SHARE"));
	add(writer, "MaxSlotsInPool", lsf_entry_value(entry, "MAX_SLOTS_IN_POOL"));
	add(writer, "UsePriorityInPool", lsf_entry_value(entry, "USE_PRIORITY_IN_POOL"));
}

/* ---- scopes ------------------------------------------------------------------------------ */

/* Returns the queues of a scope: "normal,short,license", the master first. */
static char *join_queues(const struct lsf_scope *scope)
{
	const char *slaves = scope->slaves ? scope->slaves : "", **queue = NULL;
	struct lsf_word word;
	size_t count = 0;

	NEED_ADD(queue, count, scope->name);
	while (lsf_next_word(&slaves, &word))
		if (!piece_is(word.name, scope->name))	/* it may name the master, too */
			NEED_ADD(queue, count, need_copy(word.name));
	return need_join(queue, count, ",");
}

/* Adds the policy and the assignments of a scope to its line. */
static void add_shares_of_scope(struct writer *writer, const struct lsf_scope *scope)
{
	add(writer, "Policy", fathom_policy_name(lsf_policy()));
	add(writer, "UserShares", scope->shares->value);
}

/* Adds the scope of a host partition. Hosts that no file lists get lost, as Slurm would refuse
 * names that it does not know; without any other hosts, the scope gets lost, too. Warns of an
 * exclusion that excludes nothing. */
static void add_host_partition(struct writer *writer, const struct lsf_scope *scope)
{
	struct conf_hosts read = { NULL };
	const char *lost;
	const char *hosts = lsf_expand_hosts(&writer->conf, scope->hosts, scope->entry->origin,
					     &lost);

	if (*hosts) {
		begin(writer, "Scope", scope->name);
		add(writer, "Hosts", hosts);
		add_shares_of_scope(writer, scope);
		if (!conf_hosts_read(&read, hosts, NULL) && read.needless.count)
			site_settings_warn(writer->settings, "HOSTS: " CONF_NEEDLESS_HOST,
					   *read.needless.name);
		conf_hosts_clear(&read);
	} else {
		LOSE(writer, "host partition %s, whose hosts no file lists", scope->name);
	}
	if (*lost)
		LOSE(writer, "hosts %s of host partition %s, which no file lists", lost,
		     scope->name);
}

/* Adds the line of a scope. */
static void add_scope(struct writer *writer, const struct lsf_scope *scope)
{
	writer->settings->origin = scope->entry->origin;
	if (scope->hosts) {
		add_host_partition(writer, scope);
		return;
	}
	begin(writer, "Scope", scope->name);
	add(writer, "Partitions", join_queues(scope));
	if (scope->slaves)
		add(writer, "MasterQueue", scope->name);
	if (scope->slaves && lsf_entry_value(scope->entry, "DISPATCH_ORDER"))
		add(writer, "DispatchOrder", "queue");
	add_shares_of_scope(writer, scope);
	add_settings(writer, scope->entry);
}

/* ---- groups ------------------------------------------------------------------------------ */

/* Notes which members of a group get lost: those whom only egroup or the system knows; and of a
 * list such as "all ~bob" the users whom no file names, as it becomes a list of known users. */
static void lose_members(struct writer *writer, const char *name, const char *members)
{
	bool has_all = false, has_excluded = false;
	struct lsf_word word;

	if (lsf_has_unknown(members))
		LOSE(writer, "members of group %s, whom no file lists", name);
	while (lsf_next_word(&members, &word)) {
		has_all |= piece_is(word.name, "all");
		has_excluded |= word.is_excluded;
	}
	if (has_all && has_excluded)
		LOSE(writer, "members of group %s, all but some, other than those whom files name",
		     name);
}

/* Returns the value of Members. */
static const char *members_text(const struct fathom_user_group *group)
{
	const char *members = need_join(group->member, group->member_count, " ");

	if (!*members)
		return CONF_NO_MEMBERS;
	/* with a blank, a user "none" is not CONF_NO_MEMBERS */
	return strcmp(members, CONF_NO_MEMBERS) ? members : need_print(" %s", members);
}

/* Adds the line of user group i. */
static void add_group(struct writer *writer, size_t i)
{
	const struct fathom_user_group *group = &writer->groups.groups->group[i];
	const struct lsf_entry *entry = writer->groups.entry[i];
	const char *listed = lsf_entry_value(entry, "GROUP_MEMBER");

	writer->settings->origin = entry->origin;
	begin(writer, "UserGroup", group->name);
	add(writer, "Members", members_text(group));
	add(writer, "UserShares", lsf_entry_value(entry, "USER_SHARES"));
	if (listed)
		lose_members(writer, group->name, listed);
}

/* ---- the file ---------------------------------------------------------------------------- */

/* Adds what an entry means by itself; scopes and groups are added behind all entries. */
static void add_entry(struct writer *writer, const struct lsf_entry *entry)
{
	writer->settings->origin = entry->origin;
	if (entry->section == &lsf_parameters)
		set_parameters(writer, entry);
	if (entry->section == &lsf_queue) {
		add_queue(writer, entry);
		add_pool(writer, entry);
	}
	if (entry->section == &lsf_condition)
		LOSE(writer, "%s: is not evaluated; what stands under #else counts",
		     entry->pair->value);
	if (entry->section == &lsf_include)
		LOSE(writer, "%s: is not read", entry->pair->value);
}

/* Adds all settings: first of the entries in their order, then of scopes, then of groups. */
static void add_all(struct writer *writer)
{
	writer->settings->origin = (struct site_origin){ writer->input->name, 0 };
	if (lsf_conf_next(&writer->conf, &lsf_queue, NULL) ||
	    lsf_conf_next(&writer->conf, &lsf_host_partition, NULL))
		site_settings_set(writer->settings, SITE_FATHOM_CONF, "Policy", "fcfs");
	/* in Slurm, fair share has no effect without a weight */
	if (writer->scopes.count)
		site_settings_set(writer->settings, SITE_SLURM_CONF, "PriorityWeightFairshare",
				  "1000000");
	for (size_t i = 0; i < writer->conf.count; i++)
		add_entry(writer, &writer->conf.entry[i]);
	for (size_t i = 0; i < writer->scopes.count; i++)
		add_scope(writer, &writer->scopes.scope[i]);
	for (size_t i = 0; i < writer->groups.groups->count; i++)
		add_group(writer, i);
}

void lsf_settings_read(struct document *input, struct site_settings *settings)
{
	struct writer writer = { .input = input, .settings = settings };

	lsf_conf_read(&writer.conf, input);
	writer.groups = lsf_groups_of(&writer.conf, need_names());
	writer.scopes = lsf_scopes_of(&writer.conf);
	add_all(&writer);
	lsf_lose_left_out(&writer.conf, settings);
}

/* ---- the hosts of queues ------------------------------------------------------------------- */

/* Returns the line of a partition; NULL: there is none. */
static struct site_line *find_partition(struct site_settings *settings, const char *name)
{
	struct site_lines *lines = &settings->of[SITE_SLURM_CONF];

	for (size_t i = 0; i < lines->count; i++)
		if (!strcmp(lines->line[i].pair->key, "PartitionName") &&
		    !strcmp(lines->line[i].pair->value, name))
			return &lines->line[i];
	return NULL;
}

/* Returns a list of hosts without the marks that Slurm's partitions do not have: preferences, such
 * as "+1" of "hostA+1", and the "!" of "hostA!", on which parallel jobs begin. */
static char *without_preferences(const char *hosts)
{
	char *text = need_text(hosts), *to = text;

	for (const char *at = hosts; *at; at++) {
		if (*at == '+')
			at += strspn(at + 1, "0123456789");
		else if (*at != '!' || at == hosts || is_blank(at[-1]))
			*to++ = *at;
	}
	*to = '\0';
	return text;
}

/* Lists the hosts of section Host, sorted. The list stays empty if not all hosts are known: without
 * the section, or as its entry "default" stands for others. */
static void list_hosts(const struct lsf_conf *conf, struct host_list *hosts)
{
	const struct lsf_entry *entry = NULL;
	int wrong = 0;

	while (!wrong && (entry = lsf_conf_next(conf, &lsf_host, entry)))
		wrong = host_list_add_all(hosts, lsf_entry_value(entry, "HOST_NAME"), NULL);
	host_list_sort(hosts);
	if (wrong || host_list_has(hosts, "default"))
		host_list_clear(hosts);
}

/* Notes the marks of a queue's hosts, which get lost. */
static void lose_preferences(struct site_settings *settings, const char *queue, const char *hosts)
{
	struct lsf_word word;

	while (lsf_next_word(&hosts, &word)) {
		const char *name = need_copy(word.name);

		if (strchr(name, '+'))
			site_settings_lose(settings, "%s in HOSTS of queue %s, a preference: "
					   "Weight of NodeName orders nodes", name, queue);
		else if (strchr(name, '!') > name)
			site_settings_lose(settings, "%s in HOSTS of queue %s: Slurm chooses the "
					   "node on which a job begins", name, queue);
	}
}

/* Warns of hosts of a queue that section Host lacks: slurmctld takes no Nodes without a NodeName
 * line. */
static void warn_of_unknown(const struct host_list *known, const struct host_list *hosts,
			    const char *queue, struct site_settings *settings)
{
	for (size_t i = 0; known->count && i < hosts->count; i++)
		if (!host_list_has(known, hosts->name[i]))
			site_settings_warn(settings, "HOSTS of queue %s: section Host has no %s; "
					   "take it out of Nodes if it is no node", queue,
					   hosts->name[i]);
}

/* Adds the hosts of a queue as Nodes of its partition. Hosts that no file lists get lost, unless
 * the queue is on all hosts. known: see list_hosts(). */
static void add_hosts(const struct lsf_conf *conf, const struct lsf_entry *entry,
		      const struct host_list *known, struct site_settings *settings)
{
	const char *queue = lsf_entry_value(entry, "QUEUE_NAME");
	const char *hosts = lsf_entry_value(entry, "HOSTS");
	struct site_line *line = queue ? find_partition(settings, queue) : NULL;
	struct conf_hosts read = { NULL };
	const char *lost;

	/* a queue on all hosts is split by host partitions; "*" are all hosts of section Host */
	if (!hosts || !strcmp(hosts, "all"))
		hosts = lsf_conf_next(conf, &lsf_host_partition, NULL) && known->count ? "*" : NULL;
	if (!line || !hosts)
		return;
	settings->origin = entry->origin;
	lose_preferences(settings, queue, hosts);
	hosts = lsf_expand_hosts(conf, without_preferences(hosts), entry->origin, &lost);
	if (*lost || conf_hosts_read(&read, hosts, NULL) || (read.all && read.excluded.count))
		site_settings_lose(settings, "HOSTS of queue %s: give its partition the Nodes",
				   queue);
	else if (read.named.count)
		site_line_add(line, "Nodes", need_join((const char *const *)read.named.name,
							read.named.count, ","), entry->origin);
	warn_of_unknown(known, &read.named, queue, settings);
	conf_hosts_clear(&read);
}

void lsf_settings_add_hosts(const struct lsf_conf *conf, struct site_settings *settings)
{
	struct host_list known = { NULL };
	const struct lsf_entry *entry = NULL;

	list_hosts(conf, &known);
	while ((entry = lsf_conf_next(conf, &lsf_queue, entry)))
		add_hosts(conf, entry, &known, settings);
	host_list_clear(&known);
}
