/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --since: a time in the past. */
#pragma once

#include "cli/options.h"

/* Stores in a time_t: "today" and "yesterday", when that day begins; "7d", so long ago;
 * "2026-11-01" and "2026-11-01T12:00", local time. */
option_setter option_since;
