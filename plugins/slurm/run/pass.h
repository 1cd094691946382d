/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The decay thread and what a pass does: gather, account, solve, publish,
 * save. Everything that the plugin knows hangs on one struct pass.
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
/* For releases that ask for no thread: it is started; without slurmdbd there
 * is none. */
void pass_first(struct pass *pass);
/* Without slurmdbd: one round over the jobs that a restart has brought. */
void pass_recover(struct pass *pass);
/* The files have changed; takes no lock of slurmctld's. */
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
