/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the host tell each other, and no scenario. */
#ifndef HOST_INTERNAL_H
#define HOST_INTERNAL_H

#include "controller/host.h"

/* ---- pass_thread.c -------------------------------------------------------------- */

/* The next thread that is made is the one that passes. */
void host_thread_expect(void);
/* The real time; clock_gettime gives virtual time. */
int host_real_time(clockid_t clock, struct timespec *time);
/* dlsym of what comes after this program in the order of search */
void *host_next_symbol(const char *name);

/* ---- locks.c -------------------------------------------------------------------- */

/* By the thread that passes, at the begin and at the end of a pass. */
void host_holds_begin(void);
void host_holds_end(struct host_pass *pass);

/* ---- rival_thread.c ------------------------------------------------------------- */

/* By the thread that passes, at each step. */
void host_rival_step(uint64_t step);
/* By the scenario's, after the pass. */
void host_rival_end(void);

/* ---- controller.c --------------------------------------------------------------- */

void host_make_lists(void);	/* of jobs and partitions */
bool host_is_loaded(void);

/* ---- job_records.c -------------------------------------------------------------- */

/* The caller holds the locks that slurmctld holds then. */
void host_jobs_lose_qos(uint32_t id);
void host_jobs_find_associations(void);
void host_jobs_grow_tres(size_t before);

#endif
