/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of PriorityType and PriorityFlags, and of settings that other settings make useless. Each
 * check is a function whose row, at the end of the file, tells what it finds and why. */
#include "lint/lint_context.h"
#include "lint/slurm_keys.h"

#include "core/small_letters.h"
#include "format/job_settings.h"
#include "memory/need_memory.h"

#include <ctype.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* ---- PriorityType ------------------------------------------------------------------- */

static const char *const types[] = { "priority/basic", "priority/multifactor", "priority/fathom" };

/* Suggests one of the types. A value without "priority/" is compared as if it had it. */
static void type_unknown(struct lint *lint)
{
	const struct slurm_pair *type = lint_pair(lint, KEY_TYPE);
	struct suggestion suggestion = { 0 };
	char *word;

	if (!type || lint_type_is(lint, "basic") || lint_type_is(lint, "multifactor") ||
	    lint_type_is(lint, "fathom"))
		return;
	word = need_print("%s%s", strchr(type->value, '/') ? "" : "priority/", type->value);
	suggestion.word = make_small(word);
	suggestion.length = strlen(word);
	for (size_t i = 0; i < COUNT(types); i++)
		suggestion_consider(&suggestion, types[i]);
	/* a name that is similar to no type may be that of a site's own plugin */
	if (!suggestion.name && !strncmp(word, "priority/", strlen("priority/")))
		return;
	lint_at(lint, type, "PriorityType=%.60s is unknown", type->value);
	lint_suggest(lint, &suggestion);
}

/* Returns the pair of the first weight that is above 0; NULL: there is none. */
static const struct slurm_pair *first_weight(const struct lint *lint)
{
	for (enum lint_key key = KEY_FIRST_WEIGHT; key <= KEY_WEIGHT_TRES; key++)
		if (lint_weight_is_given(lint, key))
			return lint_pair(lint, key);
	return NULL;
}

static void type_absent(struct lint *lint)
{
	const struct slurm_pair *weight = first_weight(lint);

	if (weight && lint_lacks_key(lint, KEY_TYPE))
		lint_at(lint, weight, "%s is given, but no PriorityType", weight->key);
}

static void type_basic(struct lint *lint)
{
	const struct slurm_pair *weight = first_weight(lint);

	if (weight && lint_type_is(lint, "basic"))
		lint_at(lint, weight, "%s has no effect under PriorityType=priority/basic",
			weight->key);
}

/* Nothing is reported if PriorityType is not known: in a template, or a slurm.conf with some keys
 * only (is_open). */
static void fathom_unused(struct lint *lint)
{
	const struct slurm_pair *type = lint_pair(lint, KEY_TYPE);

	if (type ? !lint_type_is(lint, "fathom") : lint_lacks_key(lint, KEY_TYPE))
		lint_in_fathom(lint, 0, NULL, "the file has no effect: PriorityType is %.60s",
			       type ? type->value : "not given");
}

/* ---- PriorityFlags ------------------------------------------------------------------ */

/* Returns the longest flag that slurmctld finds in a word; NULL: the word has none. */
static const char *flag_in(const char *word)
{
	const char *flag, *longest = NULL;

	for (size_t i = 0; (flag = job_settings_flag_at(i)); i++)
		if (job_settings_flag_is_in(flag, word) &&
		    (!longest || strlen(flag) > strlen(longest)))
			longest = flag;
	return longest;
}

/* Reports a word that is not a flag, and suggests one. Flags are spelled with '_' and in
 * capitals. */
static void report_flag(struct lint *lint, const struct slurm_pair *flags, const char *word)
{
	char *upper = need_text(word);
	struct suggestion suggestion = { .word = upper, .length = strlen(word) };
	const char *flag;

	for (char *at = upper; *at; at++)
		*at = *at == '-' ? '_' : (char)toupper((unsigned char)*at);
	for (size_t i = 0; (flag = job_settings_flag_at(i)); i++)
		suggestion_consider(&suggestion, flag);
	lint_at(lint, flags, "'%s' is not a flag", word);
	lint_suggest(lint, &suggestion);
}

