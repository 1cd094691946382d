/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests of all kinds from several threads, while one pass follows the other and
 * while the plugin ends: for ThreadSanitizer (make check-threads).
 */
#include "scenario/churn.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Usage: hammer SECONDS AccountingStorageEnforce [fathom.conf]...; of several, each
 * is in force for a while. */

static _Atomic bool over;
static _Atomic unsigned requests;

/* The host's own books are not for two threads at once; slurmctld's job write
 * lock, which nearly all of this takes, would hardly let them either. */
static void *change(void *argument)
{
	while (!over) {
		churn(NULL, host_now());
		requests++;
	}
	return argument;
}

/* As after a reconfigure. */
static void *set_priorities(void *argument)
{
	slurmctld_lock_t locks = { .job = WRITE_LOCK, .node = READ_LOCK, .part = READ_LOCK };
	struct timespec pause = { .tv_nsec = 3000000 };

	while (!over) {
		compat_iterator iterator;
		job_record_t *job;

		lock_slurmctld(locks);
		iterator = list_iterator_create(job_list);
		while ((job = list_next(iterator)))
			if (IS_JOB_PENDING(job) && job->priority)
				job->priority = priority_g_set(NO_VAL, job);
		list_iterator_destroy(iterator);
		unlock_slurmctld(locks);
		requests++;
		nanosleep(&pause, NULL);
	}
	return argument;
}

static void *ask_for_lists(void *argument)
{
	struct timespec pause = { .tv_nsec = 1000000 };

	while (!over) {
		compat_list factors = host_factors_list(), shares = host_shares_list();

		FREE_NULL_LIST(factors);	/* none while no job waits */
		FREE_NULL_LIST(shares);
		requests++;
		nanosleep(&pause, NULL);
	}
	return argument;
}

static void write_conf(const char *text)
{
	char path[256], fresh[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/fathom.conf", host_folder());
	snprintf(fresh, sizeof(fresh), "%s/fresh.conf", host_folder());
	file = fopen(fresh, "w");
	if (!file || fprintf(file, "%s\n", text) < 0 || fclose(file) || rename(fresh, path))
		host_die("%s cannot be written", path);
}

/* `change` has them read. */
static void *write_confs(void *argument)
{
	struct timespec pause = { .tv_nsec = 20000000 };
	char **conf = argument;

	for (size_t i = 0; !over && *conf; i++) {
		write_conf(conf[i]);
		if (!conf[i + 1])
			i = (size_t)-1;
		nanosleep(&pause, NULL);
	}
	return argument;
}

/* Returns the memory in use, in MiB. */
static double memory(void)
{
	struct mallinfo2 used = mallinfo2();

	return (double)(used.uordblks + used.hblkhd) / (1 << 20);
}

int main(int argc, char **argv)
{
	static void *(*const run[])(void *) = { change, set_priorities, ask_for_lists,
						ask_for_lists, write_confs };
	enum { THREADS = sizeof(run) / sizeof(*run) };
	double until;
	unsigned passes = 0;
	pthread_t thread[THREADS];

	/* Without TZ each mktime() frees what the one before it has allocated, under a lock of the
	 * C library's own that ThreadSanitizer does not see. */
	setenv("TZ", "UTC0", 1);
	host_make_folders(true);
	host_configure("PriorityDecayHalfLife=1-0\nPriorityCalcPeriod=5\nPriorityMaxAge=7-0\n"
		       "PriorityWeightAge=1000\nPriorityWeightFairshare=100000\n"
		       "PriorityWeightQOS=2000\nPriorityWeightAssoc=500\n"
		       "PriorityWeightTRES=CPU=10\nAccountingStorageEnforce=%s\n",
		       argc > 2 ? argv[2] : "associations,limits");
	if (argc > 3)
		write_conf(argv[3]);
	churn_grow();
	host_open();
	churn_populate();
	host_short_slices(true);
	host_load(FATHOM_PLUGIN);
	for (size_t i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, run[i], argv + MIN(argc, 3)))
			host_die("a thread does not start");
	until = host_seconds(CLOCK_MONOTONIC) + (argc > 1 ? atof(argv[1]) : 1);
	do {
		host_pass();
		if (!(++passes % 1000))
			printf("%u passes: %.2f MiB in use\n", passes, memory());
	} while (host_seconds(CLOCK_MONOTONIC) < until);
	slurmctld_config.shutdown_time = host_now();
	priority_g_fini();	/* beside requests that still come */
	over = true;
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	printf("%u passes beside %u requests\n", passes, (unsigned)requests);
	if (!host_close())
		host_die("a lock is still held");
	return 0;
}
