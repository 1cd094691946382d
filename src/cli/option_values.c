/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of options that several commands have, their help, and their errors. */
#include "cli/option_values.h"

#include "cli/complain.h"
#include "cli/print_text.h"
#include "cli/progress.h"
#include "core/error.h"
#include "format/job_settings.h"
#include "format/slurm_time.h"
#include "memory/need_memory.h"
#include "policy/settings_layout.h"
#include "policy/traits.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- files, policies, settings, formats -------------------------------------------------- */

void option_from(const struct option_row *row, void *member, const char *value)
{
	struct input_names *names = member;
	int most = row->choice ? row->choice : MOST_FILES;

	if (names->from_count == (size_t)most)
		refuse("--%s: given more than %d times", row->name, most);
	names->from[names->from_count++] = value;
}

void option_policies(const struct option_row *row, void *member, const char *value)
{
	struct policy_list *list = member;
	char *rest = need_text(value), *name;

	(void)row;
	while ((name = strsep(&rest, ","))) {
		const struct fathom_policy *policy;
		struct fathom_error error;
		size_t place;

		if (conf_find_policy(name, &place, &error))
			refuse("--policy: %s", error.text);
		policy = fathom_policy_at(place);
		for (size_t i = 0; i < list->count; i++)
			if (list->policy[i] == policy)
				refuse("--policy: %s: given twice", fathom_policy_name(policy));
		list->policy[list->count++] = policy;
	}
}

void option_format(const struct option_row *row, void *member, const char *value)
{
	const struct format *format = format_find(value);

	(void)row;
	*(const struct format **)member = format;
	if (format && format_has_tree(format))
		return;
	if (strpbrk(value, ",%"))
		refuse_columns(value);
	refuse("--format: '%s' is unknown, must be %s", value, format_list());
}

/* ---- settings -------------------------------------------------------------------------------- */

/* Names that slurm.conf gives to settings. */
static const struct slurm_name {
	struct fathom_setting slurm;	/* the name in small letters, for fathom_setting_named() */
	const char *shown;		/* as slurm.conf has it */
	const char *own;		/* fathom's name of the setting */
} slurm_names[] = {
	{ { .name = "fair_share_dampening_factor" }, "FairShareDampeningFactor",
	  "dampening_factor" },
	{ { .name = "priority_decay_half_life" }, "PriorityDecayHalfLife", "half_life" },
};

/* Returns the entry of a key; NULL: slurm.conf has no such name for a setting. */
static const struct slurm_name *find_slurm_name(const char *key)
{
	for (size_t i = 0; i < sizeof(slurm_names) / sizeof(*slurm_names); i++)
		if (fathom_setting_named(&slurm_names[i].slurm, key))
			return &slurm_names[i];
	return NULL;
}

const char *setting_own_name(const char *key)
{
	const struct slurm_name *name = find_slurm_name(key);

	return name ? name->own : key;
}

bool set_is_half_life(const struct set *set)
{
	return fathom_setting_named(conf_setting(CONF_HALF_LIFE), setting_own_name(set->key));
}

/* A number alone is seconds; under slurm.conf's name it is minutes, as there. */
double set_seconds(const struct set *set)
{
	struct fathom_error error;
	double seconds;

	if (find_slurm_name(set->key)
	     ? slurm_time_parse(set->value, &seconds, &error)
	     : fathom_setting_parse(conf_setting(CONF_HALF_LIFE), set->value, &seconds, &error))
		refuse("--set: %s: %s", set->key, error.text);
	return seconds;
}

const struct set *set_of(const char *text)
{
	size_t length = strcspn(text, "=");
	struct set *set = need_object(sizeof(*set));

	if (!text[length])
		refuse("--set: '%s' has no '=', must be KEY=VALUE", text);
	set->text = text;
	set->value = text + length + 1;
	snprintf(set->key, MOST_KEY, "%.*s", (int)(length < MOST_KEY ? length : MOST_KEY), text);
	return set;
}

void option_set(const struct option_row *row, void *member, const char *value)
{
	struct sets *sets = member;
	const struct set *set = set_of(value);

	(void)row;
	if (sets->count == MOST_SETS)
		refuse("--set: given more than %d times", MOST_SETS);
	if (set_is_half_life(set))
		sets->half_life[sets->half_life_count++] = set_seconds(set);
	sets->set[sets->count++] = set;
}

/* Changes settings as --set says; the function of struct system_rule. Passes over wrong values,
 * as the command refuses them by itself. options: the struct sets. */
static void change_settings(const struct fathom_policy *policy, struct fathom_settings *settings,
			    const void *options)
{
	const struct sets *sets = options;
	struct fathom_error ignored;

	for (size_t i = 0; i < sets->count; i++)
		fathom_settings_set(policy, settings, sets->set[i]->key, sets->set[i]->value,
				    &ignored);
}

struct system_rule system_rule_of(const struct fathom_policy *policy, const struct sets *sets)
{
	return (struct system_rule){ .wanted = policy, .change = change_settings, .options = sets,
				     .all_options = sets };
}

