/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/figures.h"

#include "cli/common.h"
#include "core/error.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOT_SHOWN SIZE_MAX

/* ---- what is shown ---------------------------------------------------------- */

static bool is_shown(const struct figures *figures, const struct filter *filter, size_t node)
{
	const struct snapshot *snapshot = figures->snapshot;
	bool user = fathom_tree_kind(snapshot->tree, node) == FATHOM_USER;

	if (figures->live && figures->live->invented[node])
		return false;
	if (filter->users_only && !user)
		return false;
	if (filter->users && user && !list_has(filter->users, snapshot_name(snapshot, node)))
		return false;
	return !filter->accounts ||
	       list_has(filter->accounts, snapshot_account(snapshot, node));
}

static int select_shown(struct figures *figures, const struct filter *filter,
			struct fathom_error *error)
{
	const struct fathom_tree *tree = figures->snapshot->tree;
	size_t count = fathom_tree_count(tree);

	figures->shown = calloc(count, sizeof(*figures->shown));
	figures->depth = calloc(count, sizeof(*figures->depth));
	if (!figures->shown || !figures->depth)
		return fathom_error_set(error, ENOMEM, "%s", strerror(ENOMEM));
	if (snapshot_depth_first(figures->snapshot, figures->shown, figures->depth, error))
		return -1;
	for (size_t i = 0; i < count; i++) {
		size_t node = figures->shown[i], parent = fathom_tree_parent(tree, node);
		bool hangs = node && figures->depth[parent] != NOT_SHOWN;

		figures->depth[node] = NOT_SHOWN;
		if (!is_shown(figures, filter, node))
			continue;
		figures->depth[node] = hangs ? figures->depth[parent] + 1 : 0;
		figures->shown[figures->shown_count++] = node;
	}
	return 0;
}

/* ---- figures ------------------------------------------------------------------ */

/* The controller gives factors only; a rank is where the factor came from. */
static int rank_from_factor(struct figures *figures, struct fathom_error *error)
{
	const struct fathom_tree *tree = figures->snapshot->tree;
	size_t count = fathom_tree_count(tree);
	double users = (double)fathom_tree_user_count(tree);

	figures->rank = calloc(count, sizeof(*figures->rank));
	if (!figures->rank)
		return fathom_error_set(error, ENOMEM, "%s", strerror(ENOMEM));
	for (size_t node = 0; node < count; node++) {
		bool ranked = fathom_tree_kind(tree, node) == FATHOM_USER &&
			      figures->factor[node] > 0;

		figures->rank[node] =
			ranked ? users - nearbyint(figures->factor[node] * users) + 1 : NAN;
	}
	return 0;
}

/* Stands the controller's own figures in for the evaluated ones. */
static int show_own(struct figures *figures, struct fathom_error *error)
{
	const struct live *live = figures->live;

	figures->norm_shares = live->norm_shares;
	figures->norm_usage = live->norm_usage;
	figures->effective_usage = live->effective_usage;
	figures->factor = live->factor;
	for (size_t i = 0; i < fathom_policy_column_count(figures->policy); i++) {
		const char *name = fathom_policy_column(figures->policy, i)->name;

		if (!strcmp(name, "level_fs"))
			figures->column[i] = live->level_fs;
		if (strcmp(name, "rank"))
			continue;
		if (rank_from_factor(figures, error))
			return -1;
		figures->column[i] = figures->rank;
	}
	return 0;
}

int figures_create(struct figures *figures, const struct snapshot *snapshot,
		   const struct live *live, bool own, const struct fathom_policy *policy,
		   const struct fathom_settings *settings, const struct filter *filter,
		   struct fathom_error *error)
{
	struct fathom_result *result = fathom_result_create(policy, snapshot->tree, error);

	*figures = (struct figures){
		.snapshot = snapshot, .live = live, .policy = policy, .settings = *settings,
		.result = result, .recomputed = live && !own,
	};
	if (!result || select_shown(figures, filter, error))
		goto error;
	fathom_evaluate(result, snapshot->tree, settings);
	figures->usage = fathom_result_usage(result);
	figures->norm_shares = fathom_result_norm_shares(result);
	figures->norm_usage = fathom_result_norm_usage(result);
	figures->effective_usage = fathom_result_effective_usage(result);
	figures->factor = fathom_result_factor(result);
	for (size_t i = 0; i < fathom_policy_column_count(policy); i++)
		figures->column[i] = fathom_result_column(result, i);
	if (live && own && show_own(figures, error))
		goto error;
	return 0;
error:
	figures_clear(figures);
	return -1;
}

void figures_clear(struct figures *figures)
{
	fathom_result_destroy(figures->result);
	free(figures->rank);
	free(figures->shown);
	free(figures->depth);
	memset(figures, 0, sizeof(*figures));
}
