/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The decay thread and the order of a pass: charge jobs, add the charges to usage, evaluate the
 * policy, publish priorities, save. One struct pass holds everything that the plugin knows.
 */
#ifndef SLURM_PASS_H
#define SLURM_PASS_H

#include "base/compat.h"

struct pass;
struct sprio_list_filter;

/* Reads configuration and state, and starts the site factor plugin; takes no lock. NULL: out of
 * memory. */
struct pass *pass_create(void);
/* Ends the thread, accounts for what ran until now, and saves. */
void pass_destroy(struct pass *pass);

int pass_start(struct pass *pass);
/* For releases of Slurm that do not ask for a thread: starts it; without slurmdbd there is no
 * thread, and priorities are computed at once. */
void pass_first(struct pass *pass);
/* Without slurmdbd: computes the priorities of jobs that were there before slurmctld started. */
void pass_recover(struct pass *pass);
/* Reads the files anew. run_seconds_reset: slurmctld has computed running seconds anew. Takes no
 * lock of slurmctld's. */
void pass_reconfigure(struct pass *pass, bool run_seconds_reset);

bool pass_has_database(struct pass *pass);
double pass_dampening_factor(struct pass *pass);
/* As fairshare_write_usage(). */
void pass_write_usage(struct pass *pass, slurmdb_assoc_rec_t *association);
/* As sprio_list_create(). */
compat_list pass_sprio_list(struct pass *pass, const struct sprio_list_filter *filter, uid_t uid);

/* The caller holds job write. */
void pass_set_site_factor(struct pass *pass, job_record_t *job);
uint32_t pass_job_priority(struct pass *pass, job_record_t *job);
void pass_job_end(struct pass *pass, job_record_t *job);

#endif
