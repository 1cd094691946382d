/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A copy of what settings take from slurm.conf, so that they are made without a lock. */
#ifndef SLURM_SLURM_VALUES_H
#define SLURM_SLURM_VALUES_H

#include "base/compat.h"
#include "fathom.h"

#include "conf/conf_policy.h"

struct slurm_values {
	bool with_database;	/* slurmdbd is in use */
	struct conf_slurm part;	/* what fathom.conf builds on */
	uint32_t flags;		/* PriorityFlags: PRIORITY_FLAGS_* */
	double half_life, calc_period;	/* seconds */
	enum fathom_reset reset_period;
	struct fathom_priority_config priority;	/* without TRES and the size of the cluster */
	char *tres_weights;	/* PriorityWeightTRES; or NULL */
	char *cluster;		/* ClusterName; or NULL */
	char *fathom_path;	/* of fathom.conf, which lies beside slurm.conf */
};

/* Copies the values as slurmctld has read them. The decay thread holds conf read. */
struct slurm_values slurm_values_copy(void);
void slurm_values_clear(struct slurm_values *slurm);

#endif
