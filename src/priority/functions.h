/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions and constants that a formula may use: built-in functions of Python and
 * functions of its math module, with the same meaning. */
#pragma once

#include <limits.h>
#include <stddef.h>

#define FUNCTION_ANY UINT_MAX	/* any number of arguments */

struct function {
	const char *name;
	/* number of arguments; most FUNCTION_ANY: no limit; both 0: it is a constant */
	unsigned least, most;
	/* one of these is not NULL, unless it is a constant: */
	double (*of_one)(double a);
	double (*of_two)(double a, double b);
	double (*of_many)(const double *a, int count);
	double value;		/* of a constant */
};

/* Returns a function or a constant; NULL after the last one. */
const struct function *function_at(size_t index);

/* Returns a % b of Python: the remainder, with the sign of b. NAN for b = 0. */
double function_modulo(double a, double b);
