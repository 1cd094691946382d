/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fairshare/fairshare_private.h"

#include "base/log.h"

#include <stdlib.h>

void figures_forget(struct figures *figures)
{
	for (size_t i = 0; i < figures->scheme_count; i++) {
		fathom_result_destroy(figures->scheme[i].result);
		free(figures->scheme[i].scoped);
	}
	free(figures->scheme);
	fathom_node_index_release(figures->map);
	settings_release(figures->settings);
	free(figures->inputs);
	free(figures->details);
	*figures = (struct figures){ 0 };
}

/* Is the place for the result of this tree and these policies? */
static bool fits(const struct figures *figures, const struct associations *associations,
		 const struct settings *settings)
{
	if (figures->map != associations->map || figures->scheme_count != settings->scheme_count ||
	    !figures->details != !settings->formula)
		return false;
	for (size_t i = 0; i < settings->scheme_count; i++)
		if (figures->scheme[i].policy != settings->scheme[i].policy ||
		    figures->scheme[i].role != settings->scheme[i].role)
			return false;
	return true;
}

static int create(struct figures *figures, const struct associations *associations,
		  const struct settings *settings, struct fathom_error *problem)
{
	figures->inputs = calloc(associations->node_count, sizeof(*figures->inputs));
	figures->scheme = calloc(settings->scheme_count, sizeof(*figures->scheme));
	if (settings->formula)
		figures->details = calloc(associations->node_count, sizeof(*figures->details));
	if (!figures->inputs || !figures->scheme || (settings->formula && !figures->details))
		return -1;
	figures->scheme_count = settings->scheme_count;
	for (size_t i = 0; i < figures->scheme_count; i++) {
		struct evaluation *evaluation = &figures->scheme[i];

		evaluation->role = settings->scheme[i].role;
		evaluation->policy = settings->scheme[i].policy;
		evaluation->ranks = sshare_shows_ranks(evaluation->policy);
		evaluation->result = fathom_result_create(evaluation->policy, associations->tree,
							  problem);
		if (!evaluation->result)
			return -1;
		if (evaluation->role != SCHEME_SCOPE)
			continue;
		evaluation->scoped = calloc(associations->node_count, sizeof(*evaluation->scoped));
		if (!evaluation->scoped)
			return -1;
	}
	figures->map = fathom_node_index_share(associations->map);
	return 0;
}

/* A place for the result: the spare one, if it fits. */
static bool prepare(struct fairshare *fairshare, const struct settings *settings)
{
	const struct associations *associations = &fairshare->associations;
	struct fathom_error problem = { .text = "out of memory" };

	if (fits(&fairshare->spare, associations, settings))
		return true;
	figures_forget(&fairshare->spare);
	if (!create(&fairshare->spare, associations, settings, &problem))
		return true;
	error(LOG_PREFIX "%s; factors stay as they were", problem.text);
	figures_forget(&fairshare->spare);
	return false;
}

static void list_inputs(struct figures *figures, const struct associations *associations,
			const struct scheme *in_force)
{
	const struct fathom_result *result = figures->scheme->result;
	const double *factor = fathom_result_factor(result);
	const struct association_seen *seen = associations->seen;

	for (size_t node = 0; node < associations->node_count; node++)
		figures->inputs[node] = (struct fairshare_inputs){
			.factor = factor[node],
			.assoc_norm = seen[node].priority_norm,
			.assoc_priority = seen[node].priority,
			.account_priority =
				seen[fathom_tree_parent(associations->tree, node)].priority,
			.may_run = fathom_result_may_run(result, &in_force->settings, node),
		};
}

static void list_details(struct figures *figures, size_t node_count)
{
	const struct fathom_result *result = figures->scheme->result;
	size_t columns = fathom_policy_column_count(figures->scheme->policy);

	for (size_t node = 0; node < node_count; node++) {
		struct fairshare_details *details = &figures->details[node];

		details->norm_shares = fathom_result_norm_shares(result)[node];
		details->effective_usage = fathom_result_effective_usage(result)[node];
		for (size_t i = 0; i < columns; i++)
			details->column[i] = fathom_result_column(result, i)[node];
	}
}

static void list_scoped(struct evaluation *evaluation, size_t node_count)
{
	const struct fathom_result *result = evaluation->result;
	const double *factor = fathom_result_factor(result);
	const double *norm_shares = fathom_result_norm_shares(result);
	const double *effective_usage = fathom_result_effective_usage(result);

	for (size_t node = 0; node < node_count; node++)
		evaluation->scoped[node] = (struct fairshare_scoped){
			factor[node], norm_shares[node], effective_usage[node],
			fathom_result_may_run(result, &evaluation->settings, node),
		};
}

