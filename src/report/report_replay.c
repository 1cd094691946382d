/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes from what `fathom replay --json` prints what the page shows: figures of each policy, and
 * accounts with a figure for each policy. The accounts that used most come first. Usage over time
 * has as many points as fit a page.
 */
#include "report/report_documents.h"

#include "core/error.h"
#include "report/report_numbers.h"
#include "report/report_series.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CHARACTERS 480000	/* of waits and usage of all accounts under all policies */
#define OF_WAIT 3
#define OF_POINT 2
#define LEAST_POINTS 12		/* of an account under a policy */
#define LEAST_ACCOUNTS 24	/* that have usage over time */

/* Figures of a policy that are numbers, or null. */
static const char *const figures[] = {
	"jobs", "mean_wait", "median_wait", "p95_wait", "longest_wait", "mean_bounded_slowdown",
	"utilization", "makespan", "share_error", "jain", "below_share",
};

static const char *const trace_keys[] = { "name", "jobs", "users", "accounts", "cpus", "skipped" };

#define COUNT(list) (sizeof(list) / sizeof(*(list)))

static int wrong_policy(struct fathom_error *error, size_t at, const char *what)
{
	return fathom_error_set(error, EINVAL, "policies[%zu]: %s", at, what);
}

static bool is_figure(const json_t *value)
{
	return json_is_number(value) || json_is_null(value);
}

static bool has_figures_only(const json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (!is_figure(json_array_get(list, i)))
			return false;
	return json_is_array(list);
}

/* ---- a policy ------------------------------------------------------------------------- */

/* Adds the policy: {"name", "settings", the figures, "quantiles": [...], "time": [...]}. */
static int add_policy(json_t *policies, const json_t *from, struct fathom_error *error)
{
	size_t at = json_array_size(policies);
	json_t *name, *quantiles, *times;
	json_error_t unpacked;
	json_t *policy;

	if (json_unpack_ex((json_t *)from, &unpacked, 0, "{s:o, s:o, s:{s:o}}", "name", &name,
			   "wait_quantiles", &quantiles, "series", "time", &times))
		return wrong_policy(error, at, unpacked.text);
	if (!json_is_string(name) || !has_figures_only(quantiles) || !has_figures_only(times))
		return wrong_policy(error, at, "must be as 'fathom replay --json' prints it");
	policy = json_pack("{s:O, s:O*, s:O*, s:O, s:O}", "name", name, "settings",
			   json_object_get(from, "settings"), "half_life",
			   json_object_get(from, "half_life"), "quantiles", quantiles, "time",
			   times);
	if (!policy || json_array_append_new(policies, policy))
		return fathom_error_no_memory(error);
	for (size_t i = 0; i < COUNT(figures); i++) {
		json_t *figure = json_object_get(from, figures[i]);

		if (!is_figure(figure))
			return wrong_policy(error, at, "its figures must be numbers");
		if (json_object_set(policy, figures[i], figure))
			return fathom_error_no_memory(error);
	}
	return 0;
}

/* ---- accounts ------------------------------------------------------------------------- */

static int wrong_account(struct fathom_error *error, size_t at)
{
	return fathom_error_set(error, EINVAL, "accounts[%zu]: must be the same for each policy, "
				"and as 'fathom replay --json' prints it", at);
}

/* Adds a row for an account of the first policy. */
static int add_account(json_t *accounts, const json_t *from, struct fathom_error *error)
{
	json_t *row = json_pack("{s:O*, s:O*, s:O*, s:[], s:[]}", "account",
				json_object_get(from, "account"), "share",
				json_object_get(from, "share"), "jobs",
				json_object_get(from, "jobs"), "wait", "usage");

	return !row || json_array_append_new(accounts, row) ? fathom_error_no_memory(error) : 0;
}

/* Adds the figures under one policy. */
static int add_figures(json_t *row, const json_t *from, size_t at, struct fathom_error *error)
{
	json_t *account = json_object_get(from, "account");
	json_t *wait = json_object_get(from, "mean_wait"), *usage = json_object_get(from, "usage");

	if (!json_is_string(account) || !json_equal(account, json_object_get(row, "account")) ||
	    !is_figure(json_object_get(from, "share")) || !is_figure(wait) ||
	    !json_is_number(json_object_get(from, "cpu_seconds")) || !has_figures_only(usage))
		return wrong_account(error, at);
	if (json_object_set(row, "cpu_seconds", json_object_get(from, "cpu_seconds")) ||
	    json_array_append(json_object_get(row, "wait"), wait) ||
	    json_array_append(json_object_get(row, "usage"), usage))
		return fathom_error_no_memory(error);
	return 0;
}

