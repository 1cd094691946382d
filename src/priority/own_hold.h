/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Holds of fathom's own. A job that fathom holds has priority 0 in slurmctld, and the description
 * of its state is a mark and a reason. slurmctld saves both in one file, so that a crash does not
 * separate them; squeue shows the description, and fathom knows by the mark which holds it may
 * lift.
 *
 *	JOBID ... ST ... NODELIST(REASON)
 *	    7 ... PD ... (fathom: the user has no shares)
 */
#pragma once

#include <stddef.h>
#include <string.h>

#define OWN_HOLD_MARK "fathom: "

/* Reasons, each a clause. */
#define HELD_WITHOUT_SHARES "the user has no shares"	/* with WithoutShares=hold */
#define HELD_BY_URGENCY "urgency is 0"			/* under policy flux */
#define HELD_WITHOUT_ASSOCIATION "the association was deleted"	/* of a job held before */

/* Returns the reason in the description of a job's state, a part of the description; NULL: fathom
 * does not hold the job. description: may be NULL. */
static inline const char *own_hold_reason(const char *description)
{
	size_t length = strlen(OWN_HOLD_MARK);

	return description && !strncmp(description, OWN_HOLD_MARK, length) ? description + length
									   : NULL;
}
