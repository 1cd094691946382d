/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/complain.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void say(const char *format, va_list arguments)
{
	char text[4096];

	/* one call, so that lines of several processes do not mix */
	vsnprintf(text, sizeof(text), format, arguments);
	fprintf(stderr, "fathom: %s\n", text);
}

int complain(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(format, arguments);
	va_end(arguments);
	return EXIT_WRONG;
}

void remark(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(format, arguments);
	va_end(arguments);
}

int finish_output(int status)
{
	int failed = ferror(stdout);

	errno = 0;
	if (fclose(stdout) || failed)
		return complain("standard output: %s", errno ? strerror(errno) : "cannot be written");
	return status;
}
