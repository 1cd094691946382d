/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The value of a table's cell: a text, a whole number, a number, or nothing. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define CELL_SIZE 4096	/* bytes of a cell: enough for all TRES of a job, or MOST_WIDTH in UTF-8 */

enum value_kind {
	VALUE_NONE,		/* an empty cell */
	VALUE_INTEGER,
	VALUE_REAL,
	VALUE_TEXT
};

struct value {
	enum value_kind kind;
	/* how a VALUE_REAL is printed: */
	int digits;		/* after the point; if is_short, significant ones */
	bool is_short;		/* by %g, so without zeros at its end */
	bool has_sign;		/* with '+' if it is above 0 */
	int64_t integer;	/* of a VALUE_INTEGER */
	double real;		/* of a VALUE_REAL; of a VALUE_TEXT, the number to sort it by, or
				 * NAN */
	const char *text;	/* of a VALUE_TEXT */
};

/* Returns the value of an empty cell. */
struct value value_none(void);
/* Returns a text, which must live as long as the value; value_none() for NULL. */
struct value value_of_text(const char *text);
struct value value_of_integer(int64_t integer);
/* Returns a number with `digits` digits after the point; value_none() for NAN. */
struct value value_of_real(double real, int digits);
/* Returns a number with up to `digits` significant digits, without zeros at its end, as %g prints
 * it; value_none() for NAN. */
struct value value_of_short(double real, int digits);
/* Returns a number that is rounded to a whole one; value_none() for NAN. */
struct value value_of_whole(double real);
/* Returns a number with six digits after the point, as sshare shows figures; value_none() for
 * NAN. */
struct value value_of_figure(double real);

/* Returns the value as a text, "" for an empty cell. buffer: CELL_SIZE bytes, in which the text may
 * be. */
const char *value_text(const struct value *value, char *buffer);
/* Returns the number to sort by; NAN: there is none. */
double value_number(const struct value *value);
