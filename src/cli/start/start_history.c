/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws run times from jobs of the past. A job is most like those of the same user with the same
 * limit, and more like the user's other jobs than like those of others. If ada's jobs with a limit
 * of 3600 s used 0.2, 0.5 and 0.9 of it, and one has used 0.3 so far, the draw is 0.5 or 0.9.
 */
#include "cli/start/start.h"
#include "memory/need_names.h"

#include <stdlib.h>

#define ENOUGH 5	/* jobs of a key, from which on draws go by it */
#define RECENT 10	/* only the last jobs of a key count, as users change what they do */
#define MOST_NAME 512	/* bytes of a user's name; a longer one is cut */
#define KEY_SIZE 1024	/* bytes of a key, with the NUL */

/* Parts of their limits that jobs have used, 0 to 1. As read they are in the trace's order, then
 * sorted. */
struct limit_parts {
	double *at;
	size_t count;
};

struct start_history {
	struct limit_parts all;		/* of all jobs */
	struct numbered_names *keys;	/* "ada", and "ada\n3600" for jobs with that limit */
	struct limit_parts *of;		/* by the key's number */
	size_t count;			/* of keys */
	const struct accounted_association *association;	/* of the trace, while it is read */
};

/* Appends a part to those of a key, which is added if it is new. */
static void add_part(struct start_history *history, const char *key, double part)
{
	size_t number = need_name(history->keys, key);

	if (number == history->count)
		need_append(&history->of, &history->count, sizeof(*history->of));
	NEED_ADD(history->of[number].at, history->of[number].count, part);
}

/* Writes the key of a user's jobs with a limit, in seconds; key: of KEY_SIZE bytes. */
static void write_key(char *key, const char *user, double limit)
{
	snprintf(key, KEY_SIZE, "%.*s\n%.0f", MOST_NAME, user, limit);
}

/* Adds a job of the trace to all, to its user, and to its user with its limit. Skips a job without
 * limit or run time. For trace_read(). */
static void add_job(const struct trace_job *job, void *context)
{
	struct start_history *history = context;
	const struct accounted_association *of = &history->association[job->association];
	double part = fmin(job->run / job->requested, 1);
	char user[MOST_NAME], key[KEY_SIZE];

	if (!(job->requested > 0) || !(part >= 0))
		return;
	NEED_ADD(history->all.at, history->all.count, part);
	snprintf(user, sizeof(user), "%.*s", (int)of->user.length, of->user.at);
	add_part(history, user, part);
	write_key(key, user, job->requested);
	add_part(history, key, part);
}

int compare_doubles(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

/* Keeps the last parts, `most` at most, and sorts them. */
static void sort_parts(struct limit_parts *parts, size_t most)
{
	if (parts->count > most) {
		parts->at += parts->count - most;
		parts->count = most;
	}
	qsort(parts->at, parts->count, sizeof(*parts->at), compare_doubles);
}

struct start_history *start_history_read(const char *name)
{
	struct start_history *history = need_object(sizeof(*history));
	/* no job must be left out as too big for a machine */
	const struct trace_source source = { .name = name, .cpus = UINT32_MAX };
	struct trace trace;

	trace_open(&trace, &source);
	history->keys = need_names();
	history->association = trace.associations.association;
	trace_read(&trace, add_job, history);
	if (!history->all.count)
		refuse("--history: %s: no job tells its time limit and its run time", name);
	sort_parts(&history->all, SIZE_MAX);
	for (size_t i = 0; i < history->keys->count; i++)
		sort_parts(&history->of[i], RECENT);
	return history;
}

/* Returns how many parts are `least` or less: the index of the first greater one. */
static size_t count_up_to(const struct limit_parts *parts, double least)
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

/* Returns the parts to draw from: those of the same user and limit if there are ENOUGH, else of the
 * user, else of all jobs. */
static const struct limit_parts *find_parts(const struct start_history *history, const char *user,
					    double limit)
{
	char with_limit[KEY_SIZE];
	const char *const keys[] = { with_limit, user };

	write_key(with_limit, user, limit);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		size_t number = numbered_names_find(history->keys, keys[i]);

		if (number != NAME_INDEX_NONE && history->of[number].count >= ENOUGH)
			return &history->of[number];
	}
	return &history->all;
}

double start_history_part(const struct start_history *history, const char *user, double limit,
			  double least, size_t job, size_t draw)
{
	const struct limit_parts *parts = find_parts(history, user, limit);
	size_t first = count_up_to(parts, least);

	if (first == parts->count)
		return 1;
	return parts->at[first + scatter((uint64_t)job << 8 | draw) % (parts->count - first)];
}
