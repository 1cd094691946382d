/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints tables on stdout. */
#pragma once

#include "relation/columns.h"

/* Draws a table, and the groups of columns in a line above it. On a terminal that
 * is too narrow, columns that hide are left out, and a line on stderr names them; groups that do
 * not fit even then follow in tables below, each with the columns of no group. Without rows it
 * prints nothing, no header either. */
void print_table(const struct table *table);
/* Prints a table as printf() does: columns have their least width, or more in a row whose cell
 * needs it, and a blank between; a text is cut to the greatest width. Widths are in bytes. */
void print_fixed(const struct table *table);
/* Prints a table with '|' between columns if is_parsable, else as print_table() does; without rows
 * its header with blanks between columns. Where separators part columns, a heading is followed by
 * ':' and the column's group, and blanks before a name show its depth. */
void print_either(const struct table *table, bool is_parsable);
