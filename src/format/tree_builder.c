/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects the rows of a tree, checks their names, and makes a snapshot of them. */
#include "format/tree_builder.h"

#include "format/recorded.h"
#include "jobs/need_trees.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"

#include <math.h>
#include <string.h>

#define NO_NODE SIZE_MAX

/* ---- names ------------------------------------------------------------------- */

/* Copies a text behind those that are kept already. Returns its offset in builder->text;
 * SNAPSHOT_NO_TEXT: piece.at is NULL. */
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

void tree_builder_add(struct tree_builder *builder, struct document *input, size_t line,
		      const struct fathom_row *row, struct piece name, struct piece partition)
{
	/* NEED_ADD() counts up the number of each array */
	size_t names = builder->count, partitions = names, defaults = names, lines = names;

	if (!name.length)
		wrong_at(input, line, "the name is empty, must have a character");
	if (!piece_is_printable(name) || !piece_is_printable(partition))
		wrong_at(input, line, "a name has a byte that is not a printable UTF-8 character");
	if (builder->accounts && row->kind == FATHOM_ACCOUNT)
		need_put(builder->accounts, name, builder->count);
	NEED_ADD(builder->name, names, keep_text(builder, name));
	NEED_ADD(builder->partition, partitions, keep_text(builder, partition));
	NEED_ADD(builder->default_account, defaults, SNAPSHOT_NO_TEXT);
	NEED_ADD(builder->line, lines, line);
	NEED_ADD(builder->row, builder->count, *row);
}

void tree_builder_set_resource(struct tree_builder *builder, enum fathom_resource resource,
			       double amount)
{
	NEED_ADD(builder->resource, builder->resource_count, (struct row_resource){
		.row = builder->count - 1, .resource = resource, .amount = amount });
}

void tree_builder_set_default_account(struct tree_builder *builder, size_t row,
				      struct piece account)
{
	builder->default_account[row] = keep_text(builder, account);
}

/* ---- names that occur twice ------------------------------------------------------ */

/* Goes on with a hash by a text: FNV-1a, mixed at the end so that "ab", "c" differs from "a",
 * "bc". */
static uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return hash * UINT64_C(0x9e3779b97f4a7c15);
}

/* Returns the partition of a row; "": it has none. */
static const char *partition_of(const struct tree_builder *builder, size_t row)
{
	size_t offset = builder->partition[row];

	return offset == SNAPSHOT_NO_TEXT ? "" : builder->text + offset;
}

/* Returns a hash of what is_same() compares. */
static uint64_t hash_row(const struct tree_builder *builder, size_t row)
{
	uint64_t hash = (uint64_t)builder->row[row].parent_id * 2 + builder->row[row].kind;

	hash = hash_text(hash * UINT64_C(0x9e3779b97f4a7c15), builder->text + builder->name[row]);
	hash = hash_text(hash, partition_of(builder, row));
	return hash ^ hash >> 29;
}

/* Returns whether two rows have the same parent, kind, name and partition, and neither is the
 * root. */
static bool is_same(const struct tree_builder *builder, size_t a, size_t b)
{
	return builder->row[a].parent_id == builder->row[b].parent_id &&
	       builder->row[a].kind == builder->row[b].kind && !builder->row[a].is_root &&
	       !builder->row[b].is_root &&
	       !strcmp(builder->text + builder->name[a], builder->text + builder->name[b]) &&
	       !strcmp(partition_of(builder, a), partition_of(builder, b));
}

/* Fails because a row is the same as an earlier one, `first`. */
static _Noreturn void refuse_twin(const struct tree_builder *builder, size_t row, size_t first,
				  struct document *input)
{
	const char *partition = partition_of(builder, row);
	size_t line = builder->line[first];	/* 0: the input has no lines */

	wrong_at(input, builder->line[row],
		 "%s '%.64s'%s%.64s is already below the same account%s",
		 builder->row[row].kind == FATHOM_USER ? "user" : "account",
		 builder->text + builder->name[row], *partition ? " of partition " : "",
		 partition, line ? need_print(" in line %zu", line) : "");
}

/* Checks that no two rows are the same, by a hash table of rows with open addressing.
 * partitions_known: false: users are not compared, see tree_builder_finish(). */
static void check_unique(const struct tree_builder *builder, struct document *input,
			 bool partitions_known)
{
	size_t size = 16;	/* a power of 2, so that a mask cuts the hash */
	uint32_t *slot;		/* row + 1; 0: free */

	while (size < 2 * builder->count)	/* at most half full */
		size *= 2;
	slot = need_zeros(size, sizeof(*slot));
	for (size_t row = 0; row < builder->count; row++) {
		size_t at = hash_row(builder, row) & (size - 1);

		if (!partitions_known && builder->row[row].kind == FATHOM_USER)
			continue;
		while (slot[at] && !is_same(builder, row, slot[at] - 1))
			at = (at + 1) & (size - 1);
		if (slot[at])
			refuse_twin(builder, row, slot[at] - 1, input);
		slot[at] = (uint32_t)row + 1;
	}
	need_free(slot);
}

/* ---- the snapshot -------------------------------------------------------------- */

/* Sets the resources of rows on their nodes, and settles the tree. */
static void set_resources(const struct tree_builder *builder, struct fathom_tree *tree)
{
	for (size_t i = 0; i < builder->resource_count; i++) {
		const struct row_resource *resource = &builder->resource[i];
		size_t node = fathom_tree_node_of_row(tree, resource->row);

		need_done(fathom_tree_set_own_resource(tree, node, resource->resource,
						       resource->amount, NULL));
	}
	fathom_tree_settle(tree);
}

