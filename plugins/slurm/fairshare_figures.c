/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fairshare_parts.h"

#include "log.h"

#include <stdlib.h>

void figures_forget(struct figures *figures)
{
	fathom_result_destroy(figures->result);
	id_map_release(figures->map);
	free(figures->inputs);
	*figures = (struct figures){ 0 };
}

/* A place for the result: the spare one, if it is of this tree and policy. */
static bool prepare(struct fairshare *fairshare, const struct settings *settings)
{
	const struct associations *associations = &fairshare->associations;
	struct figures *spare = &fairshare->spare;
	struct fathom_error problem = { .text = "out of memory" };

	if (spare->result && spare->map == associations->map && spare->policy == settings->policy)
		return true;
	figures_forget(spare);
	spare->inputs = calloc(associations->node_count, sizeof(*spare->inputs));
	if (spare->inputs)
		spare->result = fathom_result_create(settings->policy, associations->tree, &problem);
	if (!spare->result) {
		error(LOG_PREFIX "%s; factors stay as they were", problem.text);
		figures_forget(spare);
		return false;
	}
	spare->policy = settings->policy;
	spare->ranks = sshare_shows_ranks(settings->policy);
	spare->map = id_map_share(associations->map);
	return true;
}

static void list_inputs(struct figures *figures, const struct associations *associations)
{
	const double *factor = fathom_result_factor(figures->result);

	for (size_t node = 0; node < associations->node_count; node++)
		figures->inputs[node] = (struct fairshare_inputs){
			.factor = factor[node],
			.assoc_norm = associations->seen[node].priority_norm,
			.assoc_priority = associations->seen[node].priority,
		};
}

bool figures_solve(struct fairshare *fairshare, const struct settings *settings)
{
	struct figures stale;

	if (!prepare(fairshare, settings))
		return false;
	fathom_evaluate(fairshare->spare.result, fairshare->associations.tree,
			&settings->policy_settings);
	list_inputs(&fairshare->spare, &fairshare->associations);
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

	return id_map_find(figures->map, association, &node) ? &figures->inputs[node] : NULL;
}

void fairshare_fetch_inputs(const struct fairshare *fairshare, uint32_t association)
{
	id_map_fetch(fairshare->figures.map, association);
}

const struct fairshare_inputs *fairshare_inputs(const struct fairshare *fairshare,
						uint32_t association)
{
	return inputs_of(&fairshare->figures, association);
}

bool fairshare_find_inputs(struct fairshare *fairshare, uint32_t association,
			   struct fairshare_inputs *inputs)
{
	const struct fairshare_inputs *found;

	pthread_rwlock_rdlock(&fairshare->figures_lock);
	found = inputs_of(&fairshare->figures, association);
	if (found)
		*inputs = *found;
	pthread_rwlock_unlock(&fairshare->figures_lock);
	return found;
}

void fairshare_write_usage(struct fairshare *fairshare, slurmdb_assoc_rec_t *association)
{
	const struct figures *figures = &fairshare->figures;
	uint32_t node;
	bool found;

	pthread_rwlock_rdlock(&fairshare->figures_lock);
	found = figures->policy && !figures->ranks &&
		id_map_find(figures->map, association->id, &node) && node;
	if (found) {
		association->usage->usage_norm = fathom_result_norm_usage(figures->result)[node];
		association->usage->usage_efctv =
			fathom_result_effective_usage(figures->result)[node];
	}
	pthread_rwlock_unlock(&fairshare->figures_lock);
	if (!found)
		sshare_write_from_records(association);
}
