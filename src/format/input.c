/* SPDX-License-Identifier: GPL-2.0-or-later */
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

#define FIRST_ROOM ((size_t)1 << 16)

static int room_for_more(struct input *input, size_t *room)
{
	char *text;

	if (input->length + 1 < *room)
		return 0;
	text = realloc(input->text, 2 * *room);
	if (!text)
		return -1;
	input->text = text;
	*room *= 2;
	return 0;
}

static int read_all(struct input *input, int fd)
{
	struct stat status;
	size_t room = FIRST_ROOM;
	ssize_t got;

	if (!fstat(fd, &status) && S_ISREG(status.st_mode) && (size_t)status.st_size >= room)
		room = (size_t)status.st_size + 2;
	input->text = malloc(room);
	if (!input->text)
		return -1;
	do {
		if (room_for_more(input, &room))
			return -1;
		got = read(fd, input->text + input->length, room - input->length - 1);
		if (got > 0)
			input->length += (size_t)got;
	} while (got > 0 || (got < 0 && errno == EINTR));
	input->text[input->length] = '\0';
	return got < 0 ? -1 : 0;
}

int input_load(struct input *input, const char *name, struct fathom_error *error)
{
	bool is_stdin = !strcmp(name, "-");
	int fd = is_stdin ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
	int status = -1, code;

	memset(input, 0, sizeof(*input));
	input->name = name;
	if (fd >= 0)
		status = read_all(input, fd);
	code = errno;
	if (fd >= 0 && !is_stdin)
		close(fd);
	if (!status)
		return 0;
	input_clear(input);
	input->name = name;
	return fathom_error_set(error, code, "%s", strerror(code));
}

void input_clear(struct input *input)
{
	free(input->text);
	memset(input, 0, sizeof(*input));
}

size_t input_mark(const struct input *input)
{
	return strncmp(input->text, "\xef\xbb\xbf", 3) ? 0 : 3;
}

int input_wrong(struct input *input, size_t line, struct fathom_error *error, const char *format, ...)
{
	va_list arguments;
	char text[sizeof(error->text)];

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	input->line = line;
	return fathom_error_set(error, EINVAL, "%s", text);
}
