/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm knows one connection to slurmdbd in slurmctld: a second one would take the place of the
 * first (acct_storage_g_get_connection). Requests of all threads go through the one, one after the
 * other, so each request here is for a few hours only, and others get between.
 *
 * The sums of the cluster as a whole tell which hours are summed up: those of the last hours are
 * asked for until there is a new one, and only then those of all hours that count. These tell
 * whether slurmdbd has summed up hours again, as records of jobs came late: then usage of all hours
 * is asked for again.
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
#define HOURS_MOST 6		/* of a request; from a day on slurmdbd would answer with days */
#define HOURS_LEAST 3		/* that count; the last one may not be summed up yet */
#define HALF_LIVES 10		/* after which usage counts for nothing: a thousandth is left */
#define DAYS_MOST 366		/* and after this time, however long the half-life */
#define KEY_SIZE 1024		/* bytes of names of an account, user and partition */

/* ---- from when on ------------------------------------------------------------------------ */

/* Returns the local date so many days ago; *midnight: when that day began. */
static struct fathom_date local_day(time_t now, int days_ago, time_t *midnight)
{
	struct tm day;

	localtime_r(&now, &day);
	day = (struct tm){ .tm_year = day.tm_year, .tm_mon = day.tm_mon,
			   .tm_mday = day.tm_mday - days_ago, .tm_isdst = -1 };
	*midnight = mktime(&day);
	return (struct fathom_date){ day.tm_year + 1900, day.tm_mon + 1, day.tm_mday };
}

/* Returns the midnight at which PriorityUsageResetPeriod has reset usage last; 0: it has not. */
static time_t last_reset(const struct settings *settings, time_t now)
{
	time_t midnight, midnight_before;
	struct fathom_date day = local_day(now, 0, &midnight);

	for (int days = 1; days <= DAYS_MOST; days++) {
		struct fathom_date before = local_day(now, days, &midnight_before);

		if (fathom_reset_is_due(settings->reset_period, before, day, false))
			return midnight;
		day = before;
		midnight = midnight_before;
	}
	return 0;
}

/* Returns after how many seconds usage counts no more. */
static time_t longest_wanted(double half_life)
{
	double most = (double)DAYS_MOST * DAY;

	if (!(half_life > 0))
		return (time_t)most;
	return (time_t)fmin(fmax(HALF_LIVES * half_life, HOURS_LEAST * HOUR), most);
}

/* Returns whether what is known is of these settings, and of no other hours than count. Hours that
 * have faded out stay in it a while, so that they need not be asked for again. */
static bool is_of_use(const struct database_usage *usage, const struct database_question *question)
{
	const struct settings *settings = question->settings;

	return !(fabs(usage->half_life - settings->half_life) > 0) &&
	       usage->since >= question->now - 2 * longest_wanted(settings->half_life) &&
	       usage->since >= last_reset(settings, question->now);
}

/* ---- the hours that are summed up ---------------------------------------------------------- */

struct hours {
	time_t now, since;
	time_t until;		/* the end of the last one that is over; 0: there is none */
	time_t known_until;
	uint64_t known, sum;	/* of all TRES: up to known_until, up to until */
};

/* Adds an hour of the cluster to the sums of *hours; for list_for_each(). */
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

static int add_cluster(void *item, void *hours)
{
	slurmdb_cluster_rec_t *record = item;

	if (record->accounting_list)
		list_for_each(record->accounting_list, add_cluster_hour, hours);
	return 0;
}

/* Asked before each request: slurmctld frees its connection once the thread is abandoned. -1:
 * *problem says why there may be none. */
static int check_connection(const struct database_question *question,
			    struct fathom_error *problem)
{
	if (question->is_abandoned(question->context))
		return fathom_error_set(problem, ECANCELED, "slurmctld ends");
	return acct_db_conn ? 0 : fathom_error_set(problem, ENOTCONN,
						   "there is no connection to it");
}

/* Asks for the hours from hours->since on. -1: *problem says why. */
static int ask_hours(const struct database_question *question, struct hours *hours,
		     struct fathom_error *problem)
{
	slurmdb_cluster_cond_t condition;
	compat_list list;
	int count;

	if (check_connection(question, problem))
		return -1;
	slurmdb_init_cluster_cond(&condition, false);
	condition.cluster_list = list_create(NULL);
	list_append(condition.cluster_list, (void *)question->cluster);
	condition.with_usage = 1;
	condition.usage_start = hours->since - HOUR;	/* see add_hours() */
	condition.usage_end = question->now + 2 * HOUR;	/* else the answer might be by days */
	list = acct_storage_g_get_clusters(acct_db_conn, slurm_conf.slurm_user_id, &condition);
	list_destroy(condition.cluster_list);
	if (!list)
		return fathom_error_set(problem, EIO, "it does not answer");
	count = list_count(list);
	list_for_each(list, add_cluster, hours);
	list_destroy(list);
	if (!count)
		return fathom_error_set(problem, ENOENT, "it does not know the cluster");
	if (!hours->until)
		return fathom_error_set(problem, ENOENT, "it has summed up no hour of the cluster "
					"yet");
	return 0;
}

/* ---- usage ------------------------------------------------------------------------------- */

/* Of an answer. */
struct addition {
	struct database_usage *usage;
	time_t from, until;		/* hours */
	double seconds;			/* of one association, decayed to `until` */
	bool no_memory;
};

/* Adds an hour of an association, decayed from its middle on; for list_for_each(). */
static int add_hour(void *item, void *context)
{
	const slurmdb_accounting_rec_t *record = item;
	struct addition *addition = context;
	time_t middle = record->period_start + HOUR / 2;

	if (record->tres_rec.id == TRES_BILLING && record->period_start >= addition->from &&
	    record->period_start < addition->until)
		addition->seconds += (double)record->alloc_secs *
				     fathom_decay(difftime(addition->until, middle),
						  addition->usage->half_life);
	return 0;
}

