/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fathom.conf on a file system that does not answer: no call from slurmctld waits for it, and the
 * newest file is in force in the end. The call that asks for the size of the open file comes here
 * first.
 */
#include "scenario/two_users.h"
#include "controller/host_internal.h"

#include <limits.h>
#include <pthread.h>
#include <sys/stat.h>

#define SHOWN __attribute__((visibility("default")))	/* to the plugin */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool is_slow, is_waiting;

static bool is_fathom_conf(int file)
{
	char link[64], path[PATH_MAX];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
	length = readlink(link, path, sizeof(path) - 1);
	path[length > 0 ? length : 0] = '\0';
	return strstr(path, "/fathom.conf");
}

/* The file is open already, so that who waits reads the file of that time. */
SHOWN int fstat(int file, struct stat *status)
{
	static int (*next)(int file, struct stat *status);

	if (!next)
		next = host_next_symbol("fstat");
	if (!is_fathom_conf(file))
		return next(file, status);
	pthread_mutex_lock(&lock);
	is_waiting = is_slow;
	pthread_cond_signal(&changed);
	while (is_slow)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	return next(file, status);
}

static void *reconfigure_beside(void *unused)
{
	priority_g_reconfig(false);
	return unused;
}

/* Returns while somebody waits for the file. */
static pthread_t begin_slow_reconfigure(void)
{
	pthread_t thread;

	is_slow = true;
	ck_assert(!pthread_create(&thread, NULL, reconfigure_beside, NULL));
	pthread_mutex_lock(&lock);
	while (!is_waiting)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	return thread;
}

/* Returns once the reconfigure has ended. */
static void end_slow_reconfigure(pthread_t thread)
{
	pthread_mutex_lock(&lock);
	is_slow = false;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	ck_assert(!pthread_join(thread, NULL));
}

static void answer(pthread_t thread)
{
	end_slow_reconfigure(thread);
	host_await_pass();
}

/* Replaces the file, as an editor does. */
static void replace_conf(const char *text)
{
	ck_assert(!rename(in_folder("fathom.conf"), in_folder("away")));
	write_conf(text);
	ck_assert(!remove(in_folder("away")));
}

TEST(no_call_waits_for_the_file)
{
	pthread_t thread;
	job_record_t *job;

	two_users("", "Policy=classic");
	job = run_in(anna, gpu, 4);
	write_conf("Policy=pbs");
	thread = begin_slow_reconfigure();
	ck_assert_uint_eq(host_job_set_priority(wait_in(bert, gpu)), WEIGHT);
	end_run(job);
	ck_assert_double_eq(shown(wait_in(bert, cpu)), 1);
	priority_g_reconfig(true);
	ck_assert_uint_eq(logged("policy pbs"), 0);
	answer(thread);
	ck_assert_uint_ge(logged("policy pbs"), 1);
}

TEST(newest_file_is_in_force_in_the_end)
{
	pthread_t thread;

	two_users("", "Policy=classic");
	replace_conf("Policy=pbs");
	thread = begin_slow_reconfigure();
	replace_conf("Policy=lsf");
	priority_g_reconfig(false);
	answer(thread);
	ck_assert_uint_eq(logged("policy pbs"), 1);
	ck_assert_uint_eq(logged("policy lsf"), 1);
	host_pass();
	ck_assert_uint_eq(logged("policy lsf"), 1);
}

/* ---- slurmctld ends meanwhile ----------------------------------------------------------- */

static _Atomic bool is_closed;

static void *close_beside(void *unused)
{
	ck_assert(host_close());
	is_closed = true;
	return unused;
}

TEST(fini_waits_for_a_call_that_is_under_way)
{
	const struct timespec moment = { .tv_nsec = 100000000 };
	pthread_t inside, closing;

	two_users("", "Policy=classic");
	inside = begin_slow_reconfigure();
	ck_assert(!pthread_create(&closing, NULL, close_beside, NULL));
	nanosleep(&moment, NULL);
	ck_assert(!is_closed);
	end_slow_reconfigure(inside);
	ck_assert(!pthread_join(closing, NULL));
	ck_assert(is_closed);
}
