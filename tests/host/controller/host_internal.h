/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the stand-in share with each other, and not with tests. */
#pragma once

#include "controller/host.h"

/* ---- pass_thread.c -------------------------------------------------------------- */

/* The next thread that is created is the plugin's. */
void host_thread_expect(void);
/* The real time; clock_gettime gives virtual time. */
int host_real_time(clockid_t clock, struct timespec *time);
/* The symbol of this name that comes after this program in the order of search. */
void *host_next_symbol(const char *name);
/* Notes work: called by any thread at each lock that it takes or gives back. */
void host_thread_works(void);

/* ---- locks.c -------------------------------------------------------------------- */

/* The plugin's thread calls these at the begin and at the end of a pass. */
void host_holds_begin(void);
void host_holds_end(struct host_pass *pass);
/* Forgets the holds since host_holds_begin, which were not of a pass. */
void host_holds_forget(void);

/* ---- host_database.c ------------------------------------------------------------ */

compat_list host_database_associations(const slurmdb_assoc_cond_t *condition);

/* ---- rival_thread.c ------------------------------------------------------------- */

/* The plugin's thread calls this at each step. */
void host_rival_step(uint64_t step);
/* The thread of the test calls this after the pass. */
void host_rival_end(void);

/* ---- controller.c --------------------------------------------------------------- */

void host_make_lists(void);	/* of jobs and partitions */
bool host_is_loaded(void);
/* Put a job where find_job_record() finds it, and take it away. */
void host_enter_job(job_record_t *job);
void host_forget_job(const job_record_t *job);

/* ---- job_records.c -------------------------------------------------------------- */

/* The caller holds the locks that slurmctld holds at that moment. */
void host_jobs_lose_association(uint32_t id);
void host_jobs_lose_qos(uint32_t id);
void host_jobs_find_associations(void);
void host_jobs_grow_tres(size_t before);
