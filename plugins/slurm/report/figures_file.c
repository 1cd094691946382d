/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pass keeps a reference to its evaluation and copies the names of associations
 * (figures_file_write). A thread of its own then makes the texts and replaces the files
 * (writing_thread), as a file system may hang.
 */
#include "report/figures_file.h"

#include "base/lock_order.h"
#include "base/log.h"
#include "json/figures.h"
#include "json/usage_list.h"
#include "report/global_files.h"
#include "report/history_file.h"
#include "report/text_file.h"
#include "report/usage_file.h"
#include "state/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SHUTDOWN_WAIT 5		/* seconds to wait at shutdown for an unfinished write */

/*
 * Each write has a thread of its own: a file system may hang for ever, and neither passes nor the
 * shutdown of slurmctld may wait for it. A pass that finds a write under way only sets was_skipped.
 * At shutdown a thread that does not end in time is abandoned: it frees this struct itself, if the
 * file system ever answers.
 */
struct figures_file {
	struct ordered_lock lock;
	pthread_cond_t ended;		/* signalled when the write has ended; waits by the
					 * monotonic clock */
	/* guarded by `lock` */
	enum { WRITE_NONE, WRITE_UNDER_WAY, WRITE_ABANDONED } state;
	bool was_skipped;		/* a pass came while this write was under way */
	struct output {			/* FiguresFile, and UsageFile */
		char path[2 * PATH_MAX];	/* the folder, and the file's name in it; "": none
						 * is written */
		int problem;		/* errno that was logged last; 0: none */
	} figures, usage;
	int problem;			/* the same for the thread, while it writes neither of these
					 * files */

	/* Used by the thread while a write is under way, and by a pass otherwise. */
	mode_t mode;			/* FiguresMode */
	struct results *results;	/* get the usage of other clusters; not once abandoned */
	struct global_files global;	/* files of other clusters */
	struct history_file history;
	bool is_day_due;		/* the history gets a day */
	struct metrics_file metrics;
	struct evaluation *evaluation;	/* with the settings of the pass */
	struct snapshot names;		/* names of its associations; without a tree */
	/* The settings whose folder was checked last, so that a warning comes once for each. */
	const struct settings *folder_checked_for;
};

/* ---- the copy -------------------------------------------------------------------- */

static void clear_copy(struct figures_file *file)
{
	snapshot_clear(&file->names);
	shared_release(file->evaluation);
	file->evaluation = NULL;
}

/* Takes a reference to the last evaluation, and copies names. Returns false if out of memory, if
 * the evaluation has other settings, or if an association is gone since then. */
static bool copy_figures(struct figures_file *file, struct results *results,
			 const struct settings *settings)
{
	file->evaluation = published_get(&results->evaluation);
	if (file->evaluation && file->evaluation->settings == settings &&
	    association_names_read(&file->names, file->evaluation->map,
				   fathom_tree_count(file->evaluation->scheme[0].tree)))
		return true;
	clear_copy(file);
	return false;
}

/* ---- JSON ----------------------------------------------------------------------- */

/* Writes the i-th scheme, which is a scope, with its shares. Returns -1 if out of memory. */
static int put_scope(FILE *out, const struct settings *settings, size_t i,
		     const struct json_shares *shares)
{
	const struct conf_scope *scope = settings->scheme[i].scope;
	const struct conf_user_groups *groups = &settings->conf.user_groups;
	size_t group_count = scope->user_shares ? groups->count : 0;
	struct scope_group *group = scope_groups_create(groups->group, group_count);
	const char **partition = calloc(settings->queue_count + 1, sizeof(*partition));
	struct scope_head head = {
		.name = scope->name, .partition = partition,
		.text = {
			[SCOPE_KIND] = conf_scope_kinds[scope->kind],
			[SCOPE_HOSTS] = scope->hosts.text,
			[SCOPE_MASTER_QUEUE] = scope->master_queue,
			[SCOPE_DISPATCH_ORDER] = scope->kind != CONF_CROSS_QUEUE ? NULL :
						 scope->queue_first ? "queue" : "user",
			[SCOPE_USER_SHARES] = scope->user_shares,
		},
		.group = group, .group_count = group_count,
	};

	for (size_t queue = 0; partition && queue < settings->queue_count; queue++)
		if (settings->queue[queue].scheme == i)
			partition[head.partition_count++] = settings->queue[queue].name;
	if (partition && group)
		json_put_scope(out, &head, shares);
	free(partition);
	scope_groups_destroy(group, group_count);
	return partition && group ? 0 : -1;
}

