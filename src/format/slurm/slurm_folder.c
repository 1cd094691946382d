/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes what a site needs to go on with Slurm: its tree as a file for sacctmgr load, its policy
 * and settings as fathom.conf, and the lines that its slurm.conf needs.
 *
 * The tree becomes that of the associations: groups are accounts, and entities are users of the
 * account that they are in, be it the root. PBS may charge something else than users:
 *
 *	FairshareEntity			the tree is
 *	euser				associations.cfg, accounts and users
 *	Account_Name			associations.cfg, accounts alone
 *	egroup, queue, egroup:euser	lines ResourceGroup of fathom.conf
 *
 * The group "unknown" of PBS is an account with the unknown shares, into which new users can go.
 * Where scopes have UserShares, as queues of LSF do, the shares are in fathom.conf. Slurm runs jobs
 * of users with an association alone, so each user gets one, in an account whose name is not that
 * of a group: a job of an account with a group's name counts for this group only.
 *
 *	Scope=night ... UserShares="[lab, 10] [zoe, 1]"		users
 *	UserGroup=lab Members="ada bob"				  ada, bob, zoe
 *
 * What users have used goes into a file that fathom.conf lets the plugin import.
 */
#include "core/plural.h"
#include "format/format.h"
#include "format/site/site_conf.h"
#include "format/site/site_folder.h"
#include "format/slurm/sacctmgr_writer.h"
#include "format/slurm/split_partitions.h"
#include "format/tree_builder.h"
#include "format/tree_details.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"
#include "policy/pbs_unknown_group.h"
#include "policy/traits.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define ASSOCIATIONS "associations.cfg"
#define FATHOM_CONF "fathom.conf"
#define SLURM_CONF "slurm.conf"
#define USAGE "usage.json"

#define ROOT_ID 1
#define ACCOUNT_ID 2

struct move {
	struct site_folder *folder;
	struct snapshot *snapshot;	/* NULL: no file has a tree */
	struct site_settings *settings;
	struct site_conf conf;
	const struct fathom_policy *policy;
};

/* ---- formulas ------------------------------------------------------------------------------- */

/* Compiles a formula with the columns of the policy. Without a parser, nothing is known of it. */
static bool is_formula(const char *text, const struct fathom_policy *policy,
		       struct fathom_error *error)
{
	const char *column[FATHOM_MAX_COLUMNS + 1] = { NULL };
	const struct fathom_formula_names names = { .extra = column, .choose = "set Policy=",
						    .policy_with = fathom_policy_with_column };
	struct fathom_formula *formula;

	for (size_t i = 0; policy && i < fathom_policy_column_count(policy); i++)
		column[i] = fathom_policy_column(policy, i)->name;
	formula = fathom_formula_create(text, &names, NULL, error);
	fathom_formula_destroy(formula);
	return formula || error->code == ENOSYS;
}

/* Drops a formula that the plugin would not take, as it would not take the rest of fathom.conf
 * then. */
static void check_formula(struct move *move, const char *key, const struct fathom_policy *policy)
{
	const struct site_pair *pair = site_settings_find(move->settings, SITE_FATHOM_CONF, key);
	struct fathom_error inner;

	if (!pair || is_formula(pair->value, policy, &inner))
		return;
	need_done(inner.code == ENOMEM);
	move->settings->origin = pair->origin;
	site_settings_lose(move->settings, "%s %s: %s", key, pair->value, inner.text);
	site_settings_drop(move->settings, SITE_FATHOM_CONF, key);
}

/* ---- the tree ------------------------------------------------------------------------------- */

/* Gives the unknown shares to the account "unknown" if there is one. */
static void move_unknown_shares(struct move *move)
{
	struct fathom_settings settings = site_conf_settings(&move->conf, move->policy);
	size_t shares = policy_setting_with(move->policy, SETTING_UNKNOWN_SHARES);

	if (shares == POLICY_HAS_NONE || !(settings.value[shares] > 0))
		return;
	pbs_unknown_group_set_shares(move->snapshot, move->policy, &settings);
	if (!(settings.value[shares] > 0))
		site_settings_drop(move->settings, SITE_FATHOM_CONF, "UnknownShares");
}

