/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks the running cluster for what fathom lint checks. */
#pragma once

#include "lint/lint_input.h"

/*
 * Reads slurm.conf and fathom.conf of this host, and asks slurmctld for its configuration, the
 * tree, the jobs, and for TRES, QOS and users. What PrivateData hides is left out. If slurmctld
 * does not answer, reads the files alone. Returns what could not be read, or NULL.
 */
const char *live_lint_read(struct lint_input *input);
