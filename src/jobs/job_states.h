/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The states of jobs, by Slurm's names and numbers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JOB_STATE_PENDING 0
#define JOB_STATE_RUNNING 1
#define JOB_STATE_UNKNOWN SIZE_MAX

/* Returns the name, such as "RUNNING"; NULL for a number that is not a state. */
const char *job_state_name(size_t state);
/* Returns the state that has the word of `length` bytes as its name or abbreviation, such as "R",
 * in upper or lower case; JOB_STATE_UNKNOWN: no state has. */
size_t job_state_find(const char *word, size_t length);
/* Returns a clause about a job that waits, "waits, as slurmctld says, for the reason X"; NULL: its
 * priority alone matters. reason: as slurmctld calls it. */
const char *job_reason_clause(const char *reason);
/* Returns whether jobs in this state wait or run. */
bool job_state_has_not_ended(size_t state);
