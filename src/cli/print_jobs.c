/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/print.h"

#include "cli/cut.h"
#include "cli/job_shadow.h"
#include "core/error.h"
#include "json/json.h"

#include <errno.h>
#include <libsmartcols.h>
#include <stdio.h>
#include <string.h>

/* ---- table ----------------------------------------------------------------------- */

/* libsmartcols takes a width as a hint, and breaks headings where it is bound to it. */
static const char *padded(const struct job_chosen *chosen, const char *text, char *buffer)
{
	snprintf(buffer, JOB_CELL_SIZE, "%*s", chosen->right ? chosen->width : -chosen->width, text);
	return buffer;
}

static int add_column(struct libscols_table *table, const struct job_chosen *chosen, bool colour)
{
	char buffer[JOB_CELL_SIZE];
	int flags = (chosen->right ? SCOLS_FL_RIGHT : 0) |
		    (job_column_is_long(chosen) ? SCOLS_FL_TRUNC : 0);
	struct libscols_column *column =
		scols_table_new_column(table, padded(chosen, job_column_heading(chosen), buffer), 0,
				       flags);

	if (!column)
		return -1;
	return colour ? scols_cell_set_color(scols_column_get_header(column), "bold") : 0;
}

/* A number is never cut, as it would be another one. */
static const char *cell(const struct job_chosen *chosen, const char *text,
			const struct job_row *row, char *buffer)
{
	if (job_column_is_number(chosen))
		return row && !*text ? "-" : text;
	return chosen->width ? cut_text(text, (size_t)chosen->width, buffer) : text;
}

static int add_line(struct libscols_table *table, const struct job_list *list,
		    const struct job_choice *choice, const struct job_row *row)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);
	char buffer[JOB_CELL_SIZE], wide[JOB_CELL_SIZE];

	for (size_t i = 0; line && i < choice->count; i++) {
		const struct job_chosen *chosen = &choice->chosen[i];
		const char *text = job_column_text(chosen, list, row, buffer);

		if (scols_line_set_data(line, i, padded(chosen, cell(chosen, text, row, buffer),
							wide)))
			return -1;
	}
	return line ? 0 : -1;
}

static int fill_table(struct libscols_table *table, const struct job_list *list,
		      const struct job_choice *choice, bool weights)
{
	bool colour = print_wants_colour();

	scols_table_enable_colors(table, colour);
	for (size_t i = 0; i < choice->count; i++)
		if (add_column(table, &choice->chosen[i], colour))
			return -1;
	for (size_t i = 0; !weights && i < list->count; i++)
		if (add_line(table, list, choice, &list->row[i]))
			return -1;
	return weights ? add_line(table, list, choice, NULL) : 0;
}

/* libsmartcols prints no header without a line. */
static void print_header(const struct job_choice *choice)
{
	for (size_t i = 0; i < choice->count; i++)
		printf("%s%s", i ? " " : "", job_column_heading(&choice->chosen[i]));
	putchar('\n');
}

int print_jobs_table(const struct job_list *list, const struct job_choice *choice, bool header,
		     bool weights, struct fathom_error *error)
{
	struct libscols_table *table;
	int status = -1;

	if (!list->count && !weights) {
		if (header)
			print_header(choice);
		return 0;
	}
	table = scols_new_table();
	if (table) {
		scols_table_enable_noheadings(table, !header);
		status = fill_table(table, list, choice, weights);
	}
	if (!status)
		status = scols_print_table(table);
	scols_unref_table(table);
	return status ? fathom_error_set(error, ENOMEM, "%s", strerror(ENOMEM)) : 0;
}

/* ---- a '|' between columns ------------------------------------------------------------- */

static void print_line(const struct job_list *list, const struct job_choice *choice,
		       const struct job_row *row)
{
	char buffer[JOB_CELL_SIZE];

	for (size_t i = 0; i < choice->count; i++) {
		if (i)
			putc_unlocked('|', stdout);
		fputs_unlocked(job_column_text(&choice->chosen[i], list, row, buffer), stdout);
	}
	putc_unlocked('\n', stdout);
}

