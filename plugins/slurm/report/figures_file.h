/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes what a pass has computed to the files that fathom.conf names: FiguresFile, a day of
 * HistoryFile, MetricsFile, and UsageFile for other clusters. Also reads the files of other
 * clusters (GlobalShare), as the same thread does all of this. */
#pragma once

#include "report/metrics_file.h"
#include "results/results.h"
#include "settings/settings.h"

struct figures_file;

/* NULL: out of memory. */
struct figures_file *figures_file_create(void);
/* Waits at most five seconds for a write that is under way. */
void figures_file_destroy(struct figures_file *file);

/* Copies the figures, and starts a thread that writes the copy and reads files of other clusters.
 * Does nothing while the last thread still works. Takes assoc read in slices, for MetricsFile also
 * job and part read. folder: where relative files are. settings: of the pass; they name at least
 * one of the files. results: has the evaluation, and gets usage of other clusters. done: what the
 * pass tells of itself, for MetricsFile. If a file cannot be written, or is another program's, that
 * is logged and the file stays as it was. */
void figures_file_write(struct figures_file *file, const char *folder,
			const struct settings *settings, struct results *results,
			const struct pass_counts *done);
