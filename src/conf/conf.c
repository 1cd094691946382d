/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/conf.h"

#include "conf/conf_lines.h"
#include "core/error.h"
#include "core/list_text.h"
#include "core/suggestion.h"
#include "policy/policy.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_KEY 64	/* characters, the end included */

static const struct fathom_setting table[CONF_SETTING_COUNT] = {
	[CONF_POLICY] = { .name = "policy", .type = FATHOM_CHOICE, .unit = "",
			  .meaning = "overrides the choice that PriorityFlags make" },
	[CONF_SHADOW_POLICY] = { .name = "shadow_policy", .type = FATHOM_CHOICE, .unit = "",
				 .meaning = "computed beside the live one, used for nothing" },
	[CONF_CALC_PERIOD] = { .name = "calc_period", .type = FATHOM_DURATION, .low = 1,
			       .high = 86400, .standard = 300, .unit = "seconds",
			       .meaning = "between passes; overrides PriorityCalcPeriod" },
	[CONF_HALF_LIFE] = { .name = "half_life", .type = FATHOM_DURATION, .high = INFINITY,
			     .standard = 7 * 86400, .unit = "seconds",
			     .meaning = "of usage, 0: no decay; overrides PriorityDecayHalfLife" },
	[CONF_CHARGE_SUSPENDED] = { .name = "charge_suspended", .type = FATHOM_SWITCH,
				    .standard = 1, .unit = "",
				    .meaning = "suspended jobs are charged as running ones" },
	[CONF_FORMULA] = { .name = "formula", .type = FATHOM_TEXT,
			   .high = FATHOM_FORMULA_SIZE - 1, .unit = "",
			   .meaning = "an expression that takes the place of the weighted sum" },
	[CONF_FORMULA_SCALE] = { .name = "formula_scale", .type = FATHOM_NUMBER, .low = 0,
				 .low_open = true, .high = UINT32_MAX, .standard = 1, .unit = "",
				 .meaning = "multiplies the formula's value; the result is the "
					    "priority" },
	[CONF_FIGURES_FILE] = { .name = "figures_file", .type = FATHOM_TEXT,
				.high = CONF_PATH_SIZE - 1, .unit = "",
				.meaning = "where each pass writes what it has computed" },
	[CONF_FIGURES_MODE] = { .name = "figures_mode", .type = FATHOM_INTEGER, .high = 0755,
				.unit = "octal", .meaning = "who may read that file" },
	[CONF_ADJUST] = { .name = "adjust", .type = FATHOM_TEXT, .high = CONF_PATH_SIZE - 1,
			  .unit = "",
			  .meaning = "whom to ask for LSF's adjustment: memory:THRESHOLD, or a "
				     "shared object" },
	[CONF_SLOT_MEMORY] = { .name = "slot_memory", .type = FATHOM_NUMBER, .low = 0,
			       .low_open = true, .high = INFINITY, .standard = 4096,
			       .unit = "megabytes",
			       .meaning = "of a slot of the cluster, on average, for Adjust" },
};

