/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of their time limits jobs of the past have used: draws run times of other jobs from
 * it. */
#pragma once

#include <stddef.h>

struct start_history;

/* Compares two numbers, for qsort(). */
int compare_doubles(const void *a, const void *b);

/* Reads a trace. It belongs to the command. Refuses a trace whose jobs do not tell their limits and
 * run times. */
struct start_history *start_history_read(const char *name);
/* Returns the part of its time limit, 0 to 1, that a job runs in a draw: that of a job of the past,
 * which is the same for the same job and draw. It is drawn from jobs of the same user and limit if
 * there are enough of them, else of the user, else of anybody. limit: seconds. least: the part that
 * the job has run already; the result is greater. 1: no job of the past has run so long. job, draw:
 * their numbers; draw is below 256. */
double start_history_part(const struct start_history *history, const char *user, double limit,
			  double least, size_t job, size_t draw);
