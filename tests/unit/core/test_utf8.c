/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Characters of UTF-8, and which of them are kept from a terminal. */
#include "../unit.h"

#include "core/utf8.h"

static const struct { const char *text; size_t length; uint32_t code; } characters[] = {
	{ "a", 1, 'a' }, { "\x7f", 1, 0x7f }, { "\xc2\x80", 2, 0x80 }, { "\xdf\xbf", 2, 0x7ff },
	{ "\xe0\xa0\x80", 3, 0x800 }, { "\xed\x9f\xbf", 3, 0xd7ff }, { "\xee\x80\x80", 3, 0xe000 },
	{ "\xf0\x90\x80\x80z", 4, 0x10000 }, { "\xf4\x8f\xbf\xbf", 4, 0x10ffff },
	/* not UTF-8: a later byte, too long, surrogates, beyond Unicode, cut short */
	{ "\x80", 0, 0 }, { "\xc1\xbf", 0, 0 }, { "\xe0\x9f\xbf", 0, 0 }, { "\xed\xa0\x80", 0, 0 },
	{ "\xf0\x8f\xbf\xbf", 0, 0 }, { "\xf4\x90\x80\x80", 0, 0 }, { "\xff", 0, 0 },
	{ "\xc3", 0, 0 }, { "\xe2\x82", 0, 0 }, { "\xe2\x82(", 0, 0 }, { "\xf0\x9f\x98", 0, 0 },
};

TEST_EACH(a_character_is_read, characters)
{
	uint32_t code = 1;

	ck_assert_uint_eq(utf8_read(characters[_i].text, strlen(characters[_i].text), &code),
			  characters[_i].length);
	ck_assert_uint_eq(code, characters[_i].code);
}

static const struct { uint32_t first, last; } steering[] = {
	{ 0, 0x1f }, { 0x7f, 0x9f }, { 0x61c, 0x61c }, { 0x200e, 0x200f }, { 0x2028, 0x202e },
	{ 0x2066, 0x2069 },
};

TEST(characters_that_steer)
{
	const size_t count = sizeof(steering) / sizeof(*steering);

	for (uint32_t code = 0; code < 0x3000; code++) {
		size_t i = 0;

		while (i < count && (code < steering[i].first || code > steering[i].last))
			i++;
		ck_assert_msg(utf8_steers(code) == (i < count), "U+%04x", (unsigned)code);
		ck_assert_int_eq(utf8_is_control(code), i < 2);
	}
}

static const struct { const char *text, *plain; } texts[] = {
	{ "", "" }, { "physics", "physics" },
	{ "\xc3\xa9 \xf0\x9f\x98\x80", "\xc3\xa9 \xf0\x9f\x98\x80" },
	{ "\033[31mred\a", "?[31mred?" }, { "a\nb\tc", "a?b?c" },
	{ "a\xc2\x9b" "b\xe2\x80\xae" "c\xe2\x81\xa6", "a?b?c?" },	/* U+009B, U+202E, U+2066 */
	{ "caf\xe9", "caf?" }, { "\xe2\x82", "??" },
};

TEST_EACH(a_text_is_made_plain, texts)
{
	char *text = strdup(texts[_i].text);

	ck_assert_ptr_nonnull(text);
	ck_assert_str_eq(utf8_make_plain(text), texts[_i].plain);
	free(text);
}
