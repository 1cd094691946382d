/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ids in a row, with gaps, and far apart: each is found, and no other. */
#include "unit.h"

#include "plugins/slurm/id_map.h"

#include <stdlib.h>

#define ASSOCIATIONS 500

/* The id of the nth association (from 0). */
static uint32_t in_a_row(uint32_t n)
{
	return n + 1;
}

static uint32_t with_gaps(uint32_t n)
{
	return 3 * n + 7;
}

static uint32_t far_apart(uint32_t n)
{
	return n * 4000003 + 1;
}

static uint32_t up_to_the_last(uint32_t n)
{
	return UINT32_MAX - n;
}

static uint32_t (*const ids[])(uint32_t n) = { in_a_row, with_gaps, far_apart, up_to_the_last };

static struct fathom_tree *create_tree(uint32_t (*id)(uint32_t n))
{
	struct fathom_row *row = calloc(ASSOCIATIONS, sizeof(*row));
	struct fathom_error error;
	struct fathom_tree *tree;

	ck_assert_ptr_nonnull(row);
	for (uint32_t n = 0; n < ASSOCIATIONS; n++)
		row[n] = (struct fathom_row){ .id = id(n), .parent_id = id(0), .is_root = !n,
					      .kind = n ? FATHOM_USER : FATHOM_ACCOUNT,
					      .raw_shares = 1 };
	tree = fathom_tree_create(row, ASSOCIATIONS, &error);
	ck_assert_msg(tree, "%s", error.text);
	free(row);
	return tree;
}

START_TEST(finds_what_is_there)
{
	struct fathom_tree *tree = create_tree(ids[_i]);
	struct id_map *map = id_map_create(tree);
	uint32_t node, found = 0;

	ck_assert_ptr_nonnull(map);
	for (uint32_t n = 0; n < ASSOCIATIONS; n++) {
		id_map_fetch(map, ids[_i](n));
		ck_assert(id_map_find(map, ids[_i](n), &node));
		ck_assert_uint_eq((uint32_t)fathom_tree_id(tree, node), ids[_i](n));
	}
	for (uint32_t id = 0; id < 5 * ASSOCIATIONS; id++)
		found += id_map_find(map, id, &node);
	for (uint32_t n = 0; n < ASSOCIATIONS; n++)
		found -= ids[_i](n) < 5 * ASSOCIATIONS;
	ck_assert_uint_eq(found, 0);
	ck_assert(ids[_i](0) == UINT32_MAX || !id_map_find(map, UINT32_MAX, &node));
	id_map_fetch(map, UINT32_MAX);
	id_map_release(id_map_share(map));
	id_map_release(map);
	fathom_tree_destroy(tree);
}
END_TEST

START_TEST(finds_nothing_in_none)
{
	uint32_t node;

	ck_assert(!id_map_find(NULL, 1, &node));
	id_map_fetch(NULL, 1);
	id_map_release(NULL);
}
END_TEST

static void add_tests(TCase *tests)
{
	tcase_add_loop_test(tests, finds_what_is_there, 0, sizeof(ids) / sizeof(*ids));
	tcase_add_test(tests, finds_nothing_in_none);
}

int main(void)
{
	return unit_run("id_map", add_tests);
}