/* What each association has from other clusters, as the pass has counted it. `usage` points to the
 * other arrays. */
struct given {
	struct json_global_usage usage;
	double *own;		/* by node: usage without that of other clusters */
	const char **cluster;	/* names */
	double **of;		/* by cluster, and by node */
};

static void clear_given(struct given *given)
{
	for (size_t i = 0; given->of && i < given->usage.count; i++)
		free(given->of[i]);
	free(given->of);
	free(given->own);
	free(given->cluster);
}

/* Adds to each node what is below it, as in the usage of the tree. */
static void add_up(const struct fathom_tree *tree, double *usage)
{
	for (size_t node = fathom_tree_count(tree) - 1; node > 0; node--)
		usage[fathom_tree_parent(tree, node)] += usage[node];
}

/* Lists what each association has from other clusters. tree: that of the associations. Returns -1
 * if out of memory. The caller calls clear_given() in each case. */
static int list_given(struct given *given, const struct evaluation *evaluation,
		      const struct fathom_tree *tree)
{
	const struct global_usage *global = evaluation->global;
	const struct settings *of = global->settings;
	size_t count = of->conf.global.count, node_count = fathom_tree_count(tree);

	*given = (struct given){ .own = malloc(node_count * sizeof(*given->own)),
				 .cluster = calloc(count + 1, sizeof(*given->cluster)),
				 .of = calloc(count + 1, sizeof(*given->of)) };
	for (size_t i = 0; given->cluster && given->of && i < count; i++) {
		given->cluster[i] = of->conf.global.share[i].cluster;
		given->of[i] = calloc(node_count, sizeof(**given->of));
		given->usage.count = i + 1;
		if (!given->of[i])
			return -1;
		global_usage_add(global, i, evaluation->map, evaluation->settings->half_life,
				 evaluation->time, given->of[i]);
		add_up(tree, given->of[i]);
	}
	if (!given->own || !given->cluster || !given->of)
		return -1;
	memcpy(given->own, evaluation->own->of, node_count * sizeof(*given->own));
	add_up(tree, given->own);
	given->usage.own = given->own;
	given->usage.cluster = given->cluster;
	given->usage.of = (const double *const *)given->of;
	return 0;
}

/* Writes the shares of the i-th scheme. A scope with UserShares has other nodes than the
 * associations. Returns -1 if out of memory. */
static int put_scheme(FILE *out, size_t i, const void *context)
{
	const struct figures_file *file = context;
	const struct settings *settings = file->evaluation->settings;
	const struct scheme *scheme = &settings->scheme[i];
	const struct scheme_results *results = &file->evaluation->scheme[i];
	size_t count = fathom_tree_count(results->tree), *order = calloc(count, sizeof(*order));
	struct snapshot own = { NULL }, snapshot = file->names;
	bool is_given = !i && file->evaluation->global && file->evaluation->own;
	struct given given = { .of = NULL };
	const struct json_shares shares = {
		.policy = scheme->policy, .settings = &scheme->settings, .snapshot = &snapshot,
		.columns = json_columns_of(scheme->policy, results->result),
		.with_inputs = true, .global = is_given ? &given.usage : NULL,
		.order = order, .count = count,
	};
	int status = order && (!results->own || !scope_tree_snapshot(results->own, &own)) ? 0 : -1;

	if (results->own)
		snapshot = own;
	snapshot.tree = results->tree;
	snapshot.has_time = true;
	snapshot.time = file->evaluation->time;
	if (!status)
		status = snapshot_depth_first(&snapshot, order, NULL, NULL);
	if (!status && is_given)
		status = list_given(&given, file->evaluation, results->tree);
	if (!status && scheme->role == SCHEME_SCOPE)
		status = put_scope(out, settings, i, &shares);
	else if (!status)
		json_put_shares(out, &shares);
	clear_given(&given);
	snapshot_clear(&own);
	free(order);
	return status;
}

