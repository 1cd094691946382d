/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the jobs, users and accounts that WHO and WHOM of fathom explain name, and refuses those
 * that do not exist or cannot be compared. */
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

/* Returns whether row i of the list is the job's row in a partition. partition: NULL: any. */
static bool is_row_of(const struct job_rows *rows, size_t i, const char *partition)
{
	const struct job_row *row = &rows->list->row[i];

	return row->id == rows->id &&
	       (!partition || (row->partition && !strcmp(row->partition, partition)));
}

/* Returns the index of the job's row in a partition; EXPLAIN_NONE: the job has no such row.
 * partition: NULL: any. Of several rows, returns the first for which the tree has the user, else
 * the first one: the tree of a scope has users in the scope's partitions alone. */
static size_t find_row(const struct job_rows *rows, const char *partition)
{
	const struct job_row *row = rows->list->row;
	size_t found = EXPLAIN_NONE;

	for (size_t i = 0; i < rows->list->count; i++) {
		bool is_better = found == EXPLAIN_NONE || (row[found].has_no_association &&
							   !row[i].has_no_association);

		if (is_better && is_row_of(rows, i, partition))
			found = i;
	}
	return found;
}

/* Returns whether the jobs of two rows wait in one line: in the same partition, or both in none; or
 * unless `partitions` is NULL, in two that share nodes. */
static bool are_beside(const struct job_row *one, const struct job_row *other,
		       struct explain_partitions *partitions)
{
	return partitions ? explain_partitions_share_nodes(partitions, one, other)
			  : explain_is_in(one, other->partition);
}

/* Returns the partitions of a job for a message: "p and q". */
static const char *list_partitions(const struct job_rows *rows)
{
	const char **name = need_zeros(rows->list->count, sizeof(*name));
	size_t count = 0;

	for (size_t i = 0; i < rows->list->count; i++) {
		const char *partition = rows->list->row[i].partition;

		if (is_row_of(rows, i, NULL))
			name[count++] = partition ? partition : "none";
	}
	return need_list(name_list_of(name), " and ", 512);
}

/* Refuses a job that is unknown, does not wait, or does not ask for the --partition. */
static void check_job(const struct explain_source *source, const struct explain_options *options,
		      const struct job_rows *rows)
{
	size_t row = find_row(rows, NULL);

	if (row == EXPLAIN_NONE)
		refuse("job %lld: unknown, must be one of the jobs that wait in %s",
		       (long long)rows->id, source->jobs_name);
	if (rows->list->row[row].state != JOB_STATE_UNKNOWN &&
	    rows->list->row[row].state != JOB_STATE_PENDING)
		refuse("job %lld: is %s, must be pending", (long long)rows->id,
		       job_state_name(rows->list->row[row].state));
	if (options->partition && find_row(rows, options->partition) == EXPLAIN_NONE)
		refuse("--partition: job %lld does not ask for %s, but for %s", (long long)rows->id,
		       options->partition, list_partitions(rows));
}

/* Sets question->row to rows of both jobs that are_beside() each other: the first two for which the
 * tree has both users, else one of them, else none. Returns false if there are no such rows. */
static bool find_shared(const struct job_rows rows[2], struct explain_partitions *partitions,
			struct explain_question *question)
{
	const struct job_row *row = rows[0].list->row;
	size_t count = rows[0].list->count;
	int fewest = 3;		/* users that the tree lacks; 3: no such rows were found */

	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; is_row_of(&rows[0], i, NULL) && j < count; j++) {
			int lacking = row[i].has_no_association + row[j].has_no_association;

			if (!is_row_of(&rows[1], j, NULL) || lacking >= fewest ||
			    !are_beside(&row[j], &row[i], partitions))
				continue;
			fewest = lacking;
			question->row[0] = i;
			question->row[1] = j;
		}
	}
	return fewest <= 2;
}

/* Sets question->row to rows of both jobs that wait in one line, see find_shared(). Refuses jobs
 * without such rows. */
static void find_line(struct explain_source *source, const struct job_rows rows[2])
{
	struct explain_partitions *partitions;
	bool is_found = find_shared(rows, NULL, &source->question);

	if (!is_found) {
		partitions = explain_source_partitions(source);
		is_found = find_shared(rows, partitions, &source->question);
		explain_partitions_clear(partitions);
	}
	if (!is_found)
		refuse("jobs %lld and %lld are in different partitions, %s; %s: they do not wait "
		       "in one line", (long long)rows[0].id, (long long)rows[1].id,
		       list_partitions(&rows[0]), list_partitions(&rows[1]));
}

