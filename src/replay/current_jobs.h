/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs that wait or run. Each is known by its slot, a number from 0, until it ends; then
 * another job may get the slot. */
#pragma once

#include "replay/replay_rules.h"

#define NO_SLOT UINT32_MAX	/* in place of the slot of a job that has left a queue */

struct current_job {
	struct replay_job job;
	uint64_t sequence;	/* number of jobs before it, in the order of submission */
	double start;		/* when it has started; NAN: it waits */
	double highest;		/* the highest priority that it has had; if rules.increases_only */
	/* for schedulers that reserve for all jobs: */
	double reserved;	/* start of its reservation; NAN: it has none */
	size_t planned;		/* its place in the queue at the last cycle; SIZE_MAX: it was not
				 * there */
	uint32_t next_free;	/* only in a free slot: 1 + the next free one; 0: it is the last */
	uint32_t leaf;		/* key of the leaf at which it runs, if its scope has shares of its
				 * own; 0: it has no leaf */
};

/* Start with all members but the number of groups 0. */
struct current_jobs {
	struct current_job *at;
	/* By slot and group of nodes: CPUs that a running job has, or that are reserved for one
	 * that waits. */
	uint32_t *taken;
	size_t groups;		/* set by the caller */
	size_t room, taken_room;
	uint32_t used;		/* slots that were ever used: 0 to used - 1 */
	uint32_t free;		/* 1 + the first free one of these; 0: all have jobs */
	uint64_t submitted;	/* jobs that were ever added */
};

/* Adds a job that waits, and returns its slot. Its `taken` is not set. */
uint32_t current_jobs_add(struct current_jobs *jobs, const struct replay_job *job);
/* Removes a job, which frees its slot. */
void current_jobs_remove(struct current_jobs *jobs, uint32_t slot);
/* Returns the CPUs of a job by group, which the caller may set. The array may move when a job is
 * added. */
static inline uint32_t *current_jobs_taken(const struct current_jobs *jobs, uint32_t slot)
{
	return jobs->taken + slot * jobs->groups;
}
