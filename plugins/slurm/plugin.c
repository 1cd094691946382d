/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The entry points that slurmctld and sshare look up in the plugin. Each one hands the call on to
 * the engine, if the plugin is at work in slurmctld. A call goes from enter() to leave(), so that
 * fini() can wait for calls under way.
 */
#include "base/compat.h"
#include "base/lock_order.h"
#include "base/slurm_locks.h"
#include "report/sprio_list.h"
#include "run/engine.h"
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

/* Slurm passes no context to entry points, so the context is in these variables, which `lock`
 * guards. Other threads of slurmctld may still call entry points while fini runs; fini waits until
 * the last call has ended. The variables stay valid after dlclose, as the plugin stays mapped. */
static struct ordered_lock lock = ORDERED_LOCK(LOCK_CALLS);
static pthread_cond_t last_call_ended = PTHREAD_COND_INITIALIZER;
static struct engine *current_engine;	/* NULL in sshare, while asleep, and after fini */
static unsigned calls;			/* calls between enter() and leave() that have an engine */
static bool asleep;			/* the plugin was loaded while slurmctld shut down; enter()
					 * starts it if slurmctld takes control again */
static double client_dampening_factor = 1;	/* of slurm.conf; set in sshare alone, which
						 * computes factors itself */

/* ---- begin and end --------------------------------------------------------------- */

/* Up to 22.05 a call after fini loads the plugin again while slurmctld shuts down. Then init must
 * succeed, as otherwise jobs would be held, but it must start nothing: another slurmctld may have
 * control by then. So the plugin falls asleep. */
EXPORT int init(void)
{
	struct engine *engine;
	bool falls_asleep;

	if (!compat_in_controller()) {
		client_dampening_factor = settings_dampening_factor();
		return SLURM_SUCCESS;
	}
	falls_asleep = compat_is_shutting_down();
	engine = falls_asleep ? NULL : engine_create();
	ordered_lock_take(&lock);
	asleep = falls_asleep;
	current_engine = engine;
	ordered_lock_release(&lock);
	if (engine && !SLURM_CALLS_THREAD_START)
		engine_start_in_init(engine);
	debug("%s loaded", plugin_name);
	return engine || falls_asleep ? SLURM_SUCCESS : SLURM_ERROR;
}

/* Starts a plugin that is asleep, in a slurmctld that takes control again without another call of
 * init. slurmctld may hold locks here, so priorities are left to the thread, which exists only with
 * slurmdbd. Out of memory: the next call tries again. The caller holds `lock`. */
static void wake_up(void)
{
	current_engine = engine_create();
	asleep = !current_engine;
	if (current_engine && current_engine->began_with_database)
		engine_start(current_engine);
}

/* A call of an entry point. */
struct call {
	struct engine *engine;		/* NULL: the plugin is not at work */
	struct settings *settings;	/* a reference to those in force; NULL without an engine */
};

/* Begins a call: finds the engine, which stays until leave() ends the call. Starts a plugin that is
 * asleep, and a thread that could not be started before. The caller passes the result to leave(),
 * also if it has no engine. */
static struct call enter(void)
{
	struct call call = { NULL };

	ordered_lock_take(&lock);
	if (asleep && !compat_is_shutting_down())
		wake_up();
	else if (current_engine && current_engine->start_failed)
		engine_start(current_engine);
	call.engine = current_engine;
	if (call.engine)
		calls++;
	ordered_lock_release(&lock);
	if (call.engine)
		call.settings = published_get(&call.engine->current.settings);
	return call;
}

/* Ends a call that enter() has begun. */
static void leave(const struct call *call)
{
	if (!call->engine)
		return;
	shared_release(call->settings);
	ordered_lock_take(&lock);
	if (!--calls)
		slurm_cond_signal(&last_call_ended);
	ordered_lock_release(&lock);
}

/* Ends the plugin once all calls under way have ended. Calls after it find no engine. */
EXPORT COMPAT_FINI fini(void)
{
	struct engine *last;

	ordered_lock_take(&lock);
	last = current_engine;
	current_engine = NULL;	/* first, so that no further call begins */
	asleep = false;
	while (calls)
		ordered_lock_wait(&lock, &last_call_ended, MONOTONIC_NEVER);
	ordered_lock_release(&lock);
	engine_destroy(last);
	lock_order_report();
	COMPAT_FINI_RETURN;
}

/* ---- calls ------------------------------------------------------------------------ */

/* Returns the priority of a job, 0 if fathom holds it. Notes the job in engine->provisional if its
 * priority is provisional or 0, and requests the turn of the decay thread that computes it anew.
 * Takes a job off engine->provisional that fathom does not hold any more: if it is held again, that
 * is somebody else's hold. The caller holds job write. */
