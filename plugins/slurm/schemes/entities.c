/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "schemes/entities.h"

#include "core/entity_tree.h"
#include "core/error.h"
#include "policy/traits.h"
#include "records/association_names.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#define NO_GROUP "-"		/* of users whom the system does not know; no group has this name */
#define LOOKUP_SIZE 16384	/* bytes for what the system says of a user or group */

struct entities {
	struct entity_tree tree;
	struct fathom_node_index *map;	/* of the associations */
	double *used;			/* by node of the tree */
};

/* ---- names ---------------------------------------------------------------------------- */

/* The name of the user's own group. NULL: out of memory. */
static char *group_of(const char *user)
{
	char text[LOOKUP_SIZE], more[LOOKUP_SIZE];
	struct passwd passwd, *known = NULL;
	struct group group, *found = NULL;

	if (getpwnam_r(user, &passwd, text, sizeof(text), &known) || !known ||
	    getgrgid_r(known->pw_gid, &group, more, sizeof(more), &found) || !found)
		return strdup(NO_GROUP);
	return strdup(found->gr_name);
}

static char *euser(const char *user, const char *account)
{
	(void)account;
	return strdup(user);
}

static char *egroup(const char *user, const char *account)
{
	(void)account;
	return group_of(user);
}

static char *account_name(const char *user, const char *account)
{
	(void)user;
	return strdup(account);
}

static char *egroup_and_euser(const char *user, const char *account)
{
	char *group = group_of(user), *both;

	(void)account;
	if (!group || asprintf(&both, "%s:%s", group, user) < 0)
		both = NULL;
	free(group);
	return both;
}

/* Associations are in no queue; their jobs are. */
static char *no_name(const char *user, const char *account)
{
	(void)user, (void)account;
	return NULL;
}

static char *(*const name_of[])(const char *user, const char *account) = {
	[ENTITY_EUSER] = euser, [ENTITY_EGROUP] = egroup, [ENTITY_ACCOUNT_NAME] = account_name,
	[ENTITY_QUEUE] = no_name, [ENTITY_EGROUP_EUSER] = egroup_and_euser,
};

/* Those of an association that is gone are NULL; the next pass notices. */
static void name_entities(char **entity, const struct snapshot *names, size_t count,
			  enum fairshare_entity kind)
{
	for (size_t node = 0; node < count; node++) {
		size_t account = fathom_tree_parent(names->tree, node);

		if (fathom_tree_kind(names->tree, node) == FATHOM_USER &&
		    names->name[node] != SNAPSHOT_NO_TEXT &&
		    names->name[account] != SNAPSHOT_NO_TEXT)
			entity[node] = name_of[kind](snapshot_name(names, node),
						     snapshot_name(names, account));
	}
}

/* The accounts of the associations as the rows of a tree, in which the users' jobs are charged to
 * accounts. rows: has room for all nodes. Returns the number of rows. */
static size_t list_accounts(struct entity_row *rows, const struct snapshot *names, size_t count)
{
	const struct fathom_tree *tree = names->tree;
	size_t listed = 0;

	for (size_t node = 1; node < count; node++) {
		size_t parent = fathom_tree_parent(tree, node);

		if (fathom_tree_kind(tree, node) == FATHOM_USER ||
		    names->name[node] == SNAPSHOT_NO_TEXT ||
		    (parent && names->name[parent] == SNAPSHOT_NO_TEXT))
			continue;
		rows[listed++] = (struct entity_row){
			.name = names->text + names->name[node],
			.parent = parent ? names->text + names->name[parent] : ENTITY_ROOT,
			.shares = fathom_tree_raw_shares(tree, node),
		};
	}
	return listed;
}

/* ---- the tree ------------------------------------------------------------------------- */

static int fill_tree(struct entities *entities, const struct settings *settings,
		     const struct scheme *scheme, const struct snapshot *names, size_t count,
		     struct fathom_error *problem)
{
	const struct conf_resources *resources = &settings->conf.resources;
	char **entity = calloc(count, sizeof(*entity));
	struct entity_row *accounts = calloc(count, sizeof(*accounts));
	size_t account_count;
	int status = -1;

