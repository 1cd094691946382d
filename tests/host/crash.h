/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef HOST_CRASH_H
#define HOST_CRASH_H

#include "host.h"

/*
 * As if slurmctld had been killed now and started again: nothing of what the
 * plugin writes at its end, no usage in any record, running seconds counted
 * anew from whole time limits. Returns after the first pass.
 */
void crash_and_restart(void);

#endif
