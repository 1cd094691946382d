/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads what fathom prio --json prints:
 *
 *	{"format": "fathom-priorities", "version": 1, "jobs": [
 *	 {"job_id": 5, "user": "ann", ..., "priority": 198, "factors": {"age": 0.2, ...},
 *	  "weighted": {"age": 198, ...}}, ...]}
 *
 * or, of several policies, {"policies": [{"label": "fair_tree", "jobs": [...]}, ...]}, of which the
 * first is read. Unknown members are ignored, as later releases may write more.
 */
#include "format/printed/printed_priorities.h"

#include "document/json_reader.h"
#include "jobs/job_states.h"
#include "memory/need_memory.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define FORMAT_NAME "fathom-priorities"

/* What the document, or an element of "policies", has besides jobs. */
struct printed_policy {
	const char *label, *formula;	/* NULL: not given */
	double scale;
};

/* The state of a reading. */
struct printed_jobs {
	struct job_list *list;
	struct printed_policy alone;	/* of a document without "policies" */
	struct printed_policy *policy;	/* elements of "policies" that have begun */
	size_t policies;
};

/* ---- values ------------------------------------------------------------------------- */

/* Returns a copy of the text under a key; NULL: it is null or missing. */
static const char *read_text(struct json_reader *json, const struct parsed *object, const char *key)
{
	const struct parsed *value = parsed_member(object, key);

	if (value && !parsed_is(value, PARSED_TEXT) && !parsed_is(value, PARSED_NULL))
		json_wrong_key(json, key, "must be a string or null");
	return need_text(parsed_text(value));
}

/* ---- a job ---------------------------------------------------------------------------- */

/* Reads the values of TRES in an object of "factors" or "weighted" into `tres`. The first job sets
 * the names in the list; all others must have the same ones in the same order. */
static void read_tres(struct json_reader *json, const struct parsed *object, struct job_list *list,
		      double *tres)
{
	const struct parsed *values = parsed_member(object, "tres");
	bool is_first_job = list->count == 1;
	size_t index = 0;
	const char *name;
	const struct parsed *value;

	parsed_for_each_key(values, name, value) {
		if (is_first_job && index < list->tres_count && !list->tres_name[index])
			list->tres_name[index] = need_text(name);
		if (index == list->tres_count || strcmp(name, list->tres_name[index]))
			json_wrong_key(json, "tres", "must have the TRES of the first job");
		tres[index++] = json_figure(json, value, name);
	}
}

/* Reads the object under a key, "factors" or "weighted". */
static void read_values(struct json_reader *json, const struct parsed *job, const char *key,
			struct job_list *list, struct job_values *values)
{
	const struct parsed *object = parsed_member(job, key);
	double nice;

	if (!parsed_is(object, PARSED_OBJECT))
		json_wrong_key(json, key, "must be an object");
	for (size_t i = 0; i < JOB_FACTOR_COUNT; i++)
		values->factor[i] = json_read_figure(json, object, job_factor_keys[i]);
	values->site = json_read_figure(json, object, "site");
	nice = json_read_figure(json, object, "nice");
	read_tres(json, object, list, values->tres);
	values->nice = isfinite(nice) ? (int64_t)nice : 0;
}

/* Reads the state of a job, if it has one. */
static void read_state(struct json_reader *json, const struct parsed *job, struct job_row *row)
{
	const char *state = parsed_text(parsed_member(job, "state"));

	if (state)
		row->state = job_state_find(state, strlen(state));
	if (state && row->state == JOB_STATE_UNKNOWN)
		json_wrong_key(json, "state", "is not a state of Slurm's");
}

/* Computes a weight that is not known yet, 0, from a factor that is not 0. */
static void find_weight(double factor, double weighted, double *weight)
{
	if (!*weight && factor && isfinite(weighted / factor))
		*weight = weighted / factor;
}

/* Computes the weights that are not known yet from the factors of a job. */
static void find_weights(struct job_list *list, const struct job_row *row)
{
	for (size_t i = 0; i < JOB_FACTOR_COUNT; i++)
		find_weight(row->plain.factor[i], row->weighted.factor[i], &list->weight[i]);
	for (size_t i = 0; i < list->tres_count; i++)
		find_weight(row->plain.tres[i], row->weighted.tres[i], &list->tres_weight[i]);
}

