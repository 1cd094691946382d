/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "suite.h"

#include <stdlib.h>

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
