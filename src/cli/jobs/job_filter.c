/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses jobs by the options --job, --user, --account, --partition and --state. */
#include "cli/jobs/command_jobs.h"

#include <pwd.h>
#include <stddef.h>

#define ID_SIZE 24

/* Returns whether a comma-separated list has the name. list: NULL: it has all; name: NULL counts as
 * "". */
static bool is_allowed(const char *list, const char *name)
{
	return !list || list_has(list, name ? name : "");
}

bool job_filter_allows(const struct job_filter *filter, const struct job_row *row)
{
	uint64_t states = filter->states ? filter->states : 1 << JOB_STATE_PENDING;
	char id[ID_SIZE];

	/* slurmctld does not tell the states of the pending jobs that it shows sprio */
	if (row->state != JOB_STATE_UNKNOWN && !(states >> row->state & 1))
		return false;
	snprintf(id, sizeof(id), "%lld", (long long)row->id);
	return is_allowed(filter->jobs, id) && is_allowed(filter->users, row->user) &&
	       is_allowed(filter->accounts, row->account) &&
	       is_allowed(filter->partitions, row->partition);
}

/* ---- names that match nothing --------------------------------------------------------- */

/* A filter by one column. */
struct named_filter {
	const char *names;	/* comma-separated; NULL: all */
	const char *option;	/* without "--" */
	const char *jobs;	/* what the option chooses, such as "jobs of user" */
	size_t member;		/* offset in struct job_row */
	bool may_be_idle;	/* names are of users, and one whom this host knows needs no job */
};

const char *job_name_at(const void *context, size_t i)
{
	const struct job_names *jobs = context;
	const char *name;

	if (i >= jobs->list->count)
		return NULL;
	name = *(const char *const *)((const char *)&jobs->list->row[i] + jobs->member);
	return name ? name : "";
}

/* Returns whether a row of the list has the id in an item: "7", but not "07". */
static bool has_id(const struct job_list *list, const struct list_item *item)
{
	char id[ID_SIZE];

	for (size_t i = 0; i < list->count; i++) {
		int length = snprintf(id, sizeof(id), "%lld", (long long)list->row[i].id);

		if ((size_t)length == item->length && !strncmp(id, item->name, item->length))
			return true;
	}
	return false;
}

/* Returns the id of row i as a text; NULL: there are fewer rows. context: the struct job_list. */
static const char *id_at(const void *context, size_t i)
{
	const struct job_list *list = context;

	return i < list->count ? need_print("%lld", (long long)list->row[i].id) : NULL;
}

/* Returns whether a row has the name in an item. If no row has it, *near gets the most similar
 * name. */
static bool has_name(const struct job_list *list, const struct named_filter *filter,
		     const struct list_item *item, struct suggestion *near)
{
	const struct job_names jobs = { list, filter->member };
	const bool ignores_case = true;

	if (filter->member != offsetof(struct job_row, id))
		return names_have((struct name_list){ job_name_at, &jobs }, ignores_case, near);
	/* ids are only made into texts if a suggestion is needed */
	return has_id(list, item) ||
	       names_have((struct name_list){ id_at, list }, ignores_case, near);
}

/* Refuses a name that no row has; of a user who may be idle it is only a remark. */
static void check_name(const struct job_list *list, const struct named_filter *filter,
		       const struct list_item *item)
{
	struct suggestion near = { item->name, item->length, .is_any = true };
	int length = list_item_shown(item);

	if (has_name(list, filter, item, &near))
		return;
	if (!filter->may_be_idle || !getpwnam(need_copy((struct piece){ item->name,
									 item->length })))
		refuse_unknown(&near, "--%s: there are no %s '%.*s'", filter->option, filter->jobs,
			       length, item->name);
	remark("user %.*s has no jobs here", length, item->name);
}

void job_filter_check(const struct job_filter *filter, const struct job_list *list, bool is_live)
{
	const struct named_filter filters[] = {
		{ filter->jobs, "job", "jobs with the id", offsetof(struct job_row, id), false },
		{ filter->users, "user", "jobs of user", offsetof(struct job_row, user), is_live },
		{ filter->accounts, "account", "jobs of account",
		  offsetof(struct job_row, account), false },
		{ filter->partitions, "partition", "jobs in partition",
		  offsetof(struct job_row, partition), false },
	};

	for (size_t i = 0; i < sizeof(filters) / sizeof(*filters); i++) {
		const char *rest = filters[i].names;
		struct list_item item;

		while (rest && list_next(&rest, ",", &item))
			check_name(list, &filters[i], &item);
	}
}
