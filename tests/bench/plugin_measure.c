/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run of one plugin on one cluster, in a process of its own. */
#include "plugin_bench.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LISTS 3		/* times that each list is asked for */
#define ENDS 20		/* jobs that end after a churn */

struct reading {
	enum figure figure;
	double value;
};

/* ---- in the child --------------------------------------------------------------- */

static void tell(int to, enum figure figure, double value)
{
	struct reading reading = { figure, value };

	if (write(to, &reading, sizeof(reading)) != sizeof(reading))
		host_die("a reading is lost: %s", strerror(errno));
}

static void tell_hold(int to, enum figure longest, const struct host_hold *hold)
{
	tell(to, longest, hold->longest);
	tell(to, longest + 1, hold->total);
}

/* ---- churn ---- */

/* The next users of all; the same one is not taken twice. */
static void take_users(struct host_association **users, unsigned count)
{
	static size_t next;
	size_t all_count;
	struct host_association **all = host_associations(&all_count);

	for (unsigned taken = 0; taken < count; next++) {
		if (next == all_count)
			host_die("there are not enough users");
		if (all[next]->user)
			users[taken++] = all[next];
	}
}

/* As when a directory is read that was incomplete, and once more when it is complete. */
static void churn(unsigned count, struct host_association **users)
{
	take_users(users, count);
	host_remove_users(users, count);
	host_add_users_again(users, count);
}

static void pass_after_churn(const struct cluster *cluster)
{
	struct host_association *users[cluster->churn + 1];

	churn(cluster->churn, users);
	host_pass();
}

static void end_job(void *job)
{
	host_job_end(job);
}

/* The longest hold at the first end of a job of each user who is back. */
static void tell_job_ends(int to)
{
	const struct host_hold *hold = &host_last_pass()->hold[HOST_JOB][WRITE_LOCK];
	struct host_association *users[ENDS];
	job_record_t *job[ENDS];
	double longest = 0;

	churn(ENDS, users);
	for (unsigned i = 0; i < ENDS; i++) {
		job[i] = host_job(&(struct host_job){ .user = users[i] });
		host_job_begin(job[i], host_now());
	}
	host_advance(1);
	for (unsigned i = 0; i < ENDS; i++) {
		host_request(end_job, job[i]);
		longest = MAX(longest, hold->longest);
	}
	tell(to, END_OF_JOB, longest);
}

/* ---- passes and requests ---- */

static void tell_passes(const struct cluster *cluster, int to)
{
	const struct host_pass *pass = host_last_pass();

	for (unsigned i = 0; i < cluster->passes; i++) {
		pass_after_churn(cluster);
		tell(to, PASS_WALL, pass->wall);
		tell(to, PASS_CPU, pass->cpu);
		tell_hold(to, JOB_WRITE_LONGEST, &pass->hold[HOST_JOB][WRITE_LOCK]);
		tell_hold(to, JOB_READ_LONGEST, &pass->hold[HOST_JOB][READ_LOCK]);
		tell_hold(to, ASSOC_WRITE_LONGEST, &pass->hold[HOST_ASSOC][WRITE_LOCK]);
		tell_hold(to, QOS_WRITE_LONGEST, &pass->hold[HOST_QOS][WRITE_LOCK]);
	}
	/* the clock slows these down */
	host_time_reads(true);
	for (unsigned i = 0; i < cluster->timed_reads; i++) {
		pass_after_churn(cluster);
		tell_hold(to, ASSOC_READ_LONGEST, &pass->hold[HOST_ASSOC][READ_LOCK]);
		tell_hold(to, QOS_READ_LONGEST, &pass->hold[HOST_QOS][READ_LOCK]);
	}
	host_time_reads(false);
}

/* All jobs that wait, under one lock, as after a change of the configuration. */
static void tell_set_priority(int to)
{
	slurmctld_lock_t locks = { .job = WRITE_LOCK, .node = READ_LOCK, .part = READ_LOCK };
	compat_iterator iterator = list_iterator_create(job_list);
	job_record_t *job;
	unsigned count = 0;
	double begin;

	lock_slurmctld(locks);
	begin = host_seconds(CLOCK_MONOTONIC);
	while ((job = list_next(iterator)))
		if (IS_JOB_PENDING(job) && job->priority) {
			job->priority = priority_g_set(NO_VAL, job);
			count++;
		}
	tell(to, SET_PRIORITY, (host_seconds(CLOCK_MONOTONIC) - begin) / count);
	unlock_slurmctld(locks);
	list_iterator_destroy(iterator);
}

