/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the overview: the caller's accounts, jobs, and what the caller can do, on one screen. */
#include "cli/explain/explain_command.h"

#include "cli/print_table.h"
#include "core/plural.h"

#define REASON_WIDTH 44	/* columns that 80 leave for it beside the others */

/* ---- accounts ---------------------------------------------------------------------------- */

/* Puts "2nd of 9"; an empty cell if the rank is not known. */
static void put_rank(struct text_table *table, const struct explained_place *place)
{
	text_table_put(table, !place->rank ? ""
			      : need_print("%s of %s", say_ordinal(place->rank),
					   say_count((double)place->of)));
}

/* Sets a node's part of all shares and of all usage, 0 to 1. Where others' usage counts, it is that
 * which counts. NAN: not known. */
static void find_parts(const struct explained_tree *view, size_t node, double *share, double *usage)
{
	const struct json_columns *columns = &view->tree->columns;
	const struct policy_comparison *comparison = explain_comparison(view);

	*share = columns->norm_shares[node];
	*usage = explain_shown_usage(view, node);
	/* the policy's columns have parts of the siblings' */
	if (comparison && comparison->figure == FIGURE_INVERSE_RATIO) {
		*share = view->is_partial ? NAN :
			 fathom_tree_norm_shares(view->tree->snapshot->tree, node);
		*usage = columns->norm_usage[node];
	}
}

/* Puts the row of the caller's i-th account. */
static void put_account(struct text_table *table, const struct explain_overview *overview,
			const struct shown_usage *shown, size_t i)
{
	const struct explained_one *one = &overview->account[i];
	const struct evaluated_tree *tree = overview->source->tree.tree;
	const char *account = snapshot_account(tree->snapshot, one->node);
	const char *partition = snapshot_partition(tree->snapshot, one->node);
	double share, usage, factor = tree->columns.factor[one->node];

	find_parts(&overview->source->tree, one->node, &share, &usage);
	text_table_put(table, partition ? need_print("%s (%s)", account, partition) : account);
	put_known(table, share, say_percent(share));
	put_known(table, usage, say_percent(usage));
	shown_usage_put(shown, table, one->node);
	put_known(table, factor, say_factor(factor, USUAL_DIGITS));
	put_rank(table, &one->place);
}

/* Prints the table of the caller's accounts. */
static void print_accounts(const struct explain_overview *overview, int units)
{
	struct text_table table = { .count = 0 };
	struct shown_usage shown = shown_usage_create(overview->source, units);

	for (size_t i = 0; i < overview->explained; i++)
		shown_usage_add_node(&shown, overview->account[i].node);
	text_table_add_column(&table, "Account")->shrinks = true;
	text_table_add_number(&table, "Share")->missing = "-";
	text_table_add_number(&table, "Usage")->missing = "-";
	shown_usage_add_columns(&shown, &table);
	text_table_add_number(&table, "FairShare")->missing = "-";
	text_table_add_number(&table, "Rank")->missing = "-";
	for (size_t i = 0; i < overview->explained; i++)
		put_account(&table, overview, &shown, i);
	print_table(text_table_finish(&table));
	if (overview->association_count > overview->explained)
		printf("and %zu more: fathom shares -u %s\n",
		       overview->association_count - overview->explained, overview->user);
}

/* ---- jobs -------------------------------------------------------------------------------- */

/* Returns why a job cannot start yet; NULL: it waits for its turn. */
static const char *reason_of(const struct job_row *row)
{
	return row->own_hold	? row->own_hold
	       : row->reason	? row->reason
	       : row->is_held	? "is held"
	       : row->depends	? "waits for other jobs"
				: NULL;
}

/* Puts why a job waits, cut to REASON_WIDTH bytes. A detail, behind a colon, is left out. */
static void put_reason(struct text_table *table, const struct job_row *row)
{
	const char *known = reason_of(row), *reason = known ? known : "waits for its turn";
	const char *colon = strstr(reason, ": ");
	size_t length = colon ? (size_t)(colon - reason) : strlen(reason);
	bool fits = length <= REASON_WIDTH;

	text_table_put(table, need_print("%.*s%s", (int)(fits ? length : REASON_WIDTH - 3), reason,
					 fits ? "" : "..."));
}

