/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds what fathom explain shows without WHO: the caller's accounts and waiting jobs, each with
 * its rank, and advice for the account with the least factor. */
#include "cli/explain/explain_command.h"

#include "jobs/job_states.h"

#include <stdlib.h>
#include <unistd.h>

#define MOST_RANKED 1000	/* rows of jobs in JSON; each rank is a walk over all jobs */

/* ---- accounts ---------------------------------------------------------------------------- */

/* Returns whether a node is an association of the caller that may be seen. */
static bool is_own(const struct explain_overview *overview, size_t node)
{
	const struct explained_tree *tree = &overview->source->tree;
	const struct snapshot *snapshot = tree->tree->snapshot;

	return !explain_is_account(tree, node) && !explain_is_hidden(tree, node) &&
	       !strcmp(snapshot_name(snapshot, node), overview->user);
}

/* Counts the accounts and associations of the caller, and finds the places of the first `most` of
 * these: each rank is a walk over all users, and a user may be in a thousand accounts. Returns the
 * node of the one with the least factor; EXPLAIN_NONE: the caller has no association. */
static size_t find_accounts(struct explain_overview *overview, size_t most)
{
	const struct explained_tree *view = &overview->source->tree;
	const struct fathom_tree *tree = view->tree->snapshot->tree;
	const double *factor = view->tree->columns.factor;
	size_t nodes = fathom_tree_count(tree), least = EXPLAIN_NONE;
	/* the account of the association before; those of one account are side by side */
	size_t last = EXPLAIN_NONE;

	overview->account = need_zeros(most < nodes ? most : nodes, sizeof(*overview->account));
	for (size_t node = 0; node < nodes; node++) {
		size_t account = fathom_tree_parent(tree, node);

		if (!is_own(overview, node))
			continue;
		overview->association_count++;
		overview->account_count += account != last;
		last = account;
		if (least == EXPLAIN_NONE || factor[node] < factor[least])
			least = node;
		if (overview->explained < most)
			overview->account[overview->explained++] = (struct explained_one){
				.row = EXPLAIN_NONE, .node = node,
				.place = explain_place(view, node),
			};
	}
	return least;
}

/* ---- jobs -------------------------------------------------------------------------------- */

/* For qsort() of pointers to rows: the row whose job starts first comes first; of rows with equal
 * priorities, the first of the list. */
static int compare_priorities(const void *first, const void *second)
{
	const struct job_row *one = *(const struct job_row *const *)first;
	const struct job_row *other = *(const struct job_row *const *)second;

	if (explain_job_is_ahead(one, other))
		return -1;
	return explain_job_is_ahead(other, one) ? 1 : (one > other) - (one < other);
}

/* Returns whether a row is of the caller, and in the partition of the overview. */
static bool is_own_row(const struct explain_overview *overview, const struct job_row *row)
{
	const char *partition = overview->partition;

	if (!row->user || strcmp(row->user, overview->user))
		return false;
	return !partition || (row->partition && !strcmp(row->partition, partition));
}

/* Returns the rows of the caller's jobs that wait, the first to start first, and sets *count to
 * their number. Adds the jobs to overview->job_count, and the caller's jobs that run to
 * overview->running. Rows that slurmctld does not show sprio get the priority 0, as they have no
 * rank. */
static const struct job_row **find_waiting(struct explain_overview *overview,
					   struct job_list *list, size_t *count)
{
	const struct job_row **found = need_zeros(list->count, sizeof(*found));
	int64_t last = -1;	/* id of the row before: a job has a row for each partition */

	*count = 0;
	for (size_t i = 0; i < list->count; i++) {
		struct job_row *row = &list->row[i];

		if (!is_own_row(overview, row))
			continue;
		if (row->has_no_terms)
			row->priority = 0;
		if (row->state == JOB_STATE_UNKNOWN || row->state == JOB_STATE_PENDING) {
			found[(*count)++] = row;
			overview->job_count += row->id != last;
		} else if (row->state == JOB_STATE_RUNNING) {
			overview->running += row->id != last;
		}
		last = row->id;
	}
	qsort(found, *count, sizeof(*found), compare_priorities);
	return found;
}

/* Finds the places of the first `most` rows of the caller's jobs that wait, if jobs were read. */
static void find_jobs(struct explain_overview *overview, struct explain_source *source, size_t most)
{
	const struct job_row **found;
	size_t count;

	if (!source->question.list)
		return;
	found = find_waiting(overview, &source->list, &count);
	overview->ranked = count < most ? count : most;
	overview->job = need_zeros(overview->ranked, sizeof(*overview->job));
	for (size_t i = 0; i < overview->ranked; i++) {
		size_t row = (size_t)(found[i] - source->list.row);

		overview->job[i] = (struct explained_one){
			.row = row, .node = EXPLAIN_NONE,
			.job_place = explain_job_place(&source->list, row),
		};
	}
}

const char *explain_caller(void)
{
	const char *name = caller_name();

	if (!name)
		refuse("your user id, %ld, has no name on this host; name a user, an account or a "
		       "job", (long)getuid());
	return name;
}

void explain_overview_find(struct explain_overview *overview, struct explain_source *source,
			   const struct explain_options *options)
{
	size_t least;

	*overview = (struct explain_overview){ .user = explain_caller(), .source = source,
						.partition = options->partition };
	/* NULL: the overview is not about a single job, so that it has the tree of users */
	explain_source_evaluate(source, options, options->partition, NULL);
	least = find_accounts(overview, options->json ? SIZE_MAX : OVERVIEW_ACCOUNTS);
	if (!overview->account_count)
		refuse("%s: you are a user of no account of %s; name a user, an account or a job",
		       overview->user, source->name);
	/* one alone: the search for advice takes many evaluations of the tree */
	overview->question = source->question;
	overview->question.node[0] = least;
	overview->question.list = NULL;		/* the question is not about jobs */
	overview->question.wants_advice = true;
	explained_create(&overview->advised, &overview->question);
	find_jobs(overview, source, options->json ? MOST_RANKED : OVERVIEW_JOBS);
}
