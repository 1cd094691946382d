/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the usage of other clusters, and finds where it counts here. An association there counts at
 * the association here of the same account (or of the account that Map names), user and partition;
 * else at another one of the user in the account; else at the account. What is in an account that
 * this cluster lacks does not count.
 *
 *	here: physics, physics/ada;  there: physics/ada/gpu 100 s, physics/bob 50 s, maths/eve 20 s
 *	physics/ada gets 100 s, physics gets 50 s, 20 s do not count
 */
#include "report/global_sources.h"

#include "base/files.h"
#include "base/log.h"
#include "core/error.h"
#include "core/numbered_names.h"
#include "json/usage_list.h"
#include "walk/sliced_walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define KEY_SIZE 1024		/* bytes of names of an account, user and partition */

/* ---- associations by name ---------------------------------------------------------------- */

/* The associations here, by their names. */
struct owners {
	struct numbered_names names;	/* "account", "account\nuser", "account\nuser\npartition" */
	uint32_t *node;		/* by number of the name: the node in the tree of associations */
	struct global_entry *entry;	/* by node: the association, without usage; association 0:
					 * the walk has not met it yet */
	const struct fathom_node_index *map;	/* of the evaluation; NULL: not listed yet */
	size_t met;		/* associations that the walk has met */
	bool failed;		/* out of memory */
};

/* Writes the name of an owner, in the form of struct owners, into key[KEY_SIZE], and returns key.
 * account: the name to use in place of owner->account. */
static const char *owner_key(const struct usage_owner *owner, const char *account, char *key)
{
	snprintf(key, KEY_SIZE, "%s%s%s%s%s", account, owner->user ? "\n" : "",
		 owner->user ? owner->user : "", owner->partition ? "\n" : "",
		 owner->partition ? owner->partition : "");
	return key;
}

/* Gives the name of `owner` to a node. is_whole: it is the whole name of the node's association,
 * and not the name without the partition: only a whole name is taken from a node that has it
 * already. */
static void add_owner(struct owners *owners, const struct usage_owner *owner, uint32_t node,
		      bool is_whole)
{
	size_t before = owners->names.count, number;
	char key[KEY_SIZE];

	number = numbered_names_add(&owners->names, owner_key(owner, owner->account, key));
	owners->failed |= number == NAME_INDEX_NONE;
	if (!owners->failed && (is_whole || owners->names.count > before))
		owners->node[number] = node;
}

/* Adds an association, unless the walk has met it before or it is newer than the map. One with a
 * partition also gets its name without the partition, unless another association has that. */
static void add_record(void *item, size_t at, void *context)
{
	const slurmdb_assoc_rec_t *record = item;
	bool has_partition = record->partition && *record->partition;
	struct usage_owner owner = { record->acct, record->user,
				     has_partition ? record->partition : NULL };
	struct owners *owners = context;
	const bool is_whole = true;
	uint32_t node;

	if (owners->failed || !fathom_node_index_find(owners->map, record->id, &node) ||
	    owners->entry[node].association)
		return;
	owners->entry[node] = (struct global_entry){
		.association = record->id, .node = node,
		.account = record->user ? associations_parent_id(record) : record->id,
	};
	owners->met++;
	add_owner(owners, &owner, node, is_whole);
	owner.partition = NULL;
	if (has_partition)
		add_owner(owners, &owner, node, !is_whole);
}

/* Frees all, and sets all members to 0. */
static void clear_owners(struct owners *owners)
{
	numbered_names_clear(&owners->names);
	free(owners->node);
	free(owners->entry);
	*owners = (struct owners){ .node = NULL };
}

/* Lists the associations that the evaluation has. If slurmctld sorts its list meanwhile, another
 * walk meets the rest. Associations that are gone since the evaluation are left out; the next read,
 * by the map of a later evaluation, lists all again. Returns -1 if out of memory. */
static int list_owners(struct owners *owners, const struct evaluation *evaluation)
{
	const struct sliced_walk walk = { .list = &assoc_mgr_assoc_list,
					  .assoc_locks = WALK_ASSOC_LOCKS(.assoc = READ_LOCK),
					  .small_blocks = true };
	size_t count = evaluation->node_count, before;
	struct fathom_error problem;

	owners->map = evaluation->map;
	owners->node = calloc(2 * count, sizeof(*owners->node));	/* two names each at most */
	owners->entry = calloc(count, sizeof(*owners->entry));
	/* so that the index does not grow under the lock */
	owners->failed = !owners->node || !owners->entry ||
			 name_index_reserve(&owners->names.index, 2 * count, &problem);
	do {
		before = owners->met;
		sliced_walk(&walk, (struct list_walk_stages){ .fetch = associations_fetch,
								  .work = add_record }, owners);
	} while (!owners->failed && owners->met < count && owners->met > before);
	if (!owners->failed)
		return 0;
	clear_owners(owners);
	return -1;
}

