/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurmctld's partitions. */
#ifndef SLURM_PARTITION_RECORDS_H
#define SLURM_PARTITION_RECORDS_H

#include "base/compat.h"

/* Has slurmctld read its partitions yet? The caller holds part read. */
bool partitions_exist(void);
/* Lists slurmctld's partitions; the caller holds part read, and frees the array. NULL: out of
 * memory. */
const part_record_t **partition_records(size_t *count);

#endif
