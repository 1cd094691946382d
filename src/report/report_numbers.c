/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/report_private.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_DIGITS 5		/* of a whole number */
#define DECIMAL_DIGITS 3	/* of one with four significant decimal digits */
#define MANTISSAS 9000L
#define EXPONENTS 29

char numbers_digit(unsigned int value)
{
	return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[value % 64];
}

/* Returns how many digits whole numbers need; 0: they are not all whole, or too great. */
static int whole_digits(const json_t *list)
{
	double most = 0;
	int digits = 1;

	for (size_t i = 0; i < json_array_size(list); i++) {
		double value = json_number_value(json_array_get(list, i));

		if (!(value >= 0 && value == floor(value)))
			return 0;
		most = fmax(most, value);
	}
	while (digits <= MOST_DIGITS && most >= ldexp(1, 6 * digits))
		digits++;
	return digits <= MOST_DIGITS ? digits : 0;
}

/* Returns the code of a number; -1: it has none. */
static long decimal_code(double value)
{
	char text[32], *e;
	long mantissa, exponent;

	if (!(value >= 0 && value < HUGE_VAL))
		return -1;
	snprintf(text, sizeof(text), "%.3e", value);	/* 1.234e-05 */
	e = strchr(text, 'e');
	exponent = strtol(e + 1, NULL, 10) - 3 - NUMBERS_LEAST_EXPONENT;
	*e = '\0';
	mantissa = lround(1000 * strtod(text, NULL));
	if (!(value > 0) || exponent < 0)
		return 0;
	return exponent < EXPONENTS ? 1 + exponent * MANTISSAS + mantissa - 1000 : -1;
}

static bool has_decimal_codes(const json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (decimal_code(json_number_value(json_array_get(list, i))) < 0)
			return false;
	return true;
}

static bool has_numbers_only(const json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *value = json_array_get(list, i);

		if (!json_is_number(value) && !json_is_null(value))
			return false;
	}
	return true;
}

static void put_digits(char *text, int digits, long code)
{
	for (int i = digits - 1; i >= 0; i--, code /= 64)
		text[i] = numbers_digit((unsigned int)(code % 64));
}

/* whole: digits of each number; 0: they are decimal. */
static json_t *pack(const json_t *list, int whole)
{
	size_t count = json_array_size(list), digits = (size_t)(whole ? whole : DECIMAL_DIGITS);
	char *text = need_zeros(1 + digits * count, 1);
	json_t *packed;

	*text = whole ? (char)('0' + whole) : 'e';
	for (size_t i = 0; i < count; i++) {
		const json_t *value = json_array_get(list, i);
		double number = json_number_value(value);
		char *at = text + 1 + digits * i;

		if (json_is_null(value))
			memset(at, '-', digits);
		else
			put_digits(at, (int)digits, whole ? (long)number : decimal_code(number));
	}
	packed = need_made(json_stringn(text, 1 + digits * count));
	need_free(text);
	return packed;
}

static json_t *numbers_pack(json_t *list)
{
	int whole;

	if (!has_numbers_only(list))
		return json_incref(list);
	whole = whole_digits(list);
	return whole || has_decimal_codes(list) ? pack(list, whole) : json_incref(list);
}

void numbers_pack_key(json_t *object, const char *key)
{
	need_done(json_object_set_new(object, key, numbers_pack(json_object_get(object, key))));
}
