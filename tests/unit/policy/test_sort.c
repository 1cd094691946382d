/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sort of siblings: greatest first, stable, nothing allocated. */
#include "../unit.h"

#include "policy/sort.h"

#define LARGEST 5000

/* Many equal keys, infinities and zeros. */
static double key(struct unit_random *random, uint32_t kinds)
{
	static const double special[] = { INFINITY, 0, 1e300, 0x1p64, 5e-324 };

	if (!unit_random_below(random, 4))
		return special[unit_random_below(random, COUNT(special))];
	return kinds ? unit_random_below(random, kinds) : unit_random_real(random);
}

static int descending(const void *one, const void *two)
{
	const struct sort_item *a = one, *b = two;

	if (a->key != b->key)
		return a->key < b->key ? 1 : -1;
	if (a->rest != b->rest)
		return a->rest < b->rest ? 1 : -1;
	return a->node < b->node ? -1 : a->node > b->node;	/* the order they came in */
}

static const uint32_t sizes[] = { 0,   1,   2,	 3,   7,    11,	  12,	13,   23,
				  24,  25,  36,	 37,  48,   49,	  95,	96,   97,
				  100, 399, 400, 401, 1000, 1023, 1024, 1025, LARGEST };

static void assert_sorted_as_qsort(size_t count, uint32_t kinds, uint32_t rests,
				   struct unit_random *random)
{
	static struct sort_item items[LARGEST + 1], expected[LARGEST], spare[LARGEST + 1];

	for (size_t i = 0; i < count; i++)
		items[i] =
			(struct sort_item){ .key = key(random, kinds),
					    .node = (uint32_t)i,
					    .rest = (float)unit_random_below(random, rests) / 2 -
						    (float)(rests / 2) };
	memcpy(expected, items, count * sizeof(*items));
	qsort(expected, count, sizeof(*items), descending);
	items[count].node = spare[count].node = 4711;
	sort_descending(items, spare, count);
	for (size_t i = 0; i < count; i++)
		ck_assert_msg(items[i].node == expected[i].node, "%zu items: place %zu", count, i);
	ck_assert_uint_eq(items[count].node, 4711);	/* nothing behind them is touched */
	ck_assert_uint_eq(spare[count].node, 4711);
}

TEST_EACH(order_is_that_of_a_stable_qsort, sizes)
{
	static const uint32_t kinds[] = { 0, 1, 2, 10, 1000 };
	struct unit_random random = { (uint64_t)_i };

	for (size_t i = 0; i < COUNT(kinds); i++)
		for (int again = 0; again < 20; again++)
			assert_sorted_as_qsort(sizes[_i], kinds[i], 1 + again % 3, &random);
}

/* Sorted and reversed input, which simple sorts take badly. */
TEST_LOOP(sorted_and_reversed_items_are_sorted, 2)
{
	static struct sort_item items[LARGEST], spare[LARGEST];

	for (uint32_t i = 0; i < LARGEST; i++)
		items[i] = (struct sort_item){ .key = _i ? i : LARGEST - i, .node = i };
	sort_descending(items, spare, LARGEST);
	for (uint32_t i = 0; i < LARGEST; i++)
		ck_assert_uint_eq(items[i].node, _i ? LARGEST - 1 - i : i);
}

/* One key differs from the others, in one byte. */
TEST_LOOP(odd_item_finds_its_place, 8)
{
	static struct sort_item items[LARGEST], spare[LARGEST];
	uint64_t key = UINT64_C(0x3ff0000000000000), odd = key + (UINT64_C(1) << 8 * _i);

	for (uint32_t i = 0; i < LARGEST; i++) {
		items[i] = (struct sort_item){ .node = i };
		memcpy(&items[i].key, i == 3000 ? &odd : &key, sizeof(key));
	}
	sort_descending(items, spare, LARGEST);
	ck_assert_uint_eq(items[0].node, 3000);
	for (uint32_t i = 1; i < LARGEST; i++)
		ck_assert_uint_eq(items[i].node, i <= 3000 ? i - 1 : i);
}
