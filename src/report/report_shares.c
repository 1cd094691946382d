/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reduces what `fathom shares --json` prints to what the page shows: the objects of associations
 * become lists, one for each figure, which are shorter. */
#include "report/report_private.h"

#include "core/id_index.h"

/* The figures of each policy: their keys in an association of the document, and in the reduced
 * policy. */
static const struct {
	const char *from, *to;
} figures[] = { { "norm_usage", "usage" }, { "factor", "factor" }, { "rank", "rank" } };

#define NEEDS_WHOLE "a report needs the whole tree, as of 'fathom shares -a --json'"
#define FIGURE_COUNT (sizeof(figures) / sizeof(*figures))

/* The members of the reduced document that describe associations; the caller owns them. A row is an
 * association's index in all lists. */
struct rows {
	struct document *input;
	json_t *parent, *name, *is_user, *raw, *partition;
	struct id_index ids;	/* the row of each id so far */
};

/* Says what is wrong with element `at` of "associations", and does not return. */
static _Noreturn void wrong(struct document *input, size_t at, const char *what)
{
	wrong_at(input, 0, "associations[%zu]: %s", at, what);
}

/* Notes the id of row `at`, and returns the row of its parent; -1 for the root. The id must be new,
 * and the parent must have an earlier row. */
static json_int_t find_parent(struct rows *rows, const json_t *id, const json_t *parent, size_t at)
{
	uint64_t key = (uint64_t)json_integer_value(id);
	uint32_t row = 0, other;

	if (!at != json_is_null(parent) ||
	    (at && !id_index_find(&rows->ids, (uint64_t)json_integer_value(parent), &row)))
		wrong(rows->input, at, "must stand behind its parent, and the root be the first; "
		      NEEDS_WHOLE);
	if (id_index_find(&rows->ids, key, &other))
		wrong(rows->input, at, "has the id of another association");
	need_done(id_index_put(&rows->ids, key, (uint32_t)at));
	return at ? (json_int_t)row : -1;
}

/* Adds row `at`: all of an association but its figures. */
static void add_row(struct rows *rows, const json_t *from, size_t at)
{
	json_t *id, *parent, *account, *user, *shares, *partition;
	json_error_t unpacked;
	json_int_t parent_row;	/* -1 for the root */
	bool has_ids, has_names, has_shares;

	if (json_unpack_ex((json_t *)from, &unpacked, 0, "{s:o, s:o, s:o, s:o, s:o}", "id", &id,
			   "parent_id", &parent, "account", &account, "user", &user, "raw_shares",
			   &shares))
		wrong(rows->input, at, unpacked.text);
	has_ids = json_is_integer(id) && (json_is_integer(parent) || json_is_null(parent));
	has_names = json_is_string(account) && (json_is_string(user) || json_is_null(user));
	has_shares = json_is_number(shares) || json_is_string(shares);
	if (!has_ids || !has_names || !has_shares)
		wrong(rows->input, at, "must be as 'fathom shares --json' prints it");
	parent_row = find_parent(rows, id, parent, at);
	partition = json_object_get(from, "partition");
	need_done(json_array_append_new(rows->parent, parent_row < 0 ? json_null()
								     : json_integer(parent_row)) ||
		  json_array_append(rows->name, json_is_null(user) ? account : user) ||
		  json_array_append_new(rows->is_user, json_integer(!json_is_null(user))) ||
		  json_array_append(rows->raw, shares));
	if (json_is_string(partition))
		need_done(json_object_set(rows->partition, need_print("%zu", at), partition));
}

