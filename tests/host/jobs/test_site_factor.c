/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The site factor plugin: it starts and ends with the plugin, is asked for each new job
 * and in each pass, and is left alone if it does not start. This program has its
 * functions, under the names of all releases.
 */
#include "scenario/two_users.h"

#include "controller/host_release.h"

#define SHOWN __attribute__((visibility("default")))	/* to the plugin */
#define SITE 500

int site_factor_g_init(void);
int site_factor_g_fini(void);

static int status = SLURM_SUCCESS;
static unsigned starts, ends, reconfigures, sets, updates;

SHOWN int site_factor_g_init(void)
{
	starts++;
	return status;
}

SHOWN int site_factor_plugin_init(void)
{
	return site_factor_g_init();
}

SHOWN int site_factor_g_fini(void)
{
	ends++;
	return SLURM_SUCCESS;
}

SHOWN int site_factor_plugin_fini(void)
{
	return site_factor_g_fini();
}

SHOWN void site_factor_g_reconfig(void)
{
	reconfigures++;
}

SHOWN void site_factor_g_set(job_record_t *job)
{
	sets++;
	job->site_factor = NICE_OFFSET + SITE;
}

SHOWN void site_factor_g_update(void)
{
	updates++;
}

TEST(site_is_asked_for_each_job_and_in_each_pass)
{
	job_record_t *job;
	unsigned before;

	two_users("", "");
	ck_assert_uint_eq(starts, 1);
	job = wait_in(anna, gpu);
	ck_assert_uint_eq(sets, 1);
	ck_assert_uint_eq(job->priority, WEIGHT + SITE);
	before = updates;
	host_pass();
	ck_assert_uint_eq(updates, before + 1);
	ck_assert_uint_eq(job->priority, WEIGHT + SITE);
	reread();
	ck_assert_uint_eq(reconfigures, HOST_SITE_RECONFIGURES);
	ck_assert_uint_eq(ends, 0);
	ck_assert(host_close());
	ck_assert_uint_eq(ends, 1);
	ck_assert_uint_eq(logged("site factor"), 0);
}

TEST(site_that_does_not_start_is_told_of_and_left_alone)
{
	job_record_t *job;

	status = SLURM_ERROR;
	two_users("", "");
	ck_assert_uint_eq(logged("cannot start the site factor plugin"), 1);
	job = wait_in(anna, gpu);
	host_pass();
	ck_assert_uint_eq(job->priority, WEIGHT);
	ck_assert_uint_eq(sets + updates, 0);
}
