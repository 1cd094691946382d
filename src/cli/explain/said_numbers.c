/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/explain/said_numbers.h"

#include "core/plural.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define ABOUT 0.05	/* a ratio nearer to 1 is "about" 1 */
#define LEAST_PERCENT 1e-6	/* what decay has left below it is nothing */

/* Puts a comma before each three digits, counted from the end or from the point. */
static struct said with_commas(const char *digits)
{
	struct said said = { "" };
	size_t whole = strcspn(digits, "."), at = 0;

	for (size_t i = 0; digits[i] && at + 2 < sizeof(said.text); i++) {
		if (i && i < whole && (whole - i) % 3 == 0 && digits[i - 1] != '-')
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

struct said say_counted(double count, const char *noun)
{
	struct said said;

	snprintf(said.text, sizeof(said.text), "%.40s %.20s%s", say_count(count).text, noun,
		 PLURAL(round(count)));
	return said;
}

/* Returns the unit of the last of so many digits that matter; USUAL_DIGITS: of the second, or of
 * the third where the first is a 1. */
static double last_unit(double number, int digits)
{
	double first = pow(10, floor(log10(fabs(number))));

	if (digits == USUAL_DIGITS)
		return fabs(number) < 2 * first ? first / 100 : first / 10;
	return first / pow(10, digits - 1);
}

/* Writes a number with the decimals that matter; %g would write 0.000049 as 4.9e-05. */
static struct said say_decimals(double number, int digits)
{
	int most = digits == USUAL_DIGITS ? 3 : digits;
	int decimals = most - 1 - (int)floor(log10(fabs(number)));
	double unit = last_unit(number, digits);
	char text[64], *end;

	snprintf(text, sizeof(text), "%.*f", decimals > 0 ? decimals : 0,
		 unit < 1 && digits != USUAL_DIGITS ? number : round(number / unit) * unit);
	for (end = text + strlen(text);
	     strchr(text, '.') && (end[-1] == '0' || end[-1] == '.'); end--)
		end[-1] = '\0';
	return with_commas(text);
}

struct said say_digits(double number, int digits)
{
	struct said said;

	if (isfinite(number) && fabs(number) >= 1e-9 && fabs(number) < 1e15)
		return say_decimals(number, digits);
	if (number != 0 && isfinite(number))
		snprintf(said.text, sizeof(said.text), "%.*g", digits == USUAL_DIGITS ? 2 : digits,
			 number);
	else
		snprintf(said.text, sizeof(said.text), "%s",
			 isnan(number) ? "unknown" : number == 0 ? "0" : "infinite");
	return said;
}

struct said say_number(double number)
{
	return say_digits(number, USUAL_DIGITS);
}

static bool differ(say_with_digits *say, double one, double other, int digits)
{
	return strcmp(say(one, digits).text, say(other, digits).text);
}

int said_digits(say_with_digits *say, double one, double other)
{
	if (one == other || differ(say, one, other, USUAL_DIGITS))
		return USUAL_DIGITS;
	for (int digits = 3; digits <= MOST_DIGITS; digits++)
		if (differ(say, one, other, digits))
			return digits;
	return USUAL_DIGITS;
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

struct said say_factor(double factor, int digits)
{
	struct said said = say_digits(factor, digits);

	if (factor < 1 && !strcmp(said.text, "1"))
		snprintf(said.text, sizeof(said.text), "just below 1");
	return said;
}

struct said say_points(double points, int digits)
{
	return digits == USUAL_DIGITS ? say_count(points) : say_digits(points, digits);
}

static struct said say_part(double fraction, int digits)
{
	double percent = fraction * 100;
	bool is_usual = digits == USUAL_DIGITS;
	struct said said, number;

	if (fabs(percent) < LEAST_PERCENT)
		percent = 0;
	number = say_digits(is_usual && fabs(percent) >= 10 ? round(percent) : percent, digits);
	if (is_usual && percent < 100 && percent >= 99.5)
		snprintf(number.text, sizeof(number.text), "almost 100");
	snprintf(said.text, sizeof(said.text), "%.50s %%", number.text);
	return said;
}

struct said say_percent(double fraction)
{
	return say_part(fraction, USUAL_DIGITS);
}

struct said say_duration(double seconds)
{
	static const struct { double seconds; const char *name; } units[] = {
		{ 86400, "day" }, { 3600, "hour" }, { 60, "minute" }, { 1, "second" },
	};
	size_t first = 0, count = sizeof(units) / sizeof(*units);
	double whole, rest;
	struct said said;

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
	said = say_counted(whole, units[first].name);
	if (rest > 0 && whole < 30) {	/* after a month, hours do not matter */
		struct said more = say_counted(rest, units[first + 1].name);
		size_t length = strlen(said.text);

		snprintf(said.text + length, sizeof(said.text) - length, " %.20s", more.text);
	}
	return said;
}

struct said say_times_share(double times, int digits)
{
	bool is_usual = digits == USUAL_DIGITS;
	struct said said;

	if (isnan(times))
		snprintf(said.text, sizeof(said.text), "an unknown part of its share");
	else if (times == 0)
		snprintf(said.text, sizeof(said.text), "nothing");
	else if (times == 1 && !is_usual)
		snprintf(said.text, sizeof(said.text), "exactly its share");
	else if (is_usual && fabs(times - 1) < ABOUT)
		snprintf(said.text, sizeof(said.text), "about its share");
	else if (times < 1)
		snprintf(said.text, sizeof(said.text), "%.40s of its share",
			 say_part(times, digits).text);
	else
		snprintf(said.text, sizeof(said.text), "%.40s times its share",
			 say_digits(times, is_usual ? USUAL_DIGITS : digits + 1).text);
	return said;
}