/* Sets *node to the node that has the name of an owner, with all its parts. Returns false if no
 * node has it. account: the name to use in place of owner->account. */
static bool find_whole(const struct owners *owners, const struct usage_owner *owner,
		       const char *account, uint32_t *node)
{
	char key[KEY_SIZE];
	size_t number = numbered_names_find(&owners->names, owner_key(owner, account, key));

	if (number != NAME_INDEX_NONE)
		*node = owners->node[number];
	return number != NAME_INDEX_NONE;
}

/* Sets *node to the node here at which an owner there counts: the one with all its names, else that
 * without the partition, else that of the account. account: the account's name here. Returns false
 * if this cluster lacks the account. */
static bool find_owner(const struct owners *owners, struct usage_owner owner, const char *account,
		       uint32_t *node)
{
	if (find_whole(owners, &owner, account, node))
		return true;
	owner.partition = NULL;
	if (find_whole(owners, &owner, account, node))
		return true;
	owner.user = NULL;
	return find_whole(owners, &owner, account, node);
}

/* ---- a file ------------------------------------------------------------------------------ */

/* Returns what a cluster gives to associations here, a reference of the caller's. list: what it has
 * used; share: its line of fathom.conf; map: of the associations here. NULL: out of memory. */
static struct global_cluster *place_usage(const struct usage_list *list,
					  const struct owners *owners,
					  const struct conf_global_share *share,
					  struct fathom_node_index *map)
{
	struct global_cluster *cluster = global_cluster_create((time_t)list->time, map,
							       list->count);

	for (size_t i = 0; cluster && i < list->count; i++) {
		const struct usage_entry *from = &list->entry[i];
		const char *account = conf_global_account(share, from->owner.account);
		uint32_t node;

		if (!find_owner(owners, from->owner, account, &node)) {
			cluster->unmapped += from->usage;
			continue;
		}
		cluster->entry[cluster->count] = owners->entry[node];
		cluster->entry[cluster->count++].usage = from->usage;
	}
	return cluster;
}

/* Checks that the list is of the cluster that the line names, and not of a wrong time. known: the
 * list must not be older than this; or NULL. Returns 0; or -1, and *problem says why, without the
 * time: a problem with another text each time would be logged each time. */
static int check_list(const struct usage_list *list, const struct conf_global_share *share,
		      const struct global_cluster *known, time_t now, struct fathom_error *problem)
{
	if (!list->cluster || strcasecmp(list->cluster, share->cluster))
		return fathom_error_set(problem, EINVAL, "it is of the cluster '%.64s'",
					list->cluster ? list->cluster : "");
	if (!list->has_time)
		return fathom_error_set(problem, EINVAL, "it has no time");
	if (list->time > now + CONF_GLOBAL_SKEW)
		return fathom_error_set(problem, EINVAL, "its time is in the future");
	if (known && list->time < known->time)
		return fathom_error_set(problem, EINVAL, "its time is before that as of which "
					"usage is known");
	return 0;
}

/* A read of all sources. */
struct reading {
	const struct evaluation *evaluation;
	struct background *background;
	struct owners owners;	/* listed once a source has changed */
	bool settings_are_new;	/* they are other ones than at the last read */
	const struct conf_global_share *share;	/* the GlobalShare line that is being read */
	time_t now;
};

/* Returns what a list gives to associations here. NULL: *problem says why it is not known. */
static struct global_cluster *place_list(struct reading *reading, const struct usage_list *list,
					 struct fathom_error *problem)
{
	struct global_cluster *cluster = NULL;

	/* slurmctld frees its associations once the thread is abandoned */
	if (background_is_abandoned(reading->background)) {
		fathom_error_set(problem, ECANCELED, "slurmctld ends");
		return NULL;
	}
	if (reading->owners.map || !list_owners(&reading->owners, reading->evaluation))
		cluster = place_usage(list, &reading->owners, reading->share,
				      reading->evaluation->map);
	if (!cluster)
		fathom_error_no_memory(problem);
	return cluster;
}

/* Returns what the usage list in a file gives to associations here. known: as for check_list().
 * NULL: *problem says why the file cannot be used. The text of the file is changed. */
static struct global_cluster *read_text(struct reading *reading, struct whole_file *file,
					const struct global_cluster *known,
					struct fathom_error *problem)
{
	struct global_cluster *cluster = NULL;
	struct fathom_error wrong;
	struct usage_list list;
	unsigned line;

