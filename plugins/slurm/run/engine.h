/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plugin at work in slurmctld. A struct engine holds everything that the plugin knows, and the
 * decay thread. Every PriorityCalcPeriod the thread makes a pass: it charges jobs, adds the charges
 * to usage, evaluates the policy, writes priorities into job records, and saves usage. Meanwhile
 * other threads answer slurmctld's calls (plugin.c).
 */
#pragma once

#include "charging/book.h"
#include "fairshare/fairshare.h"
#include "jobs/job_priority.h"
#include "partitions/partition_order.h"
#include "report/figures_file.h"
#include "report/global_reader.h"
#include "run/current_settings.h"
#include "run/saved_state.h"
#include "run/timer.h"

/* Everything that the plugin knows. The structs of its members say which threads may use them. */
struct engine {
	struct current_settings current;
	struct book *book;		/* what jobs have been charged */
	struct results results;		/* what the last pass has published */
	struct fairshare *fairshare;	/* usage, and its evaluation by the policies */
	struct id_index provisional;	/* jobs with provisional priorities, or held by fathom;
					 * guarded by job write, see job_priority.h */
	struct saved_state saved;
	bool has_site_factor;		/* the site factor plugin has started */
	bool began_with_database;	/* slurmdbd was in use when the engine was created: it has a
					 * decay thread */

	/* The next members are for the decay thread alone until it has ended. */
	struct partitions partitions;
	struct figures_file *figures_file;
	struct global_reader *global_reader;
	struct pass_counts done;	/* what passes have done, for MetricsFile */
	struct list_trail trail_of_jobs;	/* where slurmctld's list had its jobs */
	const struct settings *global_read_for;	/* the settings whose GlobalShare lines were read
						 * last; not a reference */
	bool clock_is_behind;		/* the clock is before the last pass, and that has been
					 * logged */
	bool reset_owed;		/* a reset was requested, and no pass has succeeded since */
	struct usage_changes changes;	/* imports and requests of the pass */

	struct timer timer;
	pthread_t thread;
	bool is_running;		/* the thread exists */
	bool start_failed;		/* the thread could not be started; the next call of
					 * slurmctld's tries again. Guarded by plugin.c's lock */
};

/* Returns a new engine: reads configuration and saved state, and starts the site factor plugin.
 * Takes no lock of slurmctld's. NULL: out of memory, which is logged. */
struct engine *engine_create(void);
/* Ends the thread, charges what jobs have used until now, saves usage, and frees the engine. Does
 * nothing with NULL. */
void engine_destroy(struct engine *engine);

/* Starts the decay thread, unless there is one. The thread makes a pass at once. If it cannot be
 * started, logs that and sets start_failed. */
void engine_start(struct engine *engine);
/* Called by init() in releases in which slurmctld has no entry point for the start of the thread.
 * With slurmdbd it starts the thread. Without slurmdbd there is no thread; it computes the
 * priorities of all jobs then, unless slurmctld calls an entry point that does so later. */
void engine_start_in_init(struct engine *engine);
/* Without slurmdbd, computes the priorities of the jobs that slurmctld has read at its start; with
 * slurmdbd, does nothing, as the first pass does it. */
void engine_recover(struct engine *engine);
/* Requests a pass with slurm.conf and fathom.conf as they are now. run_seconds_reset: slurmctld has
 * also counted the running seconds of associations and QOS anew. Takes no lock of slurmctld's. If
 * there is no decay thread, reads the files itself. */
void engine_reconfigure(struct engine *engine, bool run_seconds_reset);
