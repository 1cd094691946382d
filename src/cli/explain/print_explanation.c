/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints an explanation as text: sentences, then the tables that show the same in numbers, such as
 * the terms of a job, the values of a formula, and the path of a user. */
#include "cli/explain/explain_command.h"

#include "cli/print_table.h"
#include "core/utf8.h"

#define INPUT_DIGITS 6	/* of values in a formula */
#define LINE_WIDTH 72	/* of sentences, which are read as text; tables are wider */

void put_known(struct text_table *table, double number, const char *said)
{
	text_table_put(table, isnan(number) ? "" : said);
}

/* Adds a column of numbers with the heading "Job 7". */
static void add_job(struct text_table *table, const struct job_row *row)
{
	char heading[32];

	snprintf(heading, sizeof(heading), "Job %lld", (long long)row->id);
	text_table_add_number(table, heading)->missing = "-";
}

/* Prints a table behind an empty line; nothing if it has no rows. */
static void print_if_any(struct text_table *table)
{
	if (!table->count)
		return;
	putchar('\n');
	print_table(text_table_finish(table));
}

/* ---- terms ------------------------------------------------------------------------------- */

/* Returns whether the table has term number i: whether one of the jobs has known points for it, and
 * the term has a weight. The site factor and nice have no setting for a weight, so that their
 * points must not be 0. */
static bool shows_term(const struct explained *explained, size_t i)
{
	for (size_t job = 0; job < explained->question->count; job++) {
		const struct explained_term *term = &explained->one[job].terms[i];
		bool has_no_weight = !strcmp(term->key, "site") || !strcmp(term->key, "nice");

		if (!isnan(term->points) &&
		    (has_no_weight ? term->points != 0 : term->weight != 0))
			return true;
	}
	return false;
}

/* Adds the columns for one job, or for two beside each other. */
static void add_term_columns(struct text_table *table, const struct explain_question *question)
{
	text_table_add_column(table, "Term");
	if (question->count == 2) {
		add_job(table, &question->list->row[question->row[0]]);
		add_job(table, &question->list->row[question->row[1]]);
		text_table_add_number(table, "Difference");
		return;
	}
	text_table_add_number(table, "Factor");
	text_table_add_number(table, "Weight");
	text_table_add_number(table, "Points")->missing = "-";
	text_table_add_number(table, "Part");
}

/* Prints the terms of a job, or those of two beside each other. */
static void print_terms(const struct explained *explained)
{
	struct text_table table = { .count = 0 };

	add_term_columns(&table, explained->question);
	for (size_t i = 0; i < explained->term_count; i++) {
		const struct explained_term *who = &explained->one[0].terms[i];
		/* of the second job; of a single job, its own */
		const struct explained_term *whom =
			&explained->one[explained->question->count - 1].terms[i];

		if (!shows_term(explained, i))
			continue;
		text_table_put(&table, explain_term_name(who));
		if (explained->question->count == 2) {
			put_known(&table, who->points, say_count(who->points));
			put_known(&table, whom->points, say_count(whom->points));
			text_table_put(&table, say_count(who->points - whom->points));
			continue;
		}
		text_table_put(&table, say_number(who->value));
		text_table_put(&table, say_count(who->weight));
		put_known(&table, who->points, say_count(who->points));
		text_table_put(&table, say_percent(who->share));
	}
	print_if_any(&table);
}

/* ---- formulas --------------------------------------------------------------------------- */

/* Prints the values of the formula's names for each job; question->formula_values must be set. */
static void print_inputs(const struct explain_answer *answer)
{
	struct text_table table = { .count = 0 };

	text_table_add_column(&table, "Name");
	for (size_t i = 0; i < answer->question->count; i++)
		add_job(&table, explain_formula_row(answer, i));
	for (size_t input = 0; input < answer->question->formula_values->input_count; input++) {
		text_table_put(&table, answer->question->formula_values->input_name[input]);
		for (size_t i = 0; i < answer->question->count; i++) {
			double value = explain_formula_row(answer, i)->input[input];

			put_known(&table, value, say_digits(value, INPUT_DIGITS));
		}
	}
	print_if_any(&table);
}

/* ---- paths ---------------------------------------------------------------------------------- */

/* Puts account, user and raw shares of a node; the root has no shares. */
static void put_names(struct text_table *table, const struct snapshot *snapshot, size_t node)
{
	uint32_t shares = fathom_tree_raw_shares(snapshot->tree, node);
	bool is_user = fathom_tree_kind(snapshot->tree, node) == FATHOM_USER;

	text_table_put(table, snapshot_account(snapshot, node));
	text_table_put(table, is_user ? snapshot_name(snapshot, node) : "");
	if (!node)
		text_table_put(table, "");
	else if (shares == FATHOM_SHARES_PARENT)
		text_table_put(table, "parent");
	else
		text_table_put(table, say_count(shares));
}

