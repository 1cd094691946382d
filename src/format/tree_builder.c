/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects the rows of a tree, checks their names, and makes a snapshot of them. */
#include "format/tree_builder.h"

#include "core/error.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROWS 1024
#define FIRST_TEXT ((size_t)1 << 14)

static int no_memory(struct fathom_error *error)
{
	return fathom_error_set(error, ENOMEM, "%s", strerror(ENOMEM));
}

/* ---- names ------------------------------------------------------------------- */

/* Copies a text behind those that are kept already; *place: its offset. */
static int keep_text(struct tree_builder *builder, struct piece piece, size_t *place,
		     struct fathom_error *error)
{
	if (!piece.at) {
		*place = SNAPSHOT_NO_TEXT;
		return 0;
	}
	if (builder->text_room - builder->length <= piece.length) {
		size_t room = 2 * (builder->text_room + piece.length) + FIRST_TEXT;
		char *text = realloc(builder->text, room);

		if (!text)
			return no_memory(error);
		builder->text = text;
		builder->text_room = room;
	}
	*place = builder->length;
	memcpy(builder->text + builder->length, piece.at, piece.length);
	builder->length += piece.length;
	builder->text[builder->length++] = '\0';
	return 0;
}

/* ---- rows -------------------------------------------------------------------- */

static int grow(void *array, size_t room, size_t size)
{
	void **old = array, *grown = reallocarray(*old, room, size);

	if (!grown)
		return -1;
	*old = grown;
	return 0;
}

static int room_for_row(struct tree_builder *builder, struct fathom_error *error)
{
	size_t room = builder->room ? 2 * builder->room : FIRST_ROWS;

	if (builder->count < builder->room)
		return 0;
	if (grow(&builder->row, room, sizeof(*builder->row)) ||
	    grow(&builder->name, room, sizeof(*builder->name)) ||
	    grow(&builder->partition, room, sizeof(*builder->partition)) ||
	    grow(&builder->line, room, sizeof(*builder->line)))
		return no_memory(error);
	builder->room = room;
	return 0;
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
	if (room_for_row(builder, error) || keep_text(builder, name, &builder->name[at], error) ||
	    keep_text(builder, partition, &builder->partition[at], error))
		return -1;
	builder->row[at] = *row;
	builder->line[at] = line;
	builder->count++;
	return 0;
}

int tree_builder_set_resource(struct tree_builder *builder, enum fathom_resource resource,
			      double amount, struct fathom_error *error)
{
	if (builder->resource_count == builder->resource_room) {
		size_t room = builder->resource_room ? 2 * builder->resource_room : FIRST_ROWS;

		if (grow(&builder->resource, room, sizeof(*builder->resource)))
			return no_memory(error);
		builder->resource_room = room;
	}
	builder->resource[builder->resource_count++] = (struct row_resource){
		.row = builder->count - 1, .resource = resource, .amount = amount
	};
	return 0;
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
	slot = calloc(size, sizeof(*slot));
	if (!slot)
		return no_memory(error);
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
	free(slot);
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

int tree_builder_finish(struct tree_builder *builder, struct document *input, bool partitions_known,
			struct snapshot *snapshot, struct fathom_error *error)
{
	size_t count = builder->count;

	memset(snapshot, 0, sizeof(*snapshot));
	if (make_tree(builder, input, snapshot, error) ||
	    check_unique(builder, input, partitions_known, error))
		goto error;
	snapshot->name = calloc(count, sizeof(*snapshot->name));
	snapshot->partition = calloc(count, sizeof(*snapshot->partition));
	if (!snapshot->name || !snapshot->partition) {
		no_memory(error);
		goto error;
	}
	for (size_t row = 0; row < count; row++) {
		size_t node = fathom_tree_node_of_row(snapshot->tree, row);

		snapshot->name[node] = builder->name[row];
		snapshot->partition[node] = builder->partition[row];
	}
	snapshot->text = builder->text;
	builder->text = NULL;
	builder->length = builder->text_room = 0;
	return 0;
error:
	snapshot_clear(snapshot);
	return -1;
}

void tree_builder_clear(struct tree_builder *builder)
{
	free(builder->row);
	free(builder->name);
	free(builder->partition);
	free(builder->line);
	free(builder->text);
	free(builder->resource);
	memset(builder, 0, sizeof(*builder));
}
