/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scenario/host_suite.h"

#include <sys/prctl.h>

/* The plugin ends after each test, if the test has not ended it, and no lock is left. */
static void close_host(void)
{
	ck_assert(host_close());
}

TEST_FIXTURE(NULL, close_host)

/* Nothing of the tests stays on the disk. The pauses of a pass are as short as it asks for: with
 * the system's slack they take three times as long. */
int main(void)
{
	prctl(PR_SET_TIMERSLACK, 1);
	host_make_folders(true);
	suite_forks();
	return suite_run();
}
