/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source: LSF, "View queue information"; OpenLava 4.0, bqueues(1), for the widths of columns. */
#include "cli/view/bqueues.h"

#include "cli/print_text.h"

#include <math.h>
#include <stdio.h>

#define CELL 32

#define AT(member) offsetof(struct bqueues_options, member), 0
#define LONG { 'l', "long", NULL, "all about each queue", option_flag, AT(is_long) }
#define WIDE { 'w', "wide", NULL, "do not cut names of queues", option_flag, AT(is_wide) }

static const struct option_row pools_rows[] = {
	LONG,
	{ 'r', "recursive", NULL, "the same: pools have no share accounts", option_flag,
	  AT(is_long) },
	WIDE, LSF_OPTIONS,
};

static const struct option_row shares_rows[] = {
	LONG,
	{ 'r', "recursive", NULL, "the same with the share accounts of all groups", option_flag,
	  AT(is_recursive) },
	WIDE, LSF_OPTIONS,
};

const struct option_table bqueues_pools_table = {
	.rows = pools_rows, .count = sizeof(pools_rows) / sizeof(*pools_rows),
	.usage = "Usage: fathom pools [OPTION]... --view bqueues -- [-l | -r | -w] [QUEUE]...\n"
		 "Show the queues of slot pools as LSF's bqueues shows them.\n\n",
	.most_operands = LSF_MOST_NAMES, .operand_offset = offsetof(struct bqueues_options, name),
	.operand = "QUEUE",
};

const struct option_table bqueues_shares_table = {
	.rows = shares_rows, .count = sizeof(shares_rows) / sizeof(*shares_rows),
	.usage = "Usage: fathom shares [OPTION]... --view bqueues -- [-l | -r | -w] [QUEUE]...\n"
		 "Show queues with their fair share as LSF's bqueues shows them.\n\n",
	.most_operands = LSF_MOST_NAMES, .operand_offset = offsetof(struct bqueues_options, name),
	.operand = "QUEUE",
};

/* Writes a whole number, or '-'. Returns `text`. */
static const char *whole(double value, char *text)
{
	snprintf(text, CELL, isnan(value) ? LSF_UNKNOWN : "%.0f", value);
	return text;
}

void bqueues_print_heading(void)
{
	printf("%-15s %4s %-15s %5s %4s %4s %4s %5s %5s %5s %5s\n", "QUEUE_NAME", "PRIO", "STATUS",
	       "MAX", "JL/U", "JL/P", "JL/H", "NJOBS", "PEND", "RUN", "SUSP");
}

void bqueues_print_row(const struct bqueues_row *row, bool is_wide)
{
	char priority[CELL], limit[CELL], jobs[CELL], pending[CELL], running[CELL];

	lsf_print_name(row->name, 15, is_wide);
	printf(" %4s %-15s %5s %4s %4s %4s %5s %5s %5s %5s\n",
	       whole(row->priority, priority), LSF_UNKNOWN, whole(row->limit, limit),
	       LSF_UNKNOWN, LSF_UNKNOWN, LSF_UNKNOWN, whole(row->jobs, jobs),
	       whole(row->pending, pending), whole(row->running, running), LSF_UNKNOWN);
}

void bqueues_print_parameters(const struct bqueues_row *row, bool is_first)
{
	static const char line[] = "----------------------------------------"
				   "---------------------------------------";
	char priority[CELL], limit[CELL], jobs[CELL], pending[CELL], running[CELL], reserved[CELL];

	if (is_first)
		putchar('\n');
	else
		printf("%s\n\n", line);
	print_labelled("QUEUE: ", row->name);
	printf("\nPARAMETERS/STATISTICS\n");
	printf("%4s %4s %-15s %5s %4s %4s %4s %5s %5s %5s %5s %5s %4s\n", "PRIO", "NICE", "STATUS",
	       "MAX", "JL/U", "JL/P", "JL/H", "NJOBS", "PEND", "RUN", "SSUSP", "USUSP", "RSV");
	printf("%4s %4s %-15s %5s %4s %4s %4s %5s %5s %5s %5s %5s %4s\n",
	       whole(row->priority, priority), LSF_UNKNOWN, LSF_UNKNOWN, whole(row->limit, limit),
	       LSF_UNKNOWN, LSF_UNKNOWN, LSF_UNKNOWN, whole(row->jobs, jobs),
	       whole(row->pending, pending), whole(row->running, running), LSF_UNKNOWN,
	       LSF_UNKNOWN, whole(row->reserved, reserved));
}
