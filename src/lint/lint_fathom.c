/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of fathom.conf by itself, and together with slurm.conf. Each check is a function whose
 * row, at the end of the file, tells what it finds and why. */
#include "lint/lint_context.h"

#include "adjust/adjuster.h"
#include "conf/conf_effect.h"
#include "memory/need_memory.h"

#include <errno.h>
#include <string.h>

/* ---- the file ----------------------------------------------------------------------- */

/* The plugin keeps the last settings that were right, and uses them in place of a wrong file. */
static void fathom_wrong(struct lint *lint)
{
	const struct conf_errors *errors = lint->site->fathom_errors;
	/* when these came into force; NULL or "": not known, or there are none */
	const char *date = lint->site->files ? lint->site->files->last_good : NULL;

	for (size_t i = 0; errors && i < errors->count; i++) {
		const struct conf_error *wrong = &errors->list[i];

		if (date && *date)
			lint_in_fathom(lint, wrong->line, NULL, "%s; the last good settings, of "
				       "%s, stay in force", wrong->error.text, date);
		else
			lint_in_fathom(lint, wrong->line, NULL, "%s", wrong->error.text);
	}
}

static void fathom_key_twice(struct lint *lint)
{
	const struct fathom_conf *conf = lint->site->fathom;
	const char *name;

	if (!conf->repeated.setting)
		return;
	name = lint_setting_name(conf->repeated.setting);
	lint_in_fathom(lint, conf->repeated.line, name, "%s is given on line %u, too; the last "
		       "value counts", name, conf->repeated.earlier);
}

/* ---- policies ----------------------------------------------------------------------- */

/* Returns whether a policy before number `policy` of the table has a setting of this name: then it
 * was reported there. */
static bool is_repeated(size_t policy, const char *name)
{
	for (size_t i = 0; i < policy; i++)
		if (policy_setting_named(fathom_policy_at(i), name) != POLICY_HAS_NONE)
			return true;
	return false;
}

/* Reports each setting once, with the first policy that has it, unless a policy that is computed
 * has it, too. */
static void other_policy(struct lint *lint)
{
	const struct fathom_conf *conf = lint->site->fathom;
	const struct fathom_policy *in_force = lint_policy(lint);

	for (size_t i = 0; in_force && i < fathom_policy_count(); i++) {
		const struct fathom_policy *policy = fathom_policy_at(i);

		for (size_t j = 0; j < fathom_policy_setting_count(policy); j++) {
			const struct fathom_setting *setting = fathom_policy_setting(policy, j);
			const char *name = lint_setting_name(setting);

			if (!conf->policy_given[i][j] || lint_heeds(lint, setting->name) ||
			    is_repeated(i, setting->name))
				continue;
			lint_in_fathom(lint, conf->policy_line[i][j], name, "%s is a setting of "
				       "policy %s, and the policy in force is %s", name,
				       fathom_policy_name(policy), fathom_policy_name(in_force));
		}
	}
}

static void shadow_same(struct lint *lint)
{
	const struct fathom_policy *shadow = conf_shadow_policy(lint->site->fathom);

	if (shadow && shadow == lint_policy(lint))
		lint_at_setting(lint, CONF_SHADOW_POLICY, "the shadow policy is %s, as the policy "
				"in force", fathom_policy_name(shadow));
}

/* slurmctld sends only figures of the policy in force. */
static void shadow_unseen(struct lint *lint)
{
	const struct fathom_conf *conf = lint->site->fathom;

	if (conf_shadow_policy(conf) && !conf->given[CONF_FIGURES_FILE])
		lint_at_setting(lint, CONF_SHADOW_POLICY, "ShadowPolicy is given, but no "
				"FiguresFile");
}

/* ---- settings that need another one ------------------------------------------------- */

/* Reports a setting that is given, unless it has what it needs. what: names that in the text. */
static void needs(struct lint *lint, enum conf_setting setting, bool has, const char *what)
{
	if (lint->site->fathom->given[setting] && !has)
		lint_at_setting(lint, setting, "%s has no effect without %s",
				lint_setting_name(conf_setting(setting)), what);
}

static void scale_unused(struct lint *lint)
{
	needs(lint, CONF_FORMULA_SCALE, lint->site->fathom->given[CONF_FORMULA], "Formula");
}

static void slot_memory_unused(struct lint *lint)
{
	needs(lint, CONF_SLOT_MEMORY, lint->site->fathom->given[CONF_ADJUST], "Adjust");
}

/* If the policy in force is not known, it may be flux. */
static void banks_unused(struct lint *lint)
{
	const struct fathom_policy *policy = lint_policy(lint);

	needs(lint, CONF_BANK_PRIORITY,
	      !policy || fathom_policy_priority_rule(policy) == FATHOM_FLUX_PRIORITY,
	      "Policy=flux");
}

