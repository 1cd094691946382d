/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes from what `fathom shares --json` prints what the page shows: a row for each association,
 * with a figure for each policy. */
#include "report/report_documents.h"

#include "core/error.h"
#include "core/id_index.h"

#include <errno.h>

/* What is taken of each policy: the key of the document, and that of the row. */
static const struct {
	const char *from, *to;
} figures[] = { { "norm_usage", "usage" }, { "factor", "factor" }, { "rank", "rank" } };

#define FIGURE_COUNT (sizeof(figures) / sizeof(*figures))

static int wrong(struct fathom_error *error, size_t at, const char *what)
{
	return fathom_error_set(error, EINVAL, "associations[%zu]: %s", at, what);
}

/* Checks that a row is the root, or stands behind its parent, and that its id is new. */
static int check_place(const json_t *row, size_t at, struct id_index *ids,
		       struct fathom_error *error)
{
	const json_t *parent = json_object_get(row, "parent_id");
	uint64_t id = (uint64_t)json_integer_value(json_object_get(row, "id"));
	uint32_t place;

	if (!at != json_is_null(parent) ||
	    (at && !id_index_find(ids, (uint64_t)json_integer_value(parent), &place)))
		return wrong(error, at, "must stand behind its parent, and the root be the first; "
			     "a report needs the whole tree, as of 'fathom shares -a --json'");
	if (id_index_find(ids, id, &place))
		return wrong(error, at, "has the id of another one");
	return id_index_put(ids, id, (uint32_t)at) ? fathom_error_no_memory(error) : 0;
}

/* Makes a row without figures. -1: EINVAL, ENOMEM. */
static int add_row(json_t *rows, const json_t *from, size_t at, struct fathom_error *error)
{
	json_t *id, *parent, *account, *user, *shares, *row;
	json_error_t unpacked;

	if (json_unpack_ex((json_t *)from, &unpacked, 0, "{s:o, s:o, s:o, s:o, s:o}", "id", &id,
			   "parent_id", &parent, "account", &account, "user", &user, "raw_shares",
			   &shares))
		return wrong(error, at, unpacked.text);
	if (!json_is_integer(id) || !(json_is_integer(parent) || json_is_null(parent)) ||
	    !json_is_string(account) || !(json_is_string(user) || json_is_null(user)) ||
	    !(json_is_number(shares) || json_is_string(shares)))
		return wrong(error, at, "must be as 'fathom shares --json' prints it");
	row = json_pack("{s:O, s:O, s:O, s:O, s:O, s:[], s:[], s:[]}", "id", id, "parent", parent,
			"account", account, "user", user, "raw", shares, figures[0].to,
			figures[1].to, figures[2].to);
	return !row || json_array_append_new(rows, row) ? fathom_error_no_memory(error) : 0;
}

/* Adds the figures of a policy to a row. */
static int add_figures(json_t *row, const json_t *from, size_t at, struct fathom_error *error)
{
	if (!json_equal(json_object_get(row, "id"), json_object_get(from, "id")))
		return wrong(error, at, "must be the same for each policy");
	for (size_t i = 0; i < FIGURE_COUNT; i++) {
		json_t *figure = json_object_get(from, figures[i].from);

		if (figure && !json_is_number(figure) && !json_is_null(figure))
			return wrong(error, at, "norm_usage, factor and rank must be numbers");
		if (json_array_append_new(json_object_get(row, figures[i].to),
					  figure ? json_incref(figure) : json_null()))
			return fathom_error_no_memory(error);
	}
	return 0;
}

/* Adds a policy: its name, and a figure for each row. The first policy makes the rows. */
static int add_policy(json_t *reduced, const json_t *policy, struct id_index *ids,
		      struct fathom_error *error)
{
	json_t *policies = json_object_get(reduced, "policies");
	json_t *rows = json_object_get(reduced, "rows");
	const char *name = json_string_value(json_object_get(policy, "policy"));
	const json_t *associations = json_object_get(policy, "associations");
	bool is_first = !json_array_size(policies);

	if (!name || !json_array_size(associations) ||
	    (!is_first && json_array_size(rows) != json_array_size(associations)))
		return fathom_error_set(error, EINVAL, "each policy must have \"policy\" and as "
					"many \"associations\" as the others");
	if (json_array_append_new(policies, json_pack("{s:s, s:O*}", "name", name, "settings",
						      json_object_get(policy, "settings"))))
		return fathom_error_no_memory(error);
	for (size_t i = 0; i < json_array_size(associations); i++) {
		const json_t *row = json_array_get(associations, i);

		if (is_first && (add_row(rows, row, i, error) || check_place(row, i, ids, error)))
			return -1;
		if (add_figures(json_array_get(rows, i), row, i, error))
			return -1;
	}
	return 0;
}

/* The document has a list of policies, or is that of one. */
static int add_policies(json_t *reduced, const json_t *document, struct fathom_error *error)
{
	const json_t *policies = json_object_get(document, "policies");
	struct id_index ids = { 0 };
	int status = 0;

	if (!policies)
		status = add_policy(reduced, document, &ids, error);
	for (size_t i = 0; !status && i < json_array_size(policies); i++)
		status = add_policy(reduced, json_array_get(policies, i), &ids, error);
	id_index_clear(&ids);
	if (!status && !json_array_size(json_object_get(reduced, "rows")))
		status = fathom_error_set(error, EINVAL, "has no associations");
	return status;
}

static json_t *reduce_shares(const json_t *document, struct fathom_error *error)
{
	json_t *reduced = json_pack("{s:s, s:[], s:[]}", "format", report_format_shares.name,
				    "policies", "rows");
	const json_t *first = json_array_get(json_object_get(document, "policies"), 0);
	json_t *time = json_object_get(first ? first : document, "time");
	int status = reduced ? 0 : fathom_error_no_memory(error);

	if (!status && json_is_number(time))
		status = json_object_set(reduced, "time", time) ? fathom_error_no_memory(error) : 0;
	if (!status)
		status = add_policies(reduced, document, error);
	if (!status)
		return reduced;
	json_decref(reduced);
	return NULL;
}

const struct report_format report_format_shares = {
	.name = "fathom-shares",
	.version = 1,
	.reduce = reduce_shares,
};
