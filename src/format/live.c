/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the running cluster through libslurm, in these steps:
 *
 *	slurmctld's configuration	the policy in force (live_conf.c)
 *	slurmctld's answer to sshare	the whole tree, and figures of the policy
 *	FiguresFile, if readable	all figures, of the policy and of its shadow
 *
 * slurmctld's answer has the columns of sshare only. Other columns are either
 * computed from usage or, for policies with sums of their own, unknown (NAN).
 */
#include "format/compat.h"

#include "format/live.h"

#include "core/error.h"
#include "format/stderr_capture.h"
#include "format/tree_builder.h"
#include "format/live_conf.h"
#include "policy/traits.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NO_ROW SIZE_MAX

/* ---- the request to slurmctld ------------------------------------------------------ */

struct shares {
	const assoc_shares_object_t **item;
	size_t count, room;
};

static int failed_call(struct fathom_error *error, const char *what)
{
	int code = errno;
	char line[160];

	stderr_capture_end(line, sizeof(line));
	stderr_capture_begin();
	return fathom_error_set(error, code ? code : EIO, "%s: %s", what,
				code ? slurm_strerror(code) : *line ? line : "no answer");
}

static int request_shares(shares_response_msg_t **response, struct fathom_error *error)
{
	shares_request_msg_t all = { 0 };
	slurm_msg_t request, reply;

	slurm_msg_t_init(&request);
	slurm_msg_t_init(&reply);
	request.msg_type = REQUEST_SHARE_INFO;
	request.data = &all;
	errno = 0;
	if (slurm_send_recv_controller_msg(&request, &reply, working_cluster_rec) < 0)
		return failed_call(error, "slurmctld");
	if (reply.msg_type == RESPONSE_SHARE_INFO) {
		*response = reply.data;
		return 0;
	}
	errno = SLURM_UNEXPECTED_MSG_ERROR;
	if (reply.msg_type == RESPONSE_SLURM_RC)
		errno = ((return_code_msg_t *)reply.data)->return_code;
	return failed_call(error, "slurmctld");
}

/* Adds an association of the answer's list to struct shares. */
static int add_item(void *item, void *context)
{
	struct shares *shares = context;

	if (shares->count == shares->room) {
		size_t room = shares->room ? 2 * shares->room : 1024;
		const assoc_shares_object_t **grown = reallocarray(shares->item, room,
								   sizeof(*grown));

		if (!grown)
			return -1;
		shares->item = grown;
		shares->room = room;
	}
	shares->item[shares->count++] = item;
	return 0;
}

/* ---- accounts by name ------------------------------------------------------------- */

struct accounts {
	struct tree_builder *builder;
	uint32_t *slot;		/* row + 1; 0: free */
	size_t mask;
};

static uint32_t *account_slot(const struct accounts *accounts, const char *name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);	/* FNV-1a */
	size_t at;

	for (const char *c = name; *c; c++)
		hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
	for (at = hash & accounts->mask; accounts->slot[at]; at = (at + 1) & accounts->mask) {
		size_t row = accounts->slot[at] - 1;

		if (!strcmp(accounts->builder->text + accounts->builder->name[row], name))
			break;
	}
	return &accounts->slot[at];
}

static struct piece piece_of(const char *text)
{
	return (struct piece){ text, text ? strlen(text) : 0 };
}

/* ---- rows ------------------------------------------------------------------------- */

struct live_reader {
	const struct shares *shares;
	struct tree_builder builder;
	struct accounts accounts;
	struct input input;	/* empty; tree_builder_add() needs one for errors */
	size_t root;		/* row of the root, or NO_ROW */
	struct fathom_error *error;
};

static int add_row(struct live_reader *reader, const struct fathom_row *row, const char *name,
		   const char *partition)
{
	if (tree_builder_add(&reader->builder, &reader->input, 0, row, piece_of(name),
			     piece_of(partition), reader->error))
		return -1;
	if (row->kind == FATHOM_ACCOUNT)
		*account_slot(&reader->accounts, name) = (uint32_t)reader->builder.count;
	return 0;
}