static void flag_unknown(struct lint *lint)
{
	const struct slurm_pair *flags = lint_pair(lint, KEY_FLAGS);

	for (const char **word = lint_words(flags); *word; word++)
		if (!flag_in(*word))
			report_flag(lint, flags, *word);
}

static void flag_within(struct lint *lint)
{
	const struct slurm_pair *flags = lint_pair(lint, KEY_FLAGS);
	const char *flag;

	for (const char **word = lint_words(flags); *word; word++)
		if ((flag = flag_in(*word)) && strlen(flag) < strlen(*word))
			lint_at(lint, flags, "'%s' is not a flag, but has %s in it", *word, flag);
}

/* Reports flags that have no effect because of another one. */
static void flags_contradict(struct lint *lint)
{
	static const struct {
		const char *counts, *void_flag;
	} pairs[] = {
		{ "NO_FAIR_TREE", "FAIR_TREE" },
		{ "DEPTH_OBLIVIOUS", "FAIR_TREE" },
		{ "DEPTH_OBLIVIOUS", "NO_FAIR_TREE" },
		{ "MAX_TRES_GRES", "MAX_TRES" },
	};
	const struct slurm_pair *flags = lint_pair(lint, KEY_FLAGS);

	for (size_t i = 0; i < COUNT(pairs); i++)
		if (lint_list_has(flags, pairs[i].counts) &&
		    lint_list_has(flags, pairs[i].void_flag))
			lint_at(lint, flags, "%s has no effect beside %s", pairs[i].void_flag,
				pairs[i].counts);
}

static void flag_default(struct lint *lint)
{
	const struct slurm_pair *flags = lint_pair(lint, KEY_FLAGS);

	if (lint_list_has(flags, "FAIR_TREE") && !lint_list_has(flags, "NO_FAIR_TREE") &&
	    !lint_list_has(flags, "DEPTH_OBLIVIOUS"))
		lint_at(lint, flags, "FAIR_TREE is the default");
}

#define COARSE 1000	/* points: one step of a priority drowns other terms */

/* The NO_NORMAL flags, each with the weight whose factor it changes. */
static const struct {
	const char *flag;
	enum lint_key weight;
	bool counts_steps;	/* with the flag, the factor is a whole number */
} no_normal[] = {
	{ "NO_NORMAL_ASSOC", KEY_WEIGHT_ASSOC, true },
	{ "NO_NORMAL_PART", KEY_WEIGHT_PARTITION, true },
	{ "NO_NORMAL_QOS", KEY_WEIGHT_QOS, true },
	{ "NO_NORMAL_TRES", KEY_WEIGHT_TRES, false },
};

bool lint_is_raw(const struct lint *lint, enum lint_key weight)
{
	for (size_t i = 0; i < COUNT(no_normal); i++)
		if (no_normal[i].weight == weight)
			return lint_has_flag(lint, no_normal[i].flag) ||
			       lint_has_flag(lint, "NO_NORMAL_ALL");
	return false;
}

static void no_normal_unused(struct lint *lint)
{
	const struct slurm_pair *flags = lint_pair(lint, KEY_FLAGS);

	for (size_t i = 0; i < COUNT(no_normal); i++)
		if (lint_list_has(flags, no_normal[i].flag))
			lint_without_weight(lint, flags, no_normal[i].flag, no_normal[i].weight);
}

/* Without the flag, the factor is a priority divided by the greatest one; with it, the priority. */
static void no_normal_coarse(struct lint *lint)
{
	const struct slurm_pair *flags = lint_pair(lint, KEY_FLAGS);

	for (size_t i = 0; flags && i < COUNT(no_normal); i++) {
		double weight = lint_number(lint, no_normal[i].weight);

		if (no_normal[i].counts_steps && weight >= COARSE &&
		    lint_is_raw(lint, no_normal[i].weight) && lint_has_weighted_sum(lint))
			lint_at(lint, flags, "with %s, each step of a priority counts %.0f points",
				no_normal[i].flag, weight);
	}
}

