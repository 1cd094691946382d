/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sections and keys that are read, and the checks of their values. Settings of the policy, such
 * as HIST_HOURS, are keys of lsb.params and lsb.queues, too; the policy checks their values.
 * Source: LSF, "lsb.users", "lsb.queues", "lsb.hosts", "lsb.params".
 */
#include "format/lsf/lsf.h"

#include "conf/conf_user_shares.h"
#include "core/duration.h"
#include "core/error.h"
#include "document/text.h"
#include "policy/traits.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#define BLANKS " \t"
#define NOT_IN_NAMES BLANKS ",[]()=\""
#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* ---- checks ------------------------------------------------------------------------------ */

/* The next functions check a value, see lsf_check: -1: EINVAL. */

/* right: what the value must be, without the characters `forbidden`. */
static int check_characters(const struct lsf_pair *pair, const char *forbidden, const char *right,
			    struct fathom_error *error)
{
	if (!pair->value[strcspn(pair->value, forbidden)])
		return 0;
	return fathom_error_set(error, EINVAL, "'%.64s' must be %s", pair->value, right);
}

static int check_name(struct lsf_pair *pair, struct fathom_error *error)
{
	return check_characters(pair, NOT_IN_NAMES, "one name without any of ,[]()=\"", error);
}

static int check_names(struct lsf_pair *pair, struct fathom_error *error)
{
	return check_characters(pair, ",[]()=\"", "names with blanks between them", error);
}

/* A host may be named as host[1-4], so that brackets are allowed. */
static int check_hosts(struct lsf_pair *pair, struct fathom_error *error)
{
	return check_characters(pair, "()=\"", "hosts with blanks between them", error);
}

static int check_shares(struct lsf_pair *pair, struct fathom_error *error)
{
	struct conf_assignments assignments = { NULL };
	int status = conf_assignments_parse(&assignments, pair->value, error);

	conf_assignments_clear(&assignments);
	return status;
}

/* Checks a value such as USER_SHARES[[user1, 10] [default, 1]], and shortens it to [user1, 10]
 * [default, 1]. */
static int check_fairshare(struct lsf_pair *pair, struct fathom_error *error)
{
	static const char word[] = "USER_SHARES";
	char *value = pair->value, *at = value + sizeof(word) - 1;
	char *end = value + strlen(value) - 1;

	if (strncasecmp(value, word, sizeof(word) - 1))
		return fathom_error_set(error, EINVAL, "'%.64s' must be USER_SHARES[[NAME, SHARES] "
					"...]", value);
	at += strspn(at, BLANKS);
	if (*at != '[' || *end != ']' || end <= at)
		return fathom_error_set(error, EINVAL, "'%.64s' must be USER_SHARES[[NAME, SHARES] "
					"...], with brackets around the list", value);
	*end = '\0';
	at += 1 + strspn(at + 1, BLANKS);
	memmove(value, at, strlen(at) + 1);
	return check_shares(pair, error);
}

enum number_kind { DECIMAL_NUMBER, WHOLE_NUMBER };

/* Checks a number above 0, up to `most`. */
static int check_number(const struct lsf_pair *pair, double most, enum number_kind kind,
			const char *right, struct fathom_error *error)
{
	const char *end;
	double number;

	if (!number_parse(pair->value, &number, &end) && !*end && number > 0 && number <= most &&
	    (kind != WHOLE_NUMBER || number == trunc(number)))
		return 0;
	return fathom_error_set(error, EINVAL, "'%.64s' must be %s", pair->value, right);
}

static int check_whole(struct lsf_pair *pair, struct fathom_error *error)
{
	return check_number(pair, UINT32_MAX, WHOLE_NUMBER, "an integer of 1 or more", error);
}

static int check_percent(struct lsf_pair *pair, struct fathom_error *error)
{
	return check_number(pair, 100, DECIMAL_NUMBER,
			    "a number above 0 and up to 100, in percent", error);
}

/* Checks Y or N. */
static int check_switch(struct lsf_pair *pair, struct fathom_error *error)
{
	static const char *const words[] = { "y", "yes", "n", "no" };

	for (size_t i = 0; i < COUNT(words); i++)
		if (!strcasecmp(pair->value, words[i]))
			return 0;
	return fathom_error_set(error, EINVAL, "'%.64s' must be Y or N", pair->value);
}

