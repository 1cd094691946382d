/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The locks of slurmctld, which are real ones, and a wrapper of assoc_mgr's own locks.
 * Here the time is measured for which a pass holds them, and the calls are made that a
 * test has asked for at a release.
 */
#include "controller/host_internal.h"

#include <string.h>

/* Of one thread, which alone is counted: no lock guards them. */
static struct host_hold holds[HOST_LOCKS][HOST_LEVELS];
static double since[HOST_LOCKS][HOST_LEVELS];
static __thread bool counted;
static bool time_reads;

void host_time_reads(bool wanted)
{
	time_reads = wanted;
}

/* ---- calls at a release --------------------------------------------------------- */

static struct {
	enum host_lock lock;
	lock_level_t level;
	uint64_t n;
	void (*call)(void *argument);
	void *argument;
	bool done;
} hooks[16];
static size_t hook_count;

void host_on_release(enum host_lock lock, lock_level_t level, uint64_t n,
		     void (*call)(void *argument), void *argument)
{
	if (hook_count == sizeof(hooks) / sizeof(*hooks))
		host_die("no more than %zu calls at a release", hook_count);
	hooks[hook_count].lock = lock;
	hooks[hook_count].level = level;
	hooks[hook_count].n = n;
	hooks[hook_count].call = call;
	hooks[hook_count].argument = argument;
	hooks[hook_count++].done = false;
}

static void run_hooks(enum host_lock lock, lock_level_t level)
{
	for (size_t i = 0; i < hook_count; i++) {
		if (hooks[i].lock != lock || hooks[i].level != level || hooks[i].done ||
		    holds[lock][level].count < hooks[i].n)
			continue;
		hooks[i].done = hooks[i].n;
		counted = false;
		hooks[i].call(hooks[i].argument);
		counted = true;
	}
}

/* ---- steps ---------------------------------------------------------------------- */

static uint64_t steps;

/* Between two of slurmctld's locks: the thread that passes is about to take one
 * or has just given one back. */
static void step(void)
{
	host_thread_works();
	if (!counted)
		return;
	counted = false;
	host_rival_step(++steps);
	counted = true;
}

/* ---- holds ---------------------------------------------------------------------- */

void host_holds_begin(void)
{
	memset(holds, 0, sizeof(holds));
	steps = 0;
	counted = true;
}

void host_holds_end(struct host_pass *pass)
{
	counted = false;
	hook_count = 0;
	memcpy(pass->hold, holds, sizeof(holds));
	pass->steps = steps;
}

void host_holds_forget(void)
{
	counted = false;
}

static bool is_timed(enum host_lock lock, lock_level_t level)
{
	return lock < HOST_ASSOC || level == WRITE_LOCK || time_reads;
}

/* level: of `count` locks from `first` on */
static void note_taken(const lock_level_t *level, enum host_lock first, size_t count)
{
	double now = 0;

	for (size_t i = 0; counted && i < count; i++) {
		if (level[i] == NO_LOCK)
			continue;
		holds[first + i][level[i]].count++;
		if (!now && is_timed(first + i, level[i]))
			now = host_seconds(CLOCK_MONOTONIC);
		since[first + i][level[i]] = now;
	}
}

static void note_release(const lock_level_t *level, enum host_lock first, size_t count)
{
	double now = 0, held;

	for (size_t i = 0; counted && i < count; i++) {
		struct host_hold *hold = &holds[first + i][level[i]];

		if (level[i] == NO_LOCK || !is_timed(first + i, level[i]))
			continue;
		if (!now)
			now = host_seconds(CLOCK_MONOTONIC);
		held = now - since[first + i][level[i]];
		hold->total += held;
		hold->longest = held > hold->longest ? held : hold->longest;
	}
}

static void after_release(const lock_level_t *level, enum host_lock first, size_t count)
{
	for (size_t i = 0; counted && hook_count && i < count; i++)
		if (level[i] != NO_LOCK)
			run_hooks(first + i, level[i]);
}

/* ---- their order ---------------------------------------------------------------- */

/* As slurmctld does where it is built to find its own mistakes: a thread takes
 * all locks of a kind at once, slurmctld's before assoc_mgr's. */
static __thread bool has_controllers;
static __thread unsigned assoc_mgrs;	/* holds of its locks */

static void note_controllers(void)
{
	if (has_controllers)
		host_die("slurmctld's locks are taken inside slurmctld's");
	if (assoc_mgrs)
		host_die("slurmctld's locks are taken inside assoc_mgr's");
	has_controllers = true;
}

static void note_assoc_mgrs(const assoc_mgr_lock_t *locks)
{
	if (assoc_mgrs && !host_may_nest(locks))
		host_die("assoc_mgr's locks are taken inside assoc_mgr's");
	assoc_mgrs++;
}

/* ---- whose they are -------------------------------------------------------------- */

static __thread unsigned mine[HOST_LOCKS];	/* of this thread */

static void note_mine(const lock_level_t *level, enum host_lock first, size_t count)
{
	for (size_t i = 0; i < count; i++)
		mine[first + i] += level[i] != NO_LOCK;
}

