/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys of slurm.conf that a job's priority depends on, for a struct job_settings of
 * jobs/jobs.h. */
#pragma once

#include "conf/conf_policy.h"
#include "jobs/jobs.h"

#include <stdio.h>

/* Returns the defaults. */
struct job_settings job_settings_standard(void);
/* Sets a key by its name in slurm.conf, or in snake_case; a known key without an effect on
 * priorities is ignored. -1: ENOENT for an unknown key, EINVAL for a wrong value. */
int job_settings_set(struct job_settings *settings, const char *name, const char *value,
		     struct fathom_error *error);
/* Sets the value of a key that an option gives. Like job_settings_set(), but EINVAL also for a TRES
 * that no cluster has, such as gpu for gres/gpu: slurmctld ignores all weights then. */
int job_settings_set_option(struct job_settings *settings, const char *name, const char *value,
			    struct fathom_error *error);
/* The TRES that every cluster has; NULL ends them. All others have a type: gres/gpu. */
extern const char *const job_tres_of_all[];
/* Returns whether job_settings_set() knows the key. */
bool job_settings_know(const char *name);
/* Returns whether the settings give the key a value. */
bool job_settings_give(const struct job_settings *settings, const char *name);
/* Returns a word that PriorityFlags knows; NULL after the last one. */
const char *job_settings_flag_at(size_t index);
/* Returns whether a word of PriorityFlags has the flag. Like slurmctld, it searches anywhere in the
 * word, but for FAIR_TREE, which slurmctld ignores: NOFAIR_TREE is a mistake. */
bool job_settings_flag_is_in(const char *flag, const char *word);
/* Writes those keys that were given, as an object of JSON that job_settings_set() can read. */
void job_settings_put(FILE *out, const struct job_settings *settings);
/* Returns what slurm.conf says, as far as the meaning of fathom.conf depends on it and job settings
 * know it: PriorityFlags and the dampening factor. */
struct conf_slurm job_settings_slurm(const struct job_settings *settings);
/* Returns the description of key number `index`, NULL after the last. */
const struct fathom_setting *job_settings_at(size_t index);
/* Prints the help of all keys on stdout: a key with a form of its own, such as a list of words,
 * itself; any other by print(). */
void job_settings_help(void (*print)(const struct fathom_setting *setting));
