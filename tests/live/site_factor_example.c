/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A site factor plugin for the live tests, and an example: a job's factor is
 * the number in its comment, until a pass finds another in its admin comment.
 * PrioritySiteFactorParameters may say for how many milliseconds each update
 * is to take.
 */
#include "base/compat.h"

#include <stdlib.h>

const char plugin_name[] = "fathom's example of a site factor plugin";
const char plugin_type[] = "site_factor/example";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

int init(void);
COMPAT_FINI fini(void);
void site_factor_p_reconfig(void);
void site_factor_p_set(job_record_t *job);
void site_factor_p_update(void);

int init(void)
{
	return SLURM_SUCCESS;
}

COMPAT_FINI fini(void)
{
	COMPAT_FINI_RETURN;
}

/* Up to 22.05 it is asked for. */
void site_factor_p_reconfig(void)
{
}

/* Slurm keeps the factor unsigned, moved up by NICE_OFFSET. */
static void set_factor(job_record_t *job, const char *text)
{
	job->site_factor = (uint32_t)(NICE_OFFSET + strtol(text, NULL, 10));
}

/* A new job, or one that has been changed. */
void site_factor_p_set(job_record_t *job)
{
	if (job->comment)
		set_factor(job, job->comment);
}

static int renew_factor(void *item, void *context)
{
	job_record_t *job = item;

	(void)context;
	if (IS_JOB_PENDING(job) && job->admin_comment)
		set_factor(job, job->admin_comment);
	return SLURM_SUCCESS;
}

/* Once a pass; the caller holds the job table. */
void site_factor_p_update(void)
{
	const char *parameters = slurm_conf.site_factor_params;

	list_for_each(job_list, renew_factor, NULL);
	if (parameters)
		usleep((useconds_t)strtoul(parameters, NULL, 10) * 1000);
}
