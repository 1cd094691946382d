/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "random_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_SIZE 8

static uint32_t below(struct random_case *drawn, uint32_t limit)
{
	return unit_random_below(&drawn->random, limit);
}

static uint32_t draw_shares(struct random_case *drawn)
{
	if (!below(drawn, 12))
		return FATHOM_SHARES_PARENT;
	return below(drawn, 12) ? 1 + below(drawn, 20) : 0;
}

/* Usage of any magnitude, and none for every fourth. */
static double draw_usage(struct random_case *drawn)
{
	static const double scale[] = { 10, 1000, 1e7 };

	return below(drawn, 4) ? unit_random_real(&drawn->random) * scale[below(drawn, 3)] : 0;
}

static void add_row(struct random_case *drawn, int64_t parent, enum fathom_kind kind)
{
	drawn->rows[drawn->count] = (struct fathom_row){
		.id = (int64_t)drawn->count + 1, .parent_id = parent, .kind = kind,
		.is_root = !drawn->count, .raw_shares = draw_shares(drawn),
		.usage = kind == FATHOM_USER || !below(drawn, 8) ? draw_usage(drawn) : 0,
	};
	drawn->count++;
}

static int64_t draw_account(struct random_case *drawn)
{
	size_t row;

	do
		row = below(drawn, (uint32_t)drawn->count);
	while (drawn->rows[row].kind != FATHOM_ACCOUNT);
	return drawn->rows[row].id;
}

static void draw_rows(struct random_case *drawn)
{
	size_t count = 4 + below(drawn, CASE_MOST_ROWS - 8);

	add_row(drawn, 0, FATHOM_ACCOUNT);
	while (drawn->count < count)
		add_row(drawn, draw_account(drawn), below(drawn, 3) ? FATHOM_USER : FATHOM_ACCOUNT);
	for (int i = 0; i < 2; i++)
		add_row(drawn, draw_account(drawn), FATHOM_USER);
}

static void name_nodes(struct random_case *drawn)
{
	struct snapshot *snapshot = &drawn->snapshot;

	snapshot->text = calloc(drawn->count, NAME_SIZE);
	snapshot->name = calloc(drawn->count, sizeof(*snapshot->name));
	snapshot->partition = calloc(drawn->count, sizeof(*snapshot->partition));
	for (size_t row = 0; row < drawn->count; row++) {
		size_t node = fathom_tree_node_of_row(snapshot->tree, row);
		char kind = drawn->rows[row].kind == FATHOM_USER ? 'u' : 'a';

		snapshot->name[node] = row * NAME_SIZE;
		snapshot->partition[node] = SNAPSHOT_NO_TEXT;
		snprintf(snapshot->text + row * NAME_SIZE, NAME_SIZE, "%c%zu", kind, row);
	}
}

void random_case_create(struct random_case *drawn, uint64_t seed,
			const struct fathom_policy *policy, const char *setting)
{
	struct fathom_error error = { 0 };

	memset(drawn, 0, sizeof(*drawn));
	drawn->seed = drawn->random.state = seed;
	draw_rows(drawn);
	drawn->snapshot.tree = fathom_tree_create(drawn->rows, drawn->count, &error);
	ck_assert_msg(drawn->snapshot.tree, "seed %llu: %s", (unsigned long long)seed, error.text);
	name_nodes(drawn);
	drawn->evaluated = (struct evaluated_tree){ .snapshot = &drawn->snapshot, .policy = policy,
						    .settings = unit_settings(policy, setting) };
	evaluated_tree_evaluate(&drawn->evaluated);
	drawn->tree.tree = &drawn->evaluated;
}

void random_case_clear(struct random_case *drawn)
{
	snapshot_clear(&drawn->snapshot);
}

size_t random_case_user(struct random_case *drawn)
{
	size_t node;

	do
		node = below(drawn, (uint32_t)drawn->count);
	while (fathom_tree_kind(drawn->snapshot.tree, node) != FATHOM_USER);
	return node;
}
