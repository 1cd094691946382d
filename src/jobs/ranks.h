/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranks by value, in the command's memory. */
#pragma once

#include <stddef.h>

/* Returns the ranks of `count` values, see fathom_ranks(). The caller frees them. */
double *ranks_of(const double *value, size_t count);
