/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the pairs of lines that begin with Scope, SlotPool, UserGroup or GlobalShare into struct
 * conf_scope, conf_slot_share, conf_user_groups and conf_global_share:
 *
 *	Scope=gpu Partitions=a,b Policy=lsf HistHours=10
 *	SlotPool=night Partition=c SlotShare=30
 *	UserGroup=lab Members="ada bob" UserShares="[ada, 2] [others, 1]"
 *	GlobalShare=tux Source=/shared/tux.json Weight=0.5
 *
 * Each kind of line has a table of its keys. On a Scope line, other keys are settings of a
 * policy. On other lines, a pair such as HistHours=10 sets the setting of that name in every policy
 * that has one, or a general setting; an unknown key is an error that suggests the nearest known
 * one.
 */
#include "conf/conf_lines.h"

#include "core/array.h"
#include "core/error.h"
#include "core/suggestion.h"
#include "keys/key.h"
#include "policy/policy.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#define MOST_NAME 100	/* bytes of a scope's name; names of state files contain it */
#define MOST_KEY 64	/* bytes of a key, with the NUL */
#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* ---- a scope ----------------------------------------------------------------- */

/* Reads "NAME,NAME...", in place of an earlier list. */
static int read_partitions(void *object, const char *value, struct fathom_error *error)
{
	struct conf_scope *scope = object;

	conf_scope_clear_partitions(scope);
	for (const char *at = value;; at++) {
		size_t length;

		at += strspn(at, " \t");
		length = strcspn(at, ", \t");
		if (!length)
			return fathom_error_set(error, EINVAL, "an empty name in '%s', must be "
						"NAME or NAME,NAME...", value);
		if (conf_scope_add_partition(scope, at, length))
			return fathom_error_no_memory(error);
		at += length;
		at += strspn(at, " \t");
		if (!*at)
			return 0;
		if (*at != ',')
			return fathom_error_set(error, EINVAL, "no ',' before '%s'", at);
	}
}

/* Sets the policy that a name stands for; policy: the address of the member. */
static int read_policy(void *policy, const char *value, struct fathom_error *error)
{
	size_t index;

	if (conf_find_policy(value, &index, error))
		return -1;
	*(const struct fathom_policy **)policy = fathom_policy_at(index);
	return 0;
}

/* Reads the assignments of UserShares; KEY_TEXT keeps the text, too. */
static int read_shares(void *scope, const char *value, double *number, struct fathom_error *error)
{
	(void)number;
	return conf_assignments_parse(&((struct conf_scope *)scope)->assignments, value, error);
}

static const char *const dispatch_orders[] = { "user", "queue", NULL };
const char *const conf_host_rules[] = { "worst", "first", "best", NULL };
static const char *const orders_of_other_hosts[] = { "fcfs", "policy", NULL };

#define TEXT(key) KEY_ANY_TEXT(key)
#define SCOPE(member) .at = offsetof(struct conf_scope, member)

static const struct key scope_keys[] = {
	{ KEY_NONE, .store = read_partitions, .setting = TEXT("partitions") },
	{ KEY_NONE, SCOPE(hosts), .store = conf_hosts_read, .setting = TEXT("hosts") },
	{ KEY_CHOICE, SCOPE(host_rule), NULL,
	  { .name = "host_rule", .type = FATHOM_CHOICE, .choices = conf_host_rules },
	  .note = offsetof(struct conf_scope, has_host_keys) },
	{ KEY_SWITCH, SCOPE(others_by_policy), NULL,
	  { .name = "other_hosts", .type = FATHOM_CHOICE, .choices = orders_of_other_hosts },
	  .note = offsetof(struct conf_scope, has_host_keys) },
	{ KEY_CHOICE, SCOPE(kind), NULL,
	  { .name = "kind", .type = FATHOM_CHOICE, .choices = conf_scope_kinds },
	  .note = offsetof(struct conf_scope, kind_given) },
	{ KEY_TEXT, SCOPE(master_queue), NULL, TEXT("master_queue") },
	{ KEY_SWITCH, SCOPE(queue_first), NULL,
	  { .name = "dispatch_order", .type = FATHOM_CHOICE, .choices = dispatch_orders } },
	{ KEY_NONE, SCOPE(policy), .store = read_policy, .setting = TEXT("policy") },
	{ KEY_TEXT, SCOPE(user_shares), read_shares, TEXT("user_shares") },
	KEY_END
};

/* Adds a setting of a policy to the scope. The scope's policy may come later on the line, so the
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
	pair = array_append(&scope->pair, &scope->pair_count, sizeof(*pair));
	if (!pair || !(pair->key = strdup(key)) || !(pair->value = strdup(value)))
		return fathom_error_no_memory(error);
	return 0;
}

/* Adds a scope. Its name may not be too long for the name of a state file. */
static void *begin_scope(struct fathom_conf *conf, const char *name, unsigned line,
			 struct fathom_error *error)
{
	struct conf_scope *scope;

