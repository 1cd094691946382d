/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where standard output goes, and whether it has colour: --out and --color of all commands. */
#pragma once

#include <stdbool.h>

/* option_out(), in options.h, collects standard output, and output_finish() writes the file. */

/* Returns whether tables have colour: as --color says; by default on a terminal, unless NO_COLOR is
 * set. */
bool output_has_color(void);
/* Returns the path of --out, which the caller writes itself; standard output then goes nowhere.
 * NULL: it was not given. */
const char *output_take_path(void);
/* Refuses a path of --out that cannot be written, before the command changes something. */
void output_check_path(void);
/* Prints the remarks so far, before what goes to standard output; not with --out, whose file may
 * still fail. */
void output_print_remarks(void);
/* Ends the output of a command with this exit status: prints all remarks, writes the file of --out,
 * and closes standard output. If status is EXIT_WRONG, it only closes. Returns `status`; or
 * EXIT_WRONG if the output could not be written, after printing an error. */
int output_finish(int status);
