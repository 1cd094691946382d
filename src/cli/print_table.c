/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints tables: drawn by libsmartcols, or with a separator between columns. */
#include "cli/print_table.h"

#include "core/error.h"

#include <errno.h>
#include <libsmartcols.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Deeper rows are drawn at this depth, with their depth before the name, "(70) ada": libsmartcols
 * recurses for each level, and lines would become wider with each. */
#define MOST_DRAWN_LEVELS 64
#define LEVEL_WIDTH 2		/* characters of tree lines for a level */

/* Colour only on a terminal, and never with NO_COLOR. */
static bool wants_colour(void)
{
	const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(none && *none) && terminal && strcmp(terminal, "dumb");
}

/* ---- cells --------------------------------------------------------------------- */

/* Returns a text with blanks up to the column's least width. libsmartcols treats a width as a hint,
 * or breaks headings. */
static const char *padded(const struct table_column *column, const char *text, char *buffer)
{
	if (!column->least)
		return text;
	snprintf(buffer, CELL_SIZE, "%*s", column->right ? column->least : -column->least, text);
	return buffer;
}

/* Cuts a text to `most` characters; a '+' at the end marks a cut text, as in sshare. */
static const char *cut(const char *text, int most, char *buffer)
{
	size_t last = 0;
	int count = 0;

	if (!most)
		return text;
	/* do not count the later bytes of a UTF-8 character */
	for (size_t at = 0; text[at]; at++)
		if ((text[at] & 0xc0) != 0x80 && ++count == most)
			last = at;
	if (count <= most)
		return text;
	snprintf(buffer, CELL_SIZE, "%.*s+", (int)last, text);
	return buffer;
}

static const char *cell(const struct table *table, const struct table_column *column, size_t row,
			char *buffer)
{
	const char *text = column->text(table->context, column, row, buffer);

	return !*text && column->missing ? column->missing : text;
}

/* ---- a table ------------------------------------------------------------------- */

/* A table that libsmartcols draws. Rows below the last level that is drawn hang side by side on
 * the row at that level. */
struct drawing {
	const struct table *table;
	struct libscols_table *lines;
	struct libscols_line **parent_line;	/* by row: the line on which its children hang */
	int levels;				/* number of levels that are drawn */
	bool colour;
};

static int add_column(const struct drawing *drawing, const struct table_column *column)
{
	int flags = (column->right ? SCOLS_FL_RIGHT : 0) | (column->is_tree ? SCOLS_FL_TREE : 0) |
		    (column->shrinks ? SCOLS_FL_TRUNC : 0);
	char wide[CELL_SIZE];
	struct libscols_column *added =
		scols_table_new_column(drawing->lines, padded(column, column->heading, wide), 0,
				       flags);

	if (!added)
		return -1;
	return drawing->colour ? scols_cell_set_color(scols_column_get_header(added), "bold") : 0;
}

/* Returns how many levels can be drawn without the tree lines filling the column. */
static int count_drawn_levels(const struct table *table)
{
	int levels = MOST_DRAWN_LEVELS;

	for (size_t i = 0; i < table->column_count; i++) {
		const struct table_column *column = &table->column[i];

		if (column->is_tree && column->most && (column->most - 1) / LEVEL_WIDTH < levels)
			levels = (column->most - 1) / LEVEL_WIDTH;
	}
	return levels;
}

/* Returns the text after the tree lines: the name, and before it the depth if that is greater
 * than the number of levels drawn. deep, buffer: room for a cell each. */
static const char *in_tree(const struct drawing *drawing, const struct table_column *column,
			   size_t row, const char *name, char *deep, char *buffer)
{
	size_t depth = drawing->table->depth[row];
	int drawn = (int)depth;

	if (depth > (size_t)drawing->levels) {
		drawn = drawing->levels;
		snprintf(deep, CELL_SIZE, "(%zu) %s", depth, name);
		name = deep;
	}
	return cut(name, column->most ? column->most - LEVEL_WIDTH * drawn : 0, buffer);
}

static int put_cell(const struct drawing *drawing, struct libscols_line *line, size_t i, size_t row)
{
	const struct table_column *column = &drawing->table->column[i];
	char buffer[CELL_SIZE], deep[CELL_SIZE], fitting[CELL_SIZE], wide[CELL_SIZE];
	const char *text = cell(drawing->table, column, row, buffer);

	if (column->is_tree)
		text = in_tree(drawing, column, row, text, deep, fitting);
	else
		text = padded(column, cut(text, column->most, fitting), wide);
	return scols_line_set_data(line, i, text);
}

