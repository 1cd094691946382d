/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes from what `fathom replay --json` prints what the page shows: figures of each policy, and
 * accounts with a figure for each policy. The accounts that used most come first. Usage over time
 * has as many points as fit a page.
 */
#include "report/report_private.h"

#include <stdlib.h>

#define MOST_CHARACTERS 480000	/* of waits and usage of all accounts under all policies */
#define OF_WAIT 3		/* characters of a wait, see report_numbers.c */
#define OF_POINT 2		/* characters of a point of usage */
#define LEAST_POINTS 12		/* of an account under a policy */
#define SERIES_STEPS 4095	/* the greatest number of two digits in base 64 */
#define LEAST_ACCOUNTS 24	/* that have usage over time */

/* Figures of a policy that are numbers, or null. */
static const char *const figures[] = {
	"jobs", "mean_wait", "median_wait", "p95_wait", "longest_wait", "mean_bounded_slowdown",
	"utilization", "makespan", "share_error", "jain", "below_share",
};

/* Members of "trace" that the page shows, if the document has them. */
static const char *const trace_keys[] = { "name", "jobs", "users", "accounts", "cpus", "skipped",
					  "epoch", "shares" };

#define COUNT(list) (sizeof(list) / sizeof(*(list)))

/* Returns whether a value is a number or null; false also for NULL. */
static bool is_figure(const json_t *value)
{
	return json_is_number(value) || json_is_null(value);
}

/* ---- a policy ------------------------------------------------------------------------- */

/* Says what is wrong with element `at` of "policies", and does not return. */
static _Noreturn void wrong_policy(struct document *input, size_t at, const char *what)
{
	wrong_at(input, 0, "policies[%zu]: %s", at, what);
}

/* Adds what the page needs of a policy to `policies`: {"name", "settings", the figures,
 * "quantiles": [...], "time": [...]}. from: the policy in the document. */
static void add_policy(struct document *input, json_t *policies, const json_t *from)
{
	size_t at = json_array_size(policies);
	json_t *name, *quantiles, *times;
	json_error_t unpacked;
	json_t *policy;

	if (json_unpack_ex((json_t *)from, &unpacked, 0, "{s:o, s:o, s:{s:o}}", "name", &name,
			   "wait_quantiles", &quantiles, "series", "time", &times))
		wrong_policy(input, at, unpacked.text);
	if (!json_is_string(name) || !numbers_only(quantiles) || !numbers_only(times))
		wrong_policy(input, at, "must be as 'fathom replay --json' prints it");
	policy = need_made(json_pack("{s:O, s:O*, s:O*, s:O*, s:O*, s:O, s:O}", "name", name,
				     "policy", json_object_get(from, "policy"), "scheduler",
				     json_object_get(from, "scheduler"), "settings",
				     json_object_get(from, "settings"), "half_life",
				     json_object_get(from, "half_life"), "quantiles", quantiles,
				     "time", times));
	need_done(json_array_append_new(policies, policy));
	for (size_t i = 0; i < COUNT(figures); i++) {
		json_t *figure = json_object_get(from, figures[i]);

		if (!is_figure(figure))
			wrong_policy(input, at, "its figures must be numbers");
		need_done(json_object_set(policy, figures[i], figure));
	}
}

/* ---- accounts ------------------------------------------------------------------------- */

/* Says that account `at` of a policy is wrong, and does not return. */
static _Noreturn void wrong_account(struct document *input, size_t at)
{
	wrong_at(input, 0, "accounts[%zu]: must be the same for each policy, and as 'fathom replay "
		 "--json' prints it", at);
}

/* Adds a row for an account, without figures of policies. from: the account under the first
 * policy. */
static void add_account(json_t *accounts, const json_t *from)
{
	need_done(json_array_append_new(accounts, json_pack(
		"{s:O*, s:O*, s:O*, s:[], s:[]}", "account", json_object_get(from, "account"),
		"share", json_object_get(from, "share"), "jobs", json_object_get(from, "jobs"),
		"wait", "usage")));
}

/* Adds the figures of an account under one policy to its row. at: its index, for errors.
 * cpu_seconds is replaced each time: those of the last policy stay. */
static void add_figures(struct document *input, json_t *row, const json_t *from, size_t at)
{
	json_t *account = json_object_get(from, "account");
	json_t *wait = json_object_get(from, "mean_wait"), *usage = json_object_get(from, "usage");

	if (!json_is_string(account) || !json_equal(account, json_object_get(row, "account")) ||
	    !is_figure(json_object_get(from, "share")) || !is_figure(wait) ||
	    !json_is_number(json_object_get(from, "cpu_seconds")) || !numbers_only(usage))
		wrong_account(input, at);
	need_done(json_object_set(row, "cpu_seconds", json_object_get(from, "cpu_seconds")) ||
		  json_array_append(json_object_get(row, "wait"), wait) ||
		  json_array_append(json_object_get(row, "usage"), usage));
}

