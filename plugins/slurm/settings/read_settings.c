/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes settings (settings_create). src/conf parses and checks the text of fathom.conf. Then
 * take_values() copies values of fathom.conf and slurm.conf, and run_steps() does what may fail.
 * Each step returns 0; or -1, and *fault says what is wrong in which line of fathom.conf.
 */
#include "settings/settings.h"

#include "base/log.h"
#include "settings/formula.h"

#include "conf/conf_effect.h"
#include "conf/conf_parse.h"
#include "conf/conf_policy.h"
#include "core/error.h"
#include "policy/traits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONF_NAME "fathom.conf"	/* for messages */
#define CPU_TIME "cput"		/* the FairshareUsageRes that needs no muParser */

/* ---- fathom.conf --------------------------------------------------------- */

int settings_read_text(struct whole_file *file, const char *path)
{
	if (whole_file_read(file, path, 0, CONF_SIZE_MAX))
		return -1;
	conf_mark_nuls(file->data, file->length);
	if (S_ISREG(file->status.st_mode) || S_ISCHR(file->status.st_mode))	/* /dev/null */
		return 0;
	errno = S_ISDIR(file->status.st_mode) ? EISDIR : EINVAL;
	free(file->data);
	file->data = NULL;
	return -1;
}

/* ---- the policy ------------------------------------------------------------ */

/* Returns what has chosen the policy, for the log. */
static const char *source_of_policy(const struct settings *settings)
{
	static const char *const sources[] = {
		[FLAG_FAIR_TREE] = "Slurm's default",
		[FLAG_DEPTH_OBLIVIOUS] = "PriorityFlags=DEPTH_OBLIVIOUS",
		[FLAG_NO_FAIR_TREE] = "PriorityFlags=NO_FAIR_TREE",
	};

	return conf_policy(&settings->conf) ? CONF_NAME : sources[conf_flag(&settings->slurm)];
}

/* Makes schemes, and lists of what scopes and pools name. */
static int make_schemes(struct settings *settings, struct conf_fault *fault)
{
	return scopes_create(settings) ? fathom_error_no_memory(&fault->error) : 0;
}

/* Logs the policies of these settings, warnings about them, and GlobalShare lines that are void. */
static void announce(const struct settings *settings)
{
	const struct fathom_conf *conf = &settings->conf;
	const struct fathom_policy *shadow = conf_shadow_policy(conf);
	struct conf_fault warning;
	bool is_adjusted = false;

	info(LOG_PREFIX "policy %s (from %s), half-life %.0f s, a pass every %g s",
	     fathom_policy_name(settings->scheme->policy), source_of_policy(settings),
	     settings->half_life, settings->calc_period);
	for (size_t i = 0; i < settings->scheme_count; i++) {
		const struct scheme *scheme = &settings->scheme[i];

		is_adjusted |= scheme->is_adjusted;
		if (scheme->role == SCHEME_SCOPE)
			info(LOG_PREFIX "%s: policy %s", scheme->name,
			     fathom_policy_name(scheme->policy));
	}
	if (shadow)
		info(LOG_PREFIX "shadow policy %s%s", fathom_policy_name(shadow),
		     conf->given[CONF_FIGURES_FILE] ? "" : "; set FiguresFile to see its figures");
	for (size_t i = 0; i < conf->global.fault_count; i++)
		error(LOG_PREFIX "%s:%u: %s; this line is void, all others count",
		      settings->conf_path, conf->global.fault[i].line,
		      conf->global.fault[i].error.text);
	if (is_adjusted)
		info(LOG_PREFIX "adjustment by %s", conf->adjust);
	for (size_t i = 0; i < CONF_WARNING_COUNT; i++)
		if (conf_warns(conf, &settings->slurm, (enum conf_warning_kind)i, &warning))
			info(LOG_PREFIX "warning: %s", warning.error.text);
}

/* ---- formulas -------------------------------------------------------------- */

/* Checks that the policy of each scope has the columns that Formula names: for jobs of a scope they
 * are the columns of the scope's policy. */
static int check_formula_in_scopes(const struct settings *settings, struct conf_fault *fault)
{
	for (size_t i = 0; i < settings->scheme_count; i++) {
		const struct scheme *scheme = &settings->scheme[i];
		const char *name = scheme->role == SCHEME_SCOPE
			? formula_lacks(settings->formula, scheme->policy) : NULL;

		if (!name)
			continue;
		fault->line = scheme->scope->line;
		fault->key = "Scope";
		return fathom_error_set(&fault->error, EINVAL, "policy %s has no %s, which Formula "
					"uses; set Policy=%s", fathom_policy_name(scheme->policy),
					name, fathom_policy_name(settings->scheme->policy));
	}
	return 0;
}

