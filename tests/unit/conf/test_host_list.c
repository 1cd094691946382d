/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Host lists in Slurm's notation; each is what scontrol show hostnames prints. */
#include "../unit.h"

#include "conf/host_list.h"

static void join(const struct host_list *list, char *text, size_t size)
{
	size_t length = 0;

	*text = '\0';
	for (size_t i = 0; i < list->count; i++)
		length += (size_t)snprintf(text + length, size - length, "%s%s", i ? " " : "",
					   list->name[i]);
}

static const struct { const char *text, *names; } lists[] = {
	{ "", "" },
	{ "login", "login" },
	{ "n1,n2 n3", "n1 n2 n3" },
	{ " , n1 ,", "n1" },
	{ "n[1-3]", "n1 n2 n3" },
	{ "n[1-2,7],m[3]", "n1 n2 n7 m3" },
	{ "n[8-11]", "n8 n9 n10 n11" },
	{ "n[08-11]", "n08 n09 n10 n11" },
	{ "n[008-10]", "n008 n009 n010" },
	{ "n[5-5]-ib", "n5-ib" },
	{ "r[1-2]n[3,4]x", "r1n3x r1n4x r2n3x r2n4x" },
	{ "[1-2]", "1 2" },
};

TEST_EACH(list_has_these_names, lists)
{
	struct host_list list = { 0 };
	struct fathom_error error = { .text = "" };
	char names[256];

	ck_assert_msg(!host_list_add_all(&list, lists[_i].text, &error), "%s", error.text);
	join(&list, names, sizeof(names));
	ck_assert_str_eq(names, lists[_i].names);
	host_list_clear(&list);
	ck_assert_uint_eq(list.count, 0);
}

static const struct { const char *text, *error; } wrong[] = {
	{ "n[1-3", "'n[1-3' has a '[' without ']'" },
	{ "n1]", "'n1]' has a ']' without '['" },
	{ "m,n[],o", "'n[]' has no number in brackets, must be as in n[1-8,10]" },
	{ "n[a-b]", "'n[a-b]' has no number in brackets, must be as in n[1-8,10]" },
	{ "n[1-]", "'n[1-]' has a range without an end, must be as in n[1-8,10]" },
	{ "n[3-1]", "'n[3-1]' has a range that ends before it begins" },
	{ "n[1,,2]", "'n[1,,2]' has no number in brackets, must be as in n[1-8,10]" },
	{ "n[1-2-3]", "'n[1-2-3]' has brackets without a list of numbers, must be as in "
		      "n[1-8,10]" },
	{ "n[1-9999999999]", "'n[1-9999999999]' has a range without an end, must be as in "
			     "n[1-8,10]" },
	{ "n[1-65537]", "'n[1-65537]' makes more than 65536 hosts" },
	{ "n[1-999][1-999]", "'n[1-999][1-999]' makes more than 65536 hosts" },
};

TEST_EACH(wrong_list_is_told, wrong)
{
	struct host_list list = { 0 };
	struct fathom_error error = { .text = "" };

	ck_assert_int_eq(host_list_add_all(&list, wrong[_i].text, &error), -1);
	ck_assert_str_eq(error.text, wrong[_i].error);
	ck_assert_int_eq(error.code, EINVAL);
	host_list_clear(&list);
}

TEST(name_is_not_longer_than_there_is_room)
{
	struct host_list list = { 0 };
	struct fathom_error error = { .text = "" };
	char text[300];

	memset(text, 'n', sizeof(text));
	text[255] = '\0';
	ck_assert_int_eq(host_list_add_all(&list, text, &error), 0);
	ck_assert_str_eq(list.name[0], text);
	text[255] = 'n';
	text[256] = '\0';
	ck_assert_int_eq(host_list_add_all(&list, text, &error), -1);
	memcpy(text + 240, "[1-20]", sizeof("[1-20]"));
	ck_assert_int_eq(host_list_add_all(&list, text, &error), 0);
	ck_assert_uint_eq(list.count, 21);
	memcpy(text + 248, "[1-20]", sizeof("[1-20]"));
	memset(text + 240, 'n', 8);
	ck_assert_int_eq(host_list_add_all(&list, text, &error), -1);
	host_list_clear(&list);
}

TEST(names_in_common_need_no_order)
{
	struct host_list list = { 0 }, other = { 0 };
	struct fathom_error error;

	ck_assert_int_eq(host_list_add_all(&list, "n11,n10", &error), 0);
	ck_assert_int_eq(host_list_add_all(&other, "n[1-10]", &error), 0);
	ck_assert_pstr_eq(host_list_common(&list, &other), "n10");
	host_list_clear(&list);
	ck_assert_int_eq(host_list_add_all(&list, "n11", &error), 0);
	ck_assert_ptr_null(host_list_common(&list, &other));
	host_list_clear(&list);
	host_list_clear(&other);
}

TEST(sorted_lists_are_sets)
{
	struct host_list list = { 0 }, other = { 0 };
	struct fathom_error error;
	char names[256];

	ck_assert_int_eq(host_list_add_all(&list, "n[3-5],n4,a", &error), 0);
	ck_assert_int_eq(host_list_add_all(&other, "n[4-9]", &error), 0);
	host_list_sort(&list);
	host_list_sort(&other);
	join(&list, names, sizeof(names));
	ck_assert_str_eq(names, "a n3 n4 n5");
	ck_assert(host_list_has(&list, "n4") && !host_list_has(&list, "n"));
	host_list_remove(&list, &other);
	join(&list, names, sizeof(names));
	ck_assert_str_eq(names, "a n3");
	host_list_clear(&list);
	host_list_clear(&other);
	ck_assert(!host_list_has(&list, "a"));
}
