/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fairshare_parts.h"

#include <stdlib.h>
#include <string.h>

/* usage, norm_shares, norm_usage, effective_usage, factor */
#define COMMON_COLUMNS 5

/* One column to the next place in copied->values. */
static const double *copy_column(const double *column, size_t count, double **place)
{
	double *copy = *place;

	memcpy(copy, column, count * sizeof(*copy));
	*place += count;
	return copy;
}

static bool copy_evaluation(struct fairshare_copied *copied, const struct evaluation *evaluation,
			    const struct fathom_tree *tree)
{
	struct json_columns from = json_columns_of(evaluation->policy, evaluation->result);
	size_t own = fathom_policy_column_count(evaluation->policy);
	size_t count = fathom_tree_count(tree);
	double *place;

	copied->policy = evaluation->policy;
	copied->settings = evaluation->settings;
	copied->tree = fathom_tree_copy(tree, NULL);
	copied->values = place = malloc((COMMON_COLUMNS + own) * count * sizeof(*place));
	if (!copied->tree || !copied->values)
		return false;
	copied->columns.usage = copy_column(from.usage, count, &place);
	copied->columns.norm_shares = copy_column(from.norm_shares, count, &place);
	copied->columns.norm_usage = copy_column(from.norm_usage, count, &place);
	copied->columns.effective_usage = copy_column(from.effective_usage, count, &place);
	copied->columns.factor = copy_column(from.factor, count, &place);
	for (size_t i = 0; i < own; i++)
		copied->columns.column[i] = copy_column(from.column[i], count, &place);
	return true;
}

static bool copy_figures(struct fairshare_copy *copy, const struct fairshare *fairshare)
{
	struct fairshare_copied *const place[] = { [SCHEME_IN_FORCE] = &copy->in_force,
						   [SCHEME_SHADOW] = &copy->shadow };
	const struct figures *figures = &fairshare->figures;

	/* a tree that was read, or settings that came, but were not evaluated */
	if (!figures->map || figures->map != fairshare->associations.map ||
	    figures->settings != fairshare->settings)
		return false;
	copy->time = fairshare->time;
	copy->map = id_map_share(figures->map);
	for (size_t i = 0; i < figures->scheme_count && figures->scheme[i].role != SCHEME_SCOPE; i++)
		if (!copy_evaluation(place[figures->scheme[i].role], &figures->scheme[i],
				     schemes_last_tree(fairshare, i)))
			return false;
	return true;
}

bool fairshare_copy_create(struct fairshare *fairshare, struct fairshare_copy *copy)
{
	bool done;

	*copy = (struct fairshare_copy){ 0 };
	slurm_mutex_lock(&fairshare->solve_lock);
	done = copy_figures(copy, fairshare);
	slurm_mutex_unlock(&fairshare->solve_lock);
	if (!done)
		fairshare_copy_clear(copy);
	return done;
}

void fairshare_copy_clear(struct fairshare_copy *copy)
{
	fathom_tree_destroy(copy->in_force.tree);
	fathom_tree_destroy(copy->shadow.tree);
	free(copy->in_force.values);
	free(copy->shadow.values);
	id_map_release(copy->map);
	*copy = (struct fairshare_copy){ 0 };
}
