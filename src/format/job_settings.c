/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The keys of slurm.conf that a job's priority depends on, in one table.
 * Source: Slurm, slurm.conf(5); defaults are those of slurmctld, not those of its
 * sample configuration.
 */
#include "format/job_settings.h"

#include "core/duration.h"
#include "core/error.h"
#include "core/list_text.h"
#include "core/small_letters.h"
#include "format/slurm_time.h"
#include "json/json.h"
#include "keys/key.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

/* ---- words ------------------------------------------------------------------------ */

/* Keys that begin with Priority, but do not change the priority of a job with given usage. */
static const char *const without_effect[] = {
	"PriorityCalcPeriod", "PriorityDecayHalfLife", "PriorityParameters",
	"PrioritySiteFactorParameters", "PrioritySiteFactorPlugin", "PriorityType",
	"PriorityUsageResetPeriod",
};

/* The words of PriorityFlags. Those without an effect here are known, so that a line of slurm.conf
 * can be copied. */
static const struct flag {
	const char *name;
	uint32_t bits;		/* that it sets in job_settings.flags */
	uint32_t rules;		/* that it sets in job_settings.rules */
	enum priority_flag choice;	/* of a policy; FLAG_OF_NONE for FAIR_TREE, too, which holds
					 * without any flag */
} flags[] = {
	{ .name = "ACCRUE_ALWAYS", .rules = JOB_ACCRUES_ALWAYS },
	{ .name = "CALCULATE_RUNNING" },
	{ .name = "DEPTH_OBLIVIOUS", .choice = FLAG_DEPTH_OBLIVIOUS },
	{ .name = "FAIR_TREE" },
	{ .name = "INCR_ONLY", .rules = JOB_INCREASES_ONLY },
	{ .name = "MAX_TRES" },
	{ .name = "MAX_TRES_GRES" },
	{ .name = "NO_FAIR_TREE", .choice = FLAG_NO_FAIR_TREE },
	{ .name = "NO_NORMAL_ALL",
	  .bits = FATHOM_NO_NORMAL_ASSOC | FATHOM_NO_NORMAL_PART | FATHOM_NO_NORMAL_QOS |
		  FATHOM_NO_NORMAL_TRES },
	{ .name = "NO_NORMAL_ASSOC", .bits = FATHOM_NO_NORMAL_ASSOC },
	{ .name = "NO_NORMAL_PART", .bits = FATHOM_NO_NORMAL_PART },
	{ .name = "NO_NORMAL_QOS", .bits = FATHOM_NO_NORMAL_QOS },
	{ .name = "NO_NORMAL_TRES", .bits = FATHOM_NO_NORMAL_TRES },
	{ .name = "SMALL_RELATIVE_TO_TIME", .bits = FATHOM_SMALL_RELATIVE_TO_TIME },
};

#define FLAG_COUNT (sizeof(flags) / sizeof(*flags))
/* the bits of job_settings.flags that PriorityFlags set; PriorityFavorSmall sets the other one */
#define BITS_OF_FLAGS (UINT32_MAX & ~(uint32_t)FATHOM_FAVOR_SMALL)

const char *const job_tres_of_all[] = { "cpu", "mem", "energy", "node", "billing", "vmem", "pages",
					"fs/disk", NULL };

/* ---- values in forms of slurm.conf's own --------------------------------------------- */

/* The functions of type key_reader get the struct job_settings as their object. */

/* Copies the next word of a comma-separated list, cut to `size` bytes, and moves *at behind it.
 * False: the list is at its end. */
static bool next_word(const char **at, char *word, size_t size)
{
	size_t length;

	*at += strspn(*at, ", ");
	length = strcspn(*at, ", ");
	snprintf(word, size, "%.*s", (int)(length < size ? length : size), *at);
	*at += length;
	return length > 0;
}

