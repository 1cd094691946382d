/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads what `qmgr -c "print server"` prints; part of the format pbs-sched. */
#pragma once

#include "format/format.h"

/* Returns whether a file begins with such a command. */
bool pbs_qmgr_recognize(const struct document *input);
/* Adds what the commands mean to the settings. Sets settings->origin.line; the caller sets its
 * file. */
void pbs_qmgr_read(struct document *input, struct site_settings *settings);
