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

/* ---- checks ------------------------------------------------------------------------------ */

/* Sets an error of the form "'VALUE' must be RIGHT". Returns -1. */
static int refuse(const struct lsf_pair *pair, const char *right, struct fathom_error *error)
{
	return fathom_error_set(error, EINVAL, "'%.64s' must be %s", pair->value, right);
}

/* The next functions check a value, see struct lsf_rule: -1: EINVAL. */

/* Checks that a value has none of the characters rule->text. */
static int check_characters(const struct lsf_rule *rule, struct lsf_pair *pair,
			    struct fathom_error *error)
{
	return pair->value[strcspn(pair->value, rule->text)] ? refuse(pair, rule->right, error) : 0;
}

/* Checks that a value is one of the words rule->text, in any case. */
static int check_word(const struct lsf_rule *rule, struct lsf_pair *pair,
		      struct fathom_error *error)
{
	struct piece words = piece_of(rule->text), word;

	while (piece_next(&words, ' ', &word))
		if (piece_is_any_case(word, pair->value))
			return 0;
	return refuse(pair, rule->right, error);
}

/* Checks a number above 0, up to rule->most. */
static int check_number(const struct lsf_rule *rule, struct lsf_pair *pair,
			struct fathom_error *error)
{
	const char *end;
	double number;

	if (number_parse(pair->value, &number, &end) || *end)
		return refuse(pair, rule->right, error);
	if (!(number > 0 && number <= rule->most) || (rule->is_whole && number != trunc(number)))
		return refuse(pair, rule->right, error);
	return 0;
}

/* Checks assignments: [user1, 10] [default, 1]. */
static int check_shares(const struct lsf_rule *rule, struct lsf_pair *pair,
			struct fathom_error *error)
{
	struct conf_assignments assignments = { NULL };
	int status = conf_assignments_parse(&assignments, pair->value, error);

	(void)rule;
	conf_assignments_clear(&assignments);
	return status;
}

/* Checks a value such as USER_SHARES[[user1, 10] [default, 1]], and shortens it to [user1, 10]
 * [default, 1]. */
static int check_fairshare(const struct lsf_rule *rule, struct lsf_pair *pair,
			   struct fathom_error *error)
{
	static const char word[] = "USER_SHARES";
	char *value = pair->value, *at = value + sizeof(word) - 1;
	char *end = value + strlen(value) - 1;

	if (strncasecmp(value, word, sizeof(word) - 1))
		return refuse(pair, "USER_SHARES[[NAME, SHARES] ...]", error);
	at += strspn(at, BLANKS);
	if (*at != '[' || *end != ']' || end <= at)
		return refuse(pair, "USER_SHARES[[NAME, SHARES] ...], with brackets around the "
			      "list", error);
	*end = '\0';
	at += 1 + strspn(at + 1, BLANKS);
	memmove(value, at, strlen(at) + 1);
	return check_shares(rule, pair, error);
}

/* Checks the value of a setting of the policy. */
static int check_setting(const struct lsf_rule *rule, struct lsf_pair *pair,
			 struct fathom_error *error)
{
	size_t index = policy_setting_named(lsf_policy(), pair->key);
	double number;

	(void)rule;
	return fathom_setting_parse(fathom_policy_setting(lsf_policy(), index), pair->value,
				    &number, error);
}

static const struct lsf_rule
	one_name = { check_characters, "one name without any of ,[]()=\"", .text = " \t,[]()=\"" },
	name_list = { check_characters, "names with blanks between them", .text = ",[]()=\"" },
	/* a host may be named as host[1-4], so that brackets are allowed */
	hosts = { check_characters, "hosts with blanks between them", .text = "()=\"" },
	shares = { .check = check_shares }, fairshare = { .check = check_fairshare },
	setting = { .check = check_setting },
	whole = { check_number, "an integer of 1 or more", .most = UINT32_MAX, .is_whole = true },
	percent = { check_number, "a number above 0 and up to 100, in percent", .most = 100 },
	yes_or_no = { check_word, "Y or N", .text = "y yes n no" },
	order = { check_word, "QUEUE", .text = "queue" };

/* ---- sections ---------------------------------------------------------------------------- */

static const struct lsf_key user_group_keys[] = {
	{ "GROUP_NAME", &one_name }, { "GROUP_MEMBER", &name_list }, { "USER_SHARES", &shares },
	{ NULL, NULL },
};

static const struct lsf_key user_keys[] = { { "USER_NAME", &one_name }, { NULL, NULL } };

static const struct lsf_key queue_keys[] = {
	{ "QUEUE_NAME", &one_name }, { "PRIORITY", &whole }, { "FAIRSHARE", &fairshare },
	{ "FAIRSHARE_QUEUES", &name_list }, { "DISPATCH_ORDER", &order },
	{ "SLOT_POOL", &one_name }, { "SLOT_SHARE", &percent }, { "MAX_SLOTS_IN_POOL", &whole },
	{ "USE_PRIORITY_IN_POOL", &yes_or_no }, { "HOSTS", &hosts }, { NULL, NULL },
};

static const struct lsf_key host_keys[] = { { "HOST_NAME", &one_name }, { NULL, NULL } };

static const struct lsf_key host_group_keys[] = {
	{ "GROUP_NAME", &one_name }, { "GROUP_MEMBER", &hosts }, { NULL, NULL },
};

static const struct lsf_key host_partition_keys[] = {
	{ "HPART_NAME", &one_name }, { "HOSTS", &hosts }, { "USER_SHARES", &shares },
	{ NULL, NULL },
};

static const struct lsf_key no_keys[] = { { NULL, NULL } };

const struct lsf_section
	lsf_user_group = { "UserGroup", user_group_keys, .name_key = "GROUP_NAME" },
	lsf_user = { "User", user_keys, .name_key = "USER_NAME" },
	lsf_queue = { "Queue", queue_keys, .name_key = "QUEUE_NAME", .has_settings = true },
	lsf_host = { "Host", host_keys, .name_key = "HOST_NAME" },
	lsf_host_group = { "HostGroup", host_group_keys, .name_key = "GROUP_NAME" },
	lsf_host_partition = { "HostPartition", host_partition_keys, .name_key = "HPART_NAME" },
	lsf_parameters = { "Parameters", .key = no_keys, .has_settings = true },
	/* what is left out; no file has these names */
	lsf_other_section = { "", .key = no_keys },
	lsf_condition = { "", .key = no_keys },
	lsf_include = { "", .key = no_keys };

/* The sections that files may have. */
static const struct lsf_section *const sections[] = {
	&lsf_user_group, &lsf_user, &lsf_queue, &lsf_host, &lsf_host_group, &lsf_host_partition,
	&lsf_parameters,
};

const struct lsf_section *lsf_section_find(struct piece name)
{
	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++)
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
	static const struct lsf_key any_setting = { "", &setting };

	for (const struct lsf_key *key = section->key; key->name; key++)
		if (!strcasecmp(key->name, name))
			return key;
	/* LSF writes HIST_HOURS; the policy would also know HistHours */
	if (section->has_settings && strchr(name, '_') &&
	    policy_setting_named(lsf_policy(), name) != POLICY_HAS_NONE)
		return &any_setting;
	return NULL;
}
