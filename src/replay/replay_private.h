/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The layout of a replay, for the schedulers. */
#pragma once

#include "replay/charge_book.h"
#include "replay/job_order.h"
#include "replay/current_jobs.h"
#include "replay/machine.h"
#include "replay/node_sets.h"
#include "replay/pending_queue.h"
#include "replay/profile.h"
#include "replay/replay_figures.h"
#include "replay/reservations.h"
#include "replay/scheduler.h"
#include "replay/scope_orders.h"

/* What has happened in a component of the nodes, see node_sets.h; for schedulers that reserve for
 * all jobs. */
struct plan_state {
	bool has_ended;		/* jobs have ended since the last cycle */
	bool is_overtaken;	/* reservations were planned in another order than jobs now have */
	size_t last_planned;	/* while the order is looked at: `planned` of the previous job */
};

struct replay {
	struct replay *const *member;	/* all replays with the same clock, also this one */
	size_t members;
	struct replay_figures *joint_figures;	/* of all members together; NULL: there is one */
	struct replay_rules rules;
	struct node_sets sets;
	struct current_jobs jobs;
	struct machine machine;
	/* In order whenever a scheduler is called. If the scheduler reserves_all, it has no started
	 * jobs then; if it keeps_starts, it is a heap, the next start on top. */
	struct pending_queue queue;
	struct charge_book book;
	struct job_order order;
	struct scopes scopes;		/* if there are any, they order jobs in place of `order` */
	struct replay_figures figures;
	double now;
	struct replay_moment moment;	/* `now` and the state then */
	bool has_begun;			/* the clock has begun: figures.first_submit is set */
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
