/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the MetricsFile of fathom.conf. The thread that writes FiguresFile does so. */
#pragma once

#include "base/slurm_locks.h"
#include "report/background.h"
#include "report/job_counts.h"
#include "results/results.h"
#include "settings/settings.h"

/* What the decay thread has done since the plugin was loaded. */
struct pass_counts {
	uint64_t passes;		/* passes that were made */
	uint64_t rounds_skipped;	/* times when a pass was due, but could charge nothing: the
					 * clock was behind, or the state could not be read */
	uint64_t saves_failed;		/* times when the state could not be saved */
	time_t saved;			/* time of the newest image on disk; 0: there is no image */
	time_t waits_since;		/* when the plugin was loaded, as long as usage is not known
					 * because the state cannot be read; 0: it is known */
	double cpu_seconds;		/* CPU time of the decay thread */
	double last_cpu_seconds, last_wall_seconds;	/* of the last pass */
	struct lock_hold hold[LOCKS_MOST];	/* the longest holds since the pass before */
	size_t hold_count;		/* elements of hold[] that are used */
};

/* MetricsFile, and what the next write needs. Start with all members 0. */
struct metrics_file {
	char path[2 * PATH_MAX];	/* "": the file is not written */
	int problem;			/* errno that was logged last; 0: the last write was good */
	/* copies of a pass */
	struct pass_counts done;
	struct job_counts jobs;
};

/* Copies into *file what the next write needs; called by the decay thread. folder: where a relative
 * MetricsFile is. Takes job and part read in slices. Returns false if the file is not to be
 * written: fathom.conf names none, or memory has run out. */
bool metrics_file_copy(struct metrics_file *file, const char *folder,
		       const struct settings *settings, const struct pass_counts *done);
/* Writes the copy. names: of the evaluation's associations, without a tree. background: once it
 * is abandoned, the file must not be changed any more. If the file cannot be
 * written, or is another program's, that is logged once and the file stays as it was. */
void metrics_file_write(struct metrics_file *file, const struct evaluation *evaluation,
			const struct snapshot *names, struct background *background);
/* Frees the copies. */
void metrics_file_clear(struct metrics_file *file);
