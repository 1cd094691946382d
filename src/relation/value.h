/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a cell of a table has: a text, a whole number, a number, or nothing. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define CELL_SIZE 4096	/* bytes of a cell: enough for all TRES of a job, or MOST_WIDTH in UTF-8 */

enum value_kind { VALUE_NONE, VALUE_INTEGER, VALUE_REAL, VALUE_TEXT };

struct value {
	enum value_kind kind;
	int digits;		/* of a VALUE_REAL: after the point, or with is_short in all */
	bool is_short;		/* a VALUE_REAL without zeros at its end, as %g prints it */
	bool has_sign;		/* '+' before a VALUE_REAL above 0 */
	int64_t integer;
	double real;		/* of a VALUE_TEXT: the number to sort it by, or NAN */
	const char *text;
};

/* Makes values. NULL and NAN are none. */
struct value value_none(void);
struct value value_of_text(const char *text);
struct value value_of_integer(int64_t integer);
struct value value_of_real(double real, int digits);
/* With so many digits in all, and no zeros at the end. */
struct value value_of_short(double real, int digits);
/* With no digits after the point. */
struct value value_of_whole(double real);
/* With six digits after the point, as sshare shows figures. */
struct value value_of_figure(double real);

/* Returns the value as a text, in `buffer` of CELL_SIZE or elsewhere; "" for none. */
const char *value_text(const struct value *value, char *buffer);
/* Returns the number to sort by; NAN: none. */
double value_number(const struct value *value);