/* Adds the weight of "TRES=weight". Changes `word`. */
static int set_tres_weight(struct job_settings *settings, char *word, struct fathom_error *error)
{
	struct job_tres_weight *tres = &settings->tres[settings->tres_count];
	char *equals = strchr(word, '=');
	const char *end;

	if (!equals || equals == word || number_parse(equals + 1, &tres->weight, &end) || *end ||
	    !(tres->weight >= 0))
		return fathom_error_set(error, EINVAL, "'%s' must be TRES=weight, for example "
					"cpu=1000", word);
	*equals = '\0';
	/* the last element is the one that is being read */
	if (settings->tres_count == JOB_MOST_TRES - 1)
		return fathom_error_set(error, EINVAL, "more than %d TRES", JOB_MOST_TRES - 1);
	for (size_t i = 0; i < settings->tres_count; i++)
		if (!strcasecmp(settings->tres[i].name, word))
			return fathom_error_set(error, EINVAL, "%s occurs twice, must occur once",
						word);
	memcpy(tres->name, word, strlen(word) + 1);
	settings->tres_count++;
	return 0;
}

/* Reads PriorityWeightTRES, "cpu=1000,mem=500", in place of an earlier one. */
static int read_tres(void *object, const char *value, double *number, struct fathom_error *error)
{
	struct job_settings *settings = object;
	char word[JOB_TRES_NAME];

	(void)number;
	settings->tres_count = 0;
	while (next_word(&value, word, sizeof(word)))
		if (set_tres_weight(settings, word, error))
			return -1;
	return 0;
}

bool job_settings_flag_is_in(const char *flag, const char *word)
{
	return !strcasecmp(flag, "FAIR_TREE") ? !strcasecmp(flag, word)
					      : strcasestr(word, flag) != NULL;
}

/* Sets what the flags in a word set. Returns whether there are any. */
static bool set_flags(struct job_settings *settings, struct conf_slurm *slurm, const char *word)
{
	bool has_any = false;

	for (size_t i = 0; i < FLAG_COUNT; i++) {
		if (!job_settings_flag_is_in(flags[i].name, word))
			continue;
		has_any = true;
		settings->flags |= flags[i].bits;
		settings->rules |= flags[i].rules;
		slurm->has_depth_oblivious |= flags[i].choice == FLAG_DEPTH_OBLIVIOUS;
		slurm->has_fair_tree &= flags[i].choice == FLAG_OF_NONE;
	}
	return has_any;
}

/* Reads PriorityFlags, and the policy that they choose. DEPTH_OBLIVIOUS also takes fair tree's
 * place, as NO_FAIR_TREE does, so that the order of the words has no effect. A word without a flag,
 * which slurmctld ignores, is wrong. */
static int read_flags(void *object, const char *value, double *number, struct fathom_error *error)
{
	struct job_settings *settings = object;
	struct conf_slurm slurm = { .has_fair_tree = true };
	char word[256];

	(void)number;
	settings->flags &= ~BITS_OF_FLAGS;
	settings->rules = 0;
	while (next_word(&value, word, sizeof(word)))
		if (!set_flags(settings, &slurm, word))
			return fathom_error_set(error, EINVAL,
						"'%s' is not a flag of slurm.conf(5), such as "
						"NO_FAIR_TREE", word);
	settings->policy = policy_of_flag(conf_flag(&slurm));
	return 0;
}

/* Reads PriorityMaxAge into seconds. */
static int read_max_age(void *settings, const char *value, double *number,
			struct fathom_error *error)
{
	(void)settings;
	return slurm_time_parse(value, number, error);
}

/* Sets the bit of PriorityFavorSmall, besides its value. */
static int note_favor_small(void *object, const char *value, double *number,
			    struct fathom_error *error)
{
	struct job_settings *settings = object;

	(void)value, (void)error;
	settings->flags &= BITS_OF_FLAGS;
	settings->flags |= *number > 0 ? FATHOM_FAVOR_SMALL : 0;
	return 0;
}

/* ---- the table ------------------------------------------------------------------- */

