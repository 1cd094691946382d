/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the values of slurm.conf's general keys for the checks, and answers questions about
 * them. */
#include "lint/lint_context.h"

#include "core/error.h"
#include "format/job_settings.h"
#include "format/slurm_time.h"
#include "memory/need_memory.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#define MINUTE 60.0
#define HOUR 3600.0
#define DAY 86400.0

/* Reads a value as a number. -1: EINVAL, it is wrong. error: may be NULL. */
typedef int value_parser(const char *text, double *number, struct fathom_error *error);

/* ---- forms of values ---------------------------------------------------------------- */

/* Reads PriorityCalcPeriod in seconds. Slurm rounds it to whole minutes, and needs at least one. */
static int parse_period(const char *text, double *number, struct fathom_error *error)
{
	if (slurm_time_parse_strictly(text, number, error))
		return -1;
	if (*number >= 60)
		return 0;
	return fathom_error_set(error, EINVAL, "'%.60s' is less than a minute; give minutes", text);
}

/* Reads a weight: 32 bits in slurmctld. */
static int parse_weight(const char *text, double *number, struct fathom_error *error)
{
	return slurm_whole_parse(text, UINT32_MAX, number, error);
}

int lint_parse_short(const char *text, double *number, struct fathom_error *error)
{
	return slurm_whole_parse(text, UINT16_MAX, number, error);
}

/* Reads FairShareDampeningFactor: a whole number from 1. */
static int parse_dampening(const char *text, double *number, struct fathom_error *error)
{
	if (lint_parse_short(text, number, error))
		return -1;
	if (*number >= 1)
		return 0;
	return fathom_error_set(error, EINVAL, "'%.60s' must be 1 or more", text);
}

/* Reads PriorityWeightTRES as the sum of its weights. */
static int parse_weights_of_tres(const char *text, double *number, struct fathom_error *error)
{
	struct job_settings settings = job_settings_standard();

	*number = 0;
	if (job_settings_set(&settings, job_settings_at(JOB_WEIGHT_TRES)->name, text, error))
		return -1;
	for (size_t i = 0; i < settings.tres_count; i++)
		*number += settings.tres[i].weight;
	return 0;
}

/* Reads PriorityUsageResetPeriod as the seconds between resets; INFINITY for NONE, and for NOW,
 * which resets usage once. */
static int parse_reset(const char *text, double *number, struct fathom_error *error)
{
	static const double days[] = {
		[FATHOM_RESET_NONE] = INFINITY, [FATHOM_RESET_NOW] = INFINITY,
		[FATHOM_RESET_DAILY] = 1, [FATHOM_RESET_WEEKLY] = 7,
		[FATHOM_RESET_MONTHLY] = 30, [FATHOM_RESET_QUARTERLY] = 91,
		[FATHOM_RESET_YEARLY] = 365,
	};
	enum fathom_reset period;

	if (slurm_reset_parse(text, &period, error))
		return -1;
	*number = days[period] * DAY;	/* between resets */
	return 0;
}

/* ---- the table ---------------------------------------------------------------------- */

/* The keys of enum lint_key. */
static const struct key_row {
	const char *name;
	value_parser *parse;	/* NULL: the value is a text, and the key has no number */
	double standard;	/* Slurm's default as parse() would return it: times in seconds */
} keys[KEY_COUNT] = {
	[KEY_WEIGHT_AGE] = { "PriorityWeightAge", parse_weight, 0 },
	[KEY_WEIGHT_ASSOC] = { "PriorityWeightAssoc", parse_weight, 0 },
	[KEY_WEIGHT_FAIRSHARE] = { "PriorityWeightFairshare", parse_weight, 0 },
	[KEY_WEIGHT_JOB_SIZE] = { "PriorityWeightJobSize", parse_weight, 0 },
	[KEY_WEIGHT_PARTITION] = { "PriorityWeightPartition", parse_weight, 0 },
	[KEY_WEIGHT_QOS] = { "PriorityWeightQOS", parse_weight, 0 },
	[KEY_WEIGHT_TRES] = { "PriorityWeightTRES", parse_weights_of_tres, 0 },
	[KEY_HALF_LIFE] = { "PriorityDecayHalfLife", slurm_time_parse_strictly, 7 * DAY },
	[KEY_CALC_PERIOD] = { "PriorityCalcPeriod", parse_period, 300 },
	[KEY_RESET_PERIOD] = { "PriorityUsageResetPeriod", parse_reset, INFINITY },
	[KEY_MAX_AGE] = { "PriorityMaxAge", slurm_time_parse_strictly, 7 * DAY },
	[KEY_FAVOR_SMALL] = { "PriorityFavorSmall", slurm_switch_parse, 0 },
	[KEY_DAMPENING] = { "FairShareDampeningFactor", parse_dampening, 1 },
	[KEY_FLAGS] = { "PriorityFlags", NULL, 0 },
	[KEY_TYPE] = { "PriorityType", NULL, 0 },
	[KEY_STORAGE_TYPE] = { "AccountingStorageType", NULL, 0 },
	[KEY_STORAGE_TRES] = { "AccountingStorageTRES", NULL, 0 },
	[KEY_ENFORCE] = { "AccountingStorageEnforce", NULL, 0 },
	[KEY_GRES_TYPES] = { "GresTypes", NULL, 0 },
	[KEY_PREEMPT_TYPE] = { "PreemptType", NULL, 0 },
	[KEY_PRIVATE_DATA] = { "PrivateData", NULL, 0 },
	[KEY_SITE_PLUGIN] = { "PrioritySiteFactorPlugin", NULL, 0 },
	[KEY_SITE_PARAMETERS] = { "PrioritySiteFactorParameters", NULL, 0 },
};

