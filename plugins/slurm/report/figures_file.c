/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/figures_file.h"

#include "base/log.h"
#include "json/figures.h"
#include "partitions/divided_pools.h"
#include "state/atomic_file.h"
#include "walk/list_walk.h"
#include "walk/slice.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SHUTDOWN_WAIT 5		/* seconds to wait at shutdown for an unfinished write */

struct figures_file {
	struct figures_write *write;	/* the last one; NULL: it has ended */
	int problem;	/* the errno that was logged last; 0: none */
	/* the settings whose folder was checked last, so that a warning comes once; only
	 * compared, as they may be gone */
	const struct settings *folder_checked_for;
};

/* ---- one write ------------------------------------------------------------------- */

/* A thread of its own writes the file: a file system may hang for ever, and that must stop
 * neither passes nor shutdown. The thread uses nothing but this struct. The pass frees it,
 * or the thread if the pass has abandoned it. */
struct figures_write {
	pthread_mutex_t lock;
	pthread_cond_t ended;	/* on the monotonic clock */
	bool over;		/* set by the thread: the write has ended */
	bool abandoned;		/* set by the pass, which does not wait: the thread frees this */

	char path[PATH_MAX];
	struct settings *settings;
	struct evaluation *evaluation;	/* of these settings */
	struct divided_pools *pools;	/* or NULL */
	struct snapshot names;
	/* copied from struct figures_file at the start, and back at the end */
	int problem;
	const struct settings *folder_checked_for;
};

static struct figures_write *create_write(const char *folder, const struct settings *settings)
{
	struct figures_write *write = calloc(1, sizeof(*write));
	bool is_whole = *settings->figures_file == '/';
	pthread_condattr_t monotonic;

	if (!write)
		return NULL;
	snprintf(write->path, sizeof(write->path), "%s%s%s", is_whole ? "" : folder,
		 is_whole ? "" : "/", settings->figures_file);
	write->settings = settings_reference(settings);
	pthread_mutex_init(&write->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&write->ended, &monotonic);
	pthread_condattr_destroy(&monotonic);
	return write;
}

static void destroy_write(struct figures_write *write)
{
	write->names.tree = NULL;	/* the evaluation's */
	snapshot_clear(&write->names);
	evaluation_release(write->evaluation);
	divided_pools_release(write->pools);
	settings_release(write->settings);
	pthread_mutex_destroy(&write->lock);
	pthread_cond_destroy(&write->ended);
	free(write);
}

/* ---- names --------------------------------------------------------------------- */

/* Names that are being copied from the records into a snapshot. */
struct names {
	const struct fathom_node_index *map;
	struct snapshot *snapshot;
	size_t length, room;	/* of its text */
	size_t found;		/* nodes */
	bool failed;
};

static size_t add_text(struct names *names, const char *text)
{
	size_t size = strlen(text) + 1, at = names->length;
	char *grown;

	if (at + size > names->room) {
		names->room = 2 * (names->room + size);
		grown = realloc(names->snapshot->text, names->room);
		if (!grown) {
			names->failed = true;
			return SNAPSHOT_NO_TEXT;
		}
		names->snapshot->text = grown;
	}
	memcpy(names->snapshot->text + at, text, size);
	names->length += size;
	return at;
}

static void fetch_record(void *item, size_t at, void *context)
{
	const slurmdb_assoc_rec_t *record = item;

	(void)at, (void)context;
	prefetch(&record->acct);
	prefetch(&record->id);
	prefetch_fields(record, partition, user);
}

static void fetch_text(void *item, size_t at, void *context)
{
	const slurmdb_assoc_rec_t *record = item;
	const struct names *names = context;

	(void)at;
	prefetch(record->user ? record->user : record->acct);
	fathom_node_index_prefetch(names->map, record->id);
}

/* Leaves out a record that the walk has met before, or that came after the pass. */
static void take_names(void *item, size_t at, void *context)
{
	const slurmdb_assoc_rec_t *record = item;
	const char *name = record->user ? record->user : record->acct;
	struct names *names = context;
	struct snapshot *snapshot = names->snapshot;
	uint32_t node;

	(void)at;
	if (names->failed || !name || !fathom_node_index_find(names->map, record->id, &node) ||
	    snapshot->name[node] != SNAPSHOT_NO_TEXT)
		return;
	snapshot->name[node] = add_text(names, name);
	if (record->partition && *record->partition)
		snapshot->partition[node] = add_text(names, record->partition);
	snapshot->listed[names->found++] = node;
}

