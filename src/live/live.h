/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the running cluster with the request that sshare sends to slurmctld. */
#ifndef FORMAT_LIVE_H
#define FORMAT_LIVE_H

#include "fathom.h"
#include "live/live_cluster.h"

/*
 * Reads the local cluster, or each cluster of `clusters`, a list as for sshare -M;
 * NULL: the local one. Figures come from the FiguresFile if it exists and may be read,
 * else from slurmctld's answer, which does not have all of them. with_text: also reads
 * the texts. *list: an array of *count clusters; free it with live_free(). -1: a
 * cluster could not be reached; the error says why.
 */
int live_read(const char *clusters, bool with_text, struct live **list, size_t *count,
	      struct fathom_error *error);
void live_free(struct live *list, size_t count);

#endif
