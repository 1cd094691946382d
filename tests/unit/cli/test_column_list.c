/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists that name columns. */
#include "../unit.h"

#include "cli/column_list.h"

#include <math.h>
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

TEST_EACH(whole_name_comes_before_a_beginning, names)
{
	struct list_item item = { .name = names[_i].name, .length = strlen(names[_i].name) };

	ck_assert_uint_eq(column_find((struct name_list){ .at = name_at }, &item), names[_i].found);
}

static int add(struct table *table, const struct list_item *item, const void *context,
	       struct fathom_error *error)
{
	struct table_column *column = &table->column[table->column_count++];

	(void)context, (void)error;
	column->detail = item->length;
	column_set_width(column, item->width, false);
	return 0;
}

TEST(items_have_a_name_and_a_width)
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

static const char *const wrong_lists[] = {
	"", ",", "User%", "User%0", "User%x", "User%1001", "User%-1001",
	"User%99999999999999999999",
	"a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,"
	"a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a",
};

TEST_EACH(lists_without_a_column_or_with_a_wrong_width_are_rejected, wrong_lists)
{
	struct table table = { 0 };
	struct fathom_error error;

	ck_assert_int_eq(column_list_parse(&table, wrong_lists[_i], add, NULL, &error), -1);
}

/* Three rows in two columns: a text, and a number that may be unknown. */
static const struct { const char *name; double number; } rows[] = {
	{ "b", 1 }, { "a", NAN }, { "c", 3 }, { "a", 2 }, { "b", 1 },
};
#define ROW_COUNT (sizeof(rows) / sizeof(*rows))

static const char *name_of(const void *context, const struct table_column *column, size_t row,
			   char *buffer)
{
	(void)context, (void)column, (void)buffer;
	return rows[row].name;
}

static double number_of(const void *context, const struct table_column *column, size_t row)
{
	(void)context, (void)column;
	return rows[row].number;
}

static int add_key(struct table *table, const struct list_item *item, const void *context,
		   struct fathom_error *error)
{
	bool is_name = *item->name == 'n';

	(void)context, (void)error;
	table->column[table->column_count++] = (struct table_column){
		.text = name_of, .number = is_name ? NULL : number_of };
	return 0;
}

static const struct {
	const char *list;
	size_t order[ROW_COUNT];
} orders[] = {
	{ "", { 0, 1, 2, 3, 4 } },
	{ "name", { 1, 3, 0, 4, 2 } },
	{ "-name", { 2, 0, 4, 1, 3 } },
	{ "value", { 0, 4, 3, 2, 1 } },
	{ "-value", { 2, 3, 0, 4, 1 } },	/* unknown ones stay last */
	{ "name,value", { 3, 1, 0, 4, 2 } },
	{ "+name -value", { 3, 1, 0, 4, 2 } },
};

TEST_EACH(rows_are_sorted_by_one_column_after_the_other, orders)
{
	struct sort_keys keys = { .table = { .column_count = 0 } };
	struct fathom_error error;
	size_t order[ROW_COUNT];

	ck_assert_int_eq(sort_keys_parse(&keys, orders[_i].list, add_key, NULL, &error), 0);
	sort_rows(&keys, order, ROW_COUNT);
	for (size_t i = 0; i < ROW_COUNT; i++)
		ck_assert_uint_eq(order[i], orders[_i].order[i]);
}

/* letters: upper case for a column in a group, whose number is the letter's place; digits are
 * columns without a group */
static const struct {
	const char *before, *after;
} joined[] = {
	{ "ABAB", "AABB" }, { "1ABAB2", "1AABB2" }, { "ABAB1ABAB", "AABB1AABB" },
	{ "BA", "AB" }, { "12", "12" }, { "CABCAB", "AABBCC" }, { "A1B2", "A1B2" },
};

TEST_EACH(groups_are_joined_between_columns_without_a_group, joined)
{
	struct table table = { .column_count = strlen(joined[_i].before) };

	for (size_t i = 0; i < table.column_count; i++) {
		const char *letter = &joined[_i].before[i];

		table.column[i] = (struct table_column){ .heading = letter,
							 .group = *letter >= 'A' ? "group" : NULL,
							 .which = (size_t)(*letter - 'A') };
	}
	columns_join_groups(&table);
	for (size_t i = 0; i < table.column_count; i++)
		ck_assert_int_eq(*table.column[i].heading, joined[_i].after[i]);
}

/* labels: of the comparison; first, end: the range, or both 0: refused */
static const struct {
	const char *item, *name;
	size_t first, end;
} labelled[] = {
	{ "Rank", "Rank", 0, 2 }, { "Rank:one", "Rank", 0, 1 }, { "Rank:TWO", "Rank", 1, 2 },
	{ "Rank:", NULL, 0, 0 }, { "Rank:tw", NULL, 0, 0 }, { "Rank:twos", NULL, 0, 0 },
	{ ":one", "", 0, 1 },
};

static const char *label_at(const void *context, size_t i)
{
	static const char *const labels[] = { "one", "two", NULL };

	(void)context;
	return labels[i];
}

TEST_EACH(a_label_chooses_one_of_a_comparison, labelled)
{
	const char *text = labelled[_i].item;
	struct list_item item = { .name = text, .length = strlen(text) };
	struct label_range range;
	struct fathom_error error;
	int status = list_item_take_label(&item, (struct name_list){ .at = label_at }, &range,
					  &error);

	ck_assert_int_eq(status, labelled[_i].name ? 0 : -1);
	if (status)
		return;
	ck_assert_uint_eq(item.length, strlen(labelled[_i].name));
	ck_assert_uint_eq(range.first, labelled[_i].first);
	ck_assert_uint_eq(range.end, labelled[_i].end);
}
