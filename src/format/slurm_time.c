/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads whole numbers, switches and times as slurm.conf has them. Numbers have the bases of C:
 *
 *	"10" -> 10	"010" -> 8	"0x10" -> 16	"+10" -> 10	"10k" -> 10240
 *	"UNLIMITED", "INFINITE" -> the greatest number
 *
 * Of times, a number alone is minutes, and the last two
 * parts mean minutes and seconds unless days or hours come before:
 *
 *	"90" -> 5400 s	"90:30" -> 91 minutes	"1:30:00" -> 5400 s	"1-6" -> 30 hours
 *
 * Source: Slurm, slurm.conf(5), "PriorityMaxAge", and the forms of times in sbatch(1), "--time";
 * slurmctld 22.05.8, asked for its values of lines with such numbers.
 */
#include "format/slurm_time.h"

#include "core/duration.h"
#include "core/error.h"
#include "core/small_letters.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define DIGITS "0123456789"
#define MOST_DIGITS 9		/* Slurm reads numbers of 32 bits */
#define MINUTE 60		/* seconds */
#define DAY 86400		/* seconds */
#define BEHIND_DAYS true	/* for parse_clock() */
#define UNLIMITED ((double)UINT32_MAX + 1 - MINUTE)	/* Slurm: -1 minute as a uint32_t */

/* Slurm reads 'k', times 1024, in keys of 32 bits only, and UNLIMITED as the greatest number. */
int slurm_whole_parse(const char *text, uint32_t most, double *number, struct fathom_error *error)
{
	char *end;

	if (!strcasecmp(text, "UNLIMITED") || !strcasecmp(text, "INFINITE")) {
		*number = most;
		return 0;
	}
	errno = 0;
	*number = (double)strtoul(text, &end, 0);
	if (end > text && most == UINT32_MAX && (*end == 'k' || *end == 'K')) {
		*number *= 1024;
		end++;
	}
	if (end > text && !*end && !errno && !strchr(text, '-') && *number <= most)
		return 0;
	return fathom_error_set(error, EINVAL, "'%.60s' is not a whole number from 0 to %lu", text,
				(unsigned long)most);
}

int slurm_switch_parse(const char *text, double *number, struct fathom_error *error)
{
	/* a word for "no" at even places, for "yes" at odd places */
	static const char *const words[] = { "no", "yes", "down", "up", "false", "true", "0", "1" };
	size_t found = index_of_word(words, COUNT(words), text);

	if (found == COUNT(words))
		return fathom_error_set(error, EINVAL, "'%.60s' is neither yes nor no", text);
	*number = (double)(found % 2);
	return 0;
}

/* ---- times ------------------------------------------------------------------------- */

/* Reads a number and moves *at behind it. -1: it has no digits, or more than 9. */
static int parse_number(const char **at, double *number)
{
	size_t digits = strspn(*at, DIGITS);

	if (!digits || digits > MOST_DIGITS)
		return -1;
	for (*number = 0; digits--; ++*at)
		*number = 10 * *number + (**at - '0');
	return 0;
}

/* Reads one to three numbers with ':' between. The first is hours if there are three or if days
 * come before; else it is minutes. *seconds: rounded up to a whole minute. */
static int parse_clock(const char *at, bool behind_days, double *seconds)
{
	static const double unit[] = { 3600, MINUTE, 1 };
	double number[3], sum = 0;
	size_t count = 0, first;

	if (parse_number(&at, &number[count++]))
		return -1;
	while (*at == ':') {
		at++;
		if (count == 3 || parse_number(&at, &number[count++]))
			return -1;
	}
	first = behind_days || count == 3 ? 0 : 1;
	for (size_t i = 0; i < count; i++)
		sum += number[i] * unit[first + i];
	*seconds = MINUTE * ceil(sum / MINUTE);
	return *at ? -1 : 0;
}

/* Returns whether a text stands for a time without a limit. */
static bool is_unlimited(const char *text)
{
	return !strcasecmp(text, "UNLIMITED") || !strcasecmp(text, "INFINITE") ||
	       !strcmp(text, "-1");
}

/* Reads a time in one of Slurm's forms. */
static int parse_slurm_form(const char *text, double *seconds)
{
	const char *at = text;
	double days = 0;

	*seconds = UNLIMITED;
	if (is_unlimited(text))
		return 0;
	if (!strchr(text, '-'))
		return parse_clock(text, !BEHIND_DAYS, seconds);
	if (parse_number(&at, &days) || *at++ != '-' || parse_clock(at, BEHIND_DAYS, seconds))
		return -1;
	*seconds += days * DAY;
	return 0;
}

/* Reads a number with a unit, or a number of minutes with a fraction, as JSON may have it. The
 * forms of Slurm have been tried before. */
static int parse_with_unit(const char *text, double *seconds)
{
	const char *end;

	if (duration_parse(text, seconds, NULL) || number_parse(text, seconds, &end))
		return -1;
	if (*end)	/* a unit: number_parse() has overwritten the right result */
		return duration_parse(text, seconds, NULL);
	*seconds *= MINUTE;
	return 0;
}

int slurm_time_parse(const char *text, double *seconds, struct fathom_error *error)
{
	if (!parse_slurm_form(text, seconds) || !parse_with_unit(text, seconds))
		return 0;
	return fathom_error_set(error, EINVAL, "'%s' is not a time of slurm.conf; give minutes, or "
				"D-HH:MM:SS, or a number with s, m, h, d or w", text);
}

int slurm_time_parse_strictly(const char *text, double *seconds, struct fathom_error *error)
{
	if (!parse_slurm_form(text, seconds))
		return 0;
	return fathom_error_set(error, EINVAL, "'%s' is not a time that slurmctld reads; give "
				"minutes, or D-HH:MM:SS", text);
}

const char *const slurm_reset_words[SLURM_RESET_COUNT] = {
	[FATHOM_RESET_NONE] = "NONE", [FATHOM_RESET_NOW] = "NOW",
	[FATHOM_RESET_DAILY] = "DAILY", [FATHOM_RESET_WEEKLY] = "WEEKLY",
	[FATHOM_RESET_MONTHLY] = "MONTHLY", [FATHOM_RESET_QUARTERLY] = "QUARTERLY",
	[FATHOM_RESET_YEARLY] = "YEARLY",
};

int slurm_reset_parse(const char *text, enum fathom_reset *period, struct fathom_error *error)
{
	size_t found = index_of_word(slurm_reset_words, SLURM_RESET_COUNT, text);

	if (found == SLURM_RESET_COUNT)
		return fathom_error_set(error, EINVAL, "'%.60s' must be NONE, NOW, DAILY, WEEKLY, "
					"MONTHLY, QUARTERLY or YEARLY", text);
	*period = (enum fathom_reset)found;
	return 0;
}
