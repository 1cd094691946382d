/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "records/association_names.h"

#include "core/array.h"
#include "walk/sliced_walk.h"

#include <stdlib.h>
#include <string.h>

/* Names that are being copied from the records. */
struct name_copy {
	const struct fathom_node_index *nodes;	/* by association id */
	struct snapshot *names;
	size_t length, room;	/* of names->text, bytes */
	size_t found;		/* nodes whose name has been copied */
	bool failed;		/* out of memory */
};

/* Returns the offset of the text in names->text. */
static size_t add_text(struct name_copy *copy, const char *text)
{
	size_t size = strlen(text) + 1, offset = copy->length;
	char *grown = array_grow(copy->names->text, &copy->room, offset + size, 1);

	if (!grown) {
		copy->failed = true;
		return SNAPSHOT_NO_TEXT;
	}
	copy->names->text = grown;
	memcpy(grown + offset, text, size);
	copy->length += size;
	return offset;
}

/* Leaves out a record that the walk has met before, or that is newer than the nodes. */
static void copy_names(void *item, size_t at, void *context)
{
	const slurmdb_assoc_rec_t *record = item;
	const char *name = record->user ? record->user : record->acct;
	struct name_copy *copy = context;
	struct snapshot *names = copy->names;
	uint32_t node;

	(void)at;
	if (copy->failed || !name || !fathom_node_index_find(copy->nodes, record->id, &node) ||
	    names->name[node] != SNAPSHOT_NO_TEXT)
		return;
	names->name[node] = add_text(copy, name);
	if (record->partition && *record->partition)
		names->partition[node] = add_text(copy, record->partition);
	names->listed[copy->found++] = node;
}

static size_t *create_offsets(size_t count)
{
	size_t *offset = malloc(count * sizeof(*offset));

	for (size_t i = 0; offset && i < count; i++)
		offset[i] = SNAPSHOT_NO_TEXT;
	return offset;
}

bool association_names_read(struct snapshot *names, const struct fathom_node_index *map,
			    size_t count)
{
	static const assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	static const struct sliced_walk walk = { .list = &assoc_mgr_assoc_list,
						 .assoc_locks = &locks };
	struct name_copy copy = { .nodes = map, .names = names };

	names->name = create_offsets(count);
	names->partition = create_offsets(count);
	names->listed = malloc(count * sizeof(*names->listed));	/* in slurmctld's order */
	if (!names->name || !names->partition || !names->listed)
		return false;
	sliced_walk(&walk, (struct list_walk_stages){ .work = copy_names }, &copy);
	return !copy.failed && copy.found == count;
}
