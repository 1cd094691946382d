/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds settings of fathom.conf that are wrong or have no effect with the site's slurm.conf.
 * Several policies may be computed: the one in force, the shadow policy, and those of scopes. A
 * setting has an effect if one of them heeds it.
 */
#include "conf/conf_effect.h"

#include "policy/policy.h"

/* ---- errors ----------------------------------------------------------------------------- */

int conf_check_half_life(const struct fathom_conf *conf, const struct conf_slurm *slurm,
			 struct conf_fault *fault)
{
	if (!conf->given[CONF_HALF_LIFE] || conf->value[CONF_HALF_LIFE] > 0 || slurm->resets_usage)
		return 0;
	return FAULT(fault, conf->line[CONF_HALF_LIFE], "HalfLife", "0 needs a "
		     "PriorityUsageResetPeriod in slurm.conf, else it must be above 0");
}

int conf_check_scope_keys(const struct fathom_conf *conf, const struct conf_slurm *slurm,
			  struct conf_fault *fault)
{
	for (size_t i = 0; i < conf->scope_count; i++) {
		const struct conf_scope *scope = &conf->scope[i];
		const struct fathom_policy *policy = scope->policy
			? scope->policy : conf_policy_in_force(conf, slurm);

		if (conf_check_pairs(scope, policy, fault))
			return -1;
	}
	return 0;
}

/* ---- warnings --------------------------------------------------------------------------- */

/* A policy that is computed, with its settings. */
struct scheme {
	const struct fathom_policy *policy;
	struct fathom_settings settings;
};

/* Sets *scheme to the i-th one: first come those of scopes, then that in force, then the shadow
 * policy's. False: i is behind the last one. */
static bool scheme_at(const struct fathom_conf *conf, const struct conf_slurm *slurm, size_t i,
		      struct scheme *scheme)
{
	const struct fathom_policy *in_force = conf_policy_in_force(conf, slurm);
	const struct conf_scope *scope = i < conf->scope_count ? &conf->scope[i] : NULL;

	if (i > conf->scope_count + 1)
		return false;
	if (scope) {
		scheme->policy = scope->policy ? scope->policy : in_force;
		scheme->settings = conf_scope_settings(conf, slurm, scope, scheme->policy);
		return true;
	}
	scheme->policy = i == conf->scope_count ? in_force : conf_shadow_policy(conf);
	if (scheme->policy)
		scheme->settings = conf_settings(conf, slurm, scheme->policy);
	return scheme->policy;
}

/* FairshareEntity has an effect if ResourceGroup says the shares of entities. Users and accounts
 * need no ResourceGroup, as their associations have shares. */
static bool warns_of_entity(const struct fathom_conf *conf, const struct conf_slurm *slurm,
			    struct conf_fault *warning)
{
	struct scheme scheme;

	for (size_t i = 0; !conf->resources.count && scheme_at(conf, slurm, i, &scheme); i++) {
		size_t setting = policy_setting_with(scheme.policy, SETTING_ENTITY);
		double entity = setting == POLICY_HAS_NONE ? ENTITY_EUSER
							   : scheme.settings.value[setting];

		if (entity == ENTITY_EUSER || entity == ENTITY_ACCOUNT_NAME)
			continue;
		FAULT(warning, 0, "FairshareEntity", "FairshareEntity has no effect in Slurm, "
		      "where usage is charged to associations; set ResourceGroup");
		return true;
	}
	return false;
}

/* Adjust has an effect if a policy that is computed has a FairshareAdjustmentFactor above 0. */
static bool warns_of_adjust(const struct fathom_conf *conf, const struct conf_slurm *slurm,
			    struct conf_fault *warning)
{
	struct scheme scheme;