double explain_shown_usage(const struct explained_tree *view, size_t node)
{
	const struct policy_comparison *comparison = explain_comparison(view);
	const struct json_columns *columns = &view->tree->columns;
	bool is_plain = !comparison || comparison->figure == FIGURE_PLAIN;

	return (is_plain ? columns->norm_usage : columns->effective_usage)[node];
}

/* Puts the cells of a node. shown: the columns of --units; NULL: there are no such columns. */
static void put_node(struct text_table *table, const struct explained_tree *view,
		     const struct shown_usage *shown, size_t node)
{
	const struct policy_comparison *comparison = explain_comparison(view);
	const struct json_columns *columns = &view->tree->columns;
	double usage = explain_shown_usage(view, node);
	/* the root has no siblings to be compared with */
	double figure = comparison && node ? explain_figure(view, node) : NAN;

	put_names(table, view->tree->snapshot, node);
	put_known(table, columns->norm_shares[node], say_percent(columns->norm_shares[node]));
	put_known(table, usage, say_percent(usage));
	if (shown)
		shown_usage_put(shown, table, node);
	put_known(table, columns->factor[node], say_factor(columns->factor[node], USUAL_DIGITS));
	if (comparison)
		put_known(table, figure, say_number(figure));
}

/* Returns how many nodes two paths share, from the root on. */
static size_t count_shared(const struct explained_path *one, const struct explained_path *other)
{
	size_t count = 0;

	while (count < one->count && count < other->count && one->node[count] == other->node[count])
		count++;
	return count;
}

/* Adds the columns of put_node(), in its order. */
static void add_path_columns(struct text_table *table, const struct explained_tree *tree,
			     const struct shown_usage *shown)
{
	text_table_add_column(table, "Account")->shrinks = true;
	text_table_add_column(table, "User")->shrinks = true;
	text_table_add_number(table, "RawShares");
	text_table_add_number(table, "Share");
	text_table_add_number(table, "Usage");
	if (shown)
		shown_usage_add_columns(shown, table);
	text_table_add_number(table, "FairShare");
	if (explain_comparison(tree))
		text_table_add_number(table, explain_comparison(tree)->name);
}

/* Prints the nodes from the root to who and to whom. The nodes that both paths share are printed
 * once. */
static void print_paths(const struct explain_answer *answer)
{
	const struct explained *explained = answer->explained;
	const struct explained_path *who = &explained->one[0].path, *whom = &explained->one[1].path;
	const struct explained_tree *tree = explained->question->tree;
	struct text_table table = { .count = 0 };
	struct shown_usage usage = shown_usage_create(answer->source, answer->units);
	const struct shown_usage *shown = answer->units == UNITS_COUNT ? NULL : &usage;

	if (!who->count && !whom->count)
		return;
	/* the usage of a path's first node includes that of all nodes below */
	if (who->count)
		shown_usage_add_node(&usage, who->node[0]);
	if (whom->count)
		shown_usage_add_node(&usage, whom->node[0]);
	add_path_columns(&table, tree, shown);
	for (size_t i = 0; i < who->count; i++)
		put_node(&table, tree, shown, who->node[i]);
	for (size_t i = count_shared(who, whom); i < whom->count; i++)
		put_node(&table, tree, shown, whom->node[i]);
	print_if_any(&table);
}

/* ---- sentences ------------------------------------------------------------------------------ */

/* Prints a paragraph, broken at blanks; changes the text. Names in files may have escape sequences,
 * which must not reach the terminal. */
static void print_broken(char *text)
{
	size_t column = 0;	/* bytes on the line */

	utf8_make_plain(text);
	while (*text) {
		size_t word = strcspn(text, " ");

		if (column && column + 1 + word > LINE_WIDTH) {
			putchar('\n');
			column = 0;
		}
		column += (size_t)printf("%s%.*s", column ? " " : "", (int)word, text);
		text += word + strspn(text + word, " ");
	}
	putchar('\n');
}

void print_sentences(char *text)
{
	char *line;

	while ((line = strsep(&text, "\n")))
		print_broken(line);
}

/* ---- all ------------------------------------------------------------------------------------ */

void print_explanation(const struct explain_answer *answer)
{
	print_sentences(explain_text(answer, "\n"));
	if (answer->question->formula_values && !answer->has_recovery)
		print_inputs(answer);
	else if (answer->question->list && !answer->question->list->formula &&
		 !answer->has_recovery)
		print_terms(answer->explained);
	print_paths(answer);
}