struct accounting_rules accounting_rules_of(const struct sets *sets, uint64_t states)
{
	struct accounting_rules rules = {
		.half_life = { conf_setting(CONF_HALF_LIFE)->standard },
		.half_life_count = 1, .states = states,
	};

	if (!sets->half_life_count)
		return rules;
	rules.half_life_of = HALF_LIFE_OF_USER;
	memcpy(rules.half_life, sets->half_life, sizeof(rules.half_life));
	rules.half_life_count = sets->half_life_count;
	return rules;
}

/* Begins a search for the name of a setting that is most like a key. A key such as DampeningFactor
 * is searched as dampening_factor. */
static struct suggestion suggestion_for(const char *key)
{
	char *words = need_zeros(2 * strlen(key), 1);
	size_t length = 0;

	for (const char *at = key; *at; at++) {
		if (isupper((unsigned char)*at) && at > key && islower((unsigned char)at[-1]))
			words[length++] = '_';
		words[length++] = (char)tolower((unsigned char)*at);
	}
	return (struct suggestion){ .word = words, .length = length };
}

/* Returns whether a policy has a setting that --set takes by this name. */
static bool is_setting_of(const struct fathom_policy *policy, const char *own)
{
	return policy_setting_named(policy, own) != POLICY_HAS_NONE ||
	       fathom_setting_named(conf_setting(CONF_HALF_LIFE), own);
}

/* Considers all names of settings that --set takes under a policy. */
static void consider_settings(struct suggestion *suggestion, const struct fathom_policy *policy)
{
	suggestion_consider(suggestion, conf_setting(CONF_HALF_LIFE)->name);
	for (size_t i = 0; i < fathom_policy_setting_count(policy); i++)
		suggestion_consider(suggestion, fathom_policy_setting(policy, i)->name);
	for (size_t i = 0; i < sizeof(slurm_names) / sizeof(*slurm_names); i++)
		if (is_setting_of(policy, slurm_names[i].own))
			suggestion_consider(suggestion, slurm_names[i].slurm.name);
}

const char *setting_similar(const struct policy_list *policies, const char *key)
{
	struct suggestion suggestion = suggestion_for(key);
	const struct slurm_name *slurm;

	for (size_t i = 0; i < policies->count; i++)
		consider_settings(&suggestion, policies->policy[i]);
	slurm = suggestion.name ? find_slurm_name(suggestion.name) : NULL;
	return slurm ? slurm->shown : suggestion.name;
}

const char *setting_similar_of_jobs(const char *key)
{
	struct suggestion suggestion = suggestion_for(key);
	const struct fathom_setting *setting;

	suggestion_consider(&suggestion, conf_setting(CONF_FORMULA_SCALE)->name);
	for (size_t i = 0; (setting = job_settings_at(i)); i++)
		suggestion_consider(&suggestion, setting->name);
	return suggestion.name;
}

/* If a setting is like the unknown key, lets the error name it. Always returns -1. */
static int suggest_setting(const struct fathom_policy *policy, const char *key,
			   struct fathom_error *error)
{
	const struct policy_list list = { { policy }, 1 };
	const char *similar = setting_similar(&list, key);

	if (!similar)
		return -1;
	return fathom_error_set(error, ENOENT, "%s has no setting '%.24s', but has %s",
				fathom_policy_name(policy), key, similar);
}

int settings_set(const struct fathom_policy *policy, struct fathom_settings *settings,
		 const struct set *set, struct fathom_error *error)
{
	struct fathom_settings before = *settings;
	struct fathom_formula *formula;
	struct fathom_error of_formula;

	if (fathom_settings_set(policy, settings, setting_own_name(set->key), set->value, error))
		return error->code == ENOENT ? suggest_setting(policy, set->key, error) : -1;
	if (!strcmp(before.formula, settings->formula))
		return 0;
	formula = fathom_formula_create(settings->formula, NULL, NULL, &of_formula);
	fathom_formula_destroy(formula);
	/* ENOSYS: a build without a parser of formulas cannot check it */
	if (formula || of_formula.code == ENOSYS)
		return 0;
	*error = of_formula;
	return -1;
}

/* ---- lists of names ------------------------------------------------------------------ */

void option_names(const struct option_row *row, void *member, const char *value)
{
	char **list = member;

	if (!value[strspn(value, ",")])
		refuse("--%s: no name given", row->name);
	*list = *list ? need_print("%s,%s", *list, value) : need_text(value);
}

/* Returns the name of the user whose uid `name` is, which is valid until the next call. Returns
 * `name` itself if it is not a number, or if this host has no such uid: a number may be the name of
 * a user in a file from elsewhere. */
static const char *name_of_uid(const char *name)
{
	const struct passwd *known;
	char *end;
	unsigned long uid = strtoul(name, &end, 10);

	if (*name < '0' || *name > '9' || *end || (uid_t)uid != uid)
		return name;
	known = getpwuid((uid_t)uid);
	return known ? known->pw_name : name;
}

