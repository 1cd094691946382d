/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stand-in for slurmctld: as much of it as a priority plugin sees, in one
 * process, in virtual time. A scenario, in this order:
 *
 *	host_configure("PriorityFlags=DEPTH_OBLIVIOUS\nPriorityWeightFairshare=1000\n");
 *	physics = host_account(host_root(), "physics", 10);
 *	anna = host_user(physics, "anna", 1);
 *	anna->usage = 3600;
 *	host_open();				assoc_mgr gets the tree
 *	job = host_job(&(struct host_job){ .user = anna, .cpus = 4 });
 *	host_load("priority_fathom.so");	its init, and the first pass
 *	host_job_begin(job, host_now());
 *	host_on_release(HOST_JOB, WRITE_LOCK, 2, interfere, job);
 *	host_pass();				a calc period later
 *	... job->priority, anna->record->usage, host_last_pass ()->hold[HOST_JOB][WRITE_LOCK]
 *	host_close();
 *
 * One scenario a process: assoc_mgr and the plugin have state of their own.
 * What goes wrong in the host itself ends it with a line on stderr, status 2.
 *
 * Programs are linked with -export-dynamic, so that job_list, lock_slurmctld,
 * time and the like come from here, ahead of libslurmfull, libc and the copies
 * that a plugin may bring. Every other name of the host begins with host_, lest
 * it replace one of Slurm's; those of a scenario are hidden (scenario_cflags).
 */
#ifndef HOST_HOST_H
#define HOST_HOST_H

#include "controller/host_release.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* ---- configuration -------------------------------------------------------------- */

/* `lines` are added to a slurm.conf that Slurm's own parser reads; what is set
 * afterwards in slurm_conf counts too. */
void host_configure(const char *lines);
/* The folder of slurm.conf and of the state. */
const char *host_folder(void);
/* Where the folders of this process's scenarios will be, and of those that it
 * forks: gone when it exits, however they have ended. in_memory: nobody waits
 * for a disk. Without this call each scenario's process has a place of its own. */
void host_make_folders(bool in_memory);
/* Before host_load: as if multifactor had passed then; else nobody ever has. */
void host_passed_at(time_t time);

/* ---- associations, QOS, partitions ---------------------------------------------- */

struct host_association {
	char *account, *user;	/* user: NULL for an account */
	uint32_t id, shares, priority;
	double usage;		/* own, billing seconds; given before host_open */
	struct host_association *parent, *first, *last, *next;	/* children, siblings */
	slurmdb_assoc_rec_t *record;	/* assoc_mgr's, from host_open on; NULL once removed */
};

/* Before host_open they grow the tree; afterwards they change it as slurmdbd
 * would, and take assoc_mgr's locks. */
struct host_association *host_root(void);
struct host_association *host_account(struct host_association *parent, const char *name,
				      uint32_t shares);
struct host_association *host_user(struct host_association *parent, const char *name,
				   uint32_t shares);
void host_set_shares(struct host_association *association, uint32_t shares);
void host_set_association_priority(struct host_association *association, uint32_t priority);
/* An account, with all below it. */
void host_move(struct host_association *account, struct host_association *parent);
void host_reset_usage(struct host_association *association);	/* RawUsage=0 */
/* A user's, or an account's without members. Its jobs lose it. */
void host_remove(struct host_association *association);
/* All made so far, removed ones included, in the order of their ids from 1. */
struct host_association **host_associations(size_t *count);

/* Before host_open; "normal" with priority 10 and usage factor 1 is there. */
void host_qos(const char *name, uint32_t priority, double usage_factor, uint32_t flags);
/* Feeds assoc_mgr. The TRES are the fixed ones, gres/gpu and license/matlab. */
void host_open(void);
/* After host_open; "batch" with factor 1 is there. weights: as in
 * TRESBillingWeights, or NULL. */
part_record_t *host_partition(const char *name, uint16_t factor, const char *weights);
part_record_t *host_find_partition(const char *name);
slurmdb_qos_rec_t *host_find_qos(const char *name);

/* All records anew, as by a reconfigure; those of before are freed. */
void host_replace_partitions(void);
/* One that is no unfinished job's present one. */
void host_delete_partition(const char *name);
void host_remove_qos(const char *name);		/* its jobs are left without one */
/* Behind all others, at HOST_TRES_LICENSE + 1 and so on. Arrays grow: those of
 * records, and those of jobs, which are other ones then. */
void host_add_tres(const char *type, const char *name);
/* All records anew, as when slurmdbd is back; those of before are freed. */
void host_refresh_associations(void);

/* What a user may see of others' jobs with PrivateData=jobs. */
void host_make_operator(uid_t uid);
void host_make_coordinator(uid_t uid, const char *account);

/* ---- jobs ----------------------------------------------------------------------- */

#define HOST_TRES_GPU TRES_ARRAY_TOTAL_CNT
#define HOST_TRES_LICENSE (TRES_ARRAY_TOTAL_CNT + 1)
#define HOST_JOB_PARTITIONS 4

struct host_job {
	struct host_association *user;	/* needed; all else may be left out */
	const char *qos;		/* normal */
	part_record_t *partition[HOST_JOB_PARTITIONS];	/* the first there is */
	uint32_t nodes, cpus, gpus;	/* 1, 1, 0 */
	uint64_t memory;		/* MB on each node, 0 */
	uint32_t minutes;		/* time limit, 60 */
	time_t age;			/* seconds since it could have run */
	int nice;
};

