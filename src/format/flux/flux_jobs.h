/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs in the database of flux-accounting. */
#ifndef FORMAT_FLUX_JOBS_H
#define FORMAT_FLUX_JOBS_H

#include "format/format.h"

/* See format->read_accounting. A database without the table has no jobs. */
int flux_jobs_read(struct input *input, struct accounting *accounting, struct fathom_error *error);

#endif
