/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Holds the lists of a comparison and ranks their jobs. */
#include "evaluate/job_comparison.h"

#include "core/error.h"
#include "evaluate/job_states.h"
#include "evaluate/ranks.h"

#include <math.h>
#include <stdlib.h>

int job_comparison_create(struct job_comparison *comparison, size_t count,
			  struct fathom_error *error)
{
	*comparison = (struct job_comparison){
		.list = calloc(count, sizeof(*comparison->list)),
		.scheme = calloc(count, sizeof(*comparison->scheme)),
		.fork = calloc(count, sizeof(*comparison->fork)),
	};
	if (!comparison->list || !comparison->scheme || !comparison->fork)
		return fathom_error_no_memory(error);
	comparison->count = count;
	for (size_t i = 0; i < count; i++)
		comparison->scheme[i].label = "";
	return 0;
}

void job_comparison_clear(struct job_comparison *comparison)
{
	for (size_t i = 0; i < comparison->count; i++) {
		job_list_clear(&comparison->list[i]);
		snapshot_fork_clear(&comparison->fork[i]);
	}
	free(comparison->list);
	free(comparison->scheme);
	free(comparison->fork);
	*comparison = (struct job_comparison){ 0 };
}

/* ---- ranks ----------------------------------------------------------------------- */

/* Returns whether any priority was computed. Those that an administrator set are always known. */
static bool has_priorities(const struct job_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->row[i].priority > 0 && !list->row[i].is_set)
			return true;
	return false;
}

static bool is_pending(const struct job_row *row)
{
	/* slurmctld does not tell the states of the pending jobs that it shows sprio */
	return row->state == JOB_STATE_UNKNOWN || row->state == JOB_STATE_PENDING;
}

/* Sets value[i] to NAN for each row that the list denies a rank. */
static void drop_unranked(const struct job_list *list, double *value)
{
	for (size_t i = 0; i < list->count; i++)
		if (!is_pending(&list->row[i]) || !(list->row[i].priority > 0))
			value[i] = NAN;
}

/* Ranks the rows of one list. value, rank: working memory for all rows. */
static int rank_list(struct job_comparison *comparison, size_t which, double *value, double *rank,
		     struct fathom_error *error)
{
	struct job_list *list = &comparison->list[which];
	const struct job_list *first = &comparison->list[0];

	bool is_known = has_priorities(list);

	for (size_t i = 0; i < list->count; i++)
		value[i] = is_known ? list->row[i].priority : NAN;
	for (size_t i = 0; i < comparison->count; i++)
		if (has_priorities(&comparison->list[i]))
			drop_unranked(&comparison->list[i], value);
	if (ranks_fill(rank, value, list->count, error))
		return -1;
	for (size_t i = 0; i < list->count; i++) {
		list->row[i].rank = rank[i];
		list->row[i].change = first->row[i].rank - rank[i];
	}
	return 0;
}

int job_comparison_rank(struct job_comparison *comparison, struct fathom_error *error)
{
	size_t count = comparison->list[0].count + 1;
	double *value = calloc(count, sizeof(*value)), *rank = calloc(count, sizeof(*rank));
	int status = value && rank ? 0 : fathom_error_no_memory(error);

	for (size_t i = 0; !status && i < comparison->count; i++)
		status = rank_list(comparison, i, value, rank, error);
	free(value);
	free(rank);
	return status;
}
