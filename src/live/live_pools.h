/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The slot pools of the running cluster. */
#ifndef FORMAT_LIVE_POOLS_H
#define FORMAT_LIVE_POOLS_H

#include "format/pool_divisions.h"

/* Reads the pools of the local cluster from its FiguresFile. *remark: a warning that the caller
 * frees, or NULL; it is NULL if the call fails. -1: the cluster does not answer, or its
 * FiguresFile cannot be read. */
int live_pools_read(struct pool_divisions *divisions, char **remark, struct fathom_error *error);

#endif