static void incr_only(struct lint *lint)
{
	if (lint_has_flag(lint, "INCR_ONLY") && lint_weight_is_given(lint, KEY_WEIGHT_FAIRSHARE))
		lint_at(lint, lint_pair(lint, KEY_FLAGS), "INCR_ONLY keeps the priority of a job "
			"whose fair share falls");
}

static void accrue_unused(struct lint *lint)
{
	if (lint_has_flag(lint, "ACCRUE_ALWAYS"))
		lint_without_weight(lint, lint_pair(lint, KEY_FLAGS), "ACCRUE_ALWAYS",
				    KEY_WEIGHT_AGE);
}

/* ---- what goes before what ---------------------------------------------------------- */

/* Reports the flag that chooses a policy, if fathom.conf has Policy with another one. The words are
 * in the order in which slurmctld heeds them. */
static void flags_overridden(struct lint *lint)
{
	static const char *const words[] = { "DEPTH_OBLIVIOUS", "NO_FAIR_TREE", "FAIR_TREE" };
	const struct fathom_policy *policy = conf_policy(lint->site->fathom);
	const struct slurm_pair *flags = lint_pair(lint, KEY_FLAGS);

	for (size_t i = 0; policy && i < COUNT(words); i++) {
		const struct conf_slurm slurm = lint_conf_slurm(lint);

		if (!lint_list_has(flags, words[i]) ||
		    policy == policy_of_flag(conf_flag(&slurm)))
			continue;
		lint_at(lint, flags, "%s has no effect, as fathom.conf has Policy=%s", words[i],
			fathom_policy_name(policy));
		return;
	}
}

/* Returns the dampening factor in force. */
static double dampening_factor(const struct lint *lint)
{
	const struct conf_slurm slurm = lint_conf_slurm(lint);

	return conf_dampening_factor(lint->site->fathom, &slurm);
}

/* Checks the settings of fathom.conf that go before a key of slurm.conf, if both are given and
 * differ. */
static void slurm_overridden(struct lint *lint)
{
	static const struct {
		const char *setting;
		enum lint_key key;
		double (*in_force)(const struct lint *lint);
	} rows[] = {
		{ "HalfLife", KEY_HALF_LIFE, lint_half_life },
		{ "CalcPeriod", KEY_CALC_PERIOD, lint_calc_period },
		{ "DampeningFactor", KEY_DAMPENING, dampening_factor },
	};

	for (size_t i = 0; i < COUNT(rows) && lint_type_is(lint, "fathom"); i++) {
		const struct slurm_pair *pair = lint_pair(lint, rows[i].key);
		double number = lint_number(lint, rows[i].key);

		if (pair && (number < rows[i].in_force(lint) || number > rows[i].in_force(lint)))
			lint_at(lint, pair, "%s=%.60s has no effect, as fathom.conf has %s",
				pair->key, pair->value, rows[i].setting);
	}
}

/* A factor of 1 is the default, and changes nothing under any policy. A fathom.conf that has no
 * effect adds no policies. */
static void dampening_unused(struct lint *lint)
{
	const struct slurm_pair *pair = lint_pair(lint, KEY_DAMPENING);
	const struct fathom_policy *policy = lint_policy(lint);
	bool is_heeded = lint_type_is(lint, "fathom") ? lint_heeds(lint, "DampeningFactor")
						      : policy && policy_is_damped(policy);

	if (pair && policy && !is_heeded && lint_number(lint, KEY_DAMPENING) > 1)
		lint_at(lint, pair, "FairShareDampeningFactor has no effect under policy %s",
			fathom_policy_name(policy));
}

