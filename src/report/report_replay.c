/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes from what `fathom replay --json` prints what the page shows: figures of each policy, and
 * accounts with a figure for each policy. The accounts that used most come first. Usage over time
 * has as many points as fit a page.
 */
#include "report/report_documents.h"

#include "core/error.h"
#include "report/report_series.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_POINTS 240000	/* of usage over time, of all accounts under all policies */
#define LEAST_POINTS 12		/* of an account under a policy */

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

/* Returns how many times of a policy become one, so that all accounts fit. */
static size_t group_size(const json_t *policies, const json_t *accounts)
{
	size_t series = json_array_size(policies) * json_array_size(accounts), longest = 1;
	size_t room = series ? MOST_POINTS / series : MOST_POINTS;

	for (size_t i = 0; i < json_array_size(policies); i++) {
		const json_t *times = json_object_get(json_array_get(policies, i), "time");

		longest = json_array_size(times) > longest ? json_array_size(times) : longest;
	}
	room = room < LEAST_POINTS ? LEAST_POINTS : room;
	return (longest + room - 1) / room;
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

static int pack_usage(const json_t *reduced, struct fathom_error *error)
{
	const json_t *policies = json_object_get(reduced, "policies");
	const json_t *accounts = json_object_get(reduced, "accounts");
	size_t group = group_size(policies, accounts);

	for (size_t i = 0; i < json_array_size(policies); i++) {
		json_t *policy = json_array_get(policies, i);

		if (json_object_set_new(policy, "time",
					series_reduce(json_object_get(policy, "time"), group)))
			return fathom_error_no_memory(error);
	}
	for (size_t i = 0; i < json_array_size(accounts); i++)
		if (pack_account(json_array_get(accounts, i), group, error))
			return -1;
	return 0;
}

/* ---- the document --------------------------------------------------------------------- */

static int add_policies(json_t *reduced, const json_t *document, struct fathom_error *error)
{
	const json_t *from = json_object_get(document, "policies");
	json_t *policies = json_object_get(reduced, "policies");
	json_t *accounts = json_object_get(reduced, "accounts"), *sorted;
	size_t count = json_array_size(from);

	if (!count)
		return fathom_error_set(error, EINVAL, "has no policies");
	for (size_t i = 0; i < count; i++) {
		const json_t *policy = json_array_get(from, i);
		const json_t *series = json_object_get(policy, "series");

		if (add_policy(policies, policy, error) ||
		    add_accounts(accounts, json_object_get(series, "accounts"), !i, error))
			return -1;
	}
	sorted = sort_accounts(accounts);
	if (!sorted || json_object_set_new(reduced, "accounts", sorted))
		return fathom_error_no_memory(error);
	return pack_usage(reduced, error);
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
	json_t *reduced = json_pack("{s:s, s:{}, s:[], s:[]}", "format", report_format_replay.name,
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
