/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "suite.h"

#define TIMEOUT 600	/* seconds of a test, with sanitizers or valgrind on a slow machine */

static enum fork_status forks = CK_NOFORK;
static bool looks_for_leaks = true;

#ifdef __SANITIZE_ADDRESS__
/* LeakSanitizer asks this at the end of a process. */
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
	return !looks_for_leaks;
}
#endif

/* The search for leaks takes as long as all else of a short run, so that of a test that has a
 * process a run, one run of eight ends with it. */
void suite_begin(int run)
{
	if (forks == CK_FORK)
		looks_for_leaks = (unsigned)run % suite_stride(8) == 0;
}

int suite_rounds(int usual)
{
	const char *rounds = getenv("FATHOM_ROUNDS");

	return rounds && atoi(rounds) > 0 ? usual * atoi(rounds) : usual;
}

unsigned suite_stride(unsigned usual)
{
	unsigned stride = usual / (unsigned)suite_rounds(1);

	return stride ? stride : 1;
}

TCase *suite_case(void)
{
	static TCase *tests;

	if (!tests) {
		tests = tcase_create(program_invocation_short_name);
		tcase_set_timeout(tests, TIMEOUT);
	}
	return tests;
}

TCase *suite_forks(void)
{
	forks = CK_FORK;
	return suite_case();
}

int suite_run(void)
{
	Suite *suite = suite_create(program_invocation_short_name);
	SRunner *runner;
	int failed;

	suite_add_tcase(suite, suite_case());
	runner = srunner_create(suite);
	srunner_set_fork_status(runner, forks);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
