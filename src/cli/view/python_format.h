/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values and format strings as Python prints them, for tools that are written in it:
 *
 *	"{bank_id:<8} | {bank:>12}"	of 2 and A:	"2        |            A"
 *
 * Behind the colon of a field, fill, alignment, width and precision are known.
 */
#pragma once

#include "relation/columns.h"

#define PYTHON_SIZE 800		/* bytes of a number as text */

/* A row of a table that fields of a format name. Of struct column only the name counts. */
struct python_row {
	const struct column *column;
	const struct value *value;	/* NULL: the names themselves, as a header */
	size_t count;
};

/* Returns a value as Python prints it, in `buffer` of PYTHON_SIZE or elsewhere; "-" for
 * VALUE_NONE. */
const char *python_str(const struct value *value, char *buffer);
/* Prints a text as Python's json.dumps does: in quotes, with escapes for all but printable
 * ASCII. */
void python_json_string(const char *text);
/* Returns a number rounded to so many decimals. */
double python_round(double value, int decimals);
/* Returns how many characters, not bytes, a text has. */
int python_length(const char *text);
/* Prints a text with blanks up to a width, in characters: on the right if the width is negative. */
void python_pad(const char *text, int width);

/* Refuses a format with a wrong field, or one that is not the name of a column. option: that gave
 * the format, such as "--format". */
void python_format_check(const char *format, const char *option, const struct column *column,
			 size_t count);
/* Prints a row and a line end. The format must have been checked. */
void python_format_print(const char *format, const struct python_row *row);
