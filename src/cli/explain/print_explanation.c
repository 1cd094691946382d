/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints an explanation for readers: sentences, a line each, then the tables that show the same in
 * numbers. */
#include "cli/complain.h"
#include "cli/explain/explain_answer.h"
#include "cli/explain/said_numbers.h"
#include "cli/print_table.h"
#include "core/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INPUT_DIGITS 6	/* of values in a formula */
#define LINE_WIDTH 72	/* of sentences, which are read as text; tables are wider */

static const char *keep(char *buffer, struct said said)
{
	snprintf(buffer, CELL_SIZE, "%s", said.text);
	return buffer;
}

static int draw(struct table *table)
{
	struct fathom_error error;

	putchar('\n');
	return print_table(table, &error) ? complain("%s", error.text) : 0;
}

/* ---- terms ------------------------------------------------------------------------------- */

struct term_table {
	const struct explained *explained;
	size_t *term;		/* by row: index of the term */
	char heading[2][32];
};

static const struct explained_term *term_at(const struct term_table *shown, size_t one, size_t row)
{
	return &shown->explained->one[one].terms[shown->term[row]];
}

static const char *term_text(const void *context, const struct table_column *column, size_t row,
			     char *buffer)
{
	(void)column, (void)buffer;
	return explain_term_name(term_at(context, 0, row));
}

static const char *value_text(const void *context, const struct table_column *column, size_t row,
			      char *buffer)
{
	(void)column;
	return keep(buffer, say_number(term_at(context, 0, row)->value));
}

static const char *weight_text(const void *context, const struct table_column *column, size_t row,
			       char *buffer)
{
	(void)column;
	return keep(buffer, say_count(term_at(context, 0, row)->weight));
}

static const char *points_text(const void *context, const struct table_column *column, size_t row,
			       char *buffer)
{
	double points = term_at(context, column->detail, row)->points;

	return isnan(points) ? "" : keep(buffer, say_count(points));
}

static const char *share_text(const void *context, const struct table_column *column, size_t row,
			      char *buffer)
{
	(void)column;
	return keep(buffer, say_percent(term_at(context, 0, row)->share));
}

static const char *difference_text(const void *context, const struct table_column *column,
				   size_t row, char *buffer)
{
	(void)column;
	return keep(buffer, say_count(term_at(context, 0, row)->points -
				      term_at(context, 1, row)->points));
}

/* Terms that have no weight, or nothing to add, are left out. */
static bool shows_term(const struct explained *explained, size_t i)
{
	for (size_t one = 0; one < explained->question->count; one++) {
		const struct explained_term *term = &explained->one[one].terms[i];
		bool is_plain = !strcmp(term->key, "site") || !strcmp(term->key, "nice");

		if (is_plain ? term->points != 0 : term->weight != 0)
			return true;
	}
	return false;
}

static const struct table_column single_columns[] = {
	{ .heading = "Term", .text = term_text },
	{ .heading = "Factor", .text = value_text, .right = true },
	{ .heading = "Weight", .text = weight_text, .right = true },
	{ .heading = "Points", .text = points_text, .right = true, .missing = "-" },
	{ .heading = "Part", .text = share_text, .right = true },
};

static const struct table_column pair_columns[] = {
	{ .heading = "Term", .text = term_text },
	{ .heading = "who", .text = points_text, .right = true, .detail = 0, .missing = "-" },
	{ .heading = "whom", .text = points_text, .right = true, .detail = 1, .missing = "-" },
	{ .heading = "Difference", .text = difference_text, .right = true },
};

static void set_headings(struct term_table *shown, struct table *table)
{
	const struct explain_question *question = shown->explained->question;

	for (size_t i = 0; i < 2; i++) {
		snprintf(shown->heading[i], sizeof(shown->heading[i]), "Job %lld",
			 (long long)question->list->row[question->row[i]].id);
		table->column[1 + i].heading = shown->heading[i];
	}
}

