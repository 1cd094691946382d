/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "format/unknown_format.h"

#include <string.h>

/* Returns the first line that is neither blank nor a comment, NULL if there is none. has_comments:
 * set if there was a comment. */
static const char *first_line(const char *text, bool *has_comments)
{
	*has_comments = false;
	while (*text) {
		const char *word = text + strspn(text, " \t\r");

		if (*word != '#' && *word != '\n' && *word)
			return text;
		*has_comments |= *word == '#';
		text = word + strcspn(word, "\n");
		text += *text == '\n';
	}
	return NULL;
}

const char *unknown_format_reason(const struct input *input)
{
	bool has_comments;
	const char *line = first_line(input->text + input_mark(input), &has_comments), *bar;

	if (!line && strlen(input->text) == input->length)
		return has_comments ? "has nothing but comments" : "is empty";
	bar = line ? strchr(line, '|') : NULL;
	if (bar && bar < line + strcspn(line, "\n"))
		return "has no header line with Account and User";
	return "unknown format";
}
