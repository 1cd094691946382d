/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of general settings; and struct fathom_conf: creates it, clears it, answers
 * questions about it. */
#include "conf/conf.h"

#include "core/array.h"
#include "core/error.h"
#include "core/list_text.h"
#include "core/suggestion.h"
#include "keys/key.h"
#include "policy/policy.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- values that type and range do not describe ------------------------------------- */

/* The functions of type key_reader get the struct fathom_conf as their object. */

/* Sets *number to the policy's index for fathom_policy_at(). */
static int read_policy(void *conf, const char *text, double *number, struct fathom_error *error)
{
	size_t index = 0;
	int status = conf_find_policy(text, &index, error);

	(void)conf;
	*number = (double)index;
	return status;
}

/* Reads an octal mode as chmod does. The owner must be able to read the file, as each pass
 * reads its beginning; nobody else may write to it, as others rely on what it says. */
static int read_mode(void *conf, const char *text, double *number, struct fathom_error *error)
{
	size_t length = strspn(text, "01234567");
	unsigned mode = 0;

	(void)conf;
	for (size_t i = 0; i < length && mode <= 0777; i++)
		mode = 8 * mode + (unsigned)(text[i] - '0');
	if (!length || text[length] || mode > 0777)
		return fathom_error_set(error, EINVAL, "'%s' is not a mode, must be octal and at "
					"most 0755; for example 0644", text);
	if ((mode & 022) || !(mode & 0400))
		return fathom_error_set(error, EINVAL, "%s must let the owner read, and nobody "
					"else write; for example 0644", text);
	*number = mode;
	return 0;
}

/* Reads which users' figures are written: "no", "all", or "top:20", those with the most usage. Sets
 * *number to 0, INFINITY or 20. */
static int read_users(void *conf, const char *text, double *number, struct fathom_error *error)
{
	static const char top[] = "top:";
	const char *digits = strncmp(text, top, strlen(top)) ? "" : text + strlen(top);

	(void)conf;
	*number = 0;
	if (!strcmp(text, "all"))
		*number = INFINITY;
	else if (!digits[strspn(digits, "0123456789")])
		*number = strtod(digits, NULL);	/* 0 if there are no digits */
	if (*number >= 1 || !strcmp(text, "no"))
		return 0;
	return fathom_error_set(error, EINVAL, "'%.64s', must be no, all, or top:N with N of 1 or "
				"more; for example top:20", text);
}

/* Checks the path of ImportUsage. A relative one would depend on the folder that slurmctld runs
 * in. */
static int check_absolute(void *conf, const char *text, double *number, struct fathom_error *error)
{
	(void)conf, (void)number;
	if (*text == '/')
		return 0;
	return fathom_error_set(error, EINVAL, "'%.200s' is relative, must be an absolute path "
				"such as /etc/slurm/usage.json", text);
}

/* Adds the banks of a BankPriority line to those of earlier lines. */
static int add_banks(void *object, const char *text, double *number, struct fathom_error *error)
{
	struct fathom_conf *conf = object;

	(void)number;
	return conf_banks_add(&conf->banks, text, conf->line[CONF_BANK_PRIORITY], error);
}

/* Adds the row of a ResourceGroup line to those of earlier lines. */
static int add_resource(void *object, const char *text, double *number, struct fathom_error *error)
{
	struct fathom_conf *conf = object;

	(void)number;
	return conf_resources_add(&conf->resources, text, conf->line[CONF_RESOURCE_GROUP], error);
}

/* ---- the table ------------------------------------------------------------------------- */

/* Where a row's value goes: into value[CONF_NAME], or into an array of characters. */
#define VALUE(name) KEY_NUMBER, .at = offsetof(struct fathom_conf, value[CONF_##name])
#define ARRAY(member) KEY_ARRAY, .at = offsetof(struct fathom_conf, member)
/* The value of a row is a text of up to `most` bytes. */
#define TEXT(most) .type = FATHOM_TEXT, .high = most, .unit = ""
#define PATH TEXT(CONF_PATH_SIZE - 1)

static const char *const without_shares[] = {
	[JOBS_GO_LAST] = "last", [JOBS_ARE_HELD] = "hold", NULL,
};

