/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Virtual time, and the plugin's thread. A pass ends when the thread goes to sleep for
 * half a second or more. It then sleeps until the stand-in wakes it or until its
 * condition is signalled. A thread that was signalled and takes no lock has only changed
 * its appointment: it sleeps on, however soon that is. host_request lets a request be
 * measured like a pass.
 */
#include "controller/host_internal.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/time.h>

#define SLEEP_LEAST 0.5		/* seconds; anything shorter is a pause within a pass */
#define PASS_MOST 600		/* seconds after which a pass is held to hang */

static int (*next_gettime)(clockid_t clock, struct timespec *time);
static int (*next_timedwait)(pthread_cond_t *condition, pthread_mutex_t *mutex,
			     const struct timespec *until);
static int (*next_create)(pthread_t *thread, const pthread_attr_t *attributes,
			  void *(*run)(void *argument), void *argument);

void *host_next_symbol(const char *name)
{
	void *symbol = dlsym(RTLD_NEXT, name);

	if (!symbol)
		abort();
	return symbol;
}

/* Other libraries' constructors may ask for the time before ours has run. */
static void __attribute__((constructor)) find_next(void)
{
	next_gettime = host_next_symbol("clock_gettime");
	next_timedwait = host_next_symbol("pthread_cond_timedwait");
	next_create = host_next_symbol("pthread_create");
}

/* ---- time ----------------------------------------------------------------------- */

static _Atomic time_t virtual_time = 1700000000;

time_t host_now(void)
{
	return virtual_time;
}

void host_advance(time_t seconds)
{
	virtual_time += seconds;
}

time_t time(time_t *time)
{
	if (time)
		*time = virtual_time;
	return virtual_time;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
	*time = (struct timeval){ .tv_sec = virtual_time };
	return 0;
}

int host_real_time(clockid_t clock, struct timespec *time)
{
	if (!next_gettime)
		find_next();
	return next_gettime(clock, time);
}

static __thread bool passes;		/* is this the thread that does? */
static __thread bool counted;		/* is what it does counted? */
static __thread time_t looks;		/* at the clock, that took their time */
static _Atomic bool short_slices;

void host_short_slices(bool wanted)
{
	short_slices = wanted;
}

static int monotonic_time(clockid_t clock, struct timespec *time)
{
	int status = host_real_time(clock, time);

	if (counted && short_slices)
		looks++;
	time->tv_nsec += looks % 1000 * 1000000;
	time->tv_sec += looks / 1000 + time->tv_nsec / 1000000000;
	time->tv_nsec %= 1000000000;
	return status;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
	if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)
		return monotonic_time(clock, time);
	*time = (struct timespec){ .tv_sec = virtual_time };
	return 0;
}

double host_seconds(clockid_t clock)
{
	struct timespec time;

	host_real_time(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* ---- the thread ----------------------------------------------------------------- */

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool expected, asleep, let_go;
	bool requested;		/* by another thread, which is counted instead */
	uint64_t passes, awaited;
	unsigned helpers;		/* threads that the pass has made, and that go on */
	unsigned helpers_left;		/* how many of them need not end */
	pthread_cond_t *condition;	/* on which the thread sleeps */
	pthread_mutex_t *mutex;
	struct timespec until;		/* by the monotonic clock */
	double cpu, wall;		/* at the begin of the pass */
	struct host_pass pass;
} thread = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

struct start {
	void *(*run)(void *argument);
	void *argument;
};

static void begin_pass(void)
{
	counted = true;
	host_holds_begin();
	thread.cpu = host_seconds(CLOCK_PROCESS_CPUTIME_ID);
	thread.wall = host_seconds(CLOCK_MONOTONIC);
}

static void end_pass(void)
{
	if (!counted)
		return;
	counted = false;
	thread.pass.wall = host_seconds(CLOCK_MONOTONIC) - thread.wall;
	thread.pass.cpu = host_seconds(CLOCK_PROCESS_CPUTIME_ID) - thread.cpu;
	host_holds_end(&thread.pass);
}

static void *run(void *argument)
{
	struct start start = *(struct start *)argument;

	free(argument);
	passes = true;
	begin_pass();
	return start.run(start.argument);
}

static void count_helper(bool begins)
{
	pthread_mutex_lock(&thread.lock);
	thread.helpers += begins ? 1 : -1u;
	pthread_cond_broadcast(&thread.changed);
	pthread_mutex_unlock(&thread.lock);
}

/* Of a helper. */
static void *run_beside(void *argument)
{
	struct start start = *(struct start *)argument;
	void *result;

	free(argument);
	result = start.run(start.argument);
	count_helper(false);
	return result;
}

void host_leave_helpers(unsigned count)
{
	thread.helpers_left = count;
}

void host_thread_expect(void)
{
	thread.expected = true;
}

/* It is still expected if it cannot be made. */
static int create_expected(pthread_t *new, const pthread_attr_t *attributes, struct start *start)
{
	int status;

	thread.expected = false;
	thread.mutex = NULL;
	status = next_create(new, attributes, run, start);
	if (status)
		thread.expected = true;
	return status;
}

static int create_helper(pthread_t *new, const pthread_attr_t *attributes, struct start *start)
{
	int status;

	count_helper(true);
	status = next_create(new, attributes, run_beside, start);
	if (status)
		count_helper(false);
	return status;
}

int pthread_create(pthread_t *restrict new, const pthread_attr_t *restrict attributes,
		   void *(*function)(void *), void *restrict argument)
{
	struct start *start;
	int status;

	if (!thread.expected && !passes)
		return next_create(new, attributes, function, argument);
	start = malloc(sizeof(*start));
	if (!start)
		return EAGAIN;
	*start = (struct start){ function, argument };
	status = thread.expected ? create_expected(new, attributes, start)
				 : create_helper(new, attributes, start);
	if (status)
		free(start);
	return status;
}

static __thread bool signalled, works;	/* since it slept: woken by others; has taken a lock */

void host_thread_works(void)
{
	works = true;
}

/* The caller holds `mutex`. */
static int sleep_until_woken(pthread_cond_t *condition, pthread_mutex_t *mutex,
			     const struct timespec *until)
{
	bool let_go;

	pthread_mutex_lock(&thread.lock);
	if (signalled && !works) {
		counted = false;
		host_holds_forget();
	} else {
		end_pass();
		thread.passes++;
	}
	thread.condition = condition;
	thread.mutex = mutex;
	thread.until = *until;
	thread.let_go = false;
	thread.asleep = true;
	pthread_cond_broadcast(&thread.changed);
	pthread_mutex_unlock(&thread.lock);
	pthread_cond_wait(condition, mutex);
	pthread_mutex_lock(&thread.lock);
	let_go = thread.let_go;
	signalled = !let_go;
	works = false;
	thread.asleep = false;
	if (!thread.requested)
		begin_pass();
	pthread_mutex_unlock(&thread.lock);
	return let_go ? ETIMEDOUT : 0;
}

/* By the clock that `until` must be of: none has run for thirty years but one. */
static bool is_far(const struct timespec *until)
{
	clockid_t clock = until->tv_sec > 1000000000 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)(until->tv_sec - now.tv_sec) +
		       (double)(until->tv_nsec - now.tv_nsec) * 1e-9 >= SLEEP_LEAST;
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
			   const struct timespec *restrict until)
{
	if (!passes)
		return next_timedwait(condition, mutex, until);
	if (is_far(until) || (signalled && !works))
		return sleep_until_woken(condition, mutex, until);
	return ETIMEDOUT;
}

