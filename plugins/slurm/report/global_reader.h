/* SPDX-License-Identifier: GPL-2.0-or-later */
/* After a pass, a thread reads what other clusters have used (GlobalShare of fathom.conf), which
 * the next pass counts. */
#pragma once

#include "results/results.h"
#include "settings/settings.h"

struct global_reader;

/* Returns a reader that has read nothing yet; NULL: out of memory. */
struct global_reader *global_reader_create(void);
/* Waits at most five seconds for a read that is under way, and frees the reader. Does nothing with
 * NULL. */
void global_reader_destroy(struct global_reader *reader);

/* Starts the thread. Does nothing without GlobalShare, while the last thread still works, or if the
 * last evaluation has other settings. results: has the last evaluation, and gets what was read. */
void global_reader_start(struct global_reader *reader, const struct settings *settings,
			 struct results *results);
