/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "format/format.h"

#include <stdio.h>
#include <string.h>

static const struct format *const table[] = {
#define FORMAT(name) &format_##name,
#include "format/formats.h"
#undef FORMAT
};

size_t format_count(void)
{
	return sizeof(table) / sizeof(*table);
}

const struct format *format_at(size_t index)
{
	return table[index];
}

const struct format *format_find(const char *name)
{
	for (size_t i = 0; i < format_count(); i++)
		if (!strcmp(table[i]->name, name))
			return table[i];
	return NULL;
}

const struct format *format_recognize(const struct input *input)
{
	for (size_t i = 0; i < format_count(); i++)
		if (table[i]->recognize(input))
			return table[i];
	return NULL;
}

char *format_list(char *text, size_t size)
{
	const struct format *found = NULL;	/* it is not in the text yet */
	size_t length = 0;

	*text = '\0';
	for (size_t i = 0; i < format_count() && length < size; i++) {
		if (!table[i]->read)
			continue;
		if (found)
			length += (size_t)snprintf(text + length, size - length, "%s%s",
						   length ? ", " : "", found->name);
		found = table[i];
	}
	if (found && length < size)
		snprintf(text + length, size - length, "%s%s", length ? " or " : "", found->name);
	return text;
}