static int add_share(struct live_reader *reader, const assoc_shares_object_t *share)
{
	struct fathom_row row = {
		.id = share->assoc_id, .kind = share->user ? FATHOM_USER : FATHOM_ACCOUNT,
		.is_root = !share->user && (!share->parent || !*share->parent),
		.raw_shares = share->shares_raw == SLURMDB_FS_USE_PARENT ? FATHOM_SHARES_PARENT :
			      share->shares_raw,
	};

	if (row.is_root)
		reader->root = reader->builder.count;
	return add_row(reader, &row, share->name,
		       share->partition && *share->partition ? share->partition : NULL);
}

/* Adds a placeholder for an account that PrivateData hides, as the parent of the associations
 * below it. */
static int add_placeholder(struct live_reader *reader, const char *name)
{
	struct fathom_row row = {
		.id = -(int64_t)reader->builder.count - 1, .kind = FATHOM_ACCOUNT, .raw_shares = 1,
		.is_root = reader->root == NO_ROW,
	};

	if (row.is_root)
		reader->root = reader->builder.count;
	else
		row.parent_id = reader->builder.row[reader->root].id;
	return add_row(reader, &row, name, NULL);
}

static int find_parent(struct live_reader *reader, size_t row)
{
	const char *name = reader->shares->item[row]->parent;
	uint32_t *slot;

	if (row == reader->root)
		return 0;
	slot = account_slot(&reader->accounts, name ? name : "");
	if (!*slot && add_placeholder(reader, name && *name ? name : "root"))
		return -1;
	slot = account_slot(&reader->accounts, name && *name ? name : "root");
	reader->builder.row[row].parent_id = reader->builder.row[*slot - 1].id;
	reader->builder.line[row] = *slot - 1;	/* the parent's row, for set_own_usage() */
	return 0;
}

static int add_rows(struct live_reader *reader)
{
	const struct shares *shares = reader->shares;

	for (size_t i = 0; i < shares->count; i++)
		if (add_share(reader, shares->item[i]))
			return -1;
	if (reader->root == NO_ROW && add_placeholder(reader, "root"))
		return -1;
	for (size_t i = 0; i < shares->count; i++)
		if (find_parent(reader, i))
			return -1;
	return 0;
}

/* Sets own usage: an account's usage minus that of its children. */
static void set_own_usage(struct live_reader *reader)
{
	struct tree_builder *builder = &reader->builder;
	size_t count = reader->shares->count;

	for (size_t i = 0; i < count; i++)
		builder->row[i].usage += (double)reader->shares->item[i]->usage_raw;
	for (size_t i = 0; i < count; i++)
		if (i != reader->root && builder->line[i] < count)
			builder->row[builder->line[i]].usage -=
				(double)reader->shares->item[i]->usage_raw;
	for (size_t i = 0; i < builder->count; i++)
		if (!(builder->row[i].usage > 0))
			builder->row[i].usage = 0;
}

static int build(struct live_reader *reader, struct snapshot *snapshot)
{
	size_t size = 16;
	int status;

	/* twice the rows, as each association may be below a hidden account of its own */
	while (size < 4 * (reader->shares->count + 1))
		size *= 2;
	reader->accounts = (struct accounts){ &reader->builder, calloc(size, sizeof(uint32_t)),
					      size - 1 };
	if (!reader->accounts.slot)
		return fathom_error_set(reader->error, ENOMEM, "%s", strerror(ENOMEM));
	status = add_rows(reader);
	if (!status) {
		set_own_usage(reader);
		status = tree_builder_finish(&reader->builder, &reader->input, true, snapshot,
					     reader->error);
	}
	free(reader->accounts.slot);
	return status;
}

/* ---- figures in slurmctld's answer ---------------------------------------------------- */

/* Turns Slurm's numbers for "no value" and "no limit" into NAN. */
static double figure(double value)
{
	if (value == (double)NO_VAL || value == (double)INFINITE ||
	    value == (double)NO_VAL64 || value == (double)INFINITE64)
		return NAN;
	return value;
}

