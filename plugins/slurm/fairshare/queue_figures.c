/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fairshare/queue_figures.h"

#include "fairshare/entities.h"

#include "core/entity_tree.h"
#include "core/error.h"
#include "core/name_index.h"

#include <stdlib.h>
#include <string.h>

struct queue_figures {
	char **name;			/* NULL behind the last one */
	size_t count;
	struct name_index index;	/* of the names */
	struct fairshare_scoped *figures;	/* by name */
};

void queue_figures_destroy(struct queue_figures *figures)
{
	if (!figures)
		return;
	for (size_t i = 0; i < figures->count; i++)
		free(figures->name[i]);
	free(figures->name);
	name_index_clear(&figures->index);
	free(figures->figures);
	free(figures);
}

static size_t find(const struct queue_figures *figures, const char *name)
{
	return name_index_get(&figures->index, (struct piece){ name, strlen(name) });
}

const struct fairshare_scoped *queue_figures_find(const struct queue_figures *figures,
						  const char *partition)
{
	size_t at = find(figures, partition);

	return at == NAME_INDEX_NONE ? NULL : &figures->figures[at];
}

/* ---- the names ------------------------------------------------------------------------- */

/* The array has room. -1: out of memory. */
static int add_name(struct queue_figures *figures, const char *name)
{
	struct fathom_error error;
	char *copy;

	if (!*name || find(figures, name) != NAME_INDEX_NONE)
		return 0;
	copy = strdup(name);
	if (!copy)
		return -1;
	figures->name[figures->count] = copy;
	return name_index_put(&figures->index, (struct piece){ copy, strlen(copy) },
			      figures->count++, &error);
}

/* A partition that is gone still counts by what it has used. */
static int add_names(struct queue_figures *figures, const struct partition_names *names,
		     const struct queue_usage *usage, size_t usage_count)
{
	size_t room = names->count + usage_count + 1;
	int status = 0;

	figures->name = calloc(room, sizeof(*figures->name));
	figures->figures = calloc(room, sizeof(*figures->figures));
	if (!figures->name || !figures->figures)
		return -1;
	for (size_t i = 0; !status && i < names->count; i++)
		status = add_name(figures, names->name[i]);
	for (size_t i = 0; !status && i < usage_count; i++)
		status = add_name(figures, usage[i].name);
	return status;
}

/* ---- the tree -------------------------------------------------------------------------- */

/* What jobs of unknown partitions have used counts for the root. */
static int set_usage(const struct queue_figures *figures, const struct scheme *scheme,
		     struct entity_tree *entities, const struct queue_usage *usage, size_t count,
		     struct fathom_error *problem)
{
	const struct fathom_holdings none = { 0 };

	for (size_t i = 0; i < count; i++) {
		size_t at = *usage[i].name ? find(figures, usage[i].name) : NAME_INDEX_NONE;
		size_t node = at == NAME_INDEX_NONE ? 0 : entities->node_of[at];

		if (fathom_policy_set_sums(scheme->policy, entities->tree, node, &usage[i].sums,
					   &none, problem))
			return -1;
	}
	fathom_tree_settle(entities->tree);
	return 0;
}

static int take_figures(struct queue_figures *figures, const struct scheme *scheme,
			const struct entity_tree *entities, struct fathom_error *problem)
{
	struct fathom_result *result = entities_result(scheme, entities->tree, problem);

	if (!result)
		return -1;
	for (size_t i = 0; i < figures->count; i++) {
		uint32_t node = entities->node_of[i];

		figures->figures[i] = (struct fairshare_scoped){
			.factor = fathom_result_factor(result)[node],
			.norm_shares = fathom_result_norm_shares(result)[node],
			.effective_usage = fathom_result_effective_usage(result)[node],
			.may_run = fathom_result_may_run(result, &scheme->settings, node),
		};
	}
	fathom_result_destroy(result);
	return 0;
}

static int fill(struct queue_figures *figures, const struct settings *settings,
		const struct scheme *scheme, const struct queue_usage *usage, size_t usage_count,
		struct fathom_error *problem)
{
	const struct conf_resources *resources = &settings->resources;
	struct entity_tree entities;
	int status;

	if (entity_tree_create(&entities, resources->row, resources->count,
			       scheme->unknown_shares, (const char *const *)figures->name,
			       figures->count, problem))
		return -1;
	status = set_usage(figures, scheme, &entities, usage, usage_count, problem) ||
		 take_figures(figures, scheme, &entities, problem) ? -1 : 0;
	entity_tree_clear(&entities);
	return status;
}

struct queue_figures *queue_figures_create(const struct settings *settings,
					   const struct scheme *scheme, struct queue_sums *sums,
					   time_t time, const struct partition_names *names,
					   struct fathom_error *problem)
{
	double half_life = fathom_policy_half_life(scheme->policy, &scheme->settings,
						   settings->half_life);
	struct queue_figures *figures = calloc(1, sizeof(*figures));
	size_t count = 0;
	struct queue_usage *usage = queue_sums_list(sums, half_life, time, &count);
	int status = -1;

	fathom_error_no_memory(problem);
	if (figures && usage && !add_names(figures, names, usage, count))
		status = fill(figures, settings, scheme, usage, count, problem);
	free(usage);
	if (!status)
		return figures;
	queue_figures_destroy(figures);
	return NULL;
}
