/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LSF is first come, first served but for queues with FAIRSHARE and host partitions, which become
 * scopes. PRIORITY of a queue becomes the PriorityJobFactor of the partition:
 *
 *	Begin Queue				Policy=fcfs
 *	QUEUE_NAME = night			PartitionName=night PriorityJobFactor=40
 *	PRIORITY   = 40
 *	FAIRSHARE  = USER_SHARES[[lab, 3]]	Scope=night Partitions=night Policy=lsf \
 *	HIST_HOURS = 10					UserShares="[lab, 3]" HistHours=10
 *	End Queue
 */
#include "format/lsf/lsf_settings.h"

#include "core/error.h"
#include "format/lsf/lsf_groups.h"
#include "format/lsf/lsf_host_groups.h"
#include "format/lsf/lsf_keys.h"
#include "format/lsf/lsf_scopes.h"
#include "policy/traits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY_SIZE 64

struct writer {
	struct document *input;
	struct lsf_conf conf;
	struct lsf_groups groups;
	struct lsf_scopes scopes;
	struct site_settings *settings;
	struct site_origin origin;	/* of what is being added, or of a mistake */
	struct fathom_error *error;
};

static int begin(struct writer *writer, enum site_file which, const char *key, const char *value)
{
	return site_settings_begin(writer->settings, which, key, value, writer->origin,
				   writer->error);
}

/* Adds a pair to a line of fathom.conf, unless there is no value. */
static int add(struct writer *writer, const char *key, const char *value)
{
	return value ? site_settings_add(writer->settings, SITE_FATHOM_CONF, key, value,
					 writer->origin, writer->error) : 0;
}

/* ---- settings of the policy -------------------------------------------------------------- */

/* Writes the key of fathom.conf for a key of LSF. NULL: it is not a setting of the policy. */
static const char *setting_key(const struct lsf_entry *entry, const struct lsf_pair *pair,
			       char *text)
{
	size_t index = policy_setting_named(lsf_policy(), pair->key);

	if (!*pair->value || !lsf_key_find(entry->section, pair->key) ||
	    index == POLICY_HAS_NONE)
		return NULL;
	return fathom_setting_camel_case(fathom_policy_setting(lsf_policy(), index), text,
					 KEY_SIZE);
}

/* Adds the settings of a queue to its scope. */
static int add_settings(struct writer *writer, const struct lsf_entry *entry)
{
	char key[KEY_SIZE];

	for (size_t i = 0; i < entry->count; i++)
		if (setting_key(entry, &entry->pair[i], key) &&
		    add(writer, key, entry->pair[i].value))
			return -1;
	return 0;
}

static int set_parameters(struct writer *writer, const struct lsf_entry *entry)
{
	char key[KEY_SIZE];

	for (size_t i = 0; i < entry->count; i++) {
		writer->origin.line = entry->pair[i].line;
		if (setting_key(entry, &entry->pair[i], key) &&
		    site_settings_set(writer->settings, SITE_FATHOM_CONF, key,
				      entry->pair[i].value, writer->origin, writer->error))
			return -1;
	}
	return 0;
}

/* ---- queues ------------------------------------------------------------------------------ */

static int add_queue(struct writer *writer, const struct lsf_entry *entry)
{
	const struct lsf_pair *priority = lsf_entry_pair(entry, "PRIORITY");

	if (!priority)
		return 0;
	if (begin(writer, SITE_SLURM_CONF, "PartitionName", lsf_entry_value(entry, "QUEUE_NAME")))
		return -1;
	return site_settings_add(writer->settings, SITE_SLURM_CONF, "PriorityJobFactor",
				 priority->value, writer->origin, writer->error);
}

static int add_pool(struct writer *writer, const struct lsf_entry *entry)
{
	const char *pool = lsf_entry_value(entry, "SLOT_POOL");
	const char *by_priority = lsf_entry_value(entry, "USE_PRIORITY_IN_POOL");

	if (!pool)
		return 0;
	return begin(writer, SITE_FATHOM_CONF, "SlotPool", pool) ||
	       add(writer, "Partition", lsf_entry_value(entry, "QUEUE_NAME")) ||
	       add(writer, "SlotShare", lsf_entry_value(entry, "SLOT_SHARE")) ||
	       add(writer, "MaxSlotsInPool", lsf_entry_value(entry, "MAX_SLOTS_IN_POOL")) ||
	       add(writer, "UsePriorityInPool", by_priority) ? -1 : 0;
}

