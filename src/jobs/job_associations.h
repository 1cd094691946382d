/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the associations of jobs in a tree, by the names of user and account. */
#pragma once

#include "core/name_index.h"
#include "core/snapshot.h"
#include "jobs/job_list.h"

#define JOB_NO_NODE NAME_INDEX_NONE

/* An index of a tree's users by name. */
struct job_associations {
	const struct snapshot *snapshot;	/* NULL: no tree */
	struct name_index *first;	/* from a user's name to the first node with this name */
	size_t *next;		/* by node: the next node with the same name, or JOB_NO_NODE */
};

/* Makes the index of a snapshot, which must live as long. */
void job_associations_create(struct job_associations *index, const struct snapshot *snapshot);
/* Returns the user's node in the account for the job's partition, else the one without a
 * partition, else JOB_NO_NODE. */
size_t job_associations_find(const struct job_associations *index, const struct job_row *row);
/* Like job_associations_find(), for a single job; makes the index for it. */
size_t job_associations_search(const struct snapshot *snapshot, const struct job_row *row);
