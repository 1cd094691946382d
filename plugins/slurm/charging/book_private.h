/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The book's fields, for the sources that work on its ledger. */
#pragma once

#include "base/compat.h"
#include "base/lock_order.h"
#include "core/id_index.h"
#include "fathom.h"

/*
 * Only the decay thread changes the ledger, and does so under the lock. Other threads read it under
 * the lock, and put what they change into `ended`, from where the decay thread takes it. So the
 * decay thread may read and save the ledger without the lock. The lock is taken inside slurmctld's
 * and assoc_mgr's.
 */
struct book {
	struct ordered_lock lock;
	struct fathom_ledger *ledger;	/* the runs, and until when each is charged */
	struct fathom_ledger *ended;	/* runs that have ended, or were resized or requeued, since
					 * the decay thread last took them */
	struct fathom_charges *late;	/* charges of the runs in `ended`; NULL: none */
	time_t marked_until;		/* see book_begin(); 0 after the first pass */
	bool waits_for_state;		/* ends are not charged, see book_set_charging() */
	struct id_index uncharged;	/* jobs that ended meanwhile: they have the mark of
					 * book_begin(), but have not been charged; empty after the
					 * first pass */
	bool owes_runs;			/* late charges have been taken, but not all of their runs,
					 * as memory was short */
	bool run_seconds_are_new;	/* see book_run_seconds_are_new() */
};

/* Moves the runs in `ended` to the ledger. Returns true if memory has run out: then some stay in
 * `ended`, and the present round of the ledger is incomplete. The caller holds the lock. */
bool book_take_runs(struct book *book);
