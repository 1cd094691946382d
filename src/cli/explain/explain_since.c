/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * explain --since: compares figures of now with those of a day of the HistoryFile. A factor depends
 * on the nodes of its path, from the user up to the root, and on their levels, with which they
 * share; only these are compared. For ann of account a, beside bob, below the root with account b:
 * ann, bob, a and b.
 */
#include "cli/explain/explain_sentences.h"

#include "cli/history/history_input.h"
#include "cli/print_table.h"
#include "json/json.h"
#include "memory/need_names.h"

#include <stdlib.h>

#define MOST_SHOWN 8	/* nodes of the table whose usage grew */

struct since {
	const struct explain_source *source;
	const struct evaluated_tree *now;
	size_t node;			/* the user or account that the question is about */
	struct history_rows then;	/* all rows of that day; at least one */
	/* For each compared node its row of that day; NULL: it is new, or not compared. */
	const struct history_row **row;
	size_t *compared;		/* the nodes of the path but the root, and of their levels;
					 * explain_since() sorts them, most growth of usage first */
	size_t count;			/* number of compared nodes */
	bool in_hours;			/* usage is shown in hours, else in seconds */
};

/* ---- the day ----------------------------------------------------------------------------- */

/* Reads the rows of the first day of the history since the time of --since; if there is no such
 * day, those of the last day before. Refuses a history without a day. */
static void read_day(struct since *since, const struct explain_options *options)
{
	const bool may_write = false;
	struct history_input input = history_input_open(options->history, may_write);
	struct history_filter filter = { .from = INT64_MIN, .until = INT64_MAX, .last_only = true };
	int64_t first, last;
	size_t count;	/* of days since then */
	struct fathom_error error;

	if (history_span(input.history, options->since, INT64_MAX, &first, &last, &count, &error))
		history_input_wrong(&input, &error);
	if (count)	/* last_only: of all days before `until` only the last */
		filter.until = first + 1;
	history_input_read(&input, &filter, &since->then);
	if (!since->then.count)
		refuse("--since: %s has no day yet", input.name);
}

/* Sets since->row: finds the row of each compared node by its names, as ids may have changed. */
static void find_rows(struct since *since)
{
	const struct snapshot *snapshot = since->now->snapshot;
	struct name_index *index = need_index();

	for (size_t i = 0; i < since->then.count; i++) {
		const struct history_row *row = &since->then.row[i];

		need_put(index, history_key_of(row->account, row->user, row->partition), i);
	}
	since->row = need_zeros(fathom_tree_count(snapshot->tree), sizeof(*since->row));
	for (size_t i = 0; i < since->count; i++) {
		size_t node = since->compared[i];
		size_t found = name_index_get(index, history_key_of_node(snapshot, node));

		since->row[node] = found == NAME_INDEX_NONE ? NULL : &since->then.row[found];
	}
}

/* Sets since->compared: the path but the root, and its nodes' levels, see fathom_tree_fs_parent();
 * no hidden nodes. Users come before the accounts above them. */
static void find_compared(struct since *since)
{
	const struct fathom_tree *tree = since->now->snapshot->tree;
	size_t count = fathom_tree_count(tree);
	bool *is_parent = need_zeros(count, sizeof(*is_parent));	/* of a compared level */

	for (size_t node = since->node; node; node = fathom_tree_fs_parent(tree, node))
		is_parent[fathom_tree_fs_parent(tree, node)] = true;
	since->compared = need_zeros(count, sizeof(*since->compared));
	for (size_t node = count - 1; node; node--)
		if (is_parent[fathom_tree_fs_parent(tree, node)] &&
		    !explain_is_hidden(&since->source->tree, node))
			since->compared[since->count++] = node;
}

/* ---- changes ----------------------------------------------------------------------------- */

/* Returns a node's usage of now, in seconds. */
static double usage_of(const struct since *since, size_t node)
{
	return since->now->columns.usage[node];
}

/* Returns by how much a node's usage is more than on that day; a new node had no usage. */
static double growth_of(const struct since *since, size_t node)
{
	return usage_of(since, node) - (since->row[node] ? since->row[node]->raw_usage : 0);
}

/* Returns a node's raw shares of now. NAN: FairShare=parent, as in a row of the history. */
static double shares_of(const struct since *since, size_t node)
{
	uint32_t shares = fathom_tree_raw_shares(since->now->snapshot->tree, node);

	return shares == FATHOM_SHARES_PARENT ? NAN : (double)shares;
}

/* Returns whether a node's raw shares are others than on that day. */
static bool is_edited(const struct since *since, size_t node)
{
	const struct history_row *row = since->row[node];
	double shares = shares_of(since, node);

	return row && !(row->raw_shares == shares || (isnan(row->raw_shares) && isnan(shares)));
}

