/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reduces what `fathom history --json` prints: each association becomes a line of a chart, with a
 * point for each of its days. */
#include "report/report_private.h"

/* Returns the name of an association: "physics/ada, gpu", or "physics" for an account. */
static const char *name_of(const json_t *day)
{
	const char *account = json_string_value(json_object_get(day, "account"));
	const char *user = json_string_value(json_object_get(day, "user"));
	const char *partition = json_string_value(json_object_get(day, "partition"));

	return need_print("%s%s%s%s%s", account, user ? "/" : "", user ? user : "",
			  partition ? ", " : "", partition ? partition : "");
}

/* Returns the line of an association; adds it if it is not the last one. The document has all days
 * of an association before those of the next. */
static json_t *line_of(json_t *lines, const char *name)
{
	json_t *last = json_array_get(lines, json_array_size(lines) - 1);

	if (last && !strcmp(json_string_value(json_object_get(last, "name")), name))
		return last;
	last = need_made(json_pack("{s:s, s:[], s:[], s:[], s:[], s:[]}", "name", name, "time",
				   "factor", "usage", "raw", "share"));
	need_done(json_array_append_new(lines, last));
	return last;
}

/* Adds an association's day to its line. number: of the day in the document, from 1, for errors. */
static void add_day(struct document *input, json_t *lines, const json_t *day, size_t number)
{
	static const struct { const char *from, *to; } figures[] = {
		{ "time", "time" }, { "factor", "factor" }, { "effective_usage", "usage" },
		{ "raw_usage", "raw" }, { "norm_shares", "share" },
	};
	json_t *line;

	if (!json_is_string(json_object_get(day, "account")) ||
	    !json_is_number(json_object_get(day, "time")))
		wrong_at(input, 0, "day %zu must have \"account\" and \"time\"", number);
	line = line_of(lines, name_of(day));
	for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++) {
		json_t *value = json_object_get(day, figures[i].from);

		need_done(json_array_append(json_object_get(line, figures[i].to),
					    json_is_number(value) ? value : json_null()));
	}
}

json_t *reduce_history(struct document *input, const json_t *document)
{
	const json_t *days = json_object_get(document, "days");
	const json_t *last = json_array_get(days, json_array_size(days) - 1);
	const char *policy = json_string_value(json_object_get(last, "policy"));
	json_t *reduced = need_made(json_pack("{s:s, s:[{s:s}], s:[]}", "format",
					      "fathom-history", "policies", "name",
					      policy ? policy : "", "lines"));

	if (!last)
		wrong_at(input, 0, "has no days");
	for (size_t i = 0; i < json_array_size(days); i++)
		add_day(input, json_object_get(reduced, "lines"), json_array_get(days, i), i + 1);
	return reduced;
}
