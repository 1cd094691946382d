/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The decay thread and what a pass does: gather, account, solve, publish,
 * save. Everything that the plugin knows hangs on one struct pass.
 */
#ifndef SLURM_PASS_H
#define SLURM_PASS_H

#include "base/compat.h"
#include "charging/book.h"
#include "fairshare/fairshare.h"
#include "partitions/partition_order.h"
#include "policy/conf.h"
#include "report/figures_file.h"
#include "settings/settings.h"
#include "state/dump_watch.h"
#include "state/state.h"

struct pass {
	struct fairshare *fairshare;
	struct book book;
	bool asks_site;			/* the site factor plugin has started; set before the thread is */

	pthread_mutex_t settings_lock;
	struct settings *settings;
	struct fathom_conf conf;	/* the last good fathom.conf */
	struct partition_order partition_order;

	pthread_mutex_t restore_lock;	/* inside job locks, outside assoc_mgr's */
	enum state_found found;
	bool restored;			/* that is, applied: not before there are associations */
	time_t begun;			/* when the plugin was loaded */

	/* the thread alone; others once it has ended */
	char *state_folder;		/* a restart changes it, a reconfigure does not */
	struct usage_image image;	/* time 0: nothing to be saved */
	struct dump_watch dump_watch;
	time_t last_reset;
	struct figures_file figures_file;
	struct settings *checked;	/* the last that partitions allow; NULL: none yet */
	bool behind;			/* the clock, and it has been said */
	bool reset_owed;		/* reset_wanted was taken, and no pass has ended since */

	pthread_mutex_t lock;
	pthread_cond_t wake;		/* on the monotonic clock */
	pthread_t thread;
	bool running, shutdown, wanted, reset_wanted;
	struct timespec next_pass, next_account;
	time_t pass_begun;		/* wall clock */
};

/* NULL: out of memory. Reads configuration and state, takes no lock. */
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
/* To be given back with settings_release. */
struct settings *pass_settings(struct pass *pass);

/* The caller holds job write. */
uint32_t pass_job_priority(struct pass *pass, job_record_t *job);
void pass_job_end(struct pass *pass, job_record_t *job);

#endif
