/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks slurmdbd for the usage of another cluster, in three steps (ask_for_new):
 *
 *   1. What the cluster as a whole has used in the last hours (ask_hours) tells whether slurmdbd
 *	has summed up an hour that is not known yet. If not, that is all.
 *   2. What it has used in all hours that count, also known ones, tells whether slurmdbd has summed
 *	up known hours again, as records of jobs came late.
 *   3. The usage of each association is asked for (add_hours): of new hours, or after a sum that
 *	has changed, of all hours.
 *
 * slurmctld can have only one connection to slurmdbd: a second one would take the place of the
 * first (acct_storage_g_get_connection). Requests of all threads go through it one after another.
 * So each request here is for a few hours only, and those of other threads get between.
 */
#include "report/database_usage.h"

#include "base/compat.h"
#include "core/array.h"
#include "core/error.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HOUR 3600
#define DAY 86400
#define HOURS_MOST 6		/* hours of a request; for a day or more slurmdbd would answer with
				 * days */
#define HOURS_LEAST 3		/* hours that count, however short the half-life: the last one may
				 * not be summed up yet */
#define HALF_LIVES 10		/* time after which usage does not count: a thousandth is left */
#define DAYS_MOST 366		/* days after which it does not count, however long the half-life */
#define DAYS_KEPT 30		/* days for which hours that do not count may be kept */
#define KEY_SIZE 1024		/* bytes of the names of an account, user and partition, with NUL */
#define NO_USAGE "it does not tell usage"	/* the database of slurmdbd has failed */

/* ---- from when on ------------------------------------------------------------------------ */

/* Returns for how many seconds usage counts. half_life: seconds; 0: no decay. */
static time_t seconds_that_count(double half_life)
{
	double most = (double)DAYS_MOST * DAY, least = HOURS_LEAST * HOUR;

	return (time_t)(half_life > 0 ? fmin(fmax(HALF_LIVES * half_life, least), most) : most);
}

/* Returns whether new hours can be added to what is known: it has the half-life of these settings,
 * no usage from before the last reset, and not too many hours that do not count any more. Some of
 * these may stay in it, so that the others need not be asked for again. */
static bool can_be_added_to(const struct database_usage *usage,
			    const struct database_question *question)
{
	const struct settings *settings = question->settings;
	time_t counting = seconds_that_count(settings->half_life);
	time_t kept = counting + MIN(counting, DAYS_KEPT * DAY);

	return !(fabs(usage->half_life - settings->half_life) > 0) &&
	       usage->since >= question->now - kept &&
	       usage->since >= reset_midnight(settings->reset_period, question->now);
}

/* ---- the hours that are summed up ---------------------------------------------------------- */

/* What the cluster as a whole has used, from `since` on. */
struct hours {
	time_t now;
	time_t since;		/* when the first hour begins */
	time_t until;		/* the end of the last hour that is summed up; 0: no hour is */
	time_t known_until;	/* the end of the last hour whose usage is known; or 0 */
	uint64_t sum;		/* TRES seconds of all TRES, up to `until` */
	uint64_t known;		/* the part of `sum` up to known_until */
	bool is_told;		/* slurmdbd has found the usage of the cluster */
};

/* Adds an hour of the cluster, of one TRES, to the sums of *hours; for list_for_each(). */
static int add_cluster_hour(void *item, void *context)
{
	const slurmdb_cluster_accounting_rec_t *record = item;
	time_t end = record->period_start + HOUR;
	struct hours *hours = context;

	if (record->period_start < hours->since || end > hours->now)
		return 0;
	hours->until = MAX(hours->until, end);
	hours->sum += record->alloc_secs;
	if (end <= hours->known_until)
		hours->known += record->alloc_secs;
	return 0;
}

/* Adds all hours of the cluster to *hours; for list_for_each(). */
static int add_cluster(void *item, void *context)
{
	slurmdb_cluster_rec_t *record = item;
	struct hours *hours = context;

	hours->is_told = record->accounting_list;	/* empty if nothing was used */
	if (hours->is_told)
		list_for_each(record->accounting_list, add_cluster_hour, hours);
	return 0;
}

/* Checks before each request that it may be made: slurmctld frees its connection once the thread is
 * abandoned. Returns 0; or -1, and *problem says why it may not. */
