/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the files with which a site moves to Slurm: its tree as a file for sacctmgr load, its
 * policy and settings as fathom.conf, the lines that its slurm.conf needs, and its usage.
 *
 * The tree becomes that of the associations: groups are accounts, and entities are users of the
 * account that they are in, which may be the root. PBS may charge something else than users:
 *
 *	FairshareEntity			the tree goes into
 *	euser				associations.cfg, accounts and users
 *	Account_Name			associations.cfg, accounts alone
 *	egroup, queue, egroup:euser	lines ResourceGroup of fathom.conf
 *
 * The group "unknown" of PBS is an account with the unknown shares, into which new users can go.
 * If scopes have UserShares, as queues of LSF do, the shares are in fathom.conf. Slurm only runs
 * jobs of users who have an association, so each user gets one, in an account whose name is not
 * that of a group: a job of an account with a group's name would count for that group only.
 *
 *	Scope=night ... UserShares="[lab, 10] [zoe, 1]"		users
 *	UserGroup=lab Members="ada bob"				  ada, bob, zoe
 *
 * The usage of users goes into usage.json, which the plugin imports because of ImportUsage in
 * fathom.conf.
 */
#include "core/plural.h"
#include "core/small_letters.h"
#include "format/format.h"
#include "format/site/site_conf.h"
#include "format/site/site_folder.h"
#include "format/slurm/sacctmgr_writer.h"
#include "format/slurm/split_partitions.h"
#include "format/tree_builder.h"
#include "format/tree_writer.h"
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
#define USAGE "usage.json"

/* ids of rows of users_tree() */
#define ROOT_ID 1
#define ACCOUNT_ID 2

/* Writing one folder: the move of a site to Slurm. */
struct move {
	struct site_folder *folder;
	struct snapshot *snapshot;	/* NULL: no file has a tree */
	struct site_settings *settings;
	struct site_conf conf;		/* the settings as fathom.conf, parsed */
	const struct fathom_policy *policy;	/* in force */
};

/* ---- formulas ------------------------------------------------------------------------------- */

/* Returns whether a formula is right, with the policy's columns as names; also true if this fathom
 * is built without a parser of formulas (ENOSYS). False: *error says what is wrong. */
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

/* Drops the formula of a key of fathom.conf, and notes its loss, if the plugin would refuse it: it
 * would refuse the whole file. policy: whose columns the formula may name; NULL: it may
 * name no columns. Returns whether the key is dropped. */
static bool check_formula(struct move *move, const char *key, const struct fathom_policy *policy)
{
	const struct site_pair *pair = site_settings_find(move->settings, SITE_FATHOM_CONF, key);
	struct fathom_error inner;

	if (!pair || is_formula(pair->value, policy, &inner))
		return false;
	need_done(inner.code == ENOMEM);
	move->settings->origin = pair->origin;
	site_settings_lose(move->settings, "%s %s: %s", key, pair->value, inner.text);
	site_settings_drop(move->settings, SITE_FATHOM_CONF, key);
	return true;
}

/* Makes the settings those of a site without a formula, as check_formula() has dropped it. The
 * reader of PBS's files adds FormulaScale and Order to a formula; without one, PBS orders by
 * paths. */
static void move_without_formula(struct move *move)
{
	struct site_settings *settings = move->settings;
	bool has_order = site_settings_find(settings, SITE_FATHOM_CONF, "Order");

	site_settings_drop(settings, SITE_FATHOM_CONF, "FormulaScale");
	site_settings_drop(settings, SITE_FATHOM_CONF, "Order");
	settings->origin.line = 0;	/* no line says it */
	if (has_order)
		site_settings_set(settings, SITE_FATHOM_CONF, "Order", "path");
	move->conf = site_conf_of(settings);
}

/* ---- the tree ------------------------------------------------------------------------------- */

/* Gives the unknown shares to the account "unknown" if the tree has it, and then drops them from
 * the settings. */
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