/* Returns an array of the clusters whose usage counts, for the caller to free; NULL: out of
 * memory. */
static struct json_global_cluster *list_clusters(const struct evaluation *evaluation, size_t count)
{
	const struct global_usage *global = evaluation->global;
	struct json_global_cluster *list = calloc(count + 1, sizeof(*list));

	for (size_t i = 0; list && i < count; i++) {
		const struct conf_global_share *share = &global->settings->conf.global.share[i];
		const struct global_cluster *cluster = global->line[i].cluster;

		list[i] = (struct json_global_cluster){
			.cluster = share->cluster, .source = share->source,
			.fault = global->line[i].problem, .weight = share->weight,
			.is_known = cluster, .time = cluster ? cluster->time : 0,
			.is_stale = global_usage_is_stale(global, i, evaluation->time),
			.unmapped = cluster ? cluster->unmapped : 0,
		};
	}
	return list;
}

/* Writes FiguresFile. Returns -1 if out of memory. */
static int put_figures(FILE *out, const void *context)
{
	const struct figures_file *file = context;
	const struct settings *settings = file->evaluation->settings;
	const struct partition_order *order = evaluation_order(file->evaluation, settings);
	const struct global_usage *global = file->evaluation->global;
	size_t clusters = global ? global->settings->conf.global.count : 0;
	struct json_global_cluster *list = list_clusters(file->evaluation, clusters);
	bool has_shadow = settings->scheme_count > 1 && settings->scheme[1].role == SCHEME_SHADOW;
	int status = !list ? -1 : json_put_figures(out, &(struct json_figures){
		.time = file->evaluation->time, .cluster = settings->cluster,
		.fault = settings->fault, .policy = settings->scheme->policy,
		.has_shadow = has_shadow, .scope_count = settings->scheme_count - 1 - has_shadow,
		.put_tree = put_scheme, .context = file,
		.global = list, .global_count = clusters,
		.pool = order ? order->pool : NULL,
		.pool_count = order ? settings->pool_count : 0 });

	free(list);
	return status;
}

/* Writes UsageFile. */
static int put_usage(FILE *out, const void *context)
{
	const struct figures_file *file = context;

	usage_file_put(out, file->evaluation, &file->names);
	return 0;
}

/* ---- messages -------------------------------------------------------------------- */

/* Logs a problem with a file once, until another problem or a success follows. problem: an errno;
 * 0: the file has been written. *logged: the problem that was logged last. key: the file's in
 * fathom.conf. The caller holds the lock. */
static void log_problem(int *logged, const char *key, const char *path, int problem)
{
	if (problem && problem != *logged)
		error(LOG_PREFIX "cannot write %s %s: %s; it stays as it was", key, path,
		      text_file_problem(problem));
	else if (!problem && *logged)
		info(LOG_PREFIX "%s %s is written again", key, path);
	*logged = problem;
}

/* Logs a problem of the thread as one of the first file that it writes. problem: an errno; 0: it
 * works again. The caller holds the lock, or no write is under way. */
static void log_thread(struct figures_file *file, int problem)
{
	if (*file->figures.path)
		log_problem(&file->figures.problem, "FiguresFile", file->figures.path, problem);
	else if (*file->usage.path)
		log_problem(&file->usage.problem, "UsageFile", file->usage.path, problem);
	else if (*file->metrics.path)
		log_problem(&file->problem, "MetricsFile", file->metrics.path, problem);
	else if (*file->history.path)
		log_problem(&file->problem, "HistoryFile", file->history.path, problem);
	else {
		if (problem && problem != file->problem)
			error(LOG_PREFIX "cannot read files of GlobalShare: %s; what is known of "
					 "the clusters goes on counting",
			      text_file_problem(problem));
		file->problem = problem;
	}
}

