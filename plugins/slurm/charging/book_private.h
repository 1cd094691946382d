/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The book's fields, for the sources that work on its ledger. */
#ifndef SLURM_BOOK_PRIVATE_H
#define SLURM_BOOK_PRIVATE_H

#include "base/compat.h"
#include "fathom.h"

/* `lock` is innermost: inside slurmctld's and assoc_mgr's. */
struct book {
	pthread_mutex_t lock;
	struct fathom_ledger *ledger;
	time_t marked_until;		/* of book_believe_marks() */
	bool waits_for_state;		/* of book_wait_for_state() */
	uint32_t run_seconds_round;	/* grows when slurmctld computes running seconds anew */
};

#endif
