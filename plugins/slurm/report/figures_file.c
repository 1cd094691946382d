/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pass keeps a reference to its evaluation and copies the names of associations
 * (figures_file_write). A thread of its own then makes the texts and replaces the files
 * (writing_thread), as a file system may hang.
 */
#include "report/figures_file.h"

#include "base/log.h"
#include "json/figures.h"
#include "json/usage_list.h"
#include "report/background.h"
#include "report/history_file.h"
#include "report/text_file.h"
#include "report/usage_file.h"
#include "state/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct figures_file {
	struct background background;
	/* guarded by its lock */
	struct output {			/* FiguresFile, and UsageFile */
		char path[2 * PATH_MAX];	/* the folder, and the file's name in it; "": none
						 * is written */
		int problem;		/* errno that was logged last; 0: none */
	} figures, usage;
	int problem;			/* the same for the thread, while it writes neither of these
					 * files */

	/* Used by the thread while a write is under way, and by a pass otherwise. */
	mode_t mode;			/* FiguresMode */
	struct history_file history;
	bool is_day_due;		/* the history gets a day */
	struct metrics_file metrics;
	struct evaluation *evaluation;	/* with the settings of the pass */
	struct snapshot names;		/* names of its associations; without a tree */
	/* The settings whose folder was checked last, so that a warning comes once for each. */
	const struct settings *folder_checked_for;
	int figures_status, usage_status;	/* of the write: 0 or an errno */
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
	else
		log_problem(&file->problem, "HistoryFile", file->history.path, problem);
}

/* ---- the file -------------------------------------------------------------------- */

/* begin: of every file of its kind. Returns 0 or an errno. */
static int write_file(struct figures_file *file, const char *path, const char *begin,
		      int (*put)(FILE *out, const void *context))
{
	return text_file_replace(&(struct text_file){
		.path = path, .mode = file->mode, .begin = begin, .put = put,
		.is_abandoned = background_is_abandoned, .context = &file->background });
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

static void destroy(void *context)
{
	struct figures_file *file = context;

	clear_copy(file);
	metrics_file_clear(&file->metrics);
	background_clear(&file->background);
	free(file);
}

/* Own usage is written first, as others wait for it. An abandoned thread must not replace files:
 * another slurmctld may have written them by now. */
static void write_files(void *context)
{
	struct figures_file *file = context;

	file->usage_status = file->figures_status = 0;
	if (*file->usage.path && file->evaluation->own)
		file->usage_status = write_file(file, file->usage.path,
						"{\"format\": \"" USAGE_LIST_FORMAT "\"",
						put_usage);
	if (*file->figures.path)
		file->figures_status = write_file(file, file->figures.path,
						  "{\"format\": \"" JSON_FIGURES_FORMAT "\"",
						  put_figures);
	if (*file->figures.path && !file->figures_status)
		warn_if_folder_closed(file);
	if (file->is_day_due)
		history_file_record(&file->history, file->evaluation, &file->names,
				    background_is_abandoned, &file->background);
	if (*file->metrics.path)
		metrics_file_write(&file->metrics, file->evaluation, &file->names,
				   background_is_abandoned, &file->background);
	clear_copy(file);
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

/* Logs what went wrong. */
static void conclude(void *context)
{
	struct figures_file *file = context;
	bool was_skipped = file->background.was_skipped;

	conclude_output(&file->figures, "FiguresFile", file->figures_status, was_skipped);
	conclude_output(&file->usage, "UsageFile", file->usage_status, was_skipped);
	if (!*file->figures.path && !*file->usage.path && !was_skipped)
		log_thread(file, 0);
}

static void log_late(void *context)
{
	log_thread(context, EALREADY);
}

/* ---- for passes ------------------------------------------------------------------- */

struct figures_file *figures_file_create(void)
{
	static const struct background_work work = {
		.run = write_files, .conclude = conclude, .late = log_late, .destroy = destroy,
	};
	struct figures_file *file = calloc(1, sizeof(*file));

	if (file)
		background_init(&file->background, &work, file);
	return file;
}

void figures_file_write(struct figures_file *file, const char *folder,
			const struct settings *settings, struct results *results,
			const struct pass_counts *done)
{
	const struct fathom_conf *conf = &settings->conf;
	bool is_wanted;
	int problem;

	if (!background_may_begin(&file->background))
		return;
	is_wanted = metrics_file_copy(&file->metrics, folder, settings, done);
	file->is_day_due = history_file_is_due(&file->history, folder, settings, time(NULL));
	is_wanted |= *conf->figures_file || *conf->usage_file || file->is_day_due;
	if (!is_wanted || !copy_figures(file, results, settings))
		return;
	file_path_from(folder, conf->figures_file, file->figures.path, sizeof(file->figures.path));
	file_path_from(folder, conf->usage_file, file->usage.path, sizeof(file->usage.path));
	file->mode = settings->figures_mode;
	problem = background_begin(&file->background);
	if (!problem)
		return;
	log_thread(file, problem);
	clear_copy(file);
}

void figures_file_destroy(struct figures_file *file)
{
	if (file)
		background_end(&file->background);
}
