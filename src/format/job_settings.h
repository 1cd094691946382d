/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys of slurm.conf that a job's priority depends on: one table, by which they
 * are read, set and told of. */
#ifndef FORMAT_JOB_SETTINGS_H
#define FORMAT_JOB_SETTINGS_H

#include "fathom.h"

#define JOB_MOST_TRES 64
#define JOB_TRES_NAME 64

enum job_setting {
	JOB_WEIGHT_AGE,
	JOB_WEIGHT_ASSOC,
	JOB_WEIGHT_FAIRSHARE,
	JOB_WEIGHT_JOB_SIZE,
	JOB_WEIGHT_PARTITION,
	JOB_WEIGHT_QOS,
	JOB_WEIGHT_TRES,	/* in `tres` */
	JOB_MAX_AGE,
	JOB_FAVOR_SMALL,
	JOB_FLAGS,		/* in `flags` and `policy` */
	JOB_DAMPENING_FACTOR,
	JOB_SETTING_COUNT
};

struct job_tres_weight {
	char name[JOB_TRES_NAME];
	double weight;
};

struct job_settings {
	double value[JOB_SETTING_COUNT];
	bool given[JOB_SETTING_COUNT];
	uint32_t flags;		/* FATHOM_NO_NORMAL_... and so on, FATHOM_FAVOR_SMALL too */
	const struct fathom_policy *policy;	/* by PriorityFlags */
	struct job_tres_weight tres[JOB_MOST_TRES];
	size_t tres_count;
};

struct job_settings job_settings_standard(void);
/* By slurm.conf's name or the snake_case one. -1: ENOENT unknown, EINVAL. */
int job_settings_set(struct job_settings *settings, const char *name, const char *value,
		     struct fathom_error *error);
bool job_settings_know(const char *name);
/* What --set takes, on stdout; `print` tells of one that is no text. */
void job_settings_help(void (*print)(const struct fathom_setting *setting));

#endif
