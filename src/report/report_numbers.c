/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packs lists of numbers into texts; report_private.h shows the code of a number. */
#include "report/report_private.h"

#include <stdio.h>
#include <stdlib.h>

/* digits in base 64 */
#define MOST_DIGITS 5		/* of a whole number */
#define DECIMAL_DIGITS 3	/* of a number with four significant decimal digits */

#define MANTISSAS 9000L		/* 1000 to 9999 */
#define EXPONENTS 29		/* 29 * 9000 codes and 0 fit into three digits, 64^3 */

char numbers_digit(unsigned int value)
{
	return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[value % 64];
}

/* Returns how many digits each number of the list needs as a whole number; 0: some number is not
 * whole, is below 0, or is too great. */
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

/* Returns the decimal code of a number, see report_private.h; 0 if the number is too small; -1: it
 * has no code, as it is below 0 or too great. */
static long decimal_code(double value)
{
	char text[32], *e;
	long mantissa, exponent;

	if (!(value >= 0 && value < HUGE_VAL))
		return -1;
	snprintf(text, sizeof(text), "%.3e", value);	/* 1.234e-05, which is 1234 * 10^-8 */
	e = strchr(text, 'e');
	exponent = strtol(e + 1, NULL, 10) - 3 - NUMBERS_LEAST_EXPONENT;
	*e = '\0';
	mantissa = lround(1000 * strtod(text, NULL));
	if (!(value > 0) || exponent < 0)
		return 0;
	/* codes from 1 on: MANTISSAS for each exponent */
	return exponent < EXPONENTS ? 1 + exponent * MANTISSAS + (mantissa - 1000) : -1;
}

/* Returns whether each number of the list has a decimal code. */
static bool has_decimal_codes(const json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (decimal_code(json_number_value(json_array_get(list, i))) < 0)
			return false;
	return true;
}

bool numbers_only(const json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *value = json_array_get(list, i);

		if (!json_is_number(value) && !json_is_null(value))
			return false;
	}
	return json_is_array(list);
}

/* Writes a code in base 64, the highest digit first. */
static void put_digits(char *text, int digits, long code)
{
	for (int i = digits - 1; i >= 0; i--, code /= 64)
		text[i] = numbers_digit((unsigned int)(code % 64));
}

/* Returns the text of a list of numbers and nulls. whole: how many digits each whole number gets;
 * 0: numbers get decimal codes. */
static json_t *pack_list(const json_t *list, int whole)
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

/* Returns the text of a list, or a new reference to the list if a number has no code. */
static json_t *numbers_pack(json_t *list)
{
	int whole;

	if (!numbers_only(list))
		return json_incref(list);
	whole = whole_digits(list);
	return whole || has_decimal_codes(list) ? pack_list(list, whole) : json_incref(list);
}

void numbers_pack_key(json_t *object, const char *key)
{
	need_done(json_object_set_new(object, key, numbers_pack(json_object_get(object, key))));
}
