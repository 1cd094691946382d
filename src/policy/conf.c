/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "policy/conf.h"

#include "core/error.h"
#include "policy/policy.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct fathom_setting table[CONF_SETTING_COUNT] = {
	[CONF_POLICY] = { .name = "policy", .type = FATHOM_CHOICE, .unit = "",
			  .meaning = "overrides the choice that PriorityFlags make" },
	[CONF_CALC_PERIOD] = { .name = "calc_period", .type = FATHOM_DURATION, .low = 1,
			       .high = 86400, .standard = 300, .unit = "seconds",
			       .meaning = "between passes; overrides PriorityCalcPeriod" },
	[CONF_CHARGE_SUSPENDED] = { .name = "charge_suspended", .type = FATHOM_SWITCH,
				    .standard = 1, .unit = "",
				    .meaning = "suspended jobs are charged as running ones" },
	[CONF_FORMULA] = { .name = "formula", .unit = "",
			   .meaning = "an expression that takes the place of the weighted sum" },
	[CONF_FORMULA_SCALE] = { .name = "formula_scale", .type = FATHOM_NUMBER, .low = 0,
				 .low_open = true, .high = UINT32_MAX, .standard = 1, .unit = "",
				 .meaning = "multiplies the formula's value; the result is the "
					    "priority" },
};

const struct fathom_setting *conf_setting(enum conf_setting which)
{
	return &table[which];
}

struct fathom_conf conf_standard(void)
{
	struct fathom_conf conf = { 0 };

	for (size_t i = 0; i < CONF_SETTING_COUNT; i++)
		conf.value[i] = table[i].standard;
	for (size_t i = 0; i < fathom_policy_count(); i++)
		conf.policy[i] = fathom_settings_standard(fathom_policy_at(i));
	return conf;
}

const struct fathom_policy *conf_policy(const struct fathom_conf *conf)
{
	return conf->given[CONF_POLICY] ? fathom_policy_at((size_t)conf->value[CONF_POLICY]) : NULL;
}

const struct fathom_settings *conf_policy_settings(const struct fathom_conf *conf,
						   const struct fathom_policy *policy,
						   const bool **given)
{
	size_t i = 0;

	while (fathom_policy_at(i) != policy)
		i++;
	if (given)
		*given = conf->policy_given[i];
	return &conf->policy[i];
}

/* ---- one pair ---------------------------------------------------------------- */

/* Policy names have dashes, and any case is taken. */
static int set_policy(struct fathom_conf *conf, const char *value, struct fathom_error *error)
{
	char name[32] = "", list[160] = "";

	for (size_t i = 0; value[i] && i + 1 < sizeof(name); i++)
		name[i] = value[i] >= 'A' && value[i] <= 'Z' ? (char)(value[i] + 32) : value[i];
	for (size_t i = 0; i < fathom_policy_count(); i++) {
		size_t length = strlen(list);

		if (fathom_policy_find(name) == fathom_policy_at(i)) {
			conf->value[CONF_POLICY] = (double)i;
			conf->given[CONF_POLICY] = true;
			return 0;
		}
		snprintf(list + length, sizeof(list) - length, "%s%s", i ? ", " : "",
			 fathom_policy_name(fathom_policy_at(i)));
	}
	return fathom_error_set(error, EINVAL, "'%s' is unknown, must be one of %s", value, list);
}

/* Who evaluates it compiles it, and tells of errors with this line. */
static int set_formula(struct fathom_conf *conf, const char *value, unsigned line,
		       struct fathom_error *error)
{
	size_t size = sizeof(conf->formula), length = strlen(value);

	if (length >= size)
		return fathom_error_set(error, EINVAL, "longer than %zu characters", size - 1);
	memcpy(conf->formula, value, length + 1);
	conf->formula_line = line;
	conf->given[CONF_FORMULA] = true;
	return 0;
}

static int set_general(struct fathom_conf *conf, size_t i, const char *value, unsigned line,
		       struct fathom_error *error)
{
	if (i == CONF_POLICY)
		return set_policy(conf, value, error);
	if (i == CONF_FORMULA)
		return set_formula(conf, value, line, error);
	if (fathom_setting_parse(&table[i], value, &conf->value[i], error))
		return -1;
	conf->given[i] = true;
	return 0;
}

/* A name that several policies know is set for all of them. */
static int set_of_policies(struct fathom_conf *conf, const char *key, const char *value,
			   struct fathom_error *error)
{
	bool known = false;

