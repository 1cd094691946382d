/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "policy/entity_tree.h"

#include "core/error.h"
#include "core/name_index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ROOT_NAME "TREEROOT"	/* a user may have the name "root" */

enum { ROOT, UNKNOWN, FIRST };	/* rows: the root, the group "unknown", the first of the caller's */

struct builder {
	struct fathom_row *row;
	size_t count;
	struct name_index names;	/* of rows */
	struct fathom_error *error;
};

/* Adds a row below another one, which thereby becomes a group. -1: ENOMEM. */
static int add(struct builder *builder, const char *name, size_t parent, uint32_t shares)
{
	size_t at = builder->count++;

	builder->row[at] = (struct fathom_row){
		.id = (int64_t)at, .parent_id = (int64_t)parent, .is_root = at == ROOT,
		.kind = FATHOM_USER, .raw_shares = shares,
	};
	builder->row[parent].kind = FATHOM_ACCOUNT;
	return name_index_put(&builder->names, piece_of(name), at, builder->error);
}

/* Returns the row of a group by its name, or NAME_INDEX_NONE. */
static size_t find_parent(const struct builder *builder, const char *name)
{
	return strcmp(name, ENTITY_ROOT) ? name_index_get(&builder->names, piece_of(name)) : ROOT;
}

/* Adds the rows of the caller, in which parents come first. -1: EINVAL, ENOMEM. */
static int add_rows(struct builder *builder, const struct entity_row *row, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t parent = find_parent(builder, row[i].parent);

		if (parent == NAME_INDEX_NONE)
			return fathom_error_set(builder->error, EINVAL, "'%s' has no parent '%s'",
						row[i].name, row[i].parent);
		if (add(builder, row[i].name, parent, row[i].shares))
			return -1;
	}
	return 0;
}

/* Sets row_of[owner] to the row of its entity, or to NAME_INDEX_NONE. An entity that the rows do
 * not list is added below "unknown". -1: ENOMEM. */
static int add_entities(struct builder *builder, const char *const *entity, size_t count,
			size_t *row_of)
{
	for (size_t i = 0; i < count; i++) {
		row_of[i] = NAME_INDEX_NONE;
		if (!entity[i])
			continue;
		row_of[i] = name_index_get(&builder->names, piece_of(entity[i]));
		if (row_of[i] != NAME_INDEX_NONE)
			continue;
		row_of[i] = builder->count;
		if (add(builder, entity[i], UNKNOWN, 1))
			return -1;
	}
	return 0;
}

static int build(struct builder *builder, const struct entity_row *row, size_t count,
		 uint32_t unknown_shares)
{
	if (add(builder, ROOT_NAME, ROOT, 1) ||
	    add(builder, ENTITY_UNKNOWN, ROOT, unknown_shares))
		return -1;
	return add_rows(builder, row, count);
}

/* Makes the tree of the rows, and sets node_of. -1: ENOMEM. */
static int make_tree(struct entity_tree *entities, struct builder *builder, const size_t *row_of,
		     size_t owner_count)
{
	builder->row[UNKNOWN].kind = FATHOM_ACCOUNT;	/* also without members, it is a group */
	entities->node_of = calloc(owner_count + 1, sizeof(*entities->node_of));
	if (!entities->node_of)
		return fathom_error_no_memory(builder->error);
	entities->tree = fathom_tree_create(builder->row, builder->count, builder->error);
	if (!entities->tree)
		return -1;
	for (size_t i = 0; i < owner_count; i++)
		entities->node_of[i] =
			row_of[i] == NAME_INDEX_NONE
				? ENTITY_NONE
				: (uint32_t)fathom_tree_node_of_row(entities->tree, row_of[i]);
	return 0;
}

int entity_tree_create(struct entity_tree *entities, const struct entity_row *row, size_t count,
		       uint32_t unknown_shares, const char *const *entity, size_t owner_count,
		       struct fathom_error *error)
{
	struct builder builder = {
		.row = calloc(FIRST + count + owner_count, sizeof(*builder.row)),
		.error = error,
	};
	size_t *row_of = calloc(owner_count + 1, sizeof(*row_of));
	int status = -1;

	*entities = (struct entity_tree){ NULL };
	if (!builder.row || !row_of)
		fathom_error_no_memory(error);
	else if (!build(&builder, row, count, unknown_shares) &&
		 !add_entities(&builder, entity, owner_count, row_of))
		status = make_tree(entities, &builder, row_of, owner_count);
	name_index_clear(&builder.names);
	free(builder.row);
	free(row_of);
	if (status)
		entity_tree_clear(entities);
	return status;
}

void entity_tree_clear(struct entity_tree *entities)
{
	fathom_tree_destroy(entities->tree);
	free(entities->node_of);
	*entities = (struct entity_tree){ NULL };
}
