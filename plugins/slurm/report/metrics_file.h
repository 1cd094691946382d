/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the MetricsFile of fathom.conf. The thread that writes FiguresFile does so. */
#pragma once

#include "base/slurm_locks.h"
#include "report/job_counts.h"
#include "results/results.h"
#include "settings/settings.h"

/* What the decay thread has done since the plugin was loaded. */
struct pass_counts {
	uint64_t passes;
	uint64_t rounds_skipped;	/* nothing could be charged */
	uint64_t saves_failed;
	time_t saved;			/* time of the newest image on disk; 0: there is none */
	double cpu_seconds;		/* of the thread */
	double last_cpu_seconds, last_wall_seconds;	/* of the last pass */
	struct lock_hold hold[LOCKS_MOST];	/* since the pass before */
	size_t hold_count;
};

/* Start with all members 0. */
struct metrics_file {
	char path[2 * PATH_MAX];	/* of a folder, and in there; "": none is written */
	int problem;			/* errno that was logged last; 0: none */
	/* copies of a pass */
	struct pass_counts done;
	struct job_counts jobs;
};

/* Copies what the next write needs, for the decay thread. Takes job and part read in slices. False:
 * fathom.conf names no file, or memory is short. A relative path is in the folder. */
bool metrics_file_copy(struct metrics_file *file, const char *folder,
		       const struct settings *settings, const struct pass_counts *done);
/* Writes the copy. names: of the evaluation's associations. is_abandoned (context): the file must
 * not be changed any more. If it cannot be written, or is another program's, that is logged once
 * and the file stays as it was. */
void metrics_file_write(struct metrics_file *file, const struct evaluation *evaluation,
			const struct snapshot *names, bool (*is_abandoned)(void *context),
			void *context);
void metrics_file_clear(struct metrics_file *file);
