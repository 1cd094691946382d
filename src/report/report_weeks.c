/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the policies whose figures are the best by more than chance, by a bootstrap: draws weeks at
 * random, with replacement, and counts how often each policy is the best in the drawn weeks. Whole
 * weeks are drawn, because jobs of the same week depend on each other. All policies are compared in
 * the same weeks:
 *
 *	week			0	1	2	drawn 0, 0, 2
 *	wait / jobs of a	60/2	10/1	30/3	mean (60 + 60 + 30) / (2 + 2 + 3) = 21.4
 *	wait / jobs of b	50/2	40/1	60/3	mean (50 + 50 + 60) / 7 = 22.9: a wins
 */
#include "report/report_private.h"

#define LEAST_WEEKS 4		/* with fewer, nothing is said */
#define DRAWS 1000
#define LEAST_WINS 950

/* A figure that is a sum over weeks divided by a count over weeks. */
struct mean_figure {
	const char *key;		/* of the figure, in a policy */
	const char *sum, *count;	/* keys of lists by week, in "weeks" of a policy */
	bool is_greatest;		/* the greatest is the best; false: the least */
};

static const struct mean_figure figures[] = {
	{ "mean_wait", "wait", "jobs", false },
	{ "mean_bounded_slowdown", "slowdown", "jobs", false },
	{ "share_error", "share_error", "passes", false },
	{ "jain", "jain", "passes", true },
};

/* The sums and counts of one figure. */
struct weeks {
	size_t policies;
	size_t count;		/* weeks, the most that a policy has */
	double *sum, *number;	/* by policy, then by week; 0 for weeks that the policy lacks */
	bool *has_happened;	/* by policy, see has_happened() */
};

/* Returns a list of numbers of a policy's "weeks"; NULL: it is missing. */
static const json_t *list_of(struct document *input, const json_t *from, size_t policy,
			     const char *key)
{
	const json_t *weeks = json_object_get(json_array_get(from, policy), "weeks");
	const json_t *list = json_object_get(weeks, key);

	for (size_t i = 0; i < json_array_size(list); i++)
		if (!json_is_number(json_array_get(list, i)))
			wrong_at(input, 0, "policies[%zu]: weeks.%s[%zu] must be a number", policy,
				 key, i);
	return list;
}

/* Returns the most weeks that a policy has; 0: some policy has no weeks. */
static size_t count_weeks(struct document *input, const json_t *from)
{
	size_t most = 0;

	for (size_t i = 0; i < json_array_size(from); i++) {
		size_t count = json_array_size(list_of(input, from, i, "passes"));

		if (!count)
			return 0;
		most = count > most ? count : most;
	}
	return most;
}

/* Copies `count` numbers of a list; 0 for those that it lacks. */
static void copy_numbers(double *to, size_t count, const json_t *list)
{
	for (size_t i = 0; i < count; i++)
		to[i] = json_number_value(json_array_get(list, i));
}

/* Sets the sums and counts of a figure. */
static void read_figure(struct document *input, const json_t *from,
			const struct mean_figure *figure, struct weeks *weeks)
{
	for (size_t i = 0; i < weeks->policies; i++) {
		copy_numbers(weeks->sum + i * weeks->count, weeks->count,
			     list_of(input, from, i, figure->sum));
		copy_numbers(weeks->number + i * weeks->count, weeks->count,
			     list_of(input, from, i, figure->count));
	}
}

/* Returns the figure of a policy if each week counts times[week] times; the negative figure unless
 * is_greatest, so that the greatest is always the best. */
static double figure_of(const struct weeks *weeks, size_t policy, const double *times,
			bool is_greatest)
{
	const double *sum = weeks->sum + policy * weeks->count;
	const double *number = weeks->number + policy * weeks->count;
	double all = 0, counted = 0;

	for (size_t i = 0; i < weeks->count; i++) {
		all += times[i] * sum[i];
		counted += times[i] * number[i];
	}
	all = counted > 0 ? all / counted : 0;
	return is_greatest ? all : -all;
}

/* Returns whether a reduced policy is the trace itself: what has happened cannot be chosen, so it
 * takes no part. */
static bool has_happened(const json_t *policy)
{
	const char *name = json_string_value(json_object_get(policy, "policy"));

	return name && !strcmp(name, "trace");
}

/* Adds a win to each policy whose figure is the best if each week counts times[week] times. value:
 * room for the figure of each policy; wins: by policy. Returns whether any policy is worse than the
 * best. */
static bool count_wins(const struct weeks *weeks, const double *times, bool is_greatest,
		       double *value, unsigned int *wins)
{
	double best = -INFINITY, worst = INFINITY;

	for (size_t i = 0; i < weeks->policies; i++) {
		value[i] = weeks->has_happened[i] ? NAN : figure_of(weeks, i, times, is_greatest);
		best = fmax(best, value[i]);
		worst = fmin(worst, value[i]);
	}
	for (size_t i = 0; i < weeks->policies; i++)
		wins[i] += value[i] == best;
	return worst < best;
}

/* Draws as many weeks as there are, and sets how many times each was drawn. state: of the random
 * numbers; it begins with 0, so that the same document gives the same draws. */
static void draw_weeks(const struct weeks *weeks, double *times, unsigned short *state)
{
	memset(times, 0, weeks->count * sizeof(*times));
	for (size_t i = 0; i < weeks->count; i++)
		times[(size_t)nrand48(state) % weeks->count]++;
}

/* Adds the figure's key to "best" of each policy that is the best in it by more than chance. */
static void find_best(const struct weeks *weeks, const struct mean_figure *figure,
		      json_t *policies)
{
	double *times = need_zeros(weeks->count, sizeof(*times));
	double *value = need_zeros(weeks->policies, sizeof(*value));
	/* wins by policy: over the whole trace, 0 or 1; and in all draws */
	unsigned int *whole = need_zeros(weeks->policies, sizeof(*whole));
	unsigned int *drawn = need_zeros(weeks->policies, sizeof(*drawn));
	unsigned short state[3] = { 0 };

	for (size_t i = 0; i < weeks->count; i++)
		times[i] = 1;
	if (!count_wins(weeks, times, figure->is_greatest, value, whole))
		return;
	for (size_t i = 0; i < DRAWS; i++) {
		draw_weeks(weeks, times, state);
		count_wins(weeks, times, figure->is_greatest, value, drawn);
	}
	for (size_t i = 0; i < weeks->policies; i++)
		if (whole[i] && drawn[i] >= LEAST_WINS)
			need_done(json_array_append_new(
				json_object_get(json_array_get(policies, i), "best"),
				json_string(figure->key)));
}

size_t weeks_find_best(struct document *input, const json_t *from, json_t *policies)
{
	struct weeks weeks = { .policies = json_array_size(policies),
			       .count = count_weeks(input, from) };

	for (size_t i = 0; i < weeks.policies; i++)
		need_done(json_object_set_new(json_array_get(policies, i), "best", json_array()));
	if (weeks.count < LEAST_WEEKS)
		return 0;
	weeks.has_happened = need_zeros(weeks.policies, sizeof(*weeks.has_happened));
	for (size_t i = 0; i < weeks.policies; i++)
		weeks.has_happened[i] = has_happened(json_array_get(policies, i));
	weeks.sum = need_zeros(weeks.policies * weeks.count, sizeof(*weeks.sum));
	weeks.number = need_zeros(weeks.policies * weeks.count, sizeof(*weeks.number));
	for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++) {
		read_figure(input, from, &figures[i], &weeks);
		find_best(&weeks, &figures[i], policies);
	}
	return weeks.count;
}