/* How to read the policy's figures from slurmctld's answer to sshare. */
struct reading {
	bool has_factor;	/* the answer has the factor; else sshare computes it */
	bool is_fathom;		/* the cluster runs priority/fathom */
	bool ranks;		/* the policy ranks users, and its factor is a rank */
	bool is_damped;		/* the policy has a dampening_factor */
	bool has_other_usage;	/* the policy does not use RawUsage */
	bool is_unknown;	/* fathom.conf is wrong: the figures may be another policy's */
	double dampening_factor;
	double users;		/* NAN: not known */
};

/* The figures of one association. */
struct reading_row {
	const struct reading *reading;
	const assoc_shares_object_t *share;	/* NULL for the root, whose figures have no row */
	bool has_roots_place;	/* it and all accounts above have shares "parent" */
	double common[RECORDED_OWN];	/* as in struct recorded */
};

static double level_of(const struct reading_row *row)
{
	/* figure() would take 2^64 for "no limit", but TieMode=flux sets it as a value */
	return !row->share || row->share->level_fs == (double)NO_VAL ? NAN : row->share->level_fs;
}

/* Where shares are "parent", Slurm's own plugin leaves an old value in the field. */
static double level_fs_of(const struct reading_row *row)
{
	bool is_parent = row->share && row->share->shares_raw == SLURMDB_FS_USE_PARENT;

	return is_parent && !row->reading->is_fathom ? NAN : level_of(row);
}

/* The answer has no ranks, but factor = (users - rank + 1) / users. */
static double rank_of(const struct reading_row *row)
{
	double users = row->reading->users;
	double factor = row->share && row->share->user ? row->common[RECORDED_FACTOR] : NAN;

	return factor > 0 ? users - nearbyint(factor * users) + 1 : NAN;
}

static double norm_shares_of(const struct reading_row *row)
{
	return row->common[RECORDED_NORM_SHARES];
}

static double effective_usage_of(const struct reading_row *row)
{
	return row->common[RECORDED_EFFECTIVE_USAGE];
}

static double factor_of(const struct reading_row *row)
{
	return row->common[RECORDED_FACTOR];
}

typedef double own_value(const struct reading_row *row);

/* A policy's own column that is among them, too; NULL: it is not. */
static own_value *own_column(const struct fathom_policy *policy, size_t index)
{
	static own_value *const value[] = {
		[COLUMN_OF_POLICY] = NULL,
		[COLUMN_LEVEL_FS] = level_fs_of,
		[COLUMN_SIBLING_PRIORITY] = level_of,
		[COLUMN_PLACE] = rank_of,
		[COLUMN_NORM_SHARES] = norm_shares_of,
		[COLUMN_EFFECTIVE_USAGE] = effective_usage_of,
		[COLUMN_FACTOR] = factor_of,
	};

	return value[policy_column_role(policy, index)];
}

/* Returns the number of users; NAN if PrivateData hides some. */
static double user_count(const struct fathom_tree *tree, const struct shares *shares)
{
	return fathom_tree_count(tree) == shares->count ? (double)fathom_tree_user_count(tree)
							: NAN;
}

static struct reading reading_of(const struct live *live, const slurm_conf_t *conf, bool is_fathom,
				 double dampening_factor, const struct shares *shares)
{
	const struct fathom_policy *policy = live->in_force.policy;

	return (struct reading){
		.has_factor = !COMPAT_CLIENT_COMPUTES_FACTOR ||
			      (conf->priority_flags & PRIORITY_FLAGS_FAIR_TREE),
		.is_fathom = is_fathom,
		.ranks = policy_column_with(policy, COLUMN_PLACE) != POLICY_HAS_NONE,
		.is_damped = policy_is_damped(policy),
		.has_other_usage = fathom_policy_keeps_sums(policy),
		.is_unknown = live->has_bad_conf,
		.dampening_factor = dampening_factor,
		.users = user_count(live->snapshot.tree, shares),
	};
}

/* Returns whether the field of effective usage holds a made-up value. The plugin sets one
 * where sshare computes the factor from it, but the policy has another formula than sshare:
 * the made-up value gives the policy's factor. */
