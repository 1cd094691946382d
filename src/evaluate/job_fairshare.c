/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "evaluate/job_fairshare.h"

#include "evaluate/job_associations.h"

#include <math.h>

static bool lacks(const struct job_row *row)
{
	return !row->is_set && isnan(row->plain.factor[JOB_FAIRSHARE]);
}

bool job_list_lacks_fairshare(const struct job_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (lacks(&list->row[i]))
			return true;
	return false;
}

int job_list_complete_fairshare(struct job_list *list, const struct snapshot *snapshot,
				const double *factor, struct fathom_error *error)
{
	struct job_associations associations = { 0 };
	int status = job_associations_create(&associations, snapshot, error);

	for (size_t i = 0; !status && i < list->count; i++) {
		struct job_row *row = &list->row[i];
		size_t node = lacks(row) ? job_associations_find(&associations, row) : JOB_NO_NODE;

		if (node == JOB_NO_NODE)
			continue;
		row->plain.factor[JOB_FAIRSHARE] = factor[node];
		row->weighted.factor[JOB_FAIRSHARE] = factor[node] * list->weight[JOB_FAIRSHARE];
	}
	job_associations_clear(&associations);
	return status;
}
