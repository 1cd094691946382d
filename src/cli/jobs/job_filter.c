/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses jobs by the options --job, --user, --account, --partition and --state. */
#include "cli/jobs/command_jobs.h"

#include "cli/name_set.h"

#include <pwd.h>
#include <stddef.h>

#define ID_SIZE 24

/* The options that choose jobs by one column. */
static const struct filter_option {
	const char *name;	/* without "--" */
	const char *jobs;	/* what it chooses, such as "jobs of user" */
	size_t list;		/* offset of its list in struct job_filter */
	size_t member;		/* offset of the column in struct job_row */
	bool of_users;		/* its list is of users, by name or number */
} options[] = {
#define OPTION(list, member) offsetof(struct job_filter, list), offsetof(struct job_row, member)
	{ "job", "jobs with the id", OPTION(jobs, id), false },
	{ "user", "jobs of user", OPTION(users, user), true },
	{ "account", "jobs of account", OPTION(accounts, account), false },
	{ "partition", "jobs in partition", OPTION(partitions, partition), false },
#undef OPTION
};

#define OPTION_COUNT (sizeof(options) / sizeof(*options))

/* Returns the names of an option; NULL: it is not given. */
static struct name_set *names_of(const struct job_filter *filter,
				 const struct filter_option *option)
{
	return name_set_of(*(char *const *)((const char *)filter + option->list));
}

/* Returns what a row has in the column of an option; NULL: nothing. id: room for the id as text. */
static const char *value_of(const struct filter_option *option, const struct job_row *row, char *id)
{
	if (option->member != offsetof(struct job_row, id))
		return *(const char *const *)((const char *)row + option->member);
	snprintf(id, ID_SIZE, "%lld", (long long)row->id);
	return id;
}

/* Returns whether a filter chooses a job. names: of each option. */
static bool is_chosen(const struct job_filter *filter, struct name_set *const *names,
		      const struct job_row *row)
{
	uint64_t states = filter->states ? filter->states : 1 << JOB_STATE_PENDING;
	char id[ID_SIZE];

	/* slurmctld does not tell the states of the pending jobs that it shows sprio */
	if (row->state != JOB_STATE_UNKNOWN && !(states >> row->state & 1))
		return false;
	for (size_t i = 0; i < OPTION_COUNT; i++)
		if (!name_set_has(names[i], value_of(&options[i], row, id)))
			return false;
	return true;
}

size_t job_filter_choose(const struct job_filter *filter, const struct job_list *list, size_t *row)
{
	struct name_set *names[OPTION_COUNT];
	size_t count = 0;

	for (size_t i = 0; i < OPTION_COUNT; i++)
		names[i] = names_of(filter, &options[i]);
	for (size_t i = 0; i < list->count; i++)
		if (is_chosen(filter, names, &list->row[i]))
			row[count++] = i;
	return count;
}

/* ---- names that match nothing --------------------------------------------------------- */

const char *job_name_at(const void *context, size_t i)
{
	const struct job_names *jobs = context;
	const char *name;

	if (i >= jobs->list->count)
		return NULL;
	name = *(const char *const *)((const char *)&jobs->list->row[i] + jobs->member);
	return name ? name : "";
}

/* Refuses a name that no row has, and names the nearest one: no id, as one is as good as another.
 * In a running cluster, a user whom this host knows may have no job: that is only a remark. */
static void refuse_name(const struct job_list *list, const struct filter_option *option,
			const struct list_item *item, bool is_live)
{
	const struct job_names jobs = { list, option->member };
	struct suggestion near = { item->name, item->length, .is_any = true };
	const bool ignores_case = true;
	int length = list_item_shown(item);

	if (is_live && option->of_users &&
	    getpwnam(need_copy((struct piece){ item->name, item->length }))) {
		remark("user %.*s has no jobs here", length, item->name);
		return;
	}
	if (option->member != offsetof(struct job_row, id))
		names_have((struct name_list){ job_name_at, &jobs }, ignores_case, &near);
	refuse_unknown(&near, "--%s: there are no %s '%.*s'", option->name, option->jobs, length,
		       item->name);
}

void job_filter_check(const struct job_filter *filter, const struct job_list *list, bool is_live)
{
	char id[ID_SIZE];

	for (size_t i = 0; i < OPTION_COUNT; i++) {
		struct name_set *names = names_of(filter, &options[i]);
		const char *rest = *(char *const *)((const char *)filter + options[i].list);
		struct list_item item;

		for (size_t row = 0; names && row < list->count; row++)
			name_set_note(names, value_of(&options[i], &list->row[row], id));
		while (names && name_set_next_missing(names, &rest, &item))
			refuse_name(list, &options[i], &item, is_live);
	}
}
