/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Holds the lists of a comparison and ranks their jobs. */
#include "jobs/job_comparison.h"

#include "jobs/need_trees.h"
#include "memory/need_memory.h"

#include <math.h>

void job_comparison_create(struct job_comparison *comparison, size_t count)
{
	*comparison = (struct job_comparison){
		.item = need_zeros(count, sizeof(*comparison->item)), .count = count };
	for (size_t i = 0; i < count; i++)
		comparison->item[i].label = "";
}

/* ---- ranks ----------------------------------------------------------------------- */

/* Returns whether priorities above 0 are known: one was computed, or all are set by administrators.
 * Beside others that are not known, set ones do not count. */
static bool has_priorities(const struct job_list *list)
{
	bool all_known = true, has_set = false;

	for (size_t i = 0; i < list->count; i++) {
		const struct job_row *row = &list->row[i];

		if (row->priority > 0 && !row->is_set)
			return true;
		has_set |= row->priority > 0;
		all_known &= !isnan(row->priority);
	}
	return has_set && all_known;
}

/* Sets rank and change of the rows of one list; see job_comparison_rank(). Only rows that compete
 * in all lists with priorities have a rank. The first list must have its ranks before the
 * others. */
static void rank_list(struct job_comparison *comparison, struct job_list *list)
{
	const struct job_list *first = &comparison->item->list;
	double *value = need_zeros(list->count, sizeof(*value)), *rank;
	bool is_known = has_priorities(list);

	for (size_t i = 0; i < list->count; i++)
		value[i] = is_known ? list->row[i].priority : NAN;
	for (size_t i = 0; i < comparison->count; i++) {
		const struct job_list *other = &comparison->item[i].list;
		size_t count = has_priorities(other) ? list->count : 0;

		for (size_t row = 0; row < count; row++)
			if (!job_row_competes(&other->row[row]))
				value[row] = NAN;
	}
	rank = need_ranks(value, list->count);
	for (size_t i = 0; i < list->count; i++) {
		list->row[i].rank = rank[i];
		list->row[i].change = first->row[i].rank - rank[i];
	}
}

void job_comparison_rank(struct job_comparison *comparison)
{
	for (size_t i = 0; i < comparison->count; i++)
		rank_list(comparison, &comparison->item[i].list);
}
