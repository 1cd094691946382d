/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ids in a row, with gaps, and far apart: each is found, and no other. */
#include "../unit.h"

#define ASSOCIATIONS 500

/* The id of the nth association (from 0). */
static int64_t in_a_row(uint32_t n)
{
	return n + 1;
}

static int64_t with_gaps(uint32_t n)
{
	return 3 * n + 7;
}

static int64_t far_apart(uint32_t n)
{
	return n * INT64_C(4000003) + 1;
}

static int64_t up_to_the_last(uint32_t n)
{
	return (int64_t)UINT32_MAX - n;
}

/* Ids are signed: of 64 bits these are the largest. */
static int64_t below_0(uint32_t n)
{
	return -1 - (int64_t)n;
}

static int64_t (*const ids[])(uint32_t n) = { in_a_row, with_gaps, far_apart, up_to_the_last,
					      below_0 };

static struct fathom_tree *create_tree(int64_t (*id)(uint32_t n))
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

TEST_EACH(finds_what_is_there, ids)
{
	struct fathom_tree *tree = create_tree(ids[_i]);
	struct fathom_node_index *map = fathom_node_index_create(tree);
	uint32_t node, found = 0;

	ck_assert_ptr_nonnull(map);
	for (uint32_t n = 0; n < ASSOCIATIONS; n++) {
		fathom_node_index_prefetch(map, ids[_i](n));
		ck_assert(fathom_node_index_find(map, ids[_i](n), &node));
		ck_assert_int_eq(fathom_tree_id(tree, node), ids[_i](n));
	}
	for (int64_t id = 0; id < 5 * ASSOCIATIONS; id++)
		found += fathom_node_index_find(map, id, &node);
	for (uint32_t n = 0; n < ASSOCIATIONS; n++)
		found -= ids[_i](n) >= 0 && ids[_i](n) < 5 * ASSOCIATIONS;
	ck_assert_uint_eq(found, 0);
	ck_assert(ids[_i](0) == UINT32_MAX || !fathom_node_index_find(map, UINT32_MAX, &node));
	fathom_node_index_prefetch(map, UINT32_MAX);
	fathom_node_index_release(fathom_node_index_share(map));
	fathom_node_index_release(map);
	fathom_tree_destroy(tree);
}

TEST(finds_nothing_in_none)
{
	uint32_t node;

	ck_assert(!fathom_node_index_find(NULL, 1, &node));
	fathom_node_index_prefetch(NULL, 1);
	fathom_node_index_release(NULL);
}

TEST_EACH(heir_is_the_nearest_that_is_left, ids)
{
	struct fathom_tree *tree = create_tree(ids[_i]);
	struct fathom_node_index *map = fathom_node_index_create(tree);
	uint32_t node = 0;

	for (uint32_t n = 0; n < ASSOCIATIONS; n++) {
		ck_assert(fathom_node_index_find(map, ids[_i](n), &node));
		ck_assert_uint_eq(fathom_node_index_heir(map, ids[_i](n), ids[_i](0)), node);
		ck_assert_uint_eq(fathom_node_index_heir(map, INT64_MAX, ids[_i](n)), node);
	}
	ck_assert_uint_eq(fathom_node_index_heir(map, INT64_MAX, INT64_MAX), 0);
	fathom_node_index_release(map);
	fathom_tree_destroy(tree);
}
