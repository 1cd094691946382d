/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The states of jobs, by Slurm's names and numbers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Slurm's numbers of some states; a value that is none of the states */
#define JOB_STATE_PENDING 0
#define JOB_STATE_RUNNING 1
#define JOB_STATE_COMPLETED 3
#define JOB_STATE_CANCELLED 4
#define JOB_STATE_UNKNOWN SIZE_MAX

/* Returns the name, such as "RUNNING"; NULL for a number that is not a state. */
const char *job_state_name(size_t state);
/* Returns the state that has the word of `length` bytes as its name or abbreviation, such as "R",
 * in upper or lower case. JOB_STATE_UNKNOWN: there is no such state. */
size_t job_state_find(const char *word, size_t length);
/* Finds a state as job_state_find() does. For a state that Slurm shows while a job passes from one
 * state to another, such as COMPLETING, returns the state that stands for it. */
size_t job_state_find_base(const char *word, size_t length);
/* Returns a clause about a job that waits, "waits, as slurmctld says, for the reason X"; NULL: its
 * priority alone matters. reason: slurmctld's name of it, such as "Priority" or "Dependency". */
const char *job_reason_clause(const char *reason);
/* Returns whether jobs in this state are pending, running or suspended; false for
 * JOB_STATE_UNKNOWN. */
bool job_state_has_not_ended(size_t state);
