/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queues: which are served first, and what cross-queue sets ask of the others. */
#include "../unit.h"

#define MOST 8
#define NONE FATHOM_NO_SET

/* Queues A, B, C and so on, as configured; jobs in the order of submission. */
static const struct order {
	const char *what;
	struct fathom_served_queue queue[MOST];
	size_t count;
	const char *submitted, *dispatched;
} orders[] = {
	{ "none is fair-share",
	  { { 5, false, NONE, 0 }, { 5, false, NONE, 0 }, { 5, false, NONE, 0 } },
	  3, "CBABA", "CBABA" },
	{ "all are", { { 5, true, NONE, 0 }, { 5, true, NONE, 0 }, { 5, true, NONE, 0 } },
	  3, "CBABA", "AABBC" },
	{ "A and C are", { { 5, true, NONE, 0 }, { 5, false, NONE, 0 }, { 5, true, NONE, 0 } },
	  3, "CBABA", "AABBC" },
	{ "only B is", { { 5, false, NONE, 0 }, { 5, true, NONE, 0 }, { 5, false, NONE, 0 } },
	  3, "CBABA", "CAABB" },
	{ "priorities go first",
	  { { 5, false, NONE, 0 }, { 7, true, NONE, 0 }, { 6, false, NONE, 0 } },
	  3, "CBABA", "BBCAA" },
	{ "first come, first served of two priorities",
	  { { 5, false, NONE, 0 }, { 7, false, NONE, 0 }, { 5, false, NONE, 0 },
	    { 7, false, NONE, 0 } },
	  4, "CBADBA", "BDBCAA" },
	{ "a cross-queue set is one queue",
	  { { 30, true, 1, false }, { 40, true, 1, false }, { 50, true, 1, false },
	    { 29, false, NONE, 0 } },
	  4, "DCBABA", "CBABAD" },
	{ "DISPATCH_ORDER=QUEUE",
	  { { 30, true, 1, true }, { 40, true, 1, true }, { 50, true, 1, true },
	  { 40, false, NONE, 0 } }, 4, "DCBABA", "CBBDAA" },
	{ "DISPATCH_ORDER=QUEUE, equals are one", { { 30, true, 1, true }, { 40, true, 1, true },
	  { 40, true, 1, true }, { 30, true, 1, true } }, 4, "DCBABA", "CBBDAA" },
	{ "two sets of one priority",
	  { { 30, true, 0, true }, { 30, true, 1, true }, { 30, true, 0, true },
	  { 30, true, 1, true } }, 4, "DCBABA", "CAADBB" },
	{ "no queues", { { 0, false, NONE, false } }, 0, "", "" },
};

TEST_EACH(jobs_are_dispatched_as_the_document_says, orders)
{
	const struct order *order = &orders[_i];
	size_t place[MOST] = { 0 }, length = strlen(order->submitted), at = 0;
	char dispatched[MOST + 1] = "";

	ck_assert_int_eq(fathom_queue_places(order->queue, order->count, place, NULL), 0);
	for (size_t p = 0; p < order->count; p++)
		for (size_t i = 0; i < length; i++)
			if (place[order->submitted[i] - 'A'] == p)
				dispatched[at++] = order->submitted[i];
	ck_assert_msg(!strcmp(dispatched, order->dispatched), "%s: %s, not %s", order->what,
		      dispatched, order->dispatched);
}

TEST(set_without_a_master_queue_is_wrong)
{
	struct fathom_served_queue queues[] = { { 1, true, 0, 0 }, { 1, true, 2, 0 } };
	struct fathom_error error;
	size_t place[2];

	ck_assert_int_eq(fathom_queue_places(queues, 2, place, &error), -1);
	ck_assert_uint_eq(error.row, 1);
	ck_assert_str_eq(error.text, "master queue 2 does not exist, must be less than 2");
}

static const struct { double priority; bool queue_first, within; } others[] = {
	{ 29, false, false }, { 30, false, true }, { 40, false, true }, { 45.5, false, true },
	{ 50, false, true }, { 51, false, false }, { 30, true, false }, { 40, true, false },
};

TEST_EACH(no_other_queue_may_be_within_a_set, others)
{
	bool first = others[_i].queue_first;
	struct fathom_served_queue queues[] = {
		{ 50, true, 1, first }, { 30, true, 1, first }, { 40, true, 1, first },
		{ others[_i].priority, false, NONE, false }, { 10, true, 4, false },
		{ 12, true, 4, false },
	};
	size_t queue = 0, master = 0;

	ck_assert_int_eq(fathom_queue_within_set(queues, COUNT(queues), &queue, &master),
			 others[_i].within);
	if (others[_i].within)
		ck_assert(queue == 3 && master == 1);
}

TEST(sets_must_not_overlap)
{
	struct fathom_served_queue queues[] = {
		{ 10, true, 0, false }, { 20, true, 0, false }, { 15, true, 2, true },
		{ 25, true, 2, true },
	};
	size_t queue, master;

	ck_assert(fathom_queue_within_set(queues, COUNT(queues), &queue, &master));
	ck_assert(queue == 2 && master == 0);
}

TEST(classes_go_by_priority)
{
	const double priority[] = { 40, 30, 50, 30, -1 };
	const size_t expected[] = { 2, 1, 3, 1, 0 };
	size_t class_of[COUNT(priority)];

	ck_assert_uint_eq(fathom_queue_classes(priority, COUNT(priority), class_of), 4);
	ck_assert_mem_eq(class_of, expected, sizeof(expected));
	ck_assert_uint_eq(fathom_queue_classes(priority, 1, class_of), 1);
	ck_assert_uint_eq(class_of[0], 0);
	ck_assert_uint_eq(fathom_queue_classes(priority, 0, class_of), 0);
}

TEST_LOOP(queue_goes_before_the_user, 5)
{
	size_t classes = (size_t)_i + 1;
	double before = -1;

	ck_assert(fathom_queue_first_factor(.25, 0, 1) == .25);
	ck_assert(fathom_queue_first_factor(0, 0, classes) == 0);
	ck_assert(fathom_queue_first_factor(1, classes - 1, classes) == 1);
	for (size_t i = 0; i < classes; i++)
		for (int tenth = 0; tenth <= 10; tenth++) {
			double factor = fathom_queue_first_factor(tenth / 10.0, i, classes);

			ck_assert(factor > before && factor <= 1);
			before = factor;
		}
}
