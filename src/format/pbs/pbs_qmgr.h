/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `qmgr -c "print server"` prints: job_sort_formula, and queues with their priorities. */
#pragma once

#include "format/format.h"

bool pbs_qmgr_recognize(const struct document *input);
/* Adds what the commands say to the settings. */
void pbs_qmgr_read(struct document *input, struct site_settings *settings);
