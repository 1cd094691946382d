/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was put in is found where it was put last; what was removed is not. */
#include "../unit.h"

#include "core/array.h"
#include "core/id_index.h"

#define IDS 300

/* Ids one after another, far apart, and all with one home. */
static uint64_t in_a_row(uint64_t n)
{
	return n;
}

static uint64_t far_apart(uint64_t n)
{
	return UINT64_MAX - n * UINT64_C(4000000000003);
}

static uint64_t of_one_home(uint64_t n)
{
	/* times the inverse of the hash's factor: the hash is n, whose upper half is 0 */
	return n * UINT64_C(0xf1de83e19937733d);
}

static uint64_t (*const ids[])(uint64_t n) = { in_a_row, far_apart, of_one_home };

struct model {
	bool there[IDS];
	uint32_t position[IDS];
};

static void assert_same(const struct id_index *index, const struct model *model,
			uint64_t (*id)(uint64_t n))
{
	size_t count = 0;

	for (uint32_t n = 0; n < IDS; n++) {
		uint32_t position = UINT32_MAX;

		ck_assert(id_index_find(index, id(n), &position) == model->there[n]);
		ck_assert_uint_eq(position, model->there[n] ? model->position[n] : UINT32_MAX);
		count += model->there[n];
	}
	ck_assert_uint_eq(index->count, count);
	ck_assert_uint_le(2 * count, index->slots);
}

TEST_LOOP(holds_what_was_put_in, 12)
{
	uint64_t (*id)(uint64_t n) = ids[_i % (int)COUNT(ids)];
	struct unit_random random = { (uint64_t)_i + 1 };
	struct id_index index = { 0 };
	struct model model = { 0 };

	for (int step = 0; step < 2000; step++) {
		uint32_t n = unit_random_below(&random, IDS);

		model.there[n] = unit_random_below(&random, 3) > (unsigned)(step / 700 % 2);
		model.position[n] = unit_random_below(&random, 5);
		if (model.there[n])
			ck_assert_int_eq(id_index_put(&index, id(n), model.position[n]), 0);
		else
			id_index_remove(&index, id(n));
		if (step % 50 == 0)
			assert_same(&index, &model, id);
	}
	assert_same(&index, &model, id);
	ck_assert_ptr_nonnull(id_index_home(&index, id(7)));
	id_index_empty(&index);
	assert_same(&index, &(struct model){ 0 }, id);
	id_index_clear(&index);
	ck_assert_ptr_null(index.slot);
}

TEST(finds_nothing_in_an_empty_one)
{
	struct id_index index = { 0 };
	uint32_t position;

	ck_assert(!id_index_find(&index, 0, &position));
	id_index_remove(&index, 0);
	id_index_empty(&index);
	ck_assert_ptr_null(id_index_home(&index, 0));
	id_index_clear(&index);
}

TEST(has_room_for_what_was_reserved)
{
	struct id_index index = { 0 };
	const struct id_slot *slot;

	ck_assert_int_eq(id_index_reserve(&index, 100), 0);
	ck_assert_uint_eq(index.slots, 256);
	slot = index.slot;
	for (uint32_t n = 0; n < 128; n++)
		id_index_put(&index, n, n);
	ck_assert_ptr_eq(index.slot, slot);
	ck_assert_int_eq(id_index_reserve(&index, 128), 0);
	ck_assert_ptr_eq(index.slot, slot);
	id_index_put(&index, 128, 128);
	ck_assert_uint_eq(index.slots, 512);
	/* more than there can be */
	ck_assert_int_eq(id_index_reserve(&index, (size_t)1 << 56), -1);
	ck_assert_uint_eq(index.count, 129);
	id_index_clear(&index);
}

TEST(array_keeps_what_it_has)
{
	size_t size = 0;
	uint32_t *array = NULL;

	for (uint32_t i = 0; i < 1000; i++) {
		size_t before = size;

		array = array_grow(array, &size, i + 1, sizeof(*array));
		ck_assert_ptr_nonnull(array);
		ck_assert(size == before || size >= 2 * before);
		ck_assert_uint_gt(size, i);
		array[i] = i;
	}
	ck_assert_uint_eq(size, 1024);
	array = array_grow(array, &size, 5000, sizeof(*array));
	ck_assert_uint_eq(size, 5000);
	ck_assert_ptr_null(array_grow(array, &size, SIZE_MAX / 2, sizeof(*array)));
	ck_assert_uint_eq(size, 5000);
	for (uint32_t i = 0; i < 1000; i++)
		ck_assert_uint_eq(array[i], i);
	free(array);
}
