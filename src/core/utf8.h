/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Characters of UTF-8 (RFC 3629), and those that could steer a terminal. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads the character at `at` into *code. left: the number of bytes there, at least one. Returns
 * how many bytes the character has; 0: these bytes are not a character, and *code is 0. */
size_t utf8_read(const char *at, size_t left, uint32_t *code);
/* Return whether a number is the first, or the second, half of a pair that stands for a character
 * above U+FFFF in UTF-16, and in escapes of JSON such as "\ud83d\ude00". */
static inline bool utf16_is_first(uint32_t code)
{
	return code >= 0xd800 && code < 0xdc00;
}

static inline bool utf16_is_second(uint32_t code)
{
	return code >= 0xdc00 && code < 0xe000;
}

/* Returns whether the character is a control character, of ASCII (C0, DEL) or of C1. */
bool utf8_is_control(uint32_t code);
/* Returns whether the character can change what a terminal shows of other text: it is a control
 * character, breaks a line, or turns the direction of writing. */
bool utf8_steers(uint32_t code);
/* Puts '?' in place of each character for which utf8_steers() holds, and of each byte that is not
 * UTF-8. Changes `text` itself, which becomes no longer, and returns it. */
char *utf8_make_plain(char *text);
