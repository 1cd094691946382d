/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Until when each job has been charged. A job that is not in the ledger has
 * been charged until its `base`; so is every job once the base moves on.
 */
#ifndef SLURM_LEDGER_H
#define SLURM_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* Of a partition; where it is stays for as long as the ledger lives. */
struct ledger_name {
	uint32_t place;		/* from 1, where all of them stand in a row */
	char text[];
};

/* What a job was when it was last charged, for the time that it may turn out
 * later to have run like that. */
struct ledger_entry {
	uint32_t job_id;
	bool seen;		/* in the present round */
	bool ended;		/* nothing more to come from this run */
	bool stale;		/* rate and place below are not this run's any more */
	time_t start;		/* of the run that the rest describes */
	time_t charged_until;
	time_t run_seconds_until;	/* 0: take them from the start on */
	double suspended;	/* seconds, until charged_until */
	time_t resized;		/* resize_time that has been reckoned with */
	time_t requeued;	/* when it was sent back to the queue; 0: was not */
	uint32_t assoc_id, account_id, qos_id, partition_qos_id;
	const struct ledger_name *partition;	/* NULL: not known */
	double billing, usage_factor;
	double limit;		/* seconds; below 0: none */
	uint32_t tres_count;
	uint64_t *tres;
};

struct ledger_slot {
	uint32_t job_id, entry;	/* job_id 0: free */
};

struct ledger {
	time_t base;
	struct ledger_entry *entry;	/* in no order */
	size_t count, size;
	struct ledger_slot *slot;
	size_t slots;			/* a power of two */
	struct ledger_name **name;	/* of partitions, few */
	size_t names;
	uint32_t names_length;		/* of all in a row, each with its '\0' */
};

void ledger_clear(struct ledger *ledger);
struct ledger_entry *ledger_find(const struct ledger *ledger, uint32_t job_id);
/* The job's entry, made if there is none; NULL: out of memory. Moves others:
 * pointers to entries are good until the next call. */
struct ledger_entry *ledger_enter(struct ledger *ledger, uint32_t job_id);
/* Drops what the base makes needless: runs that ended before it, and entries
 * that no round has seen. */
void ledger_move_base(struct ledger *ledger, time_t base);
/* NULL: none was given, or out of memory. */
const struct ledger_name *ledger_name(struct ledger *ledger, const char *name);

#endif
