/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the unit tests share: trees written as semantics.md writes them. */
#pragma once

#include "../suite.h"
#include "fathom.h"
#include "policy/settings_layout.h"

#include <check.h>

#define UNIT_TOLERANCE 1e-9	/* vectors carry nine decimals */

struct unit_tree {
	struct fathom_row *rows;	/* row 0 is the root, ids are rows + 1 */
	char (*names)[16];
	size_t count;
	struct fathom_tree *tree;
};

/*
 * "A 1 (a1 1/10, P parent (a2 1/0), E 1 ()), u parent/5": children of the root
 * as `name shares[/usage]`, an account followed by its children in
 * parentheses. "/300; A 1 (...)" gives the root 300 of its own. Ends the test
 * if the text or the tree is wrong. The test's end frees it, as what unit_evaluate() returns.
 */
struct unit_tree unit_tree_read(const char *text);
/* Returns this notation of any rows with a parent before its children. */
char *unit_tree_text(const struct fathom_row *rows, size_t count);

size_t unit_node(const struct unit_tree *tree, const char *name);

/* `setting` is "name=value" or NULL. */
struct fathom_settings unit_settings(const struct fathom_policy *policy, const char *setting);
struct fathom_result *unit_evaluate(const struct fathom_tree *tree, const char *policy,
				    const char *setting);
/* A column of the policy's own, by its JSON key. */
const double *unit_column(const struct fathom_result *result, const char *policy,
			  const char *name);

/* The trees of semantics.md's vectors. */
#define UNIT_C1 "/300; A 40 (B 30 (user1 1/200), C 10 (user2 1/250, user3 1/0)), " \
		"D 60 (E 25 (user4 1/250), F 35 (user5 1/0))"
#define UNIT_C2 "A 60 (P parent (u1 10/100, u2 parent/50), u3 30/50), B 40 (u4 1/200, z 0/0), " \
		"u5 parent/0"
#define UNIT_D1 "A 60 (A1 50 (A11 30 (u1 1/5, u2 3/45), A12 70 (u3 2/100, u4 2/0)), " \
		"A2 50 (u5 1/250)), B 40 (u6 5/400, u7 5/200)"

/* NAN equals NAN and infinity infinity; else within UNIT_TOLERANCE. */
void unit_assert_near(double value, double expected, const char *what, const char *node);
bool unit_equal_or_nan(double a, double b);

/* A generator of its own: the same numbers on every machine. */
struct unit_random { uint64_t state; };
uint64_t unit_random(struct unit_random *random);
uint32_t unit_random_below(struct unit_random *random, uint32_t limit);
double unit_random_real(struct unit_random *random);	/* 0 <= x < 1 */

/* To its end the test writes 2,5; false where localedef is missing. */
bool unit_use_decimal_comma(void);
