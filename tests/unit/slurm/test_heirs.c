/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Usage of associations that are gone goes to the nearest account left, in as many steps as
 * there are rows.
 */
#include "../unit.h"

#include "records/heirs.h"

#define ROWS 200000

struct cluster {
	/* associations from 1 to this one are there; each is its own node + 1 */
	uint32_t left;
	size_t asked;
};

static bool find_node(const void *context, uint32_t id, uint32_t *node)
{
	struct cluster *cluster = *(struct cluster *const *)context;

	cluster->asked++;
	*node = id - 1;
	return id && id <= cluster->left;
}

/* The account of association n, which is saved in an order of no account. */
static void save(struct heirs *heirs, struct cluster *const *cluster, uint32_t count,
		 uint32_t (*account)(uint32_t n))
{
	*heirs = (struct heirs){ .find_node = find_node, .context = cluster };
	for (uint32_t id = count; id; id--)
		ck_assert_int_eq(heirs_add(heirs, id, account(id)), 0);
}

static uint32_t one_in_the_other(uint32_t n)
{
	return n - 1;
}

static uint32_t in_tens(uint32_t n)
{
	return n == 1 ? 0 : (n - 2) / 10 + 1;
}

TEST(the_nearest_account_left_inherits)
{
	struct cluster cluster = { .left = 2 }, *context = &cluster;
	struct heirs heirs;
	uint32_t node;

	save(&heirs, &context, 5, one_in_the_other);
	for (uint32_t id = 5; id > 2; id--)
		ck_assert(heirs_find(&heirs, id, &node) && node == 1);
	ck_assert(heirs_find(&heirs, 1, &node) && node == 0);
	ck_assert(!heirs_find(&heirs, 6, &node));
	heirs_clear(&heirs);
}

/* Each is asked for itself, and twice as the account of another. */
TEST(a_long_line_of_accounts_is_climbed_once)
{
	struct cluster cluster = { .left = 10 }, *context = &cluster;
	struct heirs heirs;
	uint32_t node;

	save(&heirs, &context, ROWS, one_in_the_other);
	for (uint32_t id = ROWS; id; id--) {
		ck_assert(heirs_find(&heirs, id, &node));
		ck_assert_uint_eq(node + 1, id < cluster.left ? id : cluster.left);
	}
	ck_assert_uint_le(cluster.asked, 3 * ROWS);
	heirs_clear(&heirs);
}

TEST(half_of_many_are_gone)
{
	struct cluster cluster = { .left = ROWS / 2 }, *context = &cluster;
	struct heirs heirs;
	uint32_t node;

	save(&heirs, &context, ROWS, in_tens);
	for (uint32_t id = 1; id <= ROWS; id++) {
		ck_assert(heirs_find(&heirs, id, &node));
		ck_assert_uint_eq(node + 1, id <= cluster.left ? id : in_tens(id));
	}
	ck_assert_uint_le(cluster.asked, 3 * ROWS);
	heirs_clear(&heirs);
}

static uint32_t in_a_ring(uint32_t n)
{
	return n == 1 ? ROWS : n - 1;
}

TEST(a_ring_falls_to_the_root)
{
	struct cluster cluster = { 0 }, *context = &cluster;
	struct heirs heirs;
	uint32_t node;

	save(&heirs, &context, ROWS, in_a_ring);
	for (uint32_t id = ROWS; id; id--)
		ck_assert(heirs_find(&heirs, id, &node) && node == 0);
	ck_assert_uint_le(cluster.asked, 3 * ROWS);
	heirs_clear(&heirs);
}