	if (strlen(name) > MOST_NAME) {
		fathom_error_set(error, EINVAL, "longer than %d characters", MOST_NAME);
		return NULL;
	}
	scope = array_append(&conf->scope, &conf->scope_count, sizeof(*scope));
	if (!scope || !(scope->name = strdup(name))) {
		fathom_error_no_memory(error);
		return NULL;
	}
	scope->line = line;
	return scope;
}

/* ---- a queue of a slot pool ---------------------------------------------------- */

#define SLOTS(member) .at = offsetof(struct conf_slot_share, member)

static const struct key slot_keys[] = {
	{ KEY_TEXT, SLOTS(partition), NULL, TEXT("partition") },
	{ KEY_NUMBER, SLOTS(share), NULL, { .name = "slot_share", .type = FATHOM_NUMBER,
					    .low_open = true, .high = 100, .standard = 50 } },
	{ KEY_NUMBER, SLOTS(max_slots), NULL,
	  { .name = "max_slots_in_pool", .type = FATHOM_INTEGER, .low = 1, .high = UINT32_MAX,
	    .standard = 100 } },
	{ KEY_SWITCH, SLOTS(use_priority), NULL,
	  { .name = "use_priority_in_pool", .type = FATHOM_SWITCH } },
	KEY_END
};

/* Adds a slot share. conf_check() sets `first` if the pool has an earlier line. */
static void *begin_slot_share(struct fathom_conf *conf, const char *name, unsigned line,
			      struct fathom_error *error)
{
	struct conf_slot_share *share = array_append(&conf->slot_share, &conf->slot_share_count,
						     sizeof(*share));

	if (!share || !(share->pool = strdup(name))) {
		fathom_error_no_memory(error);
		return NULL;
	}
	share->line = line;
	share->first = conf->slot_share_count - 1;
	return share;
}

/* ---- a group of users ---------------------------------------------------------- */

static const struct key group_keys[] = {
	{ KEY_NONE, .store = conf_user_groups_set_members, .setting = TEXT("members") },
	{ KEY_NONE, .store = conf_user_groups_set_shares, .setting = TEXT("user_shares") },
	KEY_END
};

/* Adds a group. Returns the object of all groups: the functions of the table find the last one. */
static void *begin_group(struct fathom_conf *conf, const char *name, unsigned line,
			 struct fathom_error *error)
{
	return conf_user_groups_add(&conf->user_groups, name, line, error) ? NULL
									   : &conf->user_groups;
}

/* ---- another cluster ----------------------------------------------------------- */

/* Checks Source. A relative path would depend on the folder that slurmctld runs in. */
static int read_source(void *share, const char *value, double *number, struct fathom_error *error)
{
	(void)share, (void)number;
	if (*value == '/' || !strcmp(value, CONF_GLOBAL_DATABASE))
		return 0;
	return fathom_error_set(error, EINVAL, "'%.160s' is neither slurmdbd nor an absolute path, "
				"must be the other cluster's UsageFile such as /shared/tux.json",
				value);
}

#define GLOBAL(member) .at = offsetof(struct conf_global_share, member)

static const struct key global_keys[] = {
	{ KEY_TEXT, GLOBAL(source), read_source, TEXT("source") },
	{ KEY_NUMBER, GLOBAL(weight), NULL, { .name = "weight", .type = FATHOM_NUMBER,
					      .low_open = true, .high = 1e9, .standard = 1 } },
	{ KEY_NUMBER, GLOBAL(max_age), NULL, { .name = "max_age", .type = FATHOM_DURATION,
					       .low = 1, .high = INFINITY, .standard = 86400 } },
	{ KEY_NONE, .store = conf_global_map, .setting = TEXT("map") },
	KEY_END
};

/* Adds a share of another cluster. */
static void *begin_global(struct fathom_conf *conf, const char *name, unsigned line,
			  struct fathom_error *error)
{
	return conf_global_add(&conf->global, name, line, error)
		       ? NULL : &conf->global.share[conf->global.count - 1];
}

/* ---- the kinds of lines ------------------------------------------------------ */

static const struct conf_line lines[] = {
	{ .setting.name = "scope", .keys = scope_keys, .begin = begin_scope },
	{ .setting.name = "slot_pool", .keys = slot_keys, .begin = begin_slot_share,
	  .thing = "a slot pool" },
	{ .setting.name = "user_group", .keys = group_keys, .begin = begin_group,
	  .thing = "a user group" },
	{ .setting.name = "global_share", .keys = global_keys, .begin = begin_global,
	  .thing = "a GlobalShare line", .is_voidable = true },
};

