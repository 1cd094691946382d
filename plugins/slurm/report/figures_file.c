/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pass takes a reference to its evaluation and copies the names of associations
 * (figures_file_write). A thread of its own then makes the texts and replaces the files
 * (write_files), as a file system may hang.
 */
#include "report/figures_file.h"

#include "base/files.h"
#include "base/log.h"
#include "json/figures.h"
#include "json/json.h"
#include "json/usage_list.h"
#include "report/background.h"
#include "report/history_file.h"
#include "report/text_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct figures_file {
	struct background background;
	/* guarded by its lock */
	struct output {			/* FiguresFile, and UsageFile */
		char path[2 * PATH_MAX];	/* "": the file is not written */
		int problem;		/* errno that was logged last; 0: the last write was good */
	} figures, usage;
	int problem;			/* errno of the thread that was logged last, while it writes
					 * neither of these files; 0: it works */

	/* Used by the thread while a write is under way, and by a pass otherwise. */
	mode_t mode;			/* FiguresMode */
	struct history_file history;
	bool is_day_due;		/* the history gets a day */
	struct metrics_file metrics;
	/* The copy, from a pass until the end of its write. */
	struct evaluation *evaluation;	/* a reference, with the settings of the pass; NULL: there
					 * is no copy */
	struct snapshot names;		/* names of its associations; without a tree */
	/* The settings whose folder was checked last, so that a warning comes once for each. */
	const struct settings *folder_checked_for;
	int figures_status, usage_status;	/* of the write: 0 or an errno */
};

/* ---- the copy -------------------------------------------------------------------- */

/* Drops the copy. */
static void clear_copy(struct figures_file *file)
{
	snapshot_clear(&file->names);
	shared_release(file->evaluation);
	file->evaluation = NULL;
}

/* Takes a reference to the last evaluation, and copies names with assoc read in slices. No write is
 * under way. Returns false if out of memory, if the evaluation has other settings, or if an
 * association is gone since then. */
static bool copy_figures(struct figures_file *file, struct results *results,
			 const struct settings *settings)
{
	file->evaluation = published_get(&results->evaluation);
	if (file->evaluation && file->evaluation->settings == settings &&
	    !association_names_read(&file->names, file->evaluation->map,
				    fathom_tree_count(file->evaluation->scheme[0].tree)))
		return true;
	clear_copy(file);
	return false;
}

/* ---- JSON ----------------------------------------------------------------------- */

/* Returns the DispatchOrder of a scope, as JSON has it; NULL: scopes of its kind have none. */
static const char *dispatch_order_of(const struct conf_scope *scope)
{
	if (scope->kind != CONF_CROSS_QUEUE)
		return NULL;
	return scope->queue_first ? "queue" : "user";
}

/* Writes the names of the partitions of the i-th scheme into name[], which has room for all of
 * settings->queue. The names stay the settings'. Returns their number. */
static size_t list_partition_names(const struct settings *settings, size_t i, const char **name)
{
	size_t count = 0;

	for (size_t queue = 0; queue < settings->queue_count; queue++)
		if (settings->queue[queue].scheme == i)
			name[count++] = settings->queue[queue].name;
	return count;
}

/* Writes the i-th scheme, which is a scope, with its shares. Returns -1 if out of memory. */
static int put_scope(FILE *out, const struct settings *settings, size_t i,
		     const struct json_shares *shares)
{
	const struct conf_scope *scope = settings->scheme[i].scope;
	const struct conf_user_groups *groups = &settings->conf.user_groups;
	size_t group_count = scope->user_shares ? groups->count : 0;
	struct scope_group *group = scope_groups_create(groups->group, group_count);
	const char **partition = calloc(settings->queue_count + 1, sizeof(*partition));
	int status = partition && group ? 0 : -1;

	if (!status)
		json_put_scope(out, &(struct scope_head){
			.name = scope->name, .partition = partition,
			.partition_count = list_partition_names(settings, i, partition),
			.text = {
				[SCOPE_KIND] = conf_scope_kinds[scope->kind],
				[SCOPE_HOSTS] = scope->hosts.text,
				[SCOPE_MASTER_QUEUE] = scope->master_queue,
				[SCOPE_DISPATCH_ORDER] = dispatch_order_of(scope),
				[SCOPE_USER_SHARES] = scope->user_shares,
			},
			.group = group, .group_count = group_count }, shares);
	free(partition);
	scope_groups_destroy(group, group_count);
	return status;
}

/* The usage of each association, here and in other clusters, as the pass has counted it. `lists`
 * points to the arrays, which this struct owns. */
struct usage_lists {
	struct json_global_usage lists;
	const char **cluster;	/* names, which stay the settings' */
	double *seconds;	/* of billing, by node: here, and then in each cluster */
	const double **by_cluster;	/* by cluster: its part of `seconds` */
};

/* Frees the arrays. */
static void clear_usage(struct usage_lists *usage)
{
	free(usage->by_cluster);
	free(usage->seconds);
	free(usage->cluster);
}

/* Adds to each node the usage of all nodes below it. In a tree children come after their
 * parents. */
