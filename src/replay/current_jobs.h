/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs that wait or run. Each has a slot, a number by which it is known, until it ends; then
 * another job may get the slot. */
#pragma once

#include "replay/replay_rules.h"

#define NO_SLOT UINT32_MAX

struct current_job {
	struct replay_job job;
	uint64_t sequence;	/* number of jobs before it, in the order of submission */
	double start;		/* NAN: it waits */
	double reserved;	/* when the scheduler lets it start at the latest; NAN: not known */
	size_t planned;		/* its place in the order when reservations were last planned;
				 * SIZE_MAX: it was not there */
	uint32_t next_free;	/* of a free slot */
	uint32_t leaf;		/* key of the leaf at which it runs, where scopes have shares of
				 * their own; 0: none */
};

/* Start with all members but the number of groups 0. */
struct current_jobs {
	struct current_job *at;
	/* By slot and group of nodes: CPUs that a running job has, or that are reserved for one
	 * that waits. */
	uint32_t *taken;
	size_t groups;		/* set by the caller */
	size_t room, taken_room;
	uint32_t used;		/* slots that were ever used */
	uint32_t free;		/* the first free one + 1; 0: none */
	uint64_t submitted;
};

/* Adds a job, and returns its slot. */
uint32_t current_jobs_add(struct current_jobs *jobs, const struct replay_job *job);
/* Removes a job, which frees its slot. */
void current_jobs_remove(struct current_jobs *jobs, uint32_t slot);
/* Returns the CPUs of a job by group: an array that may be written. It may move when a job is
 * added. */
static inline uint32_t *current_jobs_taken(const struct current_jobs *jobs, uint32_t slot)
{
	return jobs->taken + slot * jobs->groups;
}