static void site_factor_unused(struct lint *lint)
{
	const struct slurm_pair *pair = lint_pair(lint, KEY_SITE_PARAMETERS);
	const struct slurm_pair *plugin = lint->value[KEY_SITE_PLUGIN].pair;

	if (pair && (!plugin || strcasestr(plugin->value, "none")) && !lint->site->slurm->is_open)
		lint_at(lint, pair, "PrioritySiteFactorParameters has no effect without "
			"PrioritySiteFactorPlugin");
}

/* ---- AccountingStorageEnforce ------------------------------------------------------- */

static const char *const enforce_words[] = { "associations", "limits", "nojobs", "nosteps", "qos",
					     "safe", "wckeys", "all", "1", "2", NULL };

static void enforce_unknown(struct lint *lint)
{
	const struct slurm_pair *pair = lint_pair(lint, KEY_ENFORCE);

	for (const char **word = lint_words(pair); *word; word++) {
		struct suggestion suggestion = { .word = *word, .length = strlen(*word) };

		if (slurm_key_is_in(enforce_words, *word))
			continue;
		for (size_t i = 0; enforce_words[i]; i++)
			suggestion_consider(&suggestion, enforce_words[i]);
		lint_at(lint, pair, "'%s' is not a word of AccountingStorageEnforce", *word);
		lint_suggest(lint, &suggestion);
	}
}

/* All words but nojobs, nosteps and none enforce associations. */
static void enforce_missing(struct lint *lint)
{
	static const char *const without[] = { "nojobs", "nosteps", "none", NULL };
	const struct slurm_pair *enforce = lint->value[KEY_ENFORCE].pair;
	bool enforces = enforce && enforce->is_unknown;

	for (const char **word = lint_words(enforce); *word; word++)
		enforces |= !slurm_key_is_in(without, *word);
	if (!enforces && !lint->site->slurm->is_open && !lint_lacks_database(lint) &&
	    lint_weight_is_given(lint, KEY_WEIGHT_FAIRSHARE))
		lint_in_slurm(lint, "AccountingStorageEnforce", "fair share has a weight, and "
			      "AccountingStorageEnforce does not have associations");
}

static void no_database(struct lint *lint)
{
	if (lint_lacks_database(lint) && lint_weight_is_given(lint, KEY_WEIGHT_FAIRSHARE))
		lint_at(lint, lint_pair(lint, KEY_WEIGHT_FAIRSHARE), "PriorityWeightFairshare has "
			"no effect without AccountingStorageType=accounting_storage/slurmdbd");
}

/* ---- the rows ----------------------------------------------------------------------- */

