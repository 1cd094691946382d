/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random trees with names, for tests of what is computed for the command. */
#pragma once

#include "../unit.h"
#include "evaluate/explain.h"

#define CASE_MOST_ROWS 40

/* A tree whose users are named u1, u2 ... and whose accounts a0 (the root), a1 ... by row. */
struct random_case {
	uint64_t seed;
	struct unit_random random;
	struct fathom_row rows[CASE_MOST_ROWS];
	size_t count;
	struct snapshot snapshot;
	struct evaluated_tree evaluated;
	struct explained_tree tree;
};

/* Draws a tree with at least two users and evaluates it under the policy with its default settings,
 * or with `setting`, "name=value". */
void random_case_create(struct random_case *drawn, uint64_t seed,
			const struct fathom_policy *policy, const char *setting);
void random_case_clear(struct random_case *drawn);
/* Draws a user's node. */
size_t random_case_user(struct random_case *drawn);