/* For qsort_r(): the node whose usage grew most comes first. context: the struct since. */
static int compare_growth(const void *a, const void *b, void *context)
{
	double left = growth_of(context, *(const size_t *)a);
	double right = growth_of(context, *(const size_t *)b);

	return (left < right) - (left > right);
}

/* ---- words ------------------------------------------------------------------------------- */

/* Each function returns a text: a sentence, or a part of one. */

/* "3", or "parent" for NAN */
static const char *say_shares(double shares)
{
	return isnan(shares) ? "parent" : say_count(shares);
}

/* "2026-01-31 00:00", local time; time: seconds since 1970 */
static const char *say_day(int64_t time)
{
	return need_date((double)time, "%F %H:%M");
}

/* Says the effective usage then and now: of an account, to which some policies give no factor. row:
 * the node's, of that day. */
static const char *say_effective_usage(const struct since *since, const struct history_row *row)
{
	double now = since->now->columns.effective_usage[since->node];
	int digits = said_digits(say_digits, row->effective_usage, now);

	return need_print("On %s the effective usage of %s was %s, and it is %s now; its share is "
			  "%s.", say_day(row->time), name_in(since->now->snapshot, since->node),
			  say_digits(row->effective_usage, digits),
			  say_digits(now, digits),
			  say_number(since->now->columns.norm_shares[since->node]));
}

/* "On 2026-01-31 00:00 the fair-share factor of ann in account a was 0.4, and it is 0.3 now. It was
 * the 2nd of 9 users, and is the 5th of 9." */
static const char *say_factors(const struct since *since)
{
	const struct history_row *row = since->row[since->node];
	double now = since->now->columns.factor[since->node], rank = since->now->rank[since->node];
	int digits = row ? said_digits(say_factor, row->factor, now) : USUAL_DIGITS;
	const char *who = name_in(since->now->snapshot, since->node), *text;

	if (!row)
		return need_print("On %s %s was not there yet.",
				  say_day(since->then.row->time), who);
	if (isnan(now) || isnan(row->factor))
		return say_effective_usage(since, row);
	text = need_print("On %s the fair-share factor of %s was %s, and it is %s now.",
			  say_day(row->time), who, say_factor(row->factor, digits),
			  say_factor(now, digits));
	if (!row->rank || isnan(rank))
		return text;
	return need_print("%s It was the %s of %lld users, and is the %s of %zu.", text,
			  say_ordinal((size_t)row->rank), (long long)row->of,
			  say_ordinal((size_t)rank),
			  fathom_tree_user_count(since->now->snapshot->tree));
}

/* "\nThe policy was classic then, and is fair-tree now."; "" if it is the same. */
static const char *say_policies(const struct since *since)
{
	const char *then = since->then.row->policy;
	const char *now = fathom_policy_name(since->now->policy);

	return strcmp(then, now) ? need_print("\nThe policy was %s then, and is %s now.", then, now)
				 : "";
}

/* "Shares were edited: those of account a from 1 to 2, those of account b from 3 to 2." */
static const char *say_edits(const struct since *since)
{
	const char *text = "";

	for (size_t i = 0; i < since->count; i++) {
		size_t node = since->compared[i];

		if (is_edited(since, node))
			text = need_print("%s%s of %s from %s to %s", text, *text ? ", those" : "",
					  name_in(since->now->snapshot, node),
					  say_shares(since->row[node]->raw_shares),
					  say_shares(shares_of(since, node)));
	}
	if (!*text)
		return "No shares on its path were edited.";
	/* the first one begins with a blank */
	return need_print("Shares were edited: those %s.", text + strspn(text, " "));
}

/* Says whose usage grew most of the compared nodes, which are sorted by growth. */
static const char *say_growth(const struct since *since)
{
	size_t most = since->compared[0];

	if (!(growth_of(since, most) > 0))
		return "Nobody's usage grew on its path: what was used decays.";
	return need_print("The usage of %s grew most on its path, by %s %s.",
			  name_in(since->now->snapshot, most),
			  say_usage(growth_of(since, most), since->in_hours),
			  since->in_hours ? "hours" : "seconds");
}

/* ---- the table --------------------------------------------------------------------------- */

/* Puts two cells, such as those of then and now. */
static void put_pair(struct text_table *table, const char *then, const char *now)
{
	text_table_put(table, then);
	text_table_put(table, now);
}

