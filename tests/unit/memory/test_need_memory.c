/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory belongs to the command, which ends where it is short. */
#include "../unit.h"

#include "memory/need_memory.h"
#include "memory/need_names.h"

#include <pthread.h>

TEST_EXIT(what_a_call_could_not_make_ends_the_command, 2)
{
	need_made(NULL);
}

TEST_EXIT(a_call_that_failed_ends_the_command, 2)
{
	need_done(-1);
}

TEST(arrays_begin_with_zeros_and_grow)
{
	size_t size = 0, *array = need_zeros(0, sizeof(*array));

	ck_assert_uint_eq(*array, 0);
	need_free(array);
	array = need_room(NULL, &size, 3, sizeof(*array));
	ck_assert_uint_ge(size, 3);
	ck_assert_ptr_eq(need_made(array), array);
	need_done(0);
	array[2] = 7;
	array = need_room(array, &size, 1000, sizeof(*array));
	ck_assert_uint_eq(array[2], 7);
	need_free(array);
	need_free(NULL);
}

TEST(small_things_lie_apart)
{
	char *text = need_copy((struct piece){ "abc", 2 });
	double *number = need_object(sizeof(*number));

	*number = 1;
	ck_assert_str_eq(text, "ab");
	ck_assert_uint_eq((uintptr_t)number % sizeof(*number), 0);
	ck_assert_str_eq(need_print("%s %d", text, 7), "ab 7");
	for (size_t size = 1; size < 1 << 20; size *= 2)
		memset(need_object(size), 1, size);
	ck_assert_double_eq(*number, 1);
	ck_assert_str_eq(need_text(""), "");
}

TEST(dates_are_local_and_numbers_where_there_is_no_such_year)
{
	setenv("TZ", "UTC-1", 1);
	ck_assert_str_eq(need_date(1700000000.75, "%F %T"), "2023-11-14 23:13:20");
	ck_assert_str_eq(need_date(9e18, "%F"), "9e+18");
	ck_assert_str_eq(need_date(-1e30, "%F"), "-1e+30");
	ck_assert_str_eq(need_date(NAN, "%F"), "nan");
}

static size_t destroyed[2], destroyed_count;

static void note(void *object)
{
	destroyed[destroyed_count++] = *(size_t *)object;
}

TEST(objects_are_destroyed_once_the_newest_first)
{
	for (size_t round = 0; round < 2; round++) {
		destroyed_count = 0;
		for (size_t i = 1; i <= 2; i++)
			*(size_t *)need_owned(need_object(sizeof(i)), note) = i;
		need_zeros(1000, 1000);
		need_give_back();
		ck_assert_uint_eq(destroyed_count, 2);
		ck_assert_uint_eq(destroyed[0], 2);
	}
}

TEST(memory_apart_is_given_back_at_once)
{
	struct need_memory *apart = need_memory_create();
	struct need_memory *before = need_memory_use(apart);
	size_t room = 0, *own;

	destroyed_count = 0;
	*(size_t *)need_owned(need_object(sizeof(size_t)), note) = 1;
	need_free(need_room(need_zeros(0, 1), &room, 5, 1));
	ck_assert_ptr_eq(need_memory_use(before), apart);
	own = need_object(sizeof(*own));
	*own = 2;
	need_memory_destroy(apart);
	ck_assert_uint_eq(destroyed_count, 1);
	ck_assert_uint_eq(destroyed[0], 1);
	ck_assert_uint_eq(*own, 2);
}

static void *fill(void *unused)
{
	size_t size = 0, *array = NULL;

	for (size_t i = 0; i < 10000; i++) {
		array = need_room(array, &size, i + 1, sizeof(*array));
		array[i] = strlen(need_print("%zu", i));
		need_free(need_zeros(i, 1));
	}
	(void)unused;
	return array;
}

TEST(threads_share_the_memory)
{
	pthread_t thread[4];
	void *array;

	for (size_t i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, fill, NULL);
	for (size_t i = 0; i < 4; i++) {
		pthread_join(thread[i], &array);
		ck_assert_uint_eq(((size_t *)array)[9999], 4);
	}
	need_give_back();
}

TEST(names_belong_to_the_memory)
{
	struct numbered_names *names = need_names();
	struct name_index *index = need_index();

	ck_assert_uint_eq(need_name(names, "ada"), 0);
	ck_assert_uint_eq(need_name(names, "bob"), 1);
	need_put(index, piece_of("bob"), 7);
	ck_assert_uint_eq(name_index_get(index, piece_of("bob")), 7);
	need_give_back();
}
