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
#include "memory/need_memory.h"
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

/* Computes the figures that the cluster did not tell, and writes all; siblings keep their order. */
static int put_recorded(FILE *out, const struct snapshot *snapshot, const struct recorded *recorded,
			bool whole, const struct scope_head *scope)
{
	struct tree_scheme scheme = { .snapshot = snapshot, .policy = recorded->policy,
				      .settings = recorded->settings,
				      .recorded = recorded->columns, .is_partial = !whole };
	size_t count = fathom_tree_count(snapshot->tree);
	size_t *order = need_zeros(count, sizeof(*order));
	struct json_shares shares = {
		.policy = recorded->policy, .settings = &recorded->settings, .snapshot = snapshot,
		.with_inputs = true, .order = order, .count = count,
	};
	struct evaluated_tree evaluated;

	need_done(snapshot_depth_first(snapshot, order, NULL, NULL));
	pbs_unknown_group_set_shares(snapshot, scheme.policy, &scheme.settings);
	evaluated_tree_create(&evaluated, &scheme);
	shares.columns = evaluated.columns;
	if (scope)
		json_put_scope(out, scope, &shares);
	else
		json_put_shares(out, &shares);
	need_free(order);
	return 0;
}

static int put_tree(FILE *out, size_t tree, const void *context)
{
	const struct live *live = context;
	size_t first_scope = live->shadow.policy ? 2 : 1;
	const struct recorded_scope *scope;

	if (tree < first_scope)
		return put_recorded(out, &live->snapshot, tree ? &live->shadow : &live->in_force,
				    live->whole, NULL);
	scope = &live->scope[tree - first_scope];
	return put_recorded(out, &scope->recorded.snapshot, &scope->recorded, true, &scope->head);
}

static int write_parts(FILE *out, const struct taken *taken)
{
	const struct live *live = taken->live;
	const struct json_figures figures = {
		.time = live->snapshot.time, .cluster = live->cluster,
		.policy = live->in_force.policy, .has_shadow = live->shadow.policy,
		.scope_count = live->scope_count, .put_tree = put_tree, .context = live,
	};
	const struct cluster_snapshot snapshot = {
		.time = taken->jobs.time,
		.tree = &live->snapshot,
		.figures = &figures,
		.jobs = &taken->jobs,
		.pools = taken->has_pools ? &taken->pools : NULL,
		.slurm_conf = taken->slurm_conf, .fathom_conf = taken->fathom_conf,
	};

	return cluster_snapshot_write(out, &snapshot, taken->error);
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
		status = write_parts(out, &taken);
	if (!status) {
		*remark = taken.live->remark;
		taken.live->remark = NULL;
	}
	release(&taken);
	return status;
}
