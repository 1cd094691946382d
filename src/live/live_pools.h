/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The slot pools of the running cluster. */
#pragma once

#include "format/pool_divisions.h"

/* Reads the pools of the local cluster from its FiguresFile. Returns a warning, or NULL. */
const char *live_pools_read(struct pool_divisions *divisions);
