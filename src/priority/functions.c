/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions and constants of formulas, in one table. */
#include "priority/functions.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_DIGITS 323		/* after the point; the least double above 0 is 4.9e-324 */

/* Returns the least argument; NAN if an argument is NAN, where in Python it depends on the
 * order. */
static double minimum(const double *a, int count)
{
	double least = a[0];

	for (int i = 1; i < count; i++)
		if (isnan(a[i]) || a[i] < least)
			least = a[i];
	return least;
}

/* Returns the greatest argument; NAN if an argument is NAN. */
static double maximum(const double *a, int count)
{
	double greatest = a[0];

	for (int i = 1; i < count; i++)
		if (isnan(a[i]) || a[i] > greatest)
			greatest = a[i];
	return greatest;
}

/* Returns log(x), the natural logarithm, or log(x, base). */
static double logarithm(const double *a, int count)
{
	return count > 1 ? log(a[0]) / log(a[1]) : log(a[0]);
}

/* Returns round(x), round(x, digits): as in Python, rounds the exact value of the double, so that
 * 2.675 becomes 2.67, and halves to the even neighbour. Negative digits are before the point. */
static double round_to_digits(const double *a, int count)
{
	double digits = count > 1 ? trunc(a[1]) : 0, scale;
	char text[MOST_DIGITS + 32];

	if (digits > MOST_DIGITS || (digits > 0 && !(fabs(a[0]) < 1 / DBL_EPSILON)))
		return a[0];	/* a double has no digits there */
	if (digits > 0) {
		/* right in any locale: strtod() reads what snprintf() writes */
		snprintf(text, sizeof(text), "%.*f", (int)digits, a[0]);
		return strtod(text, NULL);
	}
	if (digits < -DBL_MAX_10_EXP)
		return 0 * a[0];	/* 0 with the sign of x; NAN for infinity */
	scale = pow(10, -digits);
	return rint(a[0] / scale) * scale;
}

/* float(x): all values are floating-point numbers already. */
static double identity(double a)
{
	return a;
}

static double degrees(double radians)
{
	return radians * (180 / M_PI);
}

static double radians(double degrees)
{
	return degrees * (M_PI / 180);
}

double function_modulo(double a, double b)
{
	double rest = fmod(a, b);

	return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

#define ONE(name, function) { name, 1, 1, .of_one = function }
#define TWO(name, function) { name, 2, 2, .of_two = function }
#define CONSTANT(name, number) { name, 0, 0, .value = number }

static const struct function functions[] = {
	ONE("abs", fabs), ONE("acos", acos), ONE("asin", asin), ONE("atan", atan),
	TWO("atan2", atan2), ONE("ceil", ceil), ONE("cos", cos), ONE("cosh", cosh),
	ONE("degrees", degrees), ONE("exp", exp), ONE("fabs", fabs), ONE("float", identity),
	ONE("floor", floor), TWO("fmod", fmod),
	TWO("hypot", hypot), ONE("int", trunc), { "log", 1, 2, .of_many = logarithm },
	ONE("log10", log10), ONE("log2", log2), { "max", 2, FUNCTION_ANY, .of_many = maximum },
	{ "min", 2, FUNCTION_ANY, .of_many = minimum }, TWO("pow", pow), ONE("radians", radians),
	{ "round", 1, 2, .of_many = round_to_digits }, ONE("sin", sin), ONE("sinh", sinh),
	ONE("sqrt", sqrt), ONE("tan", tan), ONE("tanh", tanh), ONE("trunc", trunc),
	CONSTANT("e", M_E), CONSTANT("pi", M_PI),
};

const struct function *function_at(size_t index)
{
	return index < sizeof(functions) / sizeof(*functions) ? &functions[index] : NULL;
}