/* Checks DISPATCH_ORDER. */
static int check_order(struct lsf_pair *pair, struct fathom_error *error)
{
	if (!strcasecmp(pair->value, "QUEUE"))
		return 0;
	return fathom_error_set(error, EINVAL, "'%.64s' must be QUEUE", pair->value);
}

/* Checks the value of a setting of the policy. */
static int check_setting(struct lsf_pair *pair, struct fathom_error *error)
{
	size_t index = policy_setting_named(lsf_policy(), pair->key);
	double number;

	return fathom_setting_parse(fathom_policy_setting(lsf_policy(), index), pair->value,
				    &number, error);
}

/* ---- sections ---------------------------------------------------------------------------- */

static const struct lsf_key user_group_keys[] = {
	{ "GROUP_NAME", check_name }, { "GROUP_MEMBER", check_names },
	{ "USER_SHARES", check_shares }, { NULL, NULL },
};

static const struct lsf_key user_keys[] = {
	{ "USER_NAME", check_name }, { NULL, NULL },
};

static const struct lsf_key queue_keys[] = {
	{ "QUEUE_NAME", check_name }, { "PRIORITY", check_whole },
	{ "FAIRSHARE", check_fairshare }, { "FAIRSHARE_QUEUES", check_names },
	{ "DISPATCH_ORDER", check_order }, { "SLOT_POOL", check_name },
	{ "SLOT_SHARE", check_percent }, { "MAX_SLOTS_IN_POOL", check_whole },
	{ "USE_PRIORITY_IN_POOL", check_switch }, { "HOSTS", check_hosts }, { NULL, NULL },
};

static const struct lsf_key host_keys[] = {
	{ "HOST_NAME", check_name }, { NULL, NULL },
};

static const struct lsf_key host_group_keys[] = {
	{ "GROUP_NAME", check_name }, { "GROUP_MEMBER", check_hosts }, { NULL, NULL },
};

static const struct lsf_key host_partition_keys[] = {
	{ "HPART_NAME", check_name }, { "HOSTS", check_hosts }, { "USER_SHARES", check_shares },
	{ NULL, NULL },
};

static const struct lsf_key no_keys[] = { { NULL, NULL } };

const struct lsf_section
	lsf_user_group = { "UserGroup", user_group_keys, "GROUP_NAME", .has_settings = false },
	lsf_user = { "User", user_keys, "USER_NAME", .has_settings = false },
	lsf_queue = { "Queue", queue_keys, "QUEUE_NAME", .has_settings = true },
	lsf_host = { "Host", host_keys, "HOST_NAME", .has_settings = false },
	lsf_host_group = { "HostGroup", host_group_keys, "GROUP_NAME", .has_settings = false },
	lsf_host_partition = { "HostPartition", host_partition_keys, "HPART_NAME",
			       .has_settings = false },
	lsf_parameters = { "Parameters", no_keys, NULL, .has_settings = true },
	/* what is left out; no file has these names */
	lsf_other_section = { "", no_keys, NULL, .has_settings = false },
	lsf_condition = { "", no_keys, NULL, .has_settings = false },
	lsf_include = { "", no_keys, NULL, .has_settings = false };

/* The sections that files may have. */
static const struct lsf_section *const sections[] = {
	&lsf_user_group, &lsf_user, &lsf_queue, &lsf_host, &lsf_host_group, &lsf_host_partition,
	&lsf_parameters,
};

const struct lsf_section *lsf_section_find(struct piece name)
{
	for (size_t i = 0; i < COUNT(sections); i++)
		if (piece_is_any_case(name, sections[i]->name))
			return sections[i];
	return NULL;
}

/* ---- keys -------------------------------------------------------------------------------- */

const struct fathom_policy *lsf_policy(void)
{
	/* the only policy with user share assignments */
	for (size_t i = 0; i < fathom_policy_count(); i++)
		if (policy_takes_user_shares(fathom_policy_at(i)))
			return fathom_policy_at(i);
	return NULL;
}

const struct lsf_key *lsf_key_find(const struct lsf_section *section, const char *name)
{
	static const struct lsf_key setting = { "", check_setting };	/* any setting */

	for (const struct lsf_key *key = section->key; key->name; key++)
		if (!strcasecmp(key->name, name))
			return key;
	/* LSF writes HIST_HOURS; the policy would also know HistHours */
	if (section->has_settings && strchr(name, '_') &&
	    policy_setting_named(lsf_policy(), name) != POLICY_HAS_NONE)
		return &setting;
	return NULL;
}
