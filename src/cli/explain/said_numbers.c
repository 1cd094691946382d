/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/explain/said_numbers.h"

#include "core/plural.h"
#include "memory/need_memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROUNDING 1e-9	/* a part of a unit that is less is rounding: 0.29 / 0.01 is below 29 */
#define ABOUT 0.05	/* a ratio nearer to 1 is "about" 1 */
#define LEAST_PERCENT 1e-6	/* a smaller rest of usage, left by decay, is said as 0 % */

/* Returns a number with a comma before each three digits, counted back from the point or the end:
 * "-1234567.25" becomes "-1,234,567.25". */
static const char *with_commas(const char *digits)
{
	char *said = need_zeros(2 * strlen(digits), 1);
	size_t whole = strcspn(digits, ".");	/* length of the part before the point */
	size_t length = 0;

	for (size_t i = 0; digits[i]; i++) {
		if (i && i < whole && (whole - i) % 3 == 0 && digits[i - 1] != '-')
			said[length++] = ',';
		said[length++] = digits[i];
	}
	return said;
}

const char *say_count(double count)
{
	char digits[48];

	if (!(fabs(count) < 1e18))	/* also NAN */
		return say_number(count);
	snprintf(digits, sizeof(digits), "%.0f", count);
	return with_commas(strcmp(digits, "-0") ? digits : "0");
}

const char *say_usage(double seconds, bool in_hours)
{
	return in_hours ? say_number(seconds / HOUR) : say_count(seconds);
}

const char *say_counted(double count, const char *noun)
{
	return need_print("%s %s%s", say_count(count), noun, PLURAL(round(count)));
}

/* Returns the unit of the last digit that is said: of the second digit with USUAL_DIGITS, or of the
 * third if the first is a 1. Of 47.3 it is 1, of 17.3 it is 0.1. number: not 0. */
static double last_unit(double number, int digits)
{
	double first = pow(10, floor(log10(fabs(number))));

	if (digits == USUAL_DIGITS)
		return fabs(number) < 2 * first ? first / 100 : first / 10;
	return first / pow(10, digits - 1);
}

/* Cuts zeros off the end of decimals, and the point if none are left. */
static void cut_zeros(char *text)
{
	char *end = text + strlen(text);

	while (strchr(text, '.') && (end[-1] == '0' || end[-1] == '.'))
		*--end = '\0';
}

/* Returns a number with `digits` significant digits and no exponent, as %g would write 0.000049 as
 * 4.9e-05. number: its absolute value is from 1e-9 to 1e15. */
static const char *say_decimals(double number, int digits)
{
	bool is_usual = digits == USUAL_DIGITS;
	int most = is_usual ? 3 : digits;	/* significant digits that last_unit() leaves */
	int decimals = most - 1 - (int)floor(log10(fabs(number)));
	double unit = last_unit(number, digits);
	/* printf() rounds exactly, but neither to tens nor to the two or three of USUAL_DIGITS */
	bool is_rounded_by_printf = unit < 1 && !is_usual;
	char text[64];

	snprintf(text, sizeof(text), "%.*f", decimals > 0 ? decimals : 0,
		 is_rounded_by_printf ? number : round(number / unit) * unit);
	cut_zeros(text);
	return with_commas(text);
}

const char *say_digits(double number, int digits)
{
	if (isfinite(number) && fabs(number) >= 1e-9 && fabs(number) < 1e15)
		return say_decimals(number, digits);
	if (number != 0 && isfinite(number))
		return need_print("%.*g", digits == USUAL_DIGITS ? 2 : digits, number);
	return isnan(number) ? "unknown" : number == 0 ? "0" : "infinite";
}

const char *say_number(double number)
{
	return say_digits(number, USUAL_DIGITS);
}

/* Returns whether two numbers make different texts. */
static bool have_different_texts(say_with_digits *say, double one, double other, int digits)
{
	return strcmp(say(one, digits), say(other, digits));
}

