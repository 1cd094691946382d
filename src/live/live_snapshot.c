/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads each part as the command that shows it does, so that a snapshot has the same figures. */
#include "live/compat.h"

#include "live/live_snapshot.h"

#include "core/error.h"
#include "evaluate/evaluated_tree.h"
#include "format/snapshot/cluster_snapshot.h"
#include "live/libslurm.h"
#include "live/live.h"
#include "live/live_conf.h"
#include "live/live_job_records.h"
#include "live/live_jobs.h"
#include "live/live_pools.h"
#include "live/live_slurm_conf.h"
#include "policy/pbs_unknown_group.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* All that is read of the cluster. */
struct taken {
	struct live *live;
	size_t live_count;
	struct job_list list;
	struct jobs jobs;
	struct pool_divisions pools;
	bool has_pools;
	slurm_conf_t *slurm;
	char *slurm_conf, *fathom_conf;
	struct fathom_error *error;
};

/* ---- figures ------------------------------------------------------------------------ */

/* A tree with its figures, as it is written. */
struct written_tree {
	struct evaluated_tree evaluated;
	struct json_shares shares;
	size_t *order;
};

/* Lists the nodes so that siblings keep their order. */
static int set_order(struct written_tree *tree, const struct snapshot *snapshot,
		     struct fathom_error *error)
{
	size_t count = fathom_tree_count(snapshot->tree);

	tree->order = calloc(count + 1, sizeof(*tree->order));
	tree->shares.order = tree->order;
	tree->shares.count = count;
	return tree->order ? snapshot_depth_first(snapshot, tree->order, NULL, error)
			   : fathom_error_no_memory(error);
}

/* Computes the figures that the cluster did not tell. */
static int make_tree(struct written_tree *tree, const struct snapshot *snapshot,
		     const struct recorded *recorded, bool whole, struct fathom_error *error)
{
	struct tree_scheme scheme = { .snapshot = snapshot, .policy = recorded->policy,
				      .settings = recorded->settings,
				      .recorded = recorded->columns, .is_partial = !whole };

	pbs_unknown_group_set_shares(snapshot, scheme.policy, &scheme.settings);
	evaluated_tree_create(&tree->evaluated, &scheme);
	tree->shares = (struct json_shares){
		.policy = recorded->policy, .settings = &recorded->settings, .snapshot = snapshot,
		.columns = tree->evaluated.columns, .with_inputs = true,
	};
	return set_order(tree, snapshot, error);
}

static void clear_tree(struct written_tree *tree)
{
	evaluated_tree_clear(&tree->evaluated);
	free(tree->order);
}

/* ---- scopes --------------------------------------------------------------------------- */

/* The trees of all scopes, and what is written of them. */
struct written_scopes {
	struct written_tree *tree;
	struct json_scope *scope;
	size_t count;
};

static int make_scope(struct written_scopes *scopes, size_t i, const struct recorded_scope *from,
		      struct fathom_error *error)
{
	scopes->scope[i].head = from->head;
	if (make_tree(&scopes->tree[i], &from->recorded.snapshot, &from->recorded, true, error))
		return -1;
	scopes->scope[i].shares = scopes->tree[i].shares;
	return 0;
}

static int make_scopes(struct written_scopes *scopes, const struct live *live,
		       struct fathom_error *error)
{
	scopes->count = live->scope_count;
	scopes->tree = calloc(scopes->count + 1, sizeof(*scopes->tree));
	scopes->scope = calloc(scopes->count + 1, sizeof(*scopes->scope));
	if (!scopes->tree || !scopes->scope)
		return fathom_error_no_memory(error);
	for (size_t i = 0; i < scopes->count; i++)
		if (make_scope(scopes, i, &live->scope[i], error))
			return -1;
	return 0;
}

static void clear_scopes(struct written_scopes *scopes)
{
	for (size_t i = 0; scopes->tree && i < scopes->count; i++)
		clear_tree(&scopes->tree[i]);
	free(scopes->tree);
	free(scopes->scope);
}

/* ---- writing -------------------------------------------------------------------------- */

static int write_parts(FILE *out, const struct taken *taken, const struct json_figures *figures)
{
	const struct cluster_snapshot snapshot = {
		.time = taken->jobs.time,
		.tree = &taken->live->snapshot,
		.figures = figures,
		.jobs = &taken->jobs,
		.pools = taken->has_pools ? &taken->pools : NULL,
		.slurm_conf = taken->slurm_conf, .fathom_conf = taken->fathom_conf,
	};

	return cluster_snapshot_write(out, &snapshot, taken->error);
}

