/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes, fills and copies lists of jobs. */
#include "jobs/job_list.h"

#include "jobs/job_states.h"
#include "memory/need_memory.h"

#include <math.h>
#include <string.h>

const char *const job_factor_keys[JOB_FACTOR_COUNT] = {
	[JOB_AGE] = "age", [JOB_ASSOC] = "assoc", [JOB_FAIRSHARE] = "fairshare",
	[JOB_SIZE] = "job_size", [JOB_PARTITION] = "partition", [JOB_QOS] = "qos",
};

void job_list_create(struct job_list *list, size_t tres_count)
{
	*list = (struct job_list){ .nice_weight = 1 };
	job_list_set_tres(list, tres_count);
}

void job_list_set_tres(struct job_list *list, size_t count)
{
	list->tres_count = count;
	list->tres_name = need_zeros(count, sizeof(*list->tres_name));
	list->tres_weight = need_zeros(count, sizeof(*list->tres_weight));
}

struct job_row *job_list_add(struct job_list *list)
{
	struct job_row *row = need_append(&list->row, &list->count, sizeof(*row));

	row->plain.tres = need_object(2 * list->tres_count * sizeof(*row->plain.tres));
	row->weighted.tres = row->plain.tres + list->tres_count;
	row->place = row->formula = row->value = row->rank = row->change = NAN;
	row->state = JOB_STATE_UNKNOWN;
	return row;
}

bool job_row_competes(const struct job_row *row)
{
	return (row->state == JOB_STATE_UNKNOWN || row->state == JOB_STATE_PENDING) &&
	       row->priority > 0;
}

/* job_values_set() and job_row_factors() copy all factors at once */
_Static_assert(offsetof(struct fathom_factors, qos) == JOB_QOS * sizeof(double),
	       "struct fathom_factors begins with the factors of enum job_factor, in its order");

void job_values_set(struct job_values *values, const struct fathom_factors *factors)
{
	memcpy(values->factor, factors, sizeof(values->factor));
	values->site = (double)factors->site;
	values->nice = factors->nice;
}

struct fathom_factors job_row_factors(const struct job_list *list, const struct job_row *row)
{
	const struct job_values *weighted = &row->weighted;
	struct fathom_factors factors = { .site = (int64_t)weighted->site, .nice = weighted->nice };

	memcpy(&factors, weighted->factor, sizeof(weighted->factor));
	for (size_t tres = 0; tres < list->tres_count; tres++)
		factors.tres_sum += weighted->tres[tres];
	return factors;
}

void job_list_set_flux_weights(struct job_list *list, const struct fathom_settings *settings)
{
	struct fathom_flux_weights flux = fathom_flux_weights(settings);

	memset(list->weight, 0, sizeof(list->weight));
	list->weight[JOB_FAIRSHARE] = flux.fairshare;
	list->weight[JOB_PARTITION] = flux.queue;
	list->weight[JOB_ASSOC] = flux.bank;
	list->nice_weight = flux.urgency;
	list->by_flux = true;
	memset(list->tres_weight, 0, list->tres_count * sizeof(*list->tres_weight));
}

/* Returns a copy of an array. */
static void *copy_of(const void *array, size_t count, size_t element_size)
{
	void *copy = need_zeros(count, element_size);

	return count ? memcpy(copy, array, count * element_size) : copy;
}

void job_list_copy(struct job_list *copy, const struct job_list *list)
{
	size_t tres = list->tres_count;

	*copy = *list;
	copy->tres_name = copy_of(list->tres_name, tres, sizeof(*list->tres_name));
	copy->tres_weight = copy_of(list->tres_weight, tres, sizeof(*list->tres_weight));
	/* as an array of need_append(), to which job_list_add() can add */
	copy->row = NULL;
	copy->count = 0;
	for (size_t i = 0; i < list->count; i++) {
		NEED_ADD(copy->row, copy->count, list->row[i]);
		copy->row[i].plain.tres = copy_of(list->row[i].plain.tres, tres, sizeof(double));
		copy->row[i].weighted.tres =
			copy_of(list->row[i].weighted.tres, tres, sizeof(double));
	}
	/* the rows still point to the values in list->input, which the copy does not own */
	copy->input_name = NULL;
	copy->input = NULL;
}