/* ---- scopes ------------------------------------------------------------------------------ */

/* Returns "normal,short,license" for a master queue and its slaves; NULL: out of memory. */
static char *join_queues(const struct lsf_scope *scope)
{
	const char *slaves = scope->slaves ? scope->slaves : "";
	char *text = malloc(strlen(scope->name) + 2 * strlen(slaves) + 2), *end;
	struct lsf_word word;

	if (!text)
		return NULL;
	end = stpcpy(text, scope->name);
	while (lsf_next_word(&slaves, &word))
		if (strlen(scope->name) != word.length ||
		    memcmp(scope->name, word.at, word.length)) {
			*end++ = ',';
			end = mempcpy(end, word.at, word.length);
		}
	*end = '\0';
	return text;
}

static int add_queues_of_scope(struct writer *writer, const struct lsf_scope *scope)
{
	bool by_queue = lsf_entry_value(scope->entry, "DISPATCH_ORDER");
	char *queues = join_queues(scope);
	int status = queues ? add(writer, "Partitions", queues)
			    : fathom_error_no_memory(writer->error);

	free(queues);
	if (!status && scope->slaves)
		status = add(writer, "MasterQueue", scope->name) ||
			 add(writer, "DispatchOrder", by_queue ? "queue" : NULL) ? -1 : 0;
	return status;
}

static int add_shares_of_scope(struct writer *writer, const struct lsf_scope *scope)
{
	return add(writer, "Policy", fathom_policy_name(lsf_policy())) ||
	       add(writer, "UserShares", scope->shares->value) ? -1 : 0;
}

/* Adds a host partition that has hosts. Slurm would refuse names of hosts that it does not know. */
static int add_partition_of_hosts(struct writer *writer, const struct lsf_scope *scope,
				  const char *hosts)
{
	if (!hosts[strspn(hosts, " ")])
		return site_settings_lose(writer->settings, writer->origin, writer->error,
					  "host partition %s, whose hosts no file lists",
					  scope->name);
	return begin(writer, SITE_FATHOM_CONF, "Scope", scope->name) ||
	       add(writer, "Hosts", hosts) || add_shares_of_scope(writer, scope) ? -1 : 0;
}

static int add_host_partition(struct writer *writer, const struct lsf_scope *scope)
{
	char lost[LSF_LOST_HOSTS];
	char *hosts = lsf_expand_hosts(&writer->conf, scope->hosts, lost, writer->error);
	int status = hosts ? add_partition_of_hosts(writer, scope, hosts) : -1;

	if (!status && *lost)
		status = site_settings_lose(writer->settings, writer->origin, writer->error,
					    "hosts %s of host partition %s, which no file lists",
					    lost, scope->name);
	free(hosts);
	return status;
}

static int add_scope(struct writer *writer, const struct lsf_scope *scope)
{
	writer->origin = scope->entry->origin;
	if (scope->hosts)
		return add_host_partition(writer, scope);
	if (begin(writer, SITE_FATHOM_CONF, "Scope", scope->name) ||
	    add_queues_of_scope(writer, scope) || add_shares_of_scope(writer, scope))
		return -1;
	return add_settings(writer, scope->entry);
}

/* ---- groups ------------------------------------------------------------------------------ */

/* Returns the members of a group with blanks between them; NULL: out of memory. */
static char *join_members(const struct fathom_user_group *group)
{
	size_t length = 1;
	char *text, *end;

	for (size_t i = 0; i < group->member_count; i++)
		length += strlen(group->member[i]) + 1;
	text = end = malloc(length);
	for (size_t i = 0; text && i < group->member_count; i++)
		end = stpcpy(stpcpy(end, i ? " " : ""), group->member[i]);
	if (text)
		*end = '\0';
	return text;
}

/* Notes what the members of a group lose: those whom only egroup or the system knows, and users
 * whom no file names, of all but some. */
