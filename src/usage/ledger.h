/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ledger's entries, for those who charge them. */
#ifndef USAGE_LEDGER_H
#define USAGE_LEDGER_H

#include "core/id_index.h"
#include "fathom/usage.h"

struct ledger_entry {
	struct fathom_ledger_row row;
	uint64_t *tres;		/* what the row's rate points to */
	double released_until;	/* reserved seconds are, up to here; 0: none, INFINITY: all */
	double requeued;	/* when it was sent back to the queue; 0: it was not */
	bool seen;		/* in the present round */
	bool stale;		/* its rate is not this run's: it must be observed first */
};

struct fathom_ledger {
	double base;
	bool incomplete;	/* memory ran out in the present round */
	struct ledger_entry *entry;	/* in no order */
	size_t count, size;
	struct id_index index;		/* of entries by job */
	char **name;			/* of partitions, few */
	size_t name_count, name_size;
};

struct ledger_entry *entry_find(const struct fathom_ledger *ledger, uint64_t job);
/* The job's entry, made if there is none. Moves others: pointers to entries are
 * good until the next call. NULL: out of memory. */
struct ledger_entry *entry_enter(struct fathom_ledger *ledger, uint64_t job);
/* The entry's run is another one from now on. -1: out of memory, the entry is
 * as it was. */
int entry_set_run(struct ledger_entry *entry, const struct fathom_run *run);
/* The entry knows its partition, if it did not. -1: out of memory. */
int entry_set_partition(struct fathom_ledger *ledger, struct ledger_entry *entry,
			 const char *name);
/* The last entry takes the place of this one. */
void entry_drop(struct fathom_ledger *ledger, size_t at);

#endif
