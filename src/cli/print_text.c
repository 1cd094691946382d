/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/print_text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define LAST_COLUMN 79

void print_plain(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		putc_unlocked((unsigned char)text[i] < ' ' || text[i] == 0x7f ? '?' : text[i],
			      stdout);
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
		print_plain(text, word);
		at += word + !first;
		first = false;
		text += word + strspn(text + word, " ");
	}
	putchar('\n');
}
