/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the associations of jobs in a tree, by the tree's rule. */
#pragma once

#include "core/name_index.h"
#include "core/snapshot.h"
#include "jobs/job_list.h"

#define JOB_NO_NODE NAME_INDEX_NONE	/* the tree lacks the job's association */

/* An index of a tree's users by name. */
struct job_associations {
	const struct snapshot *snapshot;	/* NULL: no tree, so no association is found */
	struct name_index *first;	/* from a user's name to the first node with this name */
	struct association_rule rule;	/* that of the snapshot */
	size_t *next;		/* by node of a user: the next node with the same name, or
				 * JOB_NO_NODE */
};

/* Makes the index of a snapshot, which must live as long. `rule` may be changed then. */
void job_associations_create(struct job_associations *index, const struct snapshot *snapshot);
/* Returns the node at which the row counts, by the rule of the index. By a rule whose members are
 * all 0 it is the association that the row's user has in the row's account: for the row's
 * partition, else for all partitions. JOB_NO_NODE: there is no such node, or the row lacks a name
 * by which the rule finds the node. */
size_t job_associations_find(const struct job_associations *index, const struct job_row *row);
/* Returns what job_associations_find() does, for one row; makes an index for this call. */
size_t job_associations_search(const struct snapshot *snapshot, const struct job_row *row);