static int add_line(const struct drawing *drawing, size_t row)
{
	const struct table *table = drawing->table;
	bool hangs = table->parent && table->parent[row] != NO_ROW;
	struct libscols_line *parent = hangs ? drawing->parent_line[table->parent[row]] : NULL;
	struct libscols_line *line = scols_table_new_line(drawing->lines, parent);

	if (!line)
		return -1;
	for (size_t i = 0; i < table->column_count; i++)
		if (put_cell(drawing, line, i, row))
			return -1;
	if (table->depth) {
		bool has_level_below = table->depth[row] < (size_t)drawing->levels;

		drawing->parent_line[row] = has_level_below ? line : parent;
	}
	if (drawing->colour && table->is_bold && table->is_bold(table->context, row))
		return scols_line_set_color(line, "bold");
	return 0;
}

/* Prints the line of groups above the headings of a table whose widths are known. */
static void print_groups(const struct drawing *drawing)
{
	const struct table *table = drawing->table;
	int at = 0, start = 0;		/* columns of the terminal */

	for (size_t i = 0; i < table->column_count; i++) {
		const char *group = table->column[i].group;

		if (group && (!i || table->column[i - 1].group != group))
			at += printf("%*s%s", start - at, "", group);
		start += (int)scols_column_get_width(scols_table_get_column(drawing->lines, i)) + 1;
	}
	putchar('\n');
}

static bool has_groups(const struct table *table)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (table->column[i].group)
			return table->has_header;
	return false;
}

/* Prints the drawn lines. The line of groups stands above them, but needs their widths. */
static int print_lines(const struct drawing *drawing)
{
	char *text = NULL;

	if (!has_groups(drawing->table))
		return scols_print_table(drawing->lines);
	if (scols_print_table_to_string(drawing->lines, &text))
		return -1;
	print_groups(drawing);
	puts(text);
	free(text);
	return 0;
}

/* Widens the last column of each group whose name is longer than its headings. */
static void make_room_for_groups(struct table *table)
{
	int room = 0;

	for (size_t i = 0; i < table->column_count; i++) {
		struct table_column *column = &table->column[i];
		bool begins = !i || column->group != column[-1].group;
		int width = (int)strlen(column->heading), wanted;

		if (!column->group)
			continue;
		width = column->least > width ? column->least : width;
		room = begins ? width : room + 1 + width;
		wanted = (int)strlen(column->group);
		if (room < wanted && (i + 1 == table->column_count ||
				      column[1].group != column->group))
			column->least = width + wanted - room;
	}
}

static int draw(struct drawing *drawing)
{
	const struct table *table = drawing->table;

	drawing->lines = scols_new_table();
	drawing->parent_line = calloc(table->row_count + 1, sizeof(*drawing->parent_line));
	if (!drawing->lines || !drawing->parent_line)
		return -1;
	scols_table_enable_noheadings(drawing->lines, !table->has_header);
	scols_table_enable_colors(drawing->lines, drawing->colour);
	for (size_t i = 0; i < table->column_count; i++)
		if (add_column(drawing, &table->column[i]))
			return -1;
	for (size_t row = 0; row < table->row_count; row++)
		if (add_line(drawing, row))
			return -1;
	return print_lines(drawing);
}

int print_table(struct table *table, struct fathom_error *error)
{
	struct drawing drawing = { .table = table, .levels = count_drawn_levels(table),
				   .colour = wants_colour() };
	int status;

	if (has_groups(table))
		make_room_for_groups(table);
	status = draw(&drawing);

	free(drawing.parent_line);
	scols_unref_table(drawing.lines);
	return status ? fathom_error_set(error, ENOMEM, "%s", strerror(ENOMEM)) : 0;
}

/* ---- a separator between columns ---------------------------------------------------- */

static void put(const struct table *table, size_t i, const char *text, const char *separator,
		bool ends)
{
	fputs_unlocked(text, stdout);
	if (i + 1 < table->column_count || ends)
		fputs_unlocked(separator, stdout);
	if (i + 1 == table->column_count)
		putc_unlocked('\n', stdout);
}

void print_separated(const struct table *table, const char *separator, bool ends)
{
	char buffer[CELL_SIZE];

	for (size_t i = 0; table->has_header && i < table->column_count; i++) {
		const struct table_column *column = &table->column[i];

		snprintf(buffer, sizeof(buffer), "%s%s%s", column->heading,
			 column->group ? ":" : "", column->group ? column->group : "");
		put(table, i, buffer, separator, ends);
	}
	for (size_t row = 0; row < table->row_count; row++) {
		for (size_t i = 0; i < table->column_count; i++) {
			const struct table_column *column = &table->column[i];

			for (size_t depth = column->is_tree ? table->depth[row] : 0; depth; depth--)
				putc_unlocked(' ', stdout);
			put(table, i, column->text(table->context, column, row, buffer), separator,
			    ends);
		}
	}
}
