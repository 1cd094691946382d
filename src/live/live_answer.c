/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the tree of slurmctld's answer to sshare, and reads the figures.
 *
 * An association names its parent account, and its usage contains that of its children:
 *
 *	answer	root 100	physics (parent root) 100	ada (parent physics) 60
 *	tree	root 0		physics 40			ada 60		(own usage)
 *
 * Where PrivateData hides an account, a placeholder takes its place.
 *
 * What the figures mean depends on the release, the plugin and the policy: up to 25.05 sshare
 * computes the factor of policies other than Fair Tree from effective usage. If the answer lacks a
 * column that follows from usage, the column is dropped, so that it is computed; other columns that
 * it lacks are NAN.
 */
#include "live/live_private.h"

#include "format/tree_builder.h"
#include "memory/need_names.h"
#include "policy/traits.h"

#include <math.h>

#define NO_ROW SIZE_MAX

/* ---- the tree -------------------------------------------------------------------------- */

/* The state of reading the tree. The builder has the rows of the answer, then placeholders. */
struct live_reader {
	const struct live_items *answer;
	struct tree_builder builder;
	struct name_index *accounts;	/* from an account's name to its row */
	size_t root;		/* row of the root, or NO_ROW */
};

/* Adds a row. partition: NULL: the association is for all partitions. */
static void add_row(struct live_reader *reader, const struct fathom_row *row, const char *name,
		    const char *partition)
{
	tree_builder_add(&reader->builder, NULL, 0, row, piece_of(name), piece_of(partition));
	if (row->kind != FATHOM_USER)
		need_put(reader->accounts, piece_of(name), reader->builder.count - 1);
}

/* Adds the row of an association, without its parent: find_parent() needs all rows. */
static void add_share(struct live_reader *reader, const assoc_shares_object_t *share)
{
	struct fathom_row row = {
		.id = share->assoc_id, .kind = share->user ? FATHOM_USER : FATHOM_ACCOUNT,
		.is_root = !share->user && (!share->parent || !*share->parent),
		.raw_shares = share->shares_raw == SLURMDB_FS_USE_PARENT ? FATHOM_SHARES_PARENT :
			      share->shares_raw,
		.usage = (double)share->usage_raw,
	};

	if (row.is_root)
		reader->root = reader->builder.count;
	add_row(reader, &row, share->name,
		share->partition && *share->partition ? share->partition : NULL);
}

/* Adds a placeholder for an account that PrivateData hides, as the parent of the associations below
 * it. Its own parent is not known, so it stands below the root. If the root is hidden, too, the
 * root's placeholder must be added first. Ids of placeholders are below 0, unlike those of
 * associations. */
static void add_placeholder(struct live_reader *reader, const char *name)
{
	struct fathom_row row = {
		.id = -(int64_t)reader->builder.count - 1, .kind = FATHOM_ACCOUNT, .raw_shares = 1,
		.is_root = reader->root == NO_ROW,
	};

	if (row.is_root)
		reader->root = reader->builder.count;
	else
		row.parent_id = reader->builder.row[reader->root].id;
	add_row(reader, &row, name, NULL);
}

/* Finds the parent of a row of the answer by its name. If the parent is hidden, adds a
 * placeholder. */
static void find_parent(struct live_reader *reader, size_t row)
{
	const assoc_shares_object_t *share = reader->answer->item[row];
	const char *name = share->parent && *share->parent ? share->parent : "root";
	size_t parent = name_index_get(reader->accounts, piece_of(name));

	if (row == reader->root)
		return;
	if (parent == NAME_INDEX_NONE) {
		parent = reader->builder.count;
		add_placeholder(reader, name);
	}
	reader->builder.row[row].parent_id = reader->builder.row[parent].id;
}

/* Adds all rows with their parents. */
static void add_rows(struct live_reader *reader)
{
	const struct live_items *answer = reader->answer;

	for (size_t i = 0; i < answer->count; i++)
		add_share(reader, answer->item[i]);
	if (reader->root == NO_ROW)
		add_placeholder(reader, "root");
	for (size_t i = 0; i < answer->count; i++)
		find_parent(reader, i);
}

