/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the values of cells, and writes them as text. */
#include "relation/value.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

struct value value_none(void)
{
	return (struct value){ .kind = VALUE_NONE, .real = (double)NAN };
}

struct value value_of_text(const char *text)
{
	return (struct value){ .kind = text ? VALUE_TEXT : VALUE_NONE, .text = text,
			       .real = (double)NAN };
}

struct value value_of_integer(int64_t integer)
{
	return (struct value){ .kind = VALUE_INTEGER, .integer = integer };
}

struct value value_of_real(double real, int digits)
{
	return (struct value){ .kind = isnan(real) ? VALUE_NONE : VALUE_REAL, .real = real,
			       .digits = digits };
}

struct value value_of_short(double real, int digits)
{
	struct value value = value_of_real(real, digits);

	value.is_short = true;
	return value;
}

struct value value_of_whole(double real)
{
	return value_of_real(real, 0);
}

struct value value_of_figure(double real)
{
	return value_of_real(real, 6);
}

const char *value_text(const struct value *value, char *buffer)
{
	switch (value->kind) {
	case VALUE_TEXT:
		return value->text;
	case VALUE_INTEGER:
		snprintf(buffer, CELL_SIZE, "%" PRId64, value->integer);
		return buffer;
	case VALUE_REAL:
		snprintf(buffer, CELL_SIZE, value->is_short ? "%s%.*g" : "%s%.*f",
			 value->has_sign && value->real > 0 ? "+" : "", value->digits, value->real);
		return buffer;
	default:
		return "";
	}
}

double value_number(const struct value *value)
{
	return value->kind == VALUE_INTEGER ? (double)value->integer : value->real;
}