/* Where the texts are kept. */
static const size_t text_at[CONF_SETTING_COUNT] = {
	[CONF_FORMULA] = offsetof(struct fathom_conf, formula),
	[CONF_FIGURES_FILE] = offsetof(struct fathom_conf, figures_file),
	[CONF_ADJUST] = offsetof(struct fathom_conf, adjust),
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

void conf_clear(struct fathom_conf *conf)
{
	conf_lines_clear(conf);
	*conf = conf_standard();
}

static const struct fathom_policy *policy_of(const struct fathom_conf *conf, enum conf_setting which)
{
	return conf->given[which] ? fathom_policy_at((size_t)conf->value[which]) : NULL;
}

const struct fathom_policy *conf_policy(const struct fathom_conf *conf)
{
	return policy_of(conf, CONF_POLICY);
}

const struct fathom_policy *conf_shadow_policy(const struct fathom_conf *conf)
{
	return policy_of(conf, CONF_SHADOW_POLICY);
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

static const char *policy_at(const void *context, size_t i)
{
	(void)context;
	return i < fathom_policy_count() ? fathom_policy_name(fathom_policy_at(i)) : NULL;
}

const char *conf_policy_list(char *text, size_t size)
{
	return list_text((struct name_list){ .at = policy_at }, ", ", text, size);
}

/* Policy names have dashes, and any case is taken. */
int conf_find_policy(const char *text, size_t *place, struct fathom_error *error)
{
	char name[32] = "", list[160];

	for (size_t i = 0; text[i] && i + 1 < sizeof(name); i++)
		name[i] = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] + 32) : text[i];
	for (size_t i = 0; i < fathom_policy_count(); i++) {
		if (fathom_policy_find(name) != fathom_policy_at(i))
			continue;
		*place = i;
		return 0;
	}
	return fathom_error_set(error, EINVAL, "'%s' is unknown, must be one of %s", text,
				conf_policy_list(list, sizeof(list)));
}

static int parse_policy(const char *text, double *value, struct fathom_error *error)
{
	size_t place;

	if (conf_find_policy(text, &place, error))
		return -1;
	*value = (double)place;
	return 0;
}

/* As chmod takes it. Each pass reads the file's beginning, and nobody else is
 * to write into what others believe. */
static int parse_mode(const char *text, double *value, struct fathom_error *error)
{
	size_t length = strspn(text, "01234567");
	unsigned mode = 0;

	for (size_t i = 0; i < length && mode <= 0777; i++)
		mode = 8 * mode + (unsigned)(text[i] - '0');
	if (!length || text[length] || mode > 0777)
		return fathom_error_set(error, EINVAL, "'%s' is no mode, must be octal and at most "
					"0755; for example 0644", text);
	if ((mode & 022) || !(mode & 0400))
		return fathom_error_set(error, EINVAL, "%s must let the owner read, and nobody else "
					"write; for example 0644", text);
	*value = mode;
	return 0;
}

static int parse_general(enum conf_setting which, const char *text, double *value,
			 struct fathom_error *error)
{
	static int (*const parse[CONF_SETTING_COUNT])(const char *text, double *value,
						      struct fathom_error *error) = {
		[CONF_POLICY] = parse_policy,
		[CONF_SHADOW_POLICY] = parse_policy,
		[CONF_FIGURES_MODE] = parse_mode,
	};

	return parse[which] ? parse[which](text, value, error)
			    : fathom_setting_parse(&table[which], text, value, error);
}

static int set_general(struct fathom_conf *conf, enum conf_setting which, const char *text,
		       unsigned line, struct fathom_error *error)
{
	if (parse_general(which, text, &conf->value[which], error))
		return -1;
	if (table[which].type == FATHOM_TEXT)
		memcpy((char *)conf + text_at[which], text, strlen(text) + 1);
	conf->given[which] = true;
	conf->line[which] = line;
	return 0;
}

/* What an unknown key may have been meant for: keys as the file writes them. */
struct guess {
	struct suggestion suggestion;
	char name[MOST_KEY], best[MOST_KEY];
};

static void consider(struct guess *guess, const struct fathom_setting *setting)
{
	fathom_setting_camel_case(setting, guess->name, sizeof(guess->name));
	suggestion_consider(&guess->suggestion, guess->name);
	if (guess->suggestion.name != guess->name)
		return;
	memcpy(guess->best, guess->name, sizeof(guess->best));
	guess->suggestion.name = guess->best;
}

