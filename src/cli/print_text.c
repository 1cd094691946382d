/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints plain text, and breaks it into lines. */
#include "cli/print_text.h"

#include "core/utf8.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAST_COLUMN 79	/* of a line that print_wrapped() prints */

void print_plain_start(const char *text, size_t length)
{
	for (size_t at = 0, bytes; at < length; at += bytes) {
		uint32_t code;

		/* 0 bytes: the one at hand is not UTF-8 */
		bytes = utf8_read(text + at, length - at, &code);
		if (bytes == 1 && !utf8_is_control(code))
			putc_unlocked(text[at], stdout);
		else if (!bytes || utf8_steers(code))
			putc_unlocked('?', stdout);
		else
			fwrite_unlocked(text + at, 1, bytes, stdout);
		bytes += !bytes;
	}
}

void print_plain(const char *text)
{
	print_plain_start(text, strlen(text));
}

void print_behind(const char *before, const char *text)
{
	fputs(before, stdout);
	print_plain(text);
}

void print_labelled(const char *label, const char *text)
{
	print_behind(label, text);
	putchar('\n');
}

void print_padded(const char *text, int width)
{
	int blanks = abs(width) - (int)strlen(text);

	if (width > 0)
		printf("%*s", blanks > 0 ? blanks : 0, "");
	print_plain(text);
	if (width < 0)
		printf("%*s", blanks > 0 ? blanks : 0, "");
}

void print_entry(const char *name, int column, const char *text)
{
	printf("  %-*s", column - 2, name);	/* two blanks before the name */
	print_wrapped(text, (size_t)column, (size_t)column);
}

void print_wrapped(const char *text, size_t at, size_t indent)
{
	bool first = true;

	while (*text) {
		size_t word = strcspn(text, " ");

		if (!first && at + 1 + word > LAST_COLUMN) {
			printf("\n%*s", (int)indent, "");
			at = indent;
			first = true;
		}
		if (!first)
			putchar(' ');
		print_plain_start(text, word);
		at += word + !first;
		first = false;
		text += word + strspn(text + word, " ");
	}
	putchar('\n');
}
