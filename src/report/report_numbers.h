/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of numbers, as short as a page needs them. A list becomes a text of digits in base 64, with
 * the alphabet of RFC 4648; "-" in all digits of a number is null. The first character says how the
 * others are read:
 *
 *	"2AAABBA--"	whole numbers of two digits: 0, 1, 64, null
 *	"eAAAaaR---"	numbers with four significant decimal digits: 0 is AAA; m * 10^e, with m
 *			1000 to 9999 and e NUMBERS_LEAST_EXPONENT and above, is
 *			1 + (e - NUMBERS_LEAST_EXPONENT) * 9000 + m - 1000
 */
#pragma once

#include <jansson.h>

#define NUMBERS_LEAST_EXPONENT (-21)

/* Replaces a list of numbers and nulls under a key by its text, unless a number does not fit: below
 * 0, or 1e11 and above. Below 1e-18 it is 0. */
void numbers_pack_key(json_t *object, const char *key);

/* The digit of a value below 64. */
char numbers_digit(unsigned int value);