/* Replaces totals by own usage. */
static void subtract_children(struct fathom_tree *tree)
{
	size_t count = fathom_tree_count(tree);
	double *total = need_zeros(count, sizeof(*total));

	for (size_t node = 0; node < count; node++)
		total[node] = fathom_tree_own_usage(tree, node);
	recorded_give_usage(tree, total);
}

/* Checks the sums at the root: a sum anywhere that is out of range makes them inf or nan. */
static void check_sums(const struct fathom_tree *tree, struct document *input)
{
	if (!isfinite(fathom_tree_usage(tree, 0)))
		wrong_at(input, 1, "the sum of usage is out of range");
	for (size_t i = 0; i < fathom_resource_count(); i++)
		if (!isfinite(fathom_tree_resource(tree, 0, (enum fathom_resource)i)))
			wrong_at(input, 1, "a sum of times, slots or adjustments is out of range");
}

/* Makes the tree, with resources. Fails for the line of the wrong row. */
static struct fathom_tree *make_tree(const struct tree_builder *builder, struct document *input)
{
	struct fathom_error error;
	struct fathom_tree *tree = fathom_tree_create(builder->row, builder->count, &error);

	if (!tree && error.row == FATHOM_NO_ROW)
		wrong_at(input, 1, "%s", error.text);
	if (!tree)
		wrong_at(input, builder->line[error.row], "'%.64s': %s",
			 builder->text + builder->name[error.row], error.text);
	need_tree(tree);
	set_resources(builder, tree);
	if (builder->has_totals)
		subtract_children(tree);
	check_sums(tree, input);
	return tree;
}

void tree_builder_finish(struct tree_builder *builder, struct document *input,
			 bool partitions_known, struct snapshot *snapshot)
{
	size_t count = builder->count;

	*snapshot = (struct snapshot){ .tree = make_tree(builder, input) };
	check_unique(builder, input, partitions_known);
	snapshot->text = builder->text;
	snapshot->name = need_zeros(count, sizeof(*snapshot->name));
	snapshot->partition = need_zeros(count, sizeof(*snapshot->partition));
	snapshot->default_account = need_zeros(count, sizeof(*snapshot->default_account));
	for (size_t row = 0; row < count; row++) {
		size_t node = fathom_tree_node_of_row(snapshot->tree, row);

		snapshot->default_account[node] = builder->default_account[row];
		snapshot->name[node] = builder->name[row];
		snapshot->partition[node] = builder->partition[row];
	}
	builder->text = NULL;	/* it belongs to the snapshot now */
	tree_builder_clear(builder);
}

void tree_builder_clear(struct tree_builder *builder)
{
	need_free(builder->row);
	need_free(builder->name);
	need_free(builder->partition);
	need_free(builder->line);
	need_free(builder->text);
	need_free(builder->resource);
	need_free(builder->default_account);
	*builder = (struct tree_builder){ 0 };
}

/* ---- users whom a tree does not have --------------------------------------------- */

/* Returns the first account with a name; NO_NODE: there is none. */
static size_t find_account(const struct snapshot *snapshot, const char *name)
{
	for (size_t node = 0; node < fathom_tree_count(snapshot->tree); node++)
		if (fathom_tree_kind(snapshot->tree, node) == FATHOM_ACCOUNT &&
		    !strcmp(snapshot_name(snapshot, node), name))
			return node;
	return NO_NODE;
}

/* Adds a row. It comes from no document, as the names have been checked when they were read. */
static void add_row(struct tree_builder *builder, const struct fathom_row *row, const char *name,
		    const char *partition)
{
	tree_builder_add(builder, NULL, 0, row, piece_of(name), piece_of(partition));
}

/* Adds a node of a tree as a row, with its own usage and resources. */
static void copy_node(struct tree_builder *builder, const struct snapshot *snapshot, size_t node)
{
	const struct fathom_tree *tree = snapshot->tree;
	const struct fathom_row row = {
		.id = fathom_tree_id(tree, node), .is_root = !node,
		.parent_id = fathom_tree_id(tree, fathom_tree_parent(tree, node)),
		.kind = fathom_tree_kind(tree, node),
		.raw_shares = fathom_tree_raw_shares(tree, node),
		.usage = fathom_tree_own_usage(tree, node),
	};

	add_row(builder, &row, snapshot_name(snapshot, node), snapshot_partition(snapshot, node));
	for (size_t i = 0; i < fathom_resource_count(); i++)
		if (fathom_tree_has_resource(tree, (enum fathom_resource)i))
			tree_builder_set_resource(
				builder, (enum fathom_resource)i,
				fathom_tree_own_resource(tree, node, (enum fathom_resource)i));
}

bool tree_builder_add_users(struct snapshot *snapshot, const char *account,
			    const struct numbered_names *users)
{
	const size_t count = fathom_tree_count(snapshot->tree);
	size_t parent = find_account(snapshot, account);
	struct tree_builder builder = { 0 };
	struct snapshot grown = { 0 };
	struct fathom_row row = { .kind = FATHOM_USER, .raw_shares = 1 };

	if (parent == NO_NODE)
		return false;
	for (size_t node = 0; node < count; node++) {
		copy_node(&builder, snapshot, node);
		/* the greatest id so far; users get greater ones */
		if (row.id < fathom_tree_id(snapshot->tree, node))
			row.id = fathom_tree_id(snapshot->tree, node);
	}
	row.parent_id = fathom_tree_id(snapshot->tree, parent);
	for (size_t i = 0; i < users->count; i++) {
		row.id++;
		add_row(&builder, &row, users->name[i], NULL);
	}
	tree_builder_finish(&builder, NULL, PARTITIONS_KNOWN, &grown);
	grown.has_time = snapshot->has_time;
	grown.time = snapshot->time;
	grown.rule = snapshot->rule;
	*snapshot = grown;
	return true;
}