static bool has_capitals(const char *name)
{
	return name[strcspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")];
}

/* Slurm writes names of accounts in small letters. */
static void write_small(struct snapshot *snapshot, size_t node)
{
	for (char *at = snapshot->text + snapshot->name[node]; *at; at++)
		if (*at >= 'A' && *at <= 'Z')
			*at += 'a' - 'A';
}

/* Changes names to what Slurm keeps of them. accounts_alone: users are accounts, too. */
static void fit_names(struct move *move, bool accounts_alone)
{
	const struct fathom_tree *tree = move->snapshot->tree;
	size_t users = 0;

	for (size_t node = 0; node < fathom_tree_count(tree); node++) {
		if (accounts_alone || fathom_tree_kind(tree, node) == FATHOM_ACCOUNT)
			write_small(move->snapshot, node);
		else
			users += has_capitals(snapshot_name(move->snapshot, node));
	}
	move->settings->origin = (struct site_origin){ "slurm", 0 };
	if (users)
		site_settings_lose(move->settings, "keeps capitals of %zu user%s only "
				   "with Parameters=PreserveCaseUser in slurmdbd.conf", users,
				   PLURAL(users));
}

static bool has_usage(const struct move *move)
{
	return fathom_tree_usage(move->snapshot->tree, 0) > 0;
}

static void put_usage(struct move *move)
{
	FILE *out = site_folder_add(move->folder, USAGE);

	format_fathom_usage.write(out, move->snapshot);
	move->settings->origin = (struct site_origin){ "", 0 };
	site_settings_set(move->settings, SITE_FATHOM_CONF, "ImportUsage",
			  need_print("%s/" USAGE, move->folder->path));
}

static void put_associations(struct move *move, bool accounts_alone)
{
	const struct sacctmgr_form form = { .accounts_alone = accounts_alone,
					    .root_has_no_shares = true };
	FILE *out = site_folder_add(move->folder, ASSOCIATIONS);

	fit_names(move, accounts_alone);
	move_unknown_shares(move);
	sacctmgr_write_as(out, move->snapshot, form);
}

static void put_users(struct move *move)
{
	put_associations(move, false);
	if (has_usage(move))
		put_usage(move);
}

static struct site_origin entity_origin(const struct move *move)
{
	return site_settings_find(move->settings, SITE_FATHOM_CONF, "FairshareEntity")->origin;
}

/* The tree is one of entities, not of users. */
static void lose_users(struct move *move, const char *what)
{
	move->settings->origin = entity_origin(move);
	if (has_usage(move))
		site_settings_lose(move->settings, "usage: it is not by users");
	site_settings_lose(move->settings,
			   "%s: the tree does not name them, sacctmgr add does", what);
}

static void put_accounts(struct move *move)
{
	put_associations(move, true);
	lose_users(move, "users");
}

/* The group "unknown" is there without a line. */
static void put_resource(struct move *move, size_t node)
{
	const struct fathom_tree *tree = move->snapshot->tree;
	size_t parent = fathom_tree_parent(tree, node);
	char text[512];

	if (!node || pbs_unknown_group_is(move->snapshot, node))
		return;
	snprintf(text, sizeof(text), "%.200s %.200s %" PRIu32, snapshot_name(move->snapshot, node),
		 parent ? snapshot_name(move->snapshot, parent) : "root",
		 fathom_tree_raw_shares(tree, node));
	move->settings->origin = entity_origin(move);
	site_settings_begin(move->settings, SITE_FATHOM_CONF, "ResourceGroup", text);
}

/* A parent comes before its children in the tree's own order. */
static void put_resources(struct move *move)
{
	for (size_t node = 0; node < fathom_tree_count(move->snapshot->tree); node++)
		put_resource(move, node);
	lose_users(move, "accounts and users");
}

/* ---- users of scopes ------------------------------------------------------------------------ */

struct users {
	const struct fathom_conf *conf;
	struct name_index *known;	/* groups, and users that are in the tree */
	struct tree_builder builder;
};

static void add(struct users *users, const char *name, const struct fathom_row *row)
{
	tree_builder_add(&users->builder, NULL, 0, row, piece_of(name), (struct piece){ NULL, 0 });
}

/* Adds a user unless the name is that of a group, with or without '@', or is known already. */
static void add_user(struct users *users, const char *name)
{
	struct piece piece = piece_of(name);
	struct fathom_row row = { .id = (int64_t)users->builder.count + 1,
				  .parent_id = ACCOUNT_ID, .kind = FATHOM_USER, .raw_shares = 1 };

	if (piece.length && name[piece.length - 1] == '@')
		return;
	if (conf_name_is_reserved(name) || name_index_get(users->known, piece) != NAME_INDEX_NONE)
		return;
	need_put(users->known, piece, users->builder.count);
	add(users, name, &row);
}

static void add_assignments(struct users *users, const struct fathom_assignment *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		add_user(users, list[i].name);
}

static void add_group(struct users *users, const struct fathom_user_group *group)
{
	for (size_t i = 0; i < group->member_count; i++)
		add_user(users, group->member[i]);
	add_assignments(users, group->assignment, group->assignment_count);
}

static bool is_group(const struct fathom_conf *conf, const char *name)
{
	for (size_t i = 0; i < conf->user_groups.count; i++)
		if (!strcasecmp(conf->user_groups.group[i].name, name))
			return true;
	return false;
}

/* Adds the root, and an account whose name no group has: users, users1, ... */
static void add_accounts(struct users *users)
{
	static const struct fathom_row root = { .id = ROOT_ID, .is_root = true,
						.kind = FATHOM_ACCOUNT };
	static const struct fathom_row account = { .id = ACCOUNT_ID, .parent_id = ROOT_ID,
						   .kind = FATHOM_ACCOUNT, .raw_shares = 1 };
	char name[32] = "users";

	for (unsigned i = 1; is_group(users->conf, name); i++)
		snprintf(name, sizeof(name), "users%u", i);
	add(users, SACCTMGR_ROOT, &root);
	add(users, name, &account);
}

/* Makes a tree of one account with all users that UserShares and UserGroup name, each with one
 * share: the shares are those of the scopes. */
static struct snapshot users_tree(const struct fathom_conf *conf)
{
	const struct conf_user_groups *groups = &conf->user_groups;
	struct users users = { .conf = conf, .known = need_index() };
	struct snapshot snapshot;

	add_accounts(&users);
	for (size_t i = 0; i < groups->count; i++)
		need_put(users.known, piece_of(groups->group[i].name), 0);
	for (size_t i = 0; i < groups->count; i++)
		add_group(&users, &groups->group[i]);
	for (size_t i = 0; i < conf->scope_count; i++)
		add_assignments(&users, conf->scope[i].assignments.list,
				conf->scope[i].assignments.count);
	tree_builder_finish(&users.builder, NULL, true, &snapshot);
	return snapshot;
}

/* Returns whether a scope has UserShares. */
static bool has_user_shares(const struct fathom_conf *conf)
{
	for (size_t i = 0; i < conf->scope_count; i++)
		if (conf->scope[i].user_shares)
			return true;
	return false;
}

/* A tree that the files have is that of one scope. */
static void put_scope_users(struct move *move)
{
	struct snapshot *of_scope = move->snapshot, users;

	move->settings->origin = (struct site_origin){ "slurm", 0 };
	if (of_scope && has_usage(move))
		site_settings_lose(move->settings,
				   "does not keep usage of scopes, which begin without");
	users = users_tree(&move->conf.fathom);
	move->snapshot = &users;
	put_associations(move, false);
	move->snapshot = of_scope;
}

/* Writes the associations, and what of the tree goes into fathom.conf, by the policy's entities. */
static void put_tree(struct move *move)
{
	static void (*const put[])(struct move *move) = {
		[ENTITY_EUSER] = put_users, [ENTITY_EGROUP] = put_resources,
		[ENTITY_ACCOUNT_NAME] = put_accounts, [ENTITY_QUEUE] = put_resources,
		[ENTITY_EGROUP_EUSER] = put_resources,
	};
	struct fathom_settings settings = site_conf_settings(&move->conf, move->policy);
	size_t entity = policy_setting_with(move->policy, SETTING_ENTITY);

	if (has_user_shares(&move->conf.fathom))
		put_scope_users(move);
	else if (move->snapshot)
		put[entity == POLICY_HAS_NONE ? ENTITY_EUSER
					      : (size_t)settings.value[entity]](move);
}

/* ---- settings ------------------------------------------------------------------------------- */

static void set_slurm(struct move *move, const char *key, const char *value)
{
	move->settings->origin = (struct site_origin){ "", 0 };
	site_settings_set(move->settings, SITE_SLURM_CONF, key, value);
}

/* Returns whether queues of different priorities are first come, first served, so that nothing else
 * reads PriorityJobFactor. */
static bool needs_partition_weight(const struct move *move)
{
	const struct site_lines *lines = &move->settings->of[SITE_SLURM_CONF];
	const char *first = NULL;

	if (!policy_is_first_come(move->policy) || move->conf.fathom.scope_count ||
	    move->conf.fathom.slot_share_count)
		return false;
	for (size_t i = 0; i < lines->count; i++)
		for (size_t j = 1; j < lines->line[i].count; j++) {
			const struct site_pair *pair = &lines->line[i].pair[j];

			if (strcmp(pair->key, "PriorityJobFactor"))
				continue;
			if (first && strcmp(first, pair->value))
				return true;
			first = pair->value;
		}
	return false;
}

/* Fair share of scopes and places in slot pools need a weight, and so do priorities of queues; LSF
 * knows none. */
static void set_weights(struct move *move)
{
	if (has_user_shares(&move->conf.fathom) || move->conf.fathom.slot_share_count)
		set_slurm(move, "PriorityWeightFairshare", "1000000");
	if (needs_partition_weight(move))
		set_slurm(move, "PriorityWeightPartition", "1000000");
}

static void put_settings(struct move *move, const char *name, enum site_file which,
			 const char *head)
{
	FILE *out = site_folder_add(move->folder, name);

	fputs(head, out);
	site_conf_write(out, move->settings, which);
}

static void put_all_settings(struct move *move)
{
	put_settings(move, FATHOM_CONF, SITE_FATHOM_CONF,
		     "# beside slurm.conf; each line tells what it comes from\n");
	put_settings(move, SLURM_CONF, SITE_SLURM_CONF,
		     "# lines for slurm.conf; each tells what it comes from\n"
		     "PriorityType=priority/fathom\n");
}

/* ---- the folder ----------------------------------------------------------------------------- */

static void write_folder(struct site_folder *folder, struct snapshot *snapshot,
			 struct site_settings *settings)
{
	struct move move = { .folder = folder, .snapshot = snapshot, .settings = settings,
			     .conf = site_conf_of(settings) };
	struct site_conf checked;

	move.policy = site_conf_policy(&move.conf);
	check_formula(&move, "Formula", move.policy);
	check_formula(&move, "FairshareUsageRes", NULL);
	set_weights(&move);
	split_partitions(settings, &move.conf.fathom);
	put_tree(&move);
	site_conf_clear(&move.conf);
	put_all_settings(&move);
	site_folder_end(folder);
	/* the lines that the tree has added are checked with the others */
	checked = site_conf_of(settings);
	site_conf_clear(&checked);
}

const struct format format_slurm = {
	.name = "slurm",
	.summary = "a folder for Slurm: associations for sacctmgr, fathom.conf, lines for "
		   "slurm.conf, usage",
	.holds = HOLDS_TREE | HOLDS_USAGE | HOLDS_SETTINGS,
	.write_folder = write_folder,
	.keeps = KEEPS_ALL,
};