static bool walk_records(struct names *names)
{
	static const struct list_walk_stages stages = { fetch_record, fetch_text, NULL,
						       take_names };
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	struct list_walk walk = { 0 };
	bool more = true;

	while (more) {
		struct slice slice;

		assoc_mgr_lock(&locks);
		slice = slice_begin();
		do {
			more = list_walk_next(&walk, assoc_mgr_assoc_list);
			list_walk_each(&walk, stages, names);
		} while (more && !slice_is_over(&slice));
		assoc_mgr_unlock(&locks);
		if (more)
			slice_pause();
	}
	return !names->failed;
}

/* False: out of memory, or some are gone since the pass, which the next one
 * will notice. */
static bool read_names(struct snapshot *snapshot, const struct evaluation *evaluation)
{
	size_t count = fathom_tree_count(evaluation_tree(evaluation, 0));
	struct names names = { .map = evaluation_map(evaluation), .snapshot = snapshot };

	snapshot->name = malloc(count * sizeof(*snapshot->name));
	snapshot->partition = malloc(count * sizeof(*snapshot->partition));
	/* siblings in the order of slurmctld's list, which sshare shows */
	snapshot->listed = malloc(count * sizeof(*snapshot->listed));
	if (!snapshot->name || !snapshot->partition || !snapshot->listed)
		return false;
	memset(snapshot->name, 0xff, count * sizeof(*snapshot->name));
	memset(snapshot->partition, 0xff, count * sizeof(*snapshot->partition));
	return walk_records(&names) && names.found == count;
}

/* ---- the file ------------------------------------------------------------------- */

/* What one file is made of: names are there once, each scheme has a tree of the
 * same associations. */
struct figures_put {
	const struct evaluation *evaluation;
	const struct settings *settings;	/* its own */
	size_t *order;			/* of the nodes */
	struct snapshot *snapshot;	/* by scheme */
	struct json_shares shares, shadow;
	struct json_scope *scope;
	size_t scope_count;
	const struct divided_pools *pools;	/* or NULL */
	const char **partition;		/* of scopes, those of each in one piece */
	size_t partition_count;
};

static struct json_shares shares_of(const struct figures_put *put, size_t scheme)
{
	const struct scheme *of = &put->settings->scheme[scheme];
	struct fathom_tree *tree = evaluation_tree(put->evaluation, scheme);

	put->snapshot[scheme].tree = tree;
	return (struct json_shares){
		.policy = of->policy, .settings = &of->settings,
		.snapshot = &put->snapshot[scheme],
		.columns = json_columns_of(of->policy, evaluation_result(put->evaluation, scheme)),
		.with_inputs = true,
		.order = put->order, .count = fathom_tree_count(tree),
	};
}

static void list_scope(struct figures_put *put, size_t scheme)
{
	const struct settings *settings = put->settings;
	const struct scheme *of = &settings->scheme[scheme];
	size_t first = put->partition_count;

	for (size_t i = 0; i < settings->queue_count; i++)
		if (settings->queue[i].scheme == scheme)
			put->partition[put->partition_count++] = settings->queue[i].name;
	put->scope[put->scope_count++] = (struct json_scope){
		.head = {
			.name = scopes_name(settings, scheme),
			.partition = put->partition + first,
			.partition_count = put->partition_count - first,
			.text = {
				[SCOPE_KIND] = of->kind,
				[SCOPE_MASTER_QUEUE] = of->master_queue,
				[SCOPE_DISPATCH_ORDER] = !of->is_set ? NULL :
							 of->queue_first ? "queue" : "user",
			},
		},
		.shares = shares_of(put, scheme),
	};
}

static int put_figures(FILE *out, struct figures_put *put, const char *cluster)
{
	const struct settings *settings = put->settings;
	bool with_shadow = false;

	put->shares = shares_of(put, 0);
	for (size_t i = 1; i < settings->scheme_count; i++) {
		if (settings->scheme[i].role == SCHEME_SCOPE) {
			list_scope(put, i);
			continue;
		}
		put->shadow = shares_of(put, i);
		with_shadow = true;
	}
	json_put_figures(out, &(struct json_figures){
		.time = evaluation_time(put->evaluation), .cluster = cluster,
		.shares = &put->shares,
		.shadow = with_shadow ? &put->shadow : NULL,
		.scope = put->scope, .scope_count = put->scope_count,
		.pool = put->pools ? put->pools->list : NULL,
		.pool_count = put->pools ? put->pools->count : 0 });
	return fflush(out) || ferror(out) ? -1 : 0;
}

