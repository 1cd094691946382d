/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes from what `fathom shares --json` prints what the page shows: lists with an element for each
 * association, which are shorter than objects. */
#include "report/report_documents.h"

#include "core/error.h"
#include "core/id_index.h"
#include "report/report_numbers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* What is taken of each policy: the key of an association, and that of the list. */
static const struct {
	const char *from, *to;
} figures[] = { { "norm_usage", "usage" }, { "factor", "factor" }, { "rank", "rank" } };

#define FIGURE_COUNT (sizeof(figures) / sizeof(*figures))

/* The lists of the reduced document that describe associations, and the rows that ids stand in. */
struct rows {
	json_t *parent, *name, *is_user, *raw, *partition;
	struct id_index ids;
};

static int wrong(struct fathom_error *error, size_t at, const char *what)
{
	return fathom_error_set(error, EINVAL, "associations[%zu]: %s", at, what);
}

/* Finds the row of the parent; -1 for the root. The id must be new, and the parent stand before it.
 */
static int find_parent(const json_t *id, const json_t *parent, size_t at, struct rows *rows,
		       json_int_t *row, struct fathom_error *error)
{
	uint64_t key = (uint64_t)json_integer_value(id);
	uint32_t place = 0;

	if (!at != json_is_null(parent) ||
	    (at && !id_index_find(&rows->ids, (uint64_t)json_integer_value(parent), &place)))
		return wrong(error, at, "must stand behind its parent, and the root be the first; "
			     "a report needs the whole tree, as of 'fathom shares -a --json'");
	*row = at ? (json_int_t)place : -1;
	if (id_index_find(&rows->ids, key, &place))
		return wrong(error, at, "has the id of another association");
	return id_index_put(&rows->ids, key, (uint32_t)at) ? fathom_error_no_memory(error) : 0;
}

static int put_partition(json_t *partitions, size_t at, json_t *partition)
{
	char key[24];

	snprintf(key, sizeof(key), "%zu", at);
	return json_object_set(partitions, key, partition);
}

/* Adds an association without figures. -1: EINVAL, ENOMEM. */
static int add_row(struct rows *rows, const json_t *from, size_t at, struct fathom_error *error)
{
	json_t *id, *parent, *account, *user, *shares, *partition;
	json_error_t unpacked;
	json_int_t row = -1;

	if (json_unpack_ex((json_t *)from, &unpacked, 0, "{s:o, s:o, s:o, s:o, s:o}", "id", &id,
			   "parent_id", &parent, "account", &account, "user", &user, "raw_shares",
			   &shares))
		return wrong(error, at, unpacked.text);
	if (!json_is_integer(id) || !(json_is_integer(parent) || json_is_null(parent)) ||
	    !json_is_string(account) || !(json_is_string(user) || json_is_null(user)) ||
	    !(json_is_number(shares) || json_is_string(shares)))
		return wrong(error, at, "must be as 'fathom shares --json' prints it");
	if (find_parent(id, parent, at, rows, &row, error))
		return -1;
	partition = json_object_get(from, "partition");
	if (json_array_append_new(rows->parent, row < 0 ? json_null() : json_integer(row)) ||
	    json_array_append(rows->name, json_is_null(user) ? account : user) ||
	    json_array_append_new(rows->is_user, json_integer(!json_is_null(user))) ||
	    json_array_append(rows->raw, shares) ||
	    (json_is_string(partition) && put_partition(rows->partition, at, partition)))
		return fathom_error_no_memory(error);
	return 0;
}

static int add_rows(struct rows *rows, const json_t *associations, struct fathom_error *error)
{
	for (size_t i = 0; i < json_array_size(associations); i++)
		if (add_row(rows, json_array_get(associations, i), i, error))
			return -1;
	return 0;
}

static int check_id(const json_t *first, const json_t *from, size_t at, struct fathom_error *error)
{
	if (json_equal(json_object_get(json_array_get(first, at), "id"),
		       json_object_get(from, "id")))
		return 0;
	return wrong(error, at, "must be the same for each policy");
}

/* Adds a figure of each association to the policy as a list. */
static int add_figure(json_t *policy, size_t which, const json_t *associations,
		      struct fathom_error *error)
{
	json_t *list = json_array();