int said_digits(say_with_digits *say, double one, double other)
{
	if (one == other || have_different_texts(say, one, other, USUAL_DIGITS))
		return USUAL_DIGITS;
	for (int digits = 3; digits <= MOST_DIGITS; digits++)
		if (have_different_texts(say, one, other, digits))
			return digits;
	return USUAL_DIGITS;
}

const char *say_at_most(double number)
{
	double unit = number > 0 ? last_unit(number, USUAL_DIGITS) : 1;

	return say_number(floor(number / unit + ROUNDING) * unit);
}

const char *say_ordinal(size_t number)
{
	static const char *const endings[] = { "th", "st", "nd", "rd" };
	size_t last = number % 10;
	bool is_teen = number / 10 % 10 == 1;

	return need_print("%s%s", say_count((double)number),
			  endings[!is_teen && last < 4 ? last : 0]);
}

const char *say_factor(double factor, int digits)
{
	const char *said = say_digits(factor, digits);

	return factor < 1 && !strcmp(said, "1") ? "just below 1" : said;
}

const char *say_points(double points, int digits)
{
	return digits == USUAL_DIGITS ? say_count(points) : say_digits(points, digits);
}

/* Returns a fraction in percent: "12 %". From 10 % on, the usual digits are whole percents. */
static const char *say_part(double fraction, int digits)
{
	double percent = fraction * 100;
	bool is_usual = digits == USUAL_DIGITS;

	if (is_usual && percent >= 99.5 && percent < 100)
		return "almost 100 %";
	if (fabs(percent) < LEAST_PERCENT)
		percent = 0;
	if (is_usual && fabs(percent) >= 10)
		percent = round(percent);
	return need_print("%s %%", say_digits(percent, digits));
}

const char *say_percent(double fraction)
{
	return say_part(fraction, USUAL_DIGITS);
}

/* A unit of time. */
struct unit {
	double seconds;
	const char *name;
};

/* Returns the greatest unit that is not more than a number of seconds, or that of a second. The
 * element behind the unit is the next smaller unit; a second has none. */
static const struct unit *unit_of(double seconds)
{
	static const struct unit units[] = {
		{ 86400, "day" }, { 3600, "hour" }, { 60, "minute" }, { 1, "second" },
	};
	const struct unit *unit = units;

	while (unit->seconds > 1 && seconds < unit->seconds)
		unit++;
	return unit;
}

const char *say_duration(double seconds)
{
	const struct unit *unit = unit_of(round(seconds)), *smaller;
	/* from 30 days on, say, hours do not matter */
	bool has_rest = unit->seconds > 1 && seconds < 30 * unit->seconds;
	double step = has_rest ? unit[1].seconds : unit->seconds, whole, rest;

	seconds = round(seconds / step) * step;
	unit = unit_of(seconds);	/* another one if 59.9 minutes have become an hour */
	smaller = unit + 1;
	whole = floor(seconds / unit->seconds);
	rest = seconds - whole * unit->seconds;
	if (rest == 0)
		return say_counted(whole, unit->name);
	return need_print("%s %s", say_counted(whole, unit->name),
			  say_counted(rest / smaller->seconds, smaller->name));
}

const char *say_times_share(double times, int digits)
{
	bool is_usual = digits == USUAL_DIGITS;

	if (isnan(times))
		return "an unknown part of its share";
	if (times == 0)
		return "nothing";
	if (times == 1 && !is_usual)
		return "exactly its share";
	if (is_usual && fabs(times - 1) < ABOUT)
		return "about its share";
	if (times < 1)
		return need_print("%s of its share", say_part(times, digits));
	/* with one digit more, the last digit stands for the same on both sides of 1: in 99.9 % and
	 * in 1.001 for a thousandth */
	return need_print("%s times its share",
			  say_digits(times, is_usual ? USUAL_DIGITS : digits + 1));
}
