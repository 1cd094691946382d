/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ledger's layout and its entries, for the files of src/usage only. A round is one visit of
 * all jobs, by fathom_ledger_observe() for each and fathom_ledger_close_round() at the end. */
#pragma once

#include "core/id_index.h"
#include "core/numbered_names.h"
#include "fathom/usage.h"

#define TRES_NOTED 256	/* TRES of which `used` has a bit; all others count as used */

struct ledger_entry {
	struct fathom_ledger_row row;
	void *arrays;		/* owned; row.run.rate.tres, and behind it row.run.rate.part */
	double released_until;	/* see entry_released() */
	double requeued;	/* when the job went back to the queue; 0: it did not */
	uint32_t seen_in;	/* the last round in which the job was reported */
	uint32_t reserve;	/* the ledger's `reserve` when released_until was set */
	bool stale;		/* row.run is of the run before, or of the size before; the next
				 * report sets it */
	bool is_listed;		/* in `over` of the ledger */
};

struct fathom_ledger {
	double base;		/* all that ended before this time has been charged */
	uint32_t round;		/* the present one, from 1 */
	uint32_t reserve;	/* grows whenever all seconds are reserved anew */
	bool incomplete;	/* memory ran out in the round */
	size_t seen_count;	/* entries whose job was reported in it */
	struct ledger_entry *entry;	/* in no order */
	size_t count, size;
	size_t next;			/* behind the entry that was last reported */
	struct id_index index;		/* of `entry`, by job */
	uint64_t used[TRES_NOTED / 64];	/* a bit for each TRES that a run has used */
	struct numbered_names names;	/* of partitions and sets of hosts; rows point to them */
	uint64_t *over;		/* jobs of all entries whose runs are over; maybe others */
	size_t over_count, over_size;	/* over_size: room for all entries */
};

/* Returns the time up to which reserved seconds of the run have been released; INFINITY: all
 * have. */
static inline double entry_released(const struct fathom_ledger *ledger,
				    const struct ledger_entry *entry)
{
	return entry->reserve == ledger->reserve ? entry->released_until : 0;
}

/* Returns the job's entry, or NULL. */
struct ledger_entry *entry_find(const struct fathom_ledger *ledger, uint64_t job);
/* Like entry_find(), but looks at first at the entry *at, as fathom_ledger_find_from() does. */
struct ledger_entry *entry_find_from(const struct fathom_ledger *ledger, uint64_t job, size_t *at);
/* Returns the job's entry, made if necessary. Entries move: a pointer to one is valid until
 * the next call. NULL: out of memory. */
struct ledger_entry *entry_find_or_add(struct fathom_ledger *ledger, uint64_t job);
/* Copies a run into the entry, but for the partition: set that by ledger_name(), as the run's
 * name may not live as long. run->rate may be the entry's own. -1: out of memory, the entry has
 * not changed. */
int entry_set_run(struct fathom_ledger *ledger, struct ledger_entry *entry,
		  const struct fathom_run *run);
/* Returns the ledger's copy of the name of a partition or set of hosts. NULL: out of memory. */
const char *ledger_name(struct fathom_ledger *ledger, const char *name);
/* Notes that the job was reported in the present round. */
void entry_see(struct fathom_ledger *ledger, struct ledger_entry *entry);
/* Notes that the run is over. */
void entry_end(struct fathom_ledger *ledger, struct ledger_entry *entry);
/* Removes an entry; the last one takes its place. */
void entry_drop(struct fathom_ledger *ledger, struct ledger_entry *entry);
