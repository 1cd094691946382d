/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random clusters; the same seed makes the same cluster. */
#include "controller/host_internal.h"

#include <math.h>
#include <stdlib.h>

#define DAY (24 * 60 * 60)

/* ---- numbers -------------------------------------------------------------------- */

static uint64_t state;

void host_random_seed(uint64_t seed)
{
	state = seed;
}

/* splitmix64 */
uint64_t host_random(void)
{
	uint64_t value = state += 0x9e3779b97f4a7c15;

	value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
	value = (value ^ value >> 27) * 0x94d049bb133111eb;
	return value ^ value >> 31;
}

uint32_t host_random_below(uint32_t limit)
{
	return (uint32_t)((host_random() >> 32) * limit >> 32);
}

double host_random_real(void)
{
	return (double)(host_random() >> 11) * 0x1p-53;
}

static bool happens(double percent)
{
	return host_random_real() * 100 < percent;
}

/* ---- associations --------------------------------------------------------------- */

static unsigned named;

static const char *name(const char *kind)
{
	static char text[32];

	snprintf(text, sizeof(text), "%s%u", kind, ++named);
	return text;
}

static void grow_users(struct host_association *account, unsigned count)
{
	while (count--) {
		struct host_association *user =
			host_user(account, name("user"), 1 + host_random_below(100));

		/* one in five idle, the others over nine orders of magnitude */
		if (!happens(20))
			user->usage = exp(20 * host_random_real());
	}
}

static void grow(struct host_association *parent, const struct host_shape *shape, unsigned level)
{
	for (unsigned i = 0; i < shape->branches; i++) {
		struct host_association *account =
			host_account(parent, name("account"), 1 + host_random_below(100));

		if (level + 1 < shape->levels)
			grow(account, shape, level + 1);
		else
			grow_users(account, shape->users);
	}
}

void host_grow(const struct host_shape *shape)
{
	host_qos("high", 100, 2, 0);
	host_qos("low", 0, 0.5, 0);
	host_user(host_root(), "root", 1);
	grow(host_root(), shape, 0);
}

static struct host_association *random_user(void)
{
	size_t count;
	struct host_association **all = host_associations(&count), *one;

	do
		one = all[host_random_below((uint32_t)count)];
	while (!one->user || !one->record);
	return one;
}

/* ---- jobs ----------------------------------------------------------------------- */

#define PARTITIONS_MOST 1000

static part_record_t *partitions[PARTITIONS_MOST];
static uint32_t partition_count, more_partitions;

void host_more_partitions(uint32_t count)
{
	more_partitions = count;
}

static void make_partitions(void)
{
	partition_count = 0;
	partitions[partition_count++] = host_find_partition("batch");
	partitions[partition_count++] =
		host_partition("gpu", 10, "CPU=1.0,Mem=0.25G,GRES/gpu=2.5");
	partitions[partition_count++] = host_partition("long", 0, NULL);
	partitions[partition_count++] = host_partition("debug", 5000, NULL);
	for (uint32_t i = 0; i < more_partitions && partition_count < PARTITIONS_MOST; i++)
		partitions[partition_count++] = host_partition(name("partition"), 10, NULL);
}

/* Some wait for several partitions. */
static void choose_partitions(struct host_job *wanted, bool running)
{
	uint32_t first = host_random_below(partition_count);
	size_t count = 0;

	wanted->partition[count++] = partitions[first];
	for (uint32_t i = 0; !running && happens(12) && i < HOST_JOB_PARTITIONS; i++)
		if (i != first && count < HOST_JOB_PARTITIONS)
			wanted->partition[count++] = partitions[i];
}

static void make_job(bool running)
{
	static const char *const qos[] = { "normal", "normal", "normal", "high", "low" };
	struct host_job wanted = {
		.user = random_user(),
		.qos = qos[host_random_below(sizeof(qos) / sizeof(*qos))],
		.nodes = happens(20) ? 1 + host_random_below(64) : 1,
		.gpus = happens(15) ? 1 + host_random_below(8) : 0,
		.memory = 1024 * (1 + host_random_below(64)),
		.minutes = 1 + host_random_below(2880),
		.age = host_random_below(30 * DAY),
		.nice = happens(15) ? (int)host_random_below(2001) - 1000 : 0,
	};
	job_record_t *job;

	wanted.cpus = wanted.nodes * (1 + host_random_below(64));
	choose_partitions(&wanted, running);
	job = host_job(&wanted);
	if (running)
		host_job_begin(job, host_now() - host_random_below(60 * wanted.minutes));
	else if (happens(3))
		job->priority = 0;	/* held */
}

/* Neighbours in the list are none in memory, as in a daemon that has been up for long. */
static void shuffle_jobs(void)
{
	size_t count = (size_t)list_count(job_list);
	job_record_t **jobs = xcalloc(count, sizeof(*jobs));

	for (size_t i = 0; i < count; i++) {
		size_t other = host_random_below((uint32_t)i + 1);

		jobs[i] = jobs[other];
		jobs[other] = list_pop(job_list);
	}
	for (size_t i = 0; i < count; i++)
		list_append(job_list, jobs[i]);
	xfree(jobs);
}

/* A list made at once has its nodes side by side. */
static void copy_job_list(void)
{
	compat_list copy = list_create(NULL);
	compat_iterator iterator = list_iterator_create(job_list);
	job_record_t *job;

	while ((job = list_next(iterator)))
		list_append(copy, job);
	list_iterator_destroy(iterator);
	list_destroy(job_list);
	job_list = copy;
}

void host_populate(size_t pending, size_t running, bool scattered)
{
	make_partitions();
	for (size_t left = pending + running; left; left--) {
		bool runs = host_random_below((uint32_t)left) < running;

		make_job(runs);
		running -= runs;
	}
	shuffle_jobs();
	if (!scattered)
		copy_job_list();
}
