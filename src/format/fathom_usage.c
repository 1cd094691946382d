/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and writes usage by account and user in fathom's own JSON, see json/usage_list.h. */
#include "format/format.h"
#include "format/tree_builder.h"
#include "format/tree_writer.h"
#include "json/json.h"
#include "json/usage_list.h"
#include "memory/need_memory.h"

#include <string.h>

/* ---- reading ------------------------------------------------------------------------ */

#define NO_PARENT 0	/* in place of an id */
#define ROOT_ID 1	/* the root's row is the first one */

/* Adds a row with the next id, from 1. parent: id of its parent's row; 0: the row is the root. own:
 * the entry of the row; NULL: the row is an account without own usage. */
static void add_row(struct tree_builder *builder, struct document *input, int64_t parent,
		   const char *name, const struct usage_entry *own)
{
	static const struct usage_entry nothing;
	const struct usage_entry *entry = own ? own : &nothing;
	const struct fathom_row row = {
		.id = (int64_t)builder->count + 1, .parent_id = parent,
		.is_root = parent == NO_PARENT,
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

/* Adds a row for the root, for each account, below the root, and for each user, below its account.
 * The entries are sorted by account, an account's own entry first. */
static void add_rows(struct tree_builder *builder, struct document *input,
		    const struct usage_list *list)
{
	const struct usage_owner root = { .account = USAGE_LIST_ROOT };
	const char *last = USAGE_LIST_ROOT;	/* the account of the entry before */
	int64_t account = 0;			/* the id of its row */

	add_row(builder, input, NO_PARENT, root.account, usage_list_find(list, &root));
	for (size_t i = 0; i < list->count; i++) {
		const struct usage_entry *entry = &list->entry[i];
		const struct usage_owner *owner = &entry->owner;
		bool is_root = !strcmp(owner->account, root.account);

		if (!is_root && strcmp(owner->account, last)) {
			last = owner->account;
			account = (int64_t)builder->count + 1;
			add_row(builder, input, ROOT_ID, last, owner->user ? NULL : entry);
		}
		if (owner->user)
			add_row(builder, input, is_root ? ROOT_ID : account, owner->user, entry);
	}
}

NEED_DESTROYER(clear_list, usage_list_clear)

static void read_usage(struct document *input, struct snapshot *snapshot)
{
	/* owned, so that it is freed even if tree_builder_finish() fails */
	struct usage_list *list = need_owned(need_object(sizeof(*list)), clear_list);
	struct tree_builder builder = { 0 };
	struct fathom_error error;
	unsigned line;

	if (usage_list_read(list, input->text, input->length, &line, &error))
		wrong_by(input, line, &error);
	add_rows(&builder, input, list);
	tree_builder_finish(&builder, input, PARTITIONS_KNOWN, snapshot);
	snapshot->has_time = list->has_time;
	snapshot->time = list->time;
}

/* ---- writing ------------------------------------------------------------------------ */

/* Writes the own amounts of a node that are not 0. Run time is also written if it is 0: without
 * any, usage would stand for it. */
static void put_resources(FILE *out, const struct fathom_tree *tree, size_t node)
{
	for (size_t i = 0; i < fathom_resource_count(); i++) {
		enum fathom_resource resource = (enum fathom_resource)i;
		double amount = fathom_tree_own_resource(tree, node, resource);
		bool counts_at_0 = resource == FATHOM_RUN_TIME &&
				   fathom_tree_has_resource(tree, resource);

		if (amount != 0 || counts_at_0)
			json_put_number_key(out, fathom_resource_name(resource), amount);
	}
}

/* Writes the entry of a node, unless it has no usage. writer->context: bool, an entry was
 * written. */
static void put_node(struct tree_writer *writer, size_t node, size_t depth)
{
	const struct snapshot *snapshot = writer->snapshot;
	const struct fathom_tree *tree = snapshot->tree;
	struct usage_owner owner = usage_owner_of(snapshot, tree, node);

	(void)depth;
	if (!tree_writer_has_usage(tree, node))
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
	tree_writer_check_users(&writer, "usage", USER_ONCE_WITH_USAGE);
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
	.keeps = KEEPS_ALL,	/* tells of no losses: users want usage alone from this format */
};
