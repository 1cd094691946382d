/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers and durations as text. */
#pragma once

#include "fathom.h"

/* Reads a decimal number at the start of `text`; the decimal point is '.' in every
 * locale. Leading blanks, "inf", "nan" and "0x..." are refused. *end: the text after
 * the number. -1: `text` does not start with a number. */
int number_parse(const char *text, double *number, const char **end);
/* Reads a duration in seconds: "90", "90s", "5m", "2h", "7d", "4w", "D-HH:MM:SS" or
 * "HH:MM:SS". -1: EINVAL. */
int duration_parse(const char *text, double *seconds, struct fathom_error *error);
