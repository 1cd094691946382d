/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/explain/explain_command.h"

#include "jobs/job_associations.h"
#include "jobs/job_states.h"

#include <stdlib.h>
#include <strings.h>

/* ---- jobs ------------------------------------------------------------------------------ */

/* The rows of one job: a row for each of its partitions. */
struct job_rows {
	const struct job_list *list;
	int64_t id;
};

static bool is_row(const struct job_rows *rows, size_t row, const char *partition)
{
	const struct job_row *at = &rows->list->row[row];

	return at->id == rows->id &&
	       (!partition || (at->partition && !strcmp(at->partition, partition)));
}

/* Returns the job's row in the partition; NULL: its first. EXPLAIN_NONE: it has none. */
static size_t find_row(const struct job_rows *rows, const char *partition)
{
	for (size_t i = 0; i < rows->list->count; i++)
		if (is_row(rows, i, partition))
			return i;
	return EXPLAIN_NONE;
}

static const char *partition_at(const void *context, size_t wanted)
{
	const struct job_rows *rows = context;

	for (size_t i = 0; i < rows->list->count; i++)
		if (is_row(rows, i, NULL) && !wanted--)
			return rows->list->row[i].partition ? rows->list->row[i].partition : "none";
	return NULL;
}

static const char *list_partitions(const struct job_rows *rows)
{
	return need_list((struct name_list){ partition_at, rows }, " and ", 512);
}

/* Checks that a job waits, and asks for the partition of --partition. */
static void check_job(const struct explain_source *source, const struct explain_options *options,
		      const struct job_rows *rows)
{
	size_t row = find_row(rows, NULL);

	if (row == EXPLAIN_NONE)
		refuse("job %lld: unknown, must be one of the jobs that wait in %s", (long
		       long)rows->id, source->jobs_name);
	if (rows->list->row[row].state != JOB_STATE_UNKNOWN &&
	    rows->list->row[row].state != JOB_STATE_PENDING)
		refuse("job %lld: is %s, must be pending", (long long)rows->id,
		       job_state_name(rows->list->row[row].state));
	if (options->partition && find_row(rows, options->partition) == EXPLAIN_NONE)
		refuse("--partition: job %lld does not ask for %s, but for %s", (long long)rows->id,
		       options->partition, list_partitions(rows));
}

/* Finds a partition in which both jobs wait. */
static void find_shared(const struct job_rows rows[2], struct explain_question *question)
{
	for (size_t i = 0; i < rows[0].list->count; i++) {
		size_t other;

		if (!is_row(&rows[0], i, NULL))
			continue;
		other = find_row(&rows[1], rows[0].list->row[i].partition);
		if (other == EXPLAIN_NONE)
			continue;
		question->row[0] = i;
		question->row[1] = other;
		return;
	}
	refuse("jobs %lld and %lld are in different partitions, %s; %s: they do not wait in one "
	       "line", (long long)rows[0].id, (long long)rows[1].id, list_partitions(&rows[0]),
	       list_partitions(&rows[1]));
}

void explain_who_find_jobs(const struct explain_source *source,
			   const struct explain_options *options, struct explain_question *question)
{
	struct job_rows rows[2];

	for (size_t i = 0; i < question->count; i++) {
		rows[i] = (struct job_rows){ &source->list, strtoll(options->who[i], NULL, 10) };
		check_job(source, options, &rows[i]);
		question->row[i] = find_row(&rows[i], options->partition);
	}
	if (question->count == 2 && !options->partition)
		find_shared(rows, question);
}

/* ---- users and accounts ------------------------------------------------------------------ */

/* A user as it was asked for: "ann", or "physics/ann". A name may have a slash itself. */
struct wanted_user {
	const struct explain_source *source;
	const char *word;
	const char *account;		/* length bytes; 0: any */
	size_t length;
	const char *user, *partition;
};

static const struct snapshot *snapshot_of(const struct explain_source *source)
{
	return source->evaluated.snapshot;
}

static bool is_seen(const struct explain_source *source, size_t node)
{
	return !(source->tree.hidden && source->tree.hidden[node]);
}

/* Slurm stores names of accounts in lower case. */
static bool is_wanted(const struct wanted_user *wanted, size_t node)
{
	const struct snapshot *snapshot = snapshot_of(wanted->source);
	const char *account = snapshot_account(snapshot, node);
	const char *partition = snapshot_partition(snapshot, node);
	bool is_name = !strcmp(snapshot_name(snapshot, node), wanted->word);

	if (!is_seen(wanted->source, node) || explain_is_account(&wanted->source->tree, node) ||
	    (!is_name && strcmp(snapshot_name(snapshot, node), wanted->user)))
		return false;
	if (!is_name && wanted->length &&
	    (strlen(account) != wanted->length ||
	     strncasecmp(account, wanted->account, wanted->length)))
		return false;
	return !wanted->partition || !partition || !strcmp(partition, wanted->partition);
}

static const char *account_at(const void *context, size_t which)
{
	const struct wanted_user *wanted = context;
	const struct snapshot *snapshot = snapshot_of(wanted->source);

	for (size_t node = 0; node < fathom_tree_count(snapshot->tree); node++)
		if (is_wanted(wanted, node) && !which--)
			return snapshot_account(snapshot, node);
	return NULL;
}

