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

/* What has happened on the nodes of a component, for schedulers that reserve for all jobs. */
struct plan_state {
	bool has_ended;		/* jobs have ended since the last cycle */
	bool is_overtaken;	/* reservations are those of another order */
	size_t last;		/* greatest place in the last order of the jobs looked at so far */
};

struct replay {
	struct need_memory *memory;	/* of all this */
	struct replay *const *member;	/* those that go through the same time, with this one */
	size_t members;
	struct replay_figures *all;	/* of all of them; NULL: it is alone */
	struct replay_rules rules;
	struct node_sets sets;
	struct current_jobs jobs;
	struct machine machine;
	struct pending_queue queue;	/* in order whenever a scheduler is called, without
					 * started jobs if that reserves_all or keeps_starts */
	struct charge_book book;
	struct job_order order;
	struct scopes scopes;		/* whose order goes before, if there are any */
	struct replay_figures figures;
	double now;
	struct replay_moment moment;	/* the present one */
	bool has_begun, has_arrivals;	/* jobs have been submitted; at the present `arrival` */
	double arrival;
	double begun;			/* by replay_begin(); -INFINITY: it was not called */
	double charged;			/* time of the last pass that charged what runs */
	double passes;			/* number of the next pass, from 0; whole */
	struct fathom_date last_reset;	/* month 0: before the first pass */
	bool is_due;			/* something has changed since the last cycle */
	struct reservations reservations;	/* of this cycle */
	bool *is_awaited;	/* by group: a job waits for it in a strict order */
	/* for schedulers that reserve for all jobs: */
	struct profile profile;
	struct plan_state *plan;	/* by component */
	bool has_passed;		/* there was a pass since the last cycle */
	double wake_up;			/* when the next job is due; INFINITY: none */
};

/* Makes a replay in the memory in use. */
struct replay *replay_make(const struct replay_rules *rules, const struct fathom_tree *tree,
			   struct fathom_error *error);
/* Does all that happens to all members before `until`. */
void replay_advance(struct replay *replay, double until);
/* Charges everything up to `end`, and keeps the usage as of then. */
void replay_settle_usage(struct replay *replay, double end);
/* Starts the pending job in a slot now, on the CPUs that current_jobs_taken() says. The caller
 * takes it out of the queue. */
void replay_start_job(struct replay *replay, uint32_t slot);
/* Starts the job at a place of the queue in the same way, and marks its place. */
void replay_start_at(struct replay *replay, size_t place);
