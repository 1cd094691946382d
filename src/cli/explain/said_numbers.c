/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/explain/said_numbers.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define ABOUT 0.05	/* a ratio nearer to 1 is "about" 1 */

/* Puts a comma before each three digits, counted from the end. */
static struct said with_commas(const char *digits)
{
	struct said said = { "" };
	size_t length = strlen(digits), at = 0;

	for (size_t i = 0; i < length && at + 2 < sizeof(said.text); i++) {
		if (i && (length - i) % 3 == 0 && digits[i - 1] != '-')
			said.text[at++] = ',';
		said.text[at++] = digits[i];
	}
	return said;
}

struct said say_count(double count)
{
	char digits[48];

	if (!(fabs(count) < 1e18))
		return say_number(count);
	snprintf(digits, sizeof(digits), "%.0f", count);
	return with_commas(strcmp(digits, "-0") ? digits : "0");
}

/* Rounds to two digits that matter, or three where the first is a 1. */
static double rounded(double number)
{
	double unit = pow(10, floor(log10(fabs(number))) - 1);

	if (fabs(number) / unit < 20)
		unit /= 10;
	return round(number / unit) * unit;
}

struct said say_number(double number)
{
	struct said said;

	if (number == 0 || !isfinite(number)) {
		snprintf(said.text, sizeof(said.text), "%s",
			 isnan(number) ? "unknown" : number == 0 ? "0" : "infinite");
		return said;
	}
	if (fabs(number) >= 100 && fabs(number) < 1e15)
		return say_count(rounded(number));
	if (fabs(number) >= 1e15 || fabs(number) < 1e-9)
		snprintf(said.text, sizeof(said.text), "%.2g", number);
	else {
		/* %g would write 0.000049 as 4.9e-05 */
		int decimals = 2 - (int)floor(log10(fabs(number)));
		char *end;

		snprintf(said.text, sizeof(said.text), "%.*f", decimals > 0 ? decimals : 0,
			 rounded(number));
		for (end = said.text + strlen(said.text);
		     strchr(said.text, '.') && (end[-1] == '0' || end[-1] == '.'); end--)
			end[-1] = '\0';
	}
	return said;
}

struct said say_ordinal(size_t number)
{
	static const char *const endings[] = { "th", "st", "nd", "rd" };
	size_t last = number % 10;
	bool is_teen = number / 10 % 10 == 1;
	struct said said = say_count((double)number);

	strcat(said.text, endings[!is_teen && last < 4 ? last : 0]);
	return said;
}

struct said say_factor(double factor)
{
	struct said said = say_number(factor);

	if (factor < 1 && !strcmp(said.text, "1"))
		snprintf(said.text, sizeof(said.text), "just below 1");
	return said;
}

struct said say_percent(double fraction)
{
	double percent = fraction * 100;
	struct said said, number = say_number(fabs(percent) >= 10 ? round(percent) : percent);

	if (percent < 100 && percent >= 99.5)
		snprintf(number.text, sizeof(number.text), "almost 100");
	snprintf(said.text, sizeof(said.text), "%.50s %%", number.text);
	return said;
}

struct said say_duration(double seconds)
{
	static const struct { double seconds; const char *name; } units[] = {
		{ 86400, "day" }, { 3600, "hour" }, { 60, "minute" }, { 1, "second" },
	};
	size_t first = 0, count = sizeof(units) / sizeof(*units);
	double whole, rest;
	struct said said;
	int length;

	seconds = round(seconds);
	while (first + 1 < count && seconds < units[first].seconds)
		first++;
	whole = floor(seconds / units[first].seconds);
	rest = first + 1 < count
		       ? round((seconds - whole * units[first].seconds) / units[first + 1].seconds)
		       : 0;
	if (first + 1 < count && rest * units[first + 1].seconds >= units[first].seconds) {
		whole++;
		rest = 0;
	}
	length = snprintf(said.text, sizeof(said.text), "%.20s %s%s", say_count(whole).text,
			  units[first].name, whole == 1 ? "" : "s");
	if (rest > 0 && whole < 30)	/* after a month, hours do not matter */
		snprintf(said.text + length, sizeof(said.text) - (size_t)length, " %.0f %s%s", rest,
			 units[first + 1].name, rest == 1 ? "" : "s");
	return said;
}

struct said say_times_share(double times)
{
	struct said said;

	if (isnan(times))
		snprintf(said.text, sizeof(said.text), "an unknown part of its share");
	else if (times == 0)
		snprintf(said.text, sizeof(said.text), "nothing");
	else if (fabs(times - 1) < ABOUT)
		snprintf(said.text, sizeof(said.text), "about its share");
	else if (times < 1)
		snprintf(said.text, sizeof(said.text), "%.40s of its share",
			 say_percent(times).text);
	else
		snprintf(said.text, sizeof(said.text), "%.40s times its share",
			 say_number(times).text);
	return said;
}
