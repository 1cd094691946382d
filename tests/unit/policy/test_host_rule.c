/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One order of those of several host partitions. */
#include "../unit.h"

#include "policy/host_rule.h"

/* Orders of up to three host partitions, with a blank between them. A capital letter: its user has
 * no shares there. */
static const struct { const char *orders, *worst, *best; } cases[] = {
	{ "bac cba", "bca", "bca" },	/* numbers 2 3 3, and 1 1 2 */
	{ "abc", "abc", "abc" },
	{ "ab cd", "acbd", "acbd" },
	{ "abcd d", "abcd", "adbc" },
	{ "abcd abD", "abcd", "abcd" },	/* not behind c */
	{ "ab Cd", "acbd", "acbd" },
	{ "abc cab bca", "cba", "acb" },
};

/* The order by a rule, in small letters. */
static const char *merge(enum host_rule rule, const char *orders, char *text)
{
	struct hosted_job list[16];
	size_t count = 0, scope = 0, length = 0;

	for (; *orders; orders++)
		if (*orders == ' ')
			scope++;
		else {
			list[count] = (struct hosted_job){
				.index = count, .job = (size_t)*orders | 32, .scope = scope,
				.may_start = *orders & 32, .place = count };
			count++;
		}
	ck_assert_int_eq (host_rule_merge (rule, list, count, scope + 1), 0);
	for (size_t i = 0; i < count; i++) {
		ck_assert_uint_le (list[i].place, length + 1);
		if (list[i].place > length)
			text[length++] = (char)list[i].job;
	}
	text[length] = '\0';
	return text;
}

TEST_EACH (orders_of_host_partitions_become_one, cases)
{
	char text[16];

	ck_assert_str_eq (merge (HOST_RULE_WORST, cases[_i].orders, text), cases[_i].worst);
	ck_assert_str_eq (merge (HOST_RULE_BEST, cases[_i].orders, text), cases[_i].best);
}

TEST (rule_prefers_a_factor)
{
	ck_assert (host_rule_prefers (HOST_RULE_BEST, .5, .4));
	ck_assert (!host_rule_prefers (HOST_RULE_BEST, .4, .5));
	ck_assert (host_rule_prefers (HOST_RULE_WORST, .4, .5));
	ck_assert (!host_rule_prefers (HOST_RULE_WORST, .5, .4));
	ck_assert (!host_rule_prefers (HOST_RULE_FIRST, .4, .5));
	ck_assert (host_rule_prefers (HOST_RULE_FIRST, 0, -1));	/* no shares in the other */
	ck_assert (!host_rule_prefers (HOST_RULE_WORST, -1, .5));
}