static int put_evaluation(FILE *out, const struct figures_write *write)
{
	const struct settings *settings = write->settings;
	const struct snapshot *names = &write->names;
	size_t count = fathom_tree_count(names->tree);
	struct figures_put put = {
		.evaluation = write->evaluation,
		.settings = settings,
		.pools = write->pools,
		.order = calloc(2 * count, sizeof(*put.order)),
		.snapshot = calloc(settings->scheme_count, sizeof(*put.snapshot)),
		.scope = calloc(settings->scheme_count, sizeof(*put.scope)),
		.partition = calloc(settings->queue_count + 1, sizeof(*put.partition)),
	};
	int status = -1;

	for (size_t i = 0; put.snapshot && i < settings->scheme_count; i++)
		put.snapshot[i] = *names;
	if (put.order && put.snapshot && put.scope && put.partition &&
	    !snapshot_depth_first(names, put.order, put.order + count, NULL))
		status = put_figures(out, &put, settings->cluster);
	free(put.order);
	free(put.snapshot);
	free(put.scope);
	free(put.partition);
	return status;
}

/* Written to memory first: exit() would wait for a stream that waits for the disk. */
static int make_text(const struct figures_write *write, char **text, size_t *size)
{
	FILE *out = open_memstream(text, size);
	int status;

	if (!out)
		return -1;
	status = put_evaluation(out, write);
	return fclose(out) ? -1 : status;
}

/* Numbers have a decimal point, whatever locale another plugin has set. */
static int make_text_in_c_locale(const struct figures_write *write, char **text, size_t *size)
{
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0), before;
	int status;

	if (!c)
		return -1;
	before = uselocale(c);
	status = make_text(write, text, size);
	uselocale(before);
	freelocale(c);
	return status;
}

static int put_text(int file, const char *text, size_t size)
{
	ssize_t length;

	for (size_t at = 0; at < size; at += (size_t)length) {
		length = write(file, text + at, size - at);
		if (length < 0)
			return -1;
	}
	return fsync(file);
}

static bool is_abandoned(struct figures_write *write)
{
	bool abandoned;

	slurm_mutex_lock(&write->lock);
	abandoned = write->abandoned;
	slurm_mutex_unlock(&write->lock);
	return abandoned;
}

/* An abandoned thread replaces nothing: another slurmctld may write the file by now. */
static int replace(struct figures_write *write, const char *text, size_t size)
{
	struct atomic_file new;
	int status;

	if (atomic_file_begin(&new, write->path))
		return -1;
	status = put_text(new.file, text, size);
	if (!status)
		status = fchmod(new.file, write->settings->figures_mode);
	if (!status && is_abandoned(write)) {
		errno = ECANCELED;
		status = -1;
	}
	return atomic_file_end(&new, status, NULL);
}

/* Applies a stricter FiguresMode to the last file too, in case the next one cannot be written. */
static void close_to_others(int file, mode_t mode)
{
	struct stat status;

	if (!fstat(file, &status) && (status.st_mode & 0777 & ~mode))
		fchmod(file, mode);
}

/* 0: there is no such file, or it is of an earlier pass. Any other file must not be replaced:
 * FiguresFile may name slurmctld's own state by mistake. */
static int check_replaceable(const char *path, mode_t mode)
{
	static const char begin[] = "{\"format\": \"" JSON_FIGURES_FORMAT "\"";
	char found[sizeof(begin) - 1];
	int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	ssize_t length;

	if (file < 0)
		return errno == ENOENT ? 0 : -1;
	length = read(file, found, sizeof(found));
	if (length != (ssize_t)sizeof(found) || memcmp(found, begin, sizeof(found))) {
		close(file);
		errno = EEXIST;
		return -1;
	}
	close_to_others(file, mode);
	close(file);
	return 0;
}

/* Finds the first folder of the path that readers of the file cannot enter. */
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

/* Warns once for these settings. */
static void warn_if_folder_closed(struct figures_write *write)
{
	char folder[PATH_MAX];

	if (write->folder_checked_for == write->settings)
		return;
	write->folder_checked_for = write->settings;
	if (find_closed_folder(write->path, write->settings->figures_mode, folder))
		info(LOG_PREFIX "warning: %s: others may read the file, but not enter %s; name a "
				"FiguresFile in another folder, or set FiguresMode=0600",
		     write->path, folder);
}

static const char *describe(int problem)
{
	if (problem == EEXIST)
		return "exists, and is not a file of figures";
	if (problem == EALREADY)
		return "the last write has not ended";
	return strerror(problem);
}

