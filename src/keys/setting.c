/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One setting of any file or option: compares its names, and reads its value from text. */
#include "fathom.h"

#include "core/duration.h"
#include "core/error.h"
#include "core/list_text.h"
#include "core/small_letters.h"
#include "keys/key.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- names ------------------------------------------------------------------- */

static char upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* The setting run_job_factor is also called RUN_JOB_FACTOR (by LSF) and RunJobFactor (in
 * fathom.conf), in upper or lower case: so '_' stands in all places, or in none. */
bool fathom_setting_named(const struct fathom_setting *setting, const char *name)
{
	const char *own = setting->name;

	if (same_word(own, name))
		return true;
	for (; *own; own++) {
		if (*own == '_')
			continue;
		if (small_letter(*name++) != *own)
			return false;
	}
	return !*name;
}

char *fathom_setting_camel_case(const struct fathom_setting *setting, char *text, size_t size)
{
	bool capital = true;
	size_t length = 0;

	for (const char *at = setting->name; *at && length + 1 < size; at++) {
		if (*at != '_')
			text[length++] = capital ? upper(*at) : *at;
		capital = *at == '_';
	}
	if (size)
		text[length] = '\0';
	return text;
}

/* ---- values: functions return -1 with an error that says what would be right --- */

/* Checks that a number is in the range of the setting. text: as it was given, for the error. */
static int check_range(const struct fathom_setting *setting, double value, const char *text,
		       struct fathom_error *error)
{
	bool low_enough = setting->low_open ? value > setting->low : value >= setting->low;
	bool high_enough = setting->high_open ? value < setting->high : value <= setting->high;
	const char *low = setting->low_open ? "greater than" : "at least";

	if (low_enough && high_enough)
		return 0;
	if (isinf(setting->high))
		return fathom_error_set(error, EINVAL, "%s is out of range, must be %s %.10g", text,
					low, setting->low);
	return fathom_error_set(error, EINVAL, "%s is out of range, must be %s %.10g and %s %.10g",
				text, low, setting->low,
				setting->high_open ? "less than" : "at most", setting->high);
}

static int parse_number(const struct fathom_setting *setting, const char *text, double *number,
			struct fathom_error *error)
{
	const char *end;
	double value;

	if (number_parse(text, &value, &end) || *end)
		return fathom_error_set(error, EINVAL, "'%s' is not a number; for example %g", text,
					setting->standard);
	*number = value;
	return check_range(setting, value, text, error);
}

/* Reads a number without a fraction, such as 7 or 7.0. */
static int parse_integer(const struct fathom_setting *setting, const char *text, double *number,
			 struct fathom_error *error)
{
	double value;

	if (parse_number(setting, text, &value, error))
		return -1;
	if (value != trunc(value))
		return fathom_error_set(error, EINVAL, "%s is not a whole number; for example %g",
					text, setting->standard);
	*number = value;
	return 0;
}

/* Reads a duration such as 7d or 1:30:00 in seconds. */
static int parse_duration(const struct fathom_setting *setting, const char *text, double *number,
			  struct fathom_error *error)
{
	if (duration_parse(text, number, error))
		return -1;
	return check_range(setting, *number, text, error);
}

/* Reads the name of a choice, in upper or lower case, into its index. */
static int parse_choice(const struct fathom_setting *setting, const char *text, double *number,
			struct fathom_error *error)
{
	char list[160];
	size_t i = index_of_word(setting->choices, SIZE_MAX, text);

	*number = (double)i;
	if (setting->choices[i])
		return 0;
	return fathom_error_set(error, EINVAL, "'%s' is unknown, must be one of %s", text,
				list_text(name_list_of(setting->choices), ", ", list,
					  sizeof(list)));
}

/* Reads a word for yes or no into 1 or 0. */
static int parse_switch(const struct fathom_setting *setting, const char *text, double *number,
			struct fathom_error *error)
{
	/* a word for "no" at even places, for "yes" at odd places */
	static const char *const words[] = { "no", "yes", "n", "y", "false", "true", "0", "1",
					     NULL };
	size_t i = index_of_word(words, SIZE_MAX, text);

	(void)setting;
	*number = (double)(i % 2);
	return words[i] ? 0 : fathom_error_set(error, EINVAL, "'%s' is neither yes nor no", text);
}

/* Checks the length and the characters only; the rest is checked when the formula is compiled. */
static int check_formula(const struct fathom_setting *setting, const char *text, double *number,
			 struct fathom_error *error)
{
	static const char characters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					 "0123456789_. +-*/%^()<>=!?:,";
	size_t length = strspn(text, characters);

	if (!text[strspn(text, " ")] || text[length])
		return fathom_error_set(error, EINVAL, "'%s' is not a formula; for example %s",
					text, setting->standard_formula);
	if (length >= FATHOM_SETTING_SIZE)
		return fathom_error_set(error, EINVAL, "a formula of %zu characters, must be at "
					"most %d", length, FATHOM_SETTING_SIZE - 1);
	*number = 0;
	return 0;
}

static int check_text(const struct fathom_setting *setting, const char *text, double *number,
		      struct fathom_error *error)
{
	if ((double)strlen(text) > setting->high)
		return fathom_error_set(error, EINVAL, "longer than %.0f characters",
					setting->high);
	*number = 0;
	return 0;
}

int fathom_setting_parse(const struct fathom_setting *setting, const char *value, double *number,
			 struct fathom_error *error)
{
	static int (*const parse[])(const struct fathom_setting *, const char *, double *,
				    struct fathom_error *) = {
		[FATHOM_NUMBER] = parse_number,
		[FATHOM_CHOICE] = parse_choice,
		[FATHOM_SWITCH] = parse_switch,
		[FATHOM_DURATION] = parse_duration,
		[FATHOM_INTEGER] = parse_integer,
		[FATHOM_FORMULA] = check_formula,
		[FATHOM_TEXT] = check_text,
	};

	return parse[setting->type](setting, value, number, error);
}
