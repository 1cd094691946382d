/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/utf8.h"

#include <string.h>

size_t utf8_read(const char *at, size_t left, uint32_t *code)
{
	/* RFC 3629, section 4: first bytes, and the bytes that may follow them */
	static const struct { unsigned char first, last, low, high, length; } forms[] = {
		{ 0x00, 0x7f, 0x00, 0xff, 1 }, { 0xc2, 0xdf, 0x80, 0xbf, 2 },
		{ 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 },
		{ 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
		{ 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 },
		{ 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};
	const unsigned char *text = (const unsigned char *)at;
	size_t i = 0, n = 1;

	*code = 0;
	while (i < sizeof(forms) / sizeof(*forms) && *text > forms[i].last)
		i++;
	if (i == sizeof(forms) / sizeof(*forms) || *text < forms[i].first ||
	    left < forms[i].length ||
	    (forms[i].length > 1 && (text[1] < forms[i].low || text[1] > forms[i].high)))
		return 0;
	while (n < forms[i].length && (text[n] & 0xc0) == 0x80)
		n++;
	if (n < forms[i].length)
		return 0;
	*code = n == 1 ? *text : *text & (0x7fU >> n);
	for (size_t byte = 1; byte < n; byte++)
		*code = *code << 6 | (text[byte] & 0x3f);
	return n;
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

		if (*from >= ' ' && *from < 0x7f) {	/* as most are */
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
