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