void explain_who_find_jobs(struct explain_source *source, const struct explain_options *options)
{
	struct explain_question *question = &source->question;
	struct job_rows rows[2];

	for (size_t i = 0; i < question->count; i++) {
		/* explain_source_name_jobs() has left a number */
		rows[i] = (struct job_rows){ &source->list, strtoll(options->who[i], NULL, 10) };
		check_job(source, options, &rows[i]);
		question->row[i] = find_row(&rows[i], options->partition);
	}
	if (question->count == 2 && !options->partition)
		find_line(source, rows);
}

/* ---- users and accounts ------------------------------------------------------------------ */

/* A user as it was asked for: "ann", or "physics/ann". A name may have a slash itself, so that
 * "physics/ann" may also be the name of a user. */
struct wanted_user {
	const struct explain_source *source;
	const char *word;	/* as it was asked for */
	const char *account;	/* what stands before the last slash, not ended by NUL */
	size_t length;		/* of `account`; 0: it may be any account */
	const char *user;	/* what stands behind the last slash */
	const char *partition;	/* of --partition; NULL: not given */
};

/* Returns the names of the evaluated tree. */
static const struct snapshot *snapshot_of(const struct explain_source *source)
{
	return source->evaluated.snapshot;
}

/* Returns whether a node is an association of the wanted user, and not for another partition than
 * that of --partition. Accounts are compared without case, as Slurm stores them in lower case. */
static bool is_wanted(const struct wanted_user *wanted, size_t node)
{
	const struct explained_tree *view = &wanted->source->tree;
	const struct snapshot *snapshot = snapshot_of(wanted->source);
	const char *account = snapshot_account(snapshot, node);
	const char *partition = snapshot_partition(snapshot, node);
	/* the user's name is the word with its slash */
	bool is_whole_word = !strcmp(snapshot_name(snapshot, node), wanted->word);

	if (explain_is_hidden(view, node) || explain_is_account(view, node))
		return false;
	if (!is_whole_word && strcmp(snapshot_name(snapshot, node), wanted->user))
		return false;
	if (!is_whole_word && wanted->length &&
	    (strlen(account) != wanted->length ||
	     strncasecmp(account, wanted->account, wanted->length)))
		return false;
	return !wanted->partition || !partition || !strcmp(partition, wanted->partition);
}

/* Returns the account of the wanted user's i-th association, with its partition if it has one:
 * "lab", "lab (--partition=gpu)"; NULL: it has fewer. For struct name_list. */
static const char *account_at(const void *context, size_t i)
{
	const struct wanted_user *wanted = context;
	const struct snapshot *snapshot = snapshot_of(wanted->source);

	for (size_t node = 0; node < fathom_tree_count(snapshot->tree); node++) {
		const char *account = snapshot_account(snapshot, node);
		const char *partition = snapshot_partition(snapshot, node);

		if (is_wanted(wanted, node) && !i--)
			return partition ? need_print("%s (--partition=%s)", account, partition)
					 : account;
	}
	return NULL;
}

/* Returns the name of a user or account of the tree, "" if it may not be seen; NULL: there is no
 * such node. For struct name_list. context: the source. */
static const char *name_at(const void *context, size_t node)
{
	const struct explain_source *source = context;

	if (node >= fathom_tree_count(snapshot_of(source)->tree))
		return NULL;
	return explain_is_hidden(&source->tree, node) ? ""
						      : snapshot_name(snapshot_of(source), node);
}

/* Returns the node of the account with this name, without case; EXPLAIN_NONE: there is no such
 * account that may be seen. */
static size_t find_account(const struct explain_source *source, const char *name)
{
	const struct snapshot *snapshot = snapshot_of(source);

	for (size_t node = 0; node < fathom_tree_count(snapshot->tree); node++)
		if (!explain_is_hidden(&source->tree, node) &&
		    explain_is_account(&source->tree, node) &&
		    !strcasecmp(snapshot_name(snapshot, node), name))
			return node;
	return EXPLAIN_NONE;
}

/* Refuses a user that was not found: names the accounts that it is in, or a similar name.
 * is_caller: nobody typed the name. */
static _Noreturn void refuse_user(const struct wanted_user *wanted, const char *word,
				  bool is_caller)
{
	struct suggestion near = { .word = wanted->user, .length = strlen(wanted->user) };
	struct wanted_user anywhere = *wanted;	/* the user in any account and partition */
	const bool ignores_case = false;

	anywhere.length = 0;
	anywhere.partition = NULL;
	if (account_at(&anywhere, 0))
		refuse("%s: %s has no such user there; %s is in account %s", word,
		       wanted->source->name, wanted->user,
		       need_list((struct name_list){ account_at, &anywhere }, " and ", 512));
	if (is_caller)
		refuse("%s: you are a user of no account of %s; name a user", word,
		       wanted->source->name);
	names_have((struct name_list){ name_at, wanted->source }, ignores_case, &near);
	refuse_unknown(&near, "%s: is a user of no account of %s", word, wanted->source->name);
}

