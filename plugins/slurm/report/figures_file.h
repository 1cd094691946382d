/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes what a pass has computed: the FiguresFile of fathom.conf, a day of its HistoryFile, and
 * its MetricsFile; and its UsageFile, own usage for other clusters. */
#pragma once

#include "report/metrics_file.h"
#include "results/results.h"
#include "settings/settings.h"

struct figures_file;

/* Returns an object for all these files; NULL: out of memory. */
struct figures_file *figures_file_create(void);
/* Waits at most five seconds for a write that is under way, and frees the object. Does nothing with
 * NULL. */
void figures_file_destroy(struct figures_file *file);

/* Copies the figures of the last evaluation, and starts a thread that writes the copy to the files
 * that the settings name. Does nothing while the last thread still works, or if the evaluation has
 * other settings. folder: where files with a relative path are. If a file cannot be written, or is
 * another program's, that is logged and the file stays as it was. Takes assoc read, and for
 * MetricsFile job and part read, in slices. */
void figures_file_write(struct figures_file *file, const char *folder,
			const struct settings *settings, struct results *results,
			const struct pass_counts *done);