/* Reads the member "flux" of a job, which has the weights of flux-accounting's terms. */
static void read_flux(struct json_reader *json, const struct parsed *flux, struct job_list *list)
{
	list->by_flux = true;
	list->weight[JOB_ASSOC] = json_read_figure(json, flux, "bankfact");
	list->weight[JOB_PARTITION] = json_read_figure(json, flux, "qfact");
	list->weight[JOB_FAIRSHARE] = json_read_figure(json, flux, "fsfactor");
	list->nice_weight = json_read_figure(json, flux, "urgfact");
}

/* Adds a job to the list. */
static void read_row(struct json_reader *json, const struct parsed *job, struct job_list *list)
{
	struct job_row *row = job_list_add(list);
	const struct parsed *id = parsed_member(job, "job_id"), *flux = parsed_member(job, "flux");

	if (!parsed_is(id, PARSED_INTEGER))
		json_wrong_key(json, "job_id", "must be an integer");
	row->id = parsed_integer(id);
	row->is_set = parsed_is(parsed_member(job, "set_by_administrator"), PARSED_TRUE);
	row->user = read_text(json, job, "user");
	row->account = read_text(json, job, "account");
	row->partition = read_text(json, job, "partition");
	row->qos = read_text(json, job, "qos");
	read_state(json, job, row);
	row->priority = json_read_figure(json, job, "priority");
	row->place = json_read_figure(json, job, "place");
	row->formula = json_read_figure(json, job, "formula");
	read_values(json, job, "factors", list, &row->plain);
	read_values(json, job, "weighted", list, &row->weighted);
	if (flux)
		read_flux(json, flux, list);
	list->has_places |= parsed_member(job, "place") != NULL;
	if (!list->by_flux)
		find_weights(list, row);
}

/* ---- the document --------------------------------------------------------------------- */

/* Reads an element of "jobs". Those of policies behind the first one are skipped. */
static void read_job(struct json_reader *json, const struct parsed *job, void *into)
{
	struct printed_jobs *printed = json->into;
	const struct parsed *values = parsed_member(job, "factors");

	(void)into;
	if (printed->policies > 1)
		return;
	if (!printed->list->count)	/* the first job tells the TRES of all */
		job_list_set_tres(printed->list,
				  parsed_member_count(parsed_member(values, "tres")));
	read_row(json, job, printed->list);
}

#define JOBS_SHAPE "{\"job_id\": ...}"
#define TEXT(object, member) .value = { .at = offsetof(struct object, member), .type = JSON_COPY }
#define NUMBER(object, member) .value = { .at = offsetof(struct object, member), \
					  .low = -INFINITY, .high = INFINITY, \
					  .right = "must be a number" }

/* Of an element of "policies". */
static const struct json_member policy_members[] = {
	{ .name = "label", .needed = true, TEXT(printed_policy, label) },
	{ .name = "formula", TEXT(printed_policy, formula) },
	{ .name = "formula_scale", NUMBER(printed_policy, scale) },
	{ .name = "jobs", .needed = true, .element = read_job, .shape = JOBS_SHAPE },
	JSON_END
};

/* Of the document. */
static const struct json_member members[] = {
	{ .name = "formula", TEXT(printed_jobs, alone.formula) },
	{ .name = "formula_scale", NUMBER(printed_jobs, alone.scale) },
	{ .name = "jobs", .element = read_job, .shape = JOBS_SHAPE },
	{ .name = "policies", JSON_LIST(printed_jobs, policy, policies), .members = policy_members,
	  .shape = "{\"jobs\": [...]}" },
	JSON_END
};

static const struct json_document document = {
	.format = FORMAT_NAME,
	.version = 1,
	.shape = "\"jobs\": [...]",
	.members = members,
	.page = "fathom-prio(1)",
};

bool printed_priorities_recognize(const struct document *input)
{
	return json_is_format(input, FORMAT_NAME);
}

void printed_priorities_read(struct document *input, struct job_list *list)
{
	struct printed_jobs printed = { .list = list };
	const struct printed_policy *first;

	job_list_create(list, 0);
	document_load_rest(input);
	json_read_document(input, &document, &printed);
	first = printed.policies ? printed.policy : &printed.alone;
	list->formula = first->formula;
	list->formula_scale = first->scale;
	if (printed.policies > 1)
		document_remark(input, "has %zu policies; the first, %s, is read",
				printed.policies, first->label);
}
