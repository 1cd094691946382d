/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists that name columns. */
#include "../unit.h"

#include "cli/column_list.h"

#include <string.h>

static const char *name_at(const void *context, size_t i)
{
	static const char *const names[] = { "PartitionFactor", "Partition", "User", "", NULL };

	(void)context;
	return names[i];
}

static const struct {
	const char *name;
	size_t found;
} names[] = {
	{ "User", 2 }, { "user", 2 }, { "U", 2 }, { "part", 0 }, { "Partition", 1 },
	{ "PARTITIONF", 0 }, { "Users", NO_COLUMN }, { "", NO_COLUMN },
};

START_TEST(whole_name_comes_before_a_beginning)
{
	struct list_item item = { .name = names[_i].name, .length = strlen(names[_i].name) };

	ck_assert_uint_eq(column_find((struct name_list){ .at = name_at }, &item), names[_i].found);
}
END_TEST

static int add(struct table *table, const struct list_item *item, const void *context,
	       struct fathom_error *error)
{
	struct table_column *column = &table->column[table->column_count++];

	(void)context, (void)error;
	column->detail = item->length;
	column_set_width(column, item->width, false);
	return 0;
}

START_TEST(items_have_a_name_and_a_width)
{
	struct table table = { 0 };
	struct fathom_error error;

	ck_assert_int_eq(column_list_parse(&table, ",User%20,,ID%-3,Name", add, NULL, &error), 0);
	ck_assert_uint_eq(table.column_count, 3);
	ck_assert_uint_eq(table.column[0].detail, 4);
	ck_assert_int_eq(table.column[0].most, 20);
	ck_assert(table.column[0].right);
	ck_assert_uint_eq(table.column[1].detail, 2);
	ck_assert_int_eq(table.column[1].least, 3);
	ck_assert(!table.column[1].right);
	ck_assert_int_eq(table.column[2].most, 0);
}
END_TEST

static const char *const wrong_lists[] = {
	"", ",", "User%", "User%0", "User%x", "User%1001", "User%-1001",
	"User%99999999999999999999",
	"a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a",
};

START_TEST(lists_without_a_column_or_with_a_wrong_width_are_rejected)
{
	struct table table = { 0 };
	struct fathom_error error;

	ck_assert_int_eq(column_list_parse(&table, wrong_lists[_i], add, NULL, &error), -1);
}
END_TEST

static void add_tests(TCase *tests)
{
	tcase_add_loop_test(tests, whole_name_comes_before_a_beginning, 0,
			    sizeof(names) / sizeof(*names));
	tcase_add_test(tests, items_have_a_name_and_a_width);
	tcase_add_loop_test(tests, lists_without_a_column_or_with_a_wrong_width_are_rejected, 0,
			    sizeof(wrong_lists) / sizeof(*wrong_lists));
}

int main(void)
{
	return unit_run("column_list", add_tests);
}
