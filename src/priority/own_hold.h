/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Holds of fathom's own. Such a job has priority 0 in slurmctld, and the description of its state
 * begins with a mark and says why. slurmctld saves both in one file, so that no crash parts them;
 * squeue shows the description, and fathom knows by the mark which holds it may lift.
 *
 *	JOBID ... ST ... NODELIST(REASON)
 *	    7 ... PD ... (fathom: the user has no shares)
 */
#ifndef PRIORITY_OWN_HOLD_H
#define PRIORITY_OWN_HOLD_H

/* Why fathom holds a job. */
enum own_hold {
	OWN_HOLD_NONE,
	OWN_HOLD_SHARES		/* WithoutShares=hold */
};

/* Returns the description, with the mark. hold: any but OWN_HOLD_NONE. */
const char *own_hold_description(enum own_hold hold);
/* Returns what a description says behind the mark. NULL: fathom does not hold the job.
 * description: may be NULL. */
const char *own_hold_reason(const char *description);

#endif
