/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes what a pass has computed: the FiguresFile of fathom.conf, a day of its HistoryFile, and
 * its MetricsFile; and its UsageFile, own usage for other clusters. */
#pragma once

#include "report/metrics_file.h"
#include "results/results.h"
#include "settings/settings.h"

struct figures_file;

/* NULL: out of memory. */
struct figures_file *figures_file_create(void);
/* Waits at most five seconds for a write that is under way. */
void figures_file_destroy(struct figures_file *file);

/* Copies the figures, with assoc read in slices, for MetricsFile also job and part read, and starts
 * a thread that writes the copy. Does nothing while the last thread still works. folder: relative
 * files are in there. settings: they name one of the files at least. If a file cannot be written,
 * or is another program's, that is logged and the file stays as it was. */
void figures_file_write(struct figures_file *file, const char *folder,
			const struct settings *settings, struct results *results,
			const struct pass_counts *done);
