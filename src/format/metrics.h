/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a MetricsFile, which the plugin writes, or other text in Prometheus' format. */
#pragma once

#include "document/document.h"

#define METRICS_BEGIN "# HELP fathom_"	/* of each MetricsFile */
#define METRIC_MOST_LABELS 8

struct metric_label {
	const char *name, *value;
};

/* One line of the file, such as fathom_partition_jobs{partition="gpu"} 3 */
struct metric_sample {
	const char *name;
	struct metric_label label[METRIC_MOST_LABELS];
	size_t label_count;
	double value;
};

struct metrics {
	struct metric_sample *sample;	/* in the order of the file */
	size_t count;
};

/* Reads the whole text. Changes it: names and values point into it, and must not outlive it. Fails,
 * see wrong_at(), if it is not a MetricsFile of fathom, or if a line is wrong. */
struct metrics metrics_read(struct document *input);
/* Returns the first sample of a name; NULL: the file has none. */
const struct metric_sample *metrics_find(const struct metrics *metrics, const char *name);
/* Returns the value of a label; NULL: the sample lacks it. */
const char *metric_label_value(const struct metric_sample *sample, const char *name);
