/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes rows of the root, the group "unknown", the resource group and the entities that it does not
 * list; then the tree of these rows. */
#include "policy/entity_tree.h"

#include "core/error.h"
#include "core/name_index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The root's name in `names`: a user may be called "root", ENTITY_ROOT. */
#define ROOT_NAME "TREEROOT"

/* the first rows: the root, the group "unknown"; then those of the caller */
enum { ROOT, UNKNOWN, FIRST };

struct builder {
	struct fathom_row *row;		/* its room is fixed; `id` is the index */
	size_t count;			/* of rows so far */
	struct name_index names;	/* from names to indices of rows */
	struct fathom_error *error;
};

/* Adds a row below the row `parent`, which thereby becomes a group. -1: ENOMEM. */
static int add_row(struct builder *builder, const char *name, size_t parent, uint32_t shares)
{
	size_t index = builder->count++;

	builder->row[index] = (struct fathom_row){
		.id = (int64_t)index, .parent_id = (int64_t)parent, .is_root = index == ROOT,
		.kind = FATHOM_USER, .raw_shares = shares,
	};
	builder->row[parent].kind = FATHOM_ACCOUNT;
	return name_index_put(&builder->names, piece_of(name), index, builder->error);
}

/* Returns the row of a group by its name, or NAME_INDEX_NONE. */
static size_t find_parent(const struct builder *builder, const char *name)
{
	return strcmp(name, ENTITY_ROOT) ? name_index_get(&builder->names, piece_of(name)) : ROOT;
}

/* Adds the rows of the resource group, in which parents come first. -1: EINVAL, ENOMEM. */
static int add_listed(struct builder *builder, const struct entity_row *row, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t parent = find_parent(builder, row[i].parent);

		if (parent == NAME_INDEX_NONE)
			return fathom_error_set(builder->error, EINVAL, "'%s' has no parent '%s'",
						row[i].name, row[i].parent);
		if (add_row(builder, row[i].name, parent, row[i].shares))
			return -1;
	}
	return 0;
}

/* Sets row_of[] of each owner to the row of its entity, or to NAME_INDEX_NONE if it has no entity.
 * An entity without a row gets one below "unknown". -1: ENOMEM. */
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
		if (add_row(builder, entity[i], UNKNOWN, 1))
			return -1;
	}
	return 0;
}

/* Adds all rows but those of entities that the resource group does not list. -1: EINVAL, ENOMEM. */
static int add_groups(struct builder *builder, const struct entity_row *row, size_t count,
		      uint32_t unknown_shares)
{
	if (add_row(builder, ROOT_NAME, ROOT, 1) ||
	    add_row(builder, ENTITY_UNKNOWN, ROOT, unknown_shares))
		return -1;
	return add_listed(builder, row, count);
}

/* Makes the tree of the rows, and sets node_of. -1: ENOMEM. */
static int make_tree(struct entity_tree *entities, struct builder *builder, const size_t *row_of,
		     size_t owner_count)
{
	builder->row[UNKNOWN].kind = FATHOM_ACCOUNT;	/* a group also without members */
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

size_t entity_rows_of_accounts(struct entity_row *rows, const struct snapshot *names, size_t count)
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
	else if (!add_groups(&builder, row, count, unknown_shares) &&
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
