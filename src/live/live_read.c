/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the running cluster through libslurm, in these steps:
 *
 *	slurmctld's configuration	the policy in force (live_conf.c)
 *	slurmctld's answer to sshare	the whole tree, and figures of the policy
 *					(live_answer.c)
 *	FiguresFile, if readable	all figures, of the policy and of its shadow
 *
 * slurmctld's answer has the columns of sshare only. Other columns are either
 * computed from usage or, for policies with sums of their own, unknown (NAN).
 */
#include "live/live_private.h"

#include "conf/conf_policy.h"
#include "format/format.h"

#include <unistd.h>

/* ---- texts --------------------------------------------------------------------------- */

/* Sets the texts of all nodes. with_text: else all are NULL. */
static void read_texts(struct live *live, const struct live_items *answer,
		       const shares_response_msg_t *response, bool with_text)
{
	size_t count = fathom_tree_count(live->snapshot.tree);

	for (size_t i = 0; i < LIVE_TEXT_COUNT; i++)
		live->text[i] = need_zeros(count, sizeof(char *));
	for (size_t row = 0; with_text && row < answer->count; row++) {
		size_t node = fathom_tree_node_of_row(live->snapshot.tree, row);
		const char *text[LIVE_TEXT_COUNT];

		live_answer_texts(response, answer->item[row], text);
		for (size_t i = 0; i < LIVE_TEXT_COUNT; i++)
			live->text[i][node] = text[i];
	}
}

/* ---- the policy in force ---------------------------------------------------------------- */

/* Sets the policies in force and of the shadow, with settings. */
static void read_policies(struct live *live, const slurm_conf_t *slurm,
			  const struct fathom_conf *conf)
{
	struct recorded *in_force = &live->pass.in_force, *shadow = &live->pass.shadow;

	in_force->policy = live_conf_policy(conf, slurm);
	in_force->settings = live_conf_settings(conf, slurm, in_force->policy);
	shadow->policy = conf_shadow_policy(conf);
	if (shadow->policy)
		shadow->settings = live_conf_settings(conf, slurm, shadow->policy);
}

/* ---- FiguresFile ---------------------------------------------------------------------------- */

/* The FiguresFile of a cluster. */
struct figures {
	struct live *live;
	const char *path;
};

/* Copies the figures and the resources of a tree of the FiguresFile to the nodes of the cluster's
 * tree that have the same names. */
static void take_recorded(struct live *live, struct recorded *to, const struct recorded *from)
{
	recorded_copy_to(to, live->snapshot.tree, from);
	recorded_give_resources(live->snapshot.tree, from->snapshot.tree);
}

/* For document_try(). Reads the file and copies its figures to the nodes of the cluster's tree.
 * context: a struct figures. */
static void read_pass(void *context)
{
	const struct figures *figures = context;
	struct live *live = figures->live;
	struct recorded_pass pass;
	struct document input;

	document_open_regular(&input, figures->path);
	document_load_rest(&input);
	format_figures.read_recorded(&input, &pass);
	if (!pass.cluster || strcmp(pass.cluster, live->cluster))
		wrong_at(&input, 0, "is of cluster %s, must be of %s",
			 pass.cluster ? pass.cluster : "unknown", live->cluster);
	take_recorded(live, &live->pass.in_force, &pass.in_force);
	if (pass.shadow.policy)
		take_recorded(live, &live->pass.shadow, &pass.shadow);
	live->pass.global = recorded_global_of(live->snapshot.tree, &pass.global,
					       pass.in_force.snapshot.tree);
	live->snapshot.time = pass.in_force.snapshot.time;
	live->has_file = true;
	if (pass.fault)
		live->remark = pass.fault;
	/* trees of scopes have all associations: not for users from whom PrivateData hides some */
	if (live->whole) {
		live->pass.scope = pass.scope;
		live->pass.scope_count = pass.scope_count;
	}
}

/* Takes the figures from the FiguresFile. If there is no such file, or the user may not read it,
 * those of slurmctld's answer stay. A file that is wrong or old gets a warning. */
static void read_figures_file(struct live *live, const slurm_conf_t *slurm,
			      const struct fathom_conf *conf)
{
	struct figures figures = { live, live_conf_path_of(conf->figures_file, slurm) };
	struct failure failure;
	const char *old;

	if (!figures.path || access(figures.path, R_OK))
		return;
	if (document_try(read_pass, &figures, &failure)) {
		const char *line = failure.line ? need_print(":%zu", failure.line) : "";

		live->remark = need_print("%.200s%s: %s; using the figures of sshare",
					  figures.path, line, failure.error.text);
		return;
	}
	old = live_conf_old_figures(figures.path, live->snapshot.time, conf, slurm);
	if (old)
		live->remark = old;
}

/* ---- one cluster --------------------------------------------------------------------- */

/* Returns the fathom.conf in force if the local cluster is read and runs priority/fathom; else the
 * defaults: nothing is known of the fathom.conf of another cluster. */
static struct fathom_conf conf_of(struct live *live, const slurm_conf_t *slurm)
{
	struct fathom_conf conf;
	bool is_known;

	if (!live_conf_is_fathom(slurm) || working_cluster_rec)
		return conf_standard();
	conf = live_conf_read(slurm, &live->remark, &is_known);
	live->has_bad_conf = live->remark;
	live->is_unknown = !is_known;
	return conf;
}

/* Sets policies, settings and figures, those of the answer and then those of the FiguresFile. */
static void read_all_figures(struct live *live, const struct live_items *answer,
			     const slurm_conf_t *slurm)
{
	struct fathom_conf conf = conf_of(live, slurm);

	read_policies(live, slurm, &conf);
	live_answer_figures(live, answer, slurm, live_conf_dampening_factor(&conf, slurm));
	live->has_formula = conf.given[CONF_FORMULA];
	live->is_weightless = !slurm->priority_weight_fs;
	live->half_life = conf_value(&conf, CONF_HALF_LIFE, slurm->priority_decay_hl);
	live->reset_period = live_reset_period(slurm);
	read_figures_file(live, slurm, &conf);
}

/* Reads the local cluster, or that of working_cluster_rec. */
static void read_cluster(struct live *live, bool with_text)
{
	const slurm_conf_t *slurm = libslurm_conf();
	shares_response_msg_t *response = libslurm_shares(&(shares_request_msg_t){ 0 });
	struct live_items answer = live_items(response->assoc_shares_list);
	const assoc_shares_object_t *first = *answer.item;

	if (!first)
		wrong_at(NULL, 0, "slurmctld knows no associations, or PrivateData hides all of "
			 "them");
	live->cluster = need_text(first->cluster ? first->cluster : "");
	live_answer_tree(&answer, &live->snapshot);
	live->snapshot.has_time = true;
	/* slurmctld sets last_update to the time of its answer, not to that of slurm.conf */
	live->snapshot.time = (int64_t)slurm->last_update;
	read_all_figures(live, &answer, slurm);
	read_texts(live, &answer, response, with_text);
}

/* ---- all clusters ---------------------------------------------------------------------- */

struct live *live_read(const char *clusters, bool with_text, size_t *count)
{
	struct live_items wanted;
	struct live *list;

	libslurm_begin(LIBSLURM_FROM);
	wanted = libslurm_clusters(clusters);
	list = need_zeros(wanted.count, sizeof(*list));
	for (*count = 0; *count < wanted.count; ++*count) {
		working_cluster_rec = wanted.item[*count];
		read_cluster(&list[*count], with_text);
	}
	libslurm_end();
	return list;
}

struct live *live_read_local(void)
{
	size_t count;

	return live_read(NULL, false, &count);
}
