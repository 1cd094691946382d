/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "figures_file.h"

#include "id_map.h"
#include "json/figures.h"
#include "list_walk.h"
#include "log.h"
#include "new_file.h"
#include "slice.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_SIZE (1 << 16)

/* ---- names --------------------------------------------------------------------- */

/* On their way from the records into a snapshot. */
struct names {
	const struct id_map *map;
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
	ask_for(&record->acct);
	ask_for(&record->id);
	ask_for_fields(record, partition, user);
}

static void fetch_text(void *item, size_t at, void *context)
{
	const slurmdb_assoc_rec_t *record = item;
	const struct names *names = context;

	(void)at;
	ask_for(record->user ? record->user : record->acct);
	id_map_fetch(names->map, record->id);
}

static void fetch_nothing(void *item, size_t at, void *context)
{
	(void)item, (void)at, (void)context;
}

/* One that the walk has come by before, or that came after the pass, is left. */
static void take_names(void *item, size_t at, void *context)
{
	const slurmdb_assoc_rec_t *record = item;
	const char *name = record->user ? record->user : record->acct;
	struct names *names = context;
	struct snapshot *snapshot = names->snapshot;
	uint32_t node;

	(void)at;
	if (names->failed || !name || !id_map_find(names->map, record->id, &node) ||
	    snapshot->name[node] != SNAPSHOT_NO_TEXT)
		return;
	snapshot->name[node] = add_text(names, name);
	if (record->partition && *record->partition)
		snapshot->partition[node] = add_text(names, record->partition);
	names->found++;
}

static bool walk_records(struct names *names)
{
	static const struct list_walk_stages stages = { fetch_record, fetch_text, fetch_nothing,
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
static bool read_names(struct snapshot *snapshot, const struct fairshare_copy *copy)
{
	size_t count = fathom_tree_count(copy->scheme->tree);
	struct names names = { .map = copy->map, .snapshot = snapshot };

	snapshot->name = malloc(count * sizeof(*snapshot->name));
	snapshot->partition = malloc(count * sizeof(*snapshot->partition));
	if (!snapshot->name || !snapshot->partition)
		return false;
	memset(snapshot->name, 0xff, count * sizeof(*snapshot->name));
	memset(snapshot->partition, 0xff, count * sizeof(*snapshot->partition));
	return walk_records(&names) && names.found == count;
}

/* ---- the file ------------------------------------------------------------------- */

/* What one file is made of: names are there once, each scheme has a tree of the
 * same associations. */
struct figures_put {
	const struct fairshare_copy *copy;
	size_t *order;			/* of the nodes */
	struct snapshot *snapshot;	/* by scheme */
	struct json_shares shares, shadow;
	struct json_scope *scope;
	size_t scope_count;
	const char **partition;		/* of scopes, those of each in one piece */
	size_t partition_count;
};

static struct json_shares shares_of(const struct figures_put *put, size_t scheme)
{
	const struct scheme *of = &put->copy->settings->scheme[scheme];
	const struct fairshare_copied *copied = &put->copy->scheme[scheme];

	put->snapshot[scheme].tree = copied->tree;
	return (struct json_shares){
		.policy = of->policy, .settings = &of->settings,
		.snapshot = &put->snapshot[scheme], .told = copied->columns,
		.evaluated = copied->columns, .with_inputs = true,
		.order = put->order, .count = fathom_tree_count(copied->tree),
	};
}

static void list_scope(struct figures_put *put, size_t scheme)
{
	const struct settings *settings = put->copy->settings;
	size_t first = put->partition_count;

	for (size_t i = 0; i < settings->queue_count; i++)
		if (settings->queue[i].scheme == scheme)
			put->partition[put->partition_count++] = settings->queue[i].name;
	put->scope[put->scope_count++] = (struct json_scope){
		.name = scopes_name(settings, scheme),
		.partition = put->partition + first,
		.partition_count = put->partition_count - first,
		.shares = shares_of(put, scheme),
	};
}

static int put_figures(FILE *out, struct figures_put *put, const char *cluster)
{
	const struct settings *settings = put->copy->settings;
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
		.time = put->copy->time, .cluster = cluster, .shares = &put->shares,
		.shadow = with_shadow ? &put->shadow : NULL,
		.scope = put->scope, .scope_count = put->scope_count });
	return fflush(out) || ferror(out) ? -1 : 0;
}