/* Returns the row of the i-th explained one. */
static const struct job_row *row_at(const struct explain_overview *overview, size_t i)
{
	return &overview->source->list.row[overview->job[i].row];
}

/* Returns of how many jobs rows are shown; a job may have several rows. */
static size_t count_shown(const struct explain_overview *overview)
{
	size_t count = 0;

	for (size_t i = 0; i < overview->ranked; i++) {
		size_t first = 0;

		while (row_at(overview, first)->id != row_at(overview, i)->id)
			first++;
		count += first == i;
	}
	return count;
}

/* Prints how many of the caller's jobs run and wait, and the table of those that wait. */
static void print_jobs(const struct explain_overview *overview)
{
	struct text_table table = { .count = 0 };

	if (!overview->source->question.list)
		return;
	putchar('\n');
	if (overview->source->live || overview->source->input.is_of_snapshot)
		printf("%zu job%s of yours run%s, %zu wait%s.\n", overview->running,
		       PLURAL(overview->running), overview->running == 1 ? "s" : "",
		       overview->job_count, overview->job_count == 1 ? "s" : "");
	else
		printf("%zu job%s of yours wait%s.\n", overview->job_count,
		       PLURAL(overview->job_count), overview->job_count == 1 ? "s" : "");
	if (!overview->job_count)
		return;
	text_table_add_number(&table, "Job");
	text_table_add_column(&table, "Partition");
	text_table_add_column(&table, "Account")->shrinks = true;
	text_table_add_number(&table, "Rank")->missing = "-";
	text_table_add_column(&table, "Why");
	for (size_t i = 0; i < overview->ranked; i++) {
		const struct job_row *row = row_at(overview, i);

		text_table_put(&table, need_print("%lld", (long long)row->id));
		text_table_put(&table, row->partition ? row->partition : "");
		text_table_put(&table, row->account ? row->account : "");
		put_rank(&table, &overview->job[i].job_place);
		put_reason(&table, row);
	}
	print_table(text_table_finish(&table));
	if (overview->job_count > count_shown(overview))
		printf("and %zu more: fathom prio -u %s\n",
		       overview->job_count - count_shown(overview), overview->user);
}

/* ---- advice ------------------------------------------------------------------------------ */

/* Returns the first of the rows shown whose job waits for its turn; NULL: there is none. */
static const struct job_row *find_waiting(const struct explain_overview *overview)
{
	for (size_t i = 0; i < overview->ranked; i++)
		if (!reason_of(row_at(overview, i)))
			return row_at(overview, i);
	return NULL;
}

/* Prints what the caller can do; nothing if no advice is known and no job waits for its turn. */
static void print_advice(const struct explain_overview *overview)
{
	struct explained advised = overview->advised;
	const struct explain_answer answer = {
		.policy = overview->source->tree.tree->policy,
		.explained = &advised, .question = advised.question,
		.tree = advised.question->tree,
	};
	char *advice;
	const struct job_row *waiting = find_waiting(overview);
	bool has_advice;

	/* a reset of usage that does not put the caller forward is no advice */
	if (isnan(advised.wait))
		advised.reset = 0;
	advice = explain_advice_text(&answer, "\n");
	has_advice = *advice;
	if (has_advice || waiting)
		puts("\nWhat you can do:");
	if (has_advice)
		print_sentences(advice + 1);	/* behind the first line end */
	if (waiting)
		print_sentences(need_print("A shorter time limit may let a job start earlier: "
					   "fathom start %lld says when.",
					   (long long)waiting->id));
}

void print_overview(const struct explain_overview *overview, int units)
{
	const struct explain_source *source = overview->source;
	const char *hidden = source->tree.is_partial || source->list.hides_jobs
				     ? " PrivateData hides others: ranks are not known." : "";
	char *heading = need_print("You are %s, in %zu account%s of %s, under policy %s.%s",
				   overview->user, overview->account_count,
				   PLURAL(overview->account_count), source->name,
				   fathom_policy_name(source->tree.tree->policy), hidden);

	print_sentences(heading);
	putchar('\n');
	print_accounts(overview, units);
	print_jobs(overview);
	print_advice(overview);
}
