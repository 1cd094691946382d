/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explains the terms of a job's priority and its place in its partition. */
#include "evaluate/explain.h"

#include <math.h>
#include <string.h>

#define EXPEDITING_URGENCY 31	/* of flux: the job goes before all others */

/* ---- terms --------------------------------------------------------------------------- */

size_t explain_term_count(const struct job_list *list)
{
	return JOB_FACTOR_COUNT + list->tres_count + 2;
}

/* Sets the share of each term: its points over the sum of all points above 0. */
static void set_shares(struct explained_term *terms, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += terms[i].points > 0 ? terms[i].points : 0;
	for (size_t i = 0; i < count; i++)
		terms[i].share = sum > 0 ? terms[i].points / sum : 0;
}

void explain_terms(const struct job_list *list, const struct job_row *row,
		   struct explained_term *terms)
{
	struct explained_term *next = terms;

	for (size_t i = 0; i < JOB_FACTOR_COUNT; i++)
		*next++ = (struct explained_term){
			.key = job_factor_keys[i], .value = row->plain.factor[i],
			.weight = list->weight[i], .points = row->weighted.factor[i],
		};
	for (size_t i = 0; i < list->tres_count; i++)
		*next++ = (struct explained_term){
			.key = list->tres_name[i], .is_tres = true, .value = row->plain.tres[i],
			.weight = list->tres_weight[i], .points = row->weighted.tres[i],
		};
	*next++ = (struct explained_term){ .key = "site", .value = row->plain.site, .weight = 1,
					   .points = row->weighted.site };
	*next++ = (struct explained_term){ .key = "nice", .value = (double)row->plain.nice,
					   .weight = -list->nice_weight,
					   /* the minus of an integer: that of 0. is -0 */
					   .points = (double)-row->weighted.nice };
	set_shares(terms, (size_t)(next - terms));
}

size_t explain_parting_term(const struct explained_term *one, const struct explained_term *other,
			    size_t count)
{
	size_t found = 0;
	double greatest = -INFINITY;

	for (size_t i = 0; i < count; i++) {
		double apart = one[i].points - other[i].points;

		if (apart > greatest) {
			greatest = apart;
			found = i;
		}
	}
	return found;
}

/* ---- places -------------------------------------------------------------------------- */

bool explain_is_in(const struct job_row *row, const char *partition)
{
	if (!row->partition || !partition)
		return row->partition == partition;
	return !strcmp(row->partition, partition);
}

const struct job_row *explain_row_like(const struct job_list *list, const struct job_row *row)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->row[i].id == row->id && explain_is_in(&list->row[i], row->partition))
			return &list->row[i];
	return NULL;
}

bool explain_job_is_ahead(const struct job_row *one, const struct job_row *other)
{
	double priority = isnan(one->priority) ? -1 : one->priority;
	double of_other = isnan(other->priority) ? -1 : other->priority;

	return priority != of_other ? priority > of_other : one->id < other->id;
}

bool explain_is_held(const struct job_list *list, const struct job_row *row)
{
	return row->is_held || row->own_hold || (row->priority == 0 && !list->by_flux);
}

bool explain_is_expedited(const struct job_list *list, const struct job_row *row)
{
	return list->by_flux && !row->is_set &&
	       FATHOM_FLUX_URGENCY - row->plain.nice >= EXPEDITING_URGENCY;
}

bool explain_terms_count(const struct job_list *list, const struct job_row *row)
{
	return !explain_is_held(list, row) && !explain_is_expedited(list, row) &&
	       !isnan(row->priority) && !row->is_set && !row->has_no_terms &&
	       !row->is_never_started;
}

struct explained_place explain_job_place(const struct job_list *list, size_t index)
{
	const struct job_row *row = &list->row[index];
	struct explained_place place = { .rank = 1, .ahead = EXPLAIN_NONE };

	for (size_t i = 0; i < list->count; i++) {
		const struct job_row *other = &list->row[i];

		if (!job_row_competes(other) || !explain_is_in(other, row->partition))
			continue;
		place.of++;
		if (!explain_job_is_ahead(other, row))
			continue;
		place.rank++;
		/* the last of those before it */
		if (place.ahead == EXPLAIN_NONE ||
		    explain_job_is_ahead(&list->row[place.ahead], other))
			place.ahead = i;
	}
	if (!job_row_competes(row))
		place = (struct explained_place){ .of = place.of, .ahead = EXPLAIN_NONE };
	if (list->hides_jobs) {
		place.rank = 0;
		place.of = EXPLAIN_NONE;
	}
	return place;
}
