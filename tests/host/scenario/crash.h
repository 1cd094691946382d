/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "controller/host.h"

/*
 * Puts everything into the state of a slurmctld that was killed and is about to start
 * again: what the plugin writes when it ends is missing, no record has usage, and
 * running seconds are counted from whole time limits.
 */
void crash(void);
/* Does the same and loads the plugin again. Returns after the first pass. */
void crash_and_restart(void);
/* Removes all state files, as if no plugin had ever passed. */
void forget_state(void);
