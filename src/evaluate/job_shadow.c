/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes priorities with the shadow policy's factors and ranks jobs by both priorities. */
#include "evaluate/job_shadow.h"

#include "core/error.h"
#include "evaluate/job_associations.h"
#include "evaluate/job_evaluate.h"

#include <math.h>
#include <stdlib.h>

/* ---- priorities ------------------------------------------------------------------ */

/* A job that the policy never starts has priority 1, as in the plugin. */
static double priority_under(const struct job_list *list, size_t index,
			     const struct evaluated_tree *shadow, size_t node)
{
	double weighted = list->row[index].shadow.fairshare * list->weight[JOB_FAIRSHARE];

	if (!fathom_result_may_run(shadow->result, &shadow->settings, node))
		return 1;
	return job_list_sum_with(list, index, weighted);
}

static void fill_row(struct job_list *list, size_t index, const struct evaluated_tree *shadow,
		     bool is_known, const struct job_associations *associations)
{
	struct job_row *row = &list->row[index];
	size_t node = job_associations_find(associations, row);
	bool stays = row->is_set || row->priority == 0;

	row->shadow = (struct job_shadow){ .fairshare = NAN, .priority = NAN, .rank = NAN,
					   .rank_in_force = NAN };
	if (node != JOB_NO_NODE && is_known)
		row->shadow.fairshare = shadow->columns.factor[node];
	if (stays)
		row->shadow.priority = row->priority;
	else if (node != JOB_NO_NODE && !isnan(row->shadow.fairshare))
		row->shadow.priority = priority_under(list, index, shadow, node);
}

/* ---- ranks ----------------------------------------------------------------------- */

struct ranked_row {
	double priority;
	double *rank;		/* where to store the rank */
};

static int compare_ranked(const void *one, const void *other)
{
	const struct ranked_row *a = one, *b = other;

	return (a->priority < b->priority) - (a->priority > b->priority);
}

/* Sets ranks. Equal priorities share a rank, and the ranks after it are skipped: 1, 2, 2, 4. */
static void rank(struct ranked_row *order, size_t count)
{
	qsort(order, count, sizeof(*order), compare_ranked);
	for (size_t i = 0; i < count; i++) {
		bool shares_rank = i && order[i].priority == order[i - 1].priority;

		*order[i].rank = shares_rank ? *order[i - 1].rank : (double)i + 1;
	}
}

/* A job that is held, or one of whose priorities is unknown, has no rank. */
static bool is_ranked(const struct job_row *row)
{
	return row->priority > 0 && row->shadow.priority > 0;
}

static void rank_rows(struct job_list *list, struct ranked_row *order)
{
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++)
		if (is_ranked(&list->row[i]))
			order[count++] = (struct ranked_row){ list->row[i].priority,
							  &list->row[i].shadow.rank_in_force };
	rank(order, count);
	count = 0;
	for (size_t i = 0; i < list->count; i++)
		if (is_ranked(&list->row[i]))
			order[count++] = (struct ranked_row){ list->row[i].shadow.priority,
							  &list->row[i].shadow.rank };
	rank(order, count);
}

int job_list_add_shadow(struct job_list *list, const struct evaluated_tree *shadow, bool is_known,
			struct fathom_error *error)
{
	struct ranked_row *order = calloc(list->count + 1, sizeof(*order));
	struct job_associations associations = { 0 };
	int status = -1;

	if (!order)
		fathom_error_no_memory(error);
	else
		status = job_associations_create(&associations, shadow->snapshot, error);
	if (!status) {
		for (size_t i = 0; i < list->count; i++)
			fill_row(list, i, shadow, is_known, &associations);
		if (is_known)
			rank_rows(list, order);
		list->has_shadow = true;
	}
	job_associations_clear(&associations);
	free(order);
	return status;
}

double job_row_change(const struct job_row *row)
{
	return row->shadow.rank_in_force - row->shadow.rank;
}