const char *lint_key_name(enum lint_key key)
{
	return keys[key].name;
}

/* Sets the value of a key. slurm: NULL: there is no slurm.conf. */
static void read_value(struct lint_value *value, const struct slurm_conf *slurm,
		       const struct key_row *row)
{
	const struct slurm_pair *pair = slurm ? slurm_conf_find(slurm, row->name) : NULL;
	bool is_known = pair ? !pair->is_unknown : slurm && !slurm->is_open;

	*value = (struct lint_value){ .pair = pair, .number = is_known ? row->standard : NAN };
	if (is_known && pair && row->parse)
		value->is_wrong = row->parse(pair->value, &value->number, &value->error);
	if (value->is_wrong)
		value->number = NAN;
}

void lint_read_values(struct lint *lint)
{
	for (size_t i = 0; i < KEY_COUNT; i++)
		read_value(&lint->value[i], lint->site->slurm, &keys[i]);
}

/* Returns how the numbers of a key are read; NULL: its values are texts. */
static value_parser *parser_of(const char *name)
{
	for (size_t i = 0; i < KEY_COUNT; i++)
		if (!strcasecmp(keys[i].name, name))
			return keys[i].parse;
	return NULL;
}

bool lint_means_same(const char *key, const char *a, const char *b)
{
	value_parser *parse = parser_of(key);
	double of_a, of_b;

	if (!parse || parse(a, &of_a, NULL) || parse(b, &of_b, NULL))
		return !strcasecmp(a, b);
	return !(of_a < of_b) && !(of_a > of_b);
}

/* ---- questions ---------------------------------------------------------------------- */

const struct slurm_pair *lint_pair(const struct lint *lint, enum lint_key key)
{
	const struct slurm_pair *pair = lint->value[key].pair;

	return pair && !pair->is_unknown ? pair : NULL;
}

bool lint_lacks_key(const struct lint *lint, enum lint_key key)
{
	return lint->site->slurm && !lint->site->slurm->is_open && !lint->value[key].pair;
}

const char *lint_setting_name(const struct fathom_setting *setting)
{
	char name[64];

	return need_text(fathom_setting_camel_case(setting, name, sizeof(name)));
}

double lint_number(const struct lint *lint, enum lint_key key)
{
	return lint->value[key].number;
}

bool lint_fathom_gives(const struct lint *lint, enum conf_setting setting)
{
	return lint->site->fathom && lint_type_is(lint, "fathom") &&
	       lint->site->fathom->given[setting];
}

/* Returns a time that fathom.conf may set in place of slurm.conf. NAN: not known. */
static double in_force(const struct lint *lint, enum conf_setting setting, enum lint_key key)
{
	return lint_fathom_gives(lint, setting) ? lint->site->fathom->value[setting]
						: lint_number(lint, key);
}

double lint_half_life(const struct lint *lint)
{
	return in_force(lint, CONF_HALF_LIFE, KEY_HALF_LIFE);
}

double lint_calc_period(const struct lint *lint)
{
	return in_force(lint, CONF_CALC_PERIOD, KEY_CALC_PERIOD);
}

/* Takes the greatest unit in which the time is 2 or more, or exactly 1. */
const char *lint_time_text(double seconds)
{
	static const struct { double length; const char *name; } units[] = {
		{ DAY, "day" }, { HOUR, "hour" }, { MINUTE, "minute" }, { 1, "second" },
	};
	size_t i = 0;
	double count;

	while (i < 3 && seconds < 2 * units[i].length && fabs(seconds - units[i].length) > 0)
		i++;
	count = seconds / units[i].length;
	return need_print(count < 1e4 ? "%.4g %s%s" : "%.0f %s%s", count, units[i].name,
			  fabs(count - 1) > 0 ? "s" : "");
}