static bool is_usage_made_up(const struct reading *reading, const assoc_shares_object_t *share)
{
	if (reading->has_factor || reading->is_unknown)
		return !reading->has_factor;
	if (reading->is_damped)
		return false;
	if (reading->ranks)
		return share->user;
	return reading->dampening_factor != 1 || share->shares_raw == SLURMDB_FS_USE_PARENT;
}

/* Computes the factor as sshare does, 2^(-(usage / shares) / dampening factor), with two
 * exceptions. At the root's place sshare takes the usage of one association for the
 * root's, so the root's values are used here. Without shares, a rank cannot be computed. */
static double client_factor(const struct reading_row *row)
{
	const struct reading *reading = row->reading;
	const assoc_shares_object_t *share = row->share;
	bool has_no_shares = isnan(figure(share->usage_efctv)) || !(share->shares_norm > 0);

	/* in these cases the result depends on the policy */
	if (reading->is_unknown && (row->has_roots_place || has_no_shares))
		return NAN;
	if (row->has_roots_place && reading->is_damped)
		return exp2(-1 / reading->dampening_factor);
	if (has_no_shares)
		return reading->ranks ? NAN : 0;
	return exp2(-(share->usage_efctv / share->shares_norm) / reading->dampening_factor);
}

/* Returns the factor. Accounts have none if the policy ranks, and in Slurm's own plugin. */
static double read_factor(const struct reading_row *row)
{
	const struct reading *reading = row->reading;
	const assoc_shares_object_t *share = row->share;
	bool of_accounts = !reading->ranks && !reading->is_unknown &&
			   (!reading->has_factor || reading->is_fathom);

	if (!share->user && !of_accounts)
		return NAN;
	return reading->has_factor ? figure(share->fs_factor) : client_factor(row);
}

static void read_row(struct reading_row *row)
{
	const assoc_shares_object_t *share = row->share;

	row->common[RECORDED_USAGE] = NAN;
	row->common[RECORDED_NORM_SHARES] = figure(share->shares_norm);
	row->common[RECORDED_NORM_USAGE] = figure(share->usage_norm);
	row->common[RECORDED_EFFECTIVE_USAGE] =
		is_usage_made_up(row->reading, share) ? NAN : figure(share->usage_efctv);
	row->common[RECORDED_FACTOR] = read_factor(row);
}

/* Sets the root's figures, as its row in the answer has other values in these fields. */
static void read_root(struct reading_row *row, const struct fathom_tree *tree)
{
	row->share = NULL;
	row->common[RECORDED_USAGE] = row->common[RECORDED_FACTOR] = NAN;
	row->common[RECORDED_NORM_SHARES] = row->common[RECORDED_EFFECTIVE_USAGE] = 1;
	row->common[RECORDED_NORM_USAGE] =
		row->reading->has_other_usage ? NAN : fathom_tree_usage(tree, 0) > 0;
}

static int alloc_rest(struct live *live)
{
	size_t count = fathom_tree_count(live->snapshot.tree);

	for (size_t i = 0; i < LIVE_TEXT_COUNT; i++)
		if (!(live->text[i] = calloc(count, sizeof(char *))))
			return -1;
	live->placeholder = calloc(count, sizeof(*live->placeholder));
	return live->placeholder ? 0 : -1;
}

/* Drops the columns that the answer does not have, so that they are computed from usage. A
 * policy that does not use RawUsage keeps them: they stay NAN, unknown. */
static void choose_recorded(struct recorded *recorded, const struct reading *reading)
{
	recorded->columns.usage = NULL;	/* the tree has it */
	if (reading->has_other_usage || reading->is_unknown)
		return;
	for (size_t i = 0; i < fathom_policy_column_count(recorded->policy); i++)
		if (!own_column(recorded->policy, i))
			recorded->columns.column[i] = NULL;
}

static void put_row(struct recorded *recorded, size_t count, size_t node,
		    const struct reading_row *row)
{
	for (size_t i = 0; i < RECORDED_OWN; i++)
		recorded_column(recorded, count, i)[node] = row->common[i];
	for (size_t i = 0; i < fathom_policy_column_count(recorded->policy); i++) {
		own_value *own = own_column(recorded->policy, i);

		if (own)
			recorded_column(recorded, count, RECORDED_OWN + i)[node] = own(row);
	}
}