/* Notes the loss of capitals in names of users. */
static void lose_capitals(struct move *move)
{
	const struct snapshot *snapshot = move->snapshot;
	size_t users = 0;

	for (size_t node = 0; node < fathom_tree_count(snapshot->tree); node++)
		users += fathom_tree_kind(snapshot->tree, node) == FATHOM_USER &&
			 has_capitals(snapshot_name(snapshot, node));
	move->settings->origin = (struct site_origin){ "slurm", 0 };
	if (users)
		site_settings_lose(move->settings, "keeps capitals of %zu user%s only "
				   "with Parameters=PreserveCaseUser in slurmdbd.conf", users,
				   PLURAL(users));
}

/* Returns whether the tree has any usage or resources. */
static bool has_usage(const struct move *move)
{
	const struct fathom_tree *tree = move->snapshot->tree;

	for (size_t node = 0; node < fathom_tree_count(tree); node++)
		if (tree_writer_has_usage(tree, node))
			return true;
	return false;
}

#define ACCOUNTS_ALONE true	/* for put_associations() */

/* Writes the tree for sacctmgr. accounts_alone: users of the tree are written as accounts. */
static void put_associations(struct move *move, bool accounts_alone)
{
	const struct sacctmgr_form form = { .accounts_alone = accounts_alone,
					    .root_has_no_shares = true };
	FILE *out = site_folder_add(move->folder, ASSOCIATIONS);

	if (!accounts_alone)
		lose_capitals(move);
	move_unknown_shares(move);
	sacctmgr_write_as(out, move->snapshot, form);
}

/* Writes a tree of users, and their usage, of which ImportUsage tells. */
static void put_users(struct move *move)
{
	put_associations(move, !ACCOUNTS_ALONE);
	if (!has_usage(move))
		return;
	format_fathom_usage.write(site_folder_add(move->folder, USAGE), move->snapshot);
	move->settings->origin = (struct site_origin){ "", 0 };
	site_settings_set(move->settings, SITE_FATHOM_CONF, "ImportUsage",
			  need_print("%s/" USAGE, move->folder->path));
}

/* Returns the origin of FairshareEntity, which is set. */
static struct site_origin entity_origin(const struct move *move)
{
	return site_settings_find(move->settings, SITE_FATHOM_CONF, "FairshareEntity")->origin;
}

/* Notes what gets lost because the tree is one of entities, not of users: the usage, and `what`,
 * which the tree does not name. */
static void lose_users(struct move *move, const char *what)
{
	move->settings->origin = entity_origin(move);
	if (has_usage(move))
		site_settings_lose(move->settings, "usage: it is not by users");
	site_settings_lose(move->settings,
			   "%s: the tree does not name them, sacctmgr add does", what);
}

/* Adds a line ResourceGroup for a node. The root and the group "unknown" need no line. */
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

/* Adds the tree as lines ResourceGroup. */
static void put_resources(struct move *move)
{
	/* in the order of nodes, parents come before their children, as the lines must */
	for (size_t node = 0; node < fathom_tree_count(move->snapshot->tree); node++)
		put_resource(move, node);
	lose_users(move, "accounts and users");
}

/* ---- users of scopes ------------------------------------------------------------------------ */

/* The users that scopes name, while their tree is built. */
struct scope_users {
	const struct fathom_conf *conf;
	struct name_index *known;	/* names of groups, and of users that are in the tree */
	struct tree_builder builder;
};

/* Adds a row, which stands in no file. */
static void add(struct scope_users *users, const char *name, const struct fathom_row *row)
{
	tree_builder_add(&users->builder, NULL, 0, row, piece_of(name), (struct piece){ NULL, 0 });
}

/* Adds a user, unless the name is that of a group, with or without '@', is a word such as
 * "default", or is in the tree already. */
static void add_user(struct scope_users *users, const char *name)
{
	struct piece piece = piece_of(name);
	struct fathom_row row = { .id = (int64_t)users->builder.count + 1,
				  .parent_id = ACCOUNT_ID, .kind = FATHOM_USER, .raw_shares = 1 };

	if ((piece.length && name[piece.length - 1] == '@') || conf_name_is_reserved(name) ||
	    name_index_get(users->known, piece) != NAME_INDEX_NONE)
		return;
	need_put(users->known, piece, users->builder.count);
	add(users, name, &row);
}

/* Adds the users whom assignments name. */
static void add_assignments(struct scope_users *users, const struct fathom_assignment *list,
			    size_t count)
{
	for (size_t i = 0; i < count; i++)
		add_user(users, list[i].name);
}

