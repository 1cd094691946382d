/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/print.h"

#include "core/error.h"

#include <errno.h>
#include <libsmartcols.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What hangs deeper is drawn at this depth, with its own before its name:
 * libsmartcols walks a tree by recursion, and a line would grow with each level. */
#define MOST_DRAWN_LEVELS 64
#define LEVEL_WIDTH 2		/* of the tree lines, for each level */
#define WIDE_SIZE (4 * MOST_WIDTH + 1)	/* bytes of as many characters */

bool print_wants_colour(void)
{
	const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(none && *none) && terminal && strcmp(terminal, "dumb");
}

/* ---- columns ------------------------------------------------------------------- */

static bool is_right(const struct chosen *chosen)
{
	return chosen->width ? chosen->width > 0 && !chosen->is_tree : chosen->column->right;
}

/* libsmartcols takes a width as a hint, and breaks headings where it is bound to it. */
static const char *padded(const struct choice *choice, size_t i, const char *text, char *buffer)
{
	const struct chosen *chosen = &choice->chosen[i];
	int width = abs(chosen->width);

	if (!width || (!is_right(chosen) && i + 1 == choice->count))
		return text;
	snprintf(buffer, WIDE_SIZE, "%*s", is_right(chosen) ? width : -width, text);
	return buffer;
}

static int add_column(struct libscols_table *table, const struct choice *choice, size_t i,
		      bool colour)
{
	const struct chosen *chosen = &choice->chosen[i];
	int flags = (is_right(chosen) ? SCOLS_FL_RIGHT : 0) |
		    (chosen->is_tree ? SCOLS_FL_TREE : 0) |
		    (chosen->column->live ? SCOLS_FL_TRUNC : 0);
	char wide[WIDE_SIZE];
	struct libscols_column *column =
		scols_table_new_column(table, padded(choice, i, chosen->heading, wide), 0, flags);

	if (!column)
		return -1;
	return colour ? scols_cell_set_color(scols_column_get_header(column), "bold") : 0;
}

static struct libscols_table *new_table(const struct choice *choice, bool header, bool colour)
{
	struct libscols_table *table;

	table = scols_new_table();
	if (!table)
		return NULL;
	scols_table_enable_noheadings(table, !header);
	scols_table_enable_colors(table, colour);
	for (size_t i = 0; i < choice->count; i++) {
		if (!add_column(table, choice, i, colour))
			continue;
		scols_unref_table(table);
		return NULL;
	}
	return table;
}

/* ---- lines --------------------------------------------------------------------- */

struct drawing {
	struct libscols_table *table;
	const struct figures *figures;
	const struct choice *choice;
	size_t levels;			/* that are drawn */
	struct libscols_line **below;	/* by node: the line that its children hang on */
	bool colour;
};

/* To so many characters. sshare marks what is cut with a '+' at the end. */
static const char *cut(const char *text, size_t room, char *buffer)
{
	size_t count = 0, last = 0;

	for (size_t at = 0; text[at]; at++)
		if ((text[at] & 0xc0) != 0x80 && ++count == room)
			last = at;
	if (count <= room)
		return text;
	memmove(buffer, text, last);
	strcpy(buffer + last, "+");
	return buffer;
}

/* So many that the tree lines leave the column its width. */
static size_t count_drawn_levels(const struct choice *choice)
{
	size_t levels = MOST_DRAWN_LEVELS;

	for (size_t i = 0; i < choice->count; i++) {
		size_t width = (size_t)abs(choice->chosen[i].width);

		if (choice->chosen[i].is_tree && width && (width - 1) / LEVEL_WIDTH < levels)
			levels = (width - 1) / LEVEL_WIDTH;
	}
	return levels;
}

/* With tree lines before it, and its level where these do not go as deep. */
static const char *in_tree(const struct drawing *drawing, size_t node, const char *name,
			   size_t width, char *below, char *buffer)
{
	size_t depth = drawing->figures->depth[node], drawn = depth;

	if (depth > drawing->levels) {
		drawn = drawing->levels;
		snprintf(below, WIDE_SIZE, "(%zu) %s", depth, name);
		name = below;
	}
	return width ? cut(name, width - LEVEL_WIDTH * drawn, buffer) : name;
}

static int put_cell(const struct drawing *drawing, struct libscols_line *line, size_t i,
		    size_t node)
{
	const struct chosen *chosen = &drawing->choice->chosen[i];
	size_t width = (size_t)abs(chosen->width);
	char cell[CELL_SIZE], below[WIDE_SIZE], fitting[WIDE_SIZE], wide[WIDE_SIZE];
	const char *text = chosen->column->text(drawing->figures, chosen, node, cell);

	if (chosen->is_tree)
		return scols_line_set_data(line, i, in_tree(drawing, node, text, width, below,
							    fitting));
	if (width && !column_is_number(chosen->column))
		text = cut(text, width, fitting);
	return scols_line_set_data(line, i, padded(drawing->choice, i, text, wide));
}

static int add_line(const struct drawing *drawing, size_t node)
{
	const struct fathom_tree *tree = drawing->figures->snapshot->tree;
	struct libscols_line *parent = node ? drawing->below[fathom_tree_parent(tree, node)] : NULL;
	struct libscols_line *line = scols_table_new_line(drawing->table, parent);
	bool account = fathom_tree_kind(tree, node) == FATHOM_ACCOUNT;

	if (!line)
		return -1;
	for (size_t i = 0; i < drawing->choice->count; i++)
		if (put_cell(drawing, line, i, node))
			return -1;
	drawing->below[node] = drawing->figures->depth[node] < drawing->levels ? line : parent;
	return drawing->colour && account ? scols_line_set_color(line, "bold") : 0;
}

static int add_lines(struct drawing *drawing)
{
	const struct figures *figures = drawing->figures;
	int status;

	drawing->below = calloc(fathom_tree_count(figures->snapshot->tree),
				sizeof(*drawing->below));
	status = drawing->below ? 0 : -1;
	for (size_t i = 0; !status && i < figures->shown_count; i++)
		status = add_line(drawing, figures->shown[i]);
	free(drawing->below);
	return status;
}

int print_table(const struct figures *figures, const struct choice *choice, bool header,
		struct fathom_error *error)
{
	struct drawing drawing = { .figures = figures, .choice = choice,
				   .levels = count_drawn_levels(choice),
				   .colour = print_wants_colour() };
	int status = -1;

	drawing.table = new_table(choice, header, drawing.colour);
	if (drawing.table)
		status = add_lines(&drawing);
	if (!status)
		status = scols_print_table(drawing.table);
	scols_unref_table(drawing.table);
	return status ? fathom_error_set(error, ENOMEM, "%s", strerror(ENOMEM)) : 0;
}