void live_answer_tree(const struct live_items *answer, struct snapshot *snapshot)
{
	struct live_reader reader = { .answer = answer, .root = NO_ROW, .accounts = need_index(),
				      .builder.has_totals = true };

	add_rows(&reader);
	tree_builder_finish(&reader.builder, NULL, PARTITIONS_KNOWN, snapshot);
}

/* ---- texts -------------------------------------------------------------------------------- */

/* Returns counts of TRES as Slurm writes them, "cpu=4,mem=100"; NULL: all are 0. */
static const char *tres_text(const shares_response_msg_t *response, uint64_t *counts)
{
	char *made = slurmdb_make_tres_string_from_arrays(response->tres_names, counts,
							  response->tres_cnt, TRES_STR_FLAG_REMOVE);
	const char *text = made && *made ? need_text(made) : NULL;

	xfree(made);
	return text;
}

/* Limits in the answer are in minutes, the other counts in seconds; all texts are in minutes. */
void live_answer_texts(const shares_response_msg_t *response, const assoc_shares_object_t *share,
		       const char *text[LIVE_TEXT_COUNT])
{
	uint32_t count = response->tres_cnt;
	uint64_t *used = need_zeros(count, sizeof(*used));
	uint64_t *running = need_zeros(count, sizeof(*running));

	for (uint32_t i = 0; share->usage_tres_raw && i < count; i++)
		used[i] = (uint64_t)(share->usage_tres_raw[i] / 60);
	for (uint32_t i = 0; share->tres_run_secs && i < count; i++)
		running[i] = share->tres_run_secs[i] / 60;
	text[LIVE_GRP_TRES_MINS] =
		share->tres_grp_mins ? tres_text(response, share->tres_grp_mins) : NULL;
	text[LIVE_GRP_TRES_RAW] = tres_text(response, used);
	text[LIVE_TRES_RUN_MINS] = tres_text(response, running);
	need_free(used);
	need_free(running);
}

/* ---- figures ----------------------------------------------------------------------------- */

double live_figure(double value)
{
	if (value == (double)NO_VAL || value == (double)INFINITE ||
	    value == (double)NO_VAL64 || value == (double)INFINITE64)
		return NAN;
	return value;
}

/* What the fields of the answer mean for this release, plugin and policy. */
struct answer_rules {
	bool has_factor;	/* fs_factor is the factor; else sshare computes it */
	bool is_fathom;		/* the cluster runs priority/fathom */
	bool ranks;		/* the policy ranks users; the factor follows from the rank */
	bool is_damped;		/* the factor is 2^(-usage / shares / dampening_factor) */
	bool has_other_usage;	/* the policy keeps sums of its own in place of RawUsage */
	bool is_unknown;	/* another policy may be in force, see struct live */
	double dampening_factor;	/* of sshare's formula */
	double users;		/* number of users in the tree; NAN: PrivateData hides some */
};

/* The figures of one association. */
struct answer_row {
	const struct answer_rules *rules;
	const assoc_shares_object_t *share;	/* NULL: the root, see read_root() */
	bool has_roots_place;	/* it and all accounts above it have shares "parent" */
	double common[RECORDED_OWN];	/* the columns that all policies have */
};

/* Returns the figure by which the policy compares siblings: the field level_fs has it, whatever the
 * policy. NAN: the association has none. */
static double level_of(const struct answer_row *row)
{
	/* live_figure() would take 2^64 for "no limit", but TieMode=flux sets it as a value */
	return !row->share || row->share->level_fs == (double)NO_VAL ? NAN : row->share->level_fs;
}

/* Returns LevelFS. Where shares are "parent", Slurm's own plugin leaves an old value in the
 * field. */
static double level_fs_of(const struct answer_row *row)
{
	bool is_parent = row->share && row->share->shares_raw == SLURMDB_FS_USE_PARENT;

	return is_parent && !row->rules->is_fathom ? NAN : level_of(row);
}

