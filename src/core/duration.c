/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads numbers and durations from text, the same in every locale. */
#include "core/duration.h"

#include "core/error.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"

int number_parse(const char *text, double *number, const char **end)
{
	const char *digit = text + (*text == '+' || *text == '-');
	locale_t c;
	char *stop;

	if (!*digit || !strchr(DIGITS ".", *digit) || digit[1] == 'x' || digit[1] == 'X')
		return -1;
	/* strtod() would take the decimal point of the program's locale */
	c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (!c)
		return -1;
	*number = strtod_l(text, &stop, c);
	freelocale(c);
	*end = stop;
	return stop > text && isfinite(*number) ? 0 : -1;
}

static const struct { char unit; double seconds; } units[] = {
	{ 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 }, { 'w', 604800 },
};

/* Sets the error about a text that is not a duration. Returns -1. */
static int refuse(const char *text, struct fathom_error *error)
{
	return fathom_error_set(error, EINVAL,
				"'%s' is not a duration; give seconds, or a number with s, m, h, d "
				"or w, or [D-]HH:MM:SS", text);
}

enum clock_part { HOURS, MINUTES, SECONDS, CLOCK_PARTS };

/* Reads parts of a clock time, as in slurm.conf, into *seconds: from HOURS on "HH", "HH:MM" or
 * "HH:MM:SS", from MINUTES on "MM" or "MM:SS". Hours may have one digit. -1: the text has another
 * form, or a part is too large. */
static int parse_clock(const char *at, enum clock_part first, double *seconds)
{
	static const struct { unsigned limit; double seconds; } parts[CLOCK_PARTS] = {
		[HOURS] = { 24, 3600 }, [MINUTES] = { 60, 60 }, [SECONDS] = { 60, 1 },
	};

	*seconds = 0;
	for (size_t i = first; i < CLOCK_PARTS; i++) {
		size_t digits = strspn(at, DIGITS);
		unsigned value = 0;

		if (digits != 2 && !(digits == 1 && i == HOURS))
			return -1;
		while (digits--)
			value = 10 * value + (unsigned)(*at++ - '0');
		if (value >= parts[i].limit)
			return -1;
		*seconds += value * parts[i].seconds;
		if (!*at)
			return 0;
		if (*at++ != ':')
			return -1;
	}
	return -1;
}

/* Returns the seconds of a unit, 1 for none ("90"); NAN: there is no such unit. */
static double unit_seconds(const char *unit)
{
	if (!*unit)
		return 1;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (*unit == units[i].unit && !unit[1])
			return units[i].seconds;
	return NAN;
}

int duration_parse(const char *text, double *seconds, struct fathom_error *error)
{
	const char *end;
	double number, rest;
	bool is_whole;

	if (*text == '+' || *text == '-' || number_parse(text, &number, &end))
		return refuse(text, error);
	is_whole = text + strspn(text, DIGITS) == end;	/* it has no point and no exponent */
	if (*end == '-' && is_whole && !parse_clock(end + 1, HOURS, &rest))
		*seconds = number * 86400 + rest;
	/* "1:30" is refused: Slurm reads minutes and seconds, others read hours and minutes */
	else if (*end == ':' && is_whole && strchr(end + 1, ':') &&
		 !parse_clock(end + 1, MINUTES, &rest))
		*seconds = number * 3600 + rest;
	else
		*seconds = number * unit_seconds(end);
	return isfinite(*seconds) ? 0 : refuse(text, error);
}
