/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the associations of jobs in a tree, by the names of user and account. */
#ifndef EVALUATE_JOB_ASSOCIATIONS_H
#define EVALUATE_JOB_ASSOCIATIONS_H

#include "core/name_index.h"
#include "core/snapshot.h"
#include "evaluate/job_list.h"

#define JOB_NO_NODE SIZE_MAX

struct job_associations {
	const struct snapshot *snapshot;	/* NULL: no tree */
	struct name_index first;	/* by a user's name: the first node with it */
	size_t *next;		/* by node: the next node with the same name, or JOB_NO_NODE */
};

/* -1: ENOMEM; clear it then, too. */
int job_associations_create(struct job_associations *of, const struct snapshot *snapshot,
			    struct fathom_error *error);
void job_associations_clear(struct job_associations *of);
/* Returns the user's node in the account for the job's partition, else the one without a
 * partition, else JOB_NO_NODE. */
size_t job_associations_find(const struct job_associations *of, const struct job_row *row);

#endif
