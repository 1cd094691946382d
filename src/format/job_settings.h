/* SPDX-License-Identifier: GPL-2.0-or-later */
/* struct job_settings from keys of slurm.conf: one table, by which they are read, set
 * and told of. */
#ifndef FORMAT_JOB_SETTINGS_H
#define FORMAT_JOB_SETTINGS_H

#include "evaluate/jobs.h"

struct job_settings job_settings_standard(void);
/* By slurm.conf's name or the snake_case one. -1: ENOENT unknown, EINVAL. */
int job_settings_set(struct job_settings *settings, const char *name, const char *value,
		     struct fathom_error *error);
bool job_settings_know(const char *name);
/* What --set takes, on stdout; `print` tells of one that is no text. */
void job_settings_help(void (*print)(const struct fathom_setting *setting));

#endif
