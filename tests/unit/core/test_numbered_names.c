/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of names: each once, with its number. */
#include "../unit.h"

#include "core/numbered_names.h"

#define NAMES 1000

TEST(names_have_their_places_as_numbers)
{
	struct numbered_names list = { 0 };
	char name[16];

	ck_assert_uint_eq(numbered_names_find(&list, "n0"), NAME_INDEX_NONE);
	for (size_t i = 0; i < 2 * NAMES; i++) {
		snprintf(name, sizeof(name), "n%zu", i % NAMES);
		ck_assert_uint_eq(numbered_names_add(&list, name), i % NAMES);
	}
	ck_assert_uint_eq(list.count, NAMES);
	ck_assert_uint_eq(numbered_names_find(&list, "n7"), 7);
	ck_assert_str_eq(list.name[7], "n7");
	ck_assert_uint_eq(numbered_names_find(&list, "n"), NAME_INDEX_NONE);
	ck_assert_uint_eq(numbered_names_add(&list, ""), NAMES);
	ck_assert_uint_eq(numbered_names_find(&list, ""), NAMES);
	numbered_names_clear(&list);
	ck_assert_uint_eq(list.count, 0);
	ck_assert_uint_eq(numbered_names_find(&list, "n7"), NAME_INDEX_NONE);
}