static int check_connection(const struct database_question *question,
			    struct fathom_error *problem)
{
	if (background_is_abandoned(question->background))
		return fathom_error_set(problem, ECANCELED, "slurmctld ends");
	return acct_db_conn ? 0 : fathom_error_set(problem, ENOTCONN,
						   "there is no connection to it");
}

/* Asks what the cluster has used in each hour from hours->since on, and adds that to the sums of
 * *hours. Returns 0; or -1, and *problem says why it is not known. */
static int ask_hours(const struct database_question *question, struct hours *hours,
		     struct fathom_error *problem)
{
	const bool frees_members = false;
	slurmdb_cluster_cond_t condition;
	compat_list list;
	int count;

	if (check_connection(question, problem))
		return -1;
	slurmdb_init_cluster_cond(&condition, frees_members);
	condition.cluster_list = list_create(NULL);
	list_append(condition.cluster_list, (void *)question->cluster);
	condition.with_usage = 1;
	/* an hour more, as in add_hours(); and two behind, as the answer might be by days else */
	condition.usage_start = hours->since - HOUR;
	condition.usage_end = question->now + 2 * HOUR;
	list = acct_storage_g_get_clusters(acct_db_conn, slurm_conf.slurm_user_id, &condition);
	list_destroy(condition.cluster_list);
	if (!list)
		return fathom_error_set(problem, EIO, "it does not answer");
	count = list_count(list);
	list_for_each(list, add_cluster, hours);
	list_destroy(list);
	if (!count)
		return fathom_error_set(problem, ENOENT, "it does not know the cluster");
	if (!hours->is_told)
		return fathom_error_set(problem, EIO, NO_USAGE);
	if (!hours->until)
		return fathom_error_set(problem, ENOENT, "it has summed up no hour of the cluster "
					"yet");
	return 0;
}

/* ---- usage ------------------------------------------------------------------------------- */

/* Billing seconds in each hour of an answer. */
typedef uint64_t hours_used[HOURS_MOST];

/* An answer whose hours are being added to usage. */
struct addition {
	struct database_usage *usage;
	time_t from, until;		/* its first hour begins, its last one ends */
	time_t middle[HOURS_MOST];	/* the middle of each hour in which anything was used */
	hours_used *by_entry;		/* by index of the entry in usage->list */
	hours_used *hours;		/* element of by_entry, of the association that is being
					 * read; NULL: that is the root account */
	uint64_t sum;			/* of the association that is being read */
	uint64_t root_sum, users_sum;	/* of the root account; of all users' associations */
	const char *fault;		/* why the answer cannot be read; NULL: it can */
};

/* Adds the billing seconds of an hour to addition->hours and sum; for list_for_each(). Other TRES
 * and hours outside the addition are left out. */
static int add_hour(void *item, void *context)
{
	const slurmdb_accounting_rec_t *record = item;
	struct addition *addition = context;
	time_t hour = (record->period_start - addition->from) / HOUR;

	if (record->tres_rec.id != TRES_BILLING || record->period_start < addition->from ||
	    record->period_start >= addition->until)
		return 0;
	addition->sum += record->alloc_secs;
	addition->middle[hour] = record->period_start + HOUR / 2;
	if (addition->hours)
		(*addition->hours)[hour] += record->alloc_secs;
	return 0;
}

/* Adds an entry without usage, whose owner is "account\nuser" or "account\nuser\npartition" of the
 * key. entry->owner.account points to memory that database_usage_destroy() frees. NULL: out of
 * memory. */
static struct usage_entry *add_entry(struct usage_list *list, const char *key)
{
	char *text = strdup(key);
	struct usage_entry *entry = text ? array_append(&list->entry, &list->count, sizeof(*entry))
					 : NULL;

	if (!entry) {
		free(text);
		return NULL;
	}
	entry->owner.account = strsep(&text, "\n");
	entry->owner.user = strsep(&text, "\n");
	entry->owner.partition = text;
	return entry;
}

/* Returns the index of the entry of a user's association, and adds the entry if it is new;
 * NAME_INDEX_NONE: out of memory. */
static size_t find_entry(struct database_usage *usage, const slurmdb_assoc_rec_t *record)
{
	bool has_partition = record->partition && *record->partition;
	char key[KEY_SIZE];
	size_t number;

	snprintf(key, sizeof(key), "%s\n%s%s%s", record->acct, record->user,
		 has_partition ? "\n" : "", has_partition ? record->partition : "");
	number = numbered_names_add(&usage->names, key);
	/* names whose entries could not be added before, as memory was short, come first */
	while (number != NAME_INDEX_NONE && number >= usage->list.count)
		if (!add_entry(&usage->list, usage->names.name[usage->list.count]))
			return NAME_INDEX_NONE;
	return number;
}