bool lint_weight_is_given(const struct lint *lint, enum lint_key key)
{
	return lint->value[key].number > 0;
}

bool lint_has_flag(const struct lint *lint, const char *flag)
{
	const struct slurm_pair *flags = lint_pair(lint, KEY_FLAGS);

	return flags && strcasestr(flags->value, flag);
}

bool lint_next_word(const char **list, struct piece *word)
{
	*list += strspn(*list, ", \t");
	*word = (struct piece){ *list, strcspn(*list, ", \t") };
	*list += word->length;
	return word->length;
}

const char **lint_words(const struct slurm_pair *pair)
{
	const char **words = NULL, *list = pair ? pair->value : "";
	size_t count = 0;
	struct piece word;

	while (lint_next_word(&list, &word))
		NEED_ADD(words, count, need_copy(word));
	NEED_ADD(words, count, NULL);
	return words;
}

bool lint_list_has(const struct slurm_pair *pair, const char *word)
{
	const char *list = pair ? pair->value : "";
	struct piece item;

	while (lint_next_word(&list, &item))
		if (item.length == strlen(word) && !strncasecmp(item.at, word, item.length))
			return true;
	return false;
}

/* Later releases also take the name without "priority/". */
bool lint_type_is(const struct lint *lint, const char *plugin)
{
	const struct slurm_pair *type = lint_pair(lint, KEY_TYPE);
	const char *slash = type ? strchr(type->value, '/') : NULL;

	return type && !strcasecmp(slash ? slash + 1 : type->value, plugin);
}

bool lint_uses_factors(const struct lint *lint)
{
	return lint_pair(lint, KEY_TYPE) && !lint_type_is(lint, "basic");
}

bool lint_lacks_database(const struct lint *lint)
{
	const struct slurm_pair *type = lint_pair(lint, KEY_STORAGE_TYPE);

	if (!type)
		return lint_lacks_key(lint, KEY_STORAGE_TYPE);
	return !lint->site->slurm->is_open && !strcasestr(type->value, "slurmdbd");
}

struct conf_slurm lint_conf_slurm(const struct lint *lint)
{
	const struct slurm_pair *hidden = lint_pair(lint, KEY_PRIVATE_DATA);
	const struct slurm_pair *reset = lint_pair(lint, KEY_RESET_PERIOD);
	double dampening = lint_number(lint, KEY_DAMPENING);
	bool oblivious = lint_has_flag(lint, "DEPTH_OBLIVIOUS");

	return (struct conf_slurm){
		.has_fair_tree = !oblivious && !lint_has_flag(lint, "NO_FAIR_TREE"),
		.has_depth_oblivious = oblivious,
		.dampening_factor = dampening >= 1 ? dampening : 1,
		.resets_usage = reset ? strcasecmp(reset->value, "NONE") != 0
				      : isnan(lint_number(lint, KEY_RESET_PERIOD)),
		.hides_usage = lint_list_has(hidden, "usage") || lint_list_has(hidden, "all"),
	};
}

const struct fathom_policy *lint_policy(const struct lint *lint)
{
	const struct conf_slurm slurm = lint_conf_slurm(lint);
	const struct fathom_conf standard = conf_standard();
	const struct lint_value *flags = &lint->value[KEY_FLAGS];
	const struct fathom_conf *conf = lint->site->fathom ? lint->site->fathom : &standard;

	if (conf_policy(conf))
		return conf_policy(conf);
	if (!lint->site->slurm || (flags->pair && flags->pair->is_unknown))
		return NULL;
	return conf_policy_in_force(conf, &slurm);
}

bool lint_computes(const struct lint *lint, const struct fathom_policy *policy)
{
	const struct fathom_conf *conf = lint->site->fathom;

	if (policy == lint_policy(lint) || (conf && policy == conf_shadow_policy(conf)))
		return true;
	for (size_t i = 0; conf && i < conf->scope_count; i++)
		if (conf->scope[i].policy == policy)
			return true;
	return false;
}

bool lint_heeds(const struct lint *lint, const char *setting)
{
	for (size_t i = 0; i < fathom_policy_count(); i++)
		if (lint_computes(lint, fathom_policy_at(i)) &&
		    policy_setting_named(fathom_policy_at(i), setting) != POLICY_HAS_NONE)
			return true;
	return false;
}

bool lint_has_weighted_sum(const struct lint *lint)
{
	const struct fathom_policy *policy = lint_policy(lint);

	if (!lint_type_is(lint, "fathom"))
		return !lint_type_is(lint, "basic");
	return !lint_fathom_gives(lint, CONF_FORMULA) &&
	       (!policy || fathom_policy_priority_rule(policy) == FATHOM_WEIGHTED_SUM);
}
