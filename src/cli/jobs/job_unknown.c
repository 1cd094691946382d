/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Warns of jobs whose association is not in the tree. */
#include "cli/jobs/job_unknown.h"

#include "cli/complain.h"
#include "core/plural.h"

#include <string.h>

/* A uid without a name on this host is shown as a number. */
static bool is_number(const char *user)
{
	return user && *user && !user[strspn(user, "0123456789")];
}

static const char *or_none(const char *name)
{
	return name ? name : "none";
}

void job_unknown_remark(const struct shown_jobs *shown)
{
	const struct job_list *list = shown->list;
	const struct job_row *first = NULL;
	bool by_number = false;
	size_t count = 0;

	for (size_t i = 0; i < shown->count; i++) {
		const struct job_row *row = &list->row[shown->row[i]];

		if (!row->has_no_association)
			continue;
		if (!first)
			first = row;
		by_number |= is_number(row->user);
		count++;
	}
	if (!first)
		return;
	remark("%s on %zu line%s: for example, the tree has no association of user %s in account "
	       "%s (job %lld)%s",
	       list->fallback ? list->fallback : "no fair-share figures", count,
	       PLURAL(count), or_none(first->user), or_none(first->account),
	       (long long)first->id,
	       by_number ? "; users shown by number have no name on this host" : "");
}