/* Adds the hours of an association to *addition; for list_for_each(). Accounts are left out, as
 * their usage is that of their users; the root account's is only added to root_sum. */
static int add_association(void *item, void *context)
{
	const slurmdb_assoc_rec_t *record = item;
	struct addition *addition = context;
	bool is_user = record->user && *record->user;
	uint64_t *sum = is_user ? &addition->users_sum : &addition->root_sum;
	size_t number;

	if (!record->accounting_list)	/* it is empty if nothing was used */
		addition->fault = NO_USAGE;
	if (addition->fault || !list_count(record->accounting_list) ||
	    (!is_user && strcmp(record->acct, USAGE_LIST_ROOT)))
		return 0;
	number = is_user ? find_entry(addition->usage, record) : 0;
	if (number == NAME_INDEX_NONE) {
		addition->fault = "out of memory";
		return 0;
	}
	addition->hours = is_user ? &addition->by_entry[number] : NULL;
	addition->sum = 0;
	list_for_each(record->accounting_list, add_hour, addition);
	*sum += addition->sum;
	return 0;
}

/* Takes what a user has used in a partition off the same user's association without a partition.
 * number: index of the entry with the partition. */
static void take_partition_off(const struct addition *addition, size_t number)
{
	const struct usage_owner *owner = &addition->usage->list.entry[number].owner;
	char key[KEY_SIZE];
	size_t other;		/* the entry without a partition */

	snprintf(key, sizeof(key), "%s\n%s", owner->account, owner->user);
	other = numbered_names_find(&addition->usage->names, key);
	for (size_t i = 0; i < HOURS_MOST && other != NAME_INDEX_NONE; i++)
		addition->by_entry[other][i] -= MIN(addition->by_entry[other][i],
						    addition->by_entry[number][i]);
}

/* Decays all usage to addition->until, and adds the hours of the answer. What was used in an hour
 * counts as if it were used in the middle of the hour. */
static void add_up(struct addition *addition)
{
	struct database_usage *usage = addition->usage;
	bool is_twice = compat_sums_partitions(addition->users_sum, addition->root_sum);
	double factor = fathom_decay(difftime(addition->until, addition->from), usage->half_life);
	double hour_factor[HOURS_MOST];		/* what is left of usage of each hour */

	for (size_t i = 0; i < HOURS_MOST; i++)
		hour_factor[i] = fathom_decay(difftime(addition->until, addition->middle[i]),
					      usage->half_life);
	for (size_t at = 0; at < usage->list.count; at++)
		if (is_twice && usage->list.entry[at].owner.partition)
			take_partition_off(addition, at);
	for (size_t at = 0; at < usage->list.count; at++) {
		double *used = &usage->list.entry[at].usage;

		*used *= factor;
		for (size_t i = 0; i < HOURS_MOST; i++)
			*used += (double)addition->by_entry[at][i] * hour_factor[i];
	}
	usage->list.time = addition->until;
}

/* Adds the associations of an answer. Returns 0; or -1: *problem says why, and no usage has
 * changed. */
static int add_answer(struct addition *addition, compat_list answer, struct fathom_error *problem)
{
	/* entries, if each association of the answer is new */
	size_t most = addition->usage->names.count + (size_t)list_count(answer);

	addition->by_entry = calloc(most + 1, sizeof(*addition->by_entry));
	if (!addition->by_entry)
		return fathom_error_no_memory(problem);
	list_for_each(answer, add_association, addition);
	if (!addition->fault)
		add_up(addition);
	free(addition->by_entry);
	return addition->fault ? fathom_error_set(problem, EIO, "%s", addition->fault) : 0;
}

/* Asks for the hours from usage->list.time to `until` and adds them. It asks for an hour more
 * before and behind, as slurmdbd rounds both bounds down to a local hour, which may begin at half
 * past an hour, or be there twice. Returns 0; or -1: *problem says why, and no usage has
 * changed. */
