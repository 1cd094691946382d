/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws a table. The texts of all cells are made first, which tells how wide each column is; then
 * lines are printed. A table that is too wide for the terminal loses its columns with `hides`, the
 * greatest first. If it still does not fit, its groups of columns are divided among parts, which
 * are printed one below the other, each with the columns of no group:
 *
 *	        fair-tree           lsf		part 0
 *	Account FairShare Rank      FairShare Rank
 *	...
 *	        pbs				part 1
 *	Account FairShare Rank
 *
 * A part that is too wide gets narrower columns, if it has some that wrap or shrink.
 */
#include "cli/complain.h"
#include "cli/output.h"
#include "cli/print_table.h"
#include "core/utf8.h"
#include "memory/need_memory.h"

#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

/* Deeper rows are drawn at this depth, with their depth before the name, "(70) ada", so that lines
 * do not become wider with each level. */
#define MOST_DRAWN_LEVELS 64
#define LEVEL_WIDTH 2		/* columns of the terminal for the tree lines of a level */
#define USUAL_WIDTH 80		/* of a terminal that does not tell its width */
#define EVERY SIZE_MAX		/* in place of the number of a part: all parts */
#define NO_COLUMN SIZE_MAX

static const char bold[] = "\033[1m";

struct drawing {
	const struct table *table;
	char *text;			/* of all cells, row by row, each ended by NUL */
	size_t length, room;		/* bytes of `text` that are used; that it has */
	bool *is_last;			/* by row: no sibling follows; NULL: it is no tree */
	size_t levels;			/* the greatest depth at which rows are drawn */
	size_t cells_width[MOST_COLUMNS];	/* of the widest cell */
	size_t width[MOST_COLUMNS];	/* of the column, as it is drawn */
	bool is_hidden[MOST_COLUMNS];
	size_t part[MOST_COLUMNS];	/* the part in which the column is, or EVERY */
	size_t drawn_part;		/* EVERY: all parts are drawn as one table */
	size_t terminal;		/* its width; SIZE_MAX: standard output is no terminal */
	bool colour;
	const char *const *lines;	/* of the tree: drawn_lines or plain_lines */
	bool goes_on[MOST_DRAWN_LEVELS + 1];	/* by level: its last row has siblings below */
	size_t blanks;			/* due before the next text of the line, see put_text() */
};

/* ---- widths -------------------------------------------------------------------- */

/* Returns the length in bytes of the longest beginning of a text that is narrower than `most`
 * columns of the terminal. *width: gets the columns that it takes. */
static size_t bytes_within(const char *text, size_t most, size_t *width)
{
	size_t left = strlen(text), at = 0, bytes;

	for (*width = 0; at < left; at += bytes) {
		uint32_t code = (unsigned char)text[at];
		int columns = 1;

		bytes = 1;
		if (code >= 0x80 && (bytes = utf8_read(text + at, left - at, &code)) != 0)
			columns = wcwidth((wchar_t)code);
		bytes += !bytes;	/* a byte that is not UTF-8 */
		columns = columns < 0 ? 1 : columns;
		if (*width + (size_t)columns >= most)
			break;
		*width += (size_t)columns;
	}
	return at;
}

/* Returns how many columns of the terminal a text takes. */
static size_t text_width(const char *text)
{
	size_t width;

	bytes_within(text, SIZE_MAX, &width);
	return width;
}

/* Returns a text cut to `most` columns of the terminal, with '+' at its end, as in sshare. most: 0:
 * no bound; buffer: CELL_SIZE, for a text that is cut. */
static const char *cut_text(const char *text, size_t most, char *buffer)
{
	size_t width;

	if (!most || text_width(text) <= most)
		return text;
	snprintf(buffer, CELL_SIZE, "%.*s+", (int)bytes_within(text, most, &width), text);
	return buffer;
}

/* Returns the depth at which a row is drawn. */
static size_t drawn_depth(const struct drawing *drawing, size_t row)
{
	size_t depth = drawing->table->depth[row];

	return depth < drawing->levels ? depth : drawing->levels;
}

/* Returns the text after the tree lines, cut to the column: the name, and before it the depth if
 * the row is drawn at a smaller one. deep, buffer: CELL_SIZE bytes each, for the text with the
 * depth and for the cut text. */
