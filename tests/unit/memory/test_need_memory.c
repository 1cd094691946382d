/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where memory is short, the command ends. */
#include "../unit.h"

#include "memory/need_memory.h"

#include <stdlib.h>

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
	free(array);
	array = need_room(NULL, &size, 3, sizeof(*array));
	ck_assert_uint_ge(size, 3);
	ck_assert_ptr_eq(need_made(array), array);
	need_done(0);
	free(array);
}