static int add_hours(struct database_usage *usage, const struct database_question *question,
		     time_t until, struct fathom_error *problem)
{
	struct addition addition = { .usage = usage, .from = (time_t)usage->list.time,
				     .until = until };
	slurmdb_assoc_cond_t condition = { .usage_start = addition.from - HOUR,
					   .usage_end = until + HOUR };
	compat_list list;
	int status;

	if (check_connection(question, problem))
		return -1;
	compat_want_usage(&condition);
	condition.cluster_list = list_create(NULL);
	list_append(condition.cluster_list, (void *)question->cluster);
	list = acct_storage_g_get_assocs(acct_db_conn, slurm_conf.slurm_user_id, &condition);
	list_destroy(condition.cluster_list);
	if (!list)
		return fathom_error_set(problem, EIO, "it does not answer");
	status = add_answer(&addition, list, problem);
	list_destroy(list);
	return status;
}

/* Adds all hours from usage->list.time to hours->until. Returns 0; or -1: *problem says why, and
 * hours that were added stay. */
static int add_all_hours(struct database_usage *usage, const struct database_question *question,
			 const struct hours *hours, struct fathom_error *problem)
{
	while (usage->list.time < hours->until) {
		time_t until = MIN(usage->list.time + HOURS_MOST * HOUR, hours->until);

		if (add_hours(usage, question, until, problem))
			return -1;
	}
	usage->sum = hours->sum;
	return 0;
}

/* ---- all of it --------------------------------------------------------------------------- */

void database_usage_destroy(struct database_usage *usage)
{
	if (!usage)
		return;
	for (size_t i = 0; i < usage->list.count; i++)
		free((char *)usage->list.entry[i].owner.account);
	usage_list_clear(&usage->list);
	numbered_names_clear(&usage->names);
	free(usage);
}

/* The next three functions return 1 if there is new usage; 0 if there is none; or -1: *problem says
 * why, and what is known stays. */

/* Asks for usage of all hours from hours->since on, and replaces *usage. */
static int ask_all_hours(struct database_usage **usage, const struct database_question *question,
			 const struct hours *hours, struct fathom_error *problem)
{
	struct database_usage *fresh = calloc(1, sizeof(*fresh));

	if (!fresh)
		return fathom_error_no_memory(problem);
	fresh->list.time = fresh->since = hours->since;
	fresh->half_life = question->settings->half_life;
	if (add_all_hours(fresh, question, hours, problem)) {
		database_usage_destroy(fresh);
		return -1;
	}
	database_usage_destroy(*usage);
	*usage = fresh;
	return 1;
}

/* Asks for usage of all hours that count, if nothing is known or what is known cannot be added
 * to. */
static int ask_anew(struct database_usage **usage, const struct database_question *question,
		    struct fathom_error *problem)
{
	time_t since = question->now - seconds_that_count(question->settings->half_life);
	time_t hour = since - since % HOUR;
	time_t reset = reset_midnight(question->settings->reset_period, question->now);
	struct hours hours = { .now = question->now, .since = MAX(hour, reset) };

	/* after a reset nothing counts, even before the first hour is over */
	if (reset >= hour)
		hours.until = reset;
	if (ask_hours(question, &hours, problem))
		return -1;
	return ask_all_hours(usage, question, &hours, problem);
}

/* Asks for the hours that slurmdbd has summed up since; for all hours, if it has summed up a known
 * hour again. latest: the last known hour, and hours since; all: all hours that count. */
static int ask_for_new(struct database_usage **usage, const struct database_question *question,
		       struct fathom_error *problem)
{
	time_t known_until = (time_t)(*usage)->list.time;
	struct hours latest = { .now = question->now, .since = known_until - HOUR,
				.until = known_until };
	struct hours all = { .now = question->now, .since = (*usage)->since,
			     .until = known_until, .known_until = known_until };

	if (ask_hours(question, &latest, problem))
		return -1;
	if (latest.until == known_until)
		return 0;
	if (ask_hours(question, &all, problem))
		return -1;
	if (all.known != (*usage)->sum)
		return ask_all_hours(usage, question, &all, problem);
	return add_all_hours(*usage, question, &all, problem) ? -1 : 1;
}

int database_usage_renew(struct database_usage **usage, const struct database_question *question,
			 struct fathom_error *problem)
{
	bool is_known = *usage && can_be_added_to(*usage, question);

	if (is_known && question->now < (*usage)->list.time + HOUR)
		return 0;
	return is_known ? ask_for_new(usage, question, problem)
			: ask_anew(usage, question, problem);
}
