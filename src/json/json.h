/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON written as it goes: a million associations want no tree of values.
 * Whether all of it arrived, ferror() tells at the end. LC_NUMERIC has to be
 * that of "C".
 */
#ifndef JSON_JSON_H
#define JSON_JSON_H

#include <stdint.h>
#include <stdio.h>

void json_put(FILE *out, const char *text);		/* as it is */
void json_put_string(FILE *out, const char *text);	/* NULL: null */
void json_put_integer(FILE *out, int64_t value);
/* JSON knows neither infinity, which is "inf", nor NAN: null. */
void json_put_number(FILE *out, double value);

/* With the comma before it. */
void json_put_text_key(FILE *out, const char *key, const char *value);
void json_put_number_key(FILE *out, const char *key, double value);

#endif
