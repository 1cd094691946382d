/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes a snapshot of the running cluster. Each part is read in the same way as by the command that
 * shows it, so that a snapshot has the same figures. */
#include "live/live_private.h"

#include "evaluate/evaluated_tree.h"
#include "format/snapshot/cluster_snapshot.h"
#include "policy/pbs_unknown_group.h"

#include <errno.h>

/* All that is read of the cluster. */
struct live_parts {
	struct live *live;		/* the tree with its figures */
	struct job_list list;		/* slurmctld's answer to sprio; empty under
					 * priority/basic */
	struct jobs jobs;
	bool has_pools;
	struct pool_divisions pools;	/* if has_pools */
	const slurm_conf_t *slurm;
	char *machine;			/* nodes and partitions as lines of slurm.conf */
	const char *fathom_conf;	/* its text; NULL: not known, or there is none */
};

/* ---- figures ------------------------------------------------------------------------ */

/* Writes a tree with its figures; computes those that the cluster did not send. Siblings keep their
 * order. whole: the tree has all associations. scope: the tree is that of a scope; NULL: that of
 * the cluster. Returns 0. */
static int put_recorded(FILE *out, const struct snapshot *snapshot, const struct recorded *recorded,
			bool whole, const struct scope_head *scope)
{
	struct evaluated_tree tree = { .snapshot = snapshot, .policy = recorded->policy,
				       .settings = recorded->settings,
				       .recorded = recorded->columns, .is_partial = !whole };
	size_t count = fathom_tree_count(snapshot->tree);
	size_t *order = need_zeros(count, sizeof(*order));
	struct json_shares shares = {
		.policy = recorded->policy, .settings = &recorded->settings, .snapshot = snapshot,
		.with_inputs = true, .order = order, .count = count,
	};

	need_done(snapshot_depth_first(snapshot, order, NULL, NULL));
	pbs_unknown_group_set_shares(snapshot, tree.policy, &tree.settings);
	evaluated_tree_evaluate(&tree);
	shares.columns = tree.columns;
	if (scope)
		json_put_scope(out, scope, &shares);
	else
		json_put_shares(out, &shares);
	return 0;
}

/* For struct json_figures: writes tree number `tree`: 0 is the policy in force, then comes the
 * shadow if there is one, then come the scopes. context: the struct live. */
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
static void write_parts(FILE *out, const struct live_parts *parts)
{
	const struct live *live = parts->live;
	const struct json_figures figures = {
		.time = live->snapshot.time, .cluster = live->cluster,
		.policy = live->pass.in_force.policy, .has_shadow = live->pass.shadow.policy,
		.scope_count = live->pass.scope_count, .put_tree = put_tree, .context = live,
	};
	const struct cluster_snapshot snapshot = {
		.time = parts->jobs.time,
		.tree = &live->snapshot,
		.figures = &figures,
		.jobs = &parts->jobs,
		.pools = parts->has_pools ? &parts->pools : NULL,
		.slurm_conf = need_print("%s%s", live_slurm_conf_text(parts->slurm),
					 parts->machine),
		.fathom_conf = parts->fathom_conf,
	};

	cluster_snapshot_write(out, &snapshot);
}

/* ---- reading -------------------------------------------------------------------------- */

/* Sets the text of fathom.conf: what slurmctld tells, else this host's file unless it is wrong. A
 * wrong file needs no warning here, as live_read_local() has given one. */
static void read_fathom_conf(struct live_parts *parts)
{
	const char *path = live_conf_is_fathom(parts->slurm)
				   ? live_conf_path(parts->slurm, "fathom.conf") : NULL;
	struct document input;

	parts->fathom_conf = live_conf_told(parts->slurm);
	if (!parts->fathom_conf && path && !parts->live->has_bad_conf &&
	    !document_load_regular(&input, path, NULL))
		parts->fathom_conf = input.text + document_mark(&input);
}

/* For document_try(). Reads slot pools, which only the FiguresFile has. */
static void read_pools(void *divisions)
{
	live_pools_read(divisions);
}

/* For document_try(). Reads slurmctld's answer to sprio. Under priority/basic it fails with
 * ENOTSUP, as there are no priorities. */
static void read_sprio(void *list)
{
	live_jobs_read(list, (struct live_jobs_wanted){ .as_sent = true });
}

const char *live_snapshot_write(FILE *out, const char *instead)
{
	struct live_parts parts = { .slurm = NULL };
	struct failure failure;
	const char *remark;

	libslurm_begin(instead);
	parts.slurm = libslurm_conf();	/* fails if slurmctld does not answer */
	libslurm_end();
	parts.live = live_read_local();
	if (document_try(read_sprio, &parts.list, &failure) && failure.error.code != ENOTSUP)
		wrong_again(&failure);
	libslurm_begin(instead);
	live_job_records_read(&parts.jobs, &parts.list, &parts.machine);
	libslurm_end();
	read_fathom_conf(&parts);
	parts.has_pools = parts.live->has_file && !document_try(read_pools, &parts.pools, &failure);
	write_parts(out, &parts);
	remark = parts.live->remark;
	if (parts.live->whole)
		return remark;
	return need_print("%s%sPrivateData hides a part of the tree: accounts that it hides stand "
			  "below the root, with 1 share", remark ? remark : "", remark ? "; " : "");
}
