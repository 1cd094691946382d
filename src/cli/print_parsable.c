/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/print.h"

#include <stdio.h>

static void print_end(size_t i, const struct choice *choice, bool ends)
{
	if (i + 1 < choice->count || ends)
		putc_unlocked('|', stdout);
}

static void print_line(const struct figures *figures, const struct choice *choice, size_t node,
		       bool ends)
{
	char buffer[CELL_SIZE];

	for (size_t i = 0; i < choice->count; i++) {
		const struct chosen *chosen = &choice->chosen[i];

		if (chosen->is_tree)	/* depth is what the spaces tell */
			for (size_t depth = figures->depth[node]; depth; depth--)
				putc_unlocked(' ', stdout);
		fputs_unlocked(chosen->column->text(figures, chosen, node, buffer), stdout);
		print_end(i, choice, ends);
	}
	putc_unlocked('\n', stdout);
}

void print_parsable(const struct figures *figures, const struct choice *choice, bool header,
		    bool ends)
{
	for (size_t i = 0; header && i < choice->count; i++) {
		fputs(choice->chosen[i].heading, stdout);
		print_end(i, choice, ends);
	}
	if (header)
		putchar('\n');
	for (size_t i = 0; i < figures->shown_count; i++)
		print_line(figures, choice, figures->shown[i], ends);
}
