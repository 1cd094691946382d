/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stand-in for slurmctld: as much of it as a priority plugin sees, in one
 * process, in virtual time. A scenario makes these calls in this order:
 *
 *	host_configure("PriorityFlags=DEPTH_OBLIVIOUS\nPriorityWeightFairshare=1000\n");
 *	physics = host_account(host_root(), "physics", 10);
 *	anna = host_user(physics, "anna", 1);
 *	anna->usage = 3600;
 *	host_open();				assoc_mgr gets the tree
 *	job = host_job(&(struct host_job){ .user = anna, .cpus = 4 });
 *	host_load("priority_fathom.so");	calls init and waits for the first pass
 *	host_job_begin(job, host_now());
 *	host_on_release(HOST_JOB, WRITE_LOCK, 2, interfere, job);
 *	host_pass();				a calc period later
 *	... job->priority, anna->record->usage, host_last_pass ()->hold[HOST_JOB][WRITE_LOCK]
 *	host_close();
 *
 * A process runs one scenario, because assoc_mgr and the plugin keep global state.
 * An error in the stand-in itself ends the process with a line on stderr, status 2.
 *
 * Programs are linked with -export-dynamic, so that the plugin and libslurmfull find
 * job_list, lock_slurmctld, time and others here first. All other names of the
 * stand-in begin with host_, and names of tests are hidden (scenario_cflags), so that
 * they replace none of Slurm's.
 */
#pragma once

#include "controller/host_release.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* ---- configuration -------------------------------------------------------------- */

/* Adds these lines to a slurm.conf, which Slurm's own parser reads. A test may change
 * slurm_conf afterwards. */
