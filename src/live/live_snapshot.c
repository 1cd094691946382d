/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads each part as the command that shows it does, so that a snapshot has the same figures. */
#include "live/live_private.h"

#include "evaluate/evaluated_tree.h"
#include "format/snapshot/cluster_snapshot.h"
#include "policy/pbs_unknown_group.h"

#include <errno.h>

/* All that is read of the cluster. */
struct taken {
	struct live *live;
	struct job_list list;
	struct jobs jobs;
	struct pool_divisions pools;
	bool has_pools;
	const slurm_conf_t *slurm;
	char *machine;			/* lines of slurm.conf */
	const char *fathom_conf;
};

/* ---- figures ------------------------------------------------------------------------ */

/* Computes the figures that the cluster did not tell, and writes all; siblings keep their order.
 * whole: the snapshot has all associations. scope: whose tree it is; or NULL. Returns 0. */
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
	return 0;
}

/* Writes a tree, as struct json_figures numbers them. */
static int put_tree(FILE *out, size_t tree, const void *context)
{
	const struct live *live = context;
	const struct recorded_pass *pass = &live->pass;
	size_t first_scope = pass->shadow.policy ? 2 : 1;
	const struct recorded_scope *scope;

	if (tree < first_scope)
		return put_recorded(out, &live->snapshot, tree ? &pass->shadow : &pass->in_force,
				    live->whole, NULL);
	scope = &pass->scope[tree - first_scope];
	return put_recorded(out, &scope->recorded.snapshot, &scope->recorded, true, &scope->head);
}

/* Writes all that was read as one document. */
static void write_parts(FILE *out, const struct taken *taken)
{
	const struct live *live = taken->live;
	const struct json_figures figures = {
		.time = live->snapshot.time, .cluster = live->cluster,
		.policy = live->pass.in_force.policy, .has_shadow = live->pass.shadow.policy,
		.scope_count = live->pass.scope_count, .put_tree = put_tree, .context = live,
	};
	const struct cluster_snapshot snapshot = {
		.time = taken->jobs.time,
		.tree = &live->snapshot,
		.figures = &figures,
		.jobs = &taken->jobs,
		.pools = taken->has_pools ? &taken->pools : NULL,
		.slurm_conf = need_print("%s%s", live_slurm_conf_text(taken->slurm),
					 taken->machine),
		.fathom_conf = taken->fathom_conf,
	};

	cluster_snapshot_write(out, &snapshot);
}

/* ---- reading -------------------------------------------------------------------------- */

/* A fathom.conf that cannot be read has had its warning from live_read(). */
static void read_fathom_conf(struct taken *taken)
{
	const char *path = live_conf_is_fathom(taken->slurm)
				   ? live_conf_path(taken->slurm, "fathom.conf") : NULL;
	struct document input;

	taken->fathom_conf = live_conf_told(taken->slurm);
	if (!taken->fathom_conf && path && !taken->live->has_bad_conf &&
	    !document_load(&input, path, NULL))
		taken->fathom_conf = input.text + document_mark(&input);
}

/* Pools are in the FiguresFile alone. */
static void read_pools(void *context)
{
	live_pools_read(&((struct taken *)context)->pools);
}

/* Reads the jobs and their priorities, as slurmctld has them. Under priority/basic it fails with
 * ENOTSUP, as there are no priorities. */
static void read_shown(void *context)
{
	struct taken *taken = context;

	live_jobs_read(&taken->list, (struct live_jobs_wanted){ .as_sent = true });
}

static void request(void *context)
{
	struct taken *taken = context;

	taken->slurm = libslurm_conf();
	live_job_records_read(&taken->jobs, &taken->list, &taken->machine);
}

const char *live_snapshot_write(FILE *out)
{
	struct taken taken = { .live = live_read_local() };
	struct failure failure;

	if (document_try(read_shown, &taken, &failure) && failure.error.code != ENOTSUP)
		wrong_again(&failure);
	libslurm_ask(LIBSLURM_FROM, request, &taken);
	read_fathom_conf(&taken);
	taken.has_pools = taken.live->has_file && !document_try(read_pools, &taken, &failure);
	write_parts(out, &taken);
	return taken.live->remark;
}
