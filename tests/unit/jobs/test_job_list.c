/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of jobs: a copy is a list like another. */
#include "../unit.h"

#include "jobs/job_list.h"

#include <string.h>

#define MOST_ROWS 70	/* more than twice the first room of an array */
#define ADDED 20

/* Fills a list with `count` jobs, numbered from 1, that have one TRES. */
static void fill(struct job_list *list, size_t count)
{
	job_list_create(list, 1);
	for (size_t i = 1; i <= count; i++) {
		struct job_row *row = job_list_add(list);

		row->id = (int64_t)i;
		row->plain.tres[0] = (double)i;
		row->weighted.tres[0] = (double)(2 * i);
	}
}

TEST(rows_can_be_added_to_a_copy)
{
	for (size_t count = 0; count <= MOST_ROWS; count++) {
		struct job_list list, copy;

		fill(&list, count);
		job_list_copy(&copy, &list);
		for (size_t i = 0; i < ADDED; i++)
			job_list_add(&copy)->id = -1;
		ck_assert_uint_eq(list.count, count);
		ck_assert_uint_eq(copy.count, count + ADDED);
		ck_assert_int_eq(copy.row[count + ADDED - 1].id, -1);
		for (size_t i = 0; i < count; i++) {
			list.row[i].plain.tres[0] = list.row[i].weighted.tres[0] = 0;
			ck_assert_int_eq(copy.row[i].id, (int64_t)i + 1);
			ck_assert_double_eq(copy.row[i].plain.tres[0], (double)i + 1);
			ck_assert_double_eq(copy.row[i].weighted.tres[0], 2 * (double)i + 2);
		}
	}
}