/* Adds the accounts of one policy to the rows. is_first: it is the first policy, which makes the
 * rows; others must have the same accounts. */
static void add_accounts(struct document *input, json_t *accounts, const json_t *from,
			 bool is_first)
{
	size_t count = json_array_size(from);

	if (!is_first && count != json_array_size(accounts))
		wrong_account(input, count);
	for (size_t i = 0; i < count; i++) {
		const json_t *account = json_array_get(from, i);

		if (is_first)
			add_account(accounts, account);
		add_figures(input, json_array_get(accounts, i), account, i);
	}
}

/* For qsort(): those that used most come first. */
static int compare_use(const void *x, const void *y)
{
	json_t *const *a = x, *const *b = y;
	double of_a = json_number_value(json_object_get(*a, "cpu_seconds"));
	double of_b = json_number_value(json_object_get(*b, "cpu_seconds"));

	return (of_a < of_b) - (of_a > of_b);
}

/* Returns a new list of the accounts; those that used most come first. */
static json_t *sort_accounts(const json_t *accounts)
{
	size_t count = json_array_size(accounts);
	json_t **account = need_zeros(count, sizeof(*account)), *sorted = need_made(json_array());

	for (size_t i = 0; i < count; i++)
		account[i] = json_array_get(accounts, i);
	qsort(account, count, sizeof(*account), compare_use);
	for (size_t i = 0; i < count; i++)
		need_done(json_array_append(sorted, account[i]));
	return sorted;
}

/* ---- usage over time ------------------------------------------------------------------- */

/*
 * Usage over time of many accounts, as short as a page needs it. Each `group` values that follow
 * each other become one point, their mean. A point is two digits in base 64, with the alphabet of
 * RFC 4648: 0 to 4095 times most / 4095, where `most` is the greatest point of the account. "--" is
 * a point that is not known. Example, group 2, most 0.5:
 *
 *	values	0.4 0.6 0 0 null	means 0.5, 0, null	text "//AA--"
 */

/* Returns the points of a list as numbers and nulls. The last group may be shorter than the
 * others. */
static json_t *reduce_series(const json_t *values, size_t group)
{
	json_t *means = need_made(json_array());

	for (size_t i = 0; i < json_array_size(values);) {
		size_t known = 0, end = i + group;
		double sum = 0;

		for (; i < end && i < json_array_size(values); i++) {
			const json_t *value = json_array_get(values, i);

			sum += json_number_value(value);
			known += json_is_number(value);
		}
		need_done(json_array_append_new(means, known && isfinite(sum)
							       ? json_real(sum / (double)known)
							       : json_null()));
	}
	return means;
}

/* Returns points as a text. most: the greatest point; 0: all are 0 or not known. */
static json_t *pack_series(const json_t *points, double most)
{
	size_t count = json_array_size(points);
	char *text = need_zeros(2 * count, 1);
	json_t *packed;

	memset(text, '-', 2 * count);
	for (size_t i = 0; i < count; i++) {
		const json_t *point = json_array_get(points, i);
		double part = json_number_value(point) / (most > 0 ? most : 1);
		unsigned int step = (unsigned int)lround(SERIES_STEPS * fmin(fmax(part, 0), 1));

		if (!json_is_number(point))
			continue;
		text[2 * i] = numbers_digit(step / 64);
		text[2 * i + 1] = numbers_digit(step);
	}
	packed = need_made(json_stringn(text, 2 * count));
	need_free(text);
	return packed;
}

/* How the usage of accounts fits the page. */
struct room {
	size_t accounts;	/* so many accounts, the first ones, have usage */
	size_t group;		/* so many values become one point */
};

/* Returns the most values that the usage of an account has under a policy; at least 1. */
static size_t longest_series(const json_t *policies)
{
	size_t longest = 1;

	for (size_t i = 0; i < json_array_size(policies); i++) {
		const json_t *times = json_object_get(json_array_get(policies, i), "time");

		longest = json_array_size(times) > longest ? json_array_size(times) : longest;
	}
	return longest;
}

/* Chooses how many accounts have usage and how many points, so that they fit MOST_CHARACTERS beside
 * the waits: first fewer points, at least LEAST_POINTS; then fewer accounts, at least
 * LEAST_ACCOUNTS. */
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

/* Packs the usage of an account under all policies; all texts have the same `most`, which becomes a
 * member of the account. */
static void pack_account(json_t *account, size_t group)
{
	json_t *usage = json_object_get(account, "usage");
	double most = 0;

	for (size_t i = 0; i < json_array_size(usage); i++) {
		json_t *points = reduce_series(json_array_get(usage, i), group);

		for (size_t j = 0; j < json_array_size(points); j++)
			most = fmax(most, json_number_value(json_array_get(points, j)));
		need_done(json_array_set_new(usage, i, points));
	}
	need_done(json_object_set_new(account, "most", json_real(most)));
	for (size_t i = 0; i < json_array_size(usage); i++)
		need_done(json_array_set_new(usage, i,
					     pack_series(json_array_get(usage, i), most)));
}