/* Returns whether a group has this name, in upper or lower case. */
static bool is_group(const struct fathom_conf *conf, const char *name)
{
	for (size_t i = 0; i < conf->user_groups.count; i++)
		if (!strcasecmp(conf->user_groups.group[i].name, name))
			return true;
	return false;
}

/* Adds the root, and an account whose name no group has: users, users1, ... */
static void add_accounts(struct scope_users *users)
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

/* Returns a tree of one account with all users that UserShares and UserGroup name, or that are in a
 * tree (NULL: there is none), each with one share, as the scopes have the shares. */
static struct snapshot users_tree(const struct fathom_conf *conf, const struct snapshot *tree)
{
	const struct conf_user_groups *groups = &conf->user_groups;
	struct scope_users users = { .conf = conf, .known = need_index() };
	struct snapshot snapshot;

	add_accounts(&users);
	for (size_t i = 0; i < groups->count; i++)
		need_put(users.known, piece_of(groups->group[i].name), 0);
	for (size_t i = 0; i < groups->count; i++) {
		const struct fathom_user_group *group = &groups->group[i];

		for (size_t j = 0; j < group->member_count; j++)
			add_user(&users, group->member[j]);
		add_assignments(&users, group->assignment, group->assignment_count);
	}
	for (size_t i = 0; i < conf->scope_count; i++)
		add_assignments(&users, conf->scope[i].assignments.list,
				conf->scope[i].assignments.count);
	for (size_t node = 0; tree && node < fathom_tree_count(tree->tree); node++)
		if (fathom_tree_kind(tree->tree, node) == FATHOM_USER)
			add_user(&users, snapshot_name(tree, node));
	tree_builder_finish(&users.builder, NULL, PARTITIONS_KNOWN, &snapshot);
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

/* Returns a word such as "default", to which a scope gives shares; NULL: none does. */
static const char *word_for_users(const struct fathom_conf *conf)
{
	for (size_t i = 0; i < conf->scope_count; i++) {
		const struct conf_assignments *given = &conf->scope[i].assignments;

		for (size_t j = 0; j < given->count; j++)
			if (conf_name_is_reserved(given->list[j].name))
				return given->list[j].name;
	}
	return NULL;
}

/* Writes the users that scopes name. A tree that the files have is that of one scope, or of users
 * who have usage; the usage gets lost. */
static void put_scope_users(struct move *move)
{
	struct snapshot *of_scope = move->snapshot, users;
	const char *word = word_for_users(&move->conf.fathom);

	move->settings->origin = (struct site_origin){ "slurm", 0 };
	if (of_scope && has_usage(move))
		site_settings_lose(move->settings,
				   "does not keep usage of scopes, which begin without");
	if (word)
		site_settings_warn(move->settings, "associations.cfg lacks users whom no file "
				   "names, to whom '%s' gives shares; add them by sacctmgr", word);
	users = users_tree(&move->conf.fathom, of_scope);
	move->snapshot = &users;
	put_associations(move, !ACCOUNTS_ALONE);
	move->snapshot = of_scope;
}

/* Writes the tree: the associations, or lines of fathom.conf, by the entities that the policy
 * charges. */
static void put_tree(struct move *move)
{
	struct fathom_settings settings = site_conf_settings(&move->conf, move->policy);
	size_t entity = policy_setting_with(move->policy, SETTING_ENTITY);
	size_t charged = entity == POLICY_HAS_NONE ? ENTITY_EUSER : (size_t)settings.value[entity];

	if (has_user_shares(&move->conf.fathom)) {
		put_scope_users(move);
	} else if (move->snapshot && charged == ENTITY_EUSER) {
		put_users(move);
	} else if (move->snapshot && charged == ENTITY_ACCOUNT_NAME) {
		put_associations(move, ACCOUNTS_ALONE);
		lose_users(move, "users");
	} else if (move->snapshot) {
		put_resources(move);
	}
}

/* ---- settings ------------------------------------------------------------------------------- */

/* Sets a key of slurm.conf that comes from no file. */
static void set_slurm(struct move *move, const char *key, const char *value)
{
	move->settings->origin = (struct site_origin){ "", 0 };
	site_settings_set(move->settings, SITE_SLURM_CONF, key, value);
}

/* Returns whether jobs are first come, first served, and queues have different priorities: then
 * PriorityJobFactor has an effect only by PriorityWeightPartition. */
static bool needs_partition_weight(const struct move *move)
{
	const struct site_lines *lines = &move->settings->of[SITE_SLURM_CONF];
	const char *first = NULL;

	if (!policy_is_first_come(move->policy) || move->conf.fathom.scope_count ||
	    move->conf.fathom.slot_share_count)
		return false;
	/* two partitions with different values of PriorityJobFactor? */
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

/* Returns whether a file is a slurm.conf, of which lines other than partitions stay. Its weights
 * count, even if it has none. */
static bool has_slurm_conf(const struct site_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		if (strcasecmp(lines->line[i].pair->key, "PartitionName") != 0)
			return true;
	return false;
}

/* Returns whether fair share needs a weight that no file has: priorities are weighted sums, and
 * depend on a tree. */
static bool lacks_weight(const struct move *move)
{
	return move->snapshot && !move->conf.fathom.given[CONF_FORMULA] &&
	       fathom_policy_priority_rule(move->policy) == FATHOM_WEIGHTED_SUM &&
	       !policy_is_first_come(move->policy) &&
	       !has_slurm_conf(&move->settings->of[SITE_SLURM_CONF]);
}

/* Sets weights of factors where the files have none, as those of LSF: fair share and places in slot
 * pools need one in Slurm, and so do priorities of queues. Drops the weight of fair share that no
 * line of a file says, if it has no effect beside a formula. */
static void set_weights(struct move *move)
{
	static const char key[] = "PriorityWeightFairshare";
	const struct site_pair *weight = site_settings_find(move->settings, SITE_SLURM_CONF, key);

	if (weight && !weight->origin.line && move->conf.fathom.given[CONF_FORMULA])
		site_settings_drop(move->settings, SITE_SLURM_CONF, key);
	if (has_user_shares(&move->conf.fathom) || move->conf.fathom.slot_share_count ||
	    lacks_weight(move))
		set_slurm(move, key, "1000000");
	if (needs_partition_weight(move))
		set_slurm(move, "PriorityWeightPartition", "1000000");
}

/* Writes fathom.conf and the lines for slurm.conf. */
static void put_settings(struct move *move)
{
	static const struct { const char *name, *head; } files[SITE_FILE_COUNT] = {
		[SITE_FATHOM_CONF] = { "fathom.conf", "# beside slurm.conf; each line tells what "
						      "it comes from\n" },
		[SITE_SLURM_CONF] = { "slurm.conf", "# lines for slurm.conf; each tells what it "
						    "comes from\n"
						    "PriorityType=priority/fathom\n" },
	};

	for (size_t i = 0; i < SITE_FILE_COUNT; i++) {
		FILE *out = site_folder_add(move->folder, files[i].name);

		fputs(files[i].head, out);
		site_conf_write(out, move->settings, (enum site_file)i);
	}
}

/* ---- the folder ----------------------------------------------------------------------------- */

/* Writes all files. The tree comes before the settings, as it changes them. */
static void write_folder(struct site_folder *folder, struct snapshot *snapshot,
			 struct site_settings *settings)
{
	struct move move = { .folder = folder, .snapshot = snapshot, .settings = settings,
			     .conf = site_conf_of(settings) };

	move.policy = site_conf_policy(&move.conf);
	if (check_formula(&move, "Formula", move.policy))
		move_without_formula(&move);
	check_formula(&move, "FairshareUsageRes", NULL);	/* of a job: no columns */
	set_weights(&move);
	split_partitions(settings, &move.conf.fathom);
	put_tree(&move);
	put_settings(&move);
	site_folder_end(folder);
	/* fails if fathom.conf is wrong with the lines that the tree has added */
	site_conf_of(settings);
}

const struct format format_slurm = {
	.name = "slurm",
	.summary = "a folder for Slurm: associations for sacctmgr, fathom.conf, lines for "
		   "slurm.conf, usage",
	.holds = HOLDS_TREE | HOLDS_USAGE | HOLDS_SETTINGS,
	.write_folder = write_folder,
	.keeps = KEEPS_ALL,
};
