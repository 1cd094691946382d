/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * To be preloaded into slurmctld by make bench-live: when the priority
 * plugin's thread, which is called "decay" in both plugins, works and when it
 * waits. Writes one line a pass, begin and end in nanoseconds
 * (CLOCK_MONOTONIC), into the file $BENCH_PASSES. With $BENCH_PERIOD it waits
 * no longer than so many seconds; multifactor's shortest period is a minute.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef int wait_function(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void tell(int64_t begin, int64_t end)
{
	const char *name = getenv("BENCH_PASSES");
	int file = name ? open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;

	if (file < 0)
		return;
	dprintf(file, "%lld\t%lld\n", (long long)begin, (long long)end);
	close(file);
}

static struct timespec soonest(const struct timespec *until)
{
	const char *period = getenv("BENCH_PERIOD");
	struct timespec soon;

	clock_gettime(CLOCK_REALTIME, &soon);
	soon.tv_sec += period ? atol(period) : 0;
	return period && soon.tv_sec < until->tv_sec ? soon : *until;
}

static int is_decay_thread(void)
{
	char name[16] = "";

	pthread_getname_np(pthread_self(), name, sizeof(name));
	return !strcmp(name, "decay");
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
			   const struct timespec *until)
{
	static int64_t begin;	/* there is one such thread */
	wait_function *wait = (wait_function *)dlsym(RTLD_NEXT, "pthread_cond_timedwait");
	struct timespec soon;
	int status;

	if (!is_decay_thread())
		return wait(condition, mutex, until);
	if (begin)
		tell(begin, now());
	soon = soonest(until);
	status = wait(condition, mutex, &soon);
	begin = now();
	return status;
}