/* Packs the times of each policy, which are reduced as usage is, its quantiles, and the usage of
 * accounts. */
static void pack_usage(const json_t *policies, const json_t *accounts, const struct room *room)
{
	for (size_t i = 0; i < json_array_size(policies); i++) {
		json_t *policy = json_array_get(policies, i);
		json_t *times = reduce_series(json_object_get(policy, "time"), room->group);

		need_done(json_object_set_new(policy, "time", times));
		numbers_pack_key(policy, "time");
		numbers_pack_key(policy, "quantiles");
	}
	for (size_t i = 0; i < room->accounts; i++)
		pack_account(json_array_get(accounts, i), room->group);
}

/* ---- accounts as columns --------------------------------------------------------------- */

/* Members of an account that are numbers or null. */
static const char *const numbers[] = { "share", "jobs", "cpu_seconds", "most" };

/* Adds a list of what the first `count` accounts have under a key; null if they lack it. */
static void add_column(json_t *columns, const json_t *accounts, size_t count, const char *key)
{
	json_t *column = need_made(json_array());

	for (size_t i = 0; i < count; i++) {
		json_t *value = json_object_get(json_array_get(accounts, i), key);

		need_done(json_array_append_new(column, value ? json_incref(value) : json_null()));
	}
	need_done(json_object_set_new(columns, key, column));
}

/* Gives policy `number` the list of the accounts' waits under it. */
static void add_waits(json_t *policy, const json_t *accounts, size_t number)
{
	json_t *waits = need_made(json_array());

	for (size_t i = 0; i < json_array_size(accounts); i++) {
		json_t *wait = json_object_get(json_array_get(accounts, i), "wait");

		need_done(json_array_append(waits, json_array_get(wait, number)));
	}
	need_done(json_object_set_new(policy, "wait", waits));
	numbers_pack_key(policy, "wait");
}

/* Writes the accounts into the document as columns. */
static void put_columns(json_t *reduced, const json_t *accounts, const struct room *room)
{
	const json_t *policies = json_object_get(reduced, "policies");
	json_t *columns = json_object_get(reduced, "accounts");
	size_t count = json_array_size(accounts);

	add_column(columns, accounts, count, "account");
	add_column(columns, accounts, room->accounts, "usage");
	for (size_t i = 0; i < COUNT(numbers); i++) {
		add_column(columns, accounts, count, numbers[i]);
		numbers_pack_key(columns, numbers[i]);
	}
	for (size_t i = 0; i < json_array_size(policies); i++)
		add_waits(json_array_get(policies, i), accounts, i);
}

/* ---- the document --------------------------------------------------------------------- */

/* Adds "policies", "weeks", "users" and "accounts". */
static void add_policies(struct document *input, json_t *reduced, const json_t *document)
{
	const json_t *from = json_object_get(document, "policies");
	json_t *policies = json_object_get(reduced, "policies"), *accounts = json_array();
	size_t count = json_array_size(from);
	struct room room;

	if (!count)
		wrong_at(input, 0, "has no policies");
	for (size_t i = 0; i < count; i++) {
		const json_t *policy = json_array_get(from, i);
		const json_t *series = json_object_get(policy, "series");

		add_policy(input, policies, policy);
		add_accounts(input, accounts, json_object_get(series, "accounts"), !i);
	}
	need_done(json_object_set_new(reduced, "weeks", json_integer((json_int_t)weeks_find_best(
		input, from, policies))));
	users_add(input, from, reduced);
	room = find_room(policies, accounts);
	accounts = sort_accounts(accounts);
	pack_usage(policies, accounts, &room);
	put_columns(reduced, accounts, &room);
}

/* Adds "trace" and "scheduler". */
static void add_trace(struct document *input, json_t *reduced, const json_t *document)
{
	const json_t *from = json_object_get(document, "trace");
	json_t *trace = json_object_get(reduced, "trace");
	json_t *scheduler = json_object_get(document, "scheduler");

	if (!json_is_object(from) || !json_is_string(scheduler))
		wrong_at(input, 0, "needs \"trace\" and \"scheduler\"");
	need_done(json_object_set(reduced, "scheduler", scheduler));
	for (size_t i = 0; i < COUNT(trace_keys); i++) {
		json_t *value = json_object_get(from, trace_keys[i]);

		if (value)
			need_done(json_object_set(trace, trace_keys[i], value));
	}
}

json_t *reduce_replay(struct document *input, const json_t *document)
{
	json_t *reduced = need_made(json_pack("{s:s, s:{}, s:[], s:{}}", "format",
					      "fathom-replay", "trace", "policies",
					      "accounts"));

	add_trace(input, reduced, document);
	add_policies(input, reduced, document);
	return reduced;
}
