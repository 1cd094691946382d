/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a tree as a file for `sacctmgr load`. */
#pragma once

#include "core/snapshot.h"

#include <stdio.h>

#define SACCTMGR_ROOT "root"
#define SACCTMGR_PARENT INT32_MAX	/* so sacctmgr dump writes FairShare=parent */

struct sacctmgr_form {
	bool accounts_alone;		/* users of the tree stand for accounts */
	bool root_has_no_shares;	/* the user root, so that it takes none from the others */
};

/* See format->write. Wrong are an account that occurs twice, or is called root; a name with a
 * quote or '='; shares that are the number that means parent. */
void sacctmgr_write_as(FILE *out, const struct snapshot *snapshot, struct sacctmgr_form form);
/* Like sacctmgr_write_as(), in the form that has the tree and nothing else. */
void sacctmgr_write(FILE *out, const struct snapshot *snapshot);