/* Returns the rank of a user. The answer lacks it, but the factor is (users - rank + 1) / users.
 * NAN: this is an account, or the rank is not known. */
static double rank_of(const struct answer_row *row)
{
	double users = row->rules->users;
	double factor = row->share && row->share->user ? row->common[RECORDED_FACTOR] : NAN;

	return factor > 0 ? users - nearbyint(factor * users) + 1 : NAN;
}

/* Returns the value of an association in a column of the policy's own; NAN: the answer lacks it. */
static double own_value(const struct answer_row *row, enum column_role role)
{
	switch (role) {
	case COLUMN_LEVEL_FS:
		return level_fs_of(row);
	case COLUMN_SIBLING_PRIORITY:
		return level_of(row);
	case COLUMN_PLACE:
	case COLUMN_RANK:
		return rank_of(row);
	case COLUMN_NORM_SHARES:
		return row->common[RECORDED_NORM_SHARES];
	case COLUMN_EFFECTIVE_USAGE:
		return row->common[RECORDED_EFFECTIVE_USAGE];
	case COLUMN_FACTOR:
		return row->common[RECORDED_FACTOR];
	default:
		return NAN;
	}
}

/* Returns what the fields mean. dampening_factor: that of sshare's formula. */
static struct answer_rules rules_of(const struct live *live, const slurm_conf_t *slurm,
				    double dampening_factor, const struct live_items *answer)
{
	const struct fathom_policy *policy = live->pass.in_force.policy;
	const struct fathom_tree *tree = live->snapshot.tree;
	bool is_whole = fathom_tree_count(tree) == answer->count;

	return (struct answer_rules){
		.has_factor = !COMPAT_CLIENT_COMPUTES_FACTOR ||
			      (slurm->priority_flags & PRIORITY_FLAGS_FAIR_TREE),
		.is_fathom = live_conf_is_fathom(slurm),
		.ranks = policy_ranks_users(policy),
		.is_damped = policy_is_damped(policy),
		.has_other_usage = fathom_policy_keeps_sums(policy),
		.is_unknown = live->is_unknown,
		.dampening_factor = dampening_factor,
		.users = is_whole ? (double)fathom_tree_user_count(tree) : NAN,
	};
}

/* Returns whether usage_efctv has another value than effective usage. If sshare computes the factor
 * by a formula that is not the policy's, the plugin sets usage_efctv so that this formula gives the
 * policy's factor. */
static bool is_usage_substituted(const struct answer_rules *rules,
				 const assoc_shares_object_t *share)
{
	if (rules->has_factor)
		return false;
	if (rules->is_unknown)
		return true;	/* it may have */
	if (rules->is_damped)
		return false;	/* the formula is the policy's */
	if (rules->ranks)
		return share->user;	/* accounts have no factor */
	/* the policy's factor is 2^(-usage / shares) */
	return rules->dampening_factor != 1 || share->shares_raw == SLURMDB_FS_USE_PARENT;
}

/* Returns the factor as sshare computes it, 2^(-(usage / shares) / dampening factor), with two
 * exceptions: an association at the root's place gets the factor of the root's usage and shares,
 * both 1; and one without shares has no factor if that follows from a rank. NAN: not known. */
static double client_factor(const struct answer_row *row)
{
	const struct answer_rules *rules = row->rules;
	const assoc_shares_object_t *share = row->share;
	bool has_no_shares = isnan(live_figure(share->usage_efctv)) || !(share->shares_norm > 0);

	if (rules->is_unknown && (row->has_roots_place || has_no_shares))
		return NAN;	/* the two exceptions depend on the policy */
	if (row->has_roots_place && rules->is_damped)
		return exp2(-1 / rules->dampening_factor);
	if (has_no_shares)
		return rules->ranks ? NAN : 0;
	return exp2(-(share->usage_efctv / share->shares_norm) / rules->dampening_factor);
}

/* Returns whether the answer has factors of accounts. It does not if the policy ranks users, or if
 * the factor is in fs_factor, which Slurm's own plugin sets for users alone. */
