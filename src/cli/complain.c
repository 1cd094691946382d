/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints errors and remarks. */
#include "cli/complain.h"

#include "cli/progress.h"
#include "core/numbered_names.h"
#include "core/utf8.h"
#include "document/document.h"
#include "live/live.h"
#include "memory/need_memory.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* All remarks, and how many of them are printed. A process has one standard error. */
static struct numbered_names remarks;
static size_t printed;

/* What errors end in, see complain_of_done(). */
static const char *done = "";

/* Prints to `text`, and makes it one line without control characters, so that names in files cannot
 * steer the terminal. Returns `text`. */
static const char *line_of(char *text, size_t size, const char *format, va_list arguments)
{
	vsnprintf(text, size, format, arguments);
	return utf8_make_plain(text);
}

/* Prints an error at once, one line on stderr. */
static void say(const char *format, va_list arguments)
{
	char text[4096];

	progress_hide();
	fprintf(stderr, "fathom: %s%s\n", line_of(text, sizeof(text), format, arguments), done);
}

int complain(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(format, arguments);
	va_end(arguments);
	return EXIT_WRONG;
}

void complain_of_done(const char *text)
{
	done = text;
}

/* Codes of a struct fathom_error that ends the command without a message: TOLD after an error that
 * has been printed, DONE without an error. Files and memory never fail with these two. */
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
		refuse(suggestion_is_similar(suggestion) ? "%s; did you mean %s?"
							 : "%s; the nearest is %s",
		       text, suggestion->name);
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
	/* --from '' names a file without a name */
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
	char text[4096];

	va_start(arguments, format);
	line_of(text, sizeof(text), format, arguments);
	va_end(arguments);
	need_done(numbered_names_add(&remarks, text) == NAME_INDEX_NONE);
}

void print_remarks(void)
{
	if (printed < remarks.count)
		progress_hide();
	for (; printed < remarks.count; printed++)
		fprintf(stderr, "fathom: %s\n", remarks.name[printed]);
}

void remark_left_out(const struct document *input)
{
	if (*input->remark)
		remark("%s: %s", input->name, input->remark);
}