static int print_terms(const struct explained *explained, size_t *terms)
{
	struct term_table shown = { .explained = explained, .term = terms };
	struct table table = { .context = &shown, .has_header = true };
	bool is_pair = explained->question->count == 2;
	const struct table_column *columns = is_pair ? pair_columns : single_columns;

	for (size_t i = 0; i < explained->term_count; i++)
		if (shows_term(explained, i))
			terms[table.row_count++] = i;
	table.column_count = is_pair ? sizeof(pair_columns) / sizeof(*pair_columns) :
				       sizeof(single_columns) / sizeof(*single_columns);
	memcpy(table.column, columns, table.column_count * sizeof(*columns));
	if (is_pair)
		set_headings(&shown, &table);
	return table.row_count ? draw(&table) : 0;
}

/* ---- formulas --------------------------------------------------------------------------- */

struct input_table {
	const struct job_list *list;
	const struct job_row *row[2];
	char heading[2][32];
};

static const char *input_name_text(const void *context, const struct table_column *column,
				   size_t row, char *buffer)
{
	const struct input_table *shown = context;

	(void)column, (void)buffer;
	return shown->list->input_name[row];
}

static const char *input_text(const void *context, const struct table_column *column, size_t row,
			      char *buffer)
{
	const struct input_table *shown = context;
	double value = shown->row[column->detail]->input[row];

	return isnan(value) ? "" : keep(buffer, say_digits(value, INPUT_DIGITS));
}

static int print_inputs(const struct explain_answer *answer)
{
	const struct explain_question *question = answer->explained->question;
	struct input_table shown = { .list = question->formula };
	struct table table = { .context = &shown, .has_header = true,
			       .row_count = question->formula->input_count };

	table.column[table.column_count++] =
		(struct table_column){ .heading = "Name", .text = input_name_text };
	for (size_t i = 0; i < question->count; i++) {
		shown.row[i] = explain_formula_row(answer, i);
		snprintf(shown.heading[i], sizeof(shown.heading[i]), "Job %lld",
			 (long long)shown.row[i]->id);
		table.column[table.column_count++] = (struct table_column){
			.heading = shown.heading[i], .text = input_text, .right = true,
			.detail = i, .missing = "-" };
	}
	return table.row_count ? draw(&table) : 0;
}

/* ---- paths ---------------------------------------------------------------------------------- */

struct path_table {
	const struct explained_tree *of;
	const struct policy_comparison *comparison;
	size_t *node;		/* by row */
};

static const struct snapshot *snapshot_of(const struct path_table *shown)
{
	return shown->of->tree->snapshot;
}

static const char *account_text(const void *context, const struct table_column *column, size_t row,
				char *buffer)
{
	const struct path_table *shown = context;

	(void)column, (void)buffer;
	return snapshot_account(snapshot_of(shown), shown->node[row]);
}

static const char *user_text(const void *context, const struct table_column *column, size_t row,
			     char *buffer)
{
	const struct path_table *shown = context;
	size_t node = shown->node[row];
	bool is_user = fathom_tree_kind(snapshot_of(shown)->tree, node) == FATHOM_USER;

	(void)column, (void)buffer;
	return is_user ? snapshot_name(snapshot_of(shown), node) : "";
}

static const char *raw_shares_text(const void *context, const struct table_column *column,
				   size_t row, char *buffer)
{
	const struct path_table *shown = context;
	uint32_t shares = fathom_tree_raw_shares(snapshot_of(shown)->tree, shown->node[row]);

	(void)column;
	if (!shown->node[row])
		return "";
	return shares == FATHOM_SHARES_PARENT ? "parent" : keep(buffer, say_count(shares));
}

static const char *part_of(char *buffer, const double *values, size_t node)
{
	return isnan(values[node]) ? "" : keep(buffer, say_percent(values[node]));
}

static const char *norm_shares_text(const void *context, const struct table_column *column,
				    size_t row, char *buffer)
{
	const struct path_table *shown = context;

	(void)column;
	return part_of(buffer, shown->of->tree->columns.norm_shares, shown->node[row]);
}

/* The usage that the figure compares with the share. */
static const char *usage_text(const void *context, const struct table_column *column, size_t row,
			      char *buffer)
{
	const struct path_table *shown = context;
	const struct json_columns *columns = &shown->of->tree->columns;
	bool is_plain = !shown->comparison || shown->comparison->figure == FIGURE_PLAIN;

	(void)column;
	return part_of(buffer, is_plain ? columns->norm_usage : columns->effective_usage,
		       shown->node[row]);
}