/* Adds an entry for a key, which is that of its name. NULL: out of memory. */
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

/* NULL: out of memory. */
static struct usage_entry *find_entry(struct database_usage *usage,
				      const slurmdb_assoc_rec_t *record)
{
	bool has_partition = record->partition && *record->partition;
	char key[KEY_SIZE];
	size_t number;

	snprintf(key, sizeof(key), "%s\n%s%s%s", record->acct, record->user,
		 has_partition ? "\n" : "", has_partition ? record->partition : "");
	number = numbered_names_add(&usage->names, key);
	if (number == NAME_INDEX_NONE)
		return NULL;
	return number < usage->list.count ? &usage->list.entry[number]
					  : add_entry(&usage->list, key);
}

/* Usage of an account is that of its users. */
static int add_association(void *item, void *context)
{
	slurmdb_assoc_rec_t *record = item;
	struct addition *addition = context;
	struct usage_entry *entry;

	if (!record->user || !*record->user || !record->accounting_list)
		return 0;
	addition->seconds = 0;
	list_for_each(record->accounting_list, add_hour, addition);
	if (!(addition->seconds > 0))
		return 0;
	entry = find_entry(addition->usage, record);
	if (!entry) {
		addition->no_memory = true;
		return -1;
	}
	entry->usage += addition->seconds;
	return 0;
}

/* Asks for a few hours and adds them. It asks for one more before and behind, as slurmdbd rounds
 * both bounds down to a local hour, which may begin at half past an hour, or be there twice. -1:
 * *problem says why, and usage is of no more use. */
static int add_hours(struct database_usage *usage, const struct database_question *question,
		     time_t until, struct fathom_error *problem)
{
	struct addition addition = { .usage = usage, .from = (time_t)usage->list.time,
				     .until = until };
	double factor = fathom_decay(difftime(until, addition.from), usage->half_life);
	slurmdb_assoc_cond_t condition = { .usage_start = addition.from - HOUR,
					   .usage_end = until + HOUR };
	compat_list list;

	if (check_connection(question, problem))
		return -1;
	compat_want_usage(&condition);
	condition.cluster_list = list_create(NULL);
	list_append(condition.cluster_list, (void *)question->cluster);
	list = acct_storage_g_get_assocs(acct_db_conn, slurm_conf.slurm_user_id, &condition);
	list_destroy(condition.cluster_list);
	if (!list)
		return fathom_error_set(problem, EIO, "it does not answer");
	for (size_t i = 0; i < usage->list.count; i++)
		usage->list.entry[i].usage *= factor;
	list_for_each(list, add_association, &addition);
	list_destroy(list);
	usage->list.time = until;
	return addition.no_memory ? fathom_error_no_memory(problem) : 0;
}

/* -1: *problem says why; hours that were added stay. */
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

/* NULL: out of memory. */
static struct database_usage *create(const struct database_question *question, time_t since)
{
	struct database_usage *usage = calloc(1, sizeof(*usage));

	if (!usage)
		return NULL;
	usage->list.time = usage->since = since;
	usage->half_life = question->settings->half_life;
	return usage;
}

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

/* The next three return 1 if there is new usage, 0 if there is none; -1: *problem says why, and
 * what is known stays. */

/* Asks for usage of all hours. */
static int ask_all(struct database_usage **usage, const struct database_question *question,
		   const struct hours *hours, struct fathom_error *problem)
{
	struct database_usage *fresh = create(question, hours->since);

	if (!fresh)
		return fathom_error_no_memory(problem);
	if (add_all_hours(fresh, question, hours, problem)) {
		database_usage_destroy(fresh);
		return -1;
	}
	database_usage_destroy(*usage);
	*usage = fresh;
	return 1;
}

/* Asks where nothing is known that is of use. */
static int begin(struct database_usage **usage, const struct database_question *question,
		 struct fathom_error *problem)
{
	time_t since = question->now - longest_wanted(question->settings->half_life);
	time_t hour = since - since % HOUR;
	time_t reset = last_reset(question->settings, question->now);
	struct hours hours = { .now = question->now, .since = MAX(hour, reset) };

	/* after a reset nothing counts, even before the first hour is over */
	if (reset >= hour)
		hours.until = reset;
	if (ask_hours(question, &hours, problem))
		return -1;
	return ask_all(usage, question, &hours, problem);
}

/* Asks for what is new; for sums of all hours of the cluster only if there is a new hour. */
static int go_on(struct database_usage **usage, const struct database_question *question,
		 struct fathom_error *problem)
{
	time_t known_until = (time_t)(*usage)->list.time;
	struct hours latest = { .now = question->now, .since = known_until - HOUR,
				.until = known_until };
	struct hours hours = { .now = question->now, .since = (*usage)->since,
			       .until = known_until, .known_until = known_until };

	if (ask_hours(question, &latest, problem))
		return -1;
	if (latest.until == known_until)
		return 0;
	if (ask_hours(question, &hours, problem))
		return -1;
	if (hours.known != (*usage)->sum)
		return ask_all(usage, question, &hours, problem);
	return add_all_hours(*usage, question, &hours, problem) ? -1 : 1;
}

int database_usage_renew(struct database_usage **usage, const struct database_question *question,
			 struct fathom_error *problem)
{
	bool is_known = *usage && is_of_use(*usage, question);

	if (is_known && question->now < (*usage)->list.time + HOUR)
		return 0;
	return is_known ? go_on(usage, question, problem) : begin(usage, question, problem);
}
