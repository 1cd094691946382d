/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program of Check's: each test is a function that a macro below adds to it. The headers of the C
 * library that many tests need are included here.
 */
#pragma once

#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Check writes a message for each assertion that holds, so as to tell where a test crashes. One for
 * each line is enough; without it, some tests would do hardly anything else. */
static inline void suite_mark_point(const char *file, int line)
{
	static bool is_marked[4096];

	if (!is_marked[line % (int)sizeof(is_marked)])
		_mark_point(file, line);
	is_marked[line % (int)sizeof(is_marked)] = true;
}
#define _mark_point suite_mark_point

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/*
 * TEST(name) { ... } is a test. The others run with _i from 0 to `end` - 1, for each row of an
 * array, from `from` to `end` - 1, or must end the process with `status` or by `signal`. All runs
 * share the process of the program, unless one of its tests ends it or main() calls suite_forks().
 */
#define TEST(name) TEST_LOOP(name, 1)
#define TEST_EACH(name, array) TEST_LOOP(name, COUNT(array))
#define TEST_LOOP(name, end) TEST_RANGE(name, 0, end)
#define TEST_RANGE(name, from, end) \
	TEST_ADD(name, suite_case, tcase_add_loop_exit_test, 0, from, end)
#define TEST_EXIT(name, status) \
	TEST_ADD(name, suite_forks, tcase_add_loop_exit_test, status, 0, 1)
#define TEST_SIGNAL(name, signal, end) \
	TEST_ADD(name, suite_forks, tcase_add_loop_test_raise_signal, signal, 0, end)
#define TEST_ADD(name, tests, add, ending, from, end)                                           \
	static void name##_body(int _i);                                                        \
	START_TEST(name)                                                                        \
	{                                                                                       \
		suite_begin(_i - (int)(from));                                                  \
		name##_body(_i);                                                                \
	}                                                                                       \
	END_TEST                                                                                \
	static void __attribute__((constructor)) name##_add(void)                               \
	{                                                                                       \
		add(tests(), name, ending, (int)(from), (int)(end));                            \
	}                                                                                       \
	static void name##_body(int _i CK_ATTRIBUTE_UNUSED)
/* Before and after each test of the program. */
#define TEST_FIXTURE(set_up, tear_down)                                                         \
	static void __attribute__((constructor)) add_##tear_down(void)                          \
	{                                                                                       \
		tcase_add_checked_fixture(suite_case(), set_up, tear_down);                     \
	}

/*
 * What a test tries at random, or at some steps of many, it tries as often as make check has time
 * for. FATHOM_ROUNDS=10 in the environment makes that ten times as often: of these calls the one
 * gives the number of rounds, the other the distance between two steps that are tried.
 */
int suite_rounds(int usual);
unsigned suite_stride(unsigned usual);

/* What the macros add to. */
TCase *suite_case(void);
/* Gives each run a process of its own, which takes 0.2 s with sanitizers. Returns suite_case(). */
TCase *suite_forks(void);
/* Begins the `run`-th run of a test. */
void suite_begin(int run);
/* Runs it; what main() returns. */
int suite_run(void);
