/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Splits lists of columns into items, finds columns by name, and sorts rows by columns. */
#include "relation/column_list.h"

#include "core/suggestion.h"
#include "document/document.h"
#include "memory/need_memory.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LONGEST_SHOWN 64	/* characters of an item that a message shows */

bool list_next(const char **rest, const char *separators, struct list_item *item)
{
	item->name = *rest + strspn(*rest, separators);
	item->length = strcspn(item->name, separators);
	item->width = 0;
	*rest = item->name + item->length;
	return item->length;
}

int list_item_shown(const struct list_item *item)
{
	return (int)(item->length < LONGEST_SHOWN ? item->length : LONGEST_SHOWN);
}

/* Returns how many lists are compared; 1: nothing is compared. */
static size_t label_count(struct name_list labels)
{
	size_t count = 0;

	while (labels.at && labels.at(labels.context, count))
		count++;
	return count ? count : 1;
}

struct label_range list_item_take_label(struct list_item *item, struct name_list labels,
					const char *option)
{
	struct document document = { .name = option };	/* which the error names */
	const char *colon = memchr(item->name, ':', item->length), *label;
	size_t length = colon ? (size_t)(item->name + item->length - colon) - 1 : 0;
	size_t count = label_count(labels);

	if (!colon || count == 1)
		return (struct label_range){ 0, count };
	for (size_t i = 0; i < count; i++) {
		label = labels.at(labels.context, i);
		if (strlen(label) != length || strncasecmp(label, colon + 1, length))
			continue;
		item->length = (size_t)(colon - item->name);
		return (struct label_range){ i, i + 1 };
	}
	wrong_at(&document, 0, "'%.*s': after ':' must be %s", list_item_shown(item), item->name,
		 need_list(labels, " or ", 160));
}

/* ---- columns that may be named -------------------------------------------------------- */

void relation_add_one(struct relation *relation, const struct column *column, size_t which)
{
	struct table_column *added;

	relation->column = need_room(relation->column, &relation->room, relation->count + 1,
				     sizeof(*relation->column));
	added = &relation->column[relation->count++];
	*added = table_column_of(column);
	added->which = which;
	added->is_plain = relation->is_plain;
	if (!column->is_common && label_count(relation->labels) > 1)
		added->group = relation->labels.at(relation->labels.context, which);
}

void relation_add(struct relation *relation, const struct column *column)
{
	size_t count = column->is_common ? 1 : label_count(relation->labels);
	size_t first = column->of_comparison ? 1 : 0;	/* list 0 is not compared with itself */

	for (size_t which = first; which < count; which++)
		relation_add_one(relation, column, which);
}

/* Sets the width of a column, in place of that of its description. Texts are cut to it, numbers
 * never. width: as in struct list_item. */
static void set_width(struct table_column *column, int width)
{
	column->least = abs(width);
	column->most = column->kind == COLUMN_NUMBER ? 0 : abs(width);
	if (width)
		column->right = width > 0 && !column->is_tree;
}

struct table_column *relation_put(struct table *table, const struct table_column *column, int width)
{
	struct table_column *added = &table->column[table->column_count++];

	*added = *column;
	for (size_t i = 0; i + 1 < table->column_count; i++)
		if (table->column[i].is_tree)
			added->is_tree = false;	/* a table draws one tree */
	set_width(added, width);
	return added;
}

struct table_column *relation_pick(const struct relation *relation, struct table *table,
				   const char *name, size_t which)
{
	for (size_t i = 0; i < relation->count; i++) {
		const struct table_column *column = &relation->column[i];

		if ((column->of->is_common || column->which == which) &&
		    !strcmp(column->of->name, name))
			return relation_put(table, column, 0);
	}
	return NULL;
}

const struct table_column *relation_find(const struct relation *relation,
					 const struct list_item *item)
{
	const struct table_column *found = NULL;

	for (size_t i = 0; item->length && i < relation->count; i++) {
		const char *name = relation->column[i].of->name;

		if (strncasecmp(name, item->name, item->length))
			continue;
		if (!name[item->length])
			return &relation->column[i];
		if (!found)
			found = &relation->column[i];
	}
	return found;
}

const char *relation_hint(const struct relation *relation, const struct list_item *item)
{
	struct suggestion suggestion = { .word = item->name, .length = item->length };

	for (size_t i = 0; i < relation->count; i++) {
		const char *name = relation->column[i].of->name;

		/* the column that the item names cannot be shown, so is no suggestion */
		if (strlen(name) != item->length || strncasecmp(name, item->name, item->length))
			suggestion_consider(&suggestion, name);
	}
	return suggestion.name ? need_print("; did you mean %s?", suggestion.name)
			       : "; see --helpformat";
}

/* ---- choosing columns ------------------------------------------------------------------ */

