/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives associations the figures of the PBS entities that their jobs are charged to. */
#include "policy/policy.h"

#include <string.h>

/* Accounts are not entities and have no figures. */
static void clear_figures(struct fathom_result *result, size_t node)
{
	result->effective_usage[node] = !node;
	result->factor[node] = NAN;
	for (size_t i = 0; i < FATHOM_MAX_COLUMNS; i++)
		if (result->column[i])
			result->column[i][node] = NAN;
}

static void copy_figures(struct fathom_result *result, size_t node,
			 const struct fathom_result *of_entities, size_t entity)
{
	result->norm_usage[node] = of_entities->norm_usage[entity];
	result->effective_usage[node] = of_entities->effective_usage[entity];
	result->factor[node] = of_entities->factor[entity];
	for (size_t i = 0; i < FATHOM_MAX_COLUMNS; i++)
		if (result->column[i])
			result->column[i][node] = of_entities->column[i][entity];
}

void policy_use_entities(struct fathom_result *result, const struct fathom_tree *tree,
			 const struct fathom_result *of_entities, const uint32_t *entity_of)
{
	size_t count = tree->node_count;
	double *usage = result->scratch, *norm_shares = usage + count;

	memmove(usage, result->usage, count * sizeof(*usage));
	memmove(norm_shares, result->norm_shares, count * sizeof(*norm_shares));
	for (size_t node = 0; node < count; node++) {
		if (entity_of[node] == POLICY_NO_ENTITY) {
			clear_figures(result, node);
			continue;
		}
		usage[node] = of_entities->usage[entity_of[node]];
		norm_shares[node] = of_entities->norm_shares[entity_of[node]];
		copy_figures(result, node, of_entities, entity_of[node]);
	}
	result->usage = usage;
	result->norm_shares = norm_shares;
}