/* ---- the host's side ------------------------------------------------------------ */

static bool is_asleep(void)
{
	return thread.asleep;
}

static bool helpers_have_ended(void)
{
	return thread.helpers <= thread.helpers_left;
}

static bool has_passed(void)
{
	return thread.asleep && thread.passes > thread.awaited && helpers_have_ended();
}

/* Waits with the lock until something holds of the thread. */
static void await(bool (*holds)(void))
{
	struct timespec until;
	int status = 0;

	/* the real time, as the C library sees it */
	host_real_time(CLOCK_REALTIME, &until);
	until.tv_sec += PASS_MOST;
	while (!holds() && !status)
		status = next_timedwait(&thread.changed, &thread.lock, &until);
	if (status)
		host_die("a pass has not ended after %d s", PASS_MOST);
}

void host_await_pass(void)
{
	if (thread.expected)	/* the plugin has not been able to make it */
		return;
	pthread_mutex_lock(&thread.lock);
	await(has_passed);
	thread.awaited = thread.passes;
	pthread_mutex_unlock(&thread.lock);
}

/* Whoever has the plugin's mutex knows that the thread is waiting already. */
void host_wake(void)
{
	pthread_mutex_t *mutex;

	if (thread.expected)
		return;
	pthread_mutex_lock(&thread.lock);
	mutex = thread.mutex;
	pthread_mutex_unlock(&thread.lock);
	if (!mutex)	/* the thread has been made late, by a call */
		host_await_pass();
	pthread_mutex_lock(&thread.lock);
	await(helpers_have_ended);	/* of a pass that nobody has awaited */
	mutex = thread.mutex;
	pthread_mutex_unlock(&thread.lock);
	pthread_mutex_lock(mutex);
	pthread_mutex_lock(&thread.lock);
	thread.let_go = true;
	pthread_mutex_unlock(&thread.lock);
	pthread_cond_broadcast(thread.condition);
	pthread_mutex_unlock(mutex);
	host_await_pass();
	host_rival_end();
}

double host_next_pass(void)
{
	double until;

	pthread_mutex_lock(&thread.lock);
	until = (double)thread.until.tv_sec + (double)thread.until.tv_nsec * 1e-9;
	pthread_mutex_unlock(&thread.lock);
	return until - host_seconds(CLOCK_MONOTONIC);
}

void host_pass(void)
{
	host_advance(slurm_conf.priority_calc_period);
	host_wake();
}

static void set_requested(bool requested)
{
	pthread_mutex_lock(&thread.lock);
	if (requested)	/* an earlier one may have asked for a turn of the thread */
		await(is_asleep);
	thread.requested = requested;
	pthread_mutex_unlock(&thread.lock);
}

void host_request(void (*call)(void *argument), void *argument)
{
	set_requested(true);
	begin_pass();
	call(argument);
	end_pass();
	host_rival_end();
	set_requested(false);
}

const struct host_pass *host_last_pass(void)
{
	return &thread.pass;
}