	for (size_t i = 0; i < fathom_policy_count(); i++) {
		const struct fathom_policy *policy = fathom_policy_at(i);

		for (size_t j = 0; j < policy->setting_count; j++) {
			if (!fathom_setting_named(&policy->settings[j], key))
				continue;
			known = true;
			if (fathom_settings_set(policy, &conf->policy[i], key, value, error))
				return -1;
			conf->policy_given[i][j] = true;
		}
	}
	return known ? 0 : fathom_error_set(error, ENOENT, "unknown key; see priority_fathom(5)");
}

static int set(struct fathom_conf *conf, const char *key, const char *value, unsigned line,
	       struct fathom_error *error)
{
	for (size_t i = 0; i < CONF_SETTING_COUNT; i++)
		if (fathom_setting_named(&table[i], key))
			return set_general(conf, i, value, line, error);
	return set_of_policies(conf, key, value, error);
}

/* ---- text -------------------------------------------------------------------- */

/* Where the reader stands. `at` moves through a copy that it may cut up. */
struct reader {
	const char *file;
	char *at;
	unsigned line;
	struct fathom_error *error;
};

static int wrong(const struct reader *reader, const char *key, const char *what)
{
	if (*key)
		return fathom_error_set(reader->error, EINVAL, "%s:%u: %s: %s", reader->file,
					reader->line, key, what);
	return fathom_error_set(reader->error, EINVAL, "%s:%u: %s", reader->file, reader->line,
				what);
}

/* Length of a '\' that continues the line, with the blanks behind it; else 0. */
static size_t continuation(const char *at)
{
	size_t length;

	if (*at != '\\')
		return 0;
	length = 1 + strspn(at + 1, " \t\r");
	return !at[length] || at[length] == '\n' ? length : 0;
}

/* To the next pair, over ends of lines and comments. */
static void skip_blank(struct reader *reader)
{
	for (;; reader->at++) {
		reader->at += continuation(reader->at);
		if (*reader->at == '#')
			reader->at += strcspn(reader->at, "\n");
		if (*reader->at == '\n')
			reader->line++;
		if (!*reader->at || !strchr(" \t\r\n", *reader->at))
			return;
	}
}

static size_t length_unquoted(const char *value)
{
	size_t length = 0;

	while (!strchr(" \t\r\n#", value[length]) && !continuation(value + length))
		length++;
	return length;
}

/* The value at the reader's place, cut off at its end; the character that
 * stood behind it is given back in `*next`. NULL: told in *what. */
static char *cut_value(struct reader *reader, char *next, const char **what)
{
	bool quoted = *reader->at == '"';
	char *value = reader->at + quoted;
	size_t length = quoted ? strcspn(value, "\"\n") : length_unquoted(value);
	char *end = value + length;

	*what = quoted && *end != '"' ? "no closing '\"'" : "no value, must be Key=Value";
	if (!length || (quoted && *end != '"'))
		return NULL;
	reader->at = end + quoted;
	*what = "no blank after the closing '\"'";
	if (length_unquoted(reader->at))
		return NULL;
	*next = *reader->at;
	*end = '\0';
	return value;
}

/* The key at the reader's place, cut off; the reader goes on to the value. */
static char *cut_key(struct reader *reader)
{
	char *key = reader->at, *end = key + strcspn(key, "= \t\r\n#");

	reader->at = end + strspn(end, " \t");
	if (*reader->at != '=' || end == key) {
		*end = '\0';
		wrong(reader, key, *key ? "no '=' after it, must be Key=Value" :
					  "no key before '=', must be Key=Value");
		return NULL;
	}
	*end = '\0';
	reader->at++;
	reader->at += strspn(reader->at, " \t");
	return key;
}

static int read_pair(struct reader *reader, struct fathom_conf *conf)
{
	struct fathom_error inner;
	char *key = cut_key(reader), *value, next;
	const char *what;

	if (!key)
		return -1;
	value = cut_value(reader, &next, &what);
	if (!value)
		return wrong(reader, key, what);
	if (set(conf, key, value, reader->line, &inner))
		return wrong(reader, key, inner.text);
	*reader->at = next;
	return 0;
}

int conf_parse_text(struct fathom_conf *conf, const char *file, const char *text,
		    struct fathom_error *error)
{
	struct fathom_conf read = conf_standard();
	char *copy = strdup(text);
	struct reader reader = { .file = file, .at = copy, .line = 1, .error = error };
	int status = 0;

	if (!copy)
		return fathom_error_set(error, ENOMEM, "%s: out of memory", file);
	for (skip_blank(&reader); !status && *reader.at; skip_blank(&reader))
		status = read_pair(&reader, &read);
	free(copy);
	if (!status)
		*conf = read;
	return status;
}
