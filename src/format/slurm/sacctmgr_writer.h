/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a tree as a file for `sacctmgr load`. */
#ifndef FORMAT_SACCTMGR_WRITER_H
#define FORMAT_SACCTMGR_WRITER_H

#include "core/snapshot.h"

#include <stdio.h>

#define SACCTMGR_ROOT "root"
#define SACCTMGR_PARENT INT32_MAX	/* so sacctmgr dump writes FairShare=parent */

/* See format->write. EINVAL: an account occurs twice, or is called root; a name has both kinds of
 * quotes; shares are the number that means parent. */
int sacctmgr_write(FILE *out, const struct snapshot *snapshot, struct fathom_error *error);

#endif
