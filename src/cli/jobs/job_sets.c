/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Applies --set of fathom prio: keys of slurm.conf first, then settings of the policy. */
#include "cli/jobs/job_sets.h"

#include "cli/complain.h"
#include "conf/conf.h"
#include "core/error.h"
#include "format/job_settings.h"

#include <errno.h>
#include <string.h>

static _Noreturn void refuse_set(const char *key, const struct fathom_error *error)
{
	refuse("--set: %s: %s; see fathom prio --help", key, error->text);
}

static bool is_general(const char *key)
{
	return job_settings_know(key) ||
	       fathom_setting_named(conf_setting(CONF_FORMULA_SCALE), key);
}

static const char *similar_key(const char *key)
{
	return setting_similar_of_jobs(key, conf_setting(CONF_FORMULA_SCALE));
}

const struct general_settings job_sets_general = { is_general, similar_key };

void job_sets_apply_slurm(const struct sets *sets, struct job_settings *settings)
{
	for (size_t i = 0; i < sets->count; i++) {
		char key[MOST_KEY];
		const char *value = set_split(sets->set[i], key, sizeof(key));
		struct fathom_error error;

		if (job_settings_set(settings, key, value, &error) && error.code != ENOENT)
			refuse_set(key, &error);
	}
}

/* Names a similar key of slurm.conf, if there is one. Returns -1. */
static int suggest_key(const char *key, struct fathom_error *error)
{
	const char *name = similar_key(key);

	if (!name)
		return -1;
	return fathom_error_set(error, ENOENT, "is unknown; the most similar key is %s", name);
}

static int set_rule(struct job_rule *rule, const char *key, const char *value,
		    struct fathom_error *error)
{
	const struct fathom_setting *scale = conf_setting(CONF_FORMULA_SCALE);

	if (fathom_setting_named(scale, key))
		return fathom_setting_parse(scale, value, &rule->scale, error);
	if (settings_set(rule->policy, &rule->settings, key, value, error))
		return error->code == ENOENT ? suggest_key(key, error) : -1;
	return 0;
}

void job_sets_apply_rest(const struct sets *sets, struct job_rule *rule)
{
	for (size_t i = 0; i < sets->count; i++) {
		char key[MOST_KEY];
		const char *value = set_split(sets->set[i], key, sizeof(key));
		struct fathom_error error;

		if (!job_settings_know(key) && set_rule(rule, key, value, &error))
			refuse_set(key, &error);
	}
}
