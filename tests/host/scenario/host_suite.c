/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scenario/host_suite.h"

/* The plugin ends after each test, if the test has not ended it, and no lock is left. */
static void close_host(void)
{
	ck_assert(host_close());
}

TEST_FIXTURE(NULL, close_host)

/* Nothing of the tests stays on the disk. */
int main(void)
{
	host_make_folders(true);
	return suite_run();
}
