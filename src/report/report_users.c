/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the users whose waits change most from one replay to another. */
#include "report/report_private.h"

#include <stdlib.h>

#define MOST_USERS 1000
#define MOST_WAITS 50000	/* of all users under all policies */

struct user {
	const json_t *first;	/* the user's object under the first policy */
	size_t at;		/* index in the list "users" of each policy */
	double change;		/* seconds: the greatest difference of mean waits, times its jobs */
};

/* Says that user `at` of a policy is wrong, and does not return. */
static _Noreturn void wrong_user(struct document *input, size_t at)
{
	wrong_at(input, 0, "users[%zu]: must be the same for each policy, and as 'fathom replay "
		 "--json' prints it", at);
}

/* Returns the users of a policy of the document; NULL: it has none. */
static const json_t *users_of(const json_t *from, size_t policy)
{
	return json_object_get(json_array_get(from, policy), "users");
}

/* Returns whether two objects have the same text under a key. */
static bool have_same_text(const json_t *one, const json_t *other, const char *key)
{
	const json_t *text = json_object_get(one, key);

	return json_is_string(text) && json_equal(text, json_object_get(other, key));
}

/* Returns the user's mean wait under a policy, in seconds. Fails, as wrong_user() does, if the user
 * is another one there than under the first policy. */
static double wait_of(struct document *input, const json_t *from, size_t policy,
		      const struct user *user)
{
	const json_t *object = json_array_get(users_of(from, policy), user->at);
	const json_t *wait = json_object_get(object, "mean_wait");
	bool is_same = have_same_text(object, user->first, "user") &&
		       have_same_text(object, user->first, "account");

	if (!is_same || !json_is_number(wait) || !json_is_number(json_object_get(object, "jobs")))
		wrong_user(input, user->at);
	return json_number_value(wait);
}

/* For qsort(): the greatest change comes first; equal ones as in the document. */
static int compare_changes(const void *x, const void *y)
{
	const struct user *a = x, *b = y;

	if (a->change != b->change)
		return (a->change < b->change) - (a->change > b->change);
	return (a->at > b->at) - (a->at < b->at);
}

/* Returns the first `count` users, sorted by compare_changes(). */
static struct user *sort_users(struct document *input, const json_t *from, size_t count)
{
	struct user *user = need_zeros(count, sizeof(*user));

	for (size_t i = 0; i < count; i++) {
		double first, jobs;

		user[i] = (struct user){ json_array_get(users_of(from, 0), i), i, 0 };
		first = wait_of(input, from, 0, &user[i]);
		jobs = json_number_value(json_object_get(user[i].first, "jobs"));
		for (size_t policy = 1; policy < json_array_size(from); policy++)
			user[i].change = fmax(user[i].change, jobs * fabs(
				wait_of(input, from, policy, &user[i]) - first));
	}
	qsort(user, count, sizeof(*user), compare_changes);
	return user;
}

/* Adds a user with its waits under all policies to the reduced list. */
static void add_user(struct document *input, const json_t *from, const struct user *user,
		     json_t *users)
{
	json_t *waits = need_made(json_array());

	for (size_t i = 0; i < json_array_size(from); i++)
		need_done(json_array_append_new(waits, json_real(wait_of(input, from, i, user))));
	need_done(json_array_append_new(users, json_pack(
		"{s:O, s:O, s:O, s:o}", "user", json_object_get(user->first, "user"), "account",
		json_object_get(user->first, "account"), "jobs",
		json_object_get(user->first, "jobs"), "wait", waits)));
}

void users_add(struct document *input, const json_t *from, json_t *reduced)
{
	size_t policies = json_array_size(from), count = json_array_size(users_of(from, 0));
	size_t most = MOST_WAITS / policies < MOST_USERS ? MOST_WAITS / policies : MOST_USERS;
	json_t *users = need_made(json_array());
	struct user *user;

	for (size_t i = 1; i < policies; i++)
		if (json_array_size(users_of(from, i)) != count)
			wrong_user(input, count);
	user = sort_users(input, from, policies > 1 ? count : 0);
	for (size_t i = 0; i < count && policies > 1 && i < most; i++)
		add_user(input, from, &user[i], users);
	need_done(json_object_set_new(reduced, "users", users));
}
