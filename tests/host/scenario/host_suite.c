/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scenario/host_suite.h"

#define TIMEOUT 300	/* seconds, with sanitizers on a busy machine */

int host_run(const char *name, void (*add_tests)(TCase *tests))
{
	host_make_folders(true);
	return suite_run(name, TIMEOUT, add_tests);
}
