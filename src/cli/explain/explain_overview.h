/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What fathom explain without arguments shows: the caller's accounts and jobs. */
#pragma once

#include "cli/explain/explain_source.h"

#define OVERVIEW_ACCOUNTS 3	/* that are printed on the screen; JSON has all */
#define OVERVIEW_JOBS 4		/* with OVERVIEW_ACCOUNTS and all advice: 24 lines; JSON has more */

struct explain_overview {
	const char *user;
	const struct explain_source *source;
	size_t account_count;		/* associations of the user */
	size_t explained;		/* the first of them, which alone are in `account` */
	struct explained *account;
	struct explained advised;	/* the one with the least factor, with advice */
	struct explained *job;		/* of those that wait, the greatest priority first */
	size_t job_count;
	size_t ranked;			/* the first of them, which alone are in `job` */
	size_t running;			/* number of jobs that run, as far as they are known */
};

/* Returns the name of the user who runs the command. */
const char *explain_caller(void);
/* Finds the associations and jobs of the caller in what was read. */
void explain_overview_find(struct explain_overview *overview, struct explain_source *source,
			   const struct explain_options *options);
/* Prints it on a screen of 80 columns and 24 lines. units: of usage, which of WORDS_UNITS. */
void print_overview(const struct explain_overview *overview, int units);
void print_overview_json(const struct explain_overview *overview);
