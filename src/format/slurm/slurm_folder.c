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
 * Where scopes have UserShares, as queues of LSF do, the shares are in fathom.conf, and all users
 * are in one account. What users have used goes into a file that fathom.conf lets the plugin
 * import.
 */
#include "core/error.h"
#include "core/plural.h"
#include "format/format.h"
#include "format/site/site_conf.h"
#include "format/site/site_folder.h"
#include "format/slurm/sacctmgr_writer.h"
#include "format/slurm/scope_users.h"
#include "format/tree_details.h"
#include "policy/pbs_unknown_group.h"
#include "policy/traits.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ASSOCIATIONS "associations.cfg"
#define FATHOM_CONF "fathom.conf"
#define SLURM_CONF "slurm.conf"
#define USAGE "usage.json"

struct move {
	struct site_folder *folder;
	struct snapshot *snapshot;	/* NULL: no file has a tree */
	struct site_settings *settings;
	struct site_conf conf;
	const struct fathom_policy *policy;
	struct fathom_error *error;
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
static int check_formula(struct move *move, const char *key, const struct fathom_policy *policy)
{
	const struct site_pair *pair = site_settings_find(move->settings, SITE_FATHOM_CONF, key);
	struct fathom_error inner;

	if (!pair || is_formula(pair->value, policy, &inner))
		return 0;
	if (inner.code == ENOMEM)
		return fathom_error_no_memory(move->error);
	site_settings_lose(move->settings, pair->origin, "%s %s: %s", key, pair->value,
			   inner.text);
	site_settings_drop(move->settings, SITE_FATHOM_CONF, key);
	return 0;
}

static int check_formulas(struct move *move)
{
	return check_formula(move, "Formula", move->policy) ||
	       check_formula(move, "FairshareUsageRes", NULL) ? -1 : 0;
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

static void fit_names(struct move *move, bool accounts_alone)
{
	static const struct site_origin origin = { "slurm", 0 };
	const struct fathom_tree *tree = move->snapshot->tree;
	size_t users = 0;

	for (size_t node = 0; node < fathom_tree_count(tree); node++) {
		if (accounts_alone || fathom_tree_kind(tree, node) == FATHOM_ACCOUNT)
			write_small(move->snapshot, node);
		else
			users += has_capitals(snapshot_name(move->snapshot, node));
	}
	if (users)
		site_settings_lose(move->settings, origin, "keeps capitals of %zu user%s only "
				   "with Parameters=PreserveCaseUser in slurmdbd.conf", users,
				   PLURAL(users));
}

static bool has_usage(const struct move *move)
{
	return fathom_tree_usage(move->snapshot->tree, 0) > 0;
}

static int put_usage(struct move *move)
{
	static const struct site_origin origin = { "", 0 };
	FILE *out = site_folder_add(move->folder, USAGE);
	char path[SITE_FOLDER_PATH + sizeof(USAGE)];

	if (format_fathom_usage.write(out, move->snapshot, move->error))
		return -1;
	snprintf(path, sizeof(path), "%s/" USAGE, move->folder->path);
	site_settings_set(move->settings, SITE_FATHOM_CONF, "ImportUsage", path, origin);
	return 0;
}

static int put_associations(struct move *move, bool accounts_alone)
{
	const struct sacctmgr_form form = { .accounts_alone = accounts_alone,
					    .root_has_no_shares = true };
	FILE *out = site_folder_add(move->folder, ASSOCIATIONS);

	fit_names(move, accounts_alone);
	move_unknown_shares(move);
	return sacctmgr_write_as(out, move->snapshot, form, move->error);
}

static int put_users(struct move *move)
{
	if (put_associations(move, false))
		return -1;
	return has_usage(move) ? put_usage(move) : 0;
}

static struct site_origin entity_origin(const struct move *move)
{
	return site_settings_find(move->settings, SITE_FATHOM_CONF, "FairshareEntity")->origin;
}

/* The tree is one of entities, not of users. */
static void lose_users(struct move *move, const char *what)
{
	struct site_origin origin = entity_origin(move);

	if (has_usage(move))
		site_settings_lose(move->settings, origin, "usage: it is not by users");
	site_settings_lose(move->settings, origin,
			   "%s: the tree does not name them, sacctmgr add does", what);
}

static int put_accounts(struct move *move)
{
	if (put_associations(move, true))
		return -1;
	lose_users(move, "users");
	return 0;
}

/* The group "unknown" is there without a line. */
static void put_resource(struct move *move, size_t node)
{
	const struct fathom_tree *tree = move->snapshot->tree;
	size_t parent = fathom_tree_parent(tree, node);
	char text[512];

	if (!node || pbs_unknown_group_is(move->snapshot, node))
		return;
	snprintf(text, sizeof(text), "%.200s %.200s %" PRIu32,
		 snapshot_name(move->snapshot, node),
		 parent ? snapshot_name(move->snapshot, parent) : "root",
		 fathom_tree_raw_shares(tree, node));
	site_settings_begin(move->settings, SITE_FATHOM_CONF, "ResourceGroup", text,
			    entity_origin(move));
}

/* A parent comes before its children in the tree's own order. */
static int put_resources(struct move *move)
{
	for (size_t node = 0; node < fathom_tree_count(move->snapshot->tree); node++)
		put_resource(move, node);
	lose_users(move, "accounts and users");
	return 0;
}

/* A tree that the files have is that of one scope. */
static int put_scope_users(struct move *move)
{
	static const struct site_origin origin = { "slurm", 0 };
	struct snapshot *of_scope = move->snapshot, users;
	int status;

	if (of_scope && has_usage(move))
		site_settings_lose(move->settings, origin,
				   "does not keep usage of scopes, which begin without");
	if (scope_users_tree(&users, &move->conf.fathom, move->error))
		return -1;
	move->snapshot = &users;
	status = put_associations(move, false);
	move->snapshot = of_scope;
	snapshot_clear(&users);
	return status;
}

static int put_tree(struct move *move)
{
	static int (*const put[])(struct move *move) = {
		[ENTITY_EUSER] = put_users, [ENTITY_EGROUP] = put_resources,
		[ENTITY_ACCOUNT_NAME] = put_accounts, [ENTITY_QUEUE] = put_resources,
		[ENTITY_EGROUP_EUSER] = put_resources,
	};
	struct fathom_settings settings = site_conf_settings(&move->conf, move->policy);
	size_t entity = policy_setting_with(move->policy, SETTING_ENTITY);

	if (scope_users_given(&move->conf.fathom))
		return put_scope_users(move);
	if (!move->snapshot)
		return 0;
	return put[entity == POLICY_HAS_NONE ? ENTITY_EUSER : (size_t)settings.value[entity]](move);
}

/* ---- settings ------------------------------------------------------------------------------- */

/* Fair share of scopes and places in slot pools need a weight; LSF knows none. */
static void set_weight(struct move *move)
{
	static const struct site_origin nowhere = { "", 0 };

	if (scope_users_given(&move->conf.fathom) || move->conf.fathom.slot_share_count)
		site_settings_set(move->settings, SITE_SLURM_CONF, "PriorityWeightFairshare",
				  "1000000", nowhere);
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

static int write_folder(struct site_folder *folder, struct snapshot *snapshot,
			struct site_settings *settings, struct fathom_error *error)
{
	struct move move = { .folder = folder, .snapshot = snapshot, .settings = settings,
			     .conf = site_conf_of(settings), .error = error };
	struct site_conf checked;
	int status;

	move.policy = site_conf_policy(&move.conf);
	status = check_formulas(&move);
	if (!status) {
		set_weight(&move);
		status = put_tree(&move);
	}
	site_conf_clear(&move.conf);
	if (status)
		return -1;
	put_all_settings(&move);
	site_folder_end(folder);
	/* the lines that the tree has added are checked with the others */
	checked = site_conf_of(settings);
	site_conf_clear(&checked);
	return 0;
}

const struct format format_slurm = {
	.name = "slurm",
	.summary = "a folder for Slurm: associations for sacctmgr, fathom.conf, lines for "
		   "slurm.conf, usage",
	.holds = HOLDS_TREE | HOLDS_USAGE | HOLDS_SETTINGS,
	.write_folder = write_folder,
	.keeps = KEEPS_ALL,
};
