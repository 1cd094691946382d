/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What memory allows: a pass has to touch certain lines of each record once,
 * and records lie here and there.
 */
#include "plugin_bench.h"

#include <stddef.h>
#include <stdlib.h>

#define LINE 64			/* bytes of a cache line */
#define LINES (4u << 20)	/* 256 MiB, much more than caches hold */
#define TURNS 5

struct line { uint32_t next, number[LINE / sizeof(uint32_t) - 1]; };

/* ---- the machine ---------------------------------------------------------------- */

static void stream(struct line *line, const uint32_t *order)
{
	volatile uint32_t result;
	uint32_t sum = 0;

	(void)order;
	for (uint32_t i = 0; i < LINES; i++)
		for (size_t j = 0; j < LINE / sizeof(uint32_t) - 1; j++)
			sum += line[i].number[j];
	result = sum;
	(void)result;
}

static void scatter(struct line *line, const uint32_t *order)
{
	for (uint32_t i = 0; i < LINES; i++)
		line[order[i]].number[0]++;
}

static void chain(struct line *line, const uint32_t *order)
{
	for (uint32_t i = 0, at = order[0]; i < LINES; i++, at = line[at].next)
		line[at].number[0]++;
}

/* One circle through all lines, in no order. */
static void link_lines(struct line *line, uint32_t *order)
{
	for (uint32_t i = 0; i < LINES; i++) {
		uint32_t other = host_random_below(i + 1);

		order[i] = order[other];
		order[other] = i;
	}
	for (uint32_t i = 0; i < LINES; i++)
		line[order[i]].next = order[(i + 1) % LINES];
}

static double fastest(void (*walk)(struct line *line, const uint32_t *order),
		      struct line *line, const uint32_t *order)
{
	double least = 1e9;

	for (unsigned i = 0; i < TURNS; i++) {
		double begin = host_seconds(CLOCK_MONOTONIC), taken;

		walk(line, order);
		taken = host_seconds(CLOCK_MONOTONIC) - begin;
		least = taken < least ? taken : least;
	}
	return least;
}

struct memory memory_measure(void)
{
	struct line *line = aligned_alloc(LINE, sizeof(*line) * LINES);
	uint32_t *order = malloc(sizeof(*order) * LINES);
	struct memory memory;

	if (!line || !order)
		host_die("out of memory");
	link_lines(line, order);
	memory.stream = (double)sizeof(*line) * LINES / fastest(stream, line, order);
	memory.scattered = fastest(scatter, line, order) / LINES;
	memory.chained = fastest(chain, line, order) / LINES;
	free(line);
	free(order);
	return memory;
}

/* ---- the records ---------------------------------------------------------------- */

struct field { size_t offset, size; };

#define FIELD(type, name) { offsetof(type, name), sizeof(((type *)0)->name) }
#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static const struct field of_job[] = {
	FIELD(job_record_t, job_state), FIELD(job_record_t, priority),
	FIELD(job_record_t, direct_set_prio), FIELD(job_record_t, assoc_ptr),
	FIELD(job_record_t, details), FIELD(job_record_t, part_ptr),
	FIELD(job_record_t, part_ptr_list), FIELD(job_record_t, qos_ptr),
	FIELD(job_record_t, prio_factors), FIELD(job_record_t, site_factor),
	FIELD(job_record_t, time_limit), FIELD(job_record_t, total_cpus),
};
static const struct field of_running_job[] = {
	FIELD(job_record_t, job_state), FIELD(job_record_t, assoc_ptr),
	FIELD(job_record_t, start_time), FIELD(job_record_t, end_time),
	FIELD(job_record_t, tres_alloc_cnt), FIELD(job_record_t, billable_tres),
	FIELD(job_record_t, qos_ptr), FIELD(job_record_t, part_ptr),
	FIELD(job_record_t, resize_time), FIELD(job_record_t, tot_sus_time),
};
typedef typeof(*((job_record_t *)0)->details) details_t;
static const struct field of_details[] = {
	FIELD(details_t, accrue_time), FIELD(details_t, begin_time), FIELD(details_t, nice),
	FIELD(details_t, min_nodes), FIELD(details_t, min_cpus), FIELD(details_t, max_cpus),
};
static const struct field of_factors[] = {
	FIELD(compat_factors, priority_age), FIELD(compat_factors, priority_assoc),
	FIELD(compat_factors, priority_fs), FIELD(compat_factors, priority_js),
	FIELD(compat_factors, priority_part), FIELD(compat_factors, priority_qos),
	FIELD(compat_factors, priority_site), FIELD(compat_factors, nice),
};
static const struct field of_association[] = {
	FIELD(slurmdb_assoc_rec_t, id), FIELD(slurmdb_assoc_rec_t, shares_raw),
	FIELD(slurmdb_assoc_rec_t, usage), FIELD(slurmdb_assoc_rec_t, leaf_usage),
};
static const struct field of_usage[] = {
	FIELD(slurmdb_assoc_usage_t, usage_raw), FIELD(slurmdb_assoc_usage_t, usage_norm),
	FIELD(slurmdb_assoc_usage_t, usage_efctv), FIELD(slurmdb_assoc_usage_t, grp_used_wall),
	FIELD(slurmdb_assoc_usage_t, usage_tres_raw), FIELD(slurmdb_assoc_usage_t, fs_factor),
};

/* Lines that these fields lie on, on average over where malloc may put a record. */
static double lines(const struct field *field, size_t count)
{
	enum { MALLOC_ALIGNMENT = 16, LINES_MOST = 64 };
	size_t total = 0;

	for (size_t start = 0; start < LINE; start += MALLOC_ALIGNMENT) {
		bool touched[LINES_MOST] = { false };

		for (size_t i = 0; i < count; i++) {
			size_t first = (start + field[i].offset) / LINE;
			size_t last = (start + field[i].offset + field[i].size - 1) / LINE;

			total += !touched[first];
			touched[first] = true;
			total += !touched[last];
			touched[last] = true;
		}
	}
	return (double)total / (LINE / MALLOC_ALIGNMENT);
}

/* Of an array that may begin anywhere on a line. */
static double lines_of_array(size_t size)
{
	return 1 + (double)(size - 1) / LINE;
}

size_t cluster_associations(const struct cluster *cluster)
{
	size_t accounts = 0, level = 1;

	for (unsigned i = 0; i < cluster->shape.levels; i++)
		accounts += level *= cluster->shape.branches;
	return 2 + accounts + level * cluster->shape.users;
}

double memory_lines(const struct cluster *cluster)
{
	enum { TRES = HOST_TRES_LICENSE + 1 };
	double of_list = 1;	/* the node of the list, which has the pointer */
	double pending = of_list + lines(of_job, COUNT(of_job)) +
			 lines(of_details, COUNT(of_details)) +
			 lines(of_factors, COUNT(of_factors));
	double running = of_list + lines(of_running_job, COUNT(of_running_job)) +
			 lines_of_array(TRES * sizeof(uint64_t));
	double association = of_list + lines(of_association, COUNT(of_association)) +
			     lines(of_usage, COUNT(of_usage)) +
			     lines_of_array(TRES * sizeof(long double));

	return pending * cluster->pending + running * cluster->running +
	       association * (double)cluster_associations(cluster);
}