static int put_copy(FILE *out, const struct fairshare_copy *copy, const struct snapshot *names,
		    const char *cluster)
{
	const struct settings *settings = copy->settings;
	size_t count = fathom_tree_count(names->tree);
	struct figures_put put = {
		.copy = copy,
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
		status = put_figures(out, &put, cluster);
	free(put.order);
	free(put.snapshot);
	free(put.scope);
	free(put.partition);
	return status;
}

/* Into a file that is already open, and stays so. */
static int put_into(int file, const struct fairshare_copy *copy, const struct snapshot *names,
		    const char *cluster)
{
	int again = fcntl(file, F_DUPFD_CLOEXEC, 0), status, problem;
	FILE *out = again < 0 ? NULL : fdopen(again, "w");

	if (!out) {
		close(again);
		return -1;
	}
	setvbuf(out, NULL, _IOFBF, BUFFER_SIZE);
	status = put_copy(out, copy, names, cluster);
	problem = errno;
	fclose(out);
	errno = problem;
	return status;
}

/* Numbers have a point, whatever another plugin has set. */
static int put_in_c_locale(int file, const struct fairshare_copy *copy,
			   const struct snapshot *names, const char *cluster)
{
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0), before;
	int status;

	if (!c)
		return -1;
	before = uselocale(c);
	status = put_into(file, copy, names, cluster);
	uselocale(before);
	freelocale(c);
	return status;
}

static int replace(const char *path, const struct fairshare_copy *copy,
		   const struct snapshot *names, const char *cluster)
{
	struct new_file new;

	if (new_file_begin(&new, path))
		return -1;
	return new_file_end(&new, put_in_c_locale(new.file, copy, names, cluster));
}

/* Is it of an earlier pass, or not there? Anything else that has the name by
 * mistake, such as slurmctld's own state, is worth more than figures. */
static int check_replaceable(const char *path)
{
	static const char begin[] = "{\"format\": \"" JSON_FIGURES_FORMAT "\"";
	char found[sizeof(begin) - 1];
	int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	ssize_t length;

	if (file < 0)
		return errno == ENOENT ? 0 : -1;
	length = read(file, found, sizeof(found));
	close(file);
	if (length == (ssize_t)sizeof(found) && !memcmp(found, begin, sizeof(found)))
		return 0;
	errno = EEXIST;
	return -1;
}

static void tell(struct figures_file *file, const char *path, int problem)
{
	if (problem && problem != file->problem)
		error(LOG_PREFIX "%s: %s; FiguresFile stays as it was", path,
		      problem == EEXIST ? "is there already, and no file of figures"
					: strerror(problem));
	else if (!problem && file->problem)
		info(LOG_PREFIX "%s is written again", path);
	file->problem = problem;
}

void figures_file_write(struct figures_file *file, const char *folder,
			const struct settings *settings, struct fairshare *fairshare)
{
	struct fairshare_copy copy;
	struct snapshot names = { .has_time = true };
	char path[PATH_MAX];
	int status;

	if (!fairshare_copy_create(fairshare, &copy))
		return;
	snprintf(path, sizeof(path), "%s%s%s", *settings->figures_file == '/' ? "" : folder,
		 *settings->figures_file == '/' ? "" : "/", settings->figures_file);
	names.time = copy.time;
	if (read_names(&names, &copy)) {
		names.tree = copy.scheme->tree;
		status = check_replaceable(path);
		if (!status)
			status = replace(path, &copy, &names, settings->cluster);
		tell(file, path, status ? errno : 0);
		names.tree = NULL;
	}
	snapshot_clear(&names);
	fairshare_copy_clear(&copy);
}