/* ---- the file -------------------------------------------------------------------- */

/* Returns whether the thread is abandoned: then it must not replace a file, as another slurmctld
 * may have written the file by now. */
static bool is_abandoned(void *context)
{
	struct figures_file *file = context;
	bool abandoned;

	ordered_lock_take(&file->lock);
	abandoned = file->state == WRITE_ABANDONED;
	ordered_lock_release(&file->lock);
	return abandoned;
}

/* Replaces a file by what put() writes. begin: how every file of its kind begins; another file is
 * another program's. Returns 0 or an errno. */
static int write_file(struct figures_file *file, const char *path, const char *begin,
		      int (*put)(FILE *out, const void *context))
{
	return text_file_replace(&(struct text_file){
		.path = path, .mode = file->mode, .begin = begin, .put = put,
		.is_abandoned = is_abandoned, .context = file });
}

/* Finds the first folder of the path that those cannot enter who may read a file of this mode.
 * Returns false if there is none. */
static bool find_closed_folder(const char *path, mode_t mode, char folder[PATH_MAX])
{
	mode_t enter = mode & S_IROTH ? S_IXOTH : S_IXGRP | S_IXOTH;

	if (!(mode & (S_IRGRP | S_IROTH)))
		return false;
	for (const char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
		struct stat status;

		snprintf(folder, PATH_MAX, "%.*s", (int)(at - path), path);
		if (!stat(folder, &status) && !(status.st_mode & enter))
			return true;
	}
	return false;
}

/* Warns, once for the same settings, if others may read FiguresFile but not enter its folder. */
static void warn_if_folder_closed(struct figures_file *file)
{
	char folder[PATH_MAX];

	if (file->folder_checked_for == file->evaluation->settings)
		return;
	file->folder_checked_for = file->evaluation->settings;
	if (find_closed_folder(file->figures.path, file->mode, folder))
		info(LOG_PREFIX "warning: others may read FiguresFile %s, but not enter %s; name "
				"a file in another folder, or set FiguresMode=0600",
		     file->figures.path, folder);
}

/* ---- the thread ------------------------------------------------------------------ */

static void free_file(struct figures_file *file)
{
	clear_copy(file);
	global_files_clear(&file->global);
	metrics_file_clear(&file->metrics);
	ordered_lock_destroy(&file->lock);
	pthread_cond_destroy(&file->ended);
	free(file);
}

/* What the thread has done. */
struct outcome {
	int figures, usage;		/* 0 or an errno */
	struct global_usage *global;	/* as read; or NULL */
};

/* Writes all files, and then reads those of other clusters. UsageFile is written first: others wait
 * for it, and a file of theirs may be on a file system that hangs. */
static struct outcome write_and_read(struct figures_file *file)
{
	struct outcome outcome = { 0 };

	if (*file->usage.path && file->evaluation->own)
		outcome.usage = write_file(file, file->usage.path,
					   "{\"format\": \"" USAGE_LIST_FORMAT "\"", put_usage);
	if (*file->figures.path)
		outcome.figures = write_file(file, file->figures.path,
					     "{\"format\": \"" JSON_FIGURES_FORMAT "\"",
					     put_figures);
	if (*file->figures.path && !outcome.figures)
		warn_if_folder_closed(file);
	if (file->is_day_due)
		history_file_record(&file->history, file->evaluation, &file->names, is_abandoned,
				    file);
	if (*file->metrics.path)
		metrics_file_write(&file->metrics, file->evaluation, &file->names, is_abandoned,
				   file);
	if (file->evaluation->settings->conf.global.count)
		outcome.global = global_files_read(&file->global, file->evaluation, &file->names);
	return outcome;
}

/* Logs how the write of a file has ended. If a pass came while it was under way, the problem "the
 * previous write has not ended" stays until a write ends in time. */
