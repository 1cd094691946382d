/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jumps from a call of wrong_at() to the innermost document_try(). */
#include "document/document.h"

#include "core/error.h"
#include "memory/need_memory.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

/* A running call of document_try(). */
struct trial {
	jmp_buf end;			/* where a failure jumps to */
	struct failure *failure;	/* the caller's, to be set by a failure */
	struct trial *outer;		/* the call around it; NULL: it is the outermost */
	void (*undo)(void);		/* see document_undo() */
};

static _Thread_local struct trial *innermost;	/* NULL: none is running */

/* Ends the process for a failure outside document_try(), as in tests. */
static _Noreturn void end_process(const struct fathom_error *error)
{
	fprintf(stderr, "fathom: %s\n", error->text);
	_exit(2);
}

void wrong_by(struct document *document, size_t line, const struct fathom_error *error)
{
	struct trial *trial = innermost;

	need_done(error->code == ENOMEM);	/* does not return if it is */
	if (!trial)
		end_process(error);
	if (document)
		document->line = line;
	*trial->failure = (struct failure){ .error = *error, .line = line };
	if (document)		/* the name may be that of a function that ends now */
		trial->failure->name = need_text(document->name);
	if (trial->undo)
		trial->undo();
	innermost = trial->outer;
	longjmp(trial->end, 1);
}

void wrong_at(struct document *document, size_t line, const char *format, ...)
{
	va_list arguments;
	char text[sizeof(((struct fathom_error *)NULL)->text)];
	struct fathom_error error;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	fathom_error_set(&error, EINVAL, "%s", text);
	wrong_by(document, line, &error);
}

void wrong_again(const struct failure *failure)
{
	struct document document = { .name = failure->name };

	wrong_by(failure->name ? &document : NULL, failure->line, &failure->error);
}

int document_try(void (*read)(void *context), void *context, struct failure *failure)
{
	struct trial trial = { .failure = failure, .outer = innermost };

	innermost = &trial;
	if (setjmp(trial.end))
		return -1;
	read(context);
	innermost = trial.outer;
	return 0;
}

void document_undo(void (*undo)(void))
{
	if (innermost)
		innermost->undo = undo;
}
