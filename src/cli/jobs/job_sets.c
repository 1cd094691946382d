/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Applies --set of fathom prio: keys of slurm.conf first, then settings of the policy. */
#include "cli/jobs/command_jobs.h"

#include "core/error.h"

#include <errno.h>

/* Refuses a KEY=VALUE by what is wrong with it. */
static _Noreturn void refuse_set(const char *key, const struct fathom_error *error)
{
	refuse("--set: %s: %s; see fathom prio --help", key, error->text);
}

/* Returns whether a key is a setting of slurm.conf, or FormulaScale. */
static bool is_general(const char *key)
{
	return job_settings_know(key) ||
	       fathom_setting_named(conf_setting(CONF_FORMULA_SCALE), key);
}

const struct general_settings job_sets_general = { is_general, setting_similar_of_jobs };

void job_sets_apply_slurm(const struct sets *sets, struct job_settings *settings)
{
	for (size_t i = 0; i < sets->count; i++) {
		const struct set *set = sets->set[i];
		struct fathom_error error;

		/* ENOENT: it is no key of slurm.conf */
		if (job_settings_set_option(settings, set->key, set->value, &error) &&
		    error.code != ENOENT)
			refuse_set(set->key, &error);
	}
}

/* Sets FormulaScale, or a setting of the rule's policy. Refuses an unknown key with the most
 * similar one, if there is one. */
static void set_rule(struct job_rule *rule, const struct set *set)
{
	const struct fathom_setting *scale = conf_setting(CONF_FORMULA_SCALE);
	bool is_scale = fathom_setting_named(scale, set->key);
	const char *similar = NULL;
	struct fathom_error error;

	if (is_scale ? !fathom_setting_parse(scale, set->value, &rule->scale, &error)
		     : !settings_set(rule->policy, &rule->settings, set, &error))
		return;
	if (error.code == ENOENT)
		similar = setting_similar_of_jobs(set->key);
	if (similar)
		fathom_error_set(&error, ENOENT, "is unknown; the most similar key is %s", similar);
	refuse_set(set->key, &error);
}

void job_sets_refuse_scale(const struct sets *sets)
{
	for (size_t i = 0; i < sets->count; i++)
		if (fathom_setting_named(conf_setting(CONF_FORMULA_SCALE), sets->set[i]->key))
			refuse("--set: %s: needs a formula, which it multiplies; give --formula",
			       sets->set[i]->key);
}

void job_sets_apply_rest(const struct sets *sets, struct job_rule *rule)
{
	for (size_t i = 0; i < sets->count; i++)
		if (!job_settings_know(sets->set[i]->key))
			set_rule(rule, sets->set[i]);
}