static void add_up_tree(const struct fathom_tree *tree, double *usage)
{
	for (size_t node = fathom_tree_count(tree) - 1; node > 0; node--)
		usage[fathom_tree_parent(tree, node)] += usage[node];
}

/* Lists the usage of each association. evaluation: its members global and own_usage are not NULL.
 * tree: that of the associations. The clusters are those of the settings by which their usage was
 * read; it decays as the evaluation's does. Returns -1 if out of memory. The caller calls
 * clear_usage() in each case. */
static int list_usage(struct usage_lists *usage, const struct evaluation *evaluation,
		      const struct fathom_tree *tree)
{
	const struct conf_global_shares *global = &evaluation->global->settings->conf.global;
	size_t count = global->count, nodes = fathom_tree_count(tree);
	double *here = calloc((count + 1) * nodes, sizeof(*here));

	*usage = (struct usage_lists){ .seconds = here,
				       .cluster = calloc(count + 1, sizeof(*usage->cluster)),
				       .by_cluster = calloc(count + 1,
							    sizeof(*usage->by_cluster)) };
	if (!here || !usage->cluster || !usage->by_cluster)
		return -1;
	memcpy(here, evaluation->own_usage->seconds, nodes * sizeof(*here));
	add_up_tree(tree, here);
	for (size_t i = 0; i < count; i++) {
		double *there = here + (i + 1) * nodes;

		global_usage_add(evaluation->global, i, evaluation->map,
				 evaluation->settings->half_life, evaluation->time, there);
		add_up_tree(tree, there);
		usage->by_cluster[i] = there;
		usage->cluster[i] = global->share[i].cluster;
	}
	usage->lists = (struct json_global_usage){ .count = count, .own = here,
						   .cluster = usage->cluster,
						   .of = usage->by_cluster };
	return 0;
}

/* Sets *shown to the names and the tree of a scheme. own: empty at first; gets the names of a scope
 * with UserShares, whose tree has other nodes than that of the associations. *shown points into
 * `own` or into `file`, and is not cleared; the caller clears `own` in each case. Returns -1 if out
 * of memory. */
static int show_scheme(struct snapshot *shown, struct snapshot *own,
		       const struct figures_file *file, const struct scheme_results *results)
{
	if (results->own_tree && scope_tree_snapshot(results->own_tree, own))
		return -1;
	*shown = results->own_tree ? *own : file->names;
	shown->tree = results->tree;
	shown->has_time = true;
	shown->time = file->evaluation->time;
	return 0;
}

/* Writes the shares of the i-th scheme. Returns -1 if out of memory. */
static int put_scheme(FILE *out, size_t i, const void *context)
{
	const struct figures_file *file = context;
	const struct evaluation *evaluation = file->evaluation;
	const struct scheme *scheme = &evaluation->settings->scheme[i];
	const struct scheme_results *results = &evaluation->scheme[i];
	size_t count = fathom_tree_count(results->tree), *order = calloc(count, sizeof(*order));
	struct snapshot own = { NULL }, shown = { NULL };
	bool tells_clusters = i == 0 && evaluation->global && evaluation->own_usage;
	struct usage_lists usage = { .by_cluster = NULL };
	const struct json_shares shares = {
		.policy = scheme->policy, .settings = &scheme->settings, .snapshot = &shown,
		.columns = json_columns_of(scheme->policy, results->result),
		.with_inputs = true, .global = tells_clusters ? &usage.lists : NULL,
		.order = order, .count = count,
	};
	int status = order ? show_scheme(&shown, &own, file, results) : -1;

	if (!status)
		status = snapshot_depth_first(&shown, order, NULL, NULL);
	if (!status && tells_clusters)
		status = list_usage(&usage, evaluation, results->tree);
	if (!status && scheme->role == SCHEME_SCOPE)
		status = put_scope(out, evaluation->settings, i, &shares);
	else if (!status)
		json_put_shares(out, &shares);
	clear_usage(&usage);
	snapshot_clear(&own);
	free(order);
	return status;
}

/* Returns an array of the `count` clusters of GlobalShare, for the caller to free; its texts are
 * the evaluation's. NULL: out of memory. */
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

/* Writes UsageFile: own usage, which other clusters count by GlobalShare; never that of other
 * clusters, so that what came from one is not handed on to the next. Nodes without own usage are
 * left out. evaluation->own_usage is not NULL. */
static int put_usage(FILE *out, const void *context)
{
	const struct figures_file *file = context;
	const struct evaluation *evaluation = file->evaluation;
	const struct fathom_tree *tree = evaluation->scheme->tree;
	const int64_t time = evaluation->time;
	bool more = false;	/* an entry has been written, so the next one needs a comma */

	usage_list_begin(out, evaluation->settings->cluster, &time);
	for (size_t node = 0; node < fathom_tree_count(tree); node++) {
		struct usage_owner owner = usage_owner_of(&file->names, tree, node);

		if (!(evaluation->own_usage->seconds[node] > 0))
			continue;
		usage_list_put(out, &owner, evaluation->own_usage->seconds[node], &more);
		json_put(out, "}");
	}
	usage_list_end(out);
	return 0;
}

/* ---- messages -------------------------------------------------------------------- */

