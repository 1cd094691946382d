/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks a tree for a writer, and checks names. */
#include "format/tree_writer.h"

#include "document/document.h"
#include "jobs/job_associations.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"

#include <string.h>

void tree_writer_run(struct tree_writer *writer,
		     void (*put)(struct tree_writer *writer, size_t node, size_t depth))
{
	size_t count = fathom_tree_count(writer->snapshot->tree);
	size_t *order = need_zeros(count, sizeof(*order));
	size_t *depth = need_zeros(count, sizeof(*depth));

	need_done(snapshot_depth_first(writer->snapshot, order, depth, NULL));
	for (size_t i = 0; i < count; i++) {
		put(writer, order[i], depth[order[i]]);
		writer->count++;
	}
}

const char *tree_writer_kind(const struct tree_writer *writer, size_t node)
{
	return fathom_tree_kind(writer->snapshot->tree, node) == FATHOM_USER ? "user" : "account";
}

void tree_writer_check_shares(const struct tree_writer *writer, size_t node, const char *format)
{
	if (node && fathom_tree_raw_shares(writer->snapshot->tree, node) == FATHOM_SHARES_PARENT)
		wrong_at(NULL, 0, "%s '%.64s': has shares \"parent\", which %s cannot have; give "
			 "a number", tree_writer_kind(writer, node),
			 snapshot_name(writer->snapshot, node), format);
}

void tree_writer_check_name(const struct tree_writer *writer, size_t node, const char *name,
			    const char *refused, const char *at_start, const char *format)
{
	size_t at = strcspn(name, refused);
	bool has_refused = name[at];

	if (has_refused || !*name || strchr(at_start, *name))
		wrong_at(NULL, 0, "%s '%.64s': %s cannot have '%c' %s a name; rename it",
			 tree_writer_kind(writer, node), name, format,
			 has_refused ? name[at] : *name, has_refused ? "in" : "at the start of");
}

/* ---- formats that have each account once ------------------------------------------------ */

/* Returns the name of an account, as the format has it. */
static const char *account_name(const struct tree_writer *writer, size_t node, const char *root)
{
	return node ? snapshot_name(writer->snapshot, node) : root;
}

/* Checks the name of an account against those before it, and adds it to `accounts`. */
static void check_account(const struct tree_writer *writer, struct name_index *accounts,
			  size_t node, const char *root, const char *format)
{
	const struct fathom_tree *tree = writer->snapshot->tree;
	const char *name = snapshot_name(writer->snapshot, node);
	size_t other = name_index_get(accounts, piece_of(name));

	if (!strcmp(name, root))
		wrong_at(NULL, 0, "account '%s': the name is that of %s's root; rename it", name,
			 format);
	if (other != NAME_INDEX_NONE)
		wrong_at(NULL, 0, "account '%.64s' is in '%.64s' and in '%.64s'; %s has each "
			 "account once", name,
			 account_name(writer, fathom_tree_parent(tree, other), root),
			 account_name(writer, fathom_tree_parent(tree, node), root), format);
	need_put(accounts, piece_of(name), node);
}

void tree_writer_check_accounts(const struct tree_writer *writer, const char *root,
				const char *format)
{
	const struct fathom_tree *tree = writer->snapshot->tree;
	struct name_index *accounts = need_index();

	for (size_t node = 1; node < fathom_tree_count(tree); node++)
		if (fathom_tree_kind(tree, node) == FATHOM_ACCOUNT)
			check_account(writer, accounts, node, root, format);
}

/* ---- formats without partitions ------------------------------------------------------------ */

void tree_writer_check_users(const struct tree_writer *writer, const char *format)
{
	const struct snapshot *snapshot = writer->snapshot;
	const struct fathom_tree *tree = snapshot->tree;
	struct job_associations users;

	job_associations_create(&users, snapshot);
	for (size_t node = 0; node < fathom_tree_count(tree); node++) {
		size_t other = fathom_tree_kind(tree, node) == FATHOM_USER ? users.next[node]
									   : JOB_NO_NODE;

		for (; other != JOB_NO_NODE; other = users.next[other])
			if (fathom_tree_parent(tree, other) == fathom_tree_parent(tree, node))
				wrong_at(NULL, 0, "user '%.64s' has an association for each of "
					 "several partitions in '%.64s', but only one in %s; "
					 "keep one", snapshot_name(snapshot, node),
					 snapshot_account(snapshot, node), format);
	}
}

bool tree_writer_has_resource(const struct fathom_tree *tree, size_t node)
{
	for (size_t i = 0; i < fathom_resource_count(); i++)
		if (fathom_tree_own_resource(tree, node, (enum fathom_resource)i) != 0)
			return true;
	return false;
}

bool tree_writer_has_usage(const struct fathom_tree *tree, size_t node)
{
	return fathom_tree_own_usage(tree, node) > 0 || tree_writer_has_resource(tree, node);
}