static const struct key table[] = {
	[CONF_POLICY] = { VALUE(POLICY), read_policy, { .name = "policy", TEXT(INFINITY),
		.meaning = "overrides the choice that PriorityFlags make" } },
	[CONF_SHADOW_POLICY] = { VALUE(SHADOW_POLICY), read_policy, { .name = "shadow_policy",
		TEXT(INFINITY), .meaning = "computed beside the policy in force, to compare" } },
	[CONF_CALC_PERIOD] = { VALUE(CALC_PERIOD), NULL, { .name = "calc_period",
		.type = FATHOM_DURATION, .low = 1, .high = 86400, .standard = 300,
		.unit = "seconds", .meaning = "between passes; overrides PriorityCalcPeriod" } },
	[CONF_HALF_LIFE] = { VALUE(HALF_LIFE), NULL, { .name = "half_life",
		.type = FATHOM_DURATION, .high = INFINITY, .standard = 7 * 86400, .unit = "seconds",
		.meaning = "of usage, 0: no decay; overrides PriorityDecayHalfLife" } },
	[CONF_CHARGE_SUSPENDED] = { VALUE(CHARGE_SUSPENDED), NULL, { .name = "charge_suspended",
		.type = FATHOM_SWITCH, .standard = 1, .unit = "",
		.meaning = "suspended jobs are charged as running ones" } },
	[CONF_WITHOUT_SHARES] = { VALUE(WITHOUT_SHARES), NULL, { .name = "without_shares",
		.type = FATHOM_CHOICE, .choices = without_shares, .unit = "",
		.meaning = "what becomes of jobs that the policy never starts" } },
	[CONF_FORMULA] = { ARRAY(formula), NULL, { .name = "formula", TEXT(FATHOM_FORMULA_SIZE - 1),
		.meaning = "an expression that takes the place of the weighted sum" } },
	[CONF_FORMULA_SCALE] = { VALUE(FORMULA_SCALE), NULL, { .name = "formula_scale",
		.type = FATHOM_NUMBER, .low_open = true, .high = UINT32_MAX, .standard = 1,
		.unit = "", .meaning = "multiplies the formula's value; the result is the "
				       "priority" } },
	[CONF_FIGURES_FILE] = { ARRAY(figures_file), NULL, { .name = "figures_file", PATH,
		.meaning = "where each pass writes what it has computed" } },
	[CONF_FIGURES_MODE] = { VALUE(FIGURES_MODE), read_mode, { .name = "figures_mode",
		.type = FATHOM_TEXT, .high = INFINITY, .unit = "octal",
		.meaning = "who may read that file, and HistoryFile" } },
	[CONF_HISTORY_FILE] = { ARRAY(history_file), NULL, { .name = "history_file", PATH,
		.meaning = "where the first pass of each day adds what it has computed" } },
	[CONF_HISTORY_AGE] = { VALUE(HISTORY_AGE), NULL, { .name = "history_age",
		.type = FATHOM_DURATION, .high = INFINITY, .standard = 365 * 86400,
		.unit = "seconds", .meaning = "of days in that file, 0: they stay for ever" } },
	[CONF_METRICS_FILE] = { ARRAY(metrics_file), NULL, { .name = "metrics_file", PATH,
		.meaning = "where each pass writes metrics for Prometheus" } },
	[CONF_METRICS_MODE] = { VALUE(METRICS_MODE), read_mode, { .name = "metrics_mode",
		.type = FATHOM_TEXT, .high = INFINITY, .standard = 0640, .unit = "octal",
		.meaning = "who may read that file" } },
	[CONF_METRICS_USERS] = { VALUE(METRICS_USERS), read_users, { .name = "metrics_users",
		.type = FATHOM_TEXT, .high = INFINITY, .unit = "",
		.meaning = "whose figures are in that file: no, top:N, all" } },
	[CONF_USAGE_FILE] = { ARRAY(usage_file), NULL, { .name = "usage_file", PATH,
		.meaning = "where each pass writes own usage, for GlobalShare of others" } },
	[CONF_IMPORT_USAGE] = { ARRAY(import_usage), check_absolute, { .name = "import_usage",
		PATH, .meaning = "file whose usage is added once, an absolute path" } },
	[CONF_ADJUST] = { ARRAY(adjust), NULL, { .name = "adjust", PATH,
		.meaning = "source of LSF's adjustment: memory:THRESHOLD, or a shared object" } },
	[CONF_SLOT_MEMORY] = { VALUE(SLOT_MEMORY), NULL, { .name = "slot_memory",
		.type = FATHOM_NUMBER, .low_open = true, .high = INFINITY, .standard = 4096,
		.unit = "megabytes",
		.meaning = "of a slot of the cluster, on average, for Adjust" } },
	[CONF_BANK_PRIORITY] = { KEY_NONE, .read = add_banks, { .name = "bank_priority",
		TEXT(INFINITY),
		.meaning = "priorities of flux-accounting's banks, the accounts" } },
	[CONF_RESOURCE_GROUP] = { KEY_NONE, .read = add_resource, { .name = "resource_group",
		TEXT(INFINITY), .meaning = "group or entity of PBS: name, parent, shares" } },
	[CONF_SETTING_COUNT] = KEY_END,
};

const char *const conf_scope_kinds[] = { "queue", "cross-queue", "host-partition", NULL };

const struct fathom_setting *conf_setting(enum conf_setting setting)
{
	return &table[setting].setting;
}

enum conf_setting conf_setting_named(const char *key)
{
	const struct key *found = key_find(table, key);

	return found ? (enum conf_setting)(found - table) : CONF_SETTING_COUNT;
}

int conf_set_general(struct fathom_conf *conf, enum conf_setting setting, const char *value,
		     unsigned line, struct fathom_error *error)
{
	/* values without a member, such as those of ResourceGroup, add up */
	if (conf->given[setting] && table[setting].member != KEY_NONE)
		conf->repeated = (struct conf_repeated){ &table[setting].setting, line,
							 conf->line[setting] };
	conf->line[setting] = line;	/* before key_read(), as add_banks() needs it */
	if (key_read(&table[setting], conf, value, error))
		return -1;
	conf->given[setting] = true;
	return 0;
}