void option_users(const struct option_row *row, void *member, const char *value)
{
	char *rest = need_text(value), *name;
	const char **names = NULL;
	size_t count = 0;

	while ((name = strsep(&rest, ",")))
		if (*name)
			NEED_ADD(names, count, need_text(name_of_uid(name)));
	option_names(row, member, need_join(names, count, ","));
}

const char *caller_name(void)
{
	const struct passwd *caller = getpwuid(getuid());

	return caller ? need_text(caller->pw_name) : NULL;
}

void caller_choose(char **users)
{
	*users = (char *)caller_name();
	if (*users)
		return;
	remark("your user id, %ld, has no name on this host, so all users are shown; -u chooses "
	       "users", (long)getuid());
}

/* ---- help ------------------------------------------------------------------------------ */

#define FORMAT_COLUMN 16	/* of the summary of a format */
#define HELP_INDENT 6	/* blanks before a setting */

/* Returns a duration in its greatest whole unit, such as 28d. */
static const char *duration_text(double seconds)
{
	static const struct { int seconds; char letter; } units[] = {
		{ 86400, 'd' }, { 3600, 'h' }, { 60, 'm' }, { 1, 's' },
	};
	size_t i = 0;

	while (units[i].seconds > 1 && (seconds == 0 || fmod(seconds, units[i].seconds) != 0))
		i++;
	return need_print("%.10g%c", seconds / units[i].seconds, units[i].letter);
}

/* Returns the default of a setting as help_setting() prints it. */
static const char *default_text(const struct fathom_setting *setting)
{
	switch (setting->type) {
	case FATHOM_CHOICE:
		return setting->choices[(size_t)setting->standard];
	case FATHOM_SWITCH:
		return setting->standard > 0 ? "yes" : "no";
	case FATHOM_FORMULA:
		return setting->standard_formula;
	case FATHOM_DURATION:
		return duration_text(setting->standard);
	default:
		return need_print("%.10g", setting->standard);
	}
}

/* The first line has the name, the type and range, and the default; the next ones the meaning. */
void help_setting(const struct fathom_setting *setting)
{
	static const char *const words[] = {
		[FATHOM_NUMBER] = "number", [FATHOM_SWITCH] = "yes | no",
		[FATHOM_DURATION] = "duration", [FATHOM_INTEGER] = "integer",
		[FATHOM_FORMULA] = "formula",
	};
	const char *what = words[setting->type];
	size_t choices = 0;

	while (setting->type == FATHOM_CHOICE && setting->choices[choices])
		choices++;
	if (setting->type == FATHOM_CHOICE)
		what = need_join(setting->choices, choices, " | ");
	printf("%*s", HELP_INDENT, "");
	print_wrapped(need_print("%s = %s%s%s, by default %s", setting->name, what,
				 setting->low_open ? need_print(" above %.10g", setting->low) : "",
				 setting->high_open ? need_print(" and below %.10g", setting->high)
						    : "",
				 default_text(setting)), HELP_INDENT, HELP_INDENT + 4);
	printf("%*s", HELP_INDENT + 4, "");
	print_wrapped(setting->meaning, HELP_INDENT + 4, HELP_INDENT + 4);
}

void help_policies(void)
{
	printf("\nPolicies, and what --set takes:\n");
	for (size_t i = 0; i < fathom_policy_count(); i++) {
		const struct fathom_policy *policy = fathom_policy_at(i);

		printf("  %s: %s\n", fathom_policy_name(policy), fathom_policy_summary(policy));
		for (size_t j = 0; j < fathom_policy_setting_count(policy); j++)
			help_setting(fathom_policy_setting(policy, j));
	}
}

void help_formats(bool of_jobs)
{
	printf("\nFormats of --from:\n");
	for (size_t i = 0; i < format_count(); i++)
		if (format_has_tree(format_at(i)) || (of_jobs && format_at(i)->holds & HOLDS_JOBS))
			print_entry(format_at(i)->name, FORMAT_COLUMN, format_at(i)->summary);
}

/* ---- input ----------------------------------------------------------------------------- */

void refuse_without_shadow(const char *name, bool is_live)
{
	refuse("--shadow: %s has no shadow policy; %s", name, is_live
	       ? "set ShadowPolicy in fathom.conf"
	       : "the FiguresFile of a cluster with ShadowPolicy has one");
}

void refuse_shadow_beside(const char *fathom_conf)
{
	refuse("--shadow: compares the policies of a FiguresFile; cannot be used with %s",
	       fathom_conf);
}

void refuse_half_life(void)
{
	refuse("--set: half_life: usage in a tree has already decayed; another half-life "
	       "needs the runs of jobs, as sacct has them");
}

void refuse_columns(const char *value)
{
	refuse("--format: '%s' names columns, which --output takes; the format of --from must be "
	       "%s", value, format_list());
}

void open_input(struct document *input, const char *name)
{
	document_open(input, name);
	progress_begin();
	input->watch = progress_of_input;
}
