/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Holds of fathom's own. Such a job has priority 0 in slurmctld, and the description of its state
 * is a mark and a reason. slurmctld saves both in one file, so that no crash parts them; squeue
 * shows the description, and fathom knows by the mark which holds it may lift.
 *
 *	JOBID ... ST ... NODELIST(REASON)
 *	    7 ... PD ... (fathom: the user has no shares)
 */
#pragma once

#define OWN_HOLD_MARK "fathom: "

/* Reasons: clauses. */
#define HELD_WITHOUT_SHARES "the user has no shares"	/* WithoutShares=hold */
#define HELD_BY_URGENCY "urgency is 0"			/* of a job of flux */

/* Returns the reason in the description of a job's state, a part of the description; NULL: fathom
 * does not hold the job. description: may be NULL. */
const char *own_hold_reason(const char *description);
