/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The running cluster, as the RPC of sshare tells of it. */
#ifndef FORMAT_LIVE_H
#define FORMAT_LIVE_H

#include "core/snapshot.h"
#include "fathom.h"
#include "format/told.h"

/* Texts that only a running cluster has, one an association. */
enum live_text { LIVE_GRP_TRES_MINS, LIVE_GRP_TRES_RAW, LIVE_TRES_RUN_MINS, LIVE_TEXT_COUNT };

struct live {
	struct snapshot snapshot;	/* of all associations that the controller shows */
	char *cluster;
	/* The cluster's policies, on the tree above: their own snapshots are
	 * empty. No shadow: its policy is NULL. */
	struct told in_force, shadow;
	struct told_scope *scope;	/* as FiguresFile has them, on trees of their own */
	size_t scope_count;
	bool has_file;			/* that could be read */
	char *remark;		/* about fathom.conf or FiguresFile, or NULL */
	bool has_bad_conf;	/* a fathom.conf whose policy is unknown */
	bool has_formula;	/* priorities come from one */
	bool whole;		/* all of the tree; else PrivateData hides a part */
	bool *invented;		/* by node: stands for an account that is hidden */
	char **text[LIVE_TEXT_COUNT];	/* by node */
};

/* Once for all calls of libslurm: 24.11's cannot begin again after its end. */
void live_begin(void);

/*
 * Asks the controller of the local cluster, or of each of `clusters`, a list
 * as sshare -M takes it. Figures are those of the FiguresFile if there is one
 * that may be read, else of the RPC, which has not all. with_text: the texts
 * too. Fills *list, to be given to live_free(). -1: not all could be reached;
 * the error says why.
 */
int live_read(const char *clusters, bool with_text, struct live **list, size_t *count,
	      struct fathom_error *error);
void live_free(struct live *list, size_t count);

#endif
