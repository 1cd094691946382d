/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The running cluster, as the RPC of sshare tells of it. */
#ifndef FORMAT_LIVE_H
#define FORMAT_LIVE_H

#include "core/snapshot.h"
#include "fathom.h"

/* Texts that only a running cluster has, one an association. */
enum live_text { LIVE_GRP_TRES_MINS, LIVE_GRP_TRES_RAW, LIVE_TRES_RUN_MINS, LIVE_TEXT_COUNT };

struct live {
	struct snapshot snapshot;	/* of all associations that the controller shows */
	char *cluster;
	const struct fathom_policy *policy;	/* the cluster's, with its settings */
	struct fathom_settings settings;
	char *remark;		/* about fathom.conf, or NULL */
	bool whole;		/* all of the tree; else PrivateData hides a part */
	bool *invented;		/* by node: stands for an account that is hidden */
	/* the controller's own figures by node, NAN where it has none */
	double *norm_shares, *norm_usage, *effective_usage, *factor, *level_fs;
	char **text[LIVE_TEXT_COUNT];	/* by node */
};

/* Names of clusters, as sshare -M takes them; `clusters` NULL: the local one
 * alone. Calls `each` for every cluster, until one returns other than 0, and
 * returns that. -1: not reached; the error says why. */
int live_read(const char *clusters, int (*each)(struct live *live, void *context), void *context,
	      struct fathom_error *error);
void live_clear(struct live *live);

#endif
