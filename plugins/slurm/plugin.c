/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What slurmctld and sshare look up in the plugin. Each entry point calls one
 * function and knows nothing itself.
 */
#include "compat.h"
#include "job_priority.h"
#include "listing.h"
#include "log.h"
#include "pass.h"

#include "config.h"

#include <math.h>

#define EXPORT extern __attribute__((visibility("default")))

EXPORT const char plugin_name[];
EXPORT const char plugin_type[];
EXPORT const uint32_t plugin_version;

const char plugin_name[] = "fathom, fair-share priority of every scheduler";
const char plugin_type[] = "priority/fathom";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;
/* for `strings`: which release of Slurm this file is for */
EXPORT const char fathom_built_for[];
const char fathom_built_for[] = "fathom " PACKAGE_VERSION " for Slurm " SLURM_RELEASE;

/* Programs that act as slurmctld without having these, as Slurm's own tests do,
 * find them here; slurmctld's take their place. */
EXPORT int slurmctld_tres_cnt;
EXPORT uint16_t accounting_enforce;
int slurmctld_tres_cnt;
uint16_t accounting_enforce;

/* The one variable: Slurm's entry points carry no context. NULL in sshare, and
 * after fini, when a late request may still come in. */
static struct pass *controller;
static double client_dampening_factor = 1;

EXPORT int init(void)
{
	if (!compat_in_controller()) {
		client_dampening_factor = settings_dampening_factor();
		return SLURM_SUCCESS;
	}
	controller = pass_create();
	if (!controller)
		return SLURM_ERROR;
	if (controller->settings->with_database && assoc_mgr_root_assoc)
		assoc_mgr_root_assoc->usage->usage_efctv = 1;
	controller->asks_site = compat_site_factor_init() == SLURM_SUCCESS;
	if (!controller->asks_site)	/* since 23.02 Slurm would call what is not there */
		error(LOG_PREFIX "the site factor plugin does not start");
	if (!COMPAT_THREAD_START)
		pass_first(controller);
	debug("%s loaded", plugin_name);
	return SLURM_SUCCESS;
}

EXPORT COMPAT_FINI fini(void)
{
	struct pass *last = controller;

	controller = NULL;	/* first, for requests that still come in */
	if (last) {
		pass_destroy(last);
		compat_site_factor_fini();
	}
	COMPAT_FINI_RETURN;
}

EXPORT uint32_t priority_p_set(uint32_t last_prio, job_record_t *job)
{
	(void)last_prio;	/* priority/basic counts down from it */
	if (!controller)
		return job->priority;
	if (controller->asks_site)
		site_factor_g_set(job);
	return pass_job_priority(controller, job);
}

EXPORT void priority_p_reconfig(bool assoc_clear)
{
	if (controller)
		pass_reconfigure(controller, assoc_clear);
	compat_site_factor_reconfig();
}

EXPORT void priority_p_set_assoc_usage(slurmdb_assoc_rec_t *association)
{
	if (controller)
		fairshare_write_usage(controller->fairshare, association);
}

EXPORT void priority_p_job_end(job_record_t *job)
{
	if (controller)
		pass_job_end(controller, job);
}

EXPORT compat_list priority_p_get_priority_factors_list(COMPAT_LIST_PARAMETERS)
{
	struct listing_filter filter = COMPAT_LIST_FILTER;
	struct settings *settings;
	compat_list list;

	if (!controller)
		return NULL;
	settings = pass_settings(controller);
	list = listing_create(controller->fairshare, &controller->standings, settings, &filter,
			      uid);
	settings_release(settings);
	return list;
}

#if COMPAT_CALC_FS_FACTOR
/* In sshare too, where there is no controller. */
EXPORT double priority_p_calc_fs_factor(long double usage_efctv, long double shares_norm)
{
	double dampening = client_dampening_factor;
	struct settings *settings;

	if (usage_efctv == (long double)NO_VAL || !(shares_norm > 0))
		return 0;
	if (controller) {
		settings = pass_settings(controller);
		dampening = settings->dampening_factor;
		settings_release(settings);
	}
	return exp2(-(double)(usage_efctv / shares_norm) / dampening);
}
#endif

#if COMPAT_THREAD_START
EXPORT void priority_p_thread_start(void)
{
	if (controller)
		pass_start(controller);
}
#endif

#if COMPAT_RECOVER
EXPORT uint32_t priority_p_recover(uint32_t prio_boost)
{
	(void)prio_boost;	/* priority/basic's */
	if (controller)
		pass_recover(controller);
	return 0;
}
#endif
