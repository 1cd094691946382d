/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects the rows of a tree, checks their names, and makes a snapshot of them. */
#include "format/tree_builder.h"

#include "memory/need_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ------------------------------------------------------------------- */

/* Copies a text behind those that are kept already. Returns its offset. */
static size_t keep_text(struct tree_builder *builder, struct piece piece)
{
	size_t place = builder->length;

	if (!piece.at)
		return SNAPSHOT_NO_TEXT;
	builder->text = need_room(builder->text, &builder->text_room, place + piece.length + 1, 1);
	memcpy(builder->text + place, piece.at, piece.length);
	builder->text[place + piece.length] = '\0';
	builder->length += piece.length + 1;
	return place;
}

/* ---- rows -------------------------------------------------------------------- */

static void room_for_row(struct tree_builder *builder)
{
	size_t room[3] = { builder->room, builder->room, builder->room };

	builder->row = need_room(builder->row, &builder->room, builder->count + 1,
				 sizeof(*builder->row));
	builder->name = need_room(builder->name, &room[0], builder->count + 1,
				  sizeof(*builder->name));
	builder->partition = need_room(builder->partition, &room[1], builder->count + 1,
				       sizeof(*builder->partition));
	builder->line = need_room(builder->line, &room[2], builder->count + 1,
				  sizeof(*builder->line));
}

int tree_builder_add(struct tree_builder *builder, struct document *input, size_t line,
		     const struct fathom_row *row, struct piece name, struct piece partition,
		     struct fathom_error *error)
{
	size_t at = builder->count;

	if (!name.length)
		return input_wrong(input, line, error, "the name is empty, must have a character");
	if (!piece_is_printable(name) || !piece_is_printable(partition))
		return input_wrong(input, line, error,
				   "a name has a byte that is not a printable UTF-8 character");
	room_for_row(builder);
	builder->name[at] = keep_text(builder, name);
	builder->partition[at] = keep_text(builder, partition);
	builder->row[at] = *row;
	builder->line[at] = line;
	builder->count++;
	return 0;
}

void tree_builder_set_resource(struct tree_builder *builder, enum fathom_resource resource,
			       double amount)
{
	builder->resource = need_room(builder->resource, &builder->resource_room,
				      builder->resource_count + 1, sizeof(*builder->resource));
	builder->resource[builder->resource_count++] = (struct row_resource){
		.row = builder->count - 1, .resource = resource, .amount = amount
	};
}

/* ---- names that occur twice ------------------------------------------------------ */

static uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);	/* FNV-1a */
	return hash * UINT64_C(0x9e3779b97f4a7c15);
}

static const char *partition_of(const struct tree_builder *builder, size_t row)
{
	size_t at = builder->partition[row];

	return at == SNAPSHOT_NO_TEXT ? "" : builder->text + at;
}

static uint64_t hash_row(const struct tree_builder *builder, size_t row)
{
	uint64_t hash = (uint64_t)builder->row[row].parent_id * 2 + builder->row[row].kind;

	hash = hash_text(hash * UINT64_C(0x9e3779b97f4a7c15), builder->text + builder->name[row]);
	hash = hash_text(hash, partition_of(builder, row));
	return hash ^ hash >> 29;
}

/* Returns whether two rows have the same parent, kind, name and partition. */
static bool is_same(const struct tree_builder *builder, size_t a, size_t b)
{
	return builder->row[a].parent_id == builder->row[b].parent_id &&
	       builder->row[a].kind == builder->row[b].kind && !builder->row[a].is_root &&
	       !builder->row[b].is_root &&
	       !strcmp(builder->text + builder->name[a], builder->text + builder->name[b]) &&
	       !strcmp(partition_of(builder, a), partition_of(builder, b));
}

static int refuse_twin(const struct tree_builder *builder, size_t row, size_t first,
		       struct document *input, struct fathom_error *error)
{
	const char *partition = partition_of(builder, row);

	return input_wrong(input, builder->line[row], error,
			   "%s '%.64s'%s%.64s is already below the same account in line %zu",
			   builder->row[row].kind == FATHOM_USER ? "user" : "account",
			   builder->text + builder->name[row], *partition ? " of partition " : "",
			   partition, builder->line[first]);
}