	if (usage_list_read(&list, file->data, file->length, &line, &wrong)) {
		fathom_error_set(problem, wrong.code, "line %u: %s", line, wrong.text);
		return NULL;
	}
	if (!check_list(&list, reading->share, known, reading->now, problem))
		cluster = place_list(reading, &list, problem);
	usage_list_clear(&list);
	return cluster;
}

/* Reads the file of a line. Returns what it gives to associations here, and sets *status to that of
 * the file. known: as for check_list(). NULL: *problem says why the file cannot be used, and
 * *status is unchanged. */
static struct global_cluster *read_file(struct reading *reading, struct stat *status,
					const struct global_cluster *known,
					struct fathom_error *problem)
{
	struct global_cluster *cluster = NULL;
	struct whole_file file;

	if (whole_file_read(&file, reading->share->source, 0, USAGE_LIST_SIZE_MAX)) {
		fathom_error_set(problem, errno, "%s", strerror(errno));
		return NULL;
	}
	if (S_ISREG(file.status.st_mode))
		cluster = read_text(reading, &file, known, problem);
	else
		fathom_error_set(problem, EINVAL, "it is no regular file");
	if (cluster)
		*status = file.status;
	free(file.data);
	return cluster;
}

/* Returns whether two states are of the same file, and it has not been written between them. */
static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Puts what was read, `fresh`, in place of what the line knows of its cluster. fresh NULL: what is
 * known stays, and the line gets the text of *problem. */
static void use_result(struct global_line *line, struct global_source *source,
		       struct global_cluster *fresh, const struct fathom_error *problem)
{
	if (!fresh) {
		free(line->problem);
		line->problem = strdup(problem->text);
		return;
	}
	shared_release(line->cluster);
	line->cluster = fresh;
	source->is_other = false;
}

/* Returns the usage that a file must not be older than: what is known. NULL: a file may be of any
 * time, as nothing is known; or another Source has given what is known; or what is known is of a
 * time to come, so that a clock was ahead and has been set back. */
static const struct global_cluster *oldest_allowed(const struct reading *reading,
						   const struct global_line *line,
						   const struct global_source *source)
{
	bool is_ahead = line->cluster && line->cluster->time > reading->now + CONF_GLOBAL_SKEW;

	return source->is_other || is_ahead ? NULL : line->cluster;
}

/* Renews the usage of a line's cluster, line->cluster, if its file has changed, or if associations
 * here have come or gone. */
static void renew_by_file(struct reading *reading, struct global_line *line,
			  struct global_source *source)
{
	struct global_cluster *fresh;
	struct fathom_error problem;
	struct stat status;

	if (line->cluster && line->cluster->map == reading->evaluation->map &&
	    !stat(reading->share->source, &status) && is_same_file(&status, &source->status))
		return;
	fresh = read_file(reading, &source->status, oldest_allowed(reading, line, source),
			  &problem);
	use_result(line, source, fresh, &problem);
}

/* Renews the usage of a line's cluster by slurmdbd. If associations here have come or gone, or with
 * new settings, in which the line may have another Map, usage that is known already is placed anew,
 * also while slurmdbd does not answer. */
static void renew_by_database(struct reading *reading, struct global_line *line,
			      struct global_source *source)
{
	struct database_question question = {
		.settings = reading->evaluation->settings, .cluster = reading->share->cluster,
		.now = reading->now, .background = reading->background,
	};
	struct fathom_error problem;
	int status = database_usage_renew(&source->database, &question, &problem);
	bool is_placed = status <= 0 && !reading->settings_are_new && line->cluster &&
			 line->cluster->map == reading->evaluation->map;

	if (status < 0)
		line->problem = strdup(problem.text);
	if (source->database && !is_placed)
		use_result(line, source, place_list(reading, &source->database->list, &problem),
			   &problem);
}

/* ---- messages ---------------------------------------------------------------------------- */

/* Logs what is new of a line: a problem, the end of a problem, usage that does not count. before:
 * the cluster's line at the read before; NULL: there was no such line. */
static void log_line(const struct conf_global_share *share, const struct global_line *line,
		     const struct global_line *before)
{
	const char *problem = before ? before->problem : NULL;

	if (line->problem && (!problem || strcmp(problem, line->problem)))
		error(LOG_PREFIX "GlobalShare=%s: cannot use %s: %s; %s", share->cluster,
		      share->source, line->problem,
		      line->cluster ? "what is known of the cluster goes on counting"
				    : "nothing of the cluster counts");
	else if (!line->problem && problem)
		info(LOG_PREFIX "GlobalShare=%s: %s counts again", share->cluster, share->source);
	if (line->cluster && line->cluster->unmapped > 0 &&
	    !(before && before->cluster && before->cluster->unmapped > 0))
		error(LOG_PREFIX "GlobalShare=%s: %.15g s are in accounts that this cluster lacks, "
				 "and do not count; see Map", share->cluster,
		      line->cluster->unmapped);
}

