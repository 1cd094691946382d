/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads plain values of JSON fast. */
#ifndef FORMAT_JSON_PLAIN_H
#define FORMAT_JSON_PLAIN_H

#include <jansson.h>

/* Reads a value of ASCII without escapes, objects with short keys, not deep, and moves *at behind
 * it. NULL: the value is not plain, or is wrong; jansson can tell. The text ends with NUL. */
json_t *json_plain_read(const char **at);

#endif