static int unknown_key(const char *key, struct fathom_error *error)
{
	struct guess guess = { .suggestion = { .word = key, .length = strlen(key) } };

	for (size_t i = 0; i < CONF_SETTING_COUNT; i++)
		consider(&guess, &table[i]);
	for (size_t i = 0; i < fathom_policy_count(); i++) {
		const struct fathom_policy *policy = fathom_policy_at(i);

		for (size_t j = 0; j < policy->setting_count; j++)
			consider(&guess, &policy->settings[j]);
	}
	if (guess.suggestion.name)
		return fathom_error_set(error, ENOENT, "unknown key; did you mean %s?", guess.best);
	return fathom_error_set(error, ENOENT, "unknown key; see fathom.conf(5)");
}

/* A name that several policies know is set for all of them. */
static int set_of_policies(struct fathom_conf *conf, const char *key, const char *value,
			   unsigned line, struct fathom_error *error)
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
			if (policy->settings[j].type == FATHOM_FORMULA)
				conf->policy_formula_line = line;
		}
	}
	return known ? 0 : unknown_key(key, error);
}

static int set(struct fathom_conf *conf, const char *key, const char *value, unsigned line,
	       struct fathom_error *error)
{
	const struct conf_line *kind = conf_line_with(key);
	char name[32];

	for (size_t i = 0; i < CONF_SETTING_COUNT; i++)
		if (fathom_setting_named(&table[i], key))
			return set_general(conf, (enum conf_setting)i, value, line, error);
	if (kind)
		return fathom_error_set(error, EINVAL, "must be on a line that begins with %s=",
					fathom_setting_camel_case(&kind->setting, name,
								  sizeof(name)));
	return set_of_policies(conf, key, value, line, error);
}

/* ---- text -------------------------------------------------------------------- */

/* Where the reader stands. `at` moves through a copy that it may cut up. */
struct reader {
	const char *file;
	char *at;
	unsigned line;
	bool line_begins;
	const struct conf_line *kind;	/* of this line, or NULL */
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
		size_t continued = continuation(reader->at);

		reader->at += continued;
		if (*reader->at == '#')
			reader->at += strcspn(reader->at, "\n");
		if (*reader->at == '\n') {
			reader->line++;
			reader->line_begins |= !continued;
		}
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
		wrong(reader, key, *key ? "no '=' after it, must be Key=Value; quote a value with blanks" :
					  "no key before '=', must be Key=Value");
		return NULL;
	}
	*end = '\0';
	reader->at++;
	reader->at += strspn(reader->at, " \t");
	return key;
}

static int take_pair(struct reader *reader, struct fathom_conf *conf, const char *key,
		     const char *value, struct fathom_error *error)
{
	const struct conf_line *kind = conf_line_find(key);

	if (kind && !reader->line_begins)
		return fathom_error_set(error, EINVAL, "must be the first key of its line");
	if (reader->line_begins)
		reader->kind = kind;
	reader->line_begins = false;
	if (kind)
		return kind->begin(conf, value, reader->line, error);
	if (reader->kind)
		return reader->kind->set(conf, key, value, error);
	return set(conf, key, value, reader->line, error);
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
	if (take_pair(reader, conf, key, value, &inner))
		return wrong(reader, key, inner.text);
	*reader->at = next;
	return 0;
}

static int check_lines(struct reader *reader, struct fathom_conf *conf)
{
	struct conf_fault fault;

	if (!conf_lines_check(conf, &fault))
		return 0;
	reader->line = fault.line;
	return wrong(reader, fault.key, fault.error.text);
}

int conf_parse_text(struct fathom_conf *conf, const char *file, const char *text,
		    struct fathom_error *error)
{
	struct fathom_conf read = conf_standard();
	char *copy = strdup(text);
	struct reader reader = { .file = file, .at = copy, .line = 1, .line_begins = true,
				 .error = error };
	int status = 0;

	if (!copy)
		return fathom_error_set(error, ENOMEM, "%s: out of memory", file);
	for (skip_blank(&reader); !status && *reader.at; skip_blank(&reader))
		status = read_pair(&reader, &read);
	free(copy);
	if (!status)
		status = check_lines(&reader, &read);
	conf_lines_clear(status ? &read : conf);
	if (!status)
		*conf = read;
	return status;
}