static int write_figures(FILE *out, const struct taken *taken)
{
	const struct live *live = taken->live;
	bool has_shadow = live->shadow.policy;
	struct written_tree in_force = { 0 }, shadow = { 0 };
	struct written_scopes scopes = { 0 };
	struct json_figures figures = { .time = live->snapshot.time, .cluster = live->cluster };
	int status = make_tree(&in_force, &live->snapshot, &live->in_force, live->whole,
			       taken->error);

	if (!status && has_shadow)
		status = make_tree(&shadow, &live->snapshot, &live->shadow, live->whole,
				   taken->error);
	if (!status)
		status = make_scopes(&scopes, live, taken->error);
	figures.shares = &in_force.shares;
	figures.shadow = has_shadow ? &shadow.shares : NULL;
	figures.scope = scopes.scope;
	figures.scope_count = scopes.count;
	if (!status)
		status = write_parts(out, taken, &figures);
	clear_tree(&in_force);
	clear_tree(&shadow);
	clear_scopes(&scopes);
	return status;
}

/* ---- reading -------------------------------------------------------------------------- */

static int make_slurm_conf(struct taken *taken)
{
	size_t length;
	FILE *text = open_memstream(&taken->slurm_conf, &length);

	if (!text)
		return fathom_error_no_memory(taken->error);
	live_slurm_conf_write(text, taken->slurm);
	return fclose(text) ? fathom_error_no_memory(taken->error) : 0;
}

/* A fathom.conf that cannot be read has had its warning from live_read(). */
static int read_fathom_conf(struct taken *taken)
{
	char *path = live_conf_is_fathom(taken->slurm)
			     ? live_conf_path(taken->slurm, "fathom.conf") : NULL;
	struct document input = { 0 };
	int status = 0;

	if (path && !taken->live->has_bad_conf && !document_load(&input, path, NULL)) {
		taken->fathom_conf = strdup(input.text + document_mark(&input));
		status = taken->fathom_conf ? 0 : fathom_error_no_memory(taken->error);
	}
	document_clear(&input);
	free(path);
	return status;
}

/* Pools are in the FiguresFile alone; without one there are none to be told. */
static void read_pools(struct taken *taken)
{
	char *remark;

	if (!taken->live->has_file || live_pools_read(&taken->pools, &remark, NULL))
		return;
	taken->has_pools = true;
	free(remark);
}

/* Reads the jobs and their priorities. A cluster under priority/basic has none. */
static int read_shown(struct taken *taken)
{
	struct fathom_error error = { 0 };

	if (!live_jobs_read(&taken->list, (struct live_jobs_wanted){ .as_sent = true }, &error))
		return 0;
	if (error.code == ENOTSUP)
		return 0;
	return fathom_error_set(taken->error, error.code, "%s", error.text);
}

static int request(struct taken *taken)
{
	int status = -1;

	if (libslurm_begin(LIBSLURM_FROM, taken->error))
		return -1;
	errno = 0;
	if (slurm_load_ctl_conf((time_t)0, &taken->slurm) || !taken->slurm)
		libslurm_failed(taken->error, "slurmctld");
	else
		status = live_job_records_read(&taken->jobs, &taken->list, taken->error);
	libslurm_end();
	return status;
}

static int take(struct taken *taken)
{
	if (live_read(NULL, false, &taken->live, &taken->live_count, taken->error) ||
	    read_shown(taken) || request(taken) || make_slurm_conf(taken) ||
	    read_fathom_conf(taken))
		return -1;
	read_pools(taken);
	return 0;
}

static void release(struct taken *taken)
{
	if (taken->slurm)
		compat_free_conf(taken->slurm);
	pool_divisions_clear(&taken->pools);
	jobs_clear(&taken->jobs);
	job_list_clear(&taken->list);
	live_free(taken->live, taken->live_count);
	free(taken->slurm_conf);
	free(taken->fathom_conf);
}

int live_snapshot_write(FILE *out, char **remark, struct fathom_error *error)
{
	struct taken taken = { .error = error };
	int status = take(&taken);

	*remark = NULL;
	if (!status)
		status = write_figures(out, &taken);
	if (!status) {
		*remark = taken.live->remark;
		taken.live->remark = NULL;
	}
	release(&taken);
	return status;
}
