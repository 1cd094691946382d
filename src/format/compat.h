/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What differs between releases in libslurm, for the client's side; the
 * plugin has a compat.h of its own. */
#ifndef FORMAT_COMPAT_H
#define FORMAT_COMPAT_H

#define USE_ALIAS 1	/* as in Slurm's own configuration; ours does not have it */
#include "src/common/slurm_xlator.h"	/* names as libslurm exports them; before all else */

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <slurm/slurmdb.h>

#include "src/common/list.h"
#include "src/common/slurm_protocol_api.h"
#include "src/common/slurm_protocol_defs.h"
#include "src/common/slurmdb_defs.h"
#include "src/common/xmalloc.h"

/* A list of slurmdb_cluster_rec_t, or NULL. */
static inline void *compat_clusters(char *names)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 5, 0)
	list_t *clusters = NULL;

	return slurm_get_cluster_info(&clusters, names, 0) ? NULL : clusters;
#else
	return slurmdb_get_info_cluster(names);
#endif
}

/* Up to 25.05 sshare computes the factor of classic policies itself, from the
 * effective usage; later releases show the controller's. */
#define COMPAT_CLIENT_COMPUTES_FACTOR (SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 11, 0))

/* What slurm_load_ctl_conf has made. */
static inline void compat_free_conf(slurm_conf_t *conf)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(26, 5, 0)
	slurm_free_conf(conf);
#else
	slurm_free_ctl_conf(conf);
#endif
}

#endif
