/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks a tree for a writer, and checks names. */
#include "format/tree_writer.h"

#include "core/error.h"
#include "core/name_index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int tree_writer_run(struct tree_writer *writer,
		    int (*put)(struct tree_writer *writer, size_t node, size_t depth))
{
	size_t count = fathom_tree_count(writer->snapshot->tree);
	size_t *order = calloc(count, sizeof(*order)), *depth = calloc(count, sizeof(*depth));
	int status = 0;

	if (!order || !depth)
		status = fathom_error_no_memory(writer->error);
	else
		status = snapshot_depth_first(writer->snapshot, order, depth, writer->error);
	for (size_t i = 0; !status && i < count; i++) {
		status = put(writer, order[i], depth[order[i]]);
		writer->count++;
	}
	free(order);
	free(depth);
	return status;
}

const char *tree_writer_kind(const struct tree_writer *writer, size_t node)
{
	return fathom_tree_kind(writer->snapshot->tree, node) == FATHOM_USER ? "user" : "account";
}

int tree_writer_check_shares(const struct tree_writer *writer, size_t node, const char *format)
{
	if (!node ||
	    fathom_tree_raw_shares(writer->snapshot->tree, node) != FATHOM_SHARES_PARENT)
		return 0;
	return fathom_error_set(writer->error, EINVAL,
				"%s '%.64s': has shares \"parent\", which %s cannot have; give a "
				"number", tree_writer_kind(writer, node),
				snapshot_name(writer->snapshot, node), format);
}

int tree_writer_check_name(const struct tree_writer *writer, size_t node, const char *name,
			   const char *refused, const char *at_start, const char *format)
{
	size_t at = strcspn(name, refused);

	if (!name[at] && *name && !strchr(at_start, *name))
		return 0;
	return fathom_error_set(writer->error, EINVAL,
				"%s '%.64s': %s cannot have '%c' %s a name; rename it",
				tree_writer_kind(writer, node), name, format,
				name[at] ? name[at] : *name, name[at] ? "in" : "at the start of");
}

/* ---- formats that have each account once ------------------------------------------------ */

static const char *name_below(const struct tree_writer *writer, size_t node, const char *root)
{
	return node ? snapshot_name(writer->snapshot, node) : root;
}

static int check_account(const struct tree_writer *writer, struct name_index *accounts, size_t node,
			 const char *root, const char *format)
{
	const struct fathom_tree *tree = writer->snapshot->tree;
	const char *name = snapshot_name(writer->snapshot, node);
	struct piece piece = { name, strlen(name) };
	size_t other = name_index_get(accounts, piece);

	if (!strcmp(name, root))
		return fathom_error_set(writer->error, EINVAL, "account '%s': the name is that of "
					"%s's root; rename it", name, format);
	if (other == NAME_INDEX_NONE)
		return name_index_put(accounts, piece, node, writer->error);
	return fathom_error_set(writer->error, EINVAL, "account '%.64s' is in '%.64s' and in "
				"'%.64s'; %s has each account once", name,
				name_below(writer, fathom_tree_parent(tree, other), root),
				name_below(writer, fathom_tree_parent(tree, node), root), format);
}

int tree_writer_check_accounts(const struct tree_writer *writer, const char *root,
			       const char *format)
{
	const struct fathom_tree *tree = writer->snapshot->tree;
	struct name_index accounts = { 0 };
	int status = 0;

	for (size_t node = 1; !status && node < fathom_tree_count(tree); node++)
		if (fathom_tree_kind(tree, node) == FATHOM_ACCOUNT)
			status = check_account(writer, &accounts, node, root, format);
	name_index_clear(&accounts);
	return status;
}
