/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of states, and Slurm's names of the reason why a job waits. */
#include "jobs/job_states.h"

#include "memory/need_memory.h"

#include <string.h>
#include <strings.h>

#define COUNT (sizeof(states) / sizeof(*states))

/* The states by Slurm's number. Jobs in the first ones, up to LAST_UNFINISHED, have not ended. */
static const struct { const char *name, *abbreviation; } states[] = {
	{ "PENDING", "PD" }, { "RUNNING", "R" }, { "SUSPENDED", "S" }, { "COMPLETED", "CD" },
	{ "CANCELLED", "CA" }, { "FAILED", "F" }, { "TIMEOUT", "TO" }, { "NODE_FAIL", "NF" },
	{ "PREEMPTED", "PR" }, { "BOOT_FAIL", "BF" }, { "DEADLINE", "DL" },
	{ "OUT_OF_MEMORY", "OOM" },
};

#define LAST_UNFINISHED 2	/* SUSPENDED */

/* States that Slurm shows in place of a job's base state, with their abbreviations in squeue, and
 * the base state that stands for each. */
static const struct { const char *name, *abbreviation, *base; } passing_states[] = {
	{ "COMPLETING", "CG", "COMPLETED" }, { "CONFIGURING", "CF", "RUNNING" },
	{ "EXPEDITING", "", "PENDING" }, { "LAUNCH_FAILED", "", "PENDING" },
	{ "POWER_UP_NODE", "", "RUNNING" }, { "RECONFIG_FAIL", "", "FAILED" },
	{ "REQUEUED", "RQ", "CANCELLED" }, { "REQUEUE_FED", "RF", "PENDING" },
	{ "REQUEUE_HOLD", "RH", "PENDING" }, { "RESIZING", "RS", "RUNNING" },
	{ "RESV_DEL_HOLD", "RD", "PENDING" }, { "REVOKED", "RV", "CANCELLED" },
	{ "SIGNALING", "SI", "RUNNING" }, { "SPECIAL_EXIT", "SE", "PENDING" },
	{ "STAGE_OUT", "SO", "COMPLETED" }, { "STOPPED", "ST", "SUSPENDED" },
};

const char *job_state_name(size_t state)
{
	return state < COUNT ? states[state].name : NULL;
}

bool job_state_has_not_ended(size_t state)
{
	return state <= LAST_UNFINISHED;
}

const char *job_reason_clause(const char *reason)
{
	/* "Priority": jobs of higher priority are in its way */
	if (!strcmp(reason, "None") || !strcmp(reason, "Priority"))
		return NULL;
	return need_print("waits, as slurmctld says, for the reason %s", reason);
}

/* Returns whether a name is the word of `length` letters, in upper or lower case. */
static bool is_word(const char *name, const char *word, size_t length)
{
	return strlen(name) == length && !strncasecmp(name, word, length);
}

size_t job_state_find(const char *word, size_t length)
{
	for (size_t i = 0; i < COUNT; i++)
		if (is_word(states[i].name, word, length) ||
		    is_word(states[i].abbreviation, word, length))
			return i;
	return JOB_STATE_UNKNOWN;
}

size_t job_state_find_base(const char *word, size_t length)
{
	for (size_t i = 0; i < sizeof(passing_states) / sizeof(*passing_states); i++)
		if (is_word(passing_states[i].name, word, length) ||
		    (length && is_word(passing_states[i].abbreviation, word, length))) {
			word = passing_states[i].base;
			length = strlen(word);
		}
	return job_state_find(word, length);
}
