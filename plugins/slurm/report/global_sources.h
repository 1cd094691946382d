/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads what other clusters have used (GlobalShare of fathom.conf) from their UsageFiles, and
 * finds the associations of this cluster that it belongs to. For a thread of its own
 * (report/global_reader.h), as a file system may hang.
 */
#pragma once

#include "results/evaluation.h"

#include "core/snapshot.h"

struct global_sources {
	struct global_usage *last;	/* as read the last time; or NULL */
	struct global_source {
		struct stat status;	/* of the file that was read */
		bool is_stale;		/* that has been logged */
	} *source;			/* by line of last->settings */
};

/*
 * Reads the files that have changed, or all if associations have come or gone. names: of the
 * evaluation's associations. A file that is damaged, of another cluster, older than what is known
 * or from the future is refused: what is known of the cluster stays. Each problem is logged once.
 * Returns the usage of all clusters, a reference of the caller's. NULL: out of memory.
 */
struct global_usage *global_sources_read(struct global_sources *sources,
					 const struct evaluation *evaluation,
					 const struct snapshot *names);
void global_sources_clear(struct global_sources *sources);