/* Logs a problem of the thread, once, as one of a file: the first that the settings name, in the
 * order below. problem: an errno; 0: the thread works again. The caller holds the lock, or no write
 * is under way. */
static void log_thread(struct figures_file *file, int problem)
{
	if (*file->figures.path)
		text_file_log(&file->figures.problem, "FiguresFile", file->figures.path, problem);
	else if (*file->usage.path)
		text_file_log(&file->usage.problem, "UsageFile", file->usage.path, problem);
	else if (*file->metrics.path)
		text_file_log(&file->problem, "MetricsFile", file->metrics.path, problem);
	else
		text_file_log(&file->problem, "HistoryFile", file->history.path, problem);
}

/* ---- the file -------------------------------------------------------------------- */

/* Replaces one of the files. begin: the text with which each file of its kind begins. put: writes
 * the text. Returns 0 or an errno. */
static int write_file(struct figures_file *file, const char *path, const char *begin,
		      int (*put)(FILE *out, const void *context))
{
	return text_file_replace(&(struct text_file){
		.path = path, .mode = file->mode, .begin = begin, .put = put, .context = file,
		.background = &file->background });
}

/* Finds the first folder of the path that somebody cannot enter who may read a file of this mode,
 * and writes its path into `folder`. Returns false if there is no such folder. */
static bool find_closed_folder(const char *path, mode_t mode, char folder[PATH_MAX])
{
	/* to the folder, the group of the file may be its own group, or others */
	mode_t enter = mode & S_IROTH ? S_IXOTH : S_IXGRP | S_IXOTH;
	bool is_owners_alone = !(mode & (S_IRGRP | S_IROTH));

	if (is_owners_alone)
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

/* Frees what the object owns; for struct background_work, as write_files(), conclude() and
 * log_late() are. context: the struct figures_file. */
static void clear(void *context)
{
	struct figures_file *file = context;

	clear_copy(file);
	metrics_file_clear(&file->metrics);
}

/* Writes all files from the copy, and drops the copy. Own usage is written first, as other clusters
 * wait for it, and the day last, as a reader of HistoryFile can delay it. An abandoned thread must
 * not replace files: another slurmctld may have written them by now. */
static void write_files(void *context)
{
	struct figures_file *file = context;

	file->usage_status = file->figures_status = 0;
	if (*file->usage.path && file->evaluation->own_usage)
		file->usage_status = write_file(file, file->usage.path,
						"{\"format\": \"" USAGE_LIST_FORMAT "\"",
						put_usage);
	if (*file->figures.path)
		file->figures_status = write_file(file, file->figures.path,
						  "{\"format\": \"" JSON_FIGURES_FORMAT "\"",
						  put_figures);
	if (*file->figures.path && !file->figures_status)
		warn_if_folder_closed(file);
	if (*file->metrics.path)
		metrics_file_write(&file->metrics, file->evaluation, &file->names,
				   &file->background);
	if (file->is_day_due)
		history_file_record(&file->history, file->evaluation, &file->names,
				    &file->background);
	clear_copy(file);
}

/* Logs how the write of a file has ended. problem: its errno, or 0. was_skipped: a pass came while
 * the write was under way; then a success is not logged: the problem "the previous write has not
 * ended" stays until a write ends in time. */
static void conclude_output(struct output *output, const char *key, int problem, bool was_skipped)
{
	if (!*output->path)
		output->problem = 0;
	else if (problem || !was_skipped)
		text_file_log(&output->problem, key, output->path, problem);
}

/* Logs what went wrong in a write that has ended. For MetricsFile and HistoryFile that has been
 * logged already. */
static void conclude(void *context)
{
	struct figures_file *file = context;
	bool was_skipped = file->background.was_skipped;

	conclude_output(&file->figures, "FiguresFile", file->figures_status, was_skipped);
	conclude_output(&file->usage, "UsageFile", file->usage_status, was_skipped);
	if (!*file->figures.path && !*file->usage.path && !was_skipped)
		log_thread(file, 0);
}

/* Logs that the last write has not ended. context: the struct figures_file. */
static void log_late(void *context)
{
	log_thread(context, EALREADY);
}

/* ---- for passes ------------------------------------------------------------------- */

struct figures_file *figures_file_create(void)
{
	static const struct background_work work = {
		.run = write_files, .conclude = conclude, .late = log_late, .clear = clear,
	};

	return background_create(&work, sizeof(struct figures_file));
}

void figures_file_write(struct figures_file *file, const char *folder,
			const struct settings *settings, struct results *results,
			const struct pass_counts *done)
{
	const struct fathom_conf *conf = &settings->conf;
	bool has_metrics;
	int problem;

	if (!background_may_begin(&file->background))
		return;
	/* from here until background_begin() no thread uses the file */
	has_metrics = metrics_file_copy(&file->metrics, folder, settings, done);
	file->is_day_due = !done->waits_since &&
			   history_file_is_due(&file->history, folder, settings, time(NULL));
	if (!has_metrics && !file->is_day_due && !*conf->figures_file && !*conf->usage_file)
		return;
	if (!copy_figures(file, results, settings))
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
	background_end(file);
}
