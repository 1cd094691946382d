/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What slurmctld and sshare look up in the plugin. Each entry point calls one
 * function while there is a controller, and knows nothing itself.
 */
#include "base/compat.h"
#include "base/log.h"
#include "report/sprio_list.h"
#include "run/pass.h"
#include "settings/settings.h"

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

/* Slurm's own tests act as slurmctld but lack these variables, and find them here. In slurmctld
 * its own take their place. */
EXPORT int slurmctld_tres_cnt;
EXPORT uint16_t accounting_enforce;
int slurmctld_tres_cnt;
uint16_t accounting_enforce;

/* Slurm's entry points carry no context. The controller is NULL in sshare, while
 * asleep, and after fini. Each entry point is counted while it uses the controller,
 * since other threads of slurmctld may still call while fini runs. All of this
 * outlives dlclose: the plugin stays mapped. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t unused = PTHREAD_COND_INITIALIZER;
static struct pass *controller;
static unsigned calls;	/* entry points that use it now */
static bool asleep;	/* loaded while slurmctld shuts down */
static double client_dampening_factor = 1;

/* ---- begin and end --------------------------------------------------------------- */

/* Up to 22.05 a call after fini loads the plugin again. Then init must not fail, or
 * jobs would be held, and must start nothing, as another slurmctld may have control. */
EXPORT int init(void)
{
	struct pass *pass;
	bool stays_asleep;

	if (!compat_in_controller()) {
		client_dampening_factor = settings_dampening_factor();
		return SLURM_SUCCESS;
	}
	stays_asleep = compat_is_shutting_down();
	pass = stays_asleep ? NULL : pass_create();
	slurm_mutex_lock(&lock);
	asleep = stays_asleep;
	controller = pass;
	slurm_mutex_unlock(&lock);
	if (pass && !COMPAT_THREAD_START)
		pass_first(pass);
	debug("%s loaded", plugin_name);
	return pass || stays_asleep ? SLURM_SUCCESS : SLURM_ERROR;
}

/* slurmctld has taken control again without another call of init. The caller may hold
 * locks of slurmctld's, so the thread computes priorities, not this call. */
static void wake_up(void)
{
	controller = pass_create();
	asleep = !controller;
	if (controller && pass_has_database(controller))
		pass_start(controller);
}

/* NULL: there is no controller. Either way leave() must follow. */
static struct pass *enter(void)
{
	struct pass *pass;

	slurm_mutex_lock(&lock);
	if (asleep && !compat_is_shutting_down())
		wake_up();
	pass = controller;
	if (pass)
		calls++;
	slurm_mutex_unlock(&lock);
	return pass;
}

static void leave(const struct pass *pass)
{
	if (!pass)
		return;
	slurm_mutex_lock(&lock);
	if (!--calls)
		slurm_cond_signal(&unused);
	slurm_mutex_unlock(&lock);
}

EXPORT COMPAT_FINI fini(void)
{
	struct pass *last;

	slurm_mutex_lock(&lock);
	last = controller;
	controller = NULL;	/* first, so that later calls find none */
	asleep = false;
	while (calls)
		slurm_cond_wait(&unused, &lock);
	slurm_mutex_unlock(&lock);
	pass_destroy(last);
	COMPAT_FINI_RETURN;
}

/* ---- calls ------------------------------------------------------------------------ */

/* Without a controller the job keeps its priority, but gets 1 for 0, which would hold it. */
EXPORT uint32_t priority_p_set(uint32_t last_prio, job_record_t *job)
{
	struct pass *pass = enter();
	uint32_t priority = MAX(job->priority, 1);

	(void)last_prio;	/* priority/basic counts down from it */
	if (pass) {
		pass_set_site_factor(pass, job);
		priority = pass_job_priority(pass, job);
	}
	leave(pass);
	return priority;
}

EXPORT void priority_p_reconfig(bool assoc_clear)
{
	struct pass *pass = enter();

	if (pass)
		pass_reconfigure(pass, assoc_clear);
	leave(pass);
}

EXPORT void priority_p_set_assoc_usage(slurmdb_assoc_rec_t *association)
{
	struct pass *pass = enter();

	if (pass)
		pass_write_usage(pass, association);
	leave(pass);
}

EXPORT void priority_p_job_end(job_record_t *job)
{
	struct pass *pass = enter();

	if (pass)
		pass_job_end(pass, job);
	leave(pass);
}

EXPORT compat_list priority_p_get_priority_factors_list(COMPAT_LIST_PARAMETERS)
{
	struct sprio_list_filter filter = COMPAT_LIST_FILTER;
	struct pass *pass = enter();
	compat_list list = NULL;

	if (pass)
		list = pass_sprio_list(pass, &filter, uid);
	leave(pass);
	return list;
}

#if COMPAT_CALC_FS_FACTOR
/* sshare calls this too; there is no controller there. */
EXPORT double priority_p_calc_fs_factor(long double usage_efctv, long double shares_norm)
{
	double dampening = client_dampening_factor;
	struct pass *pass;

	if (usage_efctv == (long double)NO_VAL || !(shares_norm > 0))
		return 0;
	pass = enter();
	if (pass)
		dampening = pass_dampening_factor(pass);
	leave(pass);
	return exp2(-(double)(usage_efctv / shares_norm) / dampening);
}
#endif

#if COMPAT_THREAD_START
EXPORT void priority_p_thread_start(void)
{
	struct pass *pass = enter();

	if (pass)
		pass_start(pass);
	leave(pass);
}
#endif

#if COMPAT_RECOVER
EXPORT uint32_t priority_p_recover(uint32_t prio_boost)
{
	struct pass *pass = enter();

	(void)prio_boost;	/* priority/basic's */
	if (pass)
		pass_recover(pass);
	leave(pass);
	return 0;
}
#endif
