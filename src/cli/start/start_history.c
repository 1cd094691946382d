/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/start/start_history.h"

#include "cli/complain.h"
#include "format/trace/trace.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define ENOUGH 10	/* jobs of a user */
#define ALL 0		/* as a user: everybody */

/* Parts of limits that jobs of a user have used, in ascending order. */
struct parts {
	double *at;
	size_t count, room;
};

struct start_history {
	struct numbered_names *users;
	struct parts *of;	/* by user, from 1; that of number 0 has all jobs */
	size_t *user_of;	/* by association of the trace */
};

static void add_part(struct parts *parts, double part)
{
	parts->at = need_room(parts->at, &parts->room, parts->count + 1, sizeof(*parts->at));
	parts->at[parts->count++] = part;
}

static void take(const struct trace_job *job, void *context)
{
	struct start_history *history = context;
	double part = job->run / job->requested;

	if (!(job->requested > 0) || !(part >= 0))
		return;
	add_part(&history->of[ALL], fmin(part, 1));
	add_part(&history->of[history->user_of[job->association]], fmin(part, 1));
}

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

static void number_users(struct start_history *history, const struct accounted_usage *all)
{
	history->users = need_names();
	history->user_of = need_zeros(all->count, sizeof(*history->user_of));
	for (size_t i = 0; i < all->count; i++) {
		const struct accounted_association *pair = &all->association[i];
		const struct piece user = { pair->key + pair->account_length + 1,
					    pair->user_length };

		history->user_of[i] = 1 + need_name(history->users, need_copy(user));
	}
	history->of = need_zeros(history->users->count + 1, sizeof(*history->of));
}

struct start_history *start_history_read(const char *name)
{
	struct start_history *history = need_object(sizeof(*history));
	const struct trace_source source = { .name = name, .cpus = UINT32_MAX };
	struct trace trace;

	trace_open(&trace, &source);
	number_users(history, &trace.associations);
	trace_read(&trace, take, history);
	if (!history->of[ALL].count)
		refuse("--history: %s: no job tells its time limit and its run time", name);
	for (size_t i = 0; i <= history->users->count; i++)
		qsort(history->of[i].at, history->of[i].count, sizeof(double), compare);
	return history;
}

/* Returns how many parts are `least` or below. */
static size_t count_up_to(const struct parts *parts, double least)
{
	size_t low = 0, high = parts->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (parts->at[middle] <= least)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns a number that looks random: the finalizer of SplitMix64. */
static uint64_t scatter(uint64_t number)
{
	number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
	return number ^ number >> 31;
}

double start_history_part(const struct start_history *history, const char *user, double least,
			  size_t job, size_t draw)
{
	size_t number = numbered_names_find(history->users, user), first;
	const struct parts *parts = &history->of[ALL];

	if (number != NAME_INDEX_NONE && history->of[number + 1].count >= ENOUGH)
		parts = &history->of[number + 1];
	first = count_up_to(parts, least);
	if (first == parts->count)
		return 1;
	return parts->at[first + scatter((uint64_t)job << 8 | draw) % (parts->count - first)];
}