const struct conf_line *conf_line_find(const char *key)
{
	for (size_t i = 0; i < COUNT(lines); i++)
		if (fathom_setting_named(&lines[i].setting, key))
			return &lines[i];
	return NULL;
}

/* Returns the kind of line that has this key behind its first one; NULL: no kind has. */
static const struct conf_line *conf_line_with(const char *key)
{
	for (size_t i = 0; i < COUNT(lines); i++)
		if (key_find(lines[i].keys, key))
			return &lines[i];
	return NULL;
}

int conf_line_set(const struct conf_line *kind, void *object, const char *key,
		  const char *value, struct fathom_error *error)
{
	const struct key *found = key_find(kind->keys, key);

	if (found)
		return key_read(found, object, value, error);
	if (!kind->thing)	/* a scope */
		return add_pair(object, key, value, error);
	return fathom_error_set(error, ENOENT, "is not a key of %s; see fathom.conf(5)",
				kind->thing);
}

/* ---- lines of other pairs ---------------------------------------------------- */

/* The known key that is nearest to an unknown one. Keys are compared in CamelCase, as
 * fathom.conf spells them. */
struct guess {
	struct suggestion suggestion;
	char name[MOST_KEY];	/* the key that is being compared */
	char best[MOST_KEY];	/* the nearest key so far: what suggestion.name points to */
};

/* Takes the setting's key as the nearest one, if it is nearer than all before it. */
static void consider(struct guess *guess, const struct fathom_setting *setting)
{
	fathom_setting_camel_case(setting, guess->name, sizeof(guess->name));
	suggestion_consider(&guess->suggestion, guess->name);
	if (guess->suggestion.name != guess->name)
		return;
	/* guess->name is the buffer of the next key, so keep a copy */
	memcpy(guess->best, guess->name, sizeof(guess->best));
	guess->suggestion.name = guess->best;
}

/* Sets the error for an unknown key. Returns -1. */
static int unknown_key(const char *key, struct fathom_error *error)
{
	struct guess guess = { .suggestion = { .word = key, .length = strlen(key) } };

	for (size_t i = 0; i < CONF_SETTING_COUNT; i++)
		consider(&guess, conf_setting((enum conf_setting)i));
	for (size_t i = 0; i < fathom_policy_count(); i++) {
		const struct fathom_policy *policy = fathom_policy_at(i);

		for (size_t j = 0; j < policy->setting_count; j++)
			consider(&guess, &policy->settings[j]);
	}
	if (guess.suggestion.name)
		return fathom_error_set(error, ENOENT, "unknown key; did you mean %s?", guess.best);
	return fathom_error_set(error, ENOENT, "unknown key; see fathom.conf(5)");
}

/* Sets the setting of this name of each policy that has one. -1: no policy has, or the value is
 * wrong. */
static int set_of_policies(struct fathom_conf *conf, const char *key, const char *value,
			   unsigned line, struct fathom_error *error)
{
	bool known = false;

	for (size_t i = 0; i < fathom_policy_count(); i++) {
		const struct fathom_policy *policy = fathom_policy_at(i);
		size_t setting = policy_setting_named(policy, key);

		if (setting == POLICY_HAS_NONE)
			continue;
		known = true;
		if (fathom_settings_set(policy, &conf->policy[i], key, value, error))
			return -1;
		if (conf->policy_given[i][setting])
			conf->repeated = (struct conf_repeated){ &policy->settings[setting], line,
								 conf->policy_line[i][setting] };
		conf->policy_given[i][setting] = true;
		conf->policy_line[i][setting] = line;
		if (policy->settings[setting].type == FATHOM_FORMULA)
			conf->policy_formula_line = line;
	}
	return known ? 0 : unknown_key(key, error);
}

const struct fathom_setting *conf_key_setting(const char *key)
{
	enum conf_setting general = conf_setting_named(key);
	const struct conf_line *kind = conf_line_with(key);

	if (general < CONF_SETTING_COUNT)
		return conf_setting(general);
	if (kind)
		return &key_find(kind->keys, key)->setting;
	for (size_t i = 0; i < fathom_policy_count(); i++) {
		size_t setting = policy_setting_named(fathom_policy_at(i), key);

		if (setting != POLICY_HAS_NONE)
			return &fathom_policy_at(i)->settings[setting];
	}
	return NULL;
}

int conf_set(struct fathom_conf *conf, const char *key, const char *value, unsigned line,
	     struct fathom_error *error)
{
	enum conf_setting general = conf_setting_named(key);
	const struct conf_line *kind = conf_line_with(key);
	char name[32];

	if (general < CONF_SETTING_COUNT)
		return conf_set_general(conf, general, value, line, error);
	if (kind)
		return fathom_error_set(error, EINVAL, "must be on a line that begins with %s=",
					fathom_setting_camel_case(&kind->setting, name,
								  sizeof(name)));
	return set_of_policies(conf, key, value, line, error);
}
