/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints errors and remarks. */
#include "cli/complain.h"

#include "cli/progress.h"
#include "core/utf8.h"
#include "document/document.h"

#include <stdarg.h>
#include <stdio.h>

static void say(const char *format, va_list arguments)
{
	char text[4096];

	vsnprintf(text, sizeof(text), format, arguments);
	/* keep it one line, and keep escape sequences in files from the terminal */
	progress_hide();
	fprintf(stderr, "fathom: %s\n", utf8_make_plain(text));
}

int complain(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(format, arguments);
	va_end(arguments);
	return EXIT_WRONG;
}

int complain_of_failure(const struct failure *failure)
{
	const char *name = failure->name && !*failure->name ? "''" : failure->name;

	if (!name)
		return complain("%s", failure->error.text);
	if (failure->line)
		return complain("%s:%zu: %s", name, failure->line, failure->error.text);
	return complain("%s: %s", name, failure->error.text);
}

int complain_without_libslurm(const char *option)
{
	return complain("%s: must be given, this fathom is built without libslurm", option);
}

void remark(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(format, arguments);
	va_end(arguments);
}
