/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run.h"

#include <stdlib.h>

#define TIMEOUT 300	/* seconds, with sanitizers on a busy machine */

int host_run(const char *name, void (*add_tests)(TCase *tests))
{
	Suite *suite = suite_create(name);
	TCase *tests = tcase_create(name);
	SRunner *runner;
	int failed;

	host_make_folders(true);
	tcase_set_timeout(tests, TIMEOUT);
	add_tests(tests);
	suite_add_tcase(suite, tests);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