static void conclude_output(struct output *output, const char *key, int problem, bool was_skipped)
{
	if (!*output->path)
		output->problem = 0;
	else if (problem || !was_skipped)
		log_problem(&output->problem, key, output->path, problem);
}

/* Logs what went wrong, and publishes what was read. The caller holds the lock. */
static void conclude(struct figures_file *file, struct outcome *outcome)
{
	conclude_output(&file->figures, "FiguresFile", outcome->figures, file->was_skipped);
	conclude_output(&file->usage, "UsageFile", outcome->usage, file->was_skipped);
	if (!*file->figures.path && !*file->usage.path && !file->was_skipped)
		log_thread(file, 0);
	if (outcome->global)
		published_set(&file->results->global, outcome->global);
	outcome->global = NULL;
}

/* The thread. It ends with the write; if it is abandoned, it frees the file. */
static void *writing_thread(void *argument)
{
	struct figures_file *file = argument;
	struct outcome outcome = write_and_read(file);
	bool abandoned;

	clear_copy(file);
	ordered_lock_take(&file->lock);
	abandoned = file->state == WRITE_ABANDONED;
	if (!abandoned)
		conclude(file, &outcome);
	file->state = WRITE_NONE;
	slurm_cond_signal(&file->ended);
	ordered_lock_release(&file->lock);
	shared_release(outcome.global);
	if (abandoned)
		free_file(file);
	return NULL;
}

/* ---- for passes ------------------------------------------------------------------- */

struct figures_file *figures_file_create(void)
{
	struct figures_file *file = calloc(1, sizeof(*file));

	if (!file)
		return NULL;
	ordered_lock_init(&file->lock, LOCK_FIGURES);
	monotonic_condition_init(&file->ended);
	return file;
}

/* Returns false if the last write is still under way, and logs that once. */
static bool may_begin(struct figures_file *file)
{
	bool is_under_way;

	ordered_lock_take(&file->lock);
	is_under_way = file->state == WRITE_UNDER_WAY;
	if (is_under_way)
		log_thread(file, EALREADY);
	file->was_skipped = is_under_way;
	ordered_lock_release(&file->lock);
	return !is_under_way;
}

void figures_file_write(struct figures_file *file, const char *folder,
			const struct settings *settings, struct results *results,
			const struct pass_counts *done)
{
	const struct fathom_conf *conf = &settings->conf;
	pthread_t thread;
	bool is_wanted;
	int problem;

	if (!may_begin(file))
		return;
	is_wanted = metrics_file_copy(&file->metrics, folder, settings, done);
	file->is_day_due = history_file_is_due(&file->history, folder, settings, time(NULL));
	is_wanted |= *conf->figures_file || file->is_day_due || settings_are_global(settings);
	if (!is_wanted || !copy_figures(file, results, settings))
		return;
	file_path_from(folder, conf->figures_file, file->figures.path, sizeof(file->figures.path));
	file_path_from(folder, conf->usage_file, file->usage.path, sizeof(file->usage.path));
	file->mode = settings->figures_mode;
	file->results = results;
	file->state = WRITE_UNDER_WAY;
	problem = pthread_create(&thread, NULL, writing_thread, file);
	if (!problem) {
		pthread_detach(thread);
		return;
	}
	file->state = WRITE_NONE;
	log_thread(file, problem);
	clear_copy(file);
}

void figures_file_destroy(struct figures_file *file)
{
	int64_t until = monotonic_now() + SHUTDOWN_WAIT * MONOTONIC_SECOND;
	bool is_under_way;
	int status = 0;

	if (!file)
		return;
	ordered_lock_take(&file->lock);
	while (file->state == WRITE_UNDER_WAY && !status)
		status = ordered_lock_wait(&file->lock, &file->ended, until);
	is_under_way = file->state == WRITE_UNDER_WAY;
	if (is_under_way) {
		log_thread(file, EALREADY);
		file->state = WRITE_ABANDONED;
	}
	ordered_lock_release(&file->lock);
	if (!is_under_way)
		free_file(file);
}
