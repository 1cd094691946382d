/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a tree as a file for `sacctmgr load`, which sacctmgr.c reads and shows. */
#pragma once

#include "core/snapshot.h"

#include <stdio.h>

#define SACCTMGR_ROOT "root"		/* the name of the root account, and of a user in it */
#define SACCTMGR_PARENT INT32_MAX	/* sacctmgr dump writes FairShare=parent as this number */

/* How to write; all false: the tree and nothing else. */
struct sacctmgr_form {
	bool accounts_alone;		/* users of the tree are written as accounts */
	bool root_has_no_shares;	/* adds the user root with 0 shares, unless the tree has
					 * it: Slurm would give it 1 share */
};

/* Writes a tree, in which names of accounts get small letters. The caller checks ferror(). Fails
 * by wrong_at(), about no document, if an account occurs twice or is called root; if a name has a
 * quote or '='; if shares are SACCTMGR_PARENT. */
void sacctmgr_write_as(FILE *out, const struct snapshot *snapshot, struct sacctmgr_form form);
/* Calls sacctmgr_write_as() with a form of zeros; for format->write. */
void sacctmgr_write(FILE *out, const struct snapshot *snapshot);
