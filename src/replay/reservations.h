/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reservations of one cycle: of each node set, the first job that does not fit has one. A job
 * may start if it delays none of them. Between now and the first reservation, and from one
 * reservation to the next, CPUs only become free. So it is enough to compare what is free now and
 * at the times at which reservations begin.
 */
#pragma once

#include "replay/current_jobs.h"
#include "replay/machine.h"
#include "replay/node_sets.h"

struct reservation {
	double time, end;	/* from when until when the job is expected to run */
	const struct node_set *set;
	int64_t *taken;		/* by group: CPUs that the job takes */
	int64_t *spare;		/* by group: CPUs that are free at `time` beside those that the job
				 * takes; INT64_MAX for groups that are not in its set */
};

struct reservations {
	struct reservation *at;	/* room for one of each node set */
	size_t count;
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