static uint32_t compute_priority(struct engine *engine, const struct settings *settings,
				 job_record_t *job)
{
	struct evaluation *evaluation = published_get(&engine->results.evaluation);
	/* New settings count from the first pass that evaluates the policy by them. Without
	 * slurmdbd there are no passes, and they count at once. */
	const struct settings *evaluated = evaluation && settings->with_database
						 ? evaluation->settings : settings;
	struct places *places = published_get(&engine->results.places);
	struct priority_basis basis = priority_basis(evaluation, places, evaluated, time(NULL));
	struct job_findings findings;
	bool was_held = !job->priority, is_held, needs_pass, needs_places;
	uint32_t priority;

	book_note_requeue(engine->book, job);
	findings = job_priority_between_passes(&basis, job, &priority);
	is_held = !priority;
	needs_pass = !findings.is_known || evaluated != settings;
	/* slurmctld may remove the mark of a held job after this call, when somebody releases the
	 * job or submits it at a limit; a turn that finds places puts the mark back */
	needs_places = !findings.is_placed || is_held;
	if (needs_pass || needs_places)
		id_index_put(&engine->provisional, job->job_id, is_held);
	else if (was_held)
		id_index_remove(&engine->provisional, job->job_id);
	if (needs_pass)
		timer_request(&engine->timer, TIMER_PASS_SOON);
	else if (needs_places)
		timer_request(&engine->timer, TIMER_PLACES);
	shared_release(places);
	shared_release(evaluation);
	return priority;
}

/* Returns the job's priority. If the plugin is not at work, the job keeps the priority that it has,
 * but gets 1 instead of 0, which would hold it, and if it has none yet (NO_VAL, a great number that
 * INCR_ONLY would never take away). */
EXPORT uint32_t priority_p_set(uint32_t last_prio, job_record_t *job)
{
	struct call call = enter();
	uint32_t priority = job->priority == NO_VAL ? 1 : MAX(job->priority, 1);

	(void)last_prio;	/* only for priority/basic, which counts down from it */
	if (call.engine) {
		if (call.engine->has_site_factor)
			site_factor_g_set(job);
		priority = compute_priority(call.engine, call.settings, job);
	}
	leave(&call);
	return priority;
}

/* Called when settings may have changed. assoc_clear: slurmctld has also counted the running
 * seconds of associations and QOS anew. */
EXPORT void priority_p_reconfig(bool assoc_clear)
{
	struct call call = enter();

	if (call.engine)
		engine_reconfigure(call.engine, assoc_clear);
	leave(&call);
}

/* Writes the normalised and the effective usage of an association into its record. The caller holds
 * an assoc lock. */
EXPORT void priority_p_set_assoc_usage(slurmdb_assoc_rec_t *association)
{
	struct call call = enter();

	if (call.engine)
		fairshare_write_usage(call.engine->fairshare, association);
	leave(&call);
}

/* Charges a job that ends or is resized. The caller holds job write. */
EXPORT void priority_p_job_end(job_record_t *job)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .qos = WRITE_LOCK, .tres = READ_LOCK };
	struct call call = enter();

	if (call.engine) {
		locks_take(NULL, &locks);
		fairshare_end_job(call.engine->fairshare, call.settings, job, time(NULL));
		locks_release(NULL, &locks);
	}
	leave(&call);
}

/* Returns the list for sprio, which the caller frees; NULL: it is empty, or the plugin is not at
 * work. uid: the user who asks. */
EXPORT compat_list priority_p_get_priority_factors_list(COMPAT_LIST_PARAMETERS)
{
	struct sprio_list_filter filter = COMPAT_LIST_FILTER;
	struct call call = enter();
	compat_list list = NULL;

	if (call.engine)
		list = sprio_list_create(&call.engine->results, call.settings, &filter, uid);
	leave(&call);
	return list;
}

#if !SLURM_SENDS_FS_FACTOR
/* Returns the classic factor, 2^(-usage / shares / dampening factor). sshare calls this too,
 * outside slurmctld. */
EXPORT double priority_p_calc_fs_factor(long double usage_efctv, long double shares_norm)
{
	double dampening;
	struct call call;

	if (usage_efctv == (long double)NO_VAL || !(shares_norm > 0))
		return 0;
	call = enter();
	dampening = call.engine ? call.settings->dampening_factor : client_dampening_factor;
	leave(&call);
	return exp2(-(double)(usage_efctv / shares_norm) / dampening);
}
#endif

#if SLURM_CALLS_THREAD_START
/* Starts the decay thread. */
EXPORT void priority_p_thread_start(void)
{
	struct call call = enter();

	/* enter() of another call may start the thread, too, and does so under the lock */
	ordered_lock_take(&lock);
	if (call.engine)
		engine_start(call.engine);
	ordered_lock_release(&lock);
	leave(&call);
}
#endif

#if SLURM_CALLS_RECOVER
/* Called once slurmctld has read its jobs. */
EXPORT uint32_t priority_p_recover(uint32_t prio_boost)
{
	struct call call = enter();

	(void)prio_boost;	/* only for priority/basic */
	if (call.engine)
		engine_recover(call.engine);
	leave(&call);
	return 0;
}
#endif
