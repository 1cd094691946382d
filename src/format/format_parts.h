/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A format whose tree is described by several files together, in any order, such as LSF's lsb.users
 * and lsb.queues. They may describe several trees, each of a scope, of which one is chosen:
 *
 *	read() for each file, choose(), make(), give() for usage from elsewhere, destroy()
 */
#pragma once

#include "core/numbered_names.h"
#include "core/piece.h"
#include "format/format.h"
#include "jobs/queue_list.h"

struct format_parts {
	const char *wanted;	/* what a tree needs, for an error: "a queue with FAIRSHARE" */
	/* Adds a file to *parts. The first call, with *parts NULL, makes the parts. Call it for
	 * each file, before choose(). */
	void (*read)(void **parts, struct document *input);
	/* Chooses the tree of a scope; scope: NULL: there is only one. Only the first call has an
	 * effect. Returns whether there is a tree. */
	bool (*choose)(void *parts, const char *scope);
	/* Returns the name of the chosen scope; NULL: the tree belongs to no scope. */
	const char *(*scope_name)(const void *parts);
	/* Returns whether jobs in a partition count in the chosen tree. */
	bool (*counts)(const void *parts, struct piece partition);
	/* Makes the chosen tree, without usage. users: users of the site whom other files name; it
	 * gets those whom the parts name. */
	void (*make)(void *parts, struct numbered_names *users, struct snapshot *snapshot);
	/* Adds the queues that the files describe to a list. */
	void (*list_queues)(const void *parts, struct queue_list *list);
	/* Adds the hosts of partitions to the settings, as Nodes of their lines of slurm.conf.
	 * NULL: the files name none. */
	void (*add_hosts)(const void *parts, struct site_settings *settings);
	/* Returns the node of the tree for a user in an account and a partition, see struct
	 * association_rule; SIZE_MAX, too, if jobs in the partition do not count in the tree. */
	size_t (*find)(const void *parts, const char *user, const char *account,
		       const char *partition);
};
