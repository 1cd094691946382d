/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/print_text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define LAST_COLUMN 79

static void print_word(const char *word, size_t length)
{
	for (size_t i = 0; i < length; i++)
		putchar((unsigned char)word[i] < ' ' || word[i] == 0x7f ? '?' : word[i]);
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
		print_word(text, word);
		at += word + !first;
		first = false;
		text += word + strspn(text + word, " ");
	}
	putchar('\n');
}
