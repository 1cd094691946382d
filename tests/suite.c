/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "suite.h"

#include <stdlib.h>

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

int suite_run(const char *name, double timeout, void (*add_tests)(TCase *tests))
{
	Suite *suite = suite_create(name);
	TCase *tests = tcase_create(name);
	SRunner *runner;
	int failed;

	tcase_set_timeout(tests, timeout);
	add_tests(tests);
	suite_add_tcase(suite, tests);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