static const char *text_in_tree(const struct drawing *drawing, const struct table_column *column,
				size_t row, const char *name, char *deep, char *buffer)
{
	size_t depth = drawing->table->depth[row];
	size_t lines = LEVEL_WIDTH * drawn_depth(drawing, row);

	if (depth > drawing->levels) {
		snprintf(deep, CELL_SIZE, "(%zu) %s", depth, name);
		name = deep;
	}
	return cut_text(name, column->most ? (size_t)column->most - lines : 0, buffer);
}

/* Adds the text of a cell to drawing->text, and its width to cells_width[]. i: the column. */
static void add_cell(struct drawing *drawing, size_t i, size_t row)
{
	const struct table_column *column = &drawing->table->column[i];
	char buffer[CELL_SIZE], deep[CELL_SIZE], fitting[CELL_SIZE];
	const char *text = table_text(drawing->table, column, row, buffer);
	size_t length, width;

	if (!*text && column->missing)
		text = column->missing;
	text = column->is_tree ? text_in_tree(drawing, column, row, text, deep, fitting)
			       : cut_text(text, (size_t)column->most, fitting);
	length = strlen(text) + 1;
	drawing->text = need_room(drawing->text, &drawing->room, drawing->length + length, 1);
	text = utf8_make_plain(memcpy(drawing->text + drawing->length, text, length));
	drawing->length += strlen(text) + 1;	/* may be shorter now */
	width = text_width(text);
	if (column->is_tree)
		width += LEVEL_WIDTH * drawn_depth(drawing, row);
	if (width > drawing->cells_width[i])
		drawing->cells_width[i] = width;
}

/* Returns the greatest depth at which tree lines leave room for a name in the tree's column. */
static size_t count_drawn_levels(const struct table *table)
{
	size_t levels = MOST_DRAWN_LEVELS;

	for (size_t i = 0; i < table->column_count; i++) {
		const struct table_column *column = &table->column[i];

		if (column->is_tree && column->most &&
		    (size_t)(column->most - 1) / LEVEL_WIDTH < levels)
			levels = (size_t)(column->most - 1) / LEVEL_WIDTH;
	}
	return levels;
}

/* Sets which rows are the last below their parents, from the last row of the table up. */
static void find_last(struct drawing *drawing)
{
	const struct table *table = drawing->table;
	/* by level: a row below the present one has its depth and its parent */
	bool follows[MOST_DRAWN_LEVELS + 2] = { false };

	if (!table->depth)
		return;
	drawing->is_last = need_zeros(table->row_count, sizeof(*drawing->is_last));
	for (size_t row = table->row_count; row--;) {
		size_t depth = drawn_depth(drawing, row);

		drawing->is_last[row] = !follows[depth];
		follows[depth] = true;
		follows[depth + 1] = false;
	}
}

/* Returns the columns of the terminal; SIZE_MAX: standard output is no terminal. */
static size_t terminal_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size = { .ws_col = 0 };
	int width = columns ? atoi(columns) : 0;

	if (!isatty(STDOUT_FILENO))
		return SIZE_MAX;
	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col)
		return size.ws_col;
	return width > 0 ? (size_t)width : USUAL_WIDTH;
}

/* ---- which columns are drawn, and how wide ------------------------------------------ */

/* Returns whether column i is in the part that is drawn now, and not hidden. */
static bool is_drawn(const struct drawing *drawing, size_t i)
{
	bool is_in_part = drawing->drawn_part == EVERY || drawing->part[i] == EVERY ||
			  drawing->part[i] == drawing->drawn_part;

	return is_in_part && !drawing->is_hidden[i];
}

/* Returns the width of column i with the blank behind it; 0: it is not drawn. */
static size_t drawn_width(const struct drawing *drawing, size_t i)
{
	return is_drawn(drawing, i) ? drawing->width[i] + 1 : 0;
}

/* Returns the width of the columns from `first` to the one before `end`, with the blanks behind
 * them. */
static size_t width_of_columns(const struct drawing *drawing, size_t first, size_t end)
{
	size_t width = 0;

	for (size_t i = first; i < end; i++)
		width += drawn_width(drawing, i);
	return width;
}

/* Returns the index behind the columns that stand side by side from `first` on in one group, or in
 * no group. */
static size_t end_of_group(const struct table *table, size_t first)
{
	size_t end = first + 1;

	while (end < table->column_count && table->column[end].group == table->column[first].group)
		end++;
	return end;
}

/* Returns whether a line of groups is printed. */
static bool has_groups(const struct table *table)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (table->column[i].group)
			return table->has_header;
	return false;
}

