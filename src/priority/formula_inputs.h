/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values with which a formula was last evaluated, for explanations. */
#pragma once

#include "fathom.h"

/* Returns the value that a name had in the last evaluation; NAN if the name does not occur in the
 * formula. index: as for fathom_formula_uses(). */
double formula_input(struct fathom_formula *formula, size_t index);
