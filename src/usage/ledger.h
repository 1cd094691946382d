/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ledger's layout and its entries, for the files of src/usage only. A round is one visit of
 * all jobs, by fathom_ledger_observe() for each and fathom_ledger_close_round() at the end. */
#pragma once

#include "core/id_index.h"
#include "core/numbered_names.h"
#include "fathom/usage.h"

#define TRES_NOTED 256	/* TRES of which `used` has a bit; all others count as used */

/* What the ledger knows of a job: the job's last run, in the form that callers see (row), and what
 * only the ledger needs. */
struct ledger_entry {
	struct fathom_ledger_row row;
	void *arrays;		/* owned; row.run.rate.tres, and behind it row.run.rate.part */
	double released_until;	/* read it by entry_released(), which tells whether it is valid */
	double requeued;	/* when the job went back to the queue; 0: it did not */
	uint32_t seen_in;	/* the last round in which the job was reported */
	uint32_t reservings;	/* the ledger's `reservings` when released_until was set */
	bool stale;		/* row.run still describes the run before this one, or the size
				 * before this one; the next report of the job sets it */
	bool is_listed;		/* the job is in over_jobs of the ledger */
};

/* All entries, and the state of the present round. */
struct fathom_ledger {
	double base;		/* all that ended before this time has been charged */
	uint32_t round;		/* number of the present round, from 1 */
	uint32_t reservings;	/* how often limits have reserved all seconds again, see
				 * fathom_ledger_reserve_anew() */
	bool incomplete;	/* memory ran out in the present round */
	size_t seen_count;	/* entries whose job was reported in the present round */
	struct ledger_entry *entry;	/* in no order */
	size_t count, size;	/* number of entries; entries that there is room for */
	size_t next;		/* index behind the entry that was last reported: a caller
				 * reports jobs mostly in the order of entries */
	struct id_index index;		/* from jobs to indexes of `entry` */
	uint64_t used[TRES_NOTED / 64];	/* a bit for each TRES that a run has used */
	struct numbered_names names;	/* of partitions and sets of hosts; rows point to them */
	uint64_t *over_jobs;	/* jobs that have an entry whose run is over; and jobs that have
				 * begun another run since they were listed */
	size_t over_count, over_size;	/* over_size: room for all entries */
};

/* Returns the time up to which reserved seconds of the run have been released; INFINITY: all
 * have. */
static inline double entry_released(const struct fathom_ledger *ledger,
				    const struct ledger_entry *entry)
{
	return entry->reservings == ledger->reservings ? entry->released_until : 0;
}

/* Returns the job's entry, or NULL. */
struct ledger_entry *entry_find(const struct fathom_ledger *ledger, uint64_t job);
/* Returns the job's entry, or NULL. Looks first at the entry with the index *at, and sets *at
 * behind the entry that it finds. */
struct ledger_entry *entry_find_from(const struct fathom_ledger *ledger, uint64_t job, size_t *at);
/* Returns the job's entry, made if necessary. Entries move: a pointer to one is valid until
 * the next call. NULL: out of memory. */
struct ledger_entry *entry_find_or_add(struct fathom_ledger *ledger, uint64_t job);
/* Copies a run into the entry, which keeps its own name of the partition: set that by
 * ledger_name(), as the run's name may not live as long. run->rate may be the entry's own. -1: out
 * of memory, the entry has not changed. */
int entry_set_run(struct fathom_ledger *ledger, struct ledger_entry *entry,
		  const struct fathom_run *run);
/* Returns the ledger's copy of the name of a partition or set of hosts, which is made if necessary
 * and lives as long as the ledger. NULL: out of memory. */
const char *ledger_name(struct fathom_ledger *ledger, const char *name);
/* Notes that the job was reported in the present round. */
void entry_see(struct fathom_ledger *ledger, struct ledger_entry *entry);
/* Notes that the entry's run is over, and lists its job in over_jobs. */
void entry_end(struct fathom_ledger *ledger, struct ledger_entry *entry);
/* Removes an entry; the last entry takes its place. The caller takes its job out of over_jobs. */
void entry_drop(struct fathom_ledger *ledger, struct ledger_entry *entry);