bool figures_solve(struct fairshare *fairshare, const struct settings *settings)
{
	struct figures stale;

	if (!prepare(fairshare, settings))
		return false;
	settings_release(fairshare->spare.settings);
	fairshare->spare.settings = settings_reference(settings);
	for (size_t i = 0; i < settings->scheme_count; i++) {
		struct evaluation *evaluation = &fairshare->spare.scheme[i];

		evaluation->settings = settings->scheme[i].settings;
		fathom_evaluate(evaluation->result, schemes_tree(fairshare, i),
				&evaluation->settings);
		if (evaluation->scoped)
			list_scoped(evaluation, fairshare->associations.node_count);
	}
	list_inputs(&fairshare->spare, &fairshare->associations, settings->scheme);
	if (settings->formula)
		list_details(&fairshare->spare, fairshare->associations.node_count);
	pthread_rwlock_wrlock(&fairshare->figures_lock);
	stale = fairshare->figures;
	fairshare->figures = fairshare->spare;
	pthread_rwlock_unlock(&fairshare->figures_lock);
	fairshare->spare = stale;
	return true;
}

/* ---- for whoever asks ------------------------------------------------------------ */

/* Of an association in the last evaluation; NULL: it was not there. */
static const struct fairshare_inputs *inputs_of(const struct figures *figures, uint32_t association)
{
	uint32_t node;

	return fathom_node_index_find(figures->map, association, &node) ? &figures->inputs[node]
									: NULL;
}

void fairshare_fetch_inputs(const struct fairshare *fairshare, uint32_t association)
{
	fathom_node_index_prefetch(fairshare->figures.map, association);
}

const struct fairshare_inputs *fairshare_inputs(const struct fairshare *fairshare,
						uint32_t association)
{
	return inputs_of(&fairshare->figures, association);
}

/* NULL where there are none, or of another policy, whose columns mean others. */
static const struct fairshare_details *details_of(const struct figures *figures,
						  const struct settings *settings,
						  const struct fairshare_inputs *inputs)
{
	if (!figures->details || figures->scheme->policy != settings->scheme->policy)
		return NULL;
	return &figures->details[inputs - figures->inputs];
}

const struct fairshare_details *fairshare_details(const struct fairshare *fairshare,
						  const struct settings *settings,
						  const struct fairshare_inputs *inputs)
{
	return details_of(&fairshare->figures, settings, inputs);
}

bool fairshare_find_inputs(struct fairshare *fairshare, const struct settings *settings,
			   uint32_t association, struct fairshare_inputs *inputs,
			   struct fairshare_details *details)
{
	const struct fairshare_inputs *found;
	const struct fairshare_details *more = NULL;

	pthread_rwlock_rdlock(&fairshare->figures_lock);
	found = inputs_of(&fairshare->figures, association);
	if (found && settings->formula)
		more = details_of(&fairshare->figures, settings, found);
	if (more)
		*details = *more;
	else if (settings->formula)
		found = NULL;
	if (found)
		*inputs = *found;
	pthread_rwlock_unlock(&fairshare->figures_lock);
	return found;
}

bool fairshare_find_scoped(struct fairshare *fairshare, const struct settings *settings,
			   size_t scheme, uint32_t association, struct fairshare_scoped *scoped)
{
	const struct figures *figures = &fairshare->figures;
	uint32_t node;
	bool found;

	pthread_rwlock_rdlock(&fairshare->figures_lock);
	found = figures->settings == settings &&
		fathom_node_index_find(figures->map, association, &node);
	if (found)
		*scoped = figures->scheme[scheme].scoped[node];
	pthread_rwlock_unlock(&fairshare->figures_lock);
	return found;
}

void fairshare_write_usage(struct fairshare *fairshare, slurmdb_assoc_rec_t *association)
{
	const struct figures *figures = &fairshare->figures;
	const struct fathom_result *result;
	uint32_t node;
	bool found;

	pthread_rwlock_rdlock(&fairshare->figures_lock);
	found = fathom_node_index_find(figures->map, association->id, &node) && node &&
		!figures->scheme->ranks;
	if (found) {
		result = figures->scheme->result;
		association->usage->usage_norm = fathom_result_norm_usage(result)[node];
		association->usage->usage_efctv = fathom_result_effective_usage(result)[node];
	}
	pthread_rwlock_unlock(&fairshare->figures_lock);
	if (!found)
		sshare_write_from_records(association);
}
