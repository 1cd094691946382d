/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The limits that a partition has by itself, in the place of LSF's QJOB_LIMIT and MAX_SLOTS. */
#ifndef SLURM_POOL_LIMITS_H
#define SLURM_POOL_LIMITS_H

#include "base/compat.h"

/* Returns the CPUs that a partition may use on so many of its nodes, by MaxCPUsPerNode and the
 * GrpTRES of its QOS; FATHOM_NO_LIMIT: any number. The caller holds part and QOS read. */
uint64_t pool_limit_cpus(const part_record_t *record, uint64_t nodes);
/* Returns the jobs that may run, by GrpJobs of its QOS, or FATHOM_NO_LIMIT. Likewise. */
uint64_t pool_limit_jobs(const part_record_t *record);

#endif
