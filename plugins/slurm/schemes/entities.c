/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The entities of policy pbs. With ResourceGroup in fathom.conf, jobs are charged to the entity
 * that FairshareEntity says: a user, a group, an account. These entities have a tree of their own,
 * and an association gets the figures of its entity. Without ResourceGroup, jobs can be charged to
 * the accounts of the associations. Under FairshareEntity=queue jobs are charged to their
 * partition; associations have no figures then.
 *
 *	FairshareEntity=euser	association physics/ada -> entity ada
 *	FairshareEntity=egroup	association physics/ada -> entity staff, ada's group
 *
 * The owners of entities are the associations, by node, and behind them the partitions.
 */
#include "schemes/schemes_private.h"

#include "policy/entity_figures.h"

#include <stdlib.h>
#include <string.h>

/* The entities of one scheme, kept from one evaluation to the next. */
struct entities {
	struct entity_tree tree;
	struct entity_figures figures;	/* points into `tree` */
	struct fathom_node_index *map;	/* of the associations that are owners; if the tree of
					 * associations has another one, the entities are made
					 * anew. NULL: they could not be made */
	struct user_groups *groups;	/* of struct schemes, which lives longer */
	bool lacks_groups;		/* groups of some users could not be looked up: the entities
					 * are made anew in the next pass */
};

/* ---- names ---------------------------------------------------------------------------- */

/* Returns the name of the entity of an association of this user and account, for the caller to
 * free. NULL: out of memory. kind: not ENTITY_QUEUE. */
static char *entity_name_of(enum fairshare_entity kind, struct user_groups *groups,
			    const char *user, const char *account)
{
	char *both;

	switch (kind) {
	case ENTITY_EUSER:
		return strdup(user);
	case ENTITY_ACCOUNT_NAME:
		return strdup(account);
	case ENTITY_EGROUP:
		return strdup(user_groups_find(groups, user));
	case ENTITY_EGROUP_EUSER:
		if (asprintf(&both, "%s:%s", user_groups_find(groups, user), user) < 0)
			both = NULL;
		return both;
	case ENTITY_QUEUE:	/* jobs are charged to partitions, not associations */
		break;
	}
	return NULL;
}

/* Sets entity[node] to the name of the entity of each of `count` nodes, in memory that the caller
 * frees. It stays NULL for an account, and for an association that is gone: the next pass reads the
 * tree anew. Also sets entities->lacks_groups. names: of the associations. Returns -1 if out of
 * memory. */
static int name_entities(struct entities *entities, char **entity, const struct snapshot *names,
			 size_t count, enum fairshare_entity kind)
{
	user_groups_ask_again(entities->groups, ASK_FAILED);
	for (size_t node = 0; node < count; node++) {
		size_t account = fathom_tree_parent(names->tree, node);

		if (fathom_tree_kind(names->tree, node) != FATHOM_USER ||
		    names->name[node] == SNAPSHOT_NO_TEXT ||
		    names->name[account] == SNAPSHOT_NO_TEXT)
			continue;
		entity[node] = entity_name_of(kind, entities->groups, snapshot_name(names, node),
					      snapshot_name(names, account));
		if (!entity[node])
			return -1;
	}
	entities->lacks_groups = entities->groups->failed > 0;
	return 0;
}

/* ---- partitions ------------------------------------------------------------------------ */

/* Lists in queues->names the partitions of `order`, unless NULL, and those that are gone but have
 * used something; makes room for their figures. Returns -1 if out of memory. */
static int list_queues(struct queue_figures *queues, const struct scheme_state *state,
		       const struct partition_order *order)
{
	size_t number = 0;	/* NAME_INDEX_NONE: out of memory */

	for (size_t i = 0; order && i < order->count && number != NAME_INDEX_NONE; i++)
		number = numbered_names_add(&queues->names, order->list[i].name);
	for (size_t i = 0; i < fathom_policy_sums_count(state->sums); i++) {
		const char *name = queue_of_row(state, fathom_policy_sums_at(state->sums, i));

		if (name && *name && number != NAME_INDEX_NONE)
			number = numbered_names_add(&queues->names, name);
	}
	if (number == NAME_INDEX_NONE)
		return -1;
	queues->figures = calloc(queues->names.count + 1, sizeof(*queues->figures));
	queues->shares = calloc(queues->names.count + 1, sizeof(*queues->shares));
	return queues->figures && queues->shares ? 0 : -1;
}

/* Adds what jobs of each partition have used, as of the time of usage, to used[], which is by node
 * of the entities' tree. What jobs of unknown partitions have used counts for the root, node 0.
 * entity_of: the entity's node of each partition of queues->names, by number. */
static void add_usage_of_queues(double *used, const struct schemes *schemes, size_t scheme,
				const struct queue_figures *queues, const uint32_t *entity_of)
{
	const struct scheme_state *state = &schemes->state[scheme];

	for (size_t i = 0; i < fathom_policy_sums_count(state->sums); i++) {
		const struct fathom_policy_sums_row *row = fathom_policy_sums_advance(
			state->sums, i, half_life_of(schemes, scheme), (double)*schemes->time);
		const char *name = queue_of_row(state, row);
		uint32_t entity = 0;

		if (!name)
			continue;
		if (*name)
			entity = entity_of[numbered_names_find(&queues->names, name)];
		used[entity] += row->own.value[FATHOM_SUM_USAGE];
	}
}

