/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints errors and remarks. */
#include "cli/complain.h"

#include "cli/libslurm_option.h"
#include "cli/progress.h"
#include "core/utf8.h"
#include "document/document.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

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

/* Codes of an error that has been printed, and of none. */
#define TOLD ECANCELED
#define DONE EALREADY

void end_told(void)
{
	wrong_by(NULL, 0, &(struct fathom_error){ .code = TOLD });
}

void end_done(void)
{
	wrong_by(NULL, 0, &(struct fathom_error){ .code = DONE });
}

void refuse(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(format, arguments);
	va_end(arguments);
	end_told();
}

void refuse_unknown(const struct suggestion *suggestion, const char *format, ...)
{
	va_list arguments;
	char text[1024];

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (suggestion->name)
		refuse("%s; did you mean %s?", text, suggestion->name);
	refuse("%s", text);
}

bool names_have(struct name_list names, bool ignores_case, struct suggestion *suggestion)
{
	const char *name;

	for (size_t i = 0; (name = names.at(names.context, i)); i++) {
		if (!*name)
			continue;
		if (strlen(name) == suggestion->length &&
		    !(ignores_case ? strncasecmp : strncmp)(name, suggestion->word,
							    suggestion->length))
			return true;
		suggestion_consider(suggestion, name);
	}
	return false;
}

int complain_of_failure(const struct failure *failure)
{
	const char *name = failure->name && !*failure->name ? "''" : failure->name;

	if (failure->error.code == TOLD || failure->error.code == DONE)
		return failure->error.code == DONE ? EXIT_DONE : EXIT_WRONG;
	if (!name)
		return complain("%s", failure->error.text);
	if (failure->line)
		return complain("%s:%zu: %s", name, failure->line, failure->error.text);
	return complain("%s: %s", name, failure->error.text);
}

void need_libslurm(const char *option)
{
	if (!HAS_LIBSLURM)
		refuse("%s: must be given, this fathom is built without libslurm", option);
}

void remark(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(format, arguments);
	va_end(arguments);
}

void remark_left_out(const struct document *input)
{
	if (*input->remark)
		remark("%s: %s", input->name, input->remark);
}
