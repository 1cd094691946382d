/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranks by value, such as users by factor and jobs by priority. */
#pragma once

#include <stddef.h>

/*
 * Returns 1 plus the number of greater values for each of `count` values, so that equal values
 * share a rank and the ranks after it are skipped: 1, 2, 2, 4. Values are equal if they differ by
 * less than 1e-12 of the greater one, as in the documented ties of fair-tree. NAN has no rank and
 * does not count: its rank is NAN. The caller frees the ranks.
 */
double *ranks_of(const double *value, size_t count);
