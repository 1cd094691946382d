/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scenario/host_suite.h"

/* Nothing of the tests stays on the disk. */
int main(void)
{
	host_make_folders(true);
	return suite_run();
}
