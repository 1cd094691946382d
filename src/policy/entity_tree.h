/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree of PBS's fair share: groups and entities, to which jobs are charged. An entity
 * that the tree does not list is below the group "unknown", with one share.
 *
 *	rows: grp1 root 60, bob grp1 30, sue grp1 10	entities: bob, tom, tom
 *	tree: root (unknown (tom 1), grp1 60 (bob 30, sue 10))
 */
#pragma once

#include "core/snapshot.h"

#define ENTITY_ROOT "root"		/* the root's name as a parent */
#define ENTITY_UNKNOWN "unknown"
#define ENTITY_NONE UINT32_MAX		/* jobs of the owner are charged to no entity */

/* A line of the resource group. A row with members is a group. */
struct entity_row {
	char *name, *parent;	/* the parent is ENTITY_ROOT, ENTITY_UNKNOWN or an earlier row */
	uint32_t shares;
};

struct entity_tree {
	struct fathom_tree *tree;
	uint32_t *node_of;	/* by owner: the node of its entity, or ENTITY_NONE */
};

/* Lists the accounts of a tree's first `count` nodes as rows, for FairshareEntity=Account_Name
 * without ResourceGroup. rows: has room for all these nodes; the rows point to `names`. Returns the
 * number of rows. */
size_t entity_rows_of_accounts(struct entity_row *rows, const struct snapshot *names, size_t count);
/*
 * Makes the tree of `count` rows. An owner is what has jobs, such as an association. entity: by
 * owner: the name of the entity that its jobs are charged to; NULL: of no entity. -1: EINVAL for a
 * parent that no earlier row has; ENOMEM; all members are 0 then.
 */
int entity_tree_create(struct entity_tree *entities, const struct entity_row *row, size_t count,
		       uint32_t unknown_shares, const char *const *entity, size_t owner_count,
		       struct fathom_error *error);
/* Frees the tree and sets all members to 0. */
void entity_tree_clear(struct entity_tree *entities);
