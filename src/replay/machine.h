/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine: the CPUs of each group of its nodes, and what runs on them. Any CPU of a group is as
 * good as any other. */
#pragma once

#include "fathom.h"

/* A running job. */
struct occupant {
	double end;	/* in `ending`: when it ends; in `expected`: when its estimate ends */
	uint32_t slot;	/* of the job, in struct current_jobs */
	uint32_t cpus;
};

/* Start with all members 0 but cpus, free, group_free and groups. */
struct machine {
	/* Of all groups. Under the scheduler "trace" there may be more jobs than fit: then `free`
	 * wraps around, and group_free is below 0. */
	uint64_t cpus, free;
	int64_t *group_free;		/* by group */
	size_t groups;
	struct occupant *ending;	/* a heap, the first to end on top */
	struct occupant *expected;	/* the same jobs, sorted by expected end */
	size_t count;			/* running jobs */
	size_t ending_room, expected_room;
};

/* Starts a job that runs until started->end, by its estimate until `expected`. taken: by group, the
 * CPUs that it gets. */
void machine_start(struct machine *machine, const struct occupant *started, double expected,
		   const uint32_t *taken);
/* Returns when the next job ends; INFINITY: no job runs. */
double machine_next_end(const struct machine *machine);
/* Removes the job on top of `ending`, and frees its CPUs. expected, taken: what the job was started
 * with. */
void machine_end(struct machine *machine, double expected, const uint32_t *taken);
