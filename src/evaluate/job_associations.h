/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The association of a job, in a tree that knows users by name. */
#ifndef EVALUATE_JOB_ASSOCIATIONS_H
#define EVALUATE_JOB_ASSOCIATIONS_H

#include "core/name_index.h"
#include "core/snapshot.h"
#include "evaluate/job_list.h"

#define JOB_NO_NODE SIZE_MAX

struct job_associations {
	const struct snapshot *snapshot;	/* NULL: no tree */
	struct name_index first;	/* a user's name: its first node */
	size_t *next;		/* by node: the next one of that name, or JOB_NO_NODE */
};

/* -1: ENOMEM, to be cleared all the same. */
int job_associations_create(struct job_associations *of, const struct snapshot *snapshot,
			    struct fathom_error *error);
void job_associations_clear(struct job_associations *of);
/* That of the partition, else that of any; JOB_NO_NODE: there is none. */
size_t job_associations_find(const struct job_associations *of, const struct job_row *row);

#endif
