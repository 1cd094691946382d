/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine: the CPUs of each group of its nodes, and what runs on them. Any CPU of a group is as
 * good as any other. */
#pragma once

#include "fathom.h"

/* A running job. */
struct occupant {
	double end;	/* when it ends, or when the scheduler thinks it does */
	uint32_t slot, cpus;
};

/* Start with all members but the numbers of CPUs and groups 0. */
struct machine {
	uint64_t cpus, free;
	int64_t *group_free;		/* the same by group; set by the caller */
	size_t groups;
	struct occupant *ending;	/* a heap, the first to end on top */
	struct occupant *expected;	/* sorted, the first that is expected to end first */
	size_t count, ending_room, expected_room;
};

/* Occupies CPUs, taken[] of each group, until `end`, by estimate until `expected`. */
void machine_start(struct machine *machine, const struct occupant *started, double expected,
		   const uint32_t *taken);
/* Returns when the next job ends; INFINITY: none runs. */
double machine_next_end(const struct machine *machine);
/* Takes the next job to end off the machine. expected, taken: as it was started with. */
void machine_end(struct machine *machine, double expected, const uint32_t *taken);
