/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reservations of one cycle: of each node set, the first job that does not fit has one. A job
 * may start if it delays none of them. What is free only grows until the first reservation begins,
 * so that it is enough to look at now and at the instants at which reservations begin.
 */
#pragma once

#include "replay/current_jobs.h"
#include "replay/machine.h"
#include "replay/node_sets.h"

struct reservation {
	double time, end;	/* from when until when the job is expected to run */
	const struct node_set *set;
	int64_t *taken;		/* by group */
	int64_t *spare;		/* by group of its set: CPUs free at `time`; elsewhere INT64_MAX */
};

struct reservations {
	struct reservation *at;	/* room for one of each node set */
	size_t count;
	int64_t *available;	/* by group; see reservations_available() */
	int64_t *free;		/* by group, at some instant */
	int64_t *counts;	/* holds those of all reservations */
	size_t groups;
};

/* What a job that waits asks for. */
struct reservation_wish {
	const struct node_set *set;
	double estimate;
	uint32_t cpus;
};

/* Makes room for one reservation of each node set; there is none yet. */
void reservations_create(struct reservations *reservations, const struct node_sets *sets);

/* Returns how many CPUs of a node set a job could have from `now` on without delaying a
 * reservation; `available` has how many of each of its groups. */
int64_t reservations_available(struct reservations *reservations, const struct machine *machine,
			       double now, const struct reservation_wish *wish);
/* Notes a job that starts now. taken: by group. */
void reservations_note_start(struct reservations *reservations, double expected,
			     const uint32_t *taken);
/* Returns whether a job of this node set has a reservation. */
bool reservations_has(const struct reservations *reservations, const struct node_set *set);
/* Adds the reservation of a job that does not fit: the first instant at which it can start if all
 * that runs ends as estimated, and the others stay. */
void reservations_add(struct reservations *reservations, const struct machine *machine,
		      const struct current_jobs *jobs, double now,
		      const struct reservation_wish *wish);