static int add_accounts(json_t *accounts, const json_t *from, bool is_first,
			struct fathom_error *error)
{
	size_t count = json_array_size(from);

	if (!is_first && count != json_array_size(accounts))
		return wrong_account(error, count);
	for (size_t i = 0; i < count; i++) {
		const json_t *account = json_array_get(from, i);

		if (is_first && add_account(accounts, account, error))
			return -1;
		if (add_figures(json_array_get(accounts, i), account, i, error))
			return -1;
	}
	return 0;
}

static int compare_use(const void *x, const void *y)
{
	json_t *const *a = x, *const *b = y;
	double of_a = json_number_value(json_object_get(*a, "cpu_seconds"));
	double of_b = json_number_value(json_object_get(*b, "cpu_seconds"));

	return (of_a < of_b) - (of_a > of_b);
}

/* Returns the accounts, those that used most first. NULL: ENOMEM. */
static json_t *sort_accounts(const json_t *accounts)
{
	size_t count = json_array_size(accounts);
	json_t **account = calloc(count + 1, sizeof(json_t *)), *sorted = json_array();
	bool failed = !account || !sorted;

	for (size_t i = 0; !failed && i < count; i++)
		account[i] = json_array_get(accounts, i);
	if (!failed)
		qsort(account, count, sizeof(*account), compare_use);
	for (size_t i = 0; !failed && i < count; i++)
		failed = json_array_append(sorted, account[i]);
	free(account);
	if (!failed)
		return sorted;
	json_decref(sorted);
	return NULL;
}

/* ---- usage over time ------------------------------------------------------------------- */

/* How the usage of accounts fits the page. */
struct room {
	size_t accounts;	/* the first ones, whose usage is shown */
	size_t group;		/* how many times become one */
};

static size_t longest_series(const json_t *policies)
{
	size_t longest = 1;

	for (size_t i = 0; i < json_array_size(policies); i++) {
		const json_t *times = json_object_get(json_array_get(policies, i), "time");

		longest = json_array_size(times) > longest ? json_array_size(times) : longest;
	}
	return longest;
}

static struct room find_room(const json_t *policies, const json_t *accounts)
{
	size_t count = json_array_size(policies), longest = longest_series(policies);
	struct room room = { .accounts = json_array_size(accounts) };
	size_t waits = OF_WAIT * count * room.accounts;
	size_t points = waits < MOST_CHARACTERS ? (MOST_CHARACTERS - waits) / OF_POINT : 0;
	size_t fitting = points / (count * LEAST_POINTS), each;

	fitting = fitting < LEAST_ACCOUNTS ? LEAST_ACCOUNTS : fitting;
	room.accounts = room.accounts < fitting ? room.accounts : fitting;
	each = room.accounts ? points / (count * room.accounts) : longest;
	each = each < LEAST_POINTS ? LEAST_POINTS : each;
	room.group = (longest + each - 1) / each;
	return room;
}

/* Packs the usage of an account under all policies, in one unit. */
static int pack_account(json_t *account, size_t group, struct fathom_error *error)
{
	json_t *usage = json_object_get(account, "usage");
	double most = 0;

	for (size_t i = 0; i < json_array_size(usage); i++)
		most = fmax(most, series_most(json_array_get(usage, i), group));
	if (json_object_set_new(account, "most", json_real(most)))
		return fathom_error_no_memory(error);
	for (size_t i = 0; i < json_array_size(usage); i++) {
		json_t *packed = series_pack(json_array_get(usage, i), group, most);

		if (json_array_set_new(usage, i, packed))
			return fathom_error_no_memory(error);
	}
	return 0;
}

static int pack_usage(const json_t *policies, const json_t *accounts, const struct room *room,
		      struct fathom_error *error)
{
	for (size_t i = 0; i < json_array_size(policies); i++) {
		json_t *policy = json_array_get(policies, i);
		json_t *times = series_reduce(json_object_get(policy, "time"), room->group);

		if (json_object_set_new(policy, "time", times) ||
		    numbers_pack_key(policy, "time") || numbers_pack_key(policy, "quantiles"))
			return fathom_error_no_memory(error);
	}
	for (size_t i = 0; i < room->accounts; i++)
		if (pack_account(json_array_get(accounts, i), room->group, error))
			return -1;
	return 0;
}

/* ---- accounts as columns --------------------------------------------------------------- */

static const char *const numbers[] = { "share", "jobs", "cpu_seconds", "most" };

