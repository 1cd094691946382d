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
#include "live/compat.h"

#include "live/live.h"

#include "conf/conf_policy.h"
#include "core/array.h"
#include "core/error.h"
#include "format/format.h"
#include "live/libslurm.h"
#include "live/live_answer.h"
#include "live/live_conf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the request to slurmctld ------------------------------------------------------ */

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
		return libslurm_failed(error, "slurmctld");
	if (reply.msg_type == RESPONSE_SHARE_INFO) {
		*response = reply.data;
		return 0;
	}
	errno = SLURM_UNEXPECTED_MSG_ERROR;
	if (reply.msg_type == RESPONSE_SLURM_RC)
		errno = ((return_code_msg_t *)reply.data)->return_code;
	return libslurm_failed(error, "slurmctld");
}

/* Adds an association of the list to the answer. */
static int add_item(void *item, void *context)
{
	struct live_answer *answer = context;
	const assoc_shares_object_t **grown = array_grow(answer->share, &answer->size,
							 answer->count + 1, sizeof(*grown));

	if (!grown)
		return -1;
	answer->share = grown;
	answer->share[answer->count++] = item;
	return 0;
}

/* ---- texts --------------------------------------------------------------------------- */

static char *tres_text(const shares_response_msg_t *response, uint64_t *counts)
{
	char *made = slurmdb_make_tres_string_from_arrays(response->tres_names, counts,
							  response->tres_cnt, TRES_STR_FLAG_REMOVE);
	char *text = made ? strdup(made) : NULL;

	xfree(made);
	return text;
}

/* Makes the texts of sshare -l; counts are in seconds, the texts in minutes. */
static void read_texts(struct live *live, const struct live_answer *answer,
		       const shares_response_msg_t *response)
{
	uint32_t count = response->tres_cnt;
	uint64_t *minutes = calloc(count ? count : 1, sizeof(*minutes));

	for (size_t row = 0; minutes && row < answer->count; row++) {
		const assoc_shares_object_t *share = answer->share[row];
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
static int read_pass(struct live *live, struct document *input, struct fathom_error *error)
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
		if (pass.fault)
			remark(live, pass.fault);
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
	struct document input = { 0 };
	struct fathom_error error;
	char text[sizeof(error.text) + 256], line[24] = "";

	if (!path || access(path, R_OK)) {
		free(path);
		return;
	}
	if (document_load(&input, path, &error) || read_pass(live, &input, &error)) {
		if (input.line)
			snprintf(line, sizeof(line), ":%zu", input.line);
		snprintf(text, sizeof(text), "%.200s%s: %s; using the figures of sshare", path,
			 line, error.text);
		remark(live, text);
	} else {
		warn_of_age(live, path, conf, slurm);
	}
	document_clear(&input);
	free(path);
}

/* ---- one cluster --------------------------------------------------------------------- */

/* Reads fathom.conf if the local cluster runs priority/fathom; else returns the defaults. */
static struct fathom_conf conf_of(struct live *live, const slurm_conf_t *slurm, bool is_fathom)
{
	struct fathom_conf conf;
	bool is_known;

	if (!is_fathom || working_cluster_rec)
		return conf_standard();
	conf = live_conf_read(slurm, &live->remark, &is_known);
	live->has_bad_conf = live->remark;
	live->is_unknown = !is_known;
	return conf;
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

static int read_all_figures(struct live *live, const struct live_answer *answer,
			    const slurm_conf_t *slurm, struct fathom_error *error)
{
	bool is_fathom = live_conf_is_fathom(slurm);
	struct fathom_conf conf = conf_of(live, slurm, is_fathom);
	double dampening_factor = read_policies(live, slurm, &conf);
	int status = live_answer_figures(live, answer, slurm, dampening_factor, error);

	live->has_formula = conf.given[CONF_FORMULA];
	live->half_life = conf_value(&conf, CONF_HALF_LIFE, slurm->priority_decay_hl);
	if (!status)
		read_figures_file(live, slurm, &conf);
	conf_clear(&conf);
	return status;
}

static int read_answer(struct live *live, const shares_response_msg_t *response,
		       const slurm_conf_t *conf, bool with_text, struct fathom_error *error)
{
	struct live_answer answer = { 0 };
	int status = -1;

	if (response->assoc_shares_list)
		list_for_each(response->assoc_shares_list, add_item, &answer);
	if (!answer.count) {
		fathom_error_set(error, ENOENT, "slurmctld knows no associations, or PrivateData "
				 "hides all of them");
		goto done;
	}
	live->cluster = strdup(answer.share[0]->cluster ? answer.share[0]->cluster : "");
	if (live_answer_tree(&answer, &live->snapshot, error))
		goto done;
	live->snapshot.has_time = true;
	live->snapshot.time = (int64_t)conf->last_update;
	if (!live->cluster || alloc_rest(live)) {
		fathom_error_set(error, ENOMEM, "%s", strerror(ENOMEM));
		goto done;
	}
	status = read_all_figures(live, &answer, conf, error);
	if (!status && with_text)
		read_texts(live, &answer, response);
done:
	free(answer.share);
	return status;
}

static int read_cluster(struct live *live, bool with_text, struct fathom_error *error)
{
	shares_response_msg_t *response = NULL;
	slurm_conf_t *conf = NULL;
	int status = -1;

	errno = 0;
	if (slurm_load_ctl_conf((time_t)0, &conf) || !conf)
		return libslurm_failed(error, "slurmctld");
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
	struct fathom_error *error;
};

/* Reads a cluster into a new item of the list. */
static int read_next(void *context)
{
	struct visit *visit = context;
	struct live *grown = reallocarray(visit->list, visit->count + 1, sizeof(*grown));

	if (!grown)
		return fathom_error_no_memory(visit->error);
	visit->list = grown;
	memset(&grown[visit->count++], 0, sizeof(*grown));
	return read_cluster(&grown[visit->count - 1], visit->with_text, visit->error);
}

int live_read(const char *clusters, bool with_text, struct live **list, size_t *count,
	      struct fathom_error *error)
{
	struct visit visit = { .with_text = with_text, .error = error };
	int status;

	*list = NULL;
	*count = 0;
	if (libslurm_begin(LIBSLURM_FROM, error))
		return -1;
	status = libslurm_each_cluster(clusters, read_next, &visit, error);
	libslurm_end();
	if (status) {
		live_free(visit.list, visit.count);
		return -1;
	}
	*list = visit.list;
	*count = visit.count;
	return 0;
}
