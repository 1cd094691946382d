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

/* Figures of accounts that are columns of the document. */
static const char *const numbers[] = { "share", "jobs", "cpu_seconds" };

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

/* Returns the accounts of a policy of the document. */
static const json_t *accounts_of(const json_t *from, size_t policy)
{
	const json_t *series = json_object_get(json_array_get(from, policy), "series");

	return json_object_get(series, "accounts");
}

/* Checks the accounts of a policy, which must be those of the first. from: the document's
 * "policies". */
static void check_accounts(struct document *input, const json_t *from, size_t policy)
{
	const json_t *first = accounts_of(from, 0), *accounts = accounts_of(from, policy);

	if (json_array_size(accounts) != json_array_size(first))
		wrong_account(input, json_array_size(accounts));
	for (size_t i = 0; i < json_array_size(accounts); i++) {
		const json_t *account = json_array_get(accounts, i);
		const json_t *name = json_object_get(account, "account");
		bool is_same = json_is_string(name) &&
			       json_equal(name, json_object_get(json_array_get(first, i),
								"account"));
		bool has_figures = is_figure(json_object_get(account, "share")) &&
				   is_figure(json_object_get(account, "mean_wait")) &&
				   json_is_number(json_object_get(account, "cpu_seconds")) &&
				   numbers_only(json_object_get(account, "usage"));

		if (!is_same || !has_figures)
			wrong_account(input, i);
	}
}

/* An account, as the page orders them. */
struct ranked {
	double use;		/* CPU seconds */
	size_t at;		/* index in the lists of accounts */
};

/* For qsort(): those that used most come first; of equal ones the first. */
static int compare_use(const void *x, const void *y)
{
	const struct ranked *a = x, *b = y;

	if (a->use != b->use)
		return a->use > b->use ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

/* Returns the accounts of a policy in the order of the page. */
static struct ranked *rank_accounts(const json_t *accounts)
{
	size_t count = json_array_size(accounts);
	struct ranked *order = need_zeros(count, sizeof(*order));

	for (size_t i = 0; i < count; i++) {
		const json_t *use = json_object_get(json_array_get(accounts, i), "cpu_seconds");

		order[i] = (struct ranked){ json_number_value(use), i };
	}
	qsort(order, count, sizeof(*order), compare_use);
	return order;
}

/* Adds to an object, under a key, the list of what accounts have under the key `member`, in the
 * order of the page; null for an account that lacks it. */
static void add_column(json_t *to, const char *key, const json_t *accounts, const char *member,
		       const struct ranked *order)
{
	json_t *column = need_made(json_array());

	for (size_t i = 0; i < json_array_size(accounts); i++) {
		json_t *value = json_object_get(json_array_get(accounts, order[i].at), member);

		need_done(json_array_append_new(column, value ? json_incref(value) : json_null()));
	}
	need_done(json_object_set_new(to, key, column));
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
	size_t waits = OF_WAIT * count * room.accounts;		/* characters */
	size_t points = waits < MOST_CHARACTERS ? (MOST_CHARACTERS - waits) / OF_POINT : 0;
	size_t fitting = points / (count * LEAST_POINTS);	/* accounts with LEAST_POINTS */
	size_t points_each;					/* of an account under a policy */

	fitting = fitting < LEAST_ACCOUNTS ? LEAST_ACCOUNTS : fitting;
	room.accounts = room.accounts < fitting ? room.accounts : fitting;
	points_each = room.accounts ? points / (count * room.accounts) : longest;
	points_each = points_each < LEAST_POINTS ? LEAST_POINTS : points_each;
	room.group = (longest + points_each - 1) / points_each;		/* rounded up */
	return room;
}

/* Returns the usage of account `at` under all policies as a list of texts, which have the same
 * *most. */
static json_t *pack_usage(const json_t *from, size_t at, size_t group, double *most)
{
	json_t *usage = need_made(json_array());

	*most = 0;
	for (size_t i = 0; i < json_array_size(from); i++) {
		const json_t *account = json_array_get(accounts_of(from, i), at);
		json_t *points = reduce_series(json_object_get(account, "usage"), group);

		for (size_t j = 0; j < json_array_size(points); j++)
			*most = fmax(*most, json_number_value(json_array_get(points, j)));
		need_done(json_array_append_new(usage, points));
	}
	for (size_t i = 0; i < json_array_size(usage); i++)
		need_done(json_array_set_new(usage, i,
					     pack_series(json_array_get(usage, i), *most)));
	return usage;
}

/* Sets the usage of the first accounts, as many as have room; and adds "most", the greatest point
 * of each account, null for the others. */
static void add_usage(json_t *columns, const json_t *from, const struct ranked *order,
		      const struct room *room)
{
	json_t *usage = json_object_get(columns, "usage"), *list = need_made(json_array());
	double most;

	for (size_t i = 0; i < room->accounts; i++) {
		need_done(json_array_append_new(usage, pack_usage(from, order[i].at, room->group,
								  &most)));
		need_done(json_array_append_new(list, json_real(most)));
	}
	for (size_t i = room->accounts; i < json_array_size(accounts_of(from, 0)); i++)
		need_done(json_array_append_new(list, json_null()));
	need_done(json_object_set_new(columns, "most", list));
	numbers_pack_key(columns, "most");
}

/* ---- the document --------------------------------------------------------------------- */

/* Adds the accounts as columns. Packs the times of each policy, which are reduced as usage is, its
 * quantiles, and the waits of accounts. cpu_seconds are those of the last policy. */
static void put_columns(json_t *reduced, const json_t *from)
{
	const json_t *policies = json_object_get(reduced, "policies");
	json_t *columns = json_object_get(reduced, "accounts");
	const json_t *first = accounts_of(from, 0);
	const json_t *last = accounts_of(from, json_array_size(from) - 1);
	const struct ranked *order = rank_accounts(last);
	const struct room room = find_room(policies, first);

	add_column(columns, "account", first, "account", order);
	need_done(json_object_set_new(columns, "usage", json_array()));
	add_column(columns, "share", first, "share", order);
	add_column(columns, "jobs", first, "jobs", order);
	add_column(columns, "cpu_seconds", last, "cpu_seconds", order);
	for (size_t i = 0; i < COUNT(numbers); i++)
		numbers_pack_key(columns, numbers[i]);
	add_usage(columns, from, order, &room);
	for (size_t i = 0; i < json_array_size(policies); i++) {
		json_t *policy = json_array_get(policies, i);
		json_t *times = reduce_series(json_object_get(policy, "time"), room.group);

		need_done(json_object_set_new(policy, "time", times));
		add_column(policy, "wait", accounts_of(from, i), "mean_wait", order);
		numbers_pack_key(policy, "time");
		numbers_pack_key(policy, "quantiles");
		numbers_pack_key(policy, "wait");
	}
}

/* Adds "policies", "weeks", "users" and "accounts". */
static void add_policies(struct document *input, json_t *reduced, const json_t *document)
{
	const json_t *from = json_object_get(document, "policies");
	json_t *policies = json_object_get(reduced, "policies");
	size_t count = json_array_size(from);

	if (!count)
		wrong_at(input, 0, "has no policies");
	for (size_t i = 0; i < count; i++) {
		add_policy(input, policies, json_array_get(from, i));
		check_accounts(input, from, i);
	}
	need_done(json_object_set_new(reduced, "weeks", json_integer((json_int_t)weeks_find_best(
		input, from, policies))));
	users_add(input, from, reduced);
	put_columns(reduced, from);
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
