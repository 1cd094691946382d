/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes fathom.conf as one line, and reads such a line; conf_told.h shows one. */
#include "conf/conf_told.h"

#include "conf/conf_parse.h"

#include <stdlib.h>
#include <string.h>

#define PREFIX "fathom.conf:"
#define MOST_TOLD 16384		/* bytes: the answer goes to each client that asks for slurm.conf */

/* Returns the length of the blanks or the comment that the text begins with; 0: neither. */
static size_t length_without_meaning(const char *at)
{
	return *at == '#' ? strcspn(at, "\n") : strspn(at, " \t\r");
}

/* Copies the next part of the text at *at to the end of the copy, `to`, and moves *at behind it. A
 * part is one of these:
 *	a continuation				becomes nothing
 *	blanks, or a comment, outside quotes	become a blank, unless the copy ends with one, with
 *						';' or with the ':' of PREFIX
 *	a line end				becomes ';', unless the copy ends with that or with
 *						the ':' of PREFIX
 *	any other character			is copied
 * *quoted: the text is within double quotes. Returns the new end of the copy. */
static char *copy_next(char *to, const char **at, bool *quoted)
{
	size_t skipped = *quoted ? 0 : length_without_meaning(*at);
	size_t continued = conf_continuation(*at);

	*at += continued;
	if (continued)
		return to;
	if (skipped) {
		if (!strchr(" ;:", to[-1]))
			*to++ = ' ';
		*at += skipped;
		return to;
	}
	*quoted ^= **at == '"';
	if (**at != '\n') {
		*to++ = *(*at)++;
		return to;
	}
	++*at;
	if (to[-1] == ' ')
		to--;
	if (!strchr(";:", to[-1]))
		*to++ = ';';
	return to;
}

char *conf_told_write(const char *text)
{
	const char *at = text ? text : "";
	char *told = malloc(sizeof(PREFIX) + strlen(at));
	char *to = told ? told + strlen(PREFIX) : NULL;
	bool quoted = false, fits = told;	/* fits: the text can be told so far */

	if (told)
		memcpy(told, PREFIX, sizeof(PREFIX));
	while (fits && *at) {
		fits = *at != ';' && to - told < MOST_TOLD;
		to = copy_next(to, &at, &quoted);
	}
	if (fits) {
		to -= to[-1] == ';' || to[-1] == ' ';
		*to = '\0';
		return told;
	}
	free(told);
	return NULL;
}

bool conf_told_is(const char *value)
{
	return value && !strncmp(value, PREFIX, strlen(PREFIX));
}

char *conf_told_read(const char *value)
{
	char *text = strdup(value + strlen(PREFIX));

	for (char *at = text ? strchr(text, ';') : NULL; at; at = strchr(at, ';'))
		*at = '\n';
	return text;
}
