/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queues as LSF's bqueues prints them; what is not known is '-'. */
#pragma once

#include "cli/options.h"
#include "cli/view/lsf_places.h"
#include "jobs/queue_list.h"

struct bqueues_options {
	const char *name[LSF_MOST_NAMES];	/* up to a NULL */
	bool is_long, is_recursive, is_wide;
};

/* Options of bqueues; the table for shares has one more, for share trees. */
extern const struct option_table bqueues_pools_table, bqueues_shares_table;

/* Returns the queues that are asked for; a name that the list does not have is wrong: "NAME:
 * LACKS". */
struct queue_list bqueues_wanted(const struct bqueues_options *options,
				 const struct queue_list *list, const char *lacks);
/* Prints the short list. */
void bqueues_print_list(const struct bqueues_options *options, const struct queue_list *list);
/* Print the first and the last part of the long form. is_first: no line separates it from the queue
 * above. */
void bqueues_print_parameters(const struct queue *queue, bool is_first);
void bqueues_print_users(const struct queue *queue);