static void give_up_mine(const lock_level_t *level, enum host_lock first, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (level[i] != NO_LOCK && !mine[first + i])
			host_die("lock %d is given back by a thread that has not taken it",
				 (int)(first + i));
		mine[first + i] -= level[i] != NO_LOCK;
	}
}

/* Those of the plugin's own: each call on one that is another's, or nobody's, is an
 * error, which slurm_mutex_lock and slurm_mutex_unlock do not outlive. */
int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
	static int (*next)(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
	pthread_mutexattr_t checked;
	int status;

	if (!next)
		next = host_next_symbol("pthread_mutex_init");
	if (attributes)
		return next(mutex, attributes);
	pthread_mutexattr_init(&checked);
	pthread_mutexattr_settype(&checked, PTHREAD_MUTEX_ERRORCHECK);
	status = next(mutex, &checked);
	pthread_mutexattr_destroy(&checked);
	return status;
}

/* ---- slurmctld's ---------------------------------------------------------------- */

#define CONTROLLER_LOCKS HOST_ASSOC

static pthread_rwlock_t controller_lock[CONTROLLER_LOCKS] = {
	PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER,
	PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER,
};
static pthread_mutex_t state_files = PTHREAD_MUTEX_INITIALIZER;

#define LEVELS_OF(locks) { (locks).conf, (locks).job, (locks).node, (locks).part, (locks).fed }

void lock_slurmctld(slurmctld_lock_t locks)
{
	const lock_level_t level[CONTROLLER_LOCKS] = LEVELS_OF(locks);

	note_controllers();
	step();
	for (size_t i = 0; i < CONTROLLER_LOCKS; i++)
		if (level[i] == READ_LOCK)
			pthread_rwlock_rdlock(&controller_lock[i]);
		else if (level[i] == WRITE_LOCK)
			pthread_rwlock_wrlock(&controller_lock[i]);
	note_mine(level, HOST_CONF, CONTROLLER_LOCKS);
	note_taken(level, HOST_CONF, CONTROLLER_LOCKS);
}

void unlock_slurmctld(slurmctld_lock_t locks)
{
	const lock_level_t level[CONTROLLER_LOCKS] = LEVELS_OF(locks);

	give_up_mine(level, HOST_CONF, CONTROLLER_LOCKS);
	note_release(level, HOST_CONF, CONTROLLER_LOCKS);
	for (size_t i = CONTROLLER_LOCKS; i-- > 0; )
		if (level[i] != NO_LOCK)
			pthread_rwlock_unlock(&controller_lock[i]);
	has_controllers = false;
	after_release(level, HOST_CONF, CONTROLLER_LOCKS);
	step();
}

void lock_state_files(void)
{
	step();
	pthread_mutex_lock(&state_files);
}

void unlock_state_files(void)
{
	pthread_mutex_unlock(&state_files);
	step();
}

bool host_state_files_are_locked(void)
{
	if (pthread_mutex_trylock(&state_files))
		return true;
	pthread_mutex_unlock(&state_files);
	return false;
}

bool host_close(void)
{
	bool is_free = true;

	priority_g_fini();
	for (size_t i = 0; i < CONTROLLER_LOCKS; i++) {
		if (pthread_rwlock_trywrlock(&controller_lock[i]))
			is_free = false;
		else
			pthread_rwlock_unlock(&controller_lock[i]);
	}
	return is_free;
}

/* ---- assoc_mgr's ---------------------------------------------------------------- */

#define ASSOC_MGR_LOCKS (HOST_LOCKS - HOST_ASSOC)
#define ASSOC_MGR_LEVELS_OF(locks) { (locks)->assoc, (locks)->qos, (locks)->tres }

static void (*next_lock)(assoc_mgr_lock_t *locks), (*next_unlock)(assoc_mgr_lock_t *locks);

static void __attribute__((constructor)) find_next(void)
{
	next_lock = host_next_symbol("assoc_mgr_lock");
	next_unlock = host_next_symbol("assoc_mgr_unlock");
}

void assoc_mgr_lock(assoc_mgr_lock_t *locks)
{
	const lock_level_t level[ASSOC_MGR_LOCKS] = ASSOC_MGR_LEVELS_OF(locks);

	note_assoc_mgrs(locks);
	step();
	next_lock(locks);
	note_mine(level, HOST_ASSOC, ASSOC_MGR_LOCKS);
	note_taken(level, HOST_ASSOC, ASSOC_MGR_LOCKS);
}

void assoc_mgr_unlock(assoc_mgr_lock_t *locks)
{
	const lock_level_t level[ASSOC_MGR_LOCKS] = ASSOC_MGR_LEVELS_OF(locks);

	give_up_mine(level, HOST_ASSOC, ASSOC_MGR_LOCKS);
	note_release(level, HOST_ASSOC, ASSOC_MGR_LOCKS);
	next_unlock(locks);
	assoc_mgrs--;
	after_release(level, HOST_ASSOC, ASSOC_MGR_LOCKS);
	step();
}
