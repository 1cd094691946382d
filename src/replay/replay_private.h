/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What schedulers and the clock share, and the order of all files of the folder. job_orders.h and
 * replay_state.h have what other files share.
 *   backfill.c         the schedulers that start what fits: easy, none, strict; the table of all
 *   conservative.c     the scheduler that reserves for each job
 *   traced_starts.c    the scheduler that starts jobs when they did in the trace
 *   replay.c           the clock: what happens at an instant
 *   scope_orders.c     the order of the jobs of all scopes and slot pools
 *   slot_pools.c       what the partitions of a pool hold and may hold
 *   job_order.c        the order of jobs under a policy
 *   dispatched_jobs.c  the order of dispatch
 *   user_turns.c       the same order, found quickly for users below accounts
 *   order_tree.c       the tree by which jobs are ordered
 *   charge_book.c      what jobs are charged
 *   reservations.c     the reservations of a cycle
 *   profile.c          how many CPUs will be free at what time
 *   pending_queue.c    jobs that wait
 *   node_sets.c        the nodes of partitions
 *   machine.c          what runs
 *   current_jobs.c     jobs that wait or run
 *   replay_figures.c   what is measured
 *   usage_series.c     usage of accounts over time
 *   yardstick.c        the usage by which fairness is measured
 *   wait_times.c       the distribution of wait times
 * A file calls only files below it.
 */
#pragma once

#include "replay/job_orders.h"

/* ---- profile.c ------------------------------------------------------------------------ */

/* How many CPUs of each group of nodes will be free at what time, by what runs and by reservations:
 * a list of steps, each of which lasts until the time of the next one. */

/* Times that differ by less are the same instant: sums of times in fractions of a second round. */
#define INSTANT 1e-6

/* Start with all members but the number of groups 0. */
struct profile {
	double *time;		/* by step: when it begins; the last step holds for ever */
	int64_t *free;		/* by step, then by group */
	size_t groups;
	size_t count;		/* steps; 0: profile_begin() was not called yet */
	size_t time_room, free_room;
	/* The latest end of a part that has become free since the caller set this to -INFINITY: no
	 * CPUs have become free later than that. */
	double freed;
};

/* Whether CPUs become free or are taken, as a factor of their number. */
enum profile_sign { PROFILE_FREE = 1, PROFILE_TAKE = -1 };

/* A job's CPUs by group, from `begin` until `end`. */
struct profile_part {
	double begin, end;
	const uint32_t *cpus;
};

/* Begins the profile anew: `free`, by group, are free from `now` on. */
void profile_begin(struct profile *profile, double now, const int64_t *free);
/* Moves the begin of the profile to `now`, and forgets what was before. */
void profile_go_on(struct profile *profile, double now);
/* Adds CPUs to those that are free from `time` on, which must not be before the last step. cpus: by
 * group. */
void profile_append(struct profile *profile, double time, const uint32_t *cpus);
/* Adds a job's CPUs to those that are free, or takes them away. */
void profile_change(struct profile *profile, const struct profile_part *part,
		    enum profile_sign sign);
/* Returns the first time, not before `from`, from which `cpus` of a node set are free for `length`
 * seconds. Sets available[], by group of the set, to how many of the group are free all that time.
 * INFINITY: never, as the set does not have so many. */
double profile_find(const struct profile *profile, double from, double length, uint32_t cpus,
		    const struct node_set *set, int64_t *available);
/* Searches an earlier time for a job with a reservation, on a machine with one group: returns the
 * first time, not before `from` and before both `reserved` and `until`, from which `cpus` are free
 * for `length` seconds; else `reserved`. The reservation, from `reserved` for `length` seconds,
 * must be in the profile; its CPUs count as free for the job. reserved: INFINITY if the job
 * has none. */
double profile_find_earlier(const struct profile *profile, double from, double length,
			    uint32_t cpus, double reserved, double until);

/* ---- reservations.c ------------------------------------------------------------------- */

/*
 * The reservations of one cycle: of each node set, the first job that does not fit has one. A job
 * may start if it delays none of them. Between now and the first reservation, and from one
 * reservation to the next, CPUs only become free. So it is enough to compare what is free now and
 * at the times at which reservations begin.
 */