/* ---- the tree ------------------------------------------------------------------------- */

/* Makes the tree of entities, by ResourceGroup or of the accounts. Its owners are the `count` nodes
 * of the associations and the partitions of `queues`. names: of the associations; it has only the
 * tree if partitions are the entities. Returns -1, and *problem unless out of memory. */
static int create_entity_tree(struct entities *entities, const struct settings *settings,
			      const struct scheme *scheme, const struct snapshot *names,
			      size_t count, const struct numbered_names *queues,
			      struct fathom_error *problem)
{
	const struct conf_resources *resources = &settings->conf.resources;
	char **entity = calloc(count + queues->count, sizeof(*entity));	/* names, by owner */
	struct entity_row *accounts = calloc(count, sizeof(*accounts));
	const struct entity_row *rows = resources->row;
	size_t row_count = resources->count;
	int status = -1;

	if (entity && accounts) {
		for (size_t i = 0; i < queues->count; i++)
			entity[count + i] = queues->name[i];
		status = names->listed ? name_entities(entities, entity, names, count,
						       scheme->entity) : 0;
		if (!row_count) {
			row_count = entity_rows_of_accounts(accounts, names, count);
			rows = accounts;
		}
		if (!status)
			status = entity_tree_create(&entities->tree, rows, row_count,
						    scheme->unknown_shares,
						    (const char *const *)entity,
						    count + queues->count, problem);
	}
	for (size_t i = 0; entity && i < count; i++)	/* the others belong to `queues` */
		free(entity[i]);
	free(entity);
	free(accounts);
	return status;
}

/* Reads the names of the associations, unless partitions are the entities, and makes the tree of
 * entities. Returns -1, and *problem unless out of memory. */
static int make_entity_tree(struct entities *entities, const struct settings *settings,
			    const struct scheme *scheme, const struct associations *associations,
			    const struct numbered_names *queues, struct fathom_error *problem)
{
	size_t count = associations->node_count;
	struct snapshot names = { .tree = associations->tree };
	int status = 0;

	if (!scheme->charges_queues)
		status = association_names_read(&names, associations->map, count);
	if (status >= 0)
		status = create_entity_tree(entities, settings, scheme, &names, count, queues,
					    problem);
	names.tree = NULL;	/* it belongs to the associations */
	snapshot_clear(&names);
	return status;
}

void entities_destroy(struct entities *entities)
{
	if (!entities)
		return;
	entity_figures_clear(&entities->figures);
	entity_tree_clear(&entities->tree);
	fathom_node_index_release(entities->map);
	free(entities);
}

/* Returns the entities of the scheme, made anew if their owners may be others now, or if groups
 * could not be looked up. queues: names of the partitions that are owners. NULL: out of memory, or
 * *problem says why. */
static struct entities *renew_entities(struct schemes *schemes, size_t scheme,
				       const struct numbered_names *queues,
				       struct fathom_error *problem)
{
	const struct scheme *definition = &schemes->settings->scheme[scheme];
	const struct associations *associations = schemes->associations;
	struct entities *entities = schemes->state[scheme].entities;
	/* partitions may be others in each pass */
	bool may_stay = entities && entities->map == associations->map &&
			!definition->charges_queues && !entities->lacks_groups;

	if (may_stay)
		return entities;
	entities_destroy(entities);
	schemes->state[scheme].entities = entities = calloc(1, sizeof(*entities));
	if (!entities)
		return NULL;
	entities->groups = &schemes->groups;
	if (make_entity_tree(entities, schemes->settings, definition, associations, queues,
			     problem) ||
	    entity_figures_create(&entities->figures, definition->policy, &definition->settings,
				  &entities->tree, problem))
		return NULL;
	entities->map = fathom_node_index_share(associations->map);
	return entities;
}

/* ---- evaluation ------------------------------------------------------------------------- */

/* The entities are evaluated in a tree of their own; then each owner gets the figures of its
 * entity. */
int entities_evaluate(struct schemes *schemes, size_t scheme, const struct partition_order *order,
		      const struct fathom_tree *tree, struct scheme_results *results,
		      struct fathom_error *problem)
{
	const struct scheme *definition = &schemes->settings->scheme[scheme];
	const struct scheme_state *state = &schemes->state[scheme];
	struct queue_figures *queues = &results->queues;
	bool has_queues = definition->charges_queues && state->sums;
	struct entities *entities;
	const uint32_t *entity_of;

	if (!definition->has_entities)
		return 0;
	if (has_queues && list_queues(queues, state, order))
		return -1;
	entities = renew_entities(schemes, scheme, &queues->names, problem);
	if (!entities)
		return -1;
	/* partitions are the owners behind the associations */
	entity_of = entities->tree.node_of + schemes->associations->node_count;
	if (has_queues)
		add_usage_of_queues(entities->figures.used, schemes, scheme, queues, entity_of);
	else
		entity_figures_add_usage(&entities->figures, tree);
	entity_figures_use(&entities->figures, tree, results->result);
	for (size_t i = 0; i < queues->names.count; i++) {
		const struct fathom_result *result = entities->figures.result;

		queues->figures[i] = evaluation_figures_at(result, &definition->settings,
							   entity_of[i]);
		queues->shares[i] = evaluation_shares_at(result, entity_of[i]);
	}
	return 0;
}
