/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fairshare/fairshare_private.h"

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

static bool begin_copy(struct fairshare_copy *copy, const struct fairshare *fairshare)
{
	const struct figures *figures = &fairshare->figures;

	/* a tree that was read, or settings that came, but were not evaluated */
	if (!figures->map || figures->map != fairshare->associations.map ||
	    figures->settings != fairshare->settings)
		return false;
	copy->time = fairshare->time;
	copy->map = fathom_node_index_share(figures->map);
	copy->settings = settings_reference(figures->settings);
	copy->scheme = calloc(figures->scheme_count, sizeof(*copy->scheme));
	return copy->scheme;
}

/* Is what has been begun still what there is? */
static bool goes_on(const struct fairshare_copy *copy, const struct fairshare *fairshare)
{
	return fairshare->time == copy->time && fairshare->figures.map == copy->map &&
	       fairshare->figures.settings == copy->settings &&
	       fairshare->associations.map == copy->map && fairshare->settings == copy->settings;
}

/* The shadow in one hold with the one in force, as they are compared; each scope
 * in one of its own. Returns where the next begins, 0: there is none. */
static size_t copy_hold(struct fairshare_copy *copy, struct fairshare *fairshare, size_t at)
{
	const struct figures *figures = &fairshare->figures;
	bool done;

	slurm_mutex_lock(&fairshare->solve_lock);
	done = at ? goes_on(copy, fairshare) : begin_copy(copy, fairshare);
	do {
		done = done && copy_evaluation(&copy->scheme[at], &figures->scheme[at],
					       schemes_last_tree(fairshare, at));
		at++;
	} while (done && at < figures->scheme_count && figures->scheme[at].role == SCHEME_SHADOW);
	slurm_mutex_unlock(&fairshare->solve_lock);
	return done ? at : 0;
}

bool fairshare_copy_create(struct fairshare *fairshare, struct fairshare_copy *copy)
{
	size_t at;

	*copy = (struct fairshare_copy){ 0 };
	for (at = copy_hold(copy, fairshare, 0); at && at < copy->settings->scheme_count;)
		at = copy_hold(copy, fairshare, at);
	if (!at)
		fairshare_copy_clear(copy);
	return at;
}

void fairshare_copy_clear(struct fairshare_copy *copy)
{
	for (size_t i = 0; copy->scheme && i < copy->settings->scheme_count; i++) {
		fathom_tree_destroy(copy->scheme[i].tree);
		free(copy->scheme[i].values);
	}
	free(copy->scheme);
	settings_release(copy->settings);
	fathom_node_index_release(copy->map);
	*copy = (struct fairshare_copy){ 0 };
}
