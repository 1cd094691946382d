/* SPDX-License-Identifier: GPL-2.0-or-later */
/* explain --since: what changed since a day of the HistoryFile. */
#pragma once

#include "cli/explain/explain_source.h"

/* Prints what changed for the user or account of the question: its factor and rank, shares that
 * were edited, and whose usage grew, of those that share with it. */
void explain_since(const struct explain_options *options, const struct explain_source *source,
		   size_t node);
