/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the pairs of lines that begin with Scope, SlotPool or UserGroup into struct conf_scope,
 * struct conf_slot_share and struct conf_user_groups:
 *
 *	Scope=gpu Partitions=a,b Policy=lsf HistHours=10
 *	SlotPool=night Partition=c SlotShare=30
 *	UserGroup=lab Members="ada bob" UserShares="[ada, 2] [others, 1]"
 *
 * Each kind of line has a table of its keys. On a Scope line, other keys are settings of a
 * policy.
 */
#include "conf/conf_lines.h"

#include "core/error.h"
#include "policy/policy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAME 100	/* bytes of a scope's name; names of state files contain it */
#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Adds a zeroed element to an array; list: the address of the pointer to the array. Returns
 * the element; NULL: out of memory. */
static void *append(void *list, size_t *count, size_t size)
{
	char *array = *(char **)list;

	/* the array is full when its count is 0 or a power of two */
	if (!(*count & (*count - 1))) {
		array = realloc(array, (*count ? 2 * *count : 1) * size);
		if (!array)
			return NULL;
		*(char **)list = array;
	}
	return memset(array + (*count)++ * size, 0, size);
}

static int set_text(char **text, const char *value, struct fathom_error *error)
{
	free(*text);
	*text = strdup(value);
	return *text ? 0 : fathom_error_no_memory(error);
}

/* ---- a scope ----------------------------------------------------------------- */

/* Stores the value of a key. number: the value as fathom_setting_parse() has read it, which is
 * the index of a choice and 0 for a text. */
typedef int scope_setter(struct conf_scope *scope, const char *value, double number,
			 struct fathom_error *error);

static int set_partitions(struct conf_scope *scope, const char *value, double number,
			  struct fathom_error *error)
{
	(void)number;
	conf_scope_clear_partitions(scope);
	for (const char *at = value;; at++) {
		size_t length;
		char **partition;

		at += strspn(at, " \t");
		length = strcspn(at, ", \t");
		if (!length)
			return fathom_error_set(error, EINVAL, "an empty name in '%s', must be "
						"NAME or NAME,NAME...", value);
		partition = append(&scope->partition, &scope->partition_count, sizeof(*partition));
		if (!partition || !(*partition = strndup(at, length)))
			return fathom_error_no_memory(error);
		at += length;
		at += strspn(at, " \t");
		if (!*at)
			return 0;
		if (*at != ',')
			return fathom_error_set(error, EINVAL, "no ',' before '%s'", at);
	}
}

static int set_hosts(struct conf_scope *scope, const char *value, double number,
		     struct fathom_error *error)
{
	(void)number;
	return conf_hosts_read(&scope->hosts, value, error);
}

static int set_kind(struct conf_scope *scope, const char *value, double number,
		    struct fathom_error *error)
{
	(void)value, (void)error;
	scope->kind = (enum conf_scope_kind)number;
	scope->kind_given = true;
	return 0;
}

static int set_master_queue(struct conf_scope *scope, const char *value, double number,
			    struct fathom_error *error)
{
	(void)number;
	return set_text(&scope->master_queue, value, error);
}

static int set_dispatch_order(struct conf_scope *scope, const char *value, double number,
			      struct fathom_error *error)
{
	(void)value, (void)error;
	scope->queue_first = number != 0;
	return 0;
}

static int set_scope_policy(struct conf_scope *scope, const char *value, double number,
			    struct fathom_error *error)
{
	size_t place;

	(void)number;
	if (conf_find_policy(value, &place, error))
		return -1;
	scope->policy = fathom_policy_at(place);
	return 0;
}

static int set_scope_user_shares(struct conf_scope *scope, const char *value, double number,
				 struct fathom_error *error)
{
	(void)number;
	if (set_text(&scope->user_shares, value, error))
		return -1;
	return conf_assignments_parse(&scope->assignments, value, error);
}

static const char *const dispatch_orders[] = { "user", "queue", NULL };

#define TEXT(key) { .name = key, .type = FATHOM_TEXT, .high = INFINITY }

static const struct {
	struct fathom_setting setting;
	scope_setter *set;
} scope_keys[] = {
	{ TEXT("partitions"), set_partitions },
	{ TEXT("hosts"), set_hosts },
	{ { .name = "kind", .type = FATHOM_CHOICE, .choices = conf_scope_kinds }, set_kind },
	{ TEXT("master_queue"), set_master_queue },
	{ { .name = "dispatch_order", .type = FATHOM_CHOICE, .choices = dispatch_orders },
	  set_dispatch_order },
	{ TEXT("policy"), set_scope_policy },
	{ TEXT("user_shares"), set_scope_user_shares },
};

static const struct fathom_setting *scope_key_at(size_t i)
{
	return i < COUNT(scope_keys) ? &scope_keys[i].setting : NULL;
}

/* Adds a setting of a policy to the scope, whose policy may come later on the line. So the
 * value must be allowed in every policy that has such a setting; conf_check() checks that the
 * scope's policy is one of them. */
static int add_pair(struct conf_scope *scope, const char *key, const char *value,
		    struct fathom_error *error)
{
	struct conf_pair *pair;
	bool known = false;
	double number;

	for (size_t i = 0; i < fathom_policy_count(); i++) {
		const struct fathom_policy *policy = fathom_policy_at(i);
		size_t setting = policy_setting_named(policy, key);

		if (setting == POLICY_HAS_NONE)
			continue;
		known = true;
		if (fathom_setting_parse(&policy->settings[setting], value, &number, error))
			return -1;
	}
	if (!known)
		return fathom_error_set(error, ENOENT, "is neither a key of a scope nor a "
					"setting of a policy; see fathom.conf(5)");
	pair = append(&scope->pair, &scope->pair_count, sizeof(*pair));
	if (!pair || set_text(&pair->key, key, error) || set_text(&pair->value, value, error))
		return fathom_error_no_memory(error);
	return 0;
}