const struct lint_row lint_flag_rows[] = {
	{ "type-unknown", LINT_ERROR, LINT_SLURM, type_unknown,
	  "a PriorityType that does not exist",
	  "slurmctld does not find the plugin and does not start.",
	  .fix = "write priority/multifactor, priority/fathom or priority/basic" },
	{ "type-absent", LINT_WARNING, LINT_SLURM, type_absent,
	  "weights without a PriorityType",
	  "Releases before 23.11 then take priority/basic, which has no weights.",
	  .fix = "give PriorityType=priority/fathom or priority/multifactor" },
	{ "type-basic", LINT_WARNING, LINT_SLURM, type_basic,
	  "weights under priority/basic",
	  "priority/basic starts jobs in the order of submission.",
	  .fix = "give PriorityType=priority/fathom or priority/multifactor" },
	{ "fathom-unused", LINT_WARNING, LINT_SLURM | LINT_FATHOM, fathom_unused,
	  "a fathom.conf that no plugin reads",
	  "Only priority/fathom reads fathom.conf.",
	  .fix = "set PriorityType=priority/fathom, or remove fathom.conf" },
	{ "flag-unknown", LINT_ERROR, LINT_SLURM, flag_unknown,
	  "a word in PriorityFlags that is not a flag",
	  "Slurm ignores unknown flags without a message.",
	  .fix = "correct the spelling, or remove the word" },
	{ "flag-within", LINT_WARNING, LINT_SLURM, flag_within,
	  "a flag within another word in PriorityFlags",
	  "Slurm searches flags anywhere in the text, so the flag is in force.",
	  .fix = "write flags with commas between them, and nothing else" },
	{ "flags-contradict", LINT_WARNING, LINT_SLURM, flags_contradict,
	  "flags that cannot hold together",
	  "Slurm follows one of them and ignores the other.",
	  .fix = "keep one of the flags" },
	{ "flag-default", LINT_NOTE, LINT_SLURM, flag_default,
	  "FAIR_TREE in PriorityFlags",
	  "It has been the default since Slurm 19.05; the flag changes nothing.",
	  .fix = "remove the flag, or keep it for the reader" },
	{ "no-normal-unused", LINT_WARNING, LINT_SLURM, no_normal_unused,
	  "a NO_NORMAL flag without its weight",
	  "The flag changes a factor that counts nothing.",
	  .fix = "give the weight, or remove the flag" },
	{ "no-normal-large", LINT_WARNING, LINT_SLURM, no_normal_coarse,
	  "a NO_NORMAL flag with a large weight",
	  "The factor is then the raw priority, not a number from 0 to 1, so it drowns all other "
		"terms.",
	  .fix = "divide the weight by the greatest such priority, or remove the flag" },
	{ "incr-only", LINT_WARNING, LINT_SLURM, incr_only,
	  "INCR_ONLY together with fair share",
	  "The job of a user who has used much stays as far in front as when it was submitted.",
	  .fix = "remove INCR_ONLY" },
	{ "accrue-unused", LINT_WARNING, LINT_SLURM, accrue_unused,
	  "ACCRUE_ALWAYS without PriorityWeightAge",
	  "The flag changes the age factor, which counts nothing.",
	  .fix = "give PriorityWeightAge, or remove the flag" },
	{ "flags-overridden", LINT_NOTE, LINT_SLURM | LINT_FATHOM, flags_overridden,
	  "a flag for a policy beside Policy of fathom.conf",
	  "Policy goes before PriorityFlags; the flag comes back into force if PriorityType "
		"changes.",
	  .fix = "remove the flag or Policy" },
	{ "slurm-overridden", LINT_NOTE, LINT_SLURM | LINT_FATHOM, slurm_overridden,
	  "a key of slurm.conf that fathom.conf sets otherwise",
	  "fathom.conf goes before slurm.conf, which misleads who reads slurm.conf alone.",
	  .fix = "keep the key in one of the files" },
	{ "dampening-unused", LINT_WARNING, LINT_SLURM, dampening_unused,
	  "FairShareDampeningFactor under a policy without it",
	  "Only the classic and the depth-oblivious policy have a dampening factor.",
	  .fix = "remove the key, or choose one of these policies" },
	{ "site-factor-unused", LINT_WARNING, LINT_SLURM, site_factor_unused,
	  "parameters of a site factor without its plugin",
	  "Nobody reads the parameters.",
	  .fix = "name the plugin in PrioritySiteFactorPlugin, or remove the key" },
	{ "enforce-unknown", LINT_ERROR, LINT_SLURM, enforce_unknown,
	  "an unknown word in AccountingStorageEnforce",
	  "slurmctld does not start with it.",
	  .fix = "write associations, limits, nojobs, nosteps, qos, safe, wckeys or all" },
	{ "enforce-missing", LINT_WARNING, LINT_SLURM, enforce_missing,
	  "fair share without AccountingStorageEnforce=associations",
	  "Jobs of users without an association are accepted; they have no fair share, and nobody "
		"is charged for them.",
	  .fix = "add associations, or limits, to AccountingStorageEnforce" },
	{ "no-database", LINT_ERROR, LINT_SLURM, no_database,
	  "a weight for fair share without slurmdbd",
	  "Without associations in slurmdbd there is no usage, and the factor is 0 for all jobs.",
	  .fix = "set AccountingStorageType=accounting_storage/slurmdbd, or the weight to 0" },
	{ .code = NULL },
};