static void tell_list(int to, enum figure figure, compat_list (*create)(void))
{
	for (unsigned i = 0; i < LISTS; i++) {
		double begin = host_seconds(CLOCK_MONOTONIC);
		compat_list list = create();

		tell(to, figure, host_seconds(CLOCK_MONOTONIC) - begin);
		if (!list || !list_count(list))
			host_die("the list of %s is empty",
				 figure == SPRIO_LIST ? "sprio" : "sshare");
		list_destroy(list);
	}
}

/* Of this program: what getrusage tells includes the parent's. */
static double peak_memory(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[256];
	double kib = NAN;

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "VmHWM: %lf", &kib) == 1)
			break;
	if (file)
		fclose(file);
	return kib / 1024;
}

static void write_conf(const char *line)
{
	char path[256];
	FILE *file;

	if (!line)
		return;
	snprintf(path, sizeof(path), "%s/fathom.conf", host_folder());
	file = fopen(path, "w");
	if (!file || fprintf(file, "%s\n", line) < 0 || fclose(file))
		host_die("%s cannot be written", path);
}

static void configure(const struct cluster *cluster)
{
	host_configure("PriorityDecayHalfLife=7-0\nPriorityCalcPeriod=5\nPriorityMaxAge=7-0\n"
		       "PriorityWeightAge=1000\nPriorityWeightFairshare=100000\n"
		       "PriorityWeightJobSize=1000\nPriorityWeightPartition=1000\n"
		       "PriorityWeightQOS=2000\nPriorityWeightAssoc=500\n%s%s\n%s",
		       cluster->flags ? "PriorityFlags=" : "",
		       cluster->flags ? cluster->flags : "",
		       cluster->churn ? "AccountingStorageEnforce=limits\n" : "");
	write_conf(cluster->fathom_conf);
}

static void run(const struct cluster *cluster, const char *path, bool scattered, int to)
{
	configure(cluster);
	host_passed_at(host_now() - slurm_conf.priority_calc_period);
	host_grow(&cluster->shape);
	host_open();
	host_more_partitions(cluster->more_partitions);
	host_populate(cluster->pending, cluster->running, scattered);
	host_load(path);
	tell_passes(cluster, to);
	if (cluster->churn)
		tell_job_ends(to);
	tell(to, PEAK_MEMORY, peak_memory());	/* lists come and go */
	tell_set_priority(to);
	tell_list(to, SPRIO_LIST, host_factors_list);
	tell_list(to, SSHARE_LIST, host_shares_list);
	if (!host_close())
		host_die("%s: a lock is still held", path);
}

/* ---- in the parent -------------------------------------------------------------- */

static void series_add(struct series *series, double value)
{
	double *grown = realloc(series->value, (series->count + 1) * sizeof(*grown));

	if (!grown)
		host_die("out of memory");
	series->value = grown;
	series->value[series->count++] = value;
}

static void read_all(int from, struct series series[FIGURES])
{
	struct reading reading;

	while (read(from, &reading, sizeof(reading)) == sizeof(reading))
		series_add(&series[reading.figure], reading.value);
}

void measure(const struct cluster *cluster, const char *path, bool scattered,
	     struct series series[FIGURES])
{
	int ends[2], status;
	pid_t child;

	fflush(NULL);
	if (pipe(ends) || (child = fork()) < 0)
		host_die("no process: %s", strerror(errno));
	if (!child) {
		close(ends[0]);
		run(cluster, path, scattered, ends[1]);
		exit(0);
	}
	close(ends[1]);
	read_all(ends[0], series);
	close(ends[0]);
	if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
		host_die("%s: %s has crashed", cluster->name, path);
	if (WEXITSTATUS(status))
		exit(WEXITSTATUS(status));	/* it has said why */
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double median(struct series *series)
{
	size_t half = series->count / 2;

	if (!series->count)
		return NAN;
	qsort(series->value, series->count, sizeof(*series->value), ascending);
	return series->count % 2 ? series->value[half]
				 : (series->value[half - 1] + series->value[half]) / 2;
}
