/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Usage over time of many accounts, as short as a page needs it. Points that follow each other
 * become one, their mean, and a point is two characters: the digits, in base 64 with the alphabet
 * of RFC 4648, of 0 to 4095 times a unit that the caller chooses. "--" is a value that is not
 * known.
 */
#ifndef REPORT_REPORT_SERIES_H
#define REPORT_REPORT_SERIES_H

#include <jansson.h>
#include <stddef.h>

#define SERIES_STEPS 4095

/* Returns the means of each `group` numbers of the list, as a list; the last group may be shorter.
 * Values of null do not count. */
json_t *series_reduce(const json_t *values, size_t group);
/* Returns a string of the same means, as parts of `most`. */
json_t *series_pack(const json_t *values, size_t group, double most);
/* Returns the greatest mean of a group, or 0. */
double series_most(const json_t *values, size_t group);

#endif
