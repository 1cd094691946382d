/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SLURM_LOG_H
#define SLURM_LOG_H

#include "compat.h"

#define LOG_PREFIX "priority/fathom: "

static inline bool log_priority_detail(void)
{
	return slurm_conf.debug_flags & DEBUG_FLAG_PRIO;
}

#endif
