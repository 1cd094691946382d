/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses among host partitions, and merges their orders. */
#include "policy/host_rule.h"

#include <stdlib.h>

bool host_rule_prefers(enum host_rule rule, double other, double one)
{
	if (other < 0 || one < 0)
		return one < 0 && other >= 0;	/* only a factor that counts is preferred */
	if (rule == HOST_RULE_BEST)
		return other > one;
	return rule == HOST_RULE_WORST && other < one;
}

/* Returns 1 if `a` is greater, -1 if `b` is, else 0. */
static int compare(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

/* Compares by place, the least first, also of jobs in several host partitions. */
static int compare_places(const void *x, const void *y)
{
	const struct hosted_job *a = x, *b = y;

	return compare(a->place, b->place);
}

/* Compares by job; among the entries of one job those that may start go first, then the lesser
 * place. */
static int compare_jobs(const void *x, const void *y)
{
	const struct hosted_job *a = x, *b = y;
	int order = compare(a->job, b->job);

	if (!order)
		order = compare(b->may_start, a->may_start);
	return order ? order : compare(a->place, b->place);
}

/* Compares by place; of equal places, that in the host partition that is first in fathom.conf goes
 * first. */
static int compare_merged(const void *x, const void *y)
{
	const struct hosted_job *a = x, *b = y;
	int order = compare_places(x, y);

	if (!order)
		order = compare(a->scope, b->scope);
	return order ? order : compare(a->job, b->job);
}

/* Sets each `place` to that among the jobs of the host partition, from 1. The list is sorted by
 * place. -1: ENOMEM. */
static int number_each(struct hosted_job *list, size_t count, size_t scopes)
{
	size_t *number = calloc(scopes + 1, sizeof(*number));

	for (size_t i = 0; number && i < count; i++)
		list[i].place = ++number[list[i].scope];
	free(number);
	return number ? 0 : -1;
}

/* Sets in all entries of a job the place and the host partition that the rule chooses. The list is
 * sorted by compare_jobs(), so that the first entry of a job is its best, and the last that may
 * start its worst. */
static void choose(enum host_rule rule, struct hosted_job *list, size_t count)
{
	for (size_t i = 0, end; i < count; i = end) {
		struct hosted_job chosen = list[i];

		for (end = i; end < count && list[end].job == chosen.job; end++)
			if (rule == HOST_RULE_WORST && list[end].may_start == list[i].may_start)
				chosen = list[end];
		for (size_t j = i; j < end; j++) {
			list[j].place = chosen.place;
			list[j].scope = chosen.scope;
		}
	}
}

int host_rule_merge(enum host_rule rule, struct hosted_job *list, size_t count, size_t scopes)
{
	size_t place = 0, before = 0;

	if (!count)
		return 0;
	qsort(list, count, sizeof(*list), compare_places);
	if (number_each(list, count, scopes))
		return -1;
	qsort(list, count, sizeof(*list), compare_jobs);
	choose(rule, list, count);
	qsort(list, count, sizeof(*list), compare_merged);
	for (size_t i = 0; i < count; i++) {
		place += !i || list[i].job != before;
		before = list[i].job;
		list[i].place = place;
	}
	return 0;
}