/* Puts the row of a node; a new node's cells of then are empty. */
static void put_row(const struct since *since, struct text_table *table, size_t node)
{
	const struct history_row *row = since->row[node];
	bool is_user = fathom_tree_kind(since->now->snapshot->tree, node) == FATHOM_USER;
	double factor = since->now->columns.factor[node], factor_then = row ? row->factor : NAN;

	put_pair(table, snapshot_account(since->now->snapshot, node),
		 is_user ? snapshot_name(since->now->snapshot, node) : "");
	put_pair(table, row ? say_shares(row->raw_shares) : "", say_shares(shares_of(since, node)));
	put_pair(table, row ? say_usage(row->raw_usage, since->in_hours) : "",
		 say_usage(usage_of(since, node), since->in_hours));
	put_known(table, factor_then, say_factor(factor_then, USUAL_DIGITS));
	put_known(table, factor, say_factor(factor, USUAL_DIGITS));
}

/* Returns whether a compared node is the question's node or above it. */
static bool is_on_path(const struct since *since, size_t node)
{
	return tree_is_below(since->now->snapshot->tree, since->node, node);
}

/* Prints the table of compared nodes: those of the path, those whose shares were edited, and up to
 * MOST_SHOWN whose usage grew most. */
static void print_since_table(const struct since *since)
{
	struct text_table table = { .count = 0 };
	const char *unit = since->in_hours ? "-h" : "-s";

	text_table_add_column(&table, "Account")->shrinks = true;
	text_table_add_column(&table, "User")->shrinks = true;
	text_table_add_number(&table, "OldShares");
	text_table_add_number(&table, "Shares");
	text_table_add_number(&table, need_print("OldUsage%s", unit));
	text_table_add_number(&table, need_print("Usage%s", unit));
	text_table_add_number(&table, "OldFairShare");
	text_table_add_number(&table, "FairShare");
	for (size_t i = 0; i < since->count; i++) {
		size_t node = since->compared[i];

		if (is_on_path(since, node) || is_edited(since, node) ||
		    (i < MOST_SHOWN && growth_of(since, node) > 0))
			put_row(since, &table, node);
	}
	printf("\n");
	print_table(text_table_finish(&table));
}

/* ---- JSON -------------------------------------------------------------------------------- */

/* Writes a key with raw shares. shares: NAN: "parent". */
static void put_shares_key(const char *key, double shares)
{
	if (isnan(shares))
		json_put_text_key(stdout, key, "parent");
	else
		json_put_number_key(stdout, key, shares);
}

/* Writes a compared node, then and now, as an object. */
static void put_json_row(const struct since *since, size_t node)
{
	const struct snapshot *snapshot = since->now->snapshot;
	const struct history_row *row = since->row[node];
	bool is_user = fathom_tree_kind(snapshot->tree, node) == FATHOM_USER;

	json_print(stdout, "{\"account\": %s, \"user\": %s, \"partition\": %s",
		   snapshot_account(snapshot, node), is_user ? snapshot_name(snapshot, node) : NULL,
		   snapshot_partition(snapshot, node));
	json_put(stdout, is_on_path(since, node) ? ", \"on_path\": true" : ", \"on_path\": false");
	if (row)
		put_shares_key("raw_shares_then", row->raw_shares);
	put_shares_key("raw_shares", shares_of(since, node));
	json_print(stdout, ", \"raw_usage_then\": %g, \"raw_usage\": %g, \"factor_then\": %g, "
		   "\"factor\": %g}", row ? row->raw_usage : NAN, usage_of(since, node),
		   row ? row->factor : NAN, since->now->columns.factor[node]);
}

/* Prints all compared nodes as JSON. */
static void print_since_json(const struct since *since)
{
	json_begin(stdout, "fathom-explain-since", 1);
	json_print(stdout, ",\n \"since\": %lld", (long long)since->then.row->time);
	json_put_instant_key(stdout, "since_iso", (double)since->then.row->time);
	json_print(stdout, ",\n \"policy_then\": %s, \"policy\": %s,\n \"compared\": [",
		   since->then.row->policy, fathom_policy_name(since->now->policy));
	for (size_t i = 0; i < since->count; i++) {
		json_put(stdout, i ? ",\n  " : "\n  ");
		put_json_row(since, since->compared[i]);
	}
	json_put(stdout, "]}\n");
}

/* ---- all --------------------------------------------------------------------------------- */

void explain_since(const struct explain_options *options, const struct explain_source *source)
{
	struct since since = { .source = source, .now = &source->evaluated,
			       .node = source->question.node[0],
			       .in_hours = options->units != UNITS_BILLING };

	if (!since.node)
		refuse("--since: is about the root, must be about a user or an account below it");
	read_day(&since, options);
	find_compared(&since);
	find_rows(&since);
	qsort_r(since.compared, since.count, sizeof(*since.compared), compare_growth, &since);
	if (options->json) {
		print_since_json(&since);
		return;
	}
	print_sentences(need_print("%s%s\n%s\n%s", say_factors(&since), say_policies(&since),
				   say_edits(&since), say_growth(&since)));
	print_since_table(&since);
}