/* Compiles Formula, if it is set, and logs warnings about it. */
static int read_formula(struct settings *settings, struct conf_fault *fault)
{
	const struct fathom_conf *conf = &settings->conf;
	char text[FORMULA_MOST_WARNINGS][FATHOM_WARNING_SIZE];
	struct fathom_warnings warnings = { .room = FORMULA_MOST_WARNINGS, .text = text };

	if (!conf->given[CONF_FORMULA])
		return 0;
	fault->line = conf->line[CONF_FORMULA];
	fault->key = "Formula";
	settings->formula = formula_create(conf->formula, conf->value[CONF_FORMULA_SCALE],
					   settings->scheme->policy, settings->priority.tres_count,
					   &warnings, &fault->error);
	for (size_t i = 0; i < warnings.count; i++)
		info(LOG_PREFIX "warning: %s:%u: Formula: %s", settings->conf_path, fault->line,
		     warnings.text[i]);
	if (settings->formula && !check_formula_in_scopes(settings, fault))
		return 0;
	formula_destroy(settings->formula);
	settings->formula = NULL;
	return -1;
}

/* Compiles FairshareUsageRes of each scheme, unless it is CPU time. A scope may have its own, in
 * the line of the scope, which an error then names. */
static int read_usage_res(struct settings *settings, struct conf_fault *fault)
{
	const struct fathom_conf *conf = &settings->conf;

	fault->key = "FairshareUsageRes";
	for (size_t i = 0; i < settings->scheme_count; i++) {
		struct scheme *scheme = &settings->scheme[i];
		const char *text = scheme->settings.formula;
		const char *for_all = conf_policy_settings(conf, scheme->policy, NULL)->formula;

		if (!*text || !strcmp(text, CPU_TIME))
			continue;
		fault->line = strcmp(text, for_all) ? scheme->scope->line
						    : conf->policy_formula_line;
		scheme->usage_res = formula_create_of_usage(text, &fault->error);
		if (!scheme->usage_res)
			return -1;
	}
	return 0;
}

/* ---- the adjustment -------------------------------------------------------- */

/* Opens the source of the adjustment, if Adjust is set, and notes which schemes use it. Its path
 * must be absolute: a relative one would depend on the folder that slurmctld runs in. */
static int read_adjust(struct settings *settings, struct conf_fault *fault)
{
	const struct fathom_conf *conf = &settings->conf;

	if (!conf->given[CONF_ADJUST])
		return 0;
	fault->line = conf->line[CONF_ADJUST];
	fault->key = "Adjust";
	if (adjuster_check(conf->adjust, &fault->error) ||
	    adjuster_open(&settings->adjuster, conf->adjust, &fault->error))
		return -1;
	settings->adjuster.slot_memory =
		conf->given[CONF_SLOT_MEMORY] ? conf->value[CONF_SLOT_MEMORY] : 0;
	for (size_t i = 0; i < settings->scheme_count; i++) {
		struct scheme *scheme = &settings->scheme[i];

		scheme->is_adjusted = adjuster_weight(scheme->policy, &scheme->settings) > 0;
	}
	return 0;
}

/* ---- slurm.conf ------------------------------------------------------------ */

/* Checks that usage decays or is reset at times: HalfLife=0 needs a PriorityUsageResetPeriod. */
static int check_half_life(struct settings *settings, struct conf_fault *fault)
{
	return conf_check_half_life(&settings->conf, &settings->slurm, fault);
}

/* Marks GlobalShare lines that are void, such as one with this cluster's own name; announce() logs
 * them. Fails only if out of memory. */
static int check_global(struct settings *settings, struct conf_fault *fault)
{
	return conf_global_check(&settings->conf.global, settings->cluster)
		       ? fathom_error_no_memory(&fault->error) : 0;
}

/* Checks the keys of scopes. Without slurmdbd scopes are left out. */
static int check_scope_keys(struct settings *settings, struct conf_fault *fault)
{
	return settings->with_database
		       ? conf_check_scope_keys(&settings->conf, &settings->slurm, fault) : 0;
}

/* Sets the weights of age and of fair share to 0: without slurmdbd there is neither. Logs it for
 * weights that slurm.conf sets. */
static void clear_weights(struct fathom_weights *weight)
{
	if (weight->age > 0)
		error(LOG_PREFIX "PriorityWeightAge has no effect without slurmdbd");
	if (weight->fairshare > 0)
		error(LOG_PREFIX "PriorityWeightFairshare has no effect without slurmdbd");
	weight->age = weight->fairshare = 0;
}

/* Copies the weights of slurm.conf. PriorityWeightTRES becomes an array with a weight for each TRES
 * that slurmctld has. */
static void read_weights(struct settings *settings, const struct slurm_values *slurm)
{
	struct fathom_priority_config *config = &settings->priority;
	const bool fail_if_wrong = false;	/* slurmctld has checked the text */
	int tres_count = slurmctld_tres_cnt;
	/* the names of new TRES are known a moment before slurmctld counts them */
	int room = MAX(tres_count, (int)g_tres_count);

	*config = slurm->priority;
	settings->tres_weight = slurm_get_tres_weight_array(slurm->tres_weights, room,
							    fail_if_wrong);
	config->tres_weight = settings->tres_weight;
	config->tres_count = tres_count > 0 ? (size_t)tres_count : 0;
	if (!settings->with_database)
		clear_weights(&config->weight);
}