/* The value of a row goes into value[JOB_SETTING]. */
#define VALUE(setting_name) \
	KEY_NUMBER, .at = offsetof(struct job_settings, value[JOB_##setting_name])
#define TEXT .type = FATHOM_TEXT, .high = INFINITY
/* The row of JOB_WEIGHT_FACTOR. key: of slurm.conf, without PriorityWeight; words: the factor. */
#define WEIGHT(factor_name, key, words) \
	[JOB_WEIGHT_##factor_name] = { VALUE(WEIGHT_##factor_name), NULL, { \
		.name = "priority_weight_" key, .type = FATHOM_INTEGER, .high = UINT32_MAX, \
		.unit = "", .meaning = "weight of the " words } }

static const struct key table[] = {
	WEIGHT(AGE, "age", "age factor"),
	WEIGHT(ASSOC, "assoc", "association factor"),
	WEIGHT(FAIRSHARE, "fairshare", "fair-share factor"),
	WEIGHT(JOB_SIZE, "job_size", "job size factor"),
	WEIGHT(PARTITION, "partition", "partition factor"),
	WEIGHT(QOS, "qos", "QOS factor"),
	[JOB_WEIGHT_TRES] = { KEY_NONE, .read = read_tres, { .name = "priority_weight_tres", TEXT,
		.meaning = "weights of the factors of TRES" } },
	[JOB_MAX_AGE] = { VALUE(MAX_AGE), read_max_age, { .name = "priority_max_age", TEXT,
		.standard = 7 * 86400,
		.meaning = "a job that has waited so long has age factor 1" } },
	[JOB_FAVOR_SMALL] = { VALUE(FAVOR_SMALL), note_favor_small, {
		.name = "priority_favor_small", .type = FATHOM_SWITCH, .unit = "",
		.meaning = "small jobs have the greater job size factor" } },
	[JOB_FLAGS] = { KEY_NONE, .read = read_flags, { .name = "priority_flags", TEXT,
		.meaning = "PriorityFlags of slurm.conf" } },
	[JOB_DAMPENING_FACTOR] = { VALUE(DAMPENING_FACTOR), NULL, {
		.name = "fair_share_dampening_factor", .type = FATHOM_NUMBER, .low_open = true,
		.high = INFINITY, .standard = 1, .unit = "",
		.meaning = "dampening_factor of policies that have it" } },
	[JOB_SETTING_COUNT] = KEY_END,
};

/* ---- setting --------------------------------------------------------------------- */

struct job_settings job_settings_standard(void)
{
	struct job_settings settings = { .policy = policy_of_flag(FLAG_FAIR_TREE) };

	for (size_t i = 0; i < JOB_SETTING_COUNT; i++)
		settings.value[i] = table[i].setting.standard;
	return settings;
}

/* Returns whether a key of slurm.conf is known, but without an effect here. */
static bool has_no_effect(const char *name)
{
	const size_t count = sizeof(without_effect) / sizeof(*without_effect);

	return index_of_word(without_effect, count, name) < count;
}

/* Returns a value in fathom's form if slurmctld reads it in a form of Slurm's own, such as "up" or
 * the octal number "010"; otherwise the value itself. text: has room for it. */
static const char *plain_value(const struct fathom_setting *setting, const char *value, char *text,
			       size_t size)
{
	const uint32_t most = setting->type == FATHOM_INTEGER ? UINT32_MAX : UINT16_MAX;
	double number;

	if (setting->type == FATHOM_TEXT ||
	    (setting->type == FATHOM_SWITCH ? slurm_switch_parse(value, &number, NULL)
					    : slurm_whole_parse(value, most, &number, NULL)))
		return value;
	snprintf(text, size, "%.0f", number);
	return text;
}

int job_settings_set(struct job_settings *settings, const char *name, const char *value,
		     struct fathom_error *error)
{
	const struct key *key = key_find(table, name);
	char text[16];

	if (!key && has_no_effect(name))
		return 0;
	if (!key)
		return fathom_error_set(error, ENOENT, "not a key of slurm.conf about priority");
	if (key_read(key, settings, plain_value(&key->setting, value, text, sizeof(text)), error))
		return -1;
	settings->given[key - table] = true;
	return 0;
}

/* Returns -1, with an error, if one of the TRES with weights is such as no cluster has. */
static int check_tres(const struct job_settings *settings, struct fathom_error *error)
{
	char all[64];

	for (size_t i = 0; i < settings->tres_count; i++) {
		const char *name = settings->tres[i].name;

		if (!strchr(name, '/') && !job_tres_of_all[index_of_word(job_tres_of_all,
									 SIZE_MAX, name)])
			return fathom_error_set(error, EINVAL, "'%s' is not a TRES, must be %s, or "
						"have a type, such as gres/gpu", name,
						list_text(name_list_of(job_tres_of_all), ", ", all,
							  sizeof(all)));
	}
	return 0;
}

int job_settings_set_option(struct job_settings *settings, const char *name, const char *value,
			    struct fathom_error *error)
{
	if (job_settings_set(settings, name, value, error))
		return -1;
	return key_find(table, name) == &table[JOB_WEIGHT_TRES] ? check_tres(settings, error) : 0;
}

bool job_settings_know(const char *name)
{
	return key_find(table, name) || has_no_effect(name);
}

bool job_settings_give(const struct job_settings *settings, const char *name)
{
	const struct key *key = key_find(table, name);

	return key && settings->given[key - table];
}

const char *job_settings_flag_at(size_t index)
{
	return index < FLAG_COUNT ? flags[index].name : NULL;
}

/* ---- writing --------------------------------------------------------------------- */

/* Writes the weights of TRES as slurm.conf has them: "cpu=1000,mem=500". */
static void put_tres(FILE *out, const struct job_settings *settings)
{
	json_put(out, "\"");
	for (size_t i = 0; i < settings->tres_count; i++)
		fprintf(out, "%s%s=%.17g", i ? "," : "", settings->tres[i].name,
			settings->tres[i].weight);
	json_put(out, "\"");
}

/* Returns whether settings say that the flag is given: its policy is chosen, or its rules and all
 * its bits are set. */
static bool is_set(const struct job_settings *settings, const struct flag *flag)
{
	if (flag->choice != FLAG_OF_NONE)
		return settings->policy == policy_of_flag(flag->choice);
	return (flag->bits || flag->rules) && (settings->flags & flag->bits) == flag->bits &&
	       (settings->rules & flag->rules) == flag->rules;
}

/* Writes the flags that are given: "DEPTH_OBLIVIOUS,NO_NORMAL_ALL". */
static void put_flags(FILE *out, const struct job_settings *settings)
{
	const char *before = "\"";

	for (size_t i = 0; i < FLAG_COUNT; i++) {
		if (!is_set(settings, &flags[i]))
			continue;
		fprintf(out, "%s%s", before, flags[i].name);
		before = ",";
	}
	json_put(out, *before == ',' ? "\"" : "\"\"");
}

/* Writes the age with its unit, as a number alone would be minutes: "604800s". */
static void put_max_age(FILE *out, const struct job_settings *settings)
{
	fprintf(out, "\"%.17gs\"", settings->value[JOB_MAX_AGE]);
}

/* Settings whose value has a form of slurm.conf's own; the others have zeros here. */
static const struct {
	const char *form;	/* for help */
	void (*put)(FILE *out, const struct job_settings *settings);	/* writes the value */
} forms[JOB_SETTING_COUNT] = {
	[JOB_WEIGHT_TRES] = { "TRES=number,...", put_tres },
	[JOB_MAX_AGE] = { "minutes or D-HH:MM:SS, by default 10080", put_max_age },
	[JOB_FLAGS] = { "FLAG,...", put_flags },
};

void job_settings_put(FILE *out, const struct job_settings *settings)
{
	const char *before = "{\"";

	for (size_t i = 0; i < JOB_SETTING_COUNT; i++) {
		if (!settings->given[i])
			continue;
		fprintf(out, "%s%s\": ", before, table[i].setting.name);
		if (forms[i].put)
			forms[i].put(out, settings);
		else if (table[i].setting.type == FATHOM_SWITCH)
			json_put(out, settings->value[i] > 0 ? "true" : "false");
		else
			json_put_number(out, settings->value[i]);
		before = ", \"";
	}
	json_put(out, *before == '{' ? "{}" : "}");
}

struct conf_slurm job_settings_slurm(const struct job_settings *settings)
{
	enum priority_flag flag = policy_flag(settings->policy);

	return (struct conf_slurm){
		.has_fair_tree = flag == FLAG_FAIR_TREE,
		.has_depth_oblivious = flag == FLAG_DEPTH_OBLIVIOUS,
		.dampening_factor = settings->value[JOB_DAMPENING_FACTOR],
	};
}

const struct fathom_setting *job_settings_at(size_t index)
{
	return index < JOB_SETTING_COUNT ? &table[index].setting : NULL;
}

void job_settings_help(void (*print)(const struct fathom_setting *setting))
{
	for (size_t i = 0; i < JOB_SETTING_COUNT; i++)
		if (forms[i].form)
			printf("      %s = %s\n          %s\n", table[i].setting.name,
			       forms[i].form, table[i].setting.meaning);
		else
			print(&table[i].setting);
}
