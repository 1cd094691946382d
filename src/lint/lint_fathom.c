/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of fathom.conf by itself, and of what slurm.conf makes of it. */
#include "lint/lint_checks.h"

#include "adjust/adjuster.h"
#include "conf/conf_effect.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NAME_SIZE 64

/* ---- the file ----------------------------------------------------------------------- */

void lint_fathom_wrong(struct lint *lint)
{
	const struct conf_errors *errors = lint->site->fathom_errors;
	const char *date = lint->site->files ? lint->site->files->last_good : NULL;

	for (size_t i = 0; errors && i < errors->count; i++) {
		const struct conf_error *wrong = &errors->list[i];

		if (date && *date)
			lint_in_fathom(lint, wrong->line, NULL,
				       "%s; the last good settings, of %s, stay in force",
				       wrong->error.text, date);
		else
			lint_in_fathom(lint, wrong->line, NULL, "%s", wrong->error.text);
	}
}

/* ---- policies ----------------------------------------------------------------------- */

/* Returns whether a policy is computed: in force, as the shadow, or in a scope. */
static bool is_computed(const struct lint *lint, const struct fathom_policy *policy)
{
	const struct fathom_conf *conf = lint->site->fathom;

	if (policy == lint_policy(lint) || policy == conf_shadow_policy(conf))
		return true;
	for (size_t i = 0; i < conf->scope_count; i++)
		if (conf->scope[i].policy == policy)
			return true;
	return false;
}

/* Returns whether a policy that is computed has a setting of this name. */
static bool is_heeded(const struct lint *lint, const char *name)
{
	for (size_t i = 0; i < fathom_policy_count(); i++)
		if (is_computed(lint, fathom_policy_at(i)) &&
		    policy_setting_named(fathom_policy_at(i), name) != POLICY_HAS_NONE)
			return true;
	return false;
}

/* Returns whether an earlier policy has a setting of this name, so that it is reported once. */
static bool is_repeated(size_t policy, const char *name)
{
	for (size_t i = 0; i < policy; i++)
		if (policy_setting_named(fathom_policy_at(i), name) != POLICY_HAS_NONE)
			return true;
	return false;
}

void lint_other_policy(struct lint *lint)
{
	const struct fathom_conf *conf = lint->site->fathom;
	const struct fathom_policy *in_force = lint_policy(lint);
	char name[NAME_SIZE];

	for (size_t i = 0; in_force && i < fathom_policy_count(); i++) {
		const struct fathom_policy *policy = fathom_policy_at(i);

		for (size_t j = 0; j < fathom_policy_setting_count(policy); j++) {
			const struct fathom_setting *setting = fathom_policy_setting(policy, j);

			if (!conf->policy_given[i][j] || is_heeded(lint, setting->name) ||
			    is_repeated(i, setting->name))
				continue;
			fathom_setting_camel_case(setting, name, sizeof(name));
			lint_in_fathom(lint, conf->policy_line[i][j], name,
				       "%s is a setting of policy %s, and the "
				       "policy in force is %s",
				       name, fathom_policy_name(policy),
				       fathom_policy_name(in_force));
		}
	}
}

void lint_shadow_same(struct lint *lint)
{
	const struct fathom_policy *shadow = conf_shadow_policy(lint->site->fathom);

	if (shadow && shadow == lint_policy(lint))
		lint_in_fathom(lint, lint->site->fathom->line[CONF_SHADOW_POLICY], "ShadowPolicy",
			       "the shadow policy is %s, as the policy in force",
			       fathom_policy_name(shadow));
}

void lint_shadow_unseen(struct lint *lint)
{
	const struct fathom_conf *conf = lint->site->fathom;

	if (conf_shadow_policy(conf) && !conf->given[CONF_FIGURES_FILE])
		lint_in_fathom(lint, conf->line[CONF_SHADOW_POLICY], "ShadowPolicy",
			       "ShadowPolicy is given, but no FiguresFile");
}

/* ---- settings that need another one ------------------------------------------------- */

static void needs(struct lint *lint, enum conf_setting setting, bool has, const char *what)
{
	const struct fathom_conf *conf = lint->site->fathom;
	char name[NAME_SIZE];

	if (!conf->given[setting] || has)
		return;
	fathom_setting_camel_case(conf_setting(setting), name, sizeof(name));
	lint_in_fathom(lint, conf->line[setting], name, "%s has no effect without %s", name, what);
}

