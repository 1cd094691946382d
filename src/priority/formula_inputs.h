/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values from which a formula was computed, for explanations. */
#pragma once

#include "fathom.h"

/* Returns the value that a name which occurs in the formula had in the last evaluation. index: as
 * for fathom_formula_uses(). */
double formula_input(struct fathom_formula *formula, size_t index);
