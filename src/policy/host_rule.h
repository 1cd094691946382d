/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of several host partitions decides on a job that may run on hosts of each. In LSF the hosts
 * that are free do. Slurm gives the job one priority before it is known where it will run:
 *
 *	jobs in the order of h1		a b c d		worst, first	a b c d
 *	jobs in the order of h2		d		best		a d b c	(d is 4th and 1st)
 *
 * A host partition where the user has no shares does not count beside others.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum host_rule {
	HOST_RULE_WORST,	/* the one where the job is farthest from the front */
	HOST_RULE_FIRST,	/* the first in fathom.conf */
	HOST_RULE_BEST,		/* the one where it is nearest to the front */
	HOST_RULE_FREE		/* the first that has free hosts now, as in LSF; for replays */
};

/* A job in the order of one host partition. */
struct hosted_job {
	size_t index;		/* for the caller */
	size_t job;		/* its number; one job may be in several orders */
	size_t scope;		/* the host partition */
	bool may_start;		/* its user has shares there */
	size_t place;		/* in one order of all, in which that of the host partition lies */
};

/* Returns whether the rule prefers the factor `other`, in a host partition that comes later in
 * fathom.conf, to the factor `one`. A factor below 0 means that the user has no shares there. */
bool host_rule_prefers(enum host_rule rule, double other, double one);
/* Merges the orders of all host partitions into one: sorts the list, and numbers its jobs from 1
 * in `place`; all entries of a job get the same number. scopes: above all members `scope`. -1:
 * ENOMEM. */
int host_rule_merge(enum host_rule rule, struct hosted_job *list, size_t count, size_t scopes);