static int read_figures(struct live *live, const struct shares *shares,
			const struct reading *reading, struct fathom_error *error)
{
	const struct fathom_tree *tree = live->snapshot.tree;
	size_t count = fathom_tree_count(tree);
	struct recorded *recorded = &live->in_force;

	if (recorded_create_columns(recorded, count, error))
		return -1;
	choose_recorded(recorded, reading);
	for (size_t row = 0; row < count; row++) {
		size_t node = fathom_tree_node_of_row(tree, row);
		struct reading_row read = { .reading = reading };

		live->placeholder[node] = row >= shares->count;
		if (live->placeholder[node])
			continue;
		read.share = shares->item[row];
		read.has_roots_place = !fathom_tree_fs_parent(tree, node) &&
				       read.share->shares_raw == SLURMDB_FS_USE_PARENT;
		if (node)
			read_row(&read);
		else
			read_root(&read, tree);
		put_row(recorded, count, node, &read);
	}
	live->whole = count == shares->count;
	return 0;
}

static char *tres_text(const shares_response_msg_t *response, uint64_t *counts)
{
	char *made = slurmdb_make_tres_string_from_arrays(response->tres_names, counts,
							  response->tres_cnt, TRES_STR_FLAG_REMOVE);
	char *text = made ? strdup(made) : NULL;

	xfree(made);
	return text;
}

/* Makes the texts of sshare -l; counts are in seconds, the texts in minutes. */
static void read_texts(struct live *live, const struct shares *shares,
		       const shares_response_msg_t *response)
{
	uint32_t count = response->tres_cnt;
	uint64_t *minutes = calloc(count ? count : 1, sizeof(*minutes));

	for (size_t row = 0; minutes && row < shares->count; row++) {
		const assoc_shares_object_t *share = shares->item[row];
		size_t node = fathom_tree_node_of_row(live->snapshot.tree, row);

		live->text[LIVE_GRP_TRES_MINS][node] = tres_text(response, share->tres_grp_mins);
		for (uint32_t i = 0; share->usage_tres_raw && i < count; i++)
			minutes[i] = (uint64_t)(share->usage_tres_raw[i] / 60);
		live->text[LIVE_GRP_TRES_RAW][node] = tres_text(response, minutes);
		for (uint32_t i = 0; share->tres_run_secs && i < count; i++)
			minutes[i] = share->tres_run_secs[i] / 60;
		live->text[LIVE_TRES_RUN_MINS][node] = tres_text(response, minutes);
	}
	free(minutes);
}

/* ---- the policy in force ---------------------------------------------------------------- */

static void remark(struct live *live, const char *what)
{
	free(live->remark);
	live->remark = strdup(what);
}

static void read_policy(struct recorded *recorded, const struct fathom_policy *policy,
			const struct fathom_conf *conf, const slurm_conf_t *slurm)
{
	recorded->policy = policy;
	recorded->settings = live_conf_settings(conf, slurm, policy);
}

/* Sets policies and settings. Returns the dampening factor that sshare uses. */
static double read_policies(struct live *live, const slurm_conf_t *slurm,
			    const struct fathom_conf *conf)
{
	const struct fathom_policy *shadow = conf_shadow_policy(conf);

	read_policy(&live->in_force, live_conf_policy(conf, slurm), conf, slurm);
	if (shadow)
		read_policy(&live->shadow, shadow, conf, slurm);
	return live_conf_dampening_factor(conf, slurm);
}

/* ---- FiguresFile ---------------------------------------------------------------------------- */

/* Moves the scopes into `live`. Their trees show all associations, so that users from whom
 * PrivateData hides a part do not get them. */
static void move_scopes(struct live *live, struct recorded_pass *pass)
{
	if (!live->whole)
		return;
	live->scope = pass->scope;
	live->scope_count = pass->scope_count;
	pass->scope = NULL;
	pass->scope_count = 0;
}