/* Returns the list of what the first accounts have under a key. NULL: ENOMEM. */
static json_t *make_column(const json_t *accounts, size_t count, const char *key)
{
	json_t *column = json_array();

	for (size_t i = 0; column && i < count; i++) {
		json_t *value = json_object_get(json_array_get(accounts, i), key);

		if (json_array_append_new(column, value ? json_incref(value) : json_null())) {
			json_decref(column);
			return NULL;
		}
	}
	return column;
}

/* Gives a policy its list of waits. */
static int add_waits(json_t *policy, const json_t *accounts, size_t which)
{
	json_t *waits = json_array();

	for (size_t i = 0; waits && i < json_array_size(accounts); i++) {
		json_t *wait = json_object_get(json_array_get(accounts, i), "wait");

		if (json_array_append(waits, json_array_get(wait, which))) {
			json_decref(waits);
			return -1;
		}
	}
	return json_object_set_new(policy, "wait", waits) ? -1 : numbers_pack_key(policy, "wait");
}

static int add_columns(json_t *columns, const json_t *accounts, const struct room *room)
{
	size_t count = json_array_size(accounts);

	if (json_object_set_new(columns, "account", make_column(accounts, count, "account")) ||
	    json_object_set_new(columns, "usage", make_column(accounts, room->accounts, "usage")))
		return -1;
	for (size_t i = 0; i < COUNT(numbers); i++)
		if (json_object_set_new(columns, numbers[i],
					make_column(accounts, count, numbers[i])) ||
		    numbers_pack_key(columns, numbers[i]))
			return -1;
	return 0;
}

/* Writes the accounts into the document as columns. */
static int put_columns(json_t *reduced, const json_t *accounts, const struct room *room,
		       struct fathom_error *error)
{
	const json_t *policies = json_object_get(reduced, "policies");
	json_t *columns = json_object_get(reduced, "accounts");
	int status = add_columns(columns, accounts, room);

	for (size_t i = 0; !status && i < json_array_size(policies); i++)
		status = add_waits(json_array_get(policies, i), accounts, i);
	return status ? fathom_error_no_memory(error) : 0;
}

/* ---- the document --------------------------------------------------------------------- */

static int add_sorted(json_t *reduced, const json_t *accounts, struct fathom_error *error)
{
	const json_t *policies = json_object_get(reduced, "policies");
	const struct room room = find_room(policies, accounts);
	json_t *sorted = sort_accounts(accounts);
	int status;

	if (!sorted)
		return fathom_error_no_memory(error);
	status = pack_usage(policies, sorted, &room, error) ||
			 put_columns(reduced, sorted, &room, error)
		 ? -1 : 0;
	json_decref(sorted);
	return status;
}

static int add_policies(json_t *reduced, const json_t *document, struct fathom_error *error)
{
	const json_t *from = json_object_get(document, "policies");
	json_t *policies = json_object_get(reduced, "policies"), *accounts = json_array();
	size_t count = json_array_size(from);
	int status = 0;

	if (!count)
		status = fathom_error_set(error, EINVAL, "has no policies");
	for (size_t i = 0; !status && i < count; i++) {
		const json_t *policy = json_array_get(from, i);
		const json_t *series = json_object_get(policy, "series");

		status = add_policy(policies, policy, error) ||
				 add_accounts(accounts, json_object_get(series, "accounts"), !i,
					      error)
			 ? -1 : 0;
	}
	if (!status)
		status = add_sorted(reduced, accounts, error);
	json_decref(accounts);
	return status;
}

static int add_trace(json_t *reduced, const json_t *document, struct fathom_error *error)
{
	const json_t *from = json_object_get(document, "trace");
	json_t *trace = json_object_get(reduced, "trace");
	json_t *scheduler = json_object_get(document, "scheduler");

	if (!json_is_object(from) || !json_is_string(scheduler))
		return fathom_error_set(error, EINVAL, "needs \"trace\" and \"scheduler\"");
	if (json_object_set(reduced, "scheduler", scheduler))
		return fathom_error_no_memory(error);
	for (size_t i = 0; i < COUNT(trace_keys); i++) {
		json_t *value = json_object_get(from, trace_keys[i]);

		if (value && json_object_set(trace, trace_keys[i], value))
			return fathom_error_no_memory(error);
	}
	return 0;
}

static json_t *reduce_replay(const json_t *document, struct fathom_error *error)
{
	json_t *reduced = json_pack("{s:s, s:{}, s:[], s:{}}", "format", report_format_replay.name,
				    "trace", "policies", "accounts");

	if (!reduced)
		fathom_error_no_memory(error);
	else if (!add_trace(reduced, document, error) && !add_policies(reduced, document, error))
		return reduced;
	json_decref(reduced);
	return NULL;
}

const struct report_format report_format_replay = {
	.name = "fathom-replay",
	.version = 1,
	.reduce = reduce_replay,
};
