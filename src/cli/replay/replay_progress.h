/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shows on a terminal how far long work has come. */
#ifndef CLI_REPLAY_PROGRESS_H
#define CLI_REPLAY_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct replay_progress {
	size_t total, done;
	double begin, shown;	/* seconds */
	bool is_shown, is_terminal;
};

/* total: how many steps there are. */
void replay_progress_begin(struct replay_progress *progress, size_t total);
/* Notes that steps have been done, and shows it after the first second. */
void replay_progress_add(struct replay_progress *progress, size_t steps);
/* Removes what is shown. */
void replay_progress_end(struct replay_progress *progress);

#endif