/* Returns the node of the user that a word names: "ann" or "physics/ann". account: the node of the
 * account that the word may name, too, which is returned if there is no such user; EXPLAIN_NONE:
 * there is no such account. Refuses a user who is unknown, or is in several accounts. */
static size_t find_user(const struct explain_source *source, const struct explain_options *options,
			const char *word, size_t account)
{
	const struct snapshot *snapshot = snapshot_of(source);
	const char *slash = strrchr(word, '/');
	struct wanted_user wanted = {
		.source = source, .word = word, .account = word,
		.length = slash ? (size_t)(slash - word) : 0,
		.user = slash ? slash + 1 : word, .partition = options->partition,
	};
	size_t found = EXPLAIN_NONE;

	for (size_t node = 0; node < fathom_tree_count(snapshot->tree); node++) {
		if (!is_wanted(&wanted, node))
			continue;
		if (found != EXPLAIN_NONE && fathom_tree_parent(snapshot->tree, found) !=
						     fathom_tree_parent(snapshot->tree, node))
			refuse("%s: is in several accounts, %s; must be ACCOUNT/%s", word,
			       need_list((struct name_list){ account_at, &wanted }, " and ", 512),
			       wanted.user);
		/* a user may have associations for single partitions and one for all; the one for
		 * --partition is wanted, or without it the one for all */
		if (found == EXPLAIN_NONE ||
		    !snapshot_partition(snapshot, node) == !wanted.partition)
			found = node;
	}
	if (found == EXPLAIN_NONE && account == EXPLAIN_NONE)
		refuse_user(&wanted, word, options->is_of_caller);
	if (found != EXPLAIN_NONE && account != EXPLAIN_NONE)
		remark("%s: is taken as the user; account:%s is the account", word, word);
	return found != EXPLAIN_NONE ? found : account;
}

/* Returns the node that a word names: "ann", "physics/ann", "physics", "user:ann" or
 * "account:physics". A name that is both is the user's. Refuses unknown names. */
static size_t find_named(const struct explain_source *source,
			 const struct explain_options *options, const char *word)
{
	static const char user[] = "user:", account[] = "account:";
	const bool ignores_case = true;
	struct suggestion near = { 0 };
	size_t found;

	if (!strncmp(word, user, strlen(user)))
		return find_user(source, options, word + strlen(user), EXPLAIN_NONE);
	if (strncmp(word, account, strlen(account)))
		return find_user(source, options, word, find_account(source, word));
	near.word = word + strlen(account);
	near.length = strlen(near.word);
	found = find_account(source, near.word);
	names_have((struct name_list){ name_at, source }, ignores_case, &near);
	if (found == EXPLAIN_NONE)
		refuse_unknown(&near, "%s: is no account of %s", word, source->name);
	return found;
}

/* Refuses a pair whose order means nothing: the same node twice, a user and an account, an account
 * and one below it, or an account that the policy does not compare. */
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
		       options->who[is_account], options->who[!is_account]);
	for (size_t i = 0; i < 2; i++)
		if (tree_is_below(tree, node[i], node[!i]))
			refuse("account %s is below account %s, must be two of which none is below "
			       "the other", snapshot_name(snapshot_of(source), node[i]),
			       snapshot_name(snapshot_of(source), node[!i]));
	for (size_t i = 0; is_account && i < 2; i++)
		if (fathom_tree_raw_shares(tree, node[i]) == FATHOM_SHARES_PARENT)
			refuse("account %s has the shares \"parent\", so that its members compete "
			       "with those of account %s; must be two accounts with shares of "
			       "their own", snapshot_name(snapshot_of(source), node[i]),
			       snapshot_name(snapshot_of(source),
					     fathom_tree_fs_parent(tree, node[i])));
}

/* ---- nodes ------------------------------------------------------------------------------- */

void explain_who_find_nodes(struct explain_source *source, const struct explain_options *options)
{
	struct explain_question *question = &source->question;

	question->node[0] = question->node[1] = EXPLAIN_NONE;
	if (!question->tree)
		return;
	for (size_t i = 0; i < question->count; i++)
		if (question->list)
			question->node[i] = job_associations_search(
				snapshot_of(source), &source->list.row[question->row[i]]);
		else
			question->node[i] = find_named(source, options, options->who[i]);
	if (!question->list && question->count == 2)
		check_pair(source, options, question->node);
}
