/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The associations of jobs in records of accounting, each once, in the order of their first jobs.
 * The root is the first. */
#pragma once

#include "core/name_index.h"
#include "core/snapshot.h"
#include "format/accounting/accounted_job.h"
#include "policy/traits.h"

/* An account, a user in it, also in one partition, or the root. */
struct accounted_association {
	struct piece account, user;	/* each may be empty */
	struct piece partition;		/* `at` NULL: all partitions */
	size_t parent;		/* index of its account, or of the root */
	size_t line;		/* of its first job */
};

struct accounted_associations {
	struct accounted_association *association;
	size_t count;
	struct name_index *index;	/* from keys to indices of `association` */
	/* Partitions that are told apart: a user's jobs in each have an association of their own.
	 * NULL: all partitions are. */
	struct name_index *partitions;
};

/* Returns whether this entity of PBS is a job's association, and not a queue or a group. */
static inline bool entity_is_association(enum fairshare_entity entity)
{
	return entity == ENTITY_EUSER || entity == ENTITY_ACCOUNT_NAME;
}

/* Begins with the root alone. */
void accounted_associations_create(struct accounted_associations *associations,
				   struct name_index *partitions);
/* Returns the names of the partitions for which users of a tree have associations, for
 * accounted_associations_create(). tree: NULL: there are none. */
struct name_index *accounted_partitions_of(const struct snapshot *tree);
/* Returns the index of a job's association, which is added if it is new. Fails, see wrong_job(), if
 * a name is too long. */
size_t accounted_associations_find(struct accounted_associations *associations,
				   struct document *input, const struct accounted_job *job);
/* Returns the index of the association that a job charges, as accounted_associations_find() does.
 * For a queue or a group, that is a user below the root with the name of the entity. */
size_t accounted_associations_find_entity(struct accounted_associations *associations,
					  struct document *input, const struct accounted_job *job,
					  enum fairshare_entity entity);
/* Makes *snapshot a tree of the associations, with 1 share each, no usage, and half-life 0. An
 * association's id there is its index + 1. Fails, see wrong_at(), if a tree cannot have a name. */
void accounted_associations_make_tree(const struct accounted_associations *associations,
				      struct document *input, struct snapshot *snapshot);
