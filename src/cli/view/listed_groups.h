/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The groups of users that bugroup prints: those of a configuration, else the accounts of a
 * tree. */
#pragma once

#include "cli/tree_comparison.h"
#include "core/name_index.h"

#define NO_GROUP NAME_INDEX_NONE

struct listed_groups {
	const struct snapshot *snapshot;	/* NULL: `group` */
	const struct scope_group *group;
	size_t count;			/* of a tree, users have numbers, too */
	struct name_index *numbers;	/* of groups, by name */
};

/* Finds the groups of a source, which must stay. */
void listed_groups_create(struct listed_groups *groups, const struct tree_source *source);

const char *listed_groups_name(const struct listed_groups *groups, size_t i);
/* Returns whether number i is a group. */
bool listed_groups_has(const struct listed_groups *groups, size_t i);
/* Returns the number of the group of a name, or NO_GROUP. */
size_t listed_groups_find(const struct listed_groups *groups, const char *name);

size_t listed_groups_member_count(const struct listed_groups *groups, size_t i);
const char *listed_groups_member(const struct listed_groups *groups, size_t i, size_t member);
/* Returns the number of the group that a member is; NO_GROUP: it is a user. */
size_t listed_groups_group_of(const struct listed_groups *groups, size_t i, size_t member);