void lint_scale_unused(struct lint *lint)
{
	needs(lint, CONF_FORMULA_SCALE, lint->site->fathom->given[CONF_FORMULA], "Formula");
}

void lint_slot_memory_unused(struct lint *lint)
{
	needs(lint, CONF_SLOT_MEMORY, lint->site->fathom->given[CONF_ADJUST], "Adjust");
}

void lint_banks_unused(struct lint *lint)
{
	const struct fathom_policy *policy = lint_policy(lint);

	needs(lint, CONF_BANK_PRIORITY,
	      !policy || fathom_policy_priority_rule(policy) == FATHOM_FLUX_PRIORITY,
	      "Policy=flux");
}

void lint_resources_unused(struct lint *lint)
{
	bool has = !lint_policy(lint);

	for (size_t i = 0; i < fathom_policy_count(); i++)
		has |= is_computed(lint, fathom_policy_at(i)) &&
		       policy_setting_with(fathom_policy_at(i), SETTING_ENTITY) != POLICY_HAS_NONE;
	needs(lint, CONF_RESOURCE_GROUP, has, "Policy=pbs");
}

void lint_scopes_without_database(struct lint *lint)
{
	const struct fathom_conf *conf = lint->site->fathom;
	const char *what = conf->scope_count ? "Scope" : "SlotPool";

	if (lint_lacks_database(lint) && (conf->scope_count || conf->slot_share_count))
		lint_in_fathom(lint,
			       conf->scope_count ? conf->scope[0].line : conf->slot_share[0].line,
			       what,
			       "%s has no effect without "
			       "AccountingStorageType=accounting_storage/slurmdbd",
			       what);
}

void lint_calc_period_costly(struct lint *lint)
{
	const struct fathom_conf *conf = lint->site->fathom;

	if (conf->given[CONF_CALC_PERIOD] && conf->value[CONF_CALC_PERIOD] < 5)
		lint_in_fathom(lint, conf->line[CONF_CALC_PERIOD], "CalcPeriod",
			       "a pass every %g seconds", conf->value[CONF_CALC_PERIOD]);
}

/* ---- formulas ----------------------------------------------------------------------- */

/* Names that a formula may use beside the fields. */
struct extra_names {
	const char *name[FATHOM_MAX_COLUMNS + LINT_MOST_TRES + 1];
	char tres[LINT_MOST_TRES][LINT_TRES_SIZE];
};

static void list_names(const struct lint *lint, const struct fathom_policy *policy,
		       struct extra_names *names)
{
	size_t columns = fathom_policy_column_count(policy);
	size_t count = lint_list_tres(lint, names->tres);

	for (size_t i = 0; i < columns; i++)
		names->name[i] = fathom_policy_column(policy, i)->name;
	for (size_t i = 0; i < count; i++)
		names->name[columns + i] = names->tres[i];
	names->name[columns + count] = NULL;
}

/* Compiles a text. False: it is wrong. Without muParser, nothing is known. */
static bool compiles(const struct lint *lint, const char *text, const struct fathom_policy *policy,
		     struct fathom_error *error)
{
	struct extra_names extra;
	const struct fathom_formula_names names = { .extra = extra.name,
						    .choose = "set Policy=",
						    .policy_with = fathom_policy_with_column };
	struct fathom_formula *formula;

	list_names(lint, policy, &extra);
	formula = fathom_formula_create(text, &names, NULL, error);
	fathom_formula_destroy(formula);
	return formula || error->code == ENOSYS;
}

/* For jobs of a scope, the names of columns are those of the scope's policy. */
void lint_formula_wrong(struct lint *lint)
{
	const struct fathom_conf *conf = lint->site->fathom;
	const struct fathom_policy *policy = lint_policy(lint);
	struct fathom_error error;

	if (!conf->given[CONF_FORMULA] || !policy)
		return;
	if (!compiles(lint, conf->formula, policy, &error)) {
		lint_in_fathom(lint, conf->line[CONF_FORMULA], "Formula", "Formula: %s",
			       error.text);
		return;
	}
	for (size_t i = 0; i < conf->scope_count; i++) {
		const struct conf_scope *scope = &conf->scope[i];

		if (scope->policy && !compiles(lint, conf->formula, scope->policy, &error))
			lint_in_fathom(lint, scope->line, "Scope",
				       "Formula does not fit policy %s of scope '%.60s': %s",
				       fathom_policy_name(scope->policy), scope->name, error.text);
	}
}