/* ResourceGroup needs a policy that charges entities. If the policy in force is not known, it may
 * be one. */
static void resources_unused(struct lint *lint)
{
	needs(lint, CONF_RESOURCE_GROUP, !lint_policy(lint) || lint_heeds(lint, "FairshareEntity"),
	      "Policy=pbs");
}

static void scopes_without_database(struct lint *lint)
{
	const struct fathom_conf *conf = lint->site->fathom;
	const char *what = conf->scope_count ? "Scope" : "SlotPool";

	if (lint_lacks_database(lint) && (conf->scope_count || conf->slot_share_count))
		lint_in_fathom(lint,
			       conf->scope_count ? conf->scope[0].line : conf->slot_share[0].line,
			       what, "%s has no effect without "
			       "AccountingStorageType=accounting_storage/slurmdbd", what);
}

static void calc_period_costly(struct lint *lint)
{
	const struct fathom_conf *conf = lint->site->fathom;

	if (conf->given[CONF_CALC_PERIOD] && conf->value[CONF_CALC_PERIOD] < 5)
		lint_at_setting(lint, CONF_CALC_PERIOD, "a pass every %g seconds",
				conf->value[CONF_CALC_PERIOD]);
}

/* ---- formulas ----------------------------------------------------------------------- */

/* Returns whether a formula can be compiled under a policy; true also without muParser, where this
 * is not known. *error: why not. */
static bool compiles(const struct lint *lint, const char *text, const struct fathom_policy *policy,
		     struct fathom_error *error)
{
	struct formula_names extra = { NULL };	/* columns of the policy, then TRES */
	struct fathom_formula_names names = { .choose = "set Policy=",
					      .policy_with = fathom_policy_with_column };
	struct fathom_formula *formula;
	bool is_right;

	for (size_t i = 0; i < fathom_policy_column_count(policy); i++)
		NEED_ADD(extra.name, extra.count, fathom_policy_column(policy, i)->name);
	lint_list_tres(lint, text, &extra);
	NEED_ADD(extra.name, extra.count, NULL);
	names.extra = extra.name;
	formula = fathom_formula_create(text, &names, NULL, error);
	is_right = formula || error->code == ENOSYS;	/* ENOSYS: there is no muParser */
	fathom_formula_destroy(formula);
	return is_right;
}

/* Returns whether Formula can be compiled under the policy in force; if that is not known, under
 * one of those that PriorityFlags choose. *error: why not. */
static bool formula_compiles(const struct lint *lint, struct fathom_error *error)
{
	const char *text = lint->site->fathom->formula;
	struct fathom_error other;

	if (lint_policy(lint))
		return compiles(lint, text, lint_policy(lint), error);
	return compiles(lint, text, policy_of_flag(FLAG_FAIR_TREE), error) ||
	       compiles(lint, text, policy_of_flag(FLAG_DEPTH_OBLIVIOUS), &other) ||
	       compiles(lint, text, policy_of_flag(FLAG_NO_FAIR_TREE), &other);
}

/* For jobs of a scope, a formula may use the columns of the scope's policy: so it must compile
 * under each of the policies. */
