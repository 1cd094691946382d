/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Associations are found by a key of account, user and partition:
 *
 *	key				index	id in the tree
 *	"" NUL "" NUL ""		0	1	the root
 *	"physics" NUL "" NUL ""		1	2	an account
 *	"physics" NUL "ada" NUL ""	2	3	a user in it; parent: 1
 *	"physics" NUL "ada" NUL "gpu"	3	4	if partition gpu is told apart; parent: 1
 */
#include "format/accounting/accounted_associations.h"

#include "document/text.h"
#include "format/tree_builder.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"

#include <stdio.h>
#include <string.h>

#define ROOT_NAME "root"
#define LONGEST_NAME 255	/* bytes */
#define NO_ENTITY "unknown"	/* name of the entity of jobs without queue or group, as in PBS */

/* Writes a key to the buffer, which has room for 3 * LONGEST_NAME + 2 bytes, and returns it. */
static struct piece make_key(char *buffer, const struct accounted_association *association)
{
	const struct piece name[] = { association->account, association->user,
				      association->partition };
	size_t length = 0;

	for (size_t i = 0; i < 3; i++) {
		if (i)
			buffer[length++] = '\0';
		if (name[i].length)
			memcpy(buffer + length, name[i].at, name[i].length);
		length += name[i].length;
	}
	return (struct piece){ buffer, length };
}

/* Points the names of an association into its key. */
static void point_into_key(struct accounted_association *association, const char *key)
{
	association->account.at = key;
	association->user.at = key + association->account.length + 1;
	if (association->partition.length)
		association->partition.at = association->user.at + association->user.length + 1;
}

/* Returns the index of an association with these names and this line; adds it, and its account, if
 * it is new. user empty: it is the account itself; account empty: the user is below the root; both
 * empty: it is the root. */
static size_t find_or_add(struct accounted_associations *associations,
			  struct accounted_association association)
{
	char buffer[3 * LONGEST_NAME + 2];
	struct piece key = make_key(buffer, &association);
	size_t found = name_index_get(associations->index, key);

	if (found != NAME_INDEX_NONE)
		return found;
	if (association.account.length && association.user.length)
		association.parent = find_or_add(associations, (struct accounted_association){
			.account = association.account, .line = association.line });
	key.at = need_copy(key);
	point_into_key(&association, key.at);
	need_put(associations->index, key, associations->count);
	NEED_ADD(associations->association, associations->count, association);
	return associations->count - 1;
}

struct name_index *accounted_partitions_of(const struct snapshot *tree)
{
	struct name_index *partitions = need_index();

	for (size_t node = 0; tree && node < fathom_tree_count(tree->tree); node++)
		if (snapshot_partition(tree, node))
			need_put(partitions, piece_of(snapshot_partition(tree, node)), node);
	return partitions;
}

void accounted_associations_create(struct accounted_associations *associations,
				   struct name_index *partitions)
{
	*associations = (struct accounted_associations){ .index = need_index(),
							 .partitions = partitions };
	find_or_add(associations, (struct accounted_association){ .line = 0 });	/* the root */
}

/* Returns whether associations for a partition are apart from those for others. */
static bool is_told_apart(const struct accounted_associations *associations,
			  struct piece partition)
{
	if (!partition.length || partition.length > LONGEST_NAME)
		return false;
	return !associations->partitions ||
	       name_index_get(associations->partitions, partition) != NAME_INDEX_NONE;
}

size_t accounted_associations_find(struct accounted_associations *associations,
				   struct document *input, const struct accounted_job *job)
{
	struct accounted_association association = {
		.account = job->account, .user = job->user, .line = job->line,
	};

	if (piece_is(job->account, ROOT_NAME))
		association.account.length = 0;	/* the root has an empty key */
	if (job->user.length && is_told_apart(associations, job->partitions))
		association.partition = job->partitions;
	if (association.account.length > LONGEST_NAME || association.user.length > LONGEST_NAME)
		wrong_job(input, job, "a name of more than %d bytes", LONGEST_NAME);
	return find_or_add(associations, association);
}

size_t accounted_associations_find_entity(struct accounted_associations *associations,
					  struct document *input, const struct accounted_job *job,
					  enum fairshare_entity entity)
{
	const bool has_user = entity == ENTITY_EGROUP_EUSER;
	const struct piece name = entity == ENTITY_QUEUE ? job->partitions : job->group;
	char text[2 * LONGEST_NAME + 2];	/* two names and ':' */
	struct accounted_association association = { .user = { text, 0 }, .line = job->line };

	if (entity_is_association(entity))
		return accounted_associations_find(associations, input, job);
	association.user.length = (size_t)snprintf(
		text, sizeof(text), "%.*s%s%.*s", PIECE(name.length ? name : piece_of(NO_ENTITY)),
		has_user ? ":" : "", has_user ? (int)job->user.length : 0, job->user.at);
	if (association.user.length > LONGEST_NAME)
		wrong_job(input, job, "a name of more than %d bytes", LONGEST_NAME);
	return find_or_add(associations, association);
}

/* Adds the row of association i to the tree. */
static void add_row(const struct accounted_associations *associations, struct tree_builder *builder,
		    struct document *input, size_t i)
{
	const struct accounted_association *association = &associations->association[i];
	bool is_root = i == 0, is_user = association->user.length;
	const struct fathom_row row = {
		.id = (int64_t)i + 1, .parent_id = (int64_t)association->parent + 1,
		.is_root = is_root, .kind = is_user ? FATHOM_USER : FATHOM_ACCOUNT, .raw_shares = 1,
	};
	struct piece name = is_user ? association->user : association->account;

	tree_builder_add(builder, input, association->line, &row,
			 is_root ? piece_of(ROOT_NAME) : name, association->partition);
}

void accounted_associations_make_tree(const struct accounted_associations *associations,
				      struct document *input, struct snapshot *snapshot)
{
	struct tree_builder builder = { 0 };

	for (size_t i = 0; i < associations->count; i++)
		add_row(associations, &builder, input, i);
	tree_builder_finish(&builder, input, PARTITIONS_KNOWN, snapshot);
	snapshot->has_half_life = true;
}
