/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queues as LSF's bqueues prints them. */
#ifndef CLI_VIEW_BQUEUES_H
#define CLI_VIEW_BQUEUES_H

#include "cli/options.h"
#include "cli/view/lsf_places.h"

/* Figures of a queue; NAN: not known, printed as '-'. */
struct bqueues_row {
	const char *name;
	double priority, limit;		/* limit: of slots */
	double jobs, pending, running, reserved;	/* slots */
};

struct bqueues_options {
	const char *name[LSF_MOST_NAMES];	/* up to a NULL */
	bool is_long, is_recursive, is_wide;
};

/* Options of bqueues; the table for shares has one more, for share trees. */
extern const struct option_table bqueues_pools_table, bqueues_shares_table;

/* Print the header of the short list, and a line of it. */
void bqueues_print_heading(void);
void bqueues_print_row(const struct bqueues_row *row, bool is_wide);
/* Prints the first part of the long form. is_first: no line separates it from the queue above. */
void bqueues_print_parameters(const struct bqueues_row *row, bool is_first);

#endif
