/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and writes usage by account and user in fathom's own JSON, see json/usage_list.h. */
#include "document/json_reader.h"
#include "format/format.h"
#include "format/tree_builder.h"
#include "format/tree_details.h"
#include "format/tree_writer.h"
#include "json/json.h"
#include "json/usage_list.h"
#include "memory/need_memory.h"

#include <string.h>

/* ---- reading ------------------------------------------------------------------------ */

/* Adds a row below `parent`, a row's id; 0: the root itself. own: what it has used; NULL: nothing,
 * it is an account. */
static void add_row(struct tree_builder *builder, struct document *input, int64_t parent,
		   const char *name, const struct usage_entry *own)
{
	static const struct usage_entry nothing;
	const struct usage_entry *entry = own ? own : &nothing;
	const struct fathom_row row = {
		.id = (int64_t)builder->count + 1, .parent_id = parent, .is_root = !parent,
		.kind = entry->owner.user ? FATHOM_USER : FATHOM_ACCOUNT,
		.raw_shares = 1, .usage = entry->usage,
	};

	tree_builder_add(builder, input, entry->line, &row, piece_of(name),
			 piece_of(entry->owner.partition));
	for (size_t i = 0; i < FATHOM_RESOURCE_COUNT; i++)
		if (entry->has_resource[i])
			tree_builder_set_resource(builder, (enum fathom_resource)i,
						  entry->amount[i]);
}

/* Entries are in the order of accounts, an account's own first. Those of the root are the root and
 * the users directly below it. */
static void add_rows(struct tree_builder *builder, struct document *input,
		    const struct usage_list *list)
{
	const struct usage_owner root = { .account = USAGE_LIST_ROOT };
	const char *last = USAGE_LIST_ROOT;
	int64_t account = 0;

	add_row(builder, input, 0, root.account, usage_list_find(list, &root));
	for (size_t i = 0; i < list->count; i++) {
		const struct usage_entry *entry = &list->entry[i];
		const struct usage_owner *owner = &entry->owner;
		bool is_root = !strcmp(owner->account, root.account);

		if (!is_root && strcmp(owner->account, last)) {
			last = owner->account;
			account = (int64_t)builder->count + 1;
			add_row(builder, input, 1, last, owner->user ? NULL : entry);
		}
		if (owner->user)
			add_row(builder, input, is_root ? 1 : account, owner->user, entry);
	}
}

static void clear_list(void *list)
{
	usage_list_clear(list);
}

static void read_usage(struct document *input, struct snapshot *snapshot)
{
	struct usage_list *list = need_owned(need_object(sizeof(*list)), clear_list);
	struct tree_builder builder = { 0 };
	struct fathom_error error;
	unsigned line;

	if (usage_list_read(list, input->text, input->length, &line, &error))
		wrong_by(input, line, &error);
	add_rows(&builder, input, list);
	tree_builder_finish(&builder, input, true, snapshot);
	snapshot->has_time = list->has_time;
	snapshot->time = list->time;
}

/* ---- writing ------------------------------------------------------------------------ */

static bool has_usage(const struct fathom_tree *tree, size_t node)
{
	bool has = fathom_tree_own_usage(tree, node) > 0;

	for (size_t i = 0; i < fathom_resource_count(); i++)
		has |= fathom_tree_own_resource(tree, node, (enum fathom_resource)i) != 0;
	return has;
}

static void put_resources(FILE *out, const struct fathom_tree *tree, size_t node)
{
	for (size_t i = 0; i < fathom_resource_count(); i++) {
		double amount = fathom_tree_own_resource(tree, node, (enum fathom_resource)i);

		if (amount != 0)
			json_put_number_key(out, fathom_resource_name((enum fathom_resource)i),
					    amount);
	}
}

static void put_node(struct tree_writer *writer, size_t node, size_t depth)
{
	const struct snapshot *snapshot = writer->snapshot;
	const struct fathom_tree *tree = snapshot->tree;
	struct usage_owner owner = usage_owner_of(snapshot, tree, node);

	(void)depth;
	if (!has_usage(tree, node))
		return;
	usage_list_put(writer->out, &owner, fathom_tree_own_usage(tree, node), writer->context);
	put_resources(writer->out, tree, node);
	json_put(writer->out, "}");
}

static void write_usage(FILE *out, const struct snapshot *snapshot)
{
	bool more = false;
	struct tree_writer writer = { .out = out, .snapshot = snapshot, .context = &more };

	tree_writer_check_accounts(&writer, USAGE_LIST_ROOT, "usage");
	usage_list_begin(out, NULL, snapshot->has_time ? &snapshot->time : NULL);
	tree_writer_run(&writer, put_node);
	usage_list_end(out);
}

const struct format format_fathom_usage = {
	.name = "usage",
	.summary = "usage by account and user, \"format\": \"" USAGE_LIST_FORMAT "\"",
	.holds = HOLDS_USAGE,
	.document = USAGE_LIST_FORMAT,
	.read = read_usage,
	.write = write_usage,
	.keeps = KEEPS_ALL,	/* it is meant to have no shares */
};
