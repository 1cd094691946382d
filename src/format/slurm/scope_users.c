/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm runs jobs of users with an association alone. So each user gets one, in an account whose
 * name is not that of a group: a job of an account with a group's name counts for this group only.
 *
 *	Scope=night ... UserShares="[lab, 10] [zoe, 1]"		users
 *	UserGroup=lab Members="ada bob"				  ada, bob, zoe
 */
#include "format/slurm/scope_users.h"

#include "core/error.h"
#include "core/name_index.h"
#include "format/tree_builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define ROOT_NAME "root"
#define ROOT_ID 1
#define ACCOUNT_ID 2

struct users {
	const struct fathom_conf *conf;
	struct name_index known;	/* groups, and users that are in the tree */
	struct tree_builder builder;
	struct document nowhere;	/* for errors */
	struct fathom_error *error;
};

static int add(struct users *users, const char *name, const struct fathom_row *row)
{
	return tree_builder_add(&users->builder, &users->nowhere, 0, row, piece_of(name),
				(struct piece){ NULL, 0 }, users->error);
}

/* ---- names ---------------------------------------------------------------------------------- */

/* Words that stand for several users. */
static bool is_word(const char *name)
{
	return !strcmp(name, "all") || !strcmp(name, "default") || !strcmp(name, "others");
}

/* Adds a user unless the name is that of a group, with or without '@', or is known already. */
static int add_user(struct users *users, const char *name)
{
	struct piece piece = piece_of(name);
	struct fathom_row row = { .id = (int64_t)users->builder.count + 1,
				  .parent_id = ACCOUNT_ID, .kind = FATHOM_USER, .raw_shares = 1 };

	if (piece.length && name[piece.length - 1] == '@')
		return 0;
	if (is_word(name) || name_index_get(&users->known, piece) != NAME_INDEX_NONE)
		return 0;
	if (name_index_put(&users->known, piece, users->builder.count, users->error))
		return -1;
	return add(users, name, &row);
}

static int add_assignments(struct users *users, const struct fathom_assignment *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (add_user(users, list[i].name))
			return -1;
	return 0;
}

static int add_group(struct users *users, const struct fathom_user_group *group)
{
	for (size_t i = 0; i < group->member_count; i++)
		if (add_user(users, group->member[i]))
			return -1;
	return add_assignments(users, group->assignment, group->assignment_count);
}

/* ---- the tree ------------------------------------------------------------------------------- */

static bool is_group(const struct fathom_conf *conf, const char *name)
{
	for (size_t i = 0; i < conf->user_groups.count; i++)
		if (!strcasecmp(conf->user_groups.group[i].name, name))
			return true;
	return false;
}

/* Adds the root, and an account whose name no group has: users, users1, ... */
static int add_accounts(struct users *users)
{
	static const struct fathom_row root = { .id = ROOT_ID, .is_root = true,
						.kind = FATHOM_ACCOUNT };
	static const struct fathom_row account = { .id = ACCOUNT_ID, .parent_id = ROOT_ID,
						   .kind = FATHOM_ACCOUNT, .raw_shares = 1 };
	char name[32] = "users";

	for (unsigned i = 1; is_group(users->conf, name); i++)
		snprintf(name, sizeof(name), "users%u", i);
	return add(users, ROOT_NAME, &root) || add(users, name, &account) ? -1 : 0;
}

static int add_all(struct users *users)
{
	const struct fathom_conf *conf = users->conf;
	const struct conf_user_groups *groups = &conf->user_groups;

	for (size_t i = 0; i < groups->count; i++)
		if (name_index_put(&users->known, piece_of(groups->group[i].name), 0,
				   users->error))
			return -1;
	for (size_t i = 0; i < groups->count; i++)
		if (add_group(users, &groups->group[i]))
			return -1;
	for (size_t i = 0; i < conf->scope_count; i++)
		if (add_assignments(users, conf->scope[i].assignments.list,
				    conf->scope[i].assignments.count))
			return -1;
	return 0;
}

int scope_users_tree(struct snapshot *snapshot, const struct fathom_conf *conf,
		     struct fathom_error *error)
{
	struct users users = { .conf = conf, .nowhere = { .name = "fathom.conf" },
			       .error = error };
	int status = add_accounts(&users) || add_all(&users) ? -1 : 0;

	if (!status)
		status = tree_builder_finish(&users.builder, &users.nowhere, true, snapshot,
					     error);
	tree_builder_clear(&users.builder);
	name_index_clear(&users.known);
	return status;
}

bool scope_users_given(const struct fathom_conf *conf)
{
	for (size_t i = 0; i < conf->scope_count; i++)
		if (conf->scope[i].user_shares)
			return true;
	return false;
}
