/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the running cluster with the request that sshare sends to slurmctld. */
#ifndef FORMAT_LIVE_H
#define FORMAT_LIVE_H

#include "core/snapshot.h"
#include "fathom.h"
#include "format/recorded.h"

/* Texts of associations that only a running cluster has. */
enum live_text { LIVE_GRP_TRES_MINS, LIVE_GRP_TRES_RAW, LIVE_TRES_RUN_MINS, LIVE_TEXT_COUNT };

struct live {
	struct snapshot snapshot;	/* all associations that slurmctld shows */
	char *cluster;
	/* Figures of the cluster's policies for the tree above; their own snapshots are
	 * empty. Without a shadow policy, shadow.policy is NULL. */
	struct recorded in_force, shadow;
	struct recorded_scope *scope;	/* from FiguresFile, with trees of their own */
	size_t scope_count;
	bool has_file;		/* figures are from a FiguresFile */
	char *remark;		/* a warning about fathom.conf or FiguresFile, or NULL */
	bool has_bad_conf;	/* fathom.conf is wrong, so that the policy is unknown */
	bool has_formula;	/* priorities come from a formula */
	bool whole;		/* the tree is complete: PrivateData hides nothing */
	bool *placeholder;		/* by node: a placeholder for an account that is hidden */
	char **text[LIVE_TEXT_COUNT];	/* by node */
};

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
