/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets general settings, and settings of policies for the whole cluster. A pair such as
 * HistHours=10 sets the setting of that name in every policy that has one; other keys are
 * general settings. An unknown key is an error that suggests the nearest known one. */
#include "conf/conf_general.h"

#include "conf/conf_lines.h"
#include "core/error.h"
#include "core/suggestion.h"
#include "policy/policy.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#define MOST_KEY 64	/* bytes, with the NUL */

/* Offset of the member that holds a setting of type text, unless it is a list. */
static const size_t text_at[CONF_SETTING_COUNT] = {
	[CONF_FORMULA] = offsetof(struct fathom_conf, formula),
	[CONF_FIGURES_FILE] = offsetof(struct fathom_conf, figures_file),
	[CONF_IMPORT_USAGE] = offsetof(struct fathom_conf, import_usage),
	[CONF_ADJUST] = offsetof(struct fathom_conf, adjust),
};

/* ---- general settings -------------------------------------------------------- */

static int parse_policy(const char *text, double *value, struct fathom_error *error)
{
	size_t place;

	if (conf_find_policy(text, &place, error))
		return -1;
	*value = (double)place;
	return 0;
}

/* Reads an octal mode as chmod does. The owner must be able to read the file, as each pass
 * reads its beginning; nobody else may write to it, as others rely on what it says. */
static int parse_mode(const char *text, double *value, struct fathom_error *error)
{
	size_t length = strspn(text, "01234567");
	unsigned mode = 0;

	for (size_t i = 0; i < length && mode <= 0777; i++)
		mode = 8 * mode + (unsigned)(text[i] - '0');
	if (!length || text[length] || mode > 0777)
		return fathom_error_set(error, EINVAL, "'%s' is not a mode, must be octal and at "
					"most 0755; for example 0644", text);
	if ((mode & 022) || !(mode & 0400))
		return fathom_error_set(error, EINVAL, "%s must let the owner read, and nobody "
					"else write; for example 0644", text);
	*value = mode;
	return 0;
}

/* A relative path would depend on the folder that slurmctld runs in. */
static int parse_path(const char *text, double *value, struct fathom_error *error)
{
	if (*text != '/')
		return fathom_error_set(error, EINVAL, "'%.200s' is relative, must be an absolute "
					"path such as /etc/slurm/usage.json", text);
	return fathom_setting_parse(conf_setting(CONF_IMPORT_USAGE), text, value, error);
}

static int parse_general(enum conf_setting which, const char *text, double *value,
			 struct fathom_error *error)
{
	static int (*const parse[CONF_SETTING_COUNT])(const char *text, double *value,
						      struct fathom_error *error) = {
		[CONF_POLICY] = parse_policy,
		[CONF_SHADOW_POLICY] = parse_policy,
		[CONF_FIGURES_MODE] = parse_mode,
		[CONF_IMPORT_USAGE] = parse_path,
	};

	if (parse[which])
		return parse[which](text, value, error);
	return fathom_setting_parse(conf_setting(which), text, value, error);
}

/* Lines with these keys add to a list. */
static int add_banks(struct fathom_conf *conf, const char *text, unsigned line,
		     struct fathom_error *error)
{
	return conf_banks_add(&conf->banks, text, line, error);
}

static int add_resource(struct fathom_conf *conf, const char *text, unsigned line,
			struct fathom_error *error)
{
	return conf_resources_add(&conf->resources, text, line, error);
}

static int (*const add_to_list[CONF_SETTING_COUNT])(struct fathom_conf *conf, const char *text,
						    unsigned line, struct fathom_error *error) = {
	[CONF_BANK_PRIORITY] = add_banks,
	[CONF_RESOURCE_GROUP] = add_resource,
};

static int set_general(struct fathom_conf *conf, enum conf_setting which, const char *text,
		       unsigned line, struct fathom_error *error)
{
	if (parse_general(which, text, &conf->value[which], error) ||
	    (add_to_list[which] && add_to_list[which](conf, text, line, error)))
		return -1;
	if (text_at[which])
		memcpy((char *)conf + text_at[which], text, strlen(text) + 1);
	conf->given[which] = true;
	conf->line[which] = line;
	return 0;
}

/* ---- settings of policies ------------------------------------------------------ */

/* The known key that is nearest to an unknown one. Keys are compared in CamelCase, as
 * fathom.conf spells them. */
struct guess {
	struct suggestion suggestion;
	char name[MOST_KEY];	/* the key that is being compared */
	char best[MOST_KEY];	/* the nearest key so far: what suggestion.name points to */
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

/* Sets the setting for each policy that has one with this name. */
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
		conf->policy_given[i][setting] = true;
		conf->policy_line[i][setting] = line;
		if (policy->settings[setting].type == FATHOM_FORMULA)
			conf->policy_formula_line = line;
	}
	return known ? 0 : unknown_key(key, error);
}

int conf_set(struct fathom_conf *conf, const char *key, const char *value, unsigned line,
	     struct fathom_error *error)
{
	const struct conf_line *kind = conf_line_with(key);
	char name[32];

	for (size_t i = 0; i < CONF_SETTING_COUNT; i++)
		if (fathom_setting_named(conf_setting((enum conf_setting)i), key))
			return set_general(conf, (enum conf_setting)i, value, line, error);
	if (kind)
		return fathom_error_set(error, EINVAL, "must be on a line that begins with %s=",
					fathom_setting_camel_case(&kind->setting, name,
								  sizeof(name)));
	return set_of_policies(conf, key, value, line, error);
}