/* The user's list of columns, while it is read. */
struct choosing {
	const struct relation *relation;
	struct table *table;		/* gets the columns */
	struct document option;		/* whose name messages begin with */
	/* The columns are to sort by: an item of one letter is sprio's letter, and a name adds one
	 * column, of the first compared list that has it. */
	bool is_order;
};

/* Ends with the error that an item names no column. range, found: see relation.refuse. */
static _Noreturn void refuse(struct choosing *choosing, const struct list_item *item,
			     struct label_range range, const struct table_column *found)
{
	const struct relation *relation = choosing->relation;

	if (relation->refuse)
		relation->refuse(relation, choosing->option.name, item, range, found);
	wrong_at(&choosing->option, 0, "'%.*s' is not a column%s", list_item_shown(item),
		 item->name, relation_hint(relation, item));
}

/* Refuses one more column if the table is full. */
static void check_room(struct choosing *choosing)
{
	if (choosing->table->column_count == MOST_COLUMNS)
		wrong_at(&choosing->option, 0, "more than %d columns", MOST_COLUMNS);
}

/* Splits "NAME%WIDTH" into the item's name and width; "NAME" has width 0. */
static void split_width(struct choosing *choosing, struct list_item *item)
{
	const char *percent = memchr(item->name, '%', item->length);
	long width;
	char *end;

	if (!percent)
		return;
	width = strtol(percent + 1, &end, 10);
	if (end != item->name + item->length || !width || width > MOST_WIDTH || width < -MOST_WIDTH)
		wrong_at(&choosing->option, 0, "'%.*s': the width must be 1 to %d, or negative to "
			 "align to the left", list_item_shown(item), item->name, MOST_WIDTH);
	item->width = (int)width;
	item->length = (size_t)(percent - item->name);
}

/* Adds a column once for each list of a range that has it. found: the first column of this name in
 * the relation. width: as in struct list_item. */
static void add_each(struct choosing *choosing, const struct table_column *found,
		     struct label_range range, int width)
{
	const struct table_column *end = choosing->relation->column + choosing->relation->count;

	for (const struct table_column *column = found; column < end; column++) {
		bool is_wanted = column->of->is_common ||
				 (column->which >= range.first && column->which < range.end);

		/* a policy's own column may have the name of a common one, such as Rank */
		if (!is_wanted || column->get != found->get ||
		    strcmp(column->of->name, found->of->name))
			continue;
		check_room(choosing);
		relation_put(choosing->table, column, width);
		if (choosing->is_order)
			break;
	}
}

/* Returns the first column with sprio's letter, weighted or plain; NULL: there is none, or letter
 * is 0. */
static const struct table_column *find_letter(const struct relation *relation, char letter)
{
	for (size_t i = 0; letter && i < relation->count; i++)
		if (relation->column[i].of->letter == letter ||
		    relation->column[i].of->plain_letter == letter)
			return &relation->column[i];
	return NULL;
}

/* Adds the columns that an item names. Refuses an item that names none. */
static void add_named(struct choosing *choosing, const struct list_item *given)
{
	const struct relation *relation = choosing->relation;
	struct list_item item = *given;
	size_t before = choosing->table->column_count;
	const struct table_column *found;
	struct label_range range;

	check_room(choosing);
	range = list_item_take_label(&item, relation->labels, choosing->option.name);
	found = choosing->is_order && relation->has_letters && item.length == 1
			? find_letter(relation, *item.name) : relation_find(relation, &item);
	if (!found)
		refuse(choosing, given, range, NULL);
	if (relation->is_lacking && relation->is_lacking(relation, found->of))
		refuse(choosing, given, range, found);
	add_each(choosing, found, range, item.width);
	if (choosing->table->column_count == before)
		refuse(choosing, given, range, NULL);
}

/* Reads columns in sprio's form, "%[.][width]letter"; '.' aligns to the right. Other text between
 * them is ignored. */
static void choose_letters(struct choosing *choosing, const char *format)
{
	const struct relation *relation = choosing->relation;
	const struct label_range all = { 0, label_count(relation->labels) };
	struct table *table = choosing->table;

	for (const char *at = format; *at; at++) {
		const struct table_column *found;
		struct list_item item = { .name = at };
		size_t before = table->column_count;
		bool right = at[1] == '.';
		unsigned long width;
		char *end;

		if (*at != '%')
			continue;
		at += 1 + right;
		width = isdigit((unsigned char)*at) ? strtoul(at, &end, 10) : 0;
		if (width)
			at = end;
		item.length = (size_t)(at - item.name) + (*at != 0);	/* with the letter */
		found = find_letter(relation, *at);
		if (!found || width > MOST_WIDTH)
			refuse(choosing, &item, all, NULL);
		add_each(choosing, found, all, (int)width);
		for (; before < table->column_count; before++) {
			table->column[before].right = right;
			table->column[before].is_plain = found->of->plain_letter == *at;
		}
	}
}

