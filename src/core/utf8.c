/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads UTF-8 strictly by RFC 3629, section 4, which also limits the second byte, so that no
 * character has two forms:
 *
 *	first byte	second byte	bytes
 *	e0		a0 to bf	3	e0 80 80 would be another form of NUL
 */
#include "core/utf8.h"

#include <string.h>

/* The form of all characters whose first byte is from `first` to `last`. */
struct utf8_form {
	unsigned char first, last;
	unsigned char low, high;	/* range of the second byte, if there is one */
	unsigned char length;		/* bytes of the character */
};

/* Returns the form of a character by its first byte; NULL: no character begins with it. */
static const struct utf8_form *form_of(unsigned char first)
{
	static const struct utf8_form forms[] = {
		{ 0x00, 0x7f, 0x00, 0xff, 1 }, { 0xc2, 0xdf, 0x80, 0xbf, 2 },
		{ 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 },
		{ 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
		{ 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 },
		{ 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (first >= forms[i].first && first <= forms[i].last)
			return &forms[i];
	return NULL;
}

/* Each byte after the first one has the bits 10xxxxxx and adds the six bits x to the code. */
size_t utf8_read(const char *at, size_t left, uint32_t *code)
{
	const unsigned char *text = (const unsigned char *)at;
	const struct utf8_form *form = form_of(*text);
	uint32_t read;

	*code = 0;
	if (!form || left < form->length ||
	    (form->length > 1 && (text[1] < form->low || text[1] > form->high)))
		return 0;
	/* the first byte begins with as many bits 1 as there are bytes, and a bit 0 */
	read = form->length == 1 ? *text : *text & (0x7fU >> form->length);
	for (size_t i = 1; i < form->length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		read = read << 6 | (text[i] & 0x3f);
	}
	*code = read;
	return form->length;
}

bool utf8_is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

bool utf8_steers(uint32_t code)
{
	return utf8_is_control(code) ||
	       /* Unicode, UAX 9, "Explicit Directional Formatting Characters" and implicit ones */
	       code == 0x061c || code == 0x200e || code == 0x200f ||
	       (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
	       code == 0x2028 || code == 0x2029;	/* separators of lines and paragraphs */
}

char *utf8_make_plain(char *text)
{
	const char *from = text, *end = text + strlen(text);
	char *to = text;

	while (from < end) {
		uint32_t code;
		size_t length;

		if (*from >= ' ' && *from < 0x7f) {	/* most characters: printable ASCII */
			*to++ = *from++;
			continue;
		}
		length = utf8_read(from, (size_t)(end - from), &code);
		if (!length || utf8_steers(code)) {
			*to++ = '?';
			from += length ? length : 1;
			continue;
		}
		while (length--)
			*to++ = *from++;
	}
	*to = '\0';
	return text;
}