static void formula_wrong(struct lint *lint)
{
	const struct fathom_conf *conf = lint->site->fathom;
	struct fathom_error error;

	if (!conf->given[CONF_FORMULA])
		return;
	if (!formula_compiles(lint, &error)) {
		lint_at_setting(lint, CONF_FORMULA, "Formula: %s", error.text);
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

/* Reports a formula of PBS's usage that cannot be compiled. line: of fathom.conf; text: "": there
 * is no formula. */
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

/* Checks the formula of each policy that is computed, and of each scope that has another one. */
static void usage_res_wrong(struct lint *lint)
{
	const struct fathom_conf *conf = lint->site->fathom;
	const struct conf_slurm slurm = lint_conf_slurm(lint);

	for (size_t i = 0; i < fathom_policy_count(); i++)
		if (lint_computes(lint, fathom_policy_at(i)))
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

/* The object is not loaded, as that runs its code. */
static void adjust_wrong(struct lint *lint)
{
	const struct fathom_conf *conf = lint->site->fathom;
	const struct site_import *object = lint->site->files ? &lint->site->files->adjust : NULL;
	bool has_object = object && *object->path;	/* memory:THRESHOLD has none */
	struct fathom_error error;

	if (!conf->given[CONF_ADJUST])
		return;
	if (adjuster_check(conf->adjust, &error))
		lint_at_setting(lint, CONF_ADJUST, "Adjust: %s", error.text);
	else if (has_object && !object->exists)
		lint_at_setting(lint, CONF_ADJUST, "Adjust: %s is missing", object->path);
	else if (has_object && !object->is_readable)
		lint_at_setting(lint, CONF_ADJUST, "Adjust: SlurmUser may not read %s",
				object->path);
}

/* Searches the formula's text for anything of fair share: names of fields and of the policy's
 * columns. */
static void formula_without_fairshare(struct lint *lint)
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
		lint_at_setting(lint, CONF_FORMULA, "Formula uses no figure of fair share");
}

/* ---- checks that the plugin makes, too ---------------------------------------------- */

/* Reports what a check of src/conf finds. */
static void check_with(struct lint *lint,
		       int (*check)(const struct fathom_conf *conf, const struct conf_slurm *slurm,
				    struct conf_fault *fault))
{
	const struct conf_slurm slurm = lint_conf_slurm(lint);
	struct conf_fault fault;

	if (lint_policy(lint) && check(lint->site->fathom, &slurm, &fault))
		lint_in_fathom(lint, fault.line, fault.key, "%s: %s", fault.key, fault.error.text);
}

static void fathom_half_life(struct lint *lint)
{
	check_with(lint, conf_check_half_life);
}

static void scope_key(struct lint *lint)
{
	check_with(lint, conf_check_scope_keys);
}

/* Reports the warning of src/conf whose kind the row has. */
static void warn_of(struct lint *lint)
{
	const struct conf_slurm slurm = lint_conf_slurm(lint);
	enum conf_warning_kind kind = (enum conf_warning_kind)lint->row->kind;
	struct conf_fault warning;

	if (lint_policy(lint) && conf_warns(lint->site->fathom, &slurm, kind, &warning))
		lint_in_fathom(lint, warning.line, warning.key, "%s", warning.error.text);
}

/* ---- jobs ------------------------------------------------------------------------- */

/* The fix names the jobs, or if they are many, a command that finds them by their reason. */
static void jobs_held(struct lint *lint)
{
	const struct lint_site *site = lint->site;

	if (!site->held_count)
		return;
	lint_in_file(lint, site->jobs_file, 0, NULL, "%zu job%s held by fathom", site->held_count,
		     site->held_count == 1 ? " is" : "s are");
	if (site->held_count <= LINT_MOST_HELD)
		lint_fix(lint, "after a change of PriorityType: scontrol release %s", site->held);
	else
		lint_fix(lint, "after a change of PriorityType: squeue -h -t PD -o '%%A %%r' | "
			 "awk '$2 == \"fathom:\" { print $1 }' | xargs -n 100 scontrol release");
}

/* ---- the rows ----------------------------------------------------------------------- */

const struct lint_row lint_fathom_rows[] = {
	{ "fathom-wrong", LINT_ERROR, 0, fathom_wrong,
	  "a fathom.conf that the plugin does not accept",
	  "The plugin ignores the whole file; the last good settings stay in force, or the "
		"defaults if no file has been good yet.",
	  .fix = "correct the line" },
	{ "fathom-half-life", LINT_ERROR, LINT_FATHOM, fathom_half_life,
	  "HalfLife=0 without a reset period",
	  "Usage would grow without end; the plugin ignores the whole file.",
	  .fix = "give a HalfLife, or PriorityUsageResetPeriod in slurm.conf" },
	{ "scope-key", LINT_ERROR, LINT_FATHOM, scope_key,
	  "a setting that the policy of its scope does not have",
	  "The plugin ignores the whole file.",
	  .fix = "remove the setting, or give the scope the policy that has it" },
	{ "fathom-key-twice", LINT_WARNING, LINT_FATHOM, fathom_key_twice,
	  "a key of fathom.conf that is given twice",
	  "The last value counts, and whoever reads the first one is misled.",
	  .fix = "remove one of the lines" },
	{ "formula-wrong", LINT_ERROR, LINT_FATHOM, formula_wrong,
	  "a Formula that cannot be compiled",
	  "The plugin ignores the whole file.",
	  .fix = "correct the formula; fathom.conf(5) lists names and functions" },
	{ "usage-res-wrong", LINT_ERROR, LINT_FATHOM, usage_res_wrong,
	  "a FairshareUsageRes that cannot be compiled",
	  "The plugin ignores the whole file.",
	  .fix = "correct the formula; fathom.conf(5) lists names and functions" },
	{ "adjust-wrong", LINT_ERROR, LINT_FATHOM, adjust_wrong,
	  "an Adjust that is neither a threshold nor an object that SlurmUser may read",
	  "The plugin ignores the whole file.",
	  .fix = "give the absolute path of an object, or memory:THRESHOLD" },
	{ "formula-without-fairshare", LINT_NOTE, LINT_FATHOM, formula_without_fairshare,
	  "a Formula without fair share",
	  "Usage then has no effect on priorities.",
	  .fix = "add fairshare_factor to the formula" },
	{ "other-policy", LINT_WARNING, LINT_FATHOM, other_policy,
	  "a setting of another policy",
	  "No policy that is computed heeds it.",
	  .fix = "remove it, or set Policy to the policy that has it" },
	{ "shadow-same", LINT_WARNING, LINT_FATHOM, shadow_same,
	  "a ShadowPolicy that is the policy in force",
	  "Both have the same figures, and each pass computes them twice.",
	  .fix = "name another policy, or remove ShadowPolicy" },
	{ "shadow-unseen", LINT_WARNING, LINT_FATHOM, shadow_unseen,
	  "a ShadowPolicy without FiguresFile",
	  "slurmctld does not send its figures, so nobody can see them.",
	  .fix = "give FiguresFile" },
	{ "scale-unused", LINT_WARNING, LINT_FATHOM, scale_unused,
	  "FormulaScale without Formula",
	  "It multiplies the value of the formula only.",
	  .fix = "give Formula, or remove FormulaScale" },
	{ "slot-memory-unused", LINT_WARNING, LINT_FATHOM, slot_memory_unused,
	  "SlotMemory without Adjust",
	  "Only Adjust uses it.",
	  .fix = "give Adjust, or remove SlotMemory" },
	{ "adjust-unused", LINT_WARNING, LINT_FATHOM, warn_of,
	  "Adjust without FairshareAdjustmentFactor",
	  "The adjustment is multiplied by 0, and no policy asks for it.",
	  .fix = "give FairshareAdjustmentFactor with Policy=lsf", .kind = CONF_ADJUST_UNUSED },
	{ "banks-unused", LINT_WARNING, LINT_FATHOM, banks_unused,
	  "BankPriority under another policy than flux",
	  "Only the priority of flux has a term for banks.",
	  .fix = "set Policy=flux, or remove BankPriority" },
	{ "resources-unused", LINT_WARNING, LINT_FATHOM, resources_unused,
	  "ResourceGroup under another policy than pbs",
	  "Only policy pbs charges jobs to entities.",
	  .fix = "set Policy=pbs, or remove the lines" },
	{ "entity-unused", LINT_WARNING, LINT_FATHOM, warn_of,
	  "a FairshareEntity that Slurm does not have",
	  "Without the groups of ResourceGroup, jobs are charged to associations.",
	  .fix = "give ResourceGroup lines, or remove "
		 "FairshareEntity", .kind = CONF_ENTITY_UNUSED },
	{ "figures-mode-unused", LINT_WARNING, LINT_FATHOM, warn_of,
	  "FiguresMode without FiguresFile, HistoryFile and UsageFile",
	  "There is no file to give the mode to.",
	  .fix = "give FiguresFile, or remove FiguresMode", .kind = CONF_FIGURES_MODE_UNUSED },
	{ "history-age-unused", LINT_WARNING, LINT_FATHOM, warn_of,
	  "HistoryAge without HistoryFile",
	  "There are no days that could grow old.",
	  .fix = "give HistoryFile, or remove HistoryAge", .kind = CONF_HISTORY_AGE_UNUSED },
	{ "figures-mode-shows", LINT_WARNING, LINT_FATHOM, warn_of,
	  "a FiguresMode that shows what PrivateData hides",
	  "Everybody can read all usage in the file.",
	  .fix = "remove FiguresMode, or set 0600", .kind = CONF_FIGURES_MODE_OPEN },
	{ "metrics-unused", LINT_WARNING, LINT_FATHOM, warn_of,
	  "MetricsMode or MetricsUsers without MetricsFile",
	  "There is no file that they could change.",
	  .fix = "give MetricsFile, or remove the key", .kind = CONF_METRICS_UNUSED },
	{ "metrics-users-hidden", LINT_WARNING, LINT_FATHOM, warn_of,
	  "MetricsUsers where PrivateData hides usage",
	  "MetricsFile then has no figures of users and accounts.",
	  .fix = "remove MetricsUsers", .kind = CONF_METRICS_USERS_HIDDEN },
	{ "calc-period-costly", LINT_NOTE, LINT_FATHOM, calc_period_costly,
	  "a CalcPeriod of less than five seconds",
	  "Each pass looks at all jobs and associations; on a large cluster it fills the period.",
	  .fix = "give 30 seconds or more" },
	{ "scopes-without-database", LINT_WARNING, LINT_SLURM | LINT_FATHOM,
	  scopes_without_database,
	  "scopes or pools without slurmdbd",
	  "Without associations the plugin reads neither.",
	  .fix = "set AccountingStorageType=accounting_storage/slurmdbd" },
	{ "jobs-held", LINT_NOTE, LINT_JOBS, jobs_held,
	  "jobs that fathom holds",
	  "It lifts these holds itself when their reason is gone. After a change of PriorityType "
		"nobody does: priority/multifactor never lifts a hold.",
	  .fix = "after a change of PriorityType, release them" },
	{ .code = NULL },
};