/*
 * Each call is one of slurmctld's requests: it takes the locks that they take,
 * and calls the plugin, once loaded, where they do.
 */
job_record_t *host_job(const struct host_job *job);	/* pending, last in the job list */
void host_job_begin(job_record_t *job, time_t start);
void host_job_suspend(job_record_t *job);
void host_job_resume(job_record_t *job);
void host_job_resize(job_record_t *job, uint32_t cpus);
void host_job_end(job_record_t *job);		/* completing; */
void host_job_requeue(job_record_t *job);	/* the same, and pending: */
void host_job_cleaned(job_record_t *job);	/* its nodes are free, it is complete or waits */
void host_job_purge(job_record_t *job);		/* forgotten; the record is freed */
/* As after a reconfigure: what running jobs may yet use is counted anew. */
void host_recount_run_seconds(void);
uint32_t host_job_set_priority(job_record_t *job);	/* by priority_p_set, as an update does */

/* ---- the plugin, its thread, time ----------------------------------------------- */

/* `plugin`: path of a priority_NAME.so. Slurm's own loader loads it, as
 * priority/NAME. Returns when the first pass is over, at once while slurmctld shuts
 * down (slurmctld_config.shutdown_time). After host_close once more. */
void host_load(const char *plugin);
/* Ends the plugin. False if a lock of slurmctld's is still held. */
bool host_close(void);

/* Virtual, for everything in the process; stands still but for these calls. */
time_t host_now(void);
void host_advance(time_t seconds);
double host_seconds(clockid_t clock);	/* real ones */

/* Moves the clock by a calc period, wakes the thread, waits until it sleeps and
 * until threads that it has made, as for FiguresFile, have ended. */
void host_pass(void);
/* From now on such threads are not waited for. */
void host_leave_helpers(bool wanted);
/* The same without moving the clock. */
void host_wake(void);
/* After a call that wakes the thread by itself, such as priority_g_reconfig. */
void host_await_pass(void);

/* ---- locks ---------------------------------------------------------------------- */

/* In the order in which they are taken. assoc_mgr's begin at HOST_ASSOC. */
enum host_lock {
	HOST_CONF, HOST_JOB, HOST_NODE, HOST_PART, HOST_FED,
	HOST_ASSOC, HOST_QOS, HOST_TRES,
	HOST_LOCKS
};
#define HOST_LEVELS (WRITE_LOCK + 1)	/* READ_LOCK and WRITE_LOCK are indices */

struct host_hold {
	uint64_t count;
	double total, longest;	/* seconds, real ones */
};

/* From the thread's awakening to its next sleep, and of that thread alone. */
struct host_pass {
	double wall, cpu;	/* seconds; cpu: of the whole process */
	struct host_hold hold[HOST_LOCKS][HOST_LEVELS];
	uint64_t steps;		/* see host_beside_pass */
};

const struct host_pass *host_last_pass(void);

/* Does anybody hold lock_state_files just now? */
bool host_state_files_are_locked(void);

/* Holds of assoc_mgr's read locks are counted but not timed, since the clock
 * costs a tenth of a pass to a plugin that takes two for each job. */
void host_time_reads(bool wanted);

/*
 * From the n-th release (from 1; 0: each) of this lock in a pass on, `call` runs
 * once (0: each time), in the thread of the pass, after the call that gave the
 * lock back. What that thread holds besides stays held. The callback's own
 * locks are not counted. Set up between two passes; forgotten after the next.
 */
void host_on_release(enum host_lock lock, lock_level_t level, uint64_t n,
		     void (*call)(void *argument), void *argument);

/*
 * Another thread of slurmctld, beside the next pass. A step of a pass is a lock
 * about to be taken or just given back, counted from 1. At the n-th, `call`
 * runs in a thread of its own; the pass goes on when it has returned or waits
 * for a lock itself. It has returned when host_pass does.
 */
void host_beside_pass(uint64_t n, void (*call)(void *argument), void *argument);

/* Each look at the clock by the thread that passes takes a millisecond, so that
 * each slice of a pass is as short as it can be. */
void host_short_slices(bool wanted);

/*
 * `call` is a request to slurmctld, which this thread serves between two passes.
 * It is counted and disturbed as a pass is: host_on_release, host_beside_pass,
 * host_short_slices and host_last_pass go by it.
 */
void host_request(void (*call)(void *argument), void *argument);

/* ---- a cluster at random -------------------------------------------------------- */

uint64_t host_random(void);		/* the same numbers in each run */
void host_random_seed(uint64_t seed);
uint32_t host_random_below(uint32_t limit);
double host_random_real(void);		/* 0 <= x < 1 */

/* `branches` accounts in each, over `levels` levels, `users` users in each of
 * the lowest. Shares and usage are random. Before host_open. */
struct host_shape { unsigned levels, branches, users; };
void host_grow(const struct host_shape *shape);
/* Jobs of random users, of all sizes, in several partitions and QOS, a few of
 * them held; neighbours in the list are none in memory, and `scattered`, nor
 * are its nodes. After host_open. */
void host_populate(size_t pending, size_t running, bool scattered);
struct host_association *host_random_user(void);

/* ---- ends ----------------------------------------------------------------------- */

void host_die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#endif
