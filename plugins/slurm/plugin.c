/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The entry points that slurmctld and sshare look up in the plugin. Each one calls a function of
 * run/pass.h if the plugin is at work in slurmctld, and computes nothing itself.
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
/* `strings` shows which release of Slurm the file was built for. */
EXPORT const char fathom_built_for[];
const char fathom_built_for[] = "fathom " PACKAGE_VERSION " for Slurm " SLURM_RELEASE;

/* Slurm's own tests act as slurmctld but lack these two variables, so the plugin has them too. In
 * slurmctld the plugin uses slurmctld's. */
EXPORT int slurmctld_tres_cnt;
EXPORT uint16_t accounting_enforce;
int slurmctld_tres_cnt;
uint16_t accounting_enforce;

/* Slurm passes no context to entry points, so it is here. Other threads of slurmctld may still call
 * entry points while fini runs; fini waits until the last call has ended. The variables stay valid
 * after dlclose, as the plugin stays mapped. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t last_call_ended = PTHREAD_COND_INITIALIZER;
static struct pass *current_pass;	/* NULL in sshare, while asleep, and after fini */
static unsigned calls;			/* entry points that use current_pass now */
static bool asleep;			/* the plugin was loaded while slurmctld shut down */
static double client_dampening_factor = 1;	/* for sshare */

/* ---- begin and end --------------------------------------------------------------- */

/* Up to 22.05 a call after fini loads the plugin again while slurmctld shuts down. Then init must
 * succeed, as otherwise jobs would be held, but it must start nothing: another slurmctld may have
 * control by then. */
EXPORT int init(void)
{
	struct pass *pass;
	bool falls_asleep;

	if (!compat_in_controller()) {
		client_dampening_factor = settings_dampening_factor();
		return SLURM_SUCCESS;
	}
	falls_asleep = compat_is_shutting_down();
	pass = falls_asleep ? NULL : pass_create();
	slurm_mutex_lock(&lock);
	asleep = falls_asleep;
	current_pass = pass;
	slurm_mutex_unlock(&lock);
	if (pass && !COMPAT_THREAD_START)
		pass_first(pass);
	debug("%s loaded", plugin_name);
	return pass || falls_asleep ? SLURM_SUCCESS : SLURM_ERROR;
}

/* For a slurmctld that takes control again without another call of init. Its caller may hold locks
 * of slurmctld's, so the first priorities are computed by the thread, not here. */
static void wake_up(void)
{
	current_pass = pass_create();
	asleep = !current_pass;
	if (current_pass && pass_has_database(current_pass))
		pass_start(current_pass);
}

/* Each call needs a call of leave(). NULL: the plugin is not at work. */
static struct pass *enter(void)
{
	struct pass *pass;

	slurm_mutex_lock(&lock);
	if (asleep && !compat_is_shutting_down())
		wake_up();
	pass = current_pass;
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
		slurm_cond_signal(&last_call_ended);
	slurm_mutex_unlock(&lock);
}

EXPORT COMPAT_FINI fini(void)
{
	struct pass *last;

	slurm_mutex_lock(&lock);
	last = current_pass;
	current_pass = NULL;	/* first, so that no further call begins */
	asleep = false;
	while (calls)
		slurm_cond_wait(&last_call_ended, &lock);
	slurm_mutex_unlock(&lock);
	pass_destroy(last);
	COMPAT_FINI_RETURN;
}

/* ---- calls ------------------------------------------------------------------------ */

/* If the plugin is not at work the job keeps its priority, or gets 1 instead of 0, as 0 would hold
 * it. */
EXPORT uint32_t priority_p_set(uint32_t last_prio, job_record_t *job)
{
	struct pass *pass = enter();
	uint32_t priority = MAX(job->priority, 1);

	(void)last_prio;	/* only for priority/basic, which counts down from it */
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
/* sshare calls this too, outside slurmctld. */
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

	(void)prio_boost;	/* only for priority/basic */
	if (pass)
		pass_recover(pass);
	leave(pass);
	return 0;
}
#endif
