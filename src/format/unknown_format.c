/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "format/unknown_format.h"

#include <stdbool.h>
#include <string.h>

#define COMMENTS "#;"	/* characters that begin a comment; ';' in traces */

/* Returns the first line that is neither blank nor a comment, NULL if there is none. has_comments:
 * set if there was a comment. */
static const char *first_line(const char *text, bool *has_comments)
{
	*has_comments = false;
	while (*text) {
		const char *word = text + strspn(text, " \t\r");

		if (*word && !strchr(COMMENTS "\n", *word))
			return text;
		*has_comments |= *word && strchr(COMMENTS, *word);
		text = word + strcspn(word, "\n");
		text += *text == '\n';
	}
	return NULL;
}

/* Returns what is wrong if there is no content, else NULL and the first line of it. */
static const char *empty_reason(const struct input *input, const char **line)
{
	bool has_comments;

	*line = first_line(input->text + input_mark(input), &has_comments);
	/* content may be behind a NUL, or where the file is not loaded yet */
	if (*line || strlen(input->text) != input->length || input->is_open)
		return NULL;
	return has_comments ? "has nothing but comments" : "is empty";
}

const char *unknown_format_reason(const struct input *input)
{
	const char *line, *bar, *reason = empty_reason(input, &line);

	if (reason)
		return reason;
	bar = line ? strchr(line, '|') : NULL;
	if (bar && bar < line + strcspn(line, "\n"))
		return "has no header line with Account and User";
	return "unknown format";
}

int input_check_content(struct input *input, const char *right, struct fathom_error *error)
{
	const char *line, *reason = empty_reason(input, &line);

	return reason ? input_wrong(input, 1, error, "%s, must be %s", reason, right) : 0;
}
