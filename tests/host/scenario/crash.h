/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef HOST_CRASH_H
#define HOST_CRASH_H

#include "controller/host.h"

/*
 * As if slurmctld had been killed now, to be started again: nothing of what the
 * plugin writes at its end, no usage in any record, running seconds counted
 * anew from whole time limits.
 */
void crash(void);
/* The same, and started. Returns after the first pass. */
void crash_and_restart(void);
/* Nobody ever passed. */
void forget_state(void);

#endif
