/* SPDX-License-Identifier: GPL-2.0-or-later */
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

static int wrong(const char *text, struct fathom_error *error)
{
	return fathom_error_set(error, EINVAL,
				"'%s' is not a duration; give seconds, or a number with s, m, h, d "
				"or w, or D-HH:MM:SS", text);
}

static int two_digits(const char **at, unsigned limit, double *value)
{
	const char *digit = *at;

	if (strspn(digit, DIGITS) < 2)
		return -1;
	*value = (digit[0] - '0') * 10 + (digit[1] - '0');
	*at += 2;
	return *value < limit ? 0 : -1;
}

/* What follows "D-". */
static int clock_time(const char *at, double *seconds)
{
	double hours, minutes, rest;

	if (two_digits(&at, 24, &hours) || *at++ != ':' || two_digits(&at, 60, &minutes) ||
	    *at++ != ':' || two_digits(&at, 60, &rest) || *at)
		return -1;
	*seconds = hours * 3600 + minutes * 60 + rest;
	return 0;
}

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

	if (*text == '+' || *text == '-' || number_parse(text, &number, &end))
		return wrong(text, error);
	if (*end == '-') {
		if (text + strspn(text, DIGITS) != end || clock_time(end + 1, &rest))
			return wrong(text, error);
		*seconds = number * 86400 + rest;
		return 0;
	}
	*seconds = number * unit_seconds(end);
	return isfinite(*seconds) ? 0 : wrong(text, error);
}
