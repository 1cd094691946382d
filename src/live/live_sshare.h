/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurmctld's answer to sshare as sshare prints it: rows in its order, no figure computed anew. */
#pragma once

#include "fathom.h"
#include "live/live_cluster.h"

#define SSHARE_NO_SHARES (UINT32_MAX - 1)

/* An association. Texts are NULL, and numbers NAN, where sshare prints nothing. */
struct sshare_row {
	const char *account, *parent, *cluster, *user, *partition;
	const char *text[LIVE_TEXT_COUNT];
	uint32_t id, raw_shares;	/* raw_shares: also FATHOM_SHARES_PARENT or
					 * SSHARE_NO_SHARES */
	double raw_usage, norm_shares, norm_usage, effective_usage, factor, level_fs;
};

struct sshare_list {
	struct sshare_row *row;
	size_t count;
	const char *cluster;
	bool has_level_fs;	/* the cluster has FAIR_TREE in PriorityFlags */
	bool is_evaluated;	/* by fathom: a column without any figure is one that it lacks */
};

/* What is asked for. Comma-separated lists of names; NULL: all. */
struct sshare_request {
	const char *clusters;	/* NULL: the local one */
	const char *accounts, *users;
};

/* Returns one list a cluster, an array of *count. */
struct sshare_list *live_sshare_read(const struct sshare_request *wanted, size_t *count);