/* Refuses a list without a column. */
static void check_any(struct choosing *choosing)
{
	if (!choosing->table->column_count)
		wrong_at(&choosing->option, 0, "no column given; see --helpformat");
}

void relation_choose(const struct relation *relation, const char *option, const char *list,
		     struct table *table)
{
	struct choosing choosing = { relation, table, { .name = option }, false };
	struct list_item item;

	if (relation->has_letters && list[strspn(list, " ")] == '%')
		choose_letters(&choosing, list);
	else
		while (list_next(&list, ",", &item)) {
			split_width(&choosing, &item);
			add_named(&choosing, &item);
		}
	check_any(&choosing);
	columns_join_groups(table);
}

/* ---- sorting ------------------------------------------------------------------------ */

void relation_choose_order(const struct relation *relation, const char *option, const char *list,
			   struct sort_keys *keys)
{
	struct choosing choosing = { relation, &keys->table, { .name = option }, true };
	struct list_item item;

	while (list_next(&list, ", ", &item)) {
		bool descending = *item.name == '-';
		size_t sign = descending || *item.name == '+' ? 1 : 0;
		size_t before = keys->table.column_count;

		/* "-" alone stays as it is, and is refused as an unknown column */
		if (item.length > sign) {
			item.name += sign;
			item.length -= sign;
		}
		add_named(&choosing, &item);
		for (size_t i = before; i < keys->table.column_count; i++)
			keys->descending[i] = descending;
	}
	check_any(&choosing);
}

/* The kinds of cells in the order in which rows are sorted, ascending or descending. */
enum cell_rank {
	CELL_COMPARED,		/* has a value that is compared */
	CELL_WORD,		/* has a text in a column of numbers, such as "parent" */
	CELL_EMPTY
};

/* Returns the kind of a cell by its value. */
static enum cell_rank rank_of(const struct table_column *column, const struct value *value)
{
	bool is_text = column->kind == COLUMN_TEXT;

	/* first, as amounts of nothing are an empty text with the number 0 */
	if (!is_text && !isnan(value_number(value)))
		return CELL_COMPARED;
	if (value->kind == VALUE_NONE || (value->kind == VALUE_TEXT && !*value->text))
		return CELL_EMPTY;
	return is_text ? CELL_COMPARED : CELL_WORD;
}

/* Compares the cells of key number i in the rows a and b. Returns less than 0 if a comes before b,
 * 0 if they are equal. */
static int compare_cells(const struct sort_keys *keys, size_t i, size_t a, size_t b)
{
	const struct table_column *column = &keys->table.column[i];
	char text_a[CELL_SIZE], text_b[CELL_SIZE];
	struct value value_a = table_value(&keys->table, column, a, text_a);
	struct value value_b = table_value(&keys->table, column, b, text_b);
	double number_a = value_number(&value_a), number_b = value_number(&value_b);
	int order = (int)rank_of(column, &value_a) - (int)rank_of(column, &value_b);

	if (order)
		return order;
	if (column->kind == COLUMN_TEXT)
		order = strcmp(value_text(&value_a, text_a), value_text(&value_b, text_b));
	else
		order = (number_a > number_b) - (number_a < number_b);
	return keys->descending[i] ? -order : order;
}

/* Compares numbers of rows for qsort_r(). context: the keys. */
static int compare_rows(const void *first, const void *second, void *context)
{
	const size_t *a = first, *b = second;
	const struct sort_keys *keys = context;

	for (size_t i = 0; i < keys->table.column_count; i++) {
		int order = compare_cells(keys, i, *a, *b);

		if (order)
			return order;
	}
	return (*a > *b) - (*a < *b);	/* equal rows keep their order */
}

void sort_rows(const struct sort_keys *keys, size_t *row, size_t count)
{
	size_t *order = need_zeros(count, sizeof(*order)), *before;

	for (size_t i = 0; i < count; i++)
		order[i] = i;
	/* the table shows row[], so row[] changes only when all rows have been compared */
	qsort_r(order, count, sizeof(*order), compare_rows, (void *)keys);
	before = need_zeros(count, sizeof(*before));
	memcpy(before, row, count * sizeof(*row));
	for (size_t i = 0; i < count; i++)
		row[i] = before[order[i]];
}

/* ---- groups of columns ------------------------------------------------------------------ */

/* An insertion sort: a table has few columns, and those of one list keep their order. */
void columns_join_groups(struct table *table)
{
	for (size_t i = 1; i < table->column_count; i++) {
		struct table_column moved = table->column[i];
		size_t to = i;

		for (; moved.group && to && table->column[to - 1].group &&
		       table->column[to - 1].which > moved.which; to--)
			table->column[to] = table->column[to - 1];
		table->column[to] = moved;
	}
}
