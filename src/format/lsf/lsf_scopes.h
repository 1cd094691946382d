/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of a cluster that have a tree of shares of their own: queues with FAIRSHARE, with the
 * queues of FAIRSHARE_QUEUES, and host partitions. */
#pragma once

#include "format/lsf/lsf_conf.h"

struct lsf_scope {
	const char *name;		/* of the queue, or of the host partition */
	const struct lsf_entry *entry;
	const struct lsf_pair *shares;
	const char *slaves;		/* FAIRSHARE_QUEUES without the master; NULL: none */
	const char *hosts;		/* of a host partition; NULL: it is a queue */
};

struct lsf_scopes {
	struct lsf_scope *scope;
	size_t count;
};

/* Lists the scopes, which point into the configuration, and checks how queues, sets of queues,
 * pools and host partitions go together. */
struct lsf_scopes lsf_scopes_of(const struct lsf_conf *conf);

/* Returns the scope of a name; NULL: there is none. */
const struct lsf_scope *lsf_scopes_find(const struct lsf_scopes *scopes, const char *name);
/* Returns whether jobs in this queue count in the scope; those in all queues do in a host
 * partition. */
bool lsf_scope_has_queue(const struct lsf_scope *scope, struct piece queue);
