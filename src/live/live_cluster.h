/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A running cluster as slurmctld and FiguresFile describe it. */
#pragma once

#include "core/snapshot.h"
#include "fathom.h"
#include "format/recorded.h"

/* Texts of associations that only a running cluster has. */
enum live_text { LIVE_GRP_TRES_MINS, LIVE_GRP_TRES_RAW, LIVE_TRES_RUN_MINS, LIVE_TEXT_COUNT };

struct live {
	struct snapshot snapshot;	/* all associations that slurmctld shows */
	const char *cluster;
	/* Figures of the cluster's policies for the tree above; their own snapshots are empty.
	 * Without a shadow policy, shadow.policy is NULL. Scopes, from FiguresFile, have trees of
	 * their own. */
	struct recorded_pass pass;
	bool has_file;		/* figures are from a FiguresFile */
	const char *remark;	/* a warning about fathom.conf or FiguresFile, or NULL */
	bool has_bad_conf;	/* the fathom.conf of this host is wrong */
	bool is_unknown;	/* so that the policy is unknown */
	double half_life;	/* of usage, seconds; 0: no decay */
	bool has_formula;	/* priorities come from a formula */
	bool whole;		/* the tree is complete: PrivateData hides nothing */
	bool *placeholder;		/* by node: a placeholder for an account that is hidden */
	char **text[LIVE_TEXT_COUNT];	/* by node */
};
