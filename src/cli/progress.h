/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows on a terminal how far long work has come, as one line on stderr, from its second second
 * on. A process has one terminal, and so one such line; the caller sees to it that two threads are
 * not here at once. A signal that ends the process removes the line first.
 */
#pragma once

#include "format/format.h"

/* Long work begins. Nothing is shown if stderr is no terminal. */
void progress_begin(void);
/* Shows the part that is done, 0 to 1, what is in `text`, and how long the rest takes; part: NAN:
 * not known. */
void progress_show(double part, const char *text);
/* Removes the line, until more work is done. */
void progress_hide(void);
/* Shows how much of an open file has been read, until it is closed. For input->watch. */
void progress_of_input(const struct document *input);
/* Returns the seconds of a clock that nobody sets. */
double clock_now(void);
