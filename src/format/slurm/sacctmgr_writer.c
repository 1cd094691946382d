/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a line Parent for each account, and then a line for each account and user directly below
 * it; sacctmgr.c shows such a file. */
#include "format/slurm/sacctmgr_writer.h"

#include "core/small_letters.h"
#include "document/document.h"
#include "format/tree_writer.h"
#include "memory/need_memory.h"

#include <inttypes.h>
#include <string.h>

#define MOST_REFUSED 8		/* names that a message lists */
#define CLUSTER "cluster"	/* a stand-in: users give the real name by sacctmgr load Cluster= */

/* Returns how the tree is written. */
static const struct sacctmgr_form *form_of(const struct tree_writer *writer)
{
	return writer->context;
}

/* Returns whether a node is written as a user. */
static bool is_user(const struct tree_writer *writer, size_t node)
{
	return fathom_tree_kind(writer->snapshot->tree, node) == FATHOM_USER &&
	       !form_of(writer)->accounts_alone;
}

/* Returns the name of a node as it is written. */
static const char *name_of(const struct tree_writer *writer, size_t node)
{
	return node ? snapshot_name(writer->snapshot, node) : SACCTMGR_ROOT;
}

/* ---- names ------------------------------------------------------------------------------- */

/* Gives small letters to names of accounts, as sacctmgr load does. */
static void make_accounts_small(const struct tree_writer *writer)
{
	const struct snapshot *snapshot = writer->snapshot;

	for (size_t node = 0; node < fathom_tree_count(snapshot->tree); node++) {
		if (snapshot_default_account(snapshot, node))
			make_small(snapshot->text + snapshot->default_account[node]);
		if (!is_user(writer, node))
			make_small(snapshot->text + snapshot->name[node]);
	}
}

/* Names that cannot be written. */
struct refused_names {
	const char *name[MOST_REFUSED];	/* the first ones */
	size_t count;			/* of all */
};

/* Returns the i-th name, for need_list(); NULL behind the last one. */
static const char *refused_at(const void *context, size_t i)
{
	const struct refused_names *refused = context;

	return i < refused->count && i < MOST_REFUSED ? refused->name[i] : NULL;
}

/* Fails if sacctmgr cannot have some names, and tells the first ones. */
static void check_names(const struct tree_writer *writer)
{
	struct refused_names refused = { .count = 0 };
	char more[32] = "";

	for (size_t node = 1; node < fathom_tree_count(writer->snapshot->tree); node++) {
		const char *name = name_of(writer, node);

		/* Slurm's own commands change quotes into backquotes, and end with an error at
		 * '=' */
		if (!name[strcspn(name, "'\"=")])
			continue;
		if (refused.count < MOST_REFUSED)
			refused.name[refused.count] = name;
		refused.count++;
	}
	if (!refused.count)
		return;
	if (refused.count > MOST_REFUSED)
		snprintf(more, sizeof(more), " and %zu more", refused.count - MOST_REFUSED);
	wrong_at(NULL, 0, "sacctmgr cannot have ', \" or = in a name; rename %s%s",
		 need_list((struct name_list){ refused_at, &refused },
			   refused.count > MOST_REFUSED ? ", " : " and ", MOST_REFUSED * 32), more);
}

/* Writes a text in quotes, with a backslash before each '#', which would begin a comment, and
 * before each backslash. */
static void put_quoted(const struct tree_writer *writer, const char *text)
{
	putc('\'', writer->out);
	for (; *text; text++) {
		if (*text == '\\' || *text == '#')
			putc('\\', writer->out);
		putc(*text, writer->out);
	}
	putc('\'', writer->out);
}

/* ---- lines ------------------------------------------------------------------------------- */

/* Writes the shares and the end of a line. */
static void put_shares(const struct tree_writer *writer, size_t node)
{
	uint32_t shares = fathom_tree_raw_shares(writer->snapshot->tree, node);

	if (shares == SACCTMGR_PARENT)
		wrong_at(NULL, 0, "%s '%.64s': shares %" PRIu32 " mean parent for sacctmgr; give "
			 "another number", tree_writer_kind(writer, node), name_of(writer, node),
			 shares);
	if (shares == FATHOM_SHARES_PARENT)
		fputs(":FairShare=parent\n", writer->out);
	else
		fprintf(writer->out, ":FairShare=%" PRIu32 "\n", shares);
}

/* Writes the line of an account or a user. */
static void put_association(struct tree_writer *writer, size_t node)
{
	const char *partition = snapshot_partition(writer->snapshot, node);
	const char *default_account = snapshot_default_account(writer->snapshot, node);

	fputs(is_user(writer, node) ? "User - " : "Account - ", writer->out);
	put_quoted(writer, name_of(writer, node));
	if (partition) {
		fputs(":Partition=", writer->out);
		put_quoted(writer, partition);
	}
	if (default_account && is_user(writer, node)) {
		fputs(":DefaultAccount=", writer->out);
		put_quoted(writer, default_account);
	}
	put_shares(writer, node);
}

/* Writes the user root in the account root with 0 shares, unless the tree has that user: Slurm
 * always has it, by default with one share, which would take from the others. */
static void put_root_user(const struct tree_writer *writer)
{
	const struct fathom_tree *tree = writer->snapshot->tree;
	size_t first = fathom_tree_first_child(tree, 0);

	for (size_t i = 0; i < fathom_tree_child_count(tree, 0); i++)
		if (is_user(writer, first + i) &&
		    !strcmp(snapshot_name(writer->snapshot, first + i), SACCTMGR_ROOT))
			return;
	fputs("User - '" SACCTMGR_ROOT "':FairShare=0\n", writer->out);
}

/* Writes the children of an account. Accounts have lower numbers than their children, so that the
 * account's own line is written already. */
static void put_children(struct tree_writer *writer, size_t node)
{
	const struct fathom_tree *tree = writer->snapshot->tree;
	size_t count = fathom_tree_child_count(tree, node);

	if (!count)
		return;
	fputs("Parent - ", writer->out);
	put_quoted(writer, name_of(writer, node));
	putc('\n', writer->out);
	if (!node && form_of(writer)->root_has_no_shares)
		put_root_user(writer);
	for (size_t i = 0; i < count; i++)
		put_association(writer, fathom_tree_first_child(tree, node) + i);
}

void sacctmgr_write_as(FILE *out, const struct snapshot *snapshot, struct sacctmgr_form form)
{
	struct tree_writer writer = { .out = out, .snapshot = snapshot, .context = &form };

	make_accounts_small(&writer);
	/* in sacctmgr, an account's name occurs once in a cluster, and the root has no line */
	tree_writer_check_accounts(&writer, SACCTMGR_ROOT, "sacctmgr");
	tree_writer_check_users(&writer, "sacctmgr", USER_ONCE_BY_PARTITION);
	check_names(&writer);
	fputs("Cluster - '" CLUSTER "'\n", out);
	for (size_t node = 0; node < fathom_tree_count(snapshot->tree); node++)
		put_children(&writer, node);
}

void sacctmgr_write(FILE *out, const struct snapshot *snapshot)
{
	sacctmgr_write_as(out, snapshot, (struct sacctmgr_form){ 0 });
}
