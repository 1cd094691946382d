/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints jobs with the terms of their priorities as JSON; fathom-prio(1) describes the keys. */
#include "cli/jobs/print_jobs_json.h"

#include "jobs/job_states.h"
#include "json/json.h"
#include "json/shares.h"

#define PRIORITIES_FORMAT "fathom-priorities"
#define PRIORITIES_VERSION 1

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
	static const enum job_factor order[] = { JOB_FAIRSHARE, JOB_SIZE, JOB_PARTITION, JOB_QOS,
						 JOB_ASSOC };

	json_put(stdout, ",\n   \"");
	json_put(stdout, key);
	json_put(stdout, "\": {\"age\": ");
	json_put_number(stdout, values->factor[JOB_AGE]);
	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++)
		json_put_number_key(stdout, job_factor_keys[order[i]], values->factor[order[i]]);
	json_put_number_key(stdout, "site", values->site);
	put_tres(list, values->tres);
	put_integer_key("nice", values->nice);
	json_put(stdout, "}");
}

/* The keys are flux-accounting's headings of columns. */
static void put_flux(const struct job_list *list, const struct job_row *row)
{
	const double *factor = row->plain.factor;

	json_put(stdout, ",\n   \"flux\": {\"bankprio\": ");
	json_put_number(stdout, factor[JOB_ASSOC]);
	json_put_number_key(stdout, "bankfact", list->weight[JOB_ASSOC]);
	json_put_number_key(stdout, "qprio", factor[JOB_PARTITION]);
	json_put_number_key(stdout, "qfact", list->weight[JOB_PARTITION]);
	json_put_number_key(stdout, "fairshare", factor[JOB_FAIRSHARE]);
	json_put_number_key(stdout, "fsfactor", list->weight[JOB_FAIRSHARE]);
	json_put_number_key(stdout, "urgency", FATHOM_FLUX_URGENCY - (double)row->plain.nice);
	json_put_number_key(stdout, "urgfact", list->nice_weight);
	json_put(stdout, "}");
}

static void put_job(const struct shown_jobs *shown, const struct job_list *list,
		    const struct job_row *row)
{
	json_put(stdout, "{\"job_id\": ");
	json_put_integer(stdout, row->id);
	json_put_text_key(stdout, "user", row->user);
	json_put_text_key(stdout, "account", row->account);
	json_put_text_key(stdout, "partition", row->partition);
	json_put_text_key(stdout, "qos", row->qos);
	if (shown->shows_state)
		json_put_text_key(stdout, "state", job_state_name(row->state));
	json_put_number_key(stdout, "priority", row->priority);
	json_put_number_key(stdout, "rank", row->rank);
	if (list->has_places)
		json_put_number_key(stdout, "place", row->place);
	if (list->formula)
		json_put_number_key(stdout, "formula", row->formula);
	if (row->is_set)
		json_put(stdout, ", \"set_by_administrator\": true");
	put_values(list, "factors", &row->plain);
	put_values(list, "weighted", &row->weighted);
	if (list->by_flux)
		put_flux(list, row);
	json_put(stdout, "}");
}

/* Writes the members of an object with the jobs of one list. */
static void put_list(const struct shown_jobs *shown, const struct job_list *list)
{
	if (list->formula) {
		json_put(stdout, "\"formula\": ");
		json_put_string(stdout, list->formula);
		json_put_number_key(stdout, "formula_scale", list->formula_scale);
		json_put(stdout, ", ");
	}
	json_put(stdout, "\"jobs\": [");
	for (size_t i = 0; i < shown->count; i++) {
		json_put(stdout, i ? ",\n  " : "\n  ");
		put_job(shown, list, &list->row[shown->row[i]]);
	}
	json_put(stdout, "]");
}

static void put_comparison(const struct shown_jobs *shown)
{
	const struct job_comparison *compared = shown->comparison;

	json_put(stdout, "\"policies\": [");
	for (size_t i = 0; i < compared->count; i++) {
		const struct compared_jobs *item = &compared->item[i];

		json_put(stdout, i ? ",\n {\"label\": " : "\n {\"label\": ");
		json_put_string(stdout, item->label);
		json_put_text_key(stdout, "policy", fathom_policy_name(item->rule.policy));
		json_put(stdout, ", \"settings\": ");
		json_put_settings(stdout, item->rule.policy, &item->rule.settings,
				  item->half_life);
		json_put(stdout, ",\n ");
		put_list(shown, &item->list);
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
		put_list(shown, shown->list);
	json_put(stdout, "}\n");
}