static void tell(int *told, const char *path, int problem)
{
	if (problem && problem != *told)
		error(LOG_PREFIX "%s: %s; FiguresFile stays as it was", path, describe(problem));
	else if (!problem && *told)
		info(LOG_PREFIX "%s is written again", path);
	*told = problem;
}

/* ---- the thread ------------------------------------------------------------------- */

/* 0, or an errno. */
static int write_figures(struct figures_write *write)
{
	char *text = NULL;
	size_t size;
	int problem = 0;

	if (check_replaceable(write->path, write->settings->figures_mode) ||
	    make_text_in_c_locale(write, &text, &size) ||
	    replace(write, text, size))
		problem = errno;
	free(text);
	return problem;
}

static void *writing_thread(void *argument)
{
	struct figures_write *write = argument;
	int problem = write_figures(write);
	bool abandoned = is_abandoned(write);

	if (!abandoned)
		tell(&write->problem, write->path, problem);
	if (!abandoned && !problem)
		warn_if_folder_closed(write);
	slurm_mutex_lock(&write->lock);
	write->over = true;
	abandoned = write->abandoned;
	slurm_cond_signal(&write->ended);
	slurm_mutex_unlock(&write->lock);
	if (abandoned)
		destroy_write(write);
	return NULL;
}

/* 0, or an errno. */
static int start_thread(struct figures_write *write)
{
	pthread_attr_t detached;
	pthread_t thread;
	int problem;

	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	problem = pthread_create(&thread, &detached, writing_thread, write);
	pthread_attr_destroy(&detached);
	return problem;
}

/* ---- the pass --------------------------------------------------------------------- */

/* False: the last write is still under way. */
static bool end_last_write(struct figures_file *file)
{
	bool over;

	if (!file->write)
		return true;
	slurm_mutex_lock(&file->write->lock);
	over = file->write->over;
	slurm_mutex_unlock(&file->write->lock);
	if (!over) {
		tell(&file->problem, file->write->path, EALREADY);
		return false;
	}
	if (file->problem != EALREADY)	/* that stays until another write has begun and ended */
		file->problem = file->write->problem;
	file->folder_checked_for = file->write->folder_checked_for;
	destroy_write(file->write);
	file->write = NULL;
	return true;
}

/* False: there is none of these settings, or its associations have no names. */
static bool take_evaluation(struct figures_write *write, struct fairshare *fairshare)
{
	struct evaluation *evaluation = write->evaluation = fairshare_evaluation(fairshare);

	if (!evaluation || evaluation_settings(evaluation) != write->settings)
		return false;
	write->names.has_time = true;
	write->names.time = evaluation_time(evaluation);
	write->names.tree = evaluation_tree(evaluation, 0);
	return read_names(&write->names, evaluation);
}

void figures_file_write(struct figures_file *file, const char *folder,
			const struct settings *settings, struct fairshare *fairshare,
			struct divided_pools *pools)
{
	struct figures_write *write;
	int problem;

	if (!end_last_write(file))
		return;
	write = create_write(folder, settings);
	if (!write)
		return;
	write->pools = divided_pools_reference(pools);
	write->problem = file->problem;
	write->folder_checked_for = file->folder_checked_for;
	if (!take_evaluation(write, fairshare)) {
		destroy_write(write);
		return;
	}
	problem = start_thread(write);
	if (!problem) {
		file->write = write;
		return;
	}
	tell(&file->problem, write->path, problem);
	destroy_write(write);
}

/* Waits for the last write, but not longer than SHUTDOWN_WAIT. */
static void end_writing(struct figures_file *file)
{
	struct figures_write *write = file->write;
	struct timespec until;
	bool abandoned;
	int status = 0;

	if (!write)
		return;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += SHUTDOWN_WAIT;
	slurm_mutex_lock(&write->lock);
	while (!write->over && !status)
		status = pthread_cond_timedwait(&write->ended, &write->lock, &until);
	abandoned = write->abandoned = !write->over;
	if (abandoned)	/* the thread frees it as soon as it has the lock */
		tell(&file->problem, write->path, EALREADY);
	slurm_mutex_unlock(&write->lock);
	if (!abandoned)
		end_last_write(file);
	file->write = NULL;
}

struct figures_file *figures_file_create(void)
{
	return calloc(1, sizeof(struct figures_file));
}

void figures_file_destroy(struct figures_file *file)
{
	if (file)
		end_writing(file);
	free(file);
}
