/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints text without characters that could steer a terminal, see utf8_steers(), and in lines of at
 * most 79 columns. These characters become '?'. */
#pragma once

#include <stddef.h>

/* Prints a text. */
void print_plain(const char *text);
/* Prints the first `length` bytes of a text. */
void print_plain_start(const char *text, size_t length);
/* Prints `before` as it is, and a text. */
void print_behind(const char *before, const char *text);
/* Prints a line: the label as it is, and a text. */
void print_labelled(const char *label, const char *text);
/* Prints a text with blanks up to a width in bytes, as "%*s" of printf() does: on the right if the
 * width is negative. */
void print_padded(const char *text, int width);

/* Prints a line of a list: two blanks and a name, and from `column` on, counted from 0, a text that
 * is broken into lines there. */
void print_entry(const char *name, int column, const char *text);
/* Prints text broken at blanks, and ends the line. at: the column at which the cursor stands;
 * indent: the column at which further lines begin; both from 0. */
void print_wrapped(const char *text, size_t at, size_t indent);
