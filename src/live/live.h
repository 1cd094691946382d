/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the running cluster with the request that sshare sends to slurmctld. */
#pragma once

#include "fathom.h"
#include "live/live_cluster.h"

/*
 * Reads the local cluster, or each cluster of `clusters`, a list as for sshare -M;
 * NULL: the local one. Figures come from the FiguresFile if it exists and may be read,
 * else from slurmctld's answer, which does not have all of them. with_text: also reads
 * the texts. Returns an array of *count clusters. A cluster that cannot be reached is wrong, see
 * wrong_at().
 */
struct live *live_read(const char *clusters, bool with_text, size_t *count);
/* Reads the local cluster without the texts. */
struct live *live_read_local(void);