	if (entity && accounts) {
		name_entities(entity, names, count, scheme->entity);
		account_count = resources->count ? 0 : list_accounts(accounts, names, count);
		status = entity_tree_create(&entities->tree,
					    resources->count ? resources->row : accounts,
					    resources->count + account_count,
					    scheme->unknown_shares,
					    (const char *const *)entity, count, problem);
	}
	for (size_t i = 0; entity && i < count; i++)
		free(entity[i]);
	free(entity);
	free(accounts);
	return status;
}

static int make_tree(struct entities *entities, const struct settings *settings,
		     const struct scheme *scheme, const struct associations *associations,
		     struct fathom_error *problem)
{
	size_t count = associations->node_count;
	struct snapshot names = { .tree = associations->tree };
	int status = -1;

	association_names_read(&names, associations->map, count);
	if (names.name && names.listed)
		status = fill_tree(entities, settings, scheme, &names, count, problem);
	names.tree = NULL;	/* the associations' */
	snapshot_clear(&names);
	return status;
}

struct entities *entities_create(const struct settings *settings, const struct scheme *scheme,
				 const struct associations *associations,
				 struct fathom_error *problem)
{
	struct entities *entities = calloc(1, sizeof(*entities));

	fathom_error_no_memory(problem);
	if (!entities)
		return NULL;
	entities->map = fathom_node_index_share(associations->map);
	if (!make_tree(entities, settings, scheme, associations, problem))
		entities->used = calloc(fathom_tree_count(entities->tree.tree), sizeof(double));
	if (entities->used)
		return entities;
	entities_destroy(entities);
	return NULL;
}

void entities_destroy(struct entities *entities)
{
	if (!entities)
		return;
	entity_tree_clear(&entities->tree);
	fathom_node_index_release(entities->map);
	free(entities->used);
	free(entities);
}

bool entities_are_of(const struct entities *entities, const struct associations *associations)
{
	return entities->map == associations->map;
}

/* ---- evaluation ------------------------------------------------------------------------- */

/* What deleted users have left to their account is nobody's, and counts for the root. */
static void sum_usage(struct entities *entities, const struct fathom_tree *tree)
{
	struct fathom_tree *to = entities->tree.tree;
	size_t count = fathom_tree_count(to);

	memset(entities->used, 0, count * sizeof(*entities->used));
	for (size_t node = 0; node < fathom_tree_count(tree); node++) {
		uint32_t entity = entities->tree.node_of[node];

		entities->used[entity == ENTITY_NONE ? 0 : entity] +=
			fathom_tree_own_usage(tree, node);
	}
	for (size_t node = 0; node < count; node++)
		fathom_tree_set_own_usage(to, node, entities->used[node]);
	fathom_tree_settle(to);
}

struct fathom_result *entities_result(const struct scheme *scheme, const struct fathom_tree *tree,
				      struct fathom_error *problem)
{
	struct fathom_settings settings = scheme->settings;
	struct fathom_result *result = fathom_result_create(scheme->policy, tree, problem);

	if (!result)
		return NULL;
	/* the tree has the group */
	policy_set(scheme->policy, &settings, SETTING_UNKNOWN_SHARES, 0);
	fathom_evaluate(result, tree, &settings);
	return result;
}

int entities_evaluate(struct entities *entities, const struct scheme *scheme,
		      const struct fathom_tree *tree, struct fathom_result *result,
		      struct fathom_error *problem)
{
	struct fathom_result *of_entities;

	sum_usage(entities, tree);
	of_entities = entities_result(scheme, entities->tree.tree, problem);
	if (!of_entities)
		return -1;
	policy_use_entities(result, tree, of_entities, entities->tree.node_of);
	fathom_result_destroy(of_entities);
	return 0;
}