void print_jobs_parsable(const struct job_list *list, const struct job_choice *choice, bool header,
			 bool weights)
{
	for (size_t i = 0; header && i < choice->count; i++)
		printf("%s%s", i ? "|" : "", job_column_heading(&choice->chosen[i]));
	if (header)
		putchar('\n');
	for (size_t i = 0; !weights && i < list->count; i++)
		print_line(list, choice, &list->row[i]);
	if (weights)
		print_line(list, choice, NULL);
}

/* ---- JSON ----------------------------------------------------------------------------- */

static void put_integer_key(const char *key, int64_t value)
{
	json_put(stdout, ", \"");
	json_put(stdout, key);
	json_put(stdout, "\": ");
	json_put_integer(stdout, value);
}

static void put_tres(const struct job_list *list, const double *value)
{
	json_put(stdout, ", \"tres\": {");
	for (size_t i = 0; i < list->tres_count; i++) {
		json_put(stdout, i ? ", " : "");
		json_put_string(stdout, list->tres_name[i]);
		json_put(stdout, ": ");
		json_put_number(stdout, value[i]);
	}
	json_put(stdout, "}");
}

static void put_values(const struct job_list *list, const char *key,
		       const struct job_values *values)
{
	static const struct { const char *key; enum job_factor factor; } factors[] = {
		{ "fairshare", JOB_FAIRSHARE }, { "job_size", JOB_SIZE },
		{ "partition", JOB_PARTITION }, { "qos", JOB_QOS }, { "assoc", JOB_ASSOC },
	};

	json_put(stdout, ",\n   \"");
	json_put(stdout, key);
	json_put(stdout, "\": {\"age\": ");
	json_put_number(stdout, values->factor[JOB_AGE]);
	for (size_t i = 0; i < sizeof(factors) / sizeof(*factors); i++)
		json_put_number_key(stdout, factors[i].key, values->factor[factors[i].factor]);
	json_put_number_key(stdout, "site", values->site);
	put_tres(list, values->tres);
	put_integer_key("nice", values->nice);
	json_put(stdout, "}");
}

static void put_shadow(const struct job_list *list, const struct job_row *row)
{
	json_put_number_key(stdout, "rank", row->shadow.rank_in_force);
	json_put(stdout, ",\n   \"shadow\": {\"fairshare\": ");
	json_put_number(stdout, row->shadow.fairshare);
	json_put_number_key(stdout, "weighted_fairshare",
			    row->shadow.fairshare * list->weight[JOB_FAIRSHARE]);
	json_put_number_key(stdout, "priority", row->shadow.priority);
	json_put_number_key(stdout, "rank", row->shadow.rank);
	json_put_number_key(stdout, "change", job_row_change(row));
	json_put(stdout, "}");
}

void print_jobs_json(const struct job_list *list)
{
	json_put(stdout, "{");
	if (list->formula) {
		json_put(stdout, "\"formula\": ");
		json_put_string(stdout, list->formula);
		json_put_number_key(stdout, "formula_scale", list->formula_scale);
		json_put(stdout, ", ");
	}
	json_put(stdout, "\"jobs\": [");
	for (size_t i = 0; i < list->count; i++) {
		const struct job_row *row = &list->row[i];

		json_put(stdout, i ? ",\n  {\"job_id\": " : "\n  {\"job_id\": ");
		json_put_integer(stdout, row->id);
		json_put_text_key(stdout, "user", row->user);
		json_put_text_key(stdout, "account", row->account);
		json_put_text_key(stdout, "partition", row->partition);
		json_put_text_key(stdout, "qos", row->qos);
		json_put_number_key(stdout, "priority", row->priority);
		if (list->formula)
			json_put_number_key(stdout, "formula", row->formula);
		if (row->is_set)
			json_put(stdout, ", \"set_by_administrator\": true");
		put_values(list, "factors", &row->plain);
		put_values(list, "weighted", &row->weighted);
		if (list->has_shadow)
			put_shadow(list, row);
		json_put(stdout, "}");
	}
	json_put(stdout, "]}\n");
}
