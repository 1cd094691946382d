/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints text without control characters, and in lines of at most 79 columns. */
#ifndef CLI_PRINT_TEXT_H
#define CLI_PRINT_TEXT_H

#include <stddef.h>

/* Prints so many characters. Control characters, which could steer a terminal, become '?'. */
void print_plain(const char *text, size_t length);

/* Prints text broken at blanks, and ends the line. at: the column at which the cursor stands;
 * indent: the column of further lines. Control characters become '?'. */
void print_wrapped(const char *text, size_t at, size_t indent);

#endif
