/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The trail of a list must find its place again after nodes have gone, and never lead a walk. */
#include "../unit.h"

#include "walk/list_trail.h"

#define NODES 1000

static char place[NODES + 1];	/* of each node */

/* Walks over those nodes of which `is_there` tells. */
static void walk(struct list_trail *trail, bool (*is_there)(size_t node))
{
	size_t nodes = 0;

	list_trail_begin(trail);
	list_trail_make_room(trail, NODES);
	for (size_t i = 0; i < NODES; i++) {
		if (!is_there(i))
			continue;
		list_trail_follow(trail, &place[i]);
		nodes++;
	}
	ck_assert_uint_eq(trail->count, nodes);
}

static bool all(size_t node)
{
	(void)node;
	return true;
}

static bool most(size_t node)
{
	return node % 7;
}

static bool few_at_first(size_t node)
{
	return node >= LIST_TRAIL_SEARCH - 1;
}

static bool first_half(size_t node)
{
	return node < NODES / 2;
}

TEST(nodes_that_go_are_passed_over)
{
	struct list_trail trail = { NULL };

	walk(&trail, all);
	walk(&trail, most);
	ck_assert_uint_eq(trail.old_at, NODES);
	list_trail_clear(&trail);
}

TEST(the_first_ones_may_go)
{
	struct list_trail trail = { NULL };

	walk(&trail, all);
	walk(&trail, few_at_first);
	ck_assert_uint_eq(trail.old_at, NODES);
	list_trail_clear(&trail);
}

TEST(nodes_that_come_are_learnt)
{
	struct list_trail trail = { NULL };

	walk(&trail, first_half);
	walk(&trail, all);
	walk(&trail, all);
	ck_assert_uint_eq(trail.old_at, NODES);
	for (size_t i = 0; i < NODES; i++)
		ck_assert_ptr_eq(trail.node[i], &place[i]);
	list_trail_clear(&trail);
}

TEST(a_trail_without_memory_does_nothing)
{
	struct list_trail trail = { NULL };

	list_trail_begin(&trail);
	for (size_t i = 0; i < NODES; i++)
		list_trail_follow(&trail, &place[i]);
	ck_assert_uint_eq(trail.count, 0);
}