/* Adds a figure of all associations to the policy, as a list. which: index in `figures`. */
static void add_figure(struct document *input, json_t *policy, size_t which,
		       const json_t *associations)
{
	json_t *list = need_made(json_array());

	need_done(json_object_set_new(policy, figures[which].to, list));
	for (size_t i = 0; i < json_array_size(associations); i++) {
		json_t *figure = json_object_get(json_array_get(associations, i),
						 figures[which].from);

		if (figure && !json_is_number(figure) && !json_is_null(figure))
			wrong(input, i, "norm_usage, factor and rank must be numbers");
		need_done(json_array_append_new(list, figure ? json_incref(figure) : json_null()));
	}
	numbers_pack_key(policy, figures[which].to);
}

/* Adds all figures to the policy. A list that is the same as that of the first policy is left
 * out. */
static void add_figures(struct document *input, json_t *policies, json_t *policy,
			const json_t *associations)
{
	const json_t *first = json_array_get(policies, 0);

	for (size_t i = 0; i < FIGURE_COUNT; i++) {
		add_figure(input, policy, i, associations);
		if (policy != first && json_equal(json_object_get(policy, figures[i].to),
						  json_object_get(first, figures[i].to)))
			json_object_del(policy, figures[i].to);
	}
}

/* Adds a policy. from: the policy in the document; first: the associations of the first policy,
 * which all policies must have. */
static void add_policy(struct document *input, json_t *policies, const json_t *from,
		       const json_t *first)
{
	const char *name = json_string_value(json_object_get(from, "policy"));
	const json_t *associations = json_object_get(from, "associations");
	json_t *policy;

	if (!name || !json_array_size(associations) ||
	    json_array_size(first) != json_array_size(associations))
		wrong_at(input, 0, "each policy must have \"policy\" and as many \"associations\" "
			 "as the others");
	for (size_t i = 0; i < json_array_size(associations); i++)
		if (!json_equal(json_object_get(json_array_get(first, i), "id"),
				json_object_get(json_array_get(associations, i), "id")))
			wrong(input, i, "must be the same for each policy");
	policy = need_made(json_pack("{s:s, s:O*}", "name", name, "settings",
				     json_object_get(from, "settings")));
	need_done(json_array_append_new(policies, policy));
	add_figures(input, policies, policy, associations);
	if (json_is_false(json_object_get(from, "whole")))
		wrong_at(input, 0, "associations are missing; " NEEDS_WHOLE);
}

/* Adds all policies. The document has a list "policies", or has the members of a single policy
 * itself. */
static void add_policies(json_t *reduced, const json_t *document, struct rows *rows)
{
	const json_t *policies = json_object_get(document, "policies");
	size_t count = policies ? json_array_size(policies) : 1;
	const json_t *first = json_object_get(policies ? json_array_get(policies, 0) : document,
					      "associations");

	if (!json_array_size(first))
		wrong_at(rows->input, 0, "has no associations");
	for (size_t i = 0; i < json_array_size(first); i++)
		add_row(rows, json_array_get(first, i), i);
	for (size_t i = 0; i < count; i++)
		add_policy(rows->input, json_object_get(reduced, "policies"),
			   policies ? json_array_get(policies, i) : document, first);
}

json_t *reduce_shares(struct document *input, const json_t *document)
{
	struct rows rows = { .input = input, .parent = json_array(), .name = json_array(),
			     .is_user = json_array(), .raw = json_array(),
			     .partition = json_object() };
	json_t *reduced = need_made(json_pack(
		"{s:s, s:[], s:o, s:o, s:o, s:o, s:o}", "format", "fathom-shares",
		"policies", "parent", rows.parent, "name", rows.name, "is_user", rows.is_user,
		"raw", rows.raw, "partition", rows.partition));
	const json_t *first = json_array_get(json_object_get(document, "policies"), 0);
	json_t *time = json_object_get(first ? first : document, "time");

	if (json_is_number(time))
		need_done(json_object_set(reduced, "time", time));
	add_policies(reduced, document, &rows);
	numbers_pack_key(reduced, "parent");
	numbers_pack_key(reduced, "is_user");
	numbers_pack_key(reduced, "raw");
	id_index_clear(&rows.ids);
	return reduced;
}
