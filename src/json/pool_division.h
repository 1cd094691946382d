/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A slot pool divided among its queues, and such pools in JSON. */
#pragma once

#include "fathom.h"

#include <stdio.h>

#define JSON_DIVISION_FORMAT "fathom-division"
#define JSON_DIVISION_VERSION 1

/* A pool and its division. It owns all that it points to. */
struct pool_division {
	char *name;		/* NULL: not known, as of a pool that a file alone describes */
	uint64_t slots;
	bool use_priority;	/* see struct fathom_pool; not in JSON */
	bool has_priorities;	/* priorities and limits of the queues are known; a pass does not
				 * record them */
	struct fathom_pool_queue *queue;
	char **queue_name;	/* by queue */
	struct fathom_pool_grant *grant;	/* one for each queue, in the order of service;
						 * its `queue` points into `queue` */
	size_t count;		/* of queues, and of grants */
};

/* Makes room for `count` queues; all is 0. -1: out of memory, the division is empty. */
int pool_division_create(struct pool_division *division, size_t count);
/* Frees all that the division holds. */
void pool_division_clear(struct pool_division *division);
/* Returns the name of the queue of a grant. */
const char *pool_division_name(const struct pool_division *division, size_t grant);

/* Writes the members "slots" and "queues", without braces around them. with_demand: of each queue
 * also its share, demand and used slots. */
void json_put_division(FILE *out, const struct pool_division *division, bool with_demand);
/* Writes the member "pools", a list of `count` divisions with demand. */
void json_put_pools(FILE *out, const struct pool_division *division, size_t count);