/* Returns the least width of column i, whatever its cells have. */
static size_t heading_width(const struct table *table, size_t i)
{
	const struct table_column *column = &table->column[i];
	size_t width = table->has_header ? text_width(column->heading) : 0;

	return (size_t)column->least > width ? (size_t)column->least : width;
}

/* Widens the last column shown of a group whose name is longer than the headings of its columns.
 * first, end: the group's columns. */
static void make_room_for_name(struct drawing *drawing, size_t first, size_t end)
{
	const struct table *table = drawing->table;
	size_t room = 0, last = first, name, wanted;

	if (!table->column[first].group)
		return;
	name = text_width(table->column[first].group) + 1;
	for (size_t i = first; i < end; i++)
		if (is_drawn(drawing, i)) {
			room += heading_width(table, i) + 1;
			last = i;
		}
	if (!room || name <= room)
		return;
	wanted = heading_width(table, last) + name - room;
	if (wanted > drawing->width[last])
		drawing->width[last] = wanted;
}

/* Sets the widths that columns want, whatever the terminal's is. Returns the width of what is drawn
 * now. */
static size_t natural_width(struct drawing *drawing)
{
	const struct table *table = drawing->table;
	size_t end;

	for (size_t i = 0; i < table->column_count; i++) {
		drawing->width[i] = heading_width(table, i);
		if (drawing->cells_width[i] > drawing->width[i])
			drawing->width[i] = drawing->cells_width[i];
	}
	for (size_t first = 0; has_groups(table) && first < table->column_count; first = end) {
		end = end_of_group(table, first);
		make_room_for_name(drawing, first, end);
	}
	/* no blank behind the last column */
	return width_of_columns(drawing, 0, table->column_count) - 1;
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

/* Returns the name by which a remark tells a column: as in --output if the command has that option,
 * else its heading. */
static const char *column_name(const struct drawing *drawing, size_t i)
{
	const struct table_column *column = &drawing->table->column[i];

	return column->of && !drawing->table->narrow ? column->of->name : column->heading;
}

/* Remarks which columns are hidden, and how to see them. Columns of several groups may have one
 * name, which counts once. */
static void tell_hidden(const struct drawing *drawing)
{
	const char *names[MOST_COLUMNS], *narrow = drawing->table->narrow;
	size_t count = 0;

	for (size_t i = 0; i < drawing->table->column_count; i++) {
		bool is_new = drawing->is_hidden[i];

		for (size_t before = 0; is_new && before < count; before++)
			is_new = strcmp(names[before], column_name(drawing, i));
		if (is_new)
			names[count++] = column_name(drawing, i);
	}
	if (count)
		remark("%s %s hidden, because the terminal is too narrow; %s",
		       need_words(names, count, " and ", 512), count > 1 ? "are" : "is",
		       narrow ? narrow : "--output chooses columns");
}

/* Divides the groups of a drawn table among parts that fit the terminal, at least one group a part;
 * columns of no group are in each. Returns the number of parts. */
static size_t divide_groups(struct drawing *drawing)
{
	const struct table *table = drawing->table;
	/* widths: of the columns of no group, and of the groups in the part so far */
	size_t common = 0, used = 0;
	size_t part = 0, end;

	for (size_t i = 0; i < table->column_count; i++)
		common += table->column[i].group ? 0 : drawn_width(drawing, i);
	for (size_t first = 0; first < table->column_count; first = end) {
		bool is_group = table->column[first].group;
		size_t width;

		end = end_of_group(table, first);
		width = width_of_columns(drawing, first, end);
		/* + 1: the blank behind the last column is not printed */
		if (is_group && used && common + used + width > drawing->terminal + 1) {
			part++;
			used = 0;
		}
		for (size_t i = first; i < end; i++)
			drawing->part[i] = is_group ? part : EVERY;
		used += is_group ? width : 0;
	}
	return part + 1;
}

/* Returns the widest of the columns that are drawn and may become narrower, or NO_COLUMN. */
static size_t widest_that_shrinks(const struct drawing *drawing)
{
	const struct table *table = drawing->table;
	size_t widest = NO_COLUMN;

	for (size_t i = 0; i < table->column_count; i++)
		if (is_drawn(drawing, i) && table->column[i].shrinks &&
		    drawing->width[i] > heading_width(table, i) &&
		    (widest == NO_COLUMN || drawing->width[i] > drawing->width[widest]))
			widest = i;
	return widest;
}

/* Makes the columns that are drawn narrower, together by `by` columns of the terminal, as far as
 * possible: the one that wraps, else those that shrink. */
static void narrow_columns(struct drawing *drawing, size_t by)
{
	const struct table *table = drawing->table;
	size_t widest;

	for (size_t i = 0; i < table->column_count; i++)
		if (table->column[i].wraps && is_drawn(drawing, i) && drawing->width[i] > by) {
			drawing->width[i] -= by;
			return;
		}
	for (; by && (widest = widest_that_shrinks(drawing)) != NO_COLUMN; by--)
		drawing->width[widest]--;
}

/* ---- a line ------------------------------------------------------------------------ */

/* Prints a text of `length` bytes behind the blanks that are due. Blanks at its end are not
 * printed, but due before the next text, so that no line ends with blanks. sequence: begins the
 * text's colour; or NULL. */
static void put_text(struct drawing *drawing, const char *text, size_t length,
		     const char *sequence)
{
	size_t shown = length;

	while (shown && text[shown - 1] == ' ')
		shown--;
	if (shown) {
		for (; drawing->blanks; drawing->blanks--)
			putc_unlocked(' ', stdout);
		if (sequence)
			fputs_unlocked(sequence, stdout);
		fwrite_unlocked(text, 1, shown, stdout);
		if (sequence)
			fputs_unlocked("\033[0m", stdout);
	}
	drawing->blanks += length - shown;
}

/* Ends the line; blanks that are due are dropped. */
static void end_line(struct drawing *drawing)
{
	putc_unlocked('\n', stdout);
	drawing->blanks = 0;
}

/* Prints the line above the headings: the name of each group, where its first column starts. */
static void print_groups(struct drawing *drawing)
{
	const struct table *table = drawing->table;
	const char *last = NULL;
	size_t at = 0, start = 0;	/* columns of the terminal: where the line and table are */

	for (size_t i = 0; i < table->column_count; i++) {
		const char *group = table->column[i].group;

		if (!is_drawn(drawing, i))
			continue;
		if (group && group != last) {
			drawing->blanks = start - at;
			put_text(drawing, group, strlen(group), NULL);
			at = start + text_width(group);
		}
		last = group;
		start += drawn_width(drawing, i);
	}
	end_line(drawing);
}

/* The tree lines before a row, one for each level. */
enum {
	GOES_ON,	/* a level above the row's, of which more rows follow */
	IS_OVER,	/* a level above the row's, of which no more rows follow */
	NEXT,		/* the row's own level; siblings follow */
	LAST,		/* the row's own level; no sibling follows */
	TREE_LINES
};

static const char *const drawn_lines[TREE_LINES] = { "│ ", "  ", "├─", "└─" };
static const char *const plain_lines[TREE_LINES] = { "| ", "  ", "|-", "`-" };

/* Prints the tree lines of a row, and notes whether its siblings go on below it. */
static void put_tree_lines(struct drawing *drawing, size_t row)
{
	size_t depth = drawn_depth(drawing, row);

	for (size_t level = 1; level <= depth; level++) {
		int line = drawing->goes_on[level] ? GOES_ON : IS_OVER;

		if (level == depth)
			line = drawing->is_last[row] ? LAST : NEXT;
		put_text(drawing, drawing->lines[line], strlen(drawing->lines[line]), NULL);
	}
	drawing->goes_on[depth] = !drawing->is_last[row];
}

/* Returns the sequence that begins the colour of column i in a row; NULL: no colour. */
static const char *cell_color(const struct drawing *drawing, size_t i, size_t row)
{
	static const char *const color[] = { [TONE_GOOD] = "\033[32m", [TONE_BAD] = "\033[31m" };
	const struct table *table = drawing->table;
	const struct cell cell = { .context = table->context, .column = &table->column[i],
				   .row = row };
	enum tone tone = TONE_NONE;

	if (!drawing->colour)
		return NULL;
	if (table->column[i].tone)
		tone = table->column[i].tone(&cell);
	if (tone != TONE_NONE)
		return color[tone];
	return table->is_bold && table->is_bold(table->context, row) ? bold : NULL;
}

/* Returns the length in bytes of the first line of a text that is broken at blanks into lines of
 * `width` bytes. A line is longer only if it is a single word. */
static size_t line_length(const char *text, size_t width)
{
	size_t length = strlen(text), blank = 0;

	if (length <= width)
		return length;
	for (size_t at = 0; at <= width || !blank; at++) {
		if (!text[at])
			return length;
		if (text[at] == ' ')
			blank = at;
	}
	return blank;
}

/* Prints a text of `length` bytes in column i. width: how many columns of the terminal it takes,
 * with the tree lines before it; sequence: as in put_text(). */
static void put_cell(struct drawing *drawing, size_t i, const char *text, size_t length,
		     size_t width, const char *sequence)
{
	size_t lacking = drawing->width[i] > width ? drawing->width[i] - width : 0;
	bool right = drawing->table->column[i].right;

	drawing->blanks += right ? lacking : 0;
	put_text(drawing, text, length, sequence);
	drawing->blanks += (right ? 0 : lacking) + 1;
}

/* Prints the lines after the first one of a cell that wraps. i: its column; text: what is not
 * printed yet; "": nothing. */
static void print_rest(struct drawing *drawing, size_t i, const char *text)
{
	while (*text) {
		size_t length = line_length(text, drawing->width[i]);

		for (size_t before = 0; before < i; before++)
			drawing->blanks += drawn_width(drawing, before);
		put_text(drawing, text, length, NULL);
		end_line(drawing);
		text += length + (text[length] == ' ');
	}
}

/* Prints a row. text: its cells, each ended by NUL. Returns the cells of the next row. */
static const char *print_row(struct drawing *drawing, const char *text, size_t row)
{
	const struct table *table = drawing->table;
	const char *rest = "";		/* of the cell that wraps, in column `wrapped` */
	size_t wrapped = 0;

	for (size_t i = 0; i < table->column_count; i++, text += strlen(text) + 1) {
		char buffer[CELL_SIZE];
		size_t width = text_width(text);
		const char *fitting = text;
		size_t length = strlen(text);

		if (!is_drawn(drawing, i))
			continue;
		if (table->column[i].wraps && width > drawing->width[i]) {
			width = length = line_length(text, drawing->width[i]);
			rest = text + length + (text[length] == ' ');
			wrapped = i;
		} else if (table->column[i].shrinks && width > drawing->width[i]) {
			fitting = cut_text(text, drawing->width[i], buffer);
			length = strlen(fitting);
			width = text_width(fitting);
		}
		if (table->column[i].is_tree) {
			put_tree_lines(drawing, row);
			width += LEVEL_WIDTH * drawn_depth(drawing, row);
		}
		put_cell(drawing, i, fitting, length, width, cell_color(drawing, i, row));
	}
	end_line(drawing);
	print_rest(drawing, wrapped, rest);
	return text;
}

/* Prints the headings of the columns that are drawn. */
static void print_headings(struct drawing *drawing)
{
	const struct table *table = drawing->table;

	for (size_t i = 0; i < table->column_count; i++) {
		const char *heading = table->column[i].heading;

		if (is_drawn(drawing, i))
			put_cell(drawing, i, heading, strlen(heading), text_width(heading),
				 drawing->colour ? bold : NULL);
	}
	end_line(drawing);
}

/* Prints the columns of the part that is drawn now: headings and all rows. */
static void print_lines(struct drawing *drawing)
{
	const char *text = drawing->text;

	if (has_groups(drawing->table))
		print_groups(drawing);
	if (drawing->table->has_header)
		print_headings(drawing);
	for (size_t row = 0; row < drawing->table->row_count; row++)
		text = print_row(drawing, text, row);
}

/* Prints a table that is too wide: its parts, each narrowed if it does not fit either. */
static void print_parts(struct drawing *drawing)
{
	size_t parts = divide_groups(drawing);

	for (drawing->drawn_part = 0; drawing->drawn_part < parts; drawing->drawn_part++) {
		size_t width = natural_width(drawing);

		if (drawing->drawn_part)
			putchar('\n');
		if (width > drawing->terminal)
			narrow_columns(drawing, width - drawing->terminal);
		print_lines(drawing);
	}
}

void print_table(const struct table *table)
{
	struct drawing drawing = {
		.table = table, .levels = count_drawn_levels(table), .colour = output_has_color(),
		.drawn_part = EVERY, .terminal = terminal_width(),
		.lines = strcmp(nl_langinfo(CODESET), "UTF-8") ? plain_lines : drawn_lines,
	};

	if (!table->row_count)
		return;
	find_last(&drawing);
	for (size_t row = 0; row < table->row_count; row++)
		for (size_t i = 0; i < table->column_count; i++)
			add_cell(&drawing, i, row);
	while (natural_width(&drawing) > drawing.terminal && hide_columns(&drawing))
		;
	tell_hidden(&drawing);
	output_print_remarks();
	if (natural_width(&drawing) > drawing.terminal)
		print_parts(&drawing);
	else
		print_lines(&drawing);
	need_free(drawing.is_last);
	need_free(drawing.text);
}
