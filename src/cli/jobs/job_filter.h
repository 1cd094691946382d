/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which jobs an option chooses: by id, user, account, partition and state. */
#pragma once

#include "jobs/job_list.h"

/* Start with all members 0: all pending jobs. */
struct job_filter {
	char *jobs, *users, *partitions, *accounts;	/* comma-separated; NULL: all */
	uint64_t states;	/* 1 << state for each; 0: pending jobs alone */
};

/* Returns whether the filter chooses a job. */
bool job_filter_allows(const struct job_filter *filter, const struct job_row *row);
/* Checks that the list has jobs, chosen or not, for each name of the filter. is_live: they are
 * the jobs of the running cluster, where a user of this host may have no jobs. */
void job_filter_check(const struct job_filter *filter, const struct job_list *list, bool is_live);

/* A name in the rows of a list: its offset in a row. For struct name_list. */
struct job_names {
	const struct job_list *list;
	size_t member;
};
const char *job_name_at(const void *context, size_t i);
