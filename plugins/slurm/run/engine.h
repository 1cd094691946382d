/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plugin at work in slurmctld. A struct engine holds everything that the plugin knows, and the
 * decay thread. Every PriorityCalcPeriod the thread makes a pass: it charges jobs, adds the charges
 * to usage, evaluates the policy, writes priorities into job records, and saves usage.
 */
#ifndef SLURM_ENGINE_H
#define SLURM_ENGINE_H

#include "base/compat.h"

struct engine;
struct sprio_list_filter;

/* Reads configuration and saved state, and starts the site factor plugin. Takes no lock of
 * slurmctld's. NULL: out of memory. */
struct engine *engine_create(void);
/* Ends the thread, charges what jobs have used until now, and saves usage. */
void engine_destroy(struct engine *engine);

/* Starts the decay thread, which makes a pass at once. */
void engine_start(struct engine *engine);
/* For init(), where slurmctld has no entry point for the start of the thread: starts it, or without
 * slurmdbd, where there is no thread, computes the priorities of all jobs. */
void engine_start_in_init(struct engine *engine);
/* Without slurmdbd: computes the priorities of the jobs that slurmctld has read at its start. */
void engine_recover(struct engine *engine);
/* Requests a pass with slurm.conf and fathom.conf as they are now. run_seconds_reset: slurmctld has
 * also counted the running seconds of associations and QOS again. Takes no lock of slurmctld's;
 * reads files only if there is no decay thread. */
void engine_reconfigure(struct engine *engine, bool run_seconds_reset);

bool engine_has_database(struct engine *engine);
double engine_dampening_factor(struct engine *engine);
/* See fairshare_write_usage(). */
void engine_write_usage(struct engine *engine, slurmdb_assoc_rec_t *association);
/* See sprio_list_create(). */
compat_list engine_sprio_list(struct engine *engine, const struct sprio_list_filter *filter,
			      uid_t uid);

/* For these three the caller holds job write. */
void engine_set_site_factor(struct engine *engine, job_record_t *job);
uint32_t engine_job_priority(struct engine *engine, job_record_t *job);
void engine_job_end(struct engine *engine, job_record_t *job);

#endif