void host_configure(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The folder of slurm.conf and of the state. */
const char *host_folder(void);
/* Makes the place for the folders of this process and of its forks, and removes it
 * when this process exits. in_memory: the place is in memory, not on a disk, unless
 * TMPDIR is set. Without this call each process makes a place of its own. */
void host_make_folders(bool in_memory);
/* Before host_load: priority/multifactor did its last pass at that time. Without this
 * call no plugin has passed before. */
void host_passed_at(time_t time);

/* ---- associations, QOS, partitions ---------------------------------------------- */

struct host_association {
	char *account, *user;	/* user: NULL for an account */
	uint32_t id, shares, priority;
	double usage;		/* its own, in billing seconds; set it before host_open */
	struct host_association *parent, *first, *last, *next;	/* children, siblings */
	slurmdb_assoc_rec_t *record;	/* assoc_mgr's, from host_open on; NULL once removed */
};

/* Before host_open these calls build the tree. Afterwards they change it as slurmdbd
 * does, and take assoc_mgr's locks. */
struct host_association *host_root(void);
struct host_association *host_account(struct host_association *parent, const char *name,
				      uint32_t shares);
struct host_association *host_user(struct host_association *parent, const char *name,
				   uint32_t shares);
void host_set_shares(struct host_association *association, uint32_t shares);
void host_set_association_priority(struct host_association *association, uint32_t priority);
/* Moves an account with everything below it. */
void host_move(struct host_association *account, struct host_association *parent);
void host_reset_usage(struct host_association *association);	/* RawUsage=0 */
/* Removes a user, or an account without members. Its jobs lose their association. */
void host_remove(struct host_association *association);
/* Adds a removed association again, with the id that it had, as slurmdbd does. */
void host_add_again(struct host_association *association);
/* Do the same to users, as one change. */
void host_remove_users(struct host_association *const *users, size_t count);
void host_add_users_again(struct host_association *const *users, size_t count);
/* All associations made so far, also the removed ones, in the order of ids from 1. */
struct host_association **host_associations(size_t *count);

/* Before host_open. The QOS "normal", priority 10, usage factor 1, always exists. */
void host_qos(const char *name, uint32_t priority, double usage_factor, uint32_t flags);
/* Starts assoc_mgr with the tree. The TRES are Slurm's fixed ones, gres/gpu and
 * license/matlab. */
void host_open(void);
/* After host_open. The partition "batch", factor 1, always exists. weights: as in
 * TRESBillingWeights, or NULL. */
part_record_t *host_partition(const char *name, uint16_t factor, const char *weights);
part_record_t *host_find_partition(const char *name);
slurmdb_qos_rec_t *host_find_qos(const char *name);

/* Replaces and frees all partition records, as a reconfigure does. */
void host_replace_partitions(void);
/* No unfinished job may be in this partition. */
void host_delete_partition(const char *name);
void host_remove_qos(const char *name);		/* its jobs are left without one */
/* Adds a TRES at the end, at HOST_TRES_LICENSE + 1 and so on. The arrays in all
 * records grow; those of jobs are replaced. */
void host_add_tres(const char *type, const char *name);
/* Replaces and frees all association records, as when slurmdbd comes back. */
void host_refresh_associations(void);

/* Give a user the right to see jobs of others under PrivateData=jobs. */
void host_make_operator(uid_t uid);
void host_make_coordinator(uid_t uid, const char *account);

/* ---- jobs ----------------------------------------------------------------------- */

#define HOST_TRES_GPU TRES_ARRAY_TOTAL_CNT
#define HOST_TRES_LICENSE (TRES_ARRAY_TOTAL_CNT + 1)
#define HOST_JOB_PARTITIONS 4

struct host_job {
	struct host_association *user;	/* required; the others have these defaults: */
	const char *qos;		/* normal */
	part_record_t *partition[HOST_JOB_PARTITIONS];	/* the first partition */
	uint32_t nodes, cpus, gpus;	/* 1, 1, 0 */
	uint64_t memory;		/* MB on each node, 0 */
	uint32_t minutes;		/* time limit, 60 */
	time_t age;			/* seconds since it could have run */
	int nice;
	const char *comment;
	uint32_t tasks;			/* of a job array that is one record; 0: no array */
	job_record_t *array;		/* a task that is split off this array to start */
};

/*
 * Each call does what a request to slurmctld does: it takes the same locks, and calls
 * the plugin, once it is loaded, at the same places.
 */
job_record_t *host_job(const struct host_job *job);	/* pending, last in the job list */
void host_job_begin(job_record_t *job, time_t start);
void host_job_suspend(job_record_t *job);
void host_job_resume(job_record_t *job);
void host_job_resize(job_record_t *job, uint32_t cpus);
void host_job_end(job_record_t *job);		/* the job is completing */
void host_job_requeue(job_record_t *job);	/* the job is completing, and pending */
void host_job_cleaned(job_record_t *job);	/* frees its nodes: it is complete or pending */
void host_job_purge(job_record_t *job);		/* frees the record */
/* Counts anew what running jobs may still use, as a reconfigure does. */
void host_recount_run_seconds(void);
/* calls priority_p_set, as an update does */
uint32_t host_job_set_priority(job_record_t *job);
/* Do what an administrator does by scontrol hold, uhold and release. */
void host_job_hold(job_record_t *job, bool for_user);
void host_job_release(job_record_t *job);
/* Does to the reasons of pending jobs what a turn of the scheduler does, and looks deleted
 * associations and QOS up again as it does. */
void host_schedule(void);

/* ---- the plugin, its thread, time ----------------------------------------------- */

/* Loads `plugin`, the path of a priority_NAME.so, by Slurm's own loader as
 * priority/NAME. Returns after the first pass; returns at once while slurmctld shuts
 * down (slurmctld_config.shutdown_time). May be called again after host_close. */
void host_load(const char *plugin);
/* Like host_load(), for a plugin that starts no thread, and does no pass. */
void host_load_without_thread(const char *plugin);
/* Ends the plugin. False if a lock of slurmctld's is still held. */
bool host_close(void);

/* The time that everything in the process sees. Only host_advance and host_pass
 * change it. */
time_t host_now(void);
void host_advance(time_t seconds);
double host_seconds(clockid_t clock);	/* real ones */

/* Moves the clock by one calc period and wakes the plugin's thread. Waits until the
 * thread sleeps again and the threads that it started, as for FiguresFile, have ended. */
void host_pass(void);
/* Returns in how many seconds, real ones, the thread would wake up by itself. */
double host_next_pass(void);
/* From now on, waits until no more than `count` such threads are left: those that hang. */
void host_leave_helpers(unsigned count);
/* Does the same as host_pass, but leaves the clock as it is. */
void host_wake(void);
/* Waits for the pass of a call that wakes the thread, such as priority_g_reconfig. */
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

/* One pass: from the moment when the plugin's thread wakes to its next sleep. Only
 * that thread is measured. */
struct host_pass {
	double wall, cpu;	/* in seconds; cpu is that of the whole process */
	struct host_hold hold[HOST_LOCKS][HOST_LEVELS];
	uint64_t steps;		/* see host_beside_pass */
};

const struct host_pass *host_last_pass(void);

/* Does any thread hold lock_state_files? */
bool host_state_files_are_locked(void);

/* By default holds of assoc_mgr's read locks are counted but not timed: reading the
 * clock would cost a tenth of a pass where a plugin takes two locks for each job. */
void host_time_reads(bool wanted);

/*
 * Runs `call` when the next pass releases this lock for the n-th time, counted from 1;
 * n = 0 runs it at each release. `call` runs in the thread of the pass, right after the
 * release; other locks of that thread stay held, and the locks that `call` takes are
 * not counted. Call this between two passes. It is valid for one pass.
 */
void host_on_release(enum host_lock lock, lock_level_t level, uint64_t n,
		     void (*call)(void *argument), void *argument);

/*
 * Runs `call` in another thread at the n-th step of the next pass. A step is a lock
 * that is about to be taken or that was just released; steps are counted from 1. The
 * pass continues when `call` has returned or waits for a lock. host_pass returns after
 * `call` has returned.
 */
void host_beside_pass(uint64_t n, void (*call)(void *argument), void *argument);

/* wanted: each time the thread of the pass reads the clock, a millisecond has passed
 * for it. So each slice of a pass is as short as possible. */
void host_short_slices(bool wanted);

/*
 * Runs `call` as a request to slurmctld, in the calling thread, between two passes.
 * host_on_release, host_beside_pass, host_short_slices and host_last_pass treat the
 * request as they treat a pass.
 */
void host_request(void (*call)(void *argument), void *argument);

/* ---- slurmdbd ------------------------------------------------------------------- */

/* slurmdbd has summed up seconds of billing in the hour that begins at a time. account: NULL: of
 * the cluster as a whole, in which nobody has used anything. partition: or NULL. */
void host_database_add(const char *cluster, const char *account, const char *user,
		       const char *partition, time_t begin, uint64_t seconds);
/* LACKS_: slurmdbd lists associations, or clusters, without usage, as its own database fails
 * meanwhile. HANGS: a request waits until the state is another one. */
enum host_database_state {
	HOST_DATABASE_ANSWERS, HOST_DATABASE_LACKS_USAGE, HOST_DATABASE_LACKS_SUMS,
	HOST_DATABASE_IS_AWAY, HOST_DATABASE_HANGS
};
void host_database_set(enum host_database_state state);
/* Whether slurmdbd is of 23.11 or newer: it counts what a user has used in partitions also in the
 * user's association without one. */
void host_database_sum_partitions(bool sums);

/* Requests for usage since the last call. */
struct host_database_requests {
	unsigned clusters, associations;
	time_t longest_of_cluster;	/* what one asks for, in seconds */
	time_t longest;			/* the same, of associations */
};
struct host_database_requests host_database_requests(void);

/* ---- a cluster at random -------------------------------------------------------- */

uint64_t host_random(void);		/* the same numbers in each run */
void host_random_seed(uint64_t seed);
uint32_t host_random_below(uint32_t limit);
double host_random_real(void);		/* 0 <= x < 1 */

/* Before host_open. Builds `levels` levels of accounts, each account with `branches`
 * accounts below it, and `users` users in each lowest account. Shares and usage are
 * random. */
struct host_shape { unsigned levels, branches, users; };
void host_grow(const struct host_shape *shape);
/* After host_open. Makes jobs of random users, of all sizes, in several partitions and
 * QOS; a few of them are held. Neighbours in the job list are not neighbours in memory.
 * scattered: the nodes of the list are not either. */
void host_populate(size_t pending, size_t running, bool scattered);
/* Before host_populate: its jobs are also in `count` more partitions. */
void host_more_partitions(uint32_t count);

/* ---- ends ----------------------------------------------------------------------- */

void host_die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