static int begin_scope(struct fathom_conf *conf, const char *name, unsigned line,
		       struct fathom_error *error)
{
	struct conf_scope *scope;

	if (strlen(name) > MOST_NAME)
		return fathom_error_set(error, EINVAL, "longer than %d characters", MOST_NAME);
	scope = append(&conf->scope, &conf->scope_count, sizeof(*scope));
	if (!scope)
		return fathom_error_no_memory(error);
	scope->line = line;
	return set_text(&scope->name, name, error);
}

/* Sets a pair on the line of the last scope. */
static int set_scope(struct fathom_conf *conf, const char *key, const char *value,
		     struct fathom_error *error)
{
	struct conf_scope *scope = &conf->scope[conf->scope_count - 1];
	double number;

	for (size_t i = 0; i < COUNT(scope_keys); i++) {
		if (!fathom_setting_named(&scope_keys[i].setting, key))
			continue;
		if (fathom_setting_parse(&scope_keys[i].setting, value, &number, error))
			return -1;
		return scope_keys[i].set(scope, value, number, error);
	}
	return add_pair(scope, key, value, error);
}

/* ---- a queue of a slot pool ---------------------------------------------------- */

enum { SLOT_PARTITION, SLOT_SHARE, MAX_SLOTS, USE_PRIORITY };

static const struct fathom_setting slot_keys[] = {
	[SLOT_PARTITION] = TEXT("partition"),
	[SLOT_SHARE] = { .name = "slot_share", .type = FATHOM_NUMBER, .low_open = true,
			 .high = 100, .standard = 50 },
	[MAX_SLOTS] = { .name = "max_slots_in_pool", .type = FATHOM_INTEGER, .low = 1,
			.high = UINT32_MAX, .standard = 100 },
	[USE_PRIORITY] = { .name = "use_priority_in_pool", .type = FATHOM_SWITCH },
};

static const struct fathom_setting *slot_key_at(size_t i)
{
	return i < COUNT(slot_keys) ? &slot_keys[i] : NULL;
}

static int begin_slot_share(struct fathom_conf *conf, const char *name, unsigned line,
			    struct fathom_error *error)
{
	struct conf_slot_share *share = append(&conf->slot_share, &conf->slot_share_count,
					       sizeof(*share));

	if (!share)
		return fathom_error_no_memory(error);
	share->line = line;
	share->first = conf->slot_share_count - 1;
	return set_text(&share->pool, name, error);
}

/* Sets a pair on the line of the last slot share. */
static int set_slot_share(struct fathom_conf *conf, const char *key, const char *value,
			  struct fathom_error *error)
{
	struct conf_slot_share *share = &conf->slot_share[conf->slot_share_count - 1];
	double number;
	size_t i = 0;

	while (i < COUNT(slot_keys) && !fathom_setting_named(&slot_keys[i], key))
		i++;
	if (i == COUNT(slot_keys))
		return fathom_error_set(error, ENOENT, "is not a key of a slot pool; see "
					"fathom.conf(5)");
	if (fathom_setting_parse(&slot_keys[i], value, &number, error))
		return -1;
	if (i == SLOT_PARTITION)
		return set_text(&share->partition, value, error);
	if (i == SLOT_SHARE)
		share->share = number;
	else if (i == MAX_SLOTS)
		share->max_slots = number;
	else
		share->use_priority = number != 0;
	return 0;
}

/* ---- a group of users ---------------------------------------------------------- */

/* Replaces what the last group has. */
typedef int group_setter(struct conf_user_groups *groups, const char *text,
			 struct fathom_error *error);

static const struct {
	struct fathom_setting setting;
	group_setter *set;
} group_keys[] = {
	{ TEXT("members"), conf_user_groups_set_members },
	{ TEXT("user_shares"), conf_user_groups_set_shares },
};

static const struct fathom_setting *group_key_at(size_t i)
{
	return i < COUNT(group_keys) ? &group_keys[i].setting : NULL;
}

static int begin_group(struct fathom_conf *conf, const char *name, unsigned line,
		       struct fathom_error *error)
{
	return conf_user_groups_add(&conf->user_groups, name, line, error);
}

static int set_group(struct fathom_conf *conf, const char *key, const char *value,
		     struct fathom_error *error)
{
	for (size_t i = 0; i < COUNT(group_keys); i++)
		if (fathom_setting_named(&group_keys[i].setting, key))
			return group_keys[i].set(&conf->user_groups, value, error);
	return fathom_error_set(error, ENOENT, "is not a key of a user group; see fathom.conf(5)");
}

/* ---- the kinds of lines ------------------------------------------------------ */

static const struct conf_line lines[] = {
	{ .setting = { .name = "scope" }, .key_at = scope_key_at,
	  .begin = begin_scope, .set = set_scope },
	{ .setting = { .name = "slot_pool" }, .key_at = slot_key_at,
	  .begin = begin_slot_share, .set = set_slot_share },
	{ .setting = { .name = "user_group" }, .key_at = group_key_at,
	  .begin = begin_group, .set = set_group },
};

const struct conf_line *conf_line_find(const char *key)
{
	for (size_t i = 0; i < COUNT(lines); i++)
		if (fathom_setting_named(&lines[i].setting, key))
			return &lines[i];
	return NULL;
}

const struct conf_line *conf_line_with(const char *key)
{
	const struct fathom_setting *setting;

	for (size_t i = 0; i < COUNT(lines); i++)
		for (size_t j = 0; (setting = lines[i].key_at(j)); j++)
			if (fathom_setting_named(setting, key))
				return &lines[i];
	return NULL;
}
