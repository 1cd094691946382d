/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions and constants that a formula may use: those of Python's math, with
 * Python's meaning. */
#ifndef PRIORITY_FUNCTIONS_H
#define PRIORITY_FUNCTIONS_H

#include <limits.h>
#include <stddef.h>

#define FUNCTION_ANY UINT_MAX

struct function {
	const char *name;
	unsigned least, most;	/* arguments; FUNCTION_ANY: as many as there are */
	/* one of these */
	double (*of_one)(double a);
	double (*of_two)(double a, double b);
	double (*of_many)(const double *a, int count);
};

struct constant {
	const char *name;
	double value;
};

/* NULL: behind the last. */
const struct function *function_at(size_t index);
const struct constant *constant_at(size_t index);

/* The remainder with the divisor's sign: a % b. */
double function_modulo(double a, double b);

#endif