static const char *figure_text(const void *context, const struct table_column *column, size_t row,
			       char *buffer)
{
	const struct path_table *shown = context;
	double figure = explain_figure(shown->of, shown->node[row]);

	(void)column;
	return isnan(figure) || !shown->node[row] ? "" : keep(buffer, say_number(figure));
}

static const char *factor_text(const void *context, const struct table_column *column, size_t row,
			       char *buffer)
{
	const struct path_table *shown = context;
	double factor = shown->of->tree->columns.factor[shown->node[row]];

	(void)column;
	return isnan(factor) ? "" : keep(buffer, say_factor(factor, USUAL_DIGITS));
}

static const struct table_column path_columns[] = {
	{ .heading = "Account", .text = account_text },
	{ .heading = "User", .text = user_text },
	{ .heading = "RawShares", .text = raw_shares_text, .right = true },
	{ .heading = "Share", .text = norm_shares_text, .right = true },
	{ .heading = "Usage", .text = usage_text, .right = true },
	{ .heading = "FairShare", .text = factor_text, .right = true },
	{ .heading = "", .text = figure_text, .right = true },
};

/* Adds the nodes of a path from `first` on. */
static void add_path(struct path_table *shown, struct table *table,
		     const struct explained_path *path, size_t first)
{
	for (size_t i = first; i < path->count; i++)
		shown->node[table->row_count++] = path->node[i];
}

/* Returns how many nodes from the root on are the same. */
static size_t count_shared(const struct explained_path *one, const struct explained_path *other)
{
	size_t count = 0;

	while (count < one->count && count < other->count &&
	       one->node[count] == other->node[count])
		count++;
	return count;
}

static int print_paths(const struct explained *explained, size_t *nodes)
{
	const struct explained_path *who = &explained->one[0].path, *whom = &explained->one[1].path;
	struct path_table shown = { .of = explained->question->tree, .node = nodes };
	struct table table = { .context = &shown, .has_header = true,
			       .column_count = sizeof(path_columns) / sizeof(*path_columns) };

	add_path(&shown, &table, who, 0);
	add_path(&shown, &table, whom, count_shared(who, whom));
	if (!table.row_count)
		return 0;
	shown.comparison = explain_comparison(shown.of);
	memcpy(table.column, path_columns, sizeof(path_columns));
	if (shown.comparison)
		table.column[table.column_count - 1].heading = shown.comparison->name;
	else
		table.column_count--;
	return draw(&table);
}

/* ---- sentences ------------------------------------------------------------------------------ */

/* Prints a paragraph, broken at blanks. Names in files may have escape sequences, which are kept
 * from the terminal. */
static void print_broken(char *text)
{
	size_t at = 0;

	utf8_make_plain(text);
	while (*text) {
		size_t word = strcspn(text, " ");

		if (at && at + 1 + word > LINE_WIDTH) {
			putchar('\n');
			at = 0;
		}
		at += (size_t)printf("%s%.*s", at ? " " : "", (int)word, text);
		text += word + strspn(text + word, " ");
	}
	putchar('\n');
}

static int print_sentences(const struct explain_answer *answer)
{
	char *text = explain_text(answer, "\n"), *rest = text, *line;

	if (!text)
		return complain("out of memory");
	while ((line = strsep(&rest, "\n")))
		print_broken(line);
	free(text);
	return 0;
}

/* ---- all ------------------------------------------------------------------------------------ */

int print_explanation(const struct explain_answer *answer)
{
	const struct explained *explained = answer->explained;
	size_t nodes = explained->one[0].path.count + explained->one[1].path.count;
	size_t most = nodes > explained->term_count ? nodes : explained->term_count;
	size_t *rows = calloc(most + 1, sizeof(*rows));
	int status;

	if (!rows)
		return complain("out of memory");
	status = print_sentences(answer);
	if (!status && explained->question->formula && !answer->has_recovery)
		status = print_inputs(answer);
	else if (!status && explained->question->list && !explained->question->list->formula &&
		 !answer->has_recovery)
		status = print_terms(explained, rows);
	if (!status)
		status = print_paths(explained, rows);
	free(rows);
	return status;
}