struct reservation {
	double time, end;	/* from when until when the job is expected to run */
	const struct node_set *set;
	int64_t *taken;		/* by group: CPUs that the job takes */
	int64_t *spare;		/* by group: CPUs that are free at `time` beside those that the job
				 * takes; INT64_MAX for groups that are not in its set */
};

struct reservations {
	struct reservation *made;	/* room for one of each node set */
	size_t count;
	const struct reservation **near;	/* room for all, see find_near() */
	size_t near_count;
	int64_t *available;	/* by group; see reservations_available() */
	int64_t *free;		/* by group; while a reservation is added: CPUs free at a time */
	int64_t *counts;	/* the memory of all arrays by group */
	size_t groups;
};

/* What a job that waits asks for. */
struct reservation_wish {
	const struct node_set *set;
	double estimate;	/* seconds that it is expected to run */
	uint32_t cpus;
};

/* Makes room for one reservation of each node set, without any reservation. */
void reservations_create(struct reservations *reservations, const struct node_sets *sets);

/* Returns how many CPUs of the job's node set it could have from `now` on without delaying a
 * reservation. Sets reservations->available, by group of the set, to how many of each group. */
int64_t reservations_available(struct reservations *reservations, const struct machine *machine,
			       double now, const struct reservation_wish *wish);
/* Takes the CPUs of a job that starts now from the spare ones of reservations that begin before its
 * expected end. taken: by group. */
void reservations_note_start(struct reservations *reservations, double expected,
			     const uint32_t *taken);
/* Returns whether a job of this node set has a reservation. */
bool reservations_has(const struct reservations *reservations, const struct node_set *set);
/* Adds the reservation of a job that does not fit, from the first time at which it can start if all
 * running jobs end as expected, without delaying other reservations. The node set must not have a
 * reservation yet, and at least wish->cpus CPUs. */
void reservations_add(struct reservations *reservations, const struct machine *machine,
		      const struct current_jobs *jobs, double now,
		      const struct reservation_wish *wish);

/* ---- replay.c ------------------------------------------------------------------------- */

/* The layout of a replay, for the schedulers. */

/* What has happened in a component of the nodes, see node_sets.c above; for schedulers that reserve
 * for all jobs. */
struct plan_state {
	bool has_ended;		/* jobs have ended since the last cycle */
	bool is_overtaken;	/* reservations were planned in another order than jobs now have */
	size_t last_planned;	/* while the order is looked at: `planned` of the previous job */
};

struct replay {
	struct replay *const *cluster;	/* the replays of all clusters, also this one */
	size_t cluster_count;
	struct replay_figures *joint_figures;	/* of all clusters together; NULL: there is one */
	struct replay_rules rules;
	struct node_sets sets;
	struct current_jobs jobs;
	struct machine machine;
	/* In order whenever a scheduler is called. If the scheduler reserves_all, it has no started
	 * jobs then; if it keeps_starts, it is a heap, the next start on top. */
	struct pending_queue queue;
	struct scopes scopes;
	struct replay_figures figures;
	double now;
	struct replay_moment moment;	/* `now` and the state then */
	bool has_begun;			/* the clock has begun: figures.clock_begin is set */
	double arrival;			/* when the newest job joined the queue */
	bool has_arrivals;		/* the instant `arrival` has yet to be done */
	double begun;			/* time of replay_begin(); -INFINITY: it was not called */
	double charged;			/* time of the last pass that charged running jobs */
	double passes;			/* number of the next pass, from 0; whole */
	struct fathom_date last_reset;	/* month 0: before the first pass */
	bool is_due;			/* something has changed since the last cycle */
	/* When the scheduler wants the next cycle, even if nothing changes before; INFINITY: it
	 * does not. */
	double wake_up;
	double until;			/* replay_start_all() does no instant from then on */
	struct reservations reservations;	/* of this cycle, for easy, none and strict */
	bool *is_awaited;	/* by group, for strict: a job of this cycle waits for it */
	/* for schedulers that reserve for all jobs: */
	struct profile profile;
	struct plan_state *plan;	/* by component */
	bool has_passed;		/* there was a pass since the last cycle */
};

/* Starts the pending job in a slot now, on the CPUs that the caller has set in
 * current_jobs_taken(). The caller takes it out of the queue. */
void replay_start_job(struct replay *replay, uint32_t slot);
/* Starts the job at a place of the queue by replay_start_job(), and marks it there as started. */
void replay_start_at(struct replay *replay, size_t place);
