/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "format/accounting/accounted_job.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

void wrong_job(struct document *input, const struct accounted_job *job, const char *format, ...)
{
	va_list arguments;
	char text[sizeof(((struct fathom_error *)NULL)->text)];

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (job->row)
		wrong_at(input, 0, "jobs, row %" PRId64 ": %s", job->row, text);
	wrong_at(input, job->line, "%s", text);
}