/* Checks the formula of a policy that is computed, for the usage of PBS. */
static void check_usage_res(struct lint *lint, unsigned line, const char *text)
{
	struct fathom_formula *formula;
	struct fathom_error error;

	if (!*text)
		return;
	formula = fathom_formula_create(text, NULL, NULL, &error);
	if (!formula && error.code != ENOSYS)
		lint_in_fathom(lint, line, "FairshareUsageRes", "FairshareUsageRes: %s",
			       error.text);
	fathom_formula_destroy(formula);
}

void lint_usage_res_wrong(struct lint *lint)
{
	const struct fathom_conf *conf = lint->site->fathom;
	const struct conf_slurm slurm = lint_conf_slurm(lint);

	for (size_t i = 0; i < fathom_policy_count(); i++)
		if (is_computed(lint, fathom_policy_at(i)))
			check_usage_res(lint, conf->policy_formula_line, conf->policy[i].formula);
	for (size_t i = 0; i < conf->scope_count; i++) {
		const struct conf_scope *scope = &conf->scope[i];
		struct fathom_settings settings;

		if (!scope->policy || !scope->pair_count)
			continue;
		settings = conf_scope_settings(conf, &slurm, scope, scope->policy);
		if (strcmp(settings.formula,
			   conf_policy_settings(conf, scope->policy, NULL)->formula))
			check_usage_res(lint, scope->line, settings.formula);
	}
}

void lint_adjust_wrong(struct lint *lint)
{
	const struct fathom_conf *conf = lint->site->fathom;
	struct fathom_error error;

	if (conf->given[CONF_ADJUST] && adjuster_check(conf->adjust, &error))
		lint_in_fathom(lint, conf->line[CONF_ADJUST], "Adjust", "Adjust: %s", error.text);
}

/* A formula that does not use the fair-share factor, directly or by a column of the policy. */
void lint_formula_without_fairshare(struct lint *lint)
{
	const struct fathom_conf *conf = lint->site->fathom;
	const struct fathom_policy *policy = lint_policy(lint);
	bool uses = strstr(conf->formula, "fair") || strstr(conf->formula, "usage") ||
		    strstr(conf->formula, "shares");

	if (!conf->given[CONF_FORMULA] || !policy)
		return;
	for (size_t i = 0; i < fathom_policy_column_count(policy); i++)
		uses |= strstr(conf->formula, fathom_policy_column(policy, i)->name) != NULL;
	if (!uses)
		lint_in_fathom(lint, conf->line[CONF_FORMULA], "Formula",
			       "Formula uses no figure of fair share");
}

/* ---- checks that the plugin makes, too ---------------------------------------------- */

static void check_with(struct lint *lint,
		       int (*check)(const struct fathom_conf *conf, const struct conf_slurm *slurm,
				    struct conf_fault *fault))
{
	const struct conf_slurm slurm = lint_conf_slurm(lint);
	struct conf_fault fault;

	if (lint_policy(lint) && check(lint->site->fathom, &slurm, &fault))
		lint_in_fathom(lint, fault.line, fault.key, "%s: %s", fault.key, fault.error.text);
}

void lint_fathom_half_life(struct lint *lint)
{
	check_with(lint, conf_check_half_life);
}

void lint_scope_key(struct lint *lint)
{
	check_with(lint, conf_check_scope_keys);
}

static void warn_of(struct lint *lint, enum conf_warning_kind kind)
{
	const struct conf_slurm slurm = lint_conf_slurm(lint);
	struct conf_fault warning;

	if (lint_policy(lint) && conf_warns(lint->site->fathom, &slurm, kind, &warning))
		lint_in_fathom(lint, warning.line, warning.key, "%s", warning.error.text);
}

void lint_entity_unused(struct lint *lint)
{
	warn_of(lint, CONF_ENTITY_UNUSED);
}

void lint_adjust_unused(struct lint *lint)
{
	warn_of(lint, CONF_ADJUST_UNUSED);
}

void lint_figures_mode_unused(struct lint *lint)
{
	warn_of(lint, CONF_FIGURES_MODE_UNUSED);
}

void lint_figures_mode_shows(struct lint *lint)
{
	warn_of(lint, CONF_FIGURES_MODE_SHOWS);
}