static int lose_members(struct writer *writer, const char *name, const char *members)
{
	bool has_unknown = false, has_all = false, has_excluded = false;
	struct lsf_word word;

	while (lsf_next_word(&members, &word)) {
		has_unknown |= lsf_word_is_unknown(&word);
		has_all |= word.length == 3 && !memcmp(word.at, "all", 3);
		has_excluded |= word.is_excluded;
	}
	if (has_unknown && site_settings_lose(writer->settings, writer->origin, writer->error,
					      "members of group %s, whom no file lists", name))
		return -1;
	if (!has_all || !has_excluded)
		return 0;
	return site_settings_lose(writer->settings, writer->origin, writer->error, "members of "
				  "group %s, all but some, other than those whom files name",
				  name);
}

static int add_group(struct writer *writer, size_t i)
{
	const struct fathom_user_group *group = &writer->groups.groups.group[i];
	const struct lsf_entry *entry = writer->groups.entry[i];
	const char *listed = lsf_entry_value(entry, "GROUP_MEMBER");
	char *members = join_members(group);
	int status = -1;

	writer->origin = entry->origin;
	if (!members)
		return fathom_error_no_memory(writer->error);
	if (!begin(writer, SITE_FATHOM_CONF, "UserGroup", group->name) &&
	    !add(writer, "Members", *members ? members : CONF_NO_MEMBERS) &&
	    !add(writer, "UserShares", lsf_entry_value(entry, "USER_SHARES")) &&
	    (!listed || !lose_members(writer, group->name, listed)))
		status = 0;
	free(members);
	return status;
}

/* ---- the file ---------------------------------------------------------------------------- */

static int lose(struct writer *writer, const struct lsf_entry *entry)
{
	static const char *const texts[] = {
		"%s: is not evaluated; what stands under #else counts", "%s: is not read",
	};

	return site_settings_lose(writer->settings, entry->origin, writer->error,
				  entry->section == &lsf_condition ? texts[0] : texts[1],
				  entry->pair->value);
}

static int add_entry(struct writer *writer, const struct lsf_entry *entry)
{
	writer->origin = entry->origin;
	if (entry->section == &lsf_parameters)
		return set_parameters(writer, entry);
	if (entry->section == &lsf_queue)
		return add_queue(writer, entry) || add_pool(writer, entry) ? -1 : 0;
	if (entry->section == &lsf_condition || entry->section == &lsf_include)
		return lose(writer, entry);
	return 0;
}

static int add_all(struct writer *writer)
{
	size_t queue = 0, partition = 0;
	bool tells_policy = lsf_conf_next(&writer->conf, &lsf_queue, &queue) ||
			    lsf_conf_next(&writer->conf, &lsf_host_partition, &partition);

	writer->origin = (struct site_origin){ writer->input->name, 0 };
	if (tells_policy &&
	    site_settings_set(writer->settings, SITE_FATHOM_CONF, "Policy", "fcfs", writer->origin,
			      writer->error))
		return -1;
	for (size_t i = 0; i < writer->conf.count; i++)
		if (add_entry(writer, &writer->conf.entry[i]))
			return -1;
	for (size_t i = 0; i < writer->scopes.count; i++)
		if (add_scope(writer, &writer->scopes.scope[i]))
			return -1;
	for (size_t i = 0; i < writer->groups.groups.count; i++)
		if (add_group(writer, i))
			return -1;
	return 0;
}

int lsf_settings_read(struct document *input, struct site_settings *settings,
		      struct fathom_error *error)
{
	struct fathom_error inner;
	struct writer writer = { .input = input, .settings = settings, .error = &inner,
				 .origin = { input->name, 0 } };
	int status = lsf_conf_read(&writer.conf, input, error);

	if (!status && (lsf_groups_create(&writer.groups, &writer.conf, &writer.origin, &inner) ||
			lsf_scopes_create(&writer.scopes, &writer.conf, &writer.origin, &inner) ||
			add_all(&writer)))
		status = inner.code == ENOMEM ? fathom_error_no_memory(error)
					      : input_wrong(input, writer.origin.line, error, "%s",
							    inner.text);
	lsf_scopes_clear(&writer.scopes);
	lsf_groups_clear(&writer.groups);
	lsf_conf_clear(&writer.conf);
	return status;
}
