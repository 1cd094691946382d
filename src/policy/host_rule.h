/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of several host partitions decides on a job that may run on hosts of each. In LSF the hosts
 * that are free decide. Slurm gives the job one priority before it is known where it will run, so
 * that the orders of all host partitions are merged into one. Job d may run in both:
 *
 *	order of h1	order of h2	merged by worst or first	merged by best
 *	a b c d		d		a b c d				a d b c
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
	HOST_RULE_FREE		/* the first that has free hosts now, as in LSF; tests compare
				 * the other rules with it */
};

/* A job in the order of one host partition. */
struct hosted_job {
	size_t index;		/* for the caller; not used here */
	size_t job;		/* the job's number: one job may be in the orders of several */
	size_t scope;		/* number of the host partition, in the order of fathom.conf */
	bool may_start;		/* its user has shares there */
	size_t place;		/* only its order among jobs of the same host partition counts */
};

/* Returns whether the rule prefers the factor `other` to the factor `one`, that in a host partition
 * which comes earlier in fathom.conf. A factor below 0 means that the user has no shares there. */
bool host_rule_prefers(enum host_rule rule, double other, double one);
/* Merges the orders of all host partitions into one: sorts the list, and sets `place` to the place
 * in that order, from 1; all entries of a job get the same place, and the `scope` by which they got
 * it. With HOST_RULE_FIRST a job must have one entry, that of the first. scopes: greater than each
 * `scope`. -1: ENOMEM. */
int host_rule_merge(enum host_rule rule, struct hosted_job *list, size_t count, size_t scopes);