/* ---- make ------------------------------------------------------------------ */

/* Frees settings, which may not have all members; for shared_create(). */
static void destroy(void *object)
{
	struct settings *settings = object;

	xfree(settings->tres_weight);
	formula_destroy(settings->formula);
	adjuster_close(&settings->adjuster);
	scopes_destroy(settings);
	conf_clear(&settings->conf);
	free(settings->conf_path);
	free(settings->conf_text);
	free(settings->fault);
	free(settings->cluster);
	free(settings);
}

/* Returns settings with copies of these texts and with the defaults; NULL: out of memory. */
static struct settings *allocate(const char *path, const char *text, const char *fault,
				 const char *cluster)
{
	struct settings *settings = shared_create(sizeof(*settings), destroy);

	if (!settings)
		return NULL;
	settings->conf = conf_standard();
	settings->conf_path = strdup(path);
	settings->conf_text = text ? strdup(text) : NULL;
	settings->fault = fault ? strdup(fault) : NULL;
	settings->cluster = strdup(cluster ? cluster : "");
	/* there is a copy of each text that is not NULL */
	if (settings->conf_path && !settings->conf_text == !text && !settings->fault == !fault &&
	    settings->cluster)
		return settings;
	shared_release(settings);
	return NULL;
}

/* Sets the values that fathom.conf, slurm.conf or the defaults give. */
static void take_values(struct settings *settings, const struct slurm_values *slurm)
{
	const struct fathom_conf *conf = &settings->conf;

	settings->slurm = slurm->part;
	settings->dampening_factor = conf_dampening_factor(conf, &slurm->part);
	settings->flags = slurm->flags;
	settings->with_database = slurm->with_database;
	settings->half_life = conf_value(conf, CONF_HALF_LIFE, slurm->half_life);
	settings->calc_period = conf_value(conf, CONF_CALC_PERIOD, slurm->calc_period);
	settings->reset_period = slurm->reset_period;
	settings->charge_suspended = conf->value[CONF_CHARGE_SUSPENDED] != 0;
	/* figures show usage, which others may read unless PrivateData hides it */
	settings->figures_mode = (mode_t)conf_value(conf, CONF_FIGURES_MODE,
						    slurm->part.hides_usage ? 0600 : 0644);
	read_weights(settings, slurm);
}

/* Runs the steps that may fail, in their order. Returns -1 and *problem if one fails. Settings that
 * stand in for others (settings->fault) do without what a failed step would have set, and log its
 * fault; only lack of memory makes them fail. */
static int run_steps(struct settings *settings, struct fathom_error *problem)
{
	static int (*const steps[])(struct settings *, struct conf_fault *) = {
		check_half_life, check_global, check_scope_keys, make_schemes, read_adjust,
		read_usage_res, read_formula,
	};

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		struct conf_fault fault = { 0 };	/* set by the step that fails */

		if (!steps[i](settings, &fault))
			continue;
		if (fault.error.code == ENOMEM)
			return fathom_error_no_memory(problem);
		fathom_error_set(problem, fault.error.code, "%s:%u: %s: %s", settings->conf_path,
				 fault.line, fault.key, fault.error.text);
		if (!settings->fault)
			return -1;
		error(LOG_PREFIX "%s; the last good settings apply as far as they can",
		      problem->text);
	}
	return 0;
}

struct settings *settings_create(const struct slurm_values *slurm, const char *path,
				 const char *text, const char *fault, struct fathom_error *problem)
{
	struct settings *settings = allocate(path, text, fault, slurm->cluster);

	if (!settings) {
		fathom_error_no_memory(problem);
		return NULL;
	}
	if (!text || !conf_parse_text(&settings->conf, path, text, problem)) {
		take_values(settings, slurm);
		if (!run_steps(settings, problem)) {
			announce(settings);
			return settings;
		}
	}
	shared_release(settings);
	return NULL;
}

/* ---- for users of settings --------------------------------------------------------------- */

struct fathom_priority_config settings_priority(const struct settings *settings)
{
	struct fathom_priority_config config = settings->priority;
	size_t tres_now = slurmctld_tres_cnt > 0 ? (size_t)slurmctld_tres_cnt : 0;

	if (config.tres_count > tres_now)
		config.tres_count = tres_now;
	config.cluster_nodes = compat_node_count();
	config.cluster_cpus = cluster_cpus;
	return config;
}

double settings_dampening_factor(void)
{
	struct slurm_values slurm = slurm_values_copy();
	struct fathom_conf conf = conf_standard();
	struct whole_file file;
	struct fathom_error unread;
	double result;

	/* what is wrong with it is left to slurmctld's log */
	if (!settings_read_text(&file, slurm.fathom_path))
		conf_parse_text(&conf, slurm.fathom_path, file.data, &unread);
	result = conf_dampening_factor(&conf, &slurm.part);
	conf_clear(&conf);
	free(file.data);
	slurm_values_clear(&slurm);
	return result;
}
