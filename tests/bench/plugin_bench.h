/* SPDX-License-Identifier: GPL-2.0-or-later */
/* make bench-plugin: what its files share. */
#pragma once

#include "controller/host.h"

/* ---- what is measured ----------------------------------------------------------- */

enum figure {
	PASS_WALL, PASS_CPU,
	JOB_WRITE_LONGEST, JOB_WRITE_TOTAL, JOB_READ_LONGEST, JOB_READ_TOTAL,
	ASSOC_WRITE_LONGEST, ASSOC_WRITE_TOTAL, ASSOC_READ_LONGEST, ASSOC_READ_TOTAL,
	QOS_WRITE_LONGEST, QOS_WRITE_TOTAL, QOS_READ_LONGEST, QOS_READ_TOTAL,
	END_OF_JOB, PEAK_MEMORY, SET_PRIORITY, SPRIO_LIST, SSHARE_LIST,
	FIGURES
};

enum plugin { MULTIFACTOR, FATHOM, OTHER, PLUGINS };	/* another fathom, if there is one */

/* ---- clusters and goals --------------------------------------------------------- */

enum measure_of_goal {
	RATIO,		/* multifactor's figure is at least `value` times fathom's */
	OF_WRITE,	/* and here its longest hold of a lock to write */
	MOST,		/* fathom's is no more than `value` */
};

struct goal {
	enum figure figure;
	enum measure_of_goal of;
	double value;
};

struct cluster {
	const char *name, *flags;	/* PriorityFlags */
	struct host_shape shape;
	unsigned pending, running;
	unsigned more_partitions;	/* besides four */
	unsigned churn;		/* users deleted and added again before each pass */
	unsigned passes, timed_reads;	/* of a run, besides the first */
	const struct goal *goals;	/* the last one has value 0 */
	const char *fathom_conf;	/* a line; or NULL */
	bool alone;		/* of fathom, without multifactor, and only when asked for */
};

size_t cluster_associations(const struct cluster *cluster);

/* ---- measuring ------------------------------------------------------------------ */

/* All readings of one figure, in seconds or MiB. */
struct series {
	double *value;
	size_t count;
};

struct results {
	struct series series[PLUGINS][FIGURES];
};

/* One run, in a process of its own; its readings are added. `scattered`: the
 * nodes of the job list lie apart. */
void measure(const struct cluster *cluster, const char *path, bool scattered,
	     struct series series[FIGURES]);
/* NAN without readings. Sorts them. */
double median(struct series *series);

/* ---- memory --------------------------------------------------------------------- */

struct memory {
	double stream;		/* bytes a second, read one after the other */
	double scattered;	/* seconds a line, read and written here and there */
	double chained;		/* the same where each line says which is next */
};

struct memory memory_measure(void);
/* Cache lines of records that a pass cannot do without. */
double memory_lines(const struct cluster *cluster);

/* ---- report --------------------------------------------------------------------- */

void report(const struct cluster *cluster, struct results *results, const struct memory *memory);