/* Checks that no two rows are the same, by a hash table of rows. */
static int check_unique(const struct tree_builder *builder, struct document *input,
			bool partitions_known, struct fathom_error *error)
{
	size_t size = 16;
	int status = 0;
	uint32_t *slot;	/* row + 1; 0: free */

	while (size < 2 * builder->count)
		size *= 2;
	slot = need_zeros(size, sizeof(*slot));
	for (size_t row = 0; !status && row < builder->count; row++) {
		size_t at = hash_row(builder, row) & (size - 1);

		if (!partitions_known && builder->row[row].kind == FATHOM_USER)
			continue;
		while (slot[at] && !is_same(builder, row, slot[at] - 1))
			at = (at + 1) & (size - 1);
		if (slot[at])
			status = refuse_twin(builder, row, slot[at] - 1, input, error);
		slot[at] = (uint32_t)row + 1;
	}
	need_free(slot);
	return status;
}

/* ---- the snapshot -------------------------------------------------------------- */

static int set_resources(const struct tree_builder *builder, struct fathom_tree *tree,
			 struct fathom_error *error)
{
	for (size_t i = 0; i < builder->resource_count; i++) {
		const struct row_resource *resource = &builder->resource[i];
		size_t node = fathom_tree_node_of_row(tree, resource->row);

		if (fathom_tree_set_own_resource(tree, node, resource->resource, resource->amount,
						 error))
			return -1;
	}
	fathom_tree_settle(tree);
	return 0;
}

/* Checks the sums at the root: a sum anywhere that is out of range makes them inf or nan. */
static int check_sums(const struct fathom_tree *tree, struct document *input,
		      struct fathom_error *error)
{
	if (!isfinite(fathom_tree_usage(tree, 0)))
		return input_wrong(input, 1, error, "the sum of usage is out of range");
	for (size_t i = 0; i < fathom_resource_count(); i++)
		if (!isfinite(fathom_tree_resource(tree, 0, (enum fathom_resource)i)))
			return input_wrong(input, 1, error, "a sum of times, slots or adjustments "
					   "is out of range");
	return 0;
}

static int make_tree(const struct tree_builder *builder, struct document *input,
		     struct snapshot *snapshot, struct fathom_error *error)
{
	struct fathom_error inner;

	snapshot->tree = fathom_tree_create(builder->row, builder->count, &inner);
	if (!snapshot->tree) {
		if (inner.row == FATHOM_NO_ROW)
			return input_wrong(input, 1, error, "%s", inner.text);
		return input_wrong(input, builder->line[inner.row], error, "'%.64s': %s",
				   builder->text + builder->name[inner.row], inner.text);
	}
	if (set_resources(builder, snapshot->tree, error))
		return -1;
	return check_sums(snapshot->tree, input, error);
}

/* What a snapshot has is freed by snapshot_clear(). */
static void *take(void *array, size_t size)
{
	return memcpy(need_made(malloc(size ? size : 1)), array, size);
}

int tree_builder_finish(struct tree_builder *builder, struct document *input, bool partitions_known,
			struct snapshot *snapshot, struct fathom_error *error)
{
	size_t count = builder->count;

	memset(snapshot, 0, sizeof(*snapshot));
	if (make_tree(builder, input, snapshot, error) ||
	    check_unique(builder, input, partitions_known, error)) {
		snapshot_clear(snapshot);
		return -1;
	}
	snapshot->text = take(builder->text, builder->length);
	snapshot->name = need_made(calloc(count, sizeof(*snapshot->name)));
	snapshot->partition = need_made(calloc(count, sizeof(*snapshot->partition)));
	for (size_t row = 0; row < count; row++) {
		size_t node = fathom_tree_node_of_row(snapshot->tree, row);

		snapshot->name[node] = builder->name[row];
		snapshot->partition[node] = builder->partition[row];
	}
	tree_builder_clear(builder);
	return 0;
}

void tree_builder_clear(struct tree_builder *builder)
{
	need_free(builder->row);
	need_free(builder->name);
	need_free(builder->partition);
	need_free(builder->line);
	need_free(builder->text);
	need_free(builder->resource);
	*builder = (struct tree_builder){ 0 };
}