/* Reads the FiguresFile and copies its figures to the nodes of the cluster's tree. */
static int read_pass(struct live *live, struct input *input, struct fathom_error *error)
{
	struct recorded_pass pass;
	int status;

	if (format_figures.read_recorded(input, &pass, error))
		return -1;
	if (!pass.cluster || strcmp(pass.cluster, live->cluster))
		status = fathom_error_set(error, EINVAL, "is of cluster %s, must be of %s",
					  pass.cluster ? pass.cluster : "unknown", live->cluster);
	else
		status = recorded_copy_to(&live->in_force, live->snapshot.tree, &pass.in_force,
					  error);
	if (!status)
		status = recorded_give_resources(live->snapshot.tree, pass.in_force.snapshot.tree,
						 error);
	if (!status && pass.shadow.policy)
		status =
			recorded_copy_to(&live->shadow, live->snapshot.tree, &pass.shadow, error) ||
			recorded_give_resources(live->snapshot.tree, pass.shadow.snapshot.tree,
						error);
	if (!status) {
		live->snapshot.time = pass.in_force.snapshot.time;
		live->has_file = true;
		move_scopes(live, &pass);
	}
	recorded_pass_clear(&pass);
	return status;
}

/* Warns of an old file, which the last passes perhaps could not write. */
static void warn_of_age(struct live *live, const char *path, const struct fathom_conf *conf,
			const slurm_conf_t *slurm)
{
	char *old = live_conf_old_figures(path, live->snapshot.time, conf, slurm);

	if (old)
		remark(live, old);
	free(old);
}

/* Takes the figures from the FiguresFile. If it does not exist or may not be read, those of
 * slurmctld's answer are used; only a wrong file gets a warning. */
static void read_figures_file(struct live *live, const slurm_conf_t *slurm,
			      const struct fathom_conf *conf)
{
	char *path = live_conf_figures_path(conf, slurm);
	struct input input = { 0 };
	struct fathom_error error;
	char text[sizeof(error.text) + 256], line[24] = "";

	if (!path || access(path, R_OK)) {
		free(path);
		return;
	}
	if (input_load(&input, path, &error) || read_pass(live, &input, &error)) {
		if (input.line)
			snprintf(line, sizeof(line), ":%zu", input.line);
		snprintf(text, sizeof(text), "%.200s%s: %s; using the figures of sshare", path,
			 line, error.text);
		remark(live, text);
	} else {
		warn_of_age(live, path, conf, slurm);
	}
	input_clear(&input);
	free(path);
}

/* ---- one cluster --------------------------------------------------------------------- */

/* Reads fathom.conf if the local cluster runs priority/fathom; else returns the defaults. */
static struct fathom_conf conf_of(struct live *live, const slurm_conf_t *slurm, bool is_fathom)
{
	struct fathom_conf conf;

	if (!is_fathom || working_cluster_rec)
		return conf_standard();
	conf = live_conf_read(slurm, &live->remark);
	live->has_bad_conf = live->remark;
	return conf;
}

static int read_all_figures(struct live *live, const struct shares *shares,
			    const slurm_conf_t *slurm, struct fathom_error *error)
{
	bool is_fathom = live_conf_is_fathom(slurm);
	struct fathom_conf conf = conf_of(live, slurm, is_fathom);
	double dampening_factor = read_policies(live, slurm, &conf);
	struct reading reading = reading_of(live, slurm, is_fathom, dampening_factor, shares);
	int status = read_figures(live, shares, &reading, error);

	live->has_formula = conf.given[CONF_FORMULA];
	if (!status)
		read_figures_file(live, slurm, &conf);
	conf_clear(&conf);
	return status;
}

