/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses jobs by the options --job, --user, --account, --partition and --state. */
#include "cli/jobs/job_filter.h"

#include "cli/column_list.h"
#include "cli/command.h"
#include "cli/complain.h"
#include "cli/option_values.h"
#include "core/suggestion.h"
#include "jobs/job_states.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define ID_SIZE 24

/* Returns whether a list of names allows this one. list: NULL allows all; name: NULL counts as
 * empty. */
static bool is_allowed(const char *list, const char *name)
{
	return !list || list_has(list, name ? name : "");
}

/* slurmctld does not tell the states of the pending jobs that it shows sprio. */
static bool is_in_state(const struct job_filter *filter, size_t state)
{
	uint64_t states = filter->states ? filter->states : 1 << JOB_STATE_PENDING;

	return state == JOB_STATE_UNKNOWN || (states >> state & 1);
}

bool job_filter_allows(const struct job_filter *filter, const struct job_row *row)
{
	char id[ID_SIZE];

	if (!is_in_state(filter, row->state))
		return false;
	snprintf(id, sizeof(id), "%lld", (long long)row->id);
	return is_allowed(filter->jobs, id) && is_allowed(filter->users, row->user) &&
	       is_allowed(filter->accounts, row->account) &&
	       is_allowed(filter->partitions, row->partition);
}

/* ---- names that match nothing --------------------------------------------------------- */

/* Returns what an option filters by; NULL: the row has none. buffer: of ID_SIZE bytes. */
typedef const char *row_text(const struct job_row *row, char *buffer);

static const char *id_of(const struct job_row *row, char *buffer)
{
	snprintf(buffer, ID_SIZE, "%lld", (long long)row->id);
	return buffer;
}

static const char *user_of(const struct job_row *row, char *buffer)
{
	(void)buffer;
	return row->user;
}

static const char *account_of(const struct job_row *row, char *buffer)
{
	(void)buffer;
	return row->account;
}

static const char *partition_of(const struct job_row *row, char *buffer)
{
	(void)buffer;
	return row->partition;
}

/* A filter by one column. */
struct named_filter {
	const char *names, *option;
	const char *jobs;	/* what the option chooses, such as "jobs of user" */
	row_text *text_of;
	bool may_be_idle;	/* a user whom this host knows needs no job */
};

static bool is_user_of_host(const struct list_item *item)
{
	char *name = strndup(item->name, item->length);
	bool is_known = name && getpwnam(name);

	free(name);
	return is_known;
}

/* Complains if no row has a name. */
static int check_name(const struct job_list *list, const struct named_filter *filter,
		      const struct list_item *item)
{
	struct suggestion suggestion = { .word = item->name, .length = item->length };
	int length = list_item_shown(item);
	char buffer[ID_SIZE];

	for (size_t i = 0; i < list->count; i++) {
		const char *text = filter->text_of(&list->row[i], buffer);

		if (!text)
			continue;
		if (strlen(text) == item->length && !strncasecmp(text, item->name, item->length))
			return 0;
		if (text != buffer)
			suggestion_consider(&suggestion, text);
	}
	if (filter->may_be_idle && is_user_of_host(item)) {
		remark("user %.*s has no jobs here", length, item->name);
		return 0;
	}
	if (suggestion.name)
		return complain("--%s: there are no %s '%.*s'; did you mean %s?", filter->option,
				filter->jobs, length, item->name, suggestion.name);
	return complain("--%s: there are no %s '%.*s'", filter->option, filter->jobs, length,
			item->name);
}

int job_filter_check(const struct job_filter *filter, const struct job_list *list, bool is_live)
{
	const struct named_filter filters[] = {
		{ filter->jobs, "job", "jobs with the id", id_of, false },
		{ filter->users, "user", "jobs of user", user_of, is_live },
		{ filter->accounts, "account", "jobs of account", account_of, false },
		{ filter->partitions, "partition", "jobs in partition", partition_of, false },
	};

	for (size_t i = 0; i < sizeof(filters) / sizeof(*filters); i++) {
		const char *rest = filters[i].names;
		struct list_item item;

		while (rest && list_next(&rest, ",", &item))
			if (check_name(list, &filters[i], &item))
				return EXIT_WRONG;
	}
	return 0;
}
