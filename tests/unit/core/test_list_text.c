/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names in a sentence: "a, b or c". */
#include "../unit.h"

#include "core/list_text.h"

static const char *at(const void *context, size_t i)
{
	const char *const *names = context;

	return names[i];
}

static const struct {
	const char *names[4], *last;
	size_t size;
	const char *text;
} vectors[] = {
	{ { NULL }, " or ", 64, "" },
	{ { "one", NULL }, " or ", 64, "one" },
	{ { "one", "two", NULL }, " or ", 64, "one or two" },
	{ { "one", "two", "three", NULL }, " or ", 64, "one, two or three" },
	{ { "one", "two", "three", NULL }, ", ", 64, "one, two, three" },
	{ { "one", "two", "three", NULL }, " or ", 18, "one, two or three" },
	{ { "one", "two", "three", NULL }, " or ", 10, "one, two " },
	{ { "one", "two", "three", NULL }, " or ", 1, "" },
};

TEST_EACH(names_are_listed_as_in_a_sentence, vectors)
{
	char text[64];

	ck_assert_str_eq(list_text((struct name_list){ at, vectors[_i].names }, vectors[_i].last,
				   text,
				   vectors[_i].size), vectors[_i].text);
}