static int read_answer(struct live *live, const shares_response_msg_t *response,
		       const slurm_conf_t *conf, bool with_text, struct fathom_error *error)
{
	struct shares shares = { 0 };
	struct live_reader reader = { .shares = &shares, .root = NO_ROW, .error = error };
	int status = -1;

	if (response->assoc_shares_list)
		list_for_each(response->assoc_shares_list, add_item, &shares);
	if (!shares.count) {
		fathom_error_set(error, ENOENT, "slurmctld knows no associations, or PrivateData "
				 "hides all of them");
		goto done;
	}
	live->cluster = strdup(shares.item[0]->cluster ? shares.item[0]->cluster : "");
	if (build(&reader, &live->snapshot))
		goto done;
	live->snapshot.has_time = true;
	live->snapshot.time = (int64_t)conf->last_update;
	if (!live->cluster || alloc_rest(live)) {
		fathom_error_set(error, ENOMEM, "%s", strerror(ENOMEM));
		goto done;
	}
	status = read_all_figures(live, &shares, conf, error);
	if (!status && with_text)
		read_texts(live, &shares, response);
done:
	tree_builder_clear(&reader.builder);
	free(shares.item);
	return status;
}

static int read_cluster(struct live *live, bool with_text, struct fathom_error *error)
{
	shares_response_msg_t *response = NULL;
	slurm_conf_t *conf = NULL;
	int status = -1;

	errno = 0;
	if (slurm_load_ctl_conf((time_t)0, &conf) || !conf)
		return failed_call(error, "slurmctld");
	if (!request_shares(&response, error))
		status = read_answer(live, response, conf, with_text, error);
	slurm_free_shares_response_msg(response);
	compat_free_conf(conf);
	return status;
}

static void live_clear(struct live *live)
{
	size_t count = live->snapshot.tree ? fathom_tree_count(live->snapshot.tree) : 0;

	recorded_clear(&live->in_force);
	recorded_clear(&live->shadow);
	recorded_free_scopes(live->scope, live->scope_count);
	for (size_t i = 0; i < LIVE_TEXT_COUNT; i++) {
		for (size_t node = 0; live->text[i] && node < count; node++)
			free(live->text[i][node]);
		free(live->text[i]);
	}
	free(live->placeholder);
	free(live->cluster);
	free(live->remark);
	snapshot_clear(&live->snapshot);
}

void live_free(struct live *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		live_clear(&list[i]);
	free(list);
}

/* ---- all clusters ---------------------------------------------------------------------- */

struct visit {
	struct live *list;
	size_t count;
	bool with_text;
	int status;
	struct fathom_error *error;
};

static int visit_cluster(void *item, void *context)
{
	struct visit *visit = context;
	struct live *grown = reallocarray(visit->list, visit->count + 1, sizeof(*grown));

	visit->status = -1;
	if (!grown)
		return fathom_error_set(visit->error, ENOMEM, "%s", strerror(ENOMEM));
	visit->list = grown;
	memset(&grown[visit->count++], 0, sizeof(*grown));
	working_cluster_rec = item;
	visit->status = read_cluster(&grown[visit->count - 1], visit->with_text, visit->error);
	working_cluster_rec = NULL;
	return visit->status;
}

static void visit_named(const char *clusters, struct visit *visit)
{
	char *names = strdup(clusters);
	void *list;

	errno = 0;
	list = names ? compat_clusters(names) : NULL;
	visit->status = -1;
	if (!list)
		failed_call(visit->error, "--clusters: slurmdbd knows none of them");
	else if (list_for_each(list, visit_cluster, visit) < 0 && !visit->status)
		visit->status = -1;
	if (list)
		list_destroy(list);
	free(names);
}

void live_begin(void)
{
	static bool begun;

	if (begun)
		return;
	slurm_init(NULL);
	atexit(slurm_fini);
	begun = true;
}

int live_read(const char *clusters, bool with_text, struct live **list, size_t *count,
	      struct fathom_error *error)
{
	struct visit visit = { .with_text = with_text, .error = error };
	char line[512];

	*list = NULL;
	*count = 0;
	stderr_capture_begin();
	live_begin();
	if (clusters)
		visit_named(clusters, &visit);
	else
		visit_cluster(NULL, &visit);
	stderr_capture_end(line, sizeof(line));
	if (visit.status) {
		live_free(visit.list, visit.count);
		return -1;
	}
	*list = visit.list;
	*count = visit.count;
	return 0;
}