	if (!list || json_object_set_new(policy, figures[which].to, list))
		return fathom_error_no_memory(error);
	for (size_t i = 0; i < json_array_size(associations); i++) {
		json_t *figure = json_object_get(json_array_get(associations, i),
						 figures[which].from);

		if (figure && !json_is_number(figure) && !json_is_null(figure))
			return wrong(error, i, "norm_usage, factor and rank must be numbers");
		if (json_array_append_new(list, figure ? json_incref(figure) : json_null()))
			return fathom_error_no_memory(error);
	}
	return numbers_pack_key(policy, figures[which].to) ? fathom_error_no_memory(error) : 0;
}

/* Adds the figures; leaves out a list that is that of the first policy. */
static int add_figures(json_t *policies, json_t *policy, const json_t *associations,
		       struct fathom_error *error)
{
	const json_t *first = json_array_get(policies, 0);

	for (size_t i = 0; i < FIGURE_COUNT; i++) {
		if (add_figure(policy, i, associations, error))
			return -1;
		if (policy != first && json_equal(json_object_get(policy, figures[i].to),
						  json_object_get(first, figures[i].to)))
			json_object_del(policy, figures[i].to);
	}
	return 0;
}

/* Adds a policy. first: the associations of the first one, which stand in the rows. */
static int add_policy(json_t *policies, const json_t *from, const json_t *first,
		      struct fathom_error *error)
{
	const char *name = json_string_value(json_object_get(from, "policy"));
	const json_t *associations = json_object_get(from, "associations");
	json_t *policy;

	if (!name || !json_array_size(associations) ||
	    json_array_size(first) != json_array_size(associations))
		return fathom_error_set(error, EINVAL, "each policy must have \"policy\" and as "
					"many \"associations\" as the others");
	for (size_t i = 0; i < json_array_size(associations); i++)
		if (check_id(first, json_array_get(associations, i), i, error))
			return -1;
	policy = json_pack("{s:s, s:O*}", "name", name, "settings",
			   json_object_get(from, "settings"));
	if (json_array_append_new(policies, policy))
		return fathom_error_no_memory(error);
	return add_figures(policies, policy, associations, error);
}

/* The document has a list of policies, or is that of one. */
static int add_policies(json_t *reduced, const json_t *document, struct rows *rows,
			struct fathom_error *error)
{
	const json_t *policies = json_object_get(document, "policies");
	size_t count = policies ? json_array_size(policies) : 1;
	const json_t *first = json_object_get(policies ? json_array_get(policies, 0) : document,
					      "associations");

	if (!json_array_size(first))
		return fathom_error_set(error, EINVAL, "has no associations");
	if (add_rows(rows, first, error))
		return -1;
	for (size_t i = 0; i < count; i++)
		if (add_policy(json_object_get(reduced, "policies"),
			       policies ? json_array_get(policies, i) : document, first, error))
			return -1;
	return 0;
}

static int add_time(json_t *reduced, const json_t *document, struct fathom_error *error)
{
	const json_t *first = json_array_get(json_object_get(document, "policies"), 0);
	json_t *time = json_object_get(first ? first : document, "time");

	if (json_is_number(time) && json_object_set(reduced, "time", time))
		return fathom_error_no_memory(error);
	return 0;
}

static json_t *reduce_shares(const json_t *document, struct fathom_error *error)
{
	struct rows rows = { .parent = json_array(), .name = json_array(),
			     .is_user = json_array(), .raw = json_array(),
			     .partition = json_object() };
	json_t *reduced = json_pack("{s:s, s:[], s:o, s:o, s:o, s:o, s:o}", "format",
				    report_format_shares.name, "policies", "parent", rows.parent,
				    "name", rows.name, "is_user", rows.is_user, "raw", rows.raw,
				    "partition", rows.partition);
	int status = reduced ? add_time(reduced, document, error) : fathom_error_no_memory(error);

	if (!status)
		status = add_policies(reduced, document, &rows, error);
	if (!status && (numbers_pack_key(reduced, "parent") ||
			numbers_pack_key(reduced, "is_user") || numbers_pack_key(reduced, "raw")))
		status = fathom_error_no_memory(error);
	id_index_clear(&rows.ids);
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