/* ---- create and clear ------------------------------------------------------ */

struct fathom_conf conf_standard(void)
{
	struct fathom_conf conf = { 0 };

	for (size_t i = 0; i < CONF_SETTING_COUNT; i++)
		conf.value[i] = table[i].setting.standard;
	for (size_t i = 0; i < fathom_policy_count(); i++)
		conf.policy[i] = fathom_settings_standard(fathom_policy_at(i));
	return conf;
}

void conf_scope_clear_partitions(struct conf_scope *scope)
{
	for (size_t i = 0; i < scope->partition_count; i++)
		free(scope->partition[i]);
	free(scope->partition);
	scope->partition = NULL;
	scope->partition_count = 0;
}

enum host_rule conf_host_rule(const struct fathom_conf *conf)
{
	return conf->scope_count ? conf->scope->host_rule : HOST_RULE_WORST;
}

bool conf_others_are_first_come(const struct fathom_conf *conf)
{
	return conf->scope_count && conf->scope->hosts.text && !conf->scope->others_by_policy;
}

int conf_scope_add_partition(struct conf_scope *scope, const char *name, size_t length)
{
	char **added = array_append(&scope->partition, &scope->partition_count, sizeof(*added));

	return added && (*added = strndup(name, length)) ? 0 : -1;
}

/* Frees what a scope owns, but not the scope. */
static void clear_scope(struct conf_scope *scope)
{
	conf_scope_clear_partitions(scope);
	conf_hosts_clear(&scope->hosts);
	for (size_t i = 0; i < scope->pair_count; i++) {
		free(scope->pair[i].key);
		free(scope->pair[i].value);
	}
	free(scope->pair);
	free(scope->user_shares);
	conf_assignments_clear(&scope->assignments);
	free(scope->master_queue);
	free(scope->name);
}

void conf_clear(struct fathom_conf *conf)
{
	for (size_t i = 0; i < conf->scope_count; i++)
		clear_scope(&conf->scope[i]);
	for (size_t i = 0; i < conf->slot_share_count; i++) {
		free(conf->slot_share[i].pool);
		free(conf->slot_share[i].partition);
	}
	free(conf->scope);
	free(conf->slot_share);
	conf_banks_clear(&conf->banks);
	conf_resources_clear(&conf->resources);
	conf_user_groups_clear(&conf->user_groups);
	conf_global_clear(&conf->global);
	*conf = conf_standard();
}

/* ---- policies -------------------------------------------------------------- */

/* Returns the policy that a setting names; NULL: the file does not give the setting. */
static const struct fathom_policy *policy_of(const struct fathom_conf *conf,
					     enum conf_setting setting)
{
	return conf->given[setting] ? fathom_policy_at((size_t)conf->value[setting]) : NULL;
}

const struct fathom_policy *conf_policy(const struct fathom_conf *conf)
{
	return policy_of(conf, CONF_POLICY);
}

const struct fathom_policy *conf_shadow_policy(const struct fathom_conf *conf)
{
	return policy_of(conf, CONF_SHADOW_POLICY);
}

/* Returns the index of a policy for fathom_policy_at(). */
static size_t index_of(const struct fathom_policy *policy)
{
	size_t i = 0;

	while (fathom_policy_at(i) != policy)
		i++;
	return i;
}

const struct fathom_settings *conf_policy_settings(const struct fathom_conf *conf,
						   const struct fathom_policy *policy,
						   const bool **given)
{
	size_t i = index_of(policy);

	if (given)
		*given = conf->policy_given[i];
	return &conf->policy[i];
}

const char *conf_scope_foreign_key(const struct conf_scope *scope,
				   const struct fathom_policy *policy)
{
	for (size_t i = 0; i < scope->pair_count; i++)
		if (policy_setting_named(policy, scope->pair[i].key) == POLICY_HAS_NONE)
			return scope->pair[i].key;
	return scope->user_shares && !policy_takes_user_shares(policy) ? "UserShares" : NULL;
}

/* Returns the name of policy i, for list_text(); NULL behind the last one. */
static const char *policy_name_at(const void *context, size_t i)
{
	(void)context;
	return i < fathom_policy_count() ? fathom_policy_name(fathom_policy_at(i)) : NULL;
}

int conf_find_policy(const char *text, size_t *index, struct fathom_error *error)
{
	char list[160];
	const struct fathom_policy *policy = fathom_policy_find(text);
	struct suggestion suggestion = { .word = text, .length = strlen(text) };

	if (policy) {
		*index = index_of(policy);
		return 0;
	}
	for (size_t i = 0; i < fathom_policy_count(); i++)
		suggestion_consider(&suggestion, fathom_policy_name(fathom_policy_at(i)));
	return fathom_error_set(error, EINVAL, "'%.64s' is unknown, must be one of %s%s%s%s", text,
				list_text((struct name_list){ .at = policy_name_at }, ", ", list,
					  sizeof(list)),
				suggestion.name ? "; did you mean " : "",
				suggestion.name ? suggestion.name : "", suggestion.name ? "?" : "");
}