/* The users and accounts of a tree that may be seen. */
static const char *name_at(const void *context, size_t node)
{
	const struct explain_source *source = context;

	if (node >= fathom_tree_count(snapshot_of(source)->tree))
		return NULL;
	return is_seen(source, node) ? snapshot_name(snapshot_of(source), node) : "";
}

/* Returns the account of this name, or EXPLAIN_NONE. */
static size_t find_account(const struct explain_source *source, const char *word)
{
	const struct snapshot *snapshot = snapshot_of(source);

	for (size_t node = 0; node < fathom_tree_count(snapshot->tree); node++)
		if (is_seen(source, node) && explain_is_account(&source->tree, node) &&
		    !strcasecmp(snapshot_name(snapshot, node), word))
			return node;
	return EXPLAIN_NONE;
}

static _Noreturn void refuse_user(const struct wanted_user *wanted, const char *word)
{
	struct suggestion near = { .word = wanted->user, .length = strlen(wanted->user) };
	struct wanted_user anywhere = *wanted;

	anywhere.length = 0;
	anywhere.partition = NULL;
	if (account_at(&anywhere, 0))
		refuse("%s: %s has no such user there; %s is in account %s", word,
		       wanted->source->name, wanted->user,
		       need_list((struct name_list){ account_at, &anywhere }, " and ", 512));
	names_have((struct name_list){ name_at, wanted->source }, false, &near);
	refuse_unknown(&near, "%s: is a user of no account of %s", word, wanted->source->name);
}

/* has_account: the account of the same name, which is found if no user is; or EXPLAIN_NONE */
static void find_user(const struct explain_source *source, const struct explain_options *options,
		      const char *word, size_t has_account, size_t *found)
{
	const struct snapshot *snapshot = snapshot_of(source);
	const char *slash = strrchr(word, '/');
	struct wanted_user wanted = {
		.source = source, .word = word, .account = word,
		.length = slash ? (size_t)(slash - word) : 0,
		.user = slash ? slash + 1 : word, .partition = options->partition,
	};

	*found = EXPLAIN_NONE;
	for (size_t node = 0; node < fathom_tree_count(snapshot->tree); node++) {
		if (!is_wanted(&wanted, node))
			continue;
		if (*found != EXPLAIN_NONE &&
		    fathom_tree_parent(snapshot->tree, *found) !=
			    fathom_tree_parent(snapshot->tree, node))
			refuse("%s: is in several accounts, %s; must be ACCOUNT/%s", word,
			       need_list((struct name_list){ account_at, &wanted }, " and ", 512),
			       wanted.user);
		/* the one of the wanted partition first, else the one for all partitions */
		if (*found == EXPLAIN_NONE ||
		    !snapshot_partition(snapshot, node) == !wanted.partition)
			*found = node;
	}
	if (*found == EXPLAIN_NONE && has_account != EXPLAIN_NONE)
		*found = has_account;
	else if (*found == EXPLAIN_NONE)
		refuse_user(&wanted, word);
	else if (has_account != EXPLAIN_NONE)
		remark("%s: is taken as the user; account:%s is the account", word, word);
}

/* Finds what a word names: "ann", "physics/ann", "physics", "user:ann" or "account:physics". */
static void find_named(const struct explain_source *source, const struct explain_options *options,
		       const char *word, size_t *found)
{
	static const char user[] = "user:", account[] = "account:";

	if (!strncmp(word, user, strlen(user))) {
		find_user(source, options, word + strlen(user), EXPLAIN_NONE, found);
	} else if (!strncmp(word, account, strlen(account))) {
		struct suggestion near = { .word = word + strlen(account) };

		near.length = strlen(near.word);
		*found = find_account(source, near.word);
		names_have((struct name_list){ name_at, source }, true, &near);
		if (*found == EXPLAIN_NONE)
			refuse_unknown(&near, "%s: is no account of %s", word, source->name);
	} else {
		find_user(source, options, word, find_account(source, word), found);
	}
}

/* Refuses two of which nothing can be said. */
static void check_pair(const struct explain_source *source, const struct explain_options *options,
		       const size_t node[2])
{
	const struct fathom_tree *tree = snapshot_of(source)->tree;
	bool is_account = explain_is_account(&source->tree, node[0]);

	if (node[0] == node[1])
		refuse("%s and %s are the same %s", options->who[0], options->who[1],
		       is_account ? "account" : "user");
	if (is_account != explain_is_account(&source->tree, node[1]))
		refuse("%s and %s are a user and an account, must be two users or two accounts",
		       options->who[!is_account ? 0 : 1], options->who[!is_account ? 1 : 0]);
	for (size_t i = 0; i < 2; i++)
		if (tree_is_below(tree, node[i], node[!i]))
			refuse("account %s is below account %s, must be two of which none is below "
			       "the other", snapshot_name(snapshot_of(source), node[i]),
			       snapshot_name(snapshot_of(source), node[!i]));
}

/* ---- nodes ------------------------------------------------------------------------------- */

void explain_who_find_nodes(const struct explain_source *source,
			    const struct explain_options *options,
			    struct explain_question *question)
{
	question->node[0] = question->node[1] = EXPLAIN_NONE;
	if (!source->has_tree)
		return;
	for (size_t i = 0; i < question->count; i++)
		if (source->has_list)
			question->node[i] = job_associations_search(
				snapshot_of(source), &source->list.row[question->row[i]]);
		else
			find_named(source, options, options->who[i], &question->node[i]);
	if (!source->has_list && question->count == 2)
		check_pair(source, options, question->node);
}
