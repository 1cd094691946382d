/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers and durations as text. */
#pragma once

#include "fathom.h"

/* Reads a finite decimal number at the start of `text` into *number; the decimal point is
 * '.' in every locale. Leading blanks, "inf", "nan" and "0x..." are refused. *end: the text
 * after the number. -1: `text` does not start with such a number, or there is no memory for
 * the locale. */
int number_parse(const char *text, double *number, const char **end);
/* Reads a duration, which is the whole text, into *seconds: "90" (seconds), "90s", "5m", "1.5h",
 * "7d" or "4w"; or "D-HH", "D-HH:MM", "D-HH:MM:SS" or "HH:MM:SS". "1:30" is refused, as some read
 * minutes and seconds, others hours and minutes. -1: EINVAL, the error's text says what would be
 * right; *seconds may have changed. */
int duration_parse(const char *text, double *seconds, struct fathom_error *error);