static bool accounts_have_factors(const struct answer_rules *rules)
{
	if (rules->ranks || rules->is_unknown)
		return false;
	return !rules->has_factor || rules->is_fathom;
}

/* Returns the factor of an association; NAN: it has none, or it is not known. */
static double read_factor(const struct answer_row *row)
{
	const assoc_shares_object_t *share = row->share;

	if (!share->user && !accounts_have_factors(row->rules))
		return NAN;
	return row->rules->has_factor ? live_figure(share->fs_factor) : client_factor(row);
}

/* Reads the common columns of an association other than the root. */
static void read_row(struct answer_row *row)
{
	const assoc_shares_object_t *share = row->share;

	row->common[RECORDED_USAGE] = NAN;
	row->common[RECORDED_NORM_SHARES] = live_figure(share->shares_norm);
	row->common[RECORDED_NORM_USAGE] = live_figure(share->usage_norm);
	row->common[RECORDED_EFFECTIVE_USAGE] =
		is_usage_substituted(row->rules, share) ? NAN : live_figure(share->usage_efctv);
	row->common[RECORDED_FACTOR] = read_factor(row);
}

/* Sets the root's figures, because its row in the answer has other values in these fields. */
static void read_root(struct answer_row *row, const struct fathom_tree *tree)
{
	row->share = NULL;
	row->common[RECORDED_USAGE] = row->common[RECORDED_FACTOR] = NAN;
	row->common[RECORDED_NORM_SHARES] = row->common[RECORDED_EFFECTIVE_USAGE] = 1;
	row->common[RECORDED_NORM_USAGE] =
		row->rules->has_other_usage ? NAN : fathom_tree_usage(tree, 0) > 0;
}

/* Drops the columns that the answer lacks, so that they are computed from usage. If the policy does
 * not go by RawUsage, or is not known, the columns stay, with NAN for all nodes. */
static void choose_recorded(struct recorded *recorded, const struct answer_rules *rules)
{
	recorded->columns.usage = NULL;	/* the tree has it */
	if (rules->has_other_usage || rules->is_unknown)
		return;
	for (size_t i = 0; i < fathom_policy_column_count(recorded->policy); i++) {
		enum column_role role = policy_column_role(recorded->policy, i);

		if (role == COLUMN_OF_POLICY || role == COLUMN_OPTIONAL)
			recorded->columns.column[i] = NULL;
	}
}

/* Stores the figures of a node in the columns. count: of nodes. */
static void put_row(struct recorded *recorded, size_t count, size_t node,
		    const struct answer_row *row)
{
	for (size_t i = 0; i < RECORDED_OWN; i++)
		recorded_column(recorded, count, i)[node] = row->common[i];
	for (size_t i = 0; i < fathom_policy_column_count(recorded->policy); i++)
		recorded_column(recorded, count, RECORDED_OWN + i)[node] =
			own_value(row, policy_column_role(recorded->policy, i));
}

void live_answer_figures(struct live *live, const struct live_items *answer,
			 const slurm_conf_t *slurm, double dampening_factor)
{
	struct answer_rules rules = rules_of(live, slurm, dampening_factor, answer);
	const struct fathom_tree *tree = live->snapshot.tree;
	size_t count = fathom_tree_count(tree);
	struct recorded *recorded = &live->pass.in_force;

	live->placeholder = need_zeros(count, sizeof(*live->placeholder));
	recorded_create_columns(recorded, count);
	choose_recorded(recorded, &rules);
	for (size_t row = 0; row < count; row++) {
		size_t node = fathom_tree_node_of_row(tree, row);
		struct answer_row figures = { .rules = &rules };

		live->placeholder[node] = row >= answer->count;
		if (live->placeholder[node])
			continue;
		figures.share = answer->item[row];
		figures.has_roots_place = !fathom_tree_fs_parent(tree, node) &&
					  figures.share->shares_raw == SLURMDB_FS_USE_PARENT;
		if (node)
			read_row(&figures);
		else
			read_root(&figures, tree);
		put_row(recorded, count, node, &figures);
	}
	live->whole = count == answer->count;
}
