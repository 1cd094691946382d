/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The option --since: a time in the past. */
#pragma once

#include "cli/options.h"

/* Stores a time in a time_t, seconds since 1970: "today" and "yesterday", the beginning of that
 * day; "7d", the time a duration ago; "2026-11-01" and "2026-11-01T12:00", local time. Refuses
 * others. */
option_setter option_since;
