/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/print.h"

#include "core/error.h"

#include <errno.h>
#include <libsmartcols.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What hangs deeper is drawn at this depth: libsmartcols walks a tree by
 * recursion, and a line would grow with each level. */
#define MOST_DRAWN_LEVELS 64

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

static int add_column(struct libscols_table *table, const struct chosen *chosen, bool colour)
{
	int flags = (is_right(chosen) ? SCOLS_FL_RIGHT : 0) |
		    (chosen->is_tree ? SCOLS_FL_TREE : 0) |
		    (chosen->column->live ? SCOLS_FL_TRUNC : 0);
	/* what TRES there are is seldom as wide as it may be */
	int width = chosen->column->live ? 0 : abs(chosen->width);
	struct libscols_column *column;

	if (width && !column_is_number(chosen->column) && !chosen->is_tree)
		flags |= SCOLS_FL_STRICTWIDTH | SCOLS_FL_TRUNC;
	column = scols_table_new_column(table, chosen->heading, width, flags);
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
		if (!add_column(table, &choice->chosen[i], colour))
			continue;
		scols_unref_table(table);
		return NULL;
	}
	return table;
}

/* ---- lines --------------------------------------------------------------------- */

/* sshare marks what is cut with a '+' at the end. */
static const char *cut(const char *text, int width, char *buffer)
{
	size_t room = (size_t)abs(width);

	if (!width || strlen(text) <= room || room >= CELL_SIZE)
		return text;
	memmove(buffer, text, room);
	strcpy(buffer + room - 1, "+");
	return buffer;
}

static int fill_line(struct libscols_line *line, const struct figures *figures,
		     const struct choice *choice, size_t node)
{
	char buffer[CELL_SIZE];

	for (size_t i = 0; i < choice->count; i++) {
		const struct chosen *chosen = &choice->chosen[i];
		const char *text = chosen->column->text(figures, chosen, node, buffer);

		if (!chosen->is_tree && !column_is_number(chosen->column))
			text = cut(text, chosen->width, buffer);
		if (scols_line_set_data(line, i, text))
			return -1;
	}
	return 0;
}

/* below: by node, the line that its children hang on. */
static int add_line(struct libscols_table *table, const struct figures *figures,
		    const struct choice *choice, size_t node, struct libscols_line **below,
		    bool colour)
{
	const struct fathom_tree *tree = figures->snapshot->tree;
	struct libscols_line *parent = node ? below[fathom_tree_parent(tree, node)] : NULL;
	struct libscols_line *line = scols_table_new_line(table, parent);
	bool account = fathom_tree_kind(tree, node) == FATHOM_ACCOUNT;

	if (!line || fill_line(line, figures, choice, node))
		return -1;
	below[node] = figures->depth[node] < MOST_DRAWN_LEVELS ? line : parent;
	return colour && account ? scols_line_set_color(line, "bold") : 0;
}

static int add_lines(struct libscols_table *table, const struct figures *figures,
		     const struct choice *choice, bool colour)
{
	struct libscols_line **below = calloc(fathom_tree_count(figures->snapshot->tree),
					      sizeof(*below));
	int status = below ? 0 : -1;

	for (size_t i = 0; !status && i < figures->shown_count; i++)
		status = add_line(table, figures, choice, figures->shown[i], below, colour);
	free(below);
	return status;
}

int print_table(const struct figures *figures, const struct choice *choice, bool header,
		struct fathom_error *error)
{
	bool colour = print_wants_colour();
	struct libscols_table *table = new_table(choice, header, colour);
	int status = table ? add_lines(table, figures, choice, colour) : -1;

	if (!status)
		status = scols_print_table(table);
	scols_unref_table(table);
	return status ? fathom_error_set(error, ENOMEM, "%s", strerror(ENOMEM)) : 0;
}
