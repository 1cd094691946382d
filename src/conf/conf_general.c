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
#include <string.h>

#define MOST_KEY 64	/* bytes, with the NUL */

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
	enum conf_setting which = conf_setting_named(key);
	const struct conf_line *kind = conf_line_with(key);
	char name[32];

	if (which < CONF_SETTING_COUNT)
		return conf_set_general(conf, which, value, line, error);
	if (kind)
		return fathom_error_set(error, EINVAL, "must be on a line that begins with %s=",
					fathom_setting_camel_case(&kind->setting, name,
								  sizeof(name)));
	return set_of_policies(conf, key, value, line, error);
}
