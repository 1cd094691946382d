/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints jobs with the terms of their priorities as JSON; fathom-prio(1) describes the keys. */
#include "cli/jobs/command_jobs.h"

#include "json/json.h"
#include "json/shares.h"

#define PRIORITIES_FORMAT "fathom-priorities"
#define PRIORITIES_VERSION 1

/* Writes the terms of a job as the value of a key, such as "weighted". */
static void put_values(const struct job_list *list, const char *key,
		       const struct job_values *values)
{
	const double *factor = values->factor;

	json_print(stdout, ",\n   %s: {\"age\": %g, \"fairshare\": %g, \"job_size\": %g, "
		   "\"partition\": %g, \"qos\": %g, \"assoc\": %g, \"site\": %g, \"tres\": {", key,
		   factor[JOB_AGE], factor[JOB_FAIRSHARE], factor[JOB_SIZE], factor[JOB_PARTITION],
		   factor[JOB_QOS], factor[JOB_ASSOC], values->site);
	for (size_t i = 0; i < list->tres_count; i++)
		json_print(stdout, i ? ", %s: %g" : "%s: %g", list->tres_name[i], values->tres[i]);
	json_print(stdout, "}, \"nice\": %lld}", (long long)values->nice);
}

/* Writes the terms of a job by flux-accounting. The keys are the headings of its columns. */
static void put_flux(const struct job_list *list, const struct job_row *row)
{
	const double *factor = row->plain.factor, *weight = list->weight;

	json_print(stdout, ",\n   \"flux\": {\"bankprio\": %g, \"bankfact\": %g, \"qprio\": %g, "
		   "\"qfact\": %g, \"fairshare\": %g, \"fsfactor\": %g, \"urgency\": %g, "
		   "\"urgfact\": %g}", factor[JOB_ASSOC], weight[JOB_ASSOC], factor[JOB_PARTITION],
		   weight[JOB_PARTITION], factor[JOB_FAIRSHARE], weight[JOB_FAIRSHARE],
		   FATHOM_FLUX_URGENCY - (double)row->plain.nice, list->nice_weight);
}

/* The columns that have a key, in the order of their keys. */
static const char *const columns_with_key[] = {
	"JobID", "User", "Account", "Partition", "QOSName", "State", "Priority", "Rank", "Place",
	"Formula",
};

#define MOST_KEYS (sizeof(columns_with_key) / sizeof(*columns_with_key))

/* Fills keys[] with the columns of columns_with_key[] that the jobs have. Returns how many. */
static size_t list_keys(const struct shown_jobs *shown, const struct column *keys[MOST_KEYS])
{
	size_t count = 0;
	const struct column *column;

	for (size_t i = 0; i < MOST_KEYS; i++)
		for (size_t j = 0; (column = job_column_at(j)); j++)
			if (!strcmp(column->name, columns_with_key[i]) &&
			    (!column->is_there || column->is_there(shown)))
				keys[count++] = column;
	return count;
}

/* Writes the value of a cell; null for an empty one. */
static void put_value(const struct value *value)
{
	if (value->kind == VALUE_TEXT)
		json_put_string(stdout, value->text);
	else if (value->kind == VALUE_INTEGER)
		json_put_integer(stdout, value->integer);
	else
		json_put_number(stdout, value_number(value));
}

/* Writes the job of a line as an object; its first keys are those of the columns. */
static void put_job(const struct shown_jobs *shown, const struct column *const keys[], size_t count,
		    size_t line)
{
	const struct job_list *list = shown->list;
	const struct job_row *row = &list->row[shown->row[line]];
	char buffer[CELL_SIZE];

	for (size_t i = 0; i < count; i++) {
		const struct table_column column = table_column_of(keys[i]);
		const struct cell cell = { shown, &column, line, buffer };
		const struct value value = column.get(&cell);

		json_print(stdout, i ? ", %s: " : "{%s: ", keys[i]->key);
		put_value(&value);
	}
	if (row->is_set)
		json_put(stdout, ", \"set_by_administrator\": true");
	put_values(list, "factors", &row->plain);
	put_values(list, "weighted", &row->weighted);
	if (list->by_flux)
		put_flux(list, row);
	json_put(stdout, "}");
}

/* Writes the jobs of one list, as members of an object that the caller begins and ends. */
static void put_list(const struct shown_jobs *shown)
{
	const struct job_list *list = shown->list;
	const struct column *keys[MOST_KEYS];
	size_t count = list_keys(shown, keys);

	if (list->formula)
		json_print(stdout, "\"formula\": %s, \"formula_scale\": %g, ", list->formula,
			   list->formula_scale);
	json_put(stdout, "\"jobs\": [");
	for (size_t i = 0; i < shown->count; i++) {
		json_put(stdout, i ? ",\n  " : "\n  ");
		put_job(shown, keys, count, i);
	}
	json_put(stdout, "]");
}

/* Writes the jobs of each list with its label, policy and settings, as a member of an object. */
static void put_comparison(const struct shown_jobs *shown)
{
	const struct job_comparison *compared = shown->comparison;

	json_put(stdout, "\"policies\": [");
	for (size_t i = 0; i < compared->count; i++) {
		struct compared_jobs *item = &compared->item[i];
		const struct job_comparison one = { .item = item, .count = 1 };
		struct shown_jobs of_item = *shown;

		of_item.comparison = &one;
		of_item.list = &item->list;
		json_put(stdout, i ? ",\n {" : "\n {");
		json_print(stdout, "\"label\": %s, \"policy\": %s, \"settings\": ", item->label,
			   fathom_policy_name(item->rule.policy));
		json_put_settings(stdout, item->rule.policy, &item->rule.settings, item->half_life);
		json_put(stdout, ",\n ");
		put_list(&of_item);
		json_put(stdout, "}");
	}
	json_put(stdout, "]");
}

void print_jobs_json(const struct shown_jobs *shown)
{
	json_begin(stdout, PRIORITIES_FORMAT, PRIORITIES_VERSION);
	json_put(stdout, ",\n");
	if (shown->comparison->count > 1)
		put_comparison(shown);
	else
		put_list(shown);
	json_put(stdout, "}\n");
}
