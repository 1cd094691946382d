/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ledger's layout and its entries, for the files of src/usage only. A round is one visit of
 * all jobs, by fathom_ledger_observe() for each and fathom_ledger_close_round() at the end. */
#ifndef USAGE_LEDGER_H
#define USAGE_LEDGER_H

#include "core/id_index.h"
#include "fathom/usage.h"

struct ledger_entry {
	struct fathom_ledger_row row;
	uint64_t *tres;		/* the array that row.run.rate.tres points to; owned */
	struct fathom_run_part *part;	/* the same of row.run.rate.part */
	double released_until;	/* reserved seconds up to here are released; INFINITY: all are */
	double requeued;	/* when the job went back to the queue; 0: it did not */
	uint32_t seen_in;	/* the last round in which the job was reported */
	bool stale;		/* row.run is not yet that of the present run, or of its new size;
				 * the next report sets it */
};

struct fathom_ledger {
	double base;		/* all that ended before this time has been charged */
	uint32_t round;		/* the present one, from 1 */
	bool incomplete;	/* memory ran out in it */
	size_t seen_count;	/* entries whose job was reported in it */
	struct ledger_entry *entry;	/* in no order */
	size_t count, size;
	struct id_index index;		/* of `entry`, by job */
	char **name;			/* of partitions and sets of hosts; rows point to them */
	size_t name_count, name_size;
	uint64_t *over;		/* jobs whose runs are over, as long as they have an entry */
	size_t over_count, over_size;
	bool must_search;	/* some that are over are not in that list */
};

/* Returns the job's entry, or NULL. */
struct ledger_entry *entry_find(const struct fathom_ledger *ledger, uint64_t job);
/* Returns the job's entry, made if necessary. Entries move: a pointer to one is valid until
 * the next call. NULL: out of memory. */
struct ledger_entry *entry_find_or_add(struct fathom_ledger *ledger, uint64_t job);
/* Copies a run, except its partition, into the entry. -1: out of memory, nothing has
 * changed. */
int entry_set_run(struct fathom_ledger *ledger, struct ledger_entry *entry,
		  const struct fathom_run *run);
/* Copies the partition's name into the ledger, unless the entry has a partition or name is
 * NULL. -1: out of memory. */
int entry_set_partition(struct fathom_ledger *ledger, struct ledger_entry *entry,
			 const char *name);
/* Notes that the job was reported in the present round. */
void entry_see(struct fathom_ledger *ledger, struct ledger_entry *entry);
/* Notes that the run is over. */
void entry_end(struct fathom_ledger *ledger, struct ledger_entry *entry);
/* Removes entry `at`; the last entry takes its place. */
void entry_drop(struct fathom_ledger *ledger, size_t at);

#endif
