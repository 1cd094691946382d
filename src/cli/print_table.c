/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints tables: drawn by libsmartcols, or with a separator between columns. */
#include "cli/print_table.h"

#include "cli/complain.h"
#include "cli/output.h"
#include "cli/print_text.h"
#include "core/utf8.h"
#include "memory/need_memory.h"

#include <libsmartcols.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Deeper rows are drawn at this depth, with their depth before the name, "(70) ada": libsmartcols
 * recurses for each level, and lines would become wider with each. */
#define MOST_DRAWN_LEVELS 64
#define LEVEL_WIDTH 2		/* characters of tree lines for a level */

/* ---- cells --------------------------------------------------------------------- */

/* Returns a text with blanks up to the column's least width. libsmartcols treats a width as a hint,
 * or breaks headings. */
static const char *padded(const struct table_column *column, int least, const char *text,
			  char *buffer)
{
	if (!least)
		return text;
	snprintf(buffer, CELL_SIZE, "%*s", column->right ? least : -least, text);
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

static const char *cell_text(const struct table *table, const struct table_column *column,
			     size_t row, char *buffer)
{
	const char *text = table_text(table, column, row, buffer);

	return !*text && column->missing ? column->missing : text;
}

/* ---- a table ------------------------------------------------------------------- */

#define EVERY SIZE_MAX

/* A table that libsmartcols draws. Rows below the last level that is drawn hang side by side on
 * the row at that level. */
struct drawing {
	const struct table *table;
	struct libscols_table *lines;
	struct libscols_line **parent_line;	/* by row: the line on which its children hang */
	int levels;				/* number of levels that are drawn */
	bool colour;
	bool is_hidden[MOST_COLUMNS];
	size_t part[MOST_COLUMNS];	/* in which part of a wide table the column is, or EVERY */
	size_t now;			/* the part that is drawn; EVERY: all parts as one */
	int least[MOST_COLUMNS];	/* characters: the column's, or more for its group's name */
};

static bool is_drawn(const struct drawing *drawing, size_t i)
{
	return !drawing->is_hidden[i] && (drawing->now == EVERY || drawing->part[i] == EVERY ||
					  drawing->part[i] == drawing->now);
}

/* Prints a newline in a cell as one. */
static void let_wrap(struct libscols_column *column)
{
	need_done(scols_column_set_safechars(column, "\n"));
	need_done(scols_column_set_wrapfunc(column, scols_wrapnl_chunksize,
					    scols_wrapnl_nextchunk, NULL));
}

static void add_column(const struct drawing *drawing, size_t i)
{
	const struct table_column *column = &drawing->table->column[i];
	int flags = (column->right ? SCOLS_FL_RIGHT : 0) | (column->is_tree ? SCOLS_FL_TREE : 0) |
		    (column->shrinks ? SCOLS_FL_TRUNC : 0) | (column->wraps ? SCOLS_FL_WRAP : 0) |
		    (is_drawn(drawing, i) ? 0 : SCOLS_FL_HIDDEN);
	char wide[CELL_SIZE];
	const char *heading = padded(column, drawing->least[i], column->heading, wide);
	struct libscols_column *added =
		need_made(scols_table_new_column(drawing->lines, heading, 0, flags));

	if (column->wraps)
		let_wrap(added);
	if (drawing->colour)
		need_done(scols_cell_set_color(scols_column_get_header(added), "bold"));
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

static void color_cell(const struct drawing *drawing, struct libscols_line *line, size_t i,
		       size_t row)
{
	static const char *const color[] = { [TONE_GOOD] = "green", [TONE_BAD] = "red" };
	const struct table *table = drawing->table;
	enum tone tone = TONE_NONE;

	if (drawing->colour && table->column[i].tone)
		tone = table->column[i].tone(&(struct cell){ .context = table->context,
							     .column = &table->column[i],
							     .row = row });
	if (tone != TONE_NONE)
		need_done(scols_cell_set_color(scols_line_get_cell(line, i), color[tone]));
}

static void put_cell(const struct drawing *drawing, struct libscols_line *line, size_t i,
		     size_t row)
{
	const struct table_column *column = &drawing->table->column[i];
	char buffer[CELL_SIZE], deep[CELL_SIZE], fitting[CELL_SIZE], wide[CELL_SIZE];
	const char *text = cell_text(drawing->table, column, row, buffer);

	if (column->is_tree)
		text = in_tree(drawing, column, row, text, deep, fitting);
	else
		text = padded(column, drawing->least[i], cut(text, column->most, fitting), wide);
	/* libsmartcols frees the copy */
	need_done(scols_line_refer_data(line, i, utf8_make_plain(need_made(strdup(text)))));
	color_cell(drawing, line, i, row);
}

static void add_line(const struct drawing *drawing, size_t row)
{
	const struct table *table = drawing->table;
	bool hangs = table->parent && table->parent[row] != NO_ROW;
	struct libscols_line *parent = hangs ? drawing->parent_line[table->parent[row]] : NULL;
	struct libscols_line *line = need_made(scols_table_new_line(drawing->lines, parent));

	for (size_t i = 0; i < table->column_count; i++)
		put_cell(drawing, line, i, row);
	if (table->depth) {
		bool has_level_below = table->depth[row] < (size_t)drawing->levels;

		drawing->parent_line[row] = has_level_below ? line : parent;
	}
	if (drawing->colour && table->is_bold && table->is_bold(table->context, row))
		need_done(scols_line_set_color(line, "bold"));
}

/* Returns where the columns end that are side by side and of the group of this one. */
static size_t end_of_group(const struct table *table, size_t first)
{
	size_t end = first + 1;

	while (end < table->column_count && table->column[end].group == table->column[first].group)
		end++;
	return end;
}

/* ---- the width of the terminal ----------------------------------------------------- */

/* Returns the width of a column that has been drawn, and of the blank behind it. */
static size_t drawn_width(const struct drawing *drawing, size_t i)
{
	return is_drawn(drawing, i)
		       ? scols_column_get_width(scols_table_get_column(drawing->lines, i)) + 1 : 0;
}

/* Returns the width of the table without that of the terminal, in characters. */
static size_t natural_width(const struct drawing *drawing)
{
	size_t width = 0;
	char *text;

	scols_table_set_termforce(drawing->lines, SCOLS_TERMFORCE_NEVER);
	need_done(scols_print_table_to_string(drawing->lines, &text));
	free(text);
	scols_table_set_termforce(drawing->lines, SCOLS_TERMFORCE_AUTO);
	for (size_t i = 0; i < drawing->table->column_count; i++)
		width += drawn_width(drawing, i);
	return width - 1;
}

/* Hides the columns that are still shown and have the greatest `hides`. Returns whether there are
 * any. */
static bool hide_columns(struct drawing *drawing)
{
	const struct table *table = drawing->table;
	int most = 0;

	for (size_t i = 0; i < table->column_count; i++)
		if (!drawing->is_hidden[i] && table->column[i].hides > most)
			most = table->column[i].hides;
	for (size_t i = 0; most && i < table->column_count; i++)
		drawing->is_hidden[i] |= table->column[i].hides == most;
	return most;
}

/* Returns name number i of those that are hidden; columns of several groups have one name. */
static const char *hidden_at(const void *context, size_t i)
{
	const struct drawing *drawing = context;
	const struct table_column *column = drawing->table->column;

	for (size_t at = 0; at < drawing->table->column_count; at++) {
		bool is_new = drawing->is_hidden[at];

		for (size_t before = 0; is_new && before < at; before++)
			is_new = !drawing->is_hidden[before] ||
				 strcmp(column[before].heading, column[at].heading);
		if (is_new && !i--)
			return column[at].heading;
	}
	return NULL;
}

static void tell_hidden(const struct drawing *drawing)
{
	if (hidden_at(drawing, 0))
		remark("%s %s hidden, because the terminal is too narrow; %s",
		       need_list((struct name_list){ hidden_at, drawing }, " and ", 512),
		       hidden_at(drawing, 1) ? "are" : "is",
		       drawing->table->narrow ? drawing->table->narrow
					      : "--output chooses columns");
}

static bool is_too_wide(const struct drawing *drawing)
{
	return isatty(STDOUT_FILENO) &&
	       natural_width(drawing) > scols_table_get_termwidth(drawing->lines);
}

/* Divides the groups of a drawn table among parts that fit the terminal, at least one group a part;
 * columns of no group are in each. Returns the number of parts. */
static size_t divide_groups(struct drawing *drawing)
{
	const struct table *table = drawing->table;
	size_t common = 0, room, used = 0, part = 0, end;

	for (size_t i = 0; i < table->column_count; i++)
		common += table->column[i].group ? 0 : drawn_width(drawing, i);
	room = scols_table_get_termwidth(drawing->lines) + 1;
	for (size_t first = 0; first < table->column_count; first = end) {
		size_t width = 0;

		end = end_of_group(table, first);
		for (size_t i = first; i < end; i++)
			width += drawn_width(drawing, i);
		if (table->column[first].group && used && common + used + width > room) {
			part++;
			used = 0;
		}
		for (size_t i = first; i < end; i++)
			drawing->part[i] = table->column[i].group ? part : EVERY;
		used += table->column[first].group ? width : 0;
	}
	return part + 1;
}

/* Breaks a text between words into lines of a width. */
static void break_lines(char *text, size_t width)
{
	char *line = text, *blank = NULL;

	for (char *at = text; *at; at++) {
		if (*at == ' ')
			blank = at;
		if ((size_t)(at - line) < width || !blank)
			continue;
		*blank = '\n';
		line = blank + 1;
		blank = NULL;
	}
}

/* Breaks the texts of a column into lines that are narrower by some characters. */
static void narrow_column(const struct drawing *drawing, size_t i, size_t by)
{
	const struct table_column *column = &drawing->table->column[i];
	size_t width = scols_column_get_width(scols_table_get_column(drawing->lines, i));
	char buffer[CELL_SIZE], text[CELL_SIZE];

	for (size_t row = 0; width > by && row < drawing->table->row_count; row++) {
		snprintf(text, sizeof(text), "%s", cell_text(drawing->table, column, row, buffer));
		break_lines(text, width - by);
		need_done(scols_line_set_data(scols_table_get_line(drawing->lines, row), i, text));
	}
}

/* Narrows the column that wraps, if there is one, so that a table that is too wide fits. */
static void wrap_column(const struct drawing *drawing)
{
	size_t width = natural_width(drawing);
	size_t terminal = scols_table_get_termwidth(drawing->lines);

	for (size_t i = 0; i < drawing->table->column_count; i++)
		if (drawing->table->column[i].wraps) {
			narrow_column(drawing, i, width - terminal);
			return;
		}
}

/* ---- groups of columns -------------------------------------------------------------- */

/* Prints the line of groups above the headings of a table whose widths are known. */
static void print_groups(const struct drawing *drawing)
{
	const struct table *table = drawing->table;
	const char *last = NULL;
	int at = 0, start = 0;		/* columns of the terminal */

	for (size_t i = 0; i < table->column_count; i++) {
		const char *group = table->column[i].group;

		if (!is_drawn(drawing, i))
			continue;
		if (group && group != last)
			at += printf("%*s%s", start - at, "", group);
		last = group;
		start += (int)drawn_width(drawing, i);
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

/* Returns the length of a sequence that begins or ends a colour, such as "ESC[0m"; 0: of none. */
static size_t sequence_length(const char *text)
{
	return *text == '\033' ? strcspn(text, "m") + 1 : 0;
}

/* Prints the end of a line, which has only blanks and sequences, without the blanks. */
static void print_line_end(const char *text, const char *end)
{
	for (size_t length; text < end; text += length ? length : 1) {
		length = sequence_length(text);
		fwrite_unlocked(text, 1, length, stdout);
	}
	putc_unlocked('\n', stdout);
}

/* Prints lines without the blanks at their ends. */
static void print_trimmed(const char *text)
{
	const char *rest = text, *at;	/* rest: not printed yet */
	size_t length;

	for (at = text; *at; at += length ? length : 1) {
		length = sequence_length(at);
		if (length || *at == ' ')
			continue;
		if (*at == '\n')
			print_line_end(rest, at);
		else
			fwrite_unlocked(rest, 1, (size_t)(at + 1 - rest), stdout);
		rest = at + 1;
	}
	print_line_end(rest, at);
}

/* Prints the drawn lines. The line of groups stands above them, but needs their widths. */
static void print_lines(const struct drawing *drawing)
{
	char *text = NULL;

	need_done(scols_print_table_to_string(drawing->lines, &text));
	if (has_groups(drawing->table))
		print_groups(drawing);
	print_trimmed(text);
	free(text);
}

/* Returns the width that a column has at least, without its cells. */
static int least_width(const struct table_column *column)
{
	int width = (int)strlen(column->heading);

	return column->least > width ? column->least : width;
}

/* Returns by how much a group's name is longer than the headings of its columns that are shown.
 * first, end: the group's columns; *last: set to the last one of these. */
static int lacking_width(const struct drawing *drawing, size_t first, size_t end, size_t *last)
{
	const struct table_column *column = drawing->table->column;
	int room = -1;

	for (size_t i = first; i < end; i++) {
		if (!is_drawn(drawing, i))
			continue;
		room += 1 + least_width(&column[i]);
		*last = i;
	}
	return room < 0 ? 0 : (int)strlen(column[first].group) - room;
}

/* Sets the least widths of columns, so that the names of groups fit above them. */
static void set_widths(struct drawing *drawing)
{
	const struct table *table = drawing->table;
	size_t end;

	for (size_t i = 0; i < table->column_count; i++)
		drawing->least[i] = table->column[i].least;
	for (size_t first = 0; has_groups(table) && first < table->column_count; first = end) {
		const char *group = table->column[first].group;
		size_t last = first;
		int lacking;

		end = end_of_group(table, first);
		lacking = group ? lacking_width(drawing, first, end, &last) : 0;
		if (lacking > 0)
			drawing->least[last] = least_width(&table->column[last]) + lacking;
	}
}

/* Makes the lines anew with the columns that are not hidden. */
static void draw(struct drawing *drawing)
{
	const struct table *table = drawing->table;

	set_widths(drawing);
	scols_unref_table(drawing->lines);
	drawing->lines = need_made(scols_new_table());
	scols_table_enable_noheadings(drawing->lines, !table->has_header);
	scols_table_enable_colors(drawing->lines, drawing->colour);
	for (size_t i = 0; i < table->column_count; i++)
		add_column(drawing, i);
	for (size_t row = 0; row < table->row_count; row++)
		add_line(drawing, row);
}

/* Prints a table that is too wide: its parts, each narrowed if it does not fit either. */
static void print_parts(struct drawing *drawing)
{
	size_t parts = divide_groups(drawing);

	for (drawing->now = 0; drawing->now < parts; drawing->now++) {
		if (drawing->now)
			putchar('\n');
		draw(drawing);
		if (is_too_wide(drawing))
			wrap_column(drawing);
		print_lines(drawing);
	}
}

void print_table(const struct table *table)
{
	struct drawing drawing = {
		.table = table, .levels = count_drawn_levels(table), .colour = output_has_color(),
		.parent_line = need_zeros(table->row_count, sizeof(*drawing.parent_line)),
		.now = EVERY,
	};

	do
		draw(&drawing);
	while (is_too_wide(&drawing) && hide_columns(&drawing));
	tell_hidden(&drawing);
	if (is_too_wide(&drawing))
		print_parts(&drawing);
	else
		print_lines(&drawing);
	scols_unref_table(drawing.lines);
}

/* ---- a separator between columns ---------------------------------------------------- */

static void put(const struct table *table, size_t i, const char *text, const char *separator,
		bool ends)
{
	print_plain(text);
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
			put(table, i, table_text(table, column, row, buffer), separator, ends);
		}
	}
}

/* ---- columns of fixed widths --------------------------------------------------------- */

static void put_fixed(const struct table *table, size_t i, const char *text)
{
	const struct table_column *column = &table->column[i];

	if (i)
		putc_unlocked(' ', stdout);
	if (column->most && strlen(text) > (size_t)column->most)
		print_plain_start(text, (size_t)column->most);
	else
		print_padded(text, column->right ? column->least : -column->least);
	if (i + 1 == table->column_count)
		putc_unlocked('\n', stdout);
}

void print_fixed(const struct table *table)
{
	char buffer[CELL_SIZE];

	for (size_t i = 0; table->has_header && i < table->column_count; i++)
		put_fixed(table, i, table->column[i].heading);
	for (size_t row = 0; row < table->row_count; row++)
		for (size_t i = 0; i < table->column_count; i++) {
			const struct table_column *column = &table->column[i];
			const char *text = table_text(table, column, row, buffer);

			put_fixed(table, i, *text || !column->missing ? text : column->missing);
		}
}

void print_either(const struct table *table, bool is_parsable)
{
	if (is_parsable)
		print_separated(table, "|", false);
	else
		print_table(table);
}
