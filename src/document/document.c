/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads an input file in two steps: its beginning, to recognise the format, and then the rest, at
 * once or piece by piece. A compressed file is decompressed as it is loaded. Jumps from a call of
 * wrong_at() to the innermost document_try(). */
#include "document/document.h"

#include "core/error.h"
#include "document/decompress.h"
#include "memory/need_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_ROOM ((size_t)1 << 16)	/* bytes that document_open() loads */
#define STREAM_ROOM ((size_t)1 << 18)	/* of a file that is read piece by piece */
#define MOST_AT_ONCE ((size_t)1 << 20)	/* bytes of a read(): more would keep `watch` waiting */

/* Calls the watch, if there is one. */
static void tell_watch(const struct document *input)
{
	if (input->watch)
		input->watch(input);
}

/* Closes the file if it is open. The text stays. */
static void close_file(struct document *input)
{
	if (input->is_open) {
		if (input->fd != STDIN_FILENO)
			close(input->fd);
		input->is_open = false;
		tell_watch(input);
	}
	decompressor_destroy(input->decompressor);
	input->decompressor = NULL;
}

/* Closes the file, and fails. */
static _Noreturn void fail(struct document *input, const struct fathom_error *error)
{
	close_file(input);
	wrong_by(input, 0, error);
}

/* Closes the file, and fails with what errno says. */
static _Noreturn void fail_by_errno(struct document *input)
{
	struct fathom_error error;

	fathom_error_set(&error, errno, "%s", strerror(errno));
	fail(input, &error);
}

/* Makes room for `room` bytes in input->text, which may move. */
static void set_room(struct document *input, size_t room)
{
	input->text = need_room(input->text, &input->room, room, 1);
}

/* Reads bytes into the room behind the text. Returns their number, 0 at the end of the file. */
static size_t read_some(struct document *input)
{
	char *end = input->text + input->length;
	size_t room = input->room - input->length - 1;	/* without that of the NUL */
	struct fathom_error error;
	ssize_t got;

	if (input->decompressor) {
		got = decompress(input->decompressor, input->fd, end, room, &error);
		if (got < 0)
			fail(input, &error);
		return (size_t)got;
	}
	room = room < MOST_AT_ONCE ? room : MOST_AT_ONCE;
	do {
		got = read(input->fd, end, room);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		fail_by_errno(input);
	return (size_t)got;
}

/* Reads until the text and its NUL fill the room. Closes the file at its end. */
static void fill_room(struct document *input)
{
	size_t got = 1;		/* any number but 0, the end of the file */

	while (got && input->length + 1 < input->room) {
		got = read_some(input);
		input->length += got;
		input->loaded += got;
		tell_watch(input);
	}
	input->text[input->length] = '\0';
	if (!got)
		close_file(input);
}

/* If the file is compressed, replaces its beginning in `text` by that of its content. */
static void decompress_beginning(struct document *input)
{
	struct fathom_error error;
	int file = input->fd;

	if (decompressor_create(&input->decompressor, input->text, input->length, &error))
		fail(input, &error);
	if (!input->decompressor)
		return;
	input->is_compressed = true;
	/* A short file is closed already, as the decompressor has all of it. The content is still
	 * to be read, so go on with a file that is at its end. */
	if (!input->is_open)
		file = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (file < 0)
		fail_by_errno(input);
	input->fd = file;
	input->is_open = true;
	input->length = input->loaded = 0;
	fill_room(input);
}

/* Opens a file, and loads its beginning. must_be_regular: see document_open_regular(); "-" is then
 * the name of a file, not standard input. */
static void open_file(struct document *input, const char *name, bool must_be_regular)
{
	const int flags = O_RDONLY | O_CLOEXEC | (must_be_regular ? O_NONBLOCK : 0);
	const bool is_stdin = !must_be_regular && !strcmp(name, "-");
	struct fathom_error error;
	struct stat status;

	*input = (struct document){ .name = name };
	input->fd = is_stdin ? STDIN_FILENO : open(name, flags);
	if (input->fd < 0)
		fail_by_errno(input);
	input->is_open = true;
	if (must_be_regular && fstat(input->fd, &status))
		fail_by_errno(input);
	if (must_be_regular && !S_ISREG(status.st_mode)) {
		fathom_error_set(&error, EINVAL, "is no regular file");
		fail(input, &error);
	}
	set_room(input, FIRST_ROOM);
	fill_room(input);
	decompress_beginning(input);
}

void document_open(struct document *input, const char *name)
{
	open_file(input, name, false);
}

void document_open_regular(struct document *input, const char *name)
{
	open_file(input, name, true);
}

bool document_can_reopen(const char *name)
{
	struct stat status;

	if (!strcmp(name, "-"))
		return false;
	/* a file that cannot be opened, or is a folder, is the same the next time, too */
	return stat(name, &status) || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode);
}

struct document document_of(const char *name, struct piece text)
{
	struct document document = { .name = name, .length = text.length };

	set_room(&document, text.length + 1);
	memcpy(document.text, text.length ? text.at : "", text.length);
	document.text[text.length] = '\0';
	return document;
}

void document_remark(struct document *input, const char *format, ...)
{
	size_t used = strlen(input->remark);
	char text[sizeof(input->remark)];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (!strstr(input->remark, text))	/* the file may be read twice, for two purposes */
		snprintf(input->remark + used, sizeof(input->remark) - used, "%s%s",
			 used ? "; " : "", text);
}

void document_load_rest(struct document *input)
{
	bool may_know_size = input->is_open && !input->decompressor;
	struct stat status;

	/* the size of a file is known: 1 byte more for the NUL, 1 for read() to see the end */
	if (may_know_size && !fstat(input->fd, &status) && S_ISREG(status.st_mode) &&
	    (size_t)status.st_size + 2 > input->room)
		set_room(input, (size_t)status.st_size + 2);
	while (input->is_open) {
		if (input->length + 1 == input->room)
			set_room(input, 2 * input->room);
		fill_room(input);
	}
}

void document_load_more(struct document *input, size_t kept)
{
	input->length -= kept;
	memmove(input->text, input->text + kept, input->length + 1);	/* with the NUL */
	if (2 * input->length >= input->room || input->room < STREAM_ROOM)
		set_room(input, input->room < STREAM_ROOM ? STREAM_ROOM : 2 * input->room);
	fill_room(input);
}

/* A call of document_load() or document_load_regular(). */
struct load {
	struct document *input;
	const char *name;
	bool must_be_regular;
};

/* Opens and loads the document; called by document_try(). */
static void load(void *context)
{
	const struct load *call = context;

	open_file(call->input, call->name, call->must_be_regular);
	document_load_rest(call->input);
}

/* Does what document_load() does. */
static int try_load(struct load call, struct fathom_error *error)
{
	struct failure failure;
	int status = document_try(load, &call, &failure);

	if (status && error)
		*error = failure.error;
	return status;
}

int document_load(struct document *input, const char *name, struct fathom_error *error)
{
	return try_load((struct load){ input, name, false }, error);
}

int document_load_regular(struct document *input, const char *name, struct fathom_error *error)
{
	return try_load((struct load){ input, name, true }, error);
}

void document_clear(struct document *input)
{
	close_file(input);
	need_free(input->text);
	memset(input, 0, sizeof(*input));
}

size_t document_mark(const struct document *input)
{
	return strncmp(input->text, "\xef\xbb\xbf", 3) ? 0 : 3;
}

/* ---- failures ---------------------------------------------------------------------------- */

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