/* Logs once that usage of a line has become older than MaxAge, or is new again. */
static void log_age(const struct global_usage *global, size_t line, struct global_source *source,
		    time_t now)
{
	const struct conf_global_share *share = &global->settings->conf.global.share[line];
	bool is_stale = global_usage_is_stale(global, line, now);
	char when[LOG_TIME_SIZE];

	if (is_stale && !source->is_stale)
		error(LOG_PREFIX "GlobalShare=%s: usage is as of %s, which is longer ago than "
				 "MaxAge; it fades out by decay", share->cluster,
		      log_time(global->line[line].cluster->time, when));
	else if (!is_stale && source->is_stale)
		info(LOG_PREFIX "GlobalShare=%s: usage is new again", share->cluster);
	source->is_stale = is_stale;
}

/* ---- all lines ----------------------------------------------------------------------------- */

/* Frees the list of sources, which has an element for each line of sources->last. */
static void clear_source_list(struct global_sources *sources)
{
	for (size_t i = 0; sources->last && i < sources->last->settings->conf.global.count; i++)
		database_usage_destroy(sources->source[i].database);
	free(sources->source);
}

/* Moves what slurmdbd has told of a cluster to *fresh, the cluster's source by the new settings,
 * and sets fresh->is_other. share: the cluster's line of the new settings; line: that of the last
 * read. */
static void move_source(struct global_sources *sources, const struct global_line *line,
			const struct conf_global_share *share, struct global_source *fresh)
{
	size_t at = (size_t)(line - sources->last->line);
	const char *old_name = sources->last->settings->conf.global.share[at].source;
	struct global_source *old = &sources->source[at];

	fresh->is_other = old->is_other || strcmp(share->source, old_name);
	fresh->database = old->database;
	old->database = NULL;
}

/* Makes the list of sources anew, for the GlobalShare lines of new settings. It has no states of
 * files, so that all files are read again. Returns -1 if out of memory. */
static int make_sources(struct global_sources *sources, const struct conf_global_shares *shares)
{
	struct global_source *source = calloc(shares->count + 1, sizeof(*source));

	if (!source)
		return -1;
	for (size_t i = 0; i < shares->count; i++) {
		const struct global_line *line =
			global_usage_line(sources->last, shares->share[i].cluster);

		if (line)
			move_source(sources, line, &shares->share[i], &source[i]);
	}
	clear_source_list(sources);
	sources->source = source;
	return 0;
}

/* Renews the i-th line, and logs what is new of it. */
static void read_line(struct global_sources *sources, struct reading *reading,
		      struct global_usage *fresh, size_t i)
{
	if (conf_global_is_database(reading->share))
		renew_by_database(reading, &fresh->line[i], &sources->source[i]);
	else
		renew_by_file(reading, &fresh->line[i], &sources->source[i]);
	log_line(reading->share, &fresh->line[i],
		 global_usage_line(sources->last, reading->share->cluster));
	log_age(fresh, i, &sources->source[i], reading->now);
}

/* A source that gives nothing new keeps what the last read knew of its cluster; and a problem is
 * logged only if the last read did not have it. */
struct global_usage *global_sources_read(struct global_sources *sources,
					 const struct evaluation *evaluation,
					 struct background *background)
{
	const struct conf_global_shares *shares = &evaluation->settings->conf.global;
	struct global_usage *fresh = global_usage_create(evaluation->settings, sources->last);
	struct reading reading = { .evaluation = evaluation, .background = background,
				   .now = time(NULL) };

	reading.settings_are_new =
		!sources->last || sources->last->settings != evaluation->settings;
	if (!fresh || (reading.settings_are_new && make_sources(sources, shares))) {
		shared_release(fresh);
		return NULL;
	}
	/* slurmctld frees its connection to slurmdbd once the thread is abandoned */
	for (size_t i = 0; i < shares->count && !background_is_abandoned(background); i++) {
		reading.share = &shares->share[i];
		read_line(sources, &reading, fresh, i);
	}
	global_usage_add_up(fresh, evaluation->map, evaluation->node_count, evaluation->time);
	clear_owners(&reading.owners);
	shared_release(sources->before);
	sources->before = sources->last;
	sources->last = shared_reference(fresh);
	return fresh;
}

void global_sources_clear(struct global_sources *sources)
{
	clear_source_list(sources);
	shared_release(sources->last);
	shared_release(sources->before);
	*sources = (struct global_sources){ NULL };
}
