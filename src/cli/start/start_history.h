/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of their time limits jobs of the past have used. */
#pragma once

#include <stddef.h>

struct start_history;

/* Compares two numbers, for qsort(). */
int compare_doubles(const void *a, const void *b);

/* Reads a trace. */
struct start_history *start_history_read(const char *name);
/* Returns the part of a time limit, in seconds, that a job of the user runs in a draw, more than
 * `least`: that of a job of the past, of the same user and limit if there are enough of them, else
 * of the user, else of anybody. 1: none has run so long. job: a number by which draws of jobs
 * differ. */
double start_history_part(const struct start_history *history, const char *user, double limit,
			  double least, size_t job, size_t draw);
