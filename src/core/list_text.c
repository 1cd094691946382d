/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes lists such as "classic, fair-tree or lsf". */
#include "core/list_text.h"

#include <string.h>

/* Appends as much of `more` as there is room for to a text of `length` bytes, without its NUL, in a
 * buffer of `size` bytes. Returns the new length. */
static size_t append(char *text, size_t size, size_t length, const char *more)
{
	size_t room = size - length - 1, wanted = strlen(more);
	size_t copied = wanted < room ? wanted : room;

	memcpy(text + length, more, copied);
	text[length + copied] = '\0';
	return length + copied;
}

/* For struct name_list. context: the array. */
static const char *name_at(const void *context, size_t i)
{
	const char *const *name = context;

	return name[i];
}

struct name_list name_list_of(const char *const *name)
{
	return (struct name_list){ name_at, name };
}

const char *list_text(struct name_list names, const char *last, char *text, size_t size)
{
	const char *name = names.at(names.context, 0), *next;
	size_t length = 0;

	*text = '\0';
	for (size_t i = 1; name; i++, name = next) {
		next = names.at(names.context, i);
		if (i > 1)
			length = append(text, size, length, next ? ", " : last);
		length = append(text, size, length, name);
	}
	return text;
}
