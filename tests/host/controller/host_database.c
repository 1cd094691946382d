/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What slurmdbd has summed up of other clusters. Like slurmdbd, it gives usage of an account as
 * that of its users, and of all TRES; and from 23.11 on that of a user without a partition as that
 * of all the user's partitions in the account.
 */
#include "controller/host_internal.h"

#include <string.h>
#include <time.h>

#define HOURS_MOST 1000

static struct hour {
	const char *cluster, *account, *user, *partition;
	time_t begin;
	uint64_t seconds;
} hours[HOURS_MOST];
static size_t hour_count;
static _Atomic enum host_database_state database_state;
static bool sums_partitions;
static struct host_database_requests requests;

void host_database_add(const char *cluster, const char *account, const char *user,
		       const char *partition, time_t begin, uint64_t seconds)
{
	if (hour_count == HOURS_MOST)
		host_die("slurmdbd has more than %d hours", HOURS_MOST);
	hours[hour_count++] = (struct hour){ cluster, account, user, partition, begin, seconds };
	acct_db_conn = hours;
}

void host_database_set(enum host_database_state state)
{
	database_state = state;
}

void host_database_sum_partitions(bool sums)
{
	sums_partitions = sums;
}

/* False: the request fails. */
static bool is_answered(void)
{
	const struct timespec millisecond = { .tv_nsec = 1000000 };

	while (database_state == HOST_DATABASE_HANGS)
		nanosleep(&millisecond, NULL);
	return database_state != HOST_DATABASE_IS_AWAY;
}

struct host_database_requests host_database_requests(void)
{
	struct host_database_requests made = requests;

	requests = (struct host_database_requests){ 0 };
	return made;
}

static time_t local_hour(time_t time)
{
	struct tm local;

	localtime_r(&time, &local);
	local.tm_min = local.tm_sec = 0;
	local.tm_isdst = -1;
	return mktime(&local);
}

static int hour_of_day(time_t time)
{
	struct tm local;

	return localtime_r(&time, &local)->tm_hour;
}

/* slurmdbd sums up whole days that are over by days, which the stand-in does not have. */
static bool is_by_hours(time_t start, time_t end)
{
	return hour_of_day(start) || hour_of_day(end) || end - start < 24 * 3600 ||
	       end > host_now();
}

/* slurmdbd rounds both bounds down. */
static bool is_wanted(const struct hour *hour, const char *cluster, time_t start, time_t end)
{
	time_t first = local_hour(start), last = local_hour(end);

	return is_by_hours(first, last) && !strcmp(hour->cluster, cluster) &&
	       hour->begin >= first && hour->begin < last;
}

/* ---- clusters ------------------------------------------------------------------------------ */

compat_list acct_storage_g_get_clusters(void *connection, uint32_t uid,
					slurmdb_cluster_cond_t *condition)
{
	const char *name = list_peek(condition->cluster_list);
	compat_list list;

	requests.clusters++;
	requests.longest_of_cluster = MAX(requests.longest_of_cluster,
					  condition->usage_end - condition->usage_start);
	if (!is_answered())
		return NULL;
	list = list_create(slurmdb_destroy_cluster_rec);
	for (size_t i = 0; i < hour_count; i++) {
		slurmdb_cluster_accounting_rec_t *sum;
		slurmdb_cluster_rec_t *record = list_peek(list);

		if (strcmp(hours[i].cluster, name))
			continue;
		if (!record) {
			record = xmalloc(sizeof(*record));
			slurmdb_init_cluster_rec(record, false);
			record->name = xstrdup(name);
			if (database_state != HOST_DATABASE_LACKS_SUMS)
				record->accounting_list =
					list_create(slurmdb_destroy_cluster_accounting_rec);
			list_append(list, record);
		}
		if (!record->accounting_list ||
		    !is_wanted(&hours[i], name, condition->usage_start, condition->usage_end))
			continue;
		sum = xmalloc(sizeof(*sum));
		sum->alloc_secs = hours[i].seconds;
		sum->period_start = hours[i].begin;
		sum->tres_rec.id = TRES_BILLING;
		list_append(record->accounting_list, sum);
	}
	return list;
}

/* ---- associations -------------------------------------------------------------------------- */

static void add_sum(compat_list list, const struct hour *hour, uint32_t tres)
{
	slurmdb_accounting_rec_t *sum = xmalloc(sizeof(*sum));

	sum->alloc_secs = hour->seconds;
	sum->period_start = hour->begin;
	sum->tres_rec.id = tres;
	list_append(list, sum);
}

static void add_record(compat_list list, const struct hour *hour, const char *account,
		       const char *user, const char *partition)
{
	slurmdb_assoc_rec_t *record = xmalloc(sizeof(*record));

	slurmdb_init_assoc_rec(record, false);
	record->acct = xstrdup(account);
	record->user = xstrdup(user);
	record->partition = xstrdup(partition);
	record->accounting_list = database_state == HOST_DATABASE_LACKS_USAGE
		? NULL : list_create(slurmdb_destroy_accounting_rec);
	if (record->accounting_list) {
		add_sum(record->accounting_list, hour, TRES_CPU);
		add_sum(record->accounting_list, hour, TRES_BILLING);
	}
	list_append(list, record);
}

/* Is there an association of the hour's user without a partition? */
static bool has_whole(const struct hour *hour)
{
	for (size_t i = 0; i < hour_count; i++)
		if (hours[i].user && !hours[i].partition && !strcmp(hours[i].user, hour->user) &&
		    !strcmp(hours[i].account, hour->account) &&
		    !strcmp(hours[i].cluster, hour->cluster))
			return true;
	return false;
}

compat_list host_database_associations(const slurmdb_assoc_cond_t *condition)
{
	const char *name = list_peek(condition->cluster_list);
	compat_list list;

	requests.associations++;
	requests.longest = MAX(requests.longest, condition->usage_end - condition->usage_start);
	if (!is_answered())
		return NULL;
	list = list_create(slurmdb_destroy_assoc_rec);
	for (size_t i = 0; i < hour_count; i++) {
		const struct hour *hour = &hours[i];

		if (!hour->account || !is_wanted(hour, name, condition->usage_start,
						 condition->usage_end))
			continue;
		add_record(list, hour, hour->account, hour->user, hour->partition);
		if (sums_partitions && hour->partition && has_whole(hour))
			add_record(list, hour, hour->account, hour->user, NULL);
		add_record(list, hour, hour->account, NULL, NULL);
		add_record(list, hour, "root", NULL, NULL);
	}
	return list;
}