	if (!conf->given[CONF_ADJUST])
		return false;
	for (size_t i = 0; scheme_at(conf, slurm, i, &scheme); i++) {
		size_t factor = policy_setting_with(scheme.policy, SETTING_ADJUSTMENT_FACTOR);

		if (factor != POLICY_HAS_NONE && scheme.settings.value[factor] > 0)
			return false;
	}
	FAULT(warning, conf->line[CONF_ADJUST], "Adjust", "Adjust=%.100s has no effect, as no "
	      "policy has a FairshareAdjustmentFactor above 0", conf->adjust);
	return true;
}

/* Returns whether there is a file that FiguresMode is for. */
static bool writes_figures(const struct fathom_conf *conf)
{
	return conf->given[CONF_FIGURES_FILE] || conf->given[CONF_HISTORY_FILE] ||
	       conf->given[CONF_USAGE_FILE];
}

/* Returns whether a setting is given without the file that it is for, and sets *warning then. key:
 * name of the setting; file: name of the setting that names the file. */
static bool lacks_file(const struct fathom_conf *conf, enum conf_setting setting, bool has_file,
		       const char *key, const char *file, struct conf_fault *warning)
{
	if (!conf->given[setting] || has_file)
		return false;
	FAULT(warning, conf->line[setting], key, "%s has no effect without %s", key, file);
	return true;
}

/* PrivateData=usage leaves users out of MetricsFile whatever its mode is, as Prometheus shows
 * metrics also to users who may not read the file. */
static bool warns_of_hidden_users(const struct fathom_conf *conf, const struct conf_slurm *slurm,
				  struct conf_fault *warning)
{
	if (!conf->given[CONF_METRICS_FILE] || !slurm->hides_usage ||
	    !(conf->value[CONF_METRICS_USERS] > 0))
		return false;
	FAULT(warning, conf->line[CONF_METRICS_USERS], "MetricsUsers", "MetricsUsers has no "
	      "effect with PrivateData=usage, which leaves users and accounts out");
	return true;
}

/* Without FiguresMode, only the owner may read the files if usage is private. */
static bool warns_of_open_mode(const struct fathom_conf *conf, const struct conf_slurm *slurm,
			       struct conf_fault *warning)
{
	unsigned mode = (unsigned)conf->value[CONF_FIGURES_MODE];
	bool lets_others_read = conf->given[CONF_FIGURES_MODE] && (mode & 0044);

	if (!lets_others_read || !slurm->hides_usage || !writes_figures(conf))
		return false;
	FAULT(warning, conf->line[CONF_FIGURES_MODE], "FiguresMode", "FiguresMode=%04o lets others "
	      "read what PrivateData=usage hides", mode);
	return true;
}

bool conf_warns(const struct fathom_conf *conf, const struct conf_slurm *slurm,
		enum conf_warning_kind kind, struct conf_fault *warning)
{
	switch (kind) {
	case CONF_ENTITY_UNUSED:
		return warns_of_entity(conf, slurm, warning);
	case CONF_ADJUST_UNUSED:
		return warns_of_adjust(conf, slurm, warning);
	case CONF_FIGURES_MODE_UNUSED:
		return lacks_file(conf, CONF_FIGURES_MODE, writes_figures(conf), "FiguresMode",
				  "FiguresFile, HistoryFile or UsageFile", warning);
	case CONF_FIGURES_MODE_OPEN:
		return warns_of_open_mode(conf, slurm, warning);
	case CONF_HISTORY_AGE_UNUSED:
		return lacks_file(conf, CONF_HISTORY_AGE, conf->given[CONF_HISTORY_FILE],
				  "HistoryAge", "HistoryFile", warning);
	case CONF_METRICS_UNUSED:
		return lacks_file(conf, CONF_METRICS_MODE, conf->given[CONF_METRICS_FILE],
				  "MetricsMode", "MetricsFile", warning) ||
		       lacks_file(conf, CONF_METRICS_USERS, conf->given[CONF_METRICS_FILE],
				  "MetricsUsers", "MetricsFile", warning);
	case CONF_METRICS_USERS_HIDDEN:
		return warns_of_hidden_users(conf, slurm, warning);
	case CONF_WARNING_COUNT:
		break;
	}
	return false;
}
