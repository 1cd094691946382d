/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fills errors: the code, the row of the input that is wrong, and the text. */
#include "core/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

/* Fills all members of an error, unless it is NULL; cuts a text that is too long. */
static void fill(struct fathom_error *error, int code, size_t row, const char *format,
		 va_list arguments)
{
	if (!error)
		return;
	error->code = code;
	error->row = row;
	vsnprintf(error->text, sizeof(error->text), format, arguments);
}

int fathom_error_set(struct fathom_error *error, int code, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fill(error, code, FATHOM_NO_ROW, format, arguments);
	va_end(arguments);
	return -1;
}

int fathom_error_set_row(struct fathom_error *error, int code, size_t row, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fill(error, code, row, format, arguments);
	va_end(arguments);
	return -1;
}

int fathom_error_no_memory(struct fathom_error *error)
{
	return fathom_error_set(error, ENOMEM, "out of memory");
}
