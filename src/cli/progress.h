/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows on a terminal how far long work has come, as one line on stderr, once it has lasted for a
 * second. A process has one terminal, and so one such line; the caller sees to it that two threads
 * are not here at once. A signal that ends the process removes the line first.
 */
#pragma once

#include "format/format.h"

/* Begins long work, and ends any before. Nothing is shown if stderr is not a terminal. */
void progress_begin(void);
/* Shows the part that is done, 0 to 1, the text, and how long the rest takes. part: NAN: it is not
 * known, and the text is shown alone. Can be called often: the line changes five times a second. */
void progress_show(double part, const char *text);
/* Removes the line. The next progress_show() may show it again. */
void progress_hide(void);
/* Shows how much of an open file has been read, until it is closed. For input->watch. */
void progress_of_input(const struct document *input);
/* Returns the time of CLOCK_MONOTONIC in seconds. */
double clock_now(void);
