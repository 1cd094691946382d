/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CORE_DURATION_H
#define CORE_DURATION_H

#include "fathom.h"

/* A decimal number at the start of `text`, with a point in every locale; no
 * blanks before it, no "inf", "nan" or "0x". `end`: what follows. -1: none. */
int number_parse(const char *text, double *number, const char **end);
/* "90", "90s", "5m", "2h", "7d", "4w", "D-HH:MM:SS" or "HH:MM:SS" to seconds; -1: EINVAL. */
int duration_parse(const char *text, double *seconds, struct fathom_error *error);

#endif
