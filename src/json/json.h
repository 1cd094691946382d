/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes JSON piece by piece into a stream, without building values in memory
 * first. The caller checks ferror() at the end. LC_NUMERIC must be "C".
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

/* Begins an object that is a whole document: writes the brace, and its format and version. */
void json_begin(FILE *out, const char *format, int version);
/* Writes text as it is, such as punctuation. */
void json_put(FILE *out, const char *text);
/* Writes a string with quotes and escapes; NULL is written as null. Bytes that are not UTF-8 become
 * U+FFFD. */
void json_put_string(FILE *out, const char *text);
void json_put_integer(FILE *out, int64_t value);
/* Writes a number; infinity is written as "inf", NAN as null. */
void json_put_number(FILE *out, double value);

/* Writes a text with values, without other conversions than these: %s, as json_put_string() writes
 * it; %g, as json_put_number() does; %zu and %lld, integers. */
void json_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Write a comma, a key without special characters, and its value. */
void json_put_text_key(FILE *out, const char *key, const char *value);
void json_put_number_key(FILE *out, const char *key, double value);
/* time: seconds since 1970; written in UTC as in ISO 8601, "2023-11-14T22:13:20Z"; null if it is
 * infinite or NAN, or the year does not fit the C library's int. */
void json_put_instant_key(FILE *out, const char *key, double time);
