/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists that name columns. */
#include "../unit.h"

#include "document/document.h"
#include "relation/column_list.h"

/* Three rows in two columns: a text, and a number that may be unknown. */
static const struct { const char *name; double number; } rows[] = {
	{ "b", 1 }, { "a", NAN }, { "c", 3 }, { "a", 2 }, { "b", 1 },
};
#define ROW_COUNT (sizeof(rows) / sizeof(*rows))

static struct value name_of(const struct cell *cell)
{
	return value_of_text(rows[cell->row].name);
}

static struct value number_of(const struct cell *cell)
{
	return value_of_whole(rows[cell->row].number);
}

static const struct column columns[] = {
	{ .name = "PartitionFactor", .get = number_of, .letter = 'P' },
	{ .name = "Partition", .kind = COLUMN_TEXT, .get = name_of },
	{ .name = "User", .kind = COLUMN_TEXT, .get = name_of, .letter = 'u', .is_common = true },
	{ .name = "Value", .get = number_of },
	{ .name = "Change", .get = number_of, .of_comparison = true },
};

static const char *label_at(const void *context, size_t i)
{
	static const char *const labels[] = { "one", "two", NULL };

	return i < *(const size_t *)context ? labels[i] : NULL;
}

/* Makes the relation of a comparison of so many. */
static struct relation relation_of(const size_t *compared)
{
	struct relation relation = { .labels = { label_at, compared }, .has_letters = true };

	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		relation_add(&relation, &columns[i]);
	return relation;
}

static const size_t alone = 1, pair = 2;

static const struct {
	const char *name, *found;
} names[] = {
	{ "User", "User" }, { "user", "User" }, { "U", "User" }, { "part", "PartitionFactor" },
	{ "Partition", "Partition" }, { "PARTITIONF", "PartitionFactor" }, { "Users", NULL },
	{ "", NULL }, { "Change", NULL },
};

TEST_EACH(whole_name_comes_before_a_beginning, names)
{
	struct list_item item = { .name = names[_i].name, .length = strlen(names[_i].name) };
	struct relation relation = relation_of(&alone);
	const struct table_column *found = relation_find(&relation, &item);

	if (names[_i].found)
		ck_assert_str_eq(found->of->name, names[_i].found);
	else
		ck_assert_ptr_null(found);
}

TEST(items_have_a_name_and_a_width)
{
	struct relation relation = relation_of(&alone);
	struct table table = { 0 };

	relation_choose(&relation, "--output", ",User%20,,Part%-3,Value", &table);
	ck_assert_uint_eq(table.column_count, 3);
	ck_assert_str_eq(table.column[0].heading, "User");
	ck_assert_int_eq(table.column[0].most, 20);
	ck_assert(table.column[0].right);
	ck_assert_str_eq(table.column[1].heading, "PartitionFactor");
	ck_assert_int_eq(table.column[1].least, 3);
	ck_assert_int_eq(table.column[1].most, 0);	/* numbers are never cut */
	ck_assert(!table.column[1].right);
	ck_assert_int_eq(table.column[2].most, 0);
}

static const char *const wrong_lists[] = {
	"", ",", "User%", "User%0", "User%x", "User%1001", "User%-1001",
	"User%99999999999999999999", "nothing", "%z", "%.1001u",
	"u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,"
	"u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u,u",
};

static void choose(void *context)
{
	struct relation relation = relation_of(&alone);
	struct table table = { 0 };

	relation_choose(&relation, "--output", context, &table);
}

TEST_EACH(lists_without_a_column_or_with_a_wrong_width_are_rejected, wrong_lists)
{
	struct failure failure;

	ck_assert_int_eq(document_try(choose, (void *)wrong_lists[_i], &failure), -1);
	ck_assert_str_eq(failure.name, "--output");
}

/* Lists of a comparison of two; of each column the first letter and the number of the list. */
static const struct {
	const char *list, *chosen;
} compared_lists[] = {
	{ "User,Value", "U0 V0 V1 " }, { "Value:two,User:two", "V1 U0 " }, { "Change", "C1 " },
	{ "Value,Part", "V0 P0 V1 P1 " }, { "%u%P", "U0 P0 P1 " },
};

TEST_EACH(columns_of_a_comparison_are_chosen_for_each_that_has_them, compared_lists)
{
	struct relation relation = relation_of(&pair);
	struct table table = { 0 };
	char chosen[64] = "";

	relation_choose(&relation, "--output", compared_lists[_i].list, &table);
	for (size_t i = 0; i < table.column_count; i++)
		snprintf(chosen + strlen(chosen), sizeof(chosen) - strlen(chosen), "%c%zu ",
			 *table.column[i].heading, table.column[i].which);
	ck_assert_str_eq(chosen, compared_lists[_i].chosen);
}

static const struct {
	const char *list;
	size_t order[ROW_COUNT];
} orders[] = {
	{ "User", { 1, 3, 0, 4, 2 } },
	{ "-u", { 2, 0, 4, 1, 3 } },
	{ "value", { 0, 4, 3, 2, 1 } },
	{ "-value", { 2, 3, 0, 4, 1 } },	/* unknown ones stay last */
	{ "u,value", { 3, 1, 0, 4, 2 } },
	{ "+user -value", { 3, 1, 0, 4, 2 } },
};

TEST_EACH(rows_are_sorted_by_one_column_after_the_other, orders)
{
	struct relation relation = relation_of(&pair);
	struct sort_keys keys = { .table = { .column_count = 0 } };
	size_t row[ROW_COUNT];

	for (size_t i = 0; i < ROW_COUNT; i++)
		row[i] = 10 * i;
	relation_choose_order(&relation, "--sort", orders[_i].list, &keys);
	sort_rows(&keys, row, ROW_COUNT);
	for (size_t i = 0; i < ROW_COUNT; i++)
		ck_assert_uint_eq(row[i], 10 * orders[_i].order[i]);
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

/* An item whose label is taken off. */
struct taken {
	struct list_item item;
	struct label_range range;
};

static void take_label(void *context)
{
	struct taken *taken = context;

	taken->range = list_item_take_label(&taken->item, (struct name_list){ label_at, &pair },
					    "--sort");
}

TEST_EACH(a_label_chooses_one_of_a_comparison, labelled)
{
	const char *text = labelled[_i].item;
	struct taken taken = { .item = { .name = text, .length = strlen(text) } };
	struct failure failure;

	ck_assert_int_eq(document_try(take_label, &taken, &failure), labelled[_i].name ? 0 : -1);
	if (!labelled[_i].name)
		return;
	ck_assert_uint_eq(taken.item.length, strlen(labelled[_i].name));
	ck_assert_uint_eq(taken.range.first, labelled[_i].first);
	ck_assert_uint_eq(taken.range.end, labelled[_i].end);
}
