/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads what other clusters have used (GlobalShare of fathom.conf) from their UsageFiles or from
 * slurmdbd, and finds the associations of this cluster that it belongs to. For a thread of its own
 * (report/global_reader.h), as a file system or slurmdbd may not answer.
 */
#pragma once

#include "report/background.h"
#include "report/database_usage.h"
#include "results/evaluation.h"

/* What one read leaves to the next. Start with all members 0. */
struct global_sources {
	struct global_usage *last;	/* as read the last time; or NULL */
	struct global_usage *before;	/* as read before that; or NULL. A reference is kept so that
					 * no pass must free it */
	struct global_source {
		struct stat status;	/* of the file that was read last; all 0: none was */
		struct database_usage *database;	/* what slurmdbd has told; or NULL */
		bool is_other;		/* what is known of the cluster is from another Source */
		bool is_stale;		/* it has been logged that usage is older than MaxAge */
	} *source;			/* by line of last->settings */
};

/*
 * Reads the files that have changed, or all if associations have come or gone, and asks slurmdbd
 * for hours that it has summed up since. Takes assoc read in slices, for names. A file that is
 * damaged, of another cluster, older than what its Source has given or from the future is refused:
 * what is known of the cluster stays. Each problem is logged once. background: slurmdbd is asked no
 * more once it is abandoned. Returns the usage of all clusters, a reference that the caller
 * releases. NULL: out of memory.
 */
struct global_usage *global_sources_read(struct global_sources *sources,
					 const struct evaluation *evaluation,
					 struct background *background);
/* Frees all, and sets all members to 0. */
void global_sources_clear(struct global_sources *sources);
