/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranks by value, such as users by factor and jobs by priority. */
#ifndef EVALUATE_RANKS_H
#define EVALUATE_RANKS_H

#include "fathom.h"

/*
 * Fills rank[] with 1 plus the number of greater values, so that equal values share a rank and
 * the ranks after it are skipped: 1, 2, 2, 4. Values are equal if they differ by less than
 * 1e-12 of the greater one, as in the documented ties of fair-tree. NAN has no rank and does
 * not count: its rank is NAN. Both arrays have `count` elements. -1: ENOMEM.
 */
int ranks_fill(double *rank, const double *value, size_t count, struct fathom_error *error);

#endif
