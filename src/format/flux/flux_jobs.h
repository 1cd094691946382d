/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs in the database of flux-accounting. */
#pragma once

#include "format/format.h"

/* See format->read_accounting. A database without the table has no jobs. */
void flux_jobs_read(struct document *input, struct accounting *accounting);
/* See format->has_jobs_alone: the job archive of flux-core has. */
bool flux_jobs_alone(struct document *input);
