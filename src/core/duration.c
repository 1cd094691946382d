/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/duration.h"

#include "core/error.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

	if (strspn(digit, "0123456789") < 2)
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

int duration_parse(const char *text, double *seconds, struct fathom_error *error)
{
	char *end;
	double number, rest;

	if (!strchr("0123456789.", *text) || !*text)
		return wrong(text, error);
	number = strtod(text, &end);
	if (!isfinite(number) || strpbrk(text, "xXpP"))
		return wrong(text, error);
	*seconds = number;
	if (!*end)
		return 0;
	if (*end == '-') {
		if (clock_time(end + 1, &rest))
			return wrong(text, error);
		*seconds = number * 86400 + rest;
		return 0;
	}
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (*end != units[i].unit || end[1])
			continue;
		*seconds = number * units[i].seconds;
		return 0;
	}
	return wrong(text, error);
}
