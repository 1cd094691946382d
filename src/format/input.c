/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads an input file in two steps: its beginning, to recognise the format, and the rest. */
#include "format/format.h"

#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_ROOM ((size_t)1 << 16)	/* bytes that input_open() loads */

static void close_file(struct input *input)
{
	if (input->is_open && input->fd != STDIN_FILENO)
		close(input->fd);
	input->is_open = false;
}

/* Frees all but the name, which the message needs, and sets the error of errno. Returns -1. */
static int fail(struct input *input, struct fathom_error *error)
{
	int code = errno;
	const char *name = input->name;

	input_clear(input);
	input->name = name;
	return fathom_error_set(error, code, "%s", strerror(code));
}

static int set_room(struct input *input, size_t room)
{
	char *text = realloc(input->text, room);

	if (!text)
		return -1;
	input->text = text;
	input->room = room;
	return 0;
}

/* Reads until the text and its NUL fill the room. Closes the file at its end. */
static int fill_room(struct input *input)
{
	ssize_t got = 1;

	while (got && input->length + 1 < input->room) {
		got = read(input->fd, input->text + input->length, input->room - input->length - 1);
		if (got < 0 && errno != EINTR)
			return -1;
		if (got > 0)
			input->length += (size_t)got;
	}
	input->text[input->length] = '\0';
	if (!got)
		close_file(input);
	return 0;
}

int input_open(struct input *input, const char *name, struct fathom_error *error)
{
	*input = (struct input){ .name = name, .is_open = true };
	input->fd = strcmp(name, "-") ? open(name, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	if (input->fd < 0) {
		input->is_open = false;
		return fail(input, error);
	}
	return set_room(input, FIRST_ROOM) || fill_room(input) ? fail(input, error) : 0;
}

int input_load_rest(struct input *input, struct fathom_error *error)
{
	struct stat status;

	if (input->is_open && !fstat(input->fd, &status) && S_ISREG(status.st_mode) &&
	    (size_t)status.st_size + 2 > input->room &&
	    set_room(input, (size_t)status.st_size + 2))
		return fail(input, error);
	while (input->is_open)
		if ((input->length + 1 == input->room && set_room(input, 2 * input->room)) ||
		    fill_room(input))
			return fail(input, error);
	return 0;
}

int input_load(struct input *input, const char *name, struct fathom_error *error)
{
	return input_open(input, name, error) || input_load_rest(input, error) ? -1 : 0;
}

void input_clear(struct input *input)
{
	close_file(input);
	free(input->text);
	memset(input, 0, sizeof(*input));
}

size_t input_mark(const struct input *input)
{
	return strncmp(input->text, "\xef\xbb\xbf", 3) ? 0 : 3;
}

int input_wrong(struct input *input, size_t line, struct fathom_error *error, const char *format,
		...)
{
	va_list arguments;
	char text[sizeof(error->text)];

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	input->line = line;
	return fathom_error_set(error, EINVAL, "%s", text);
}
