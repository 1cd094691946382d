/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Warns if the text of sshare does not fit the evaluation of its tree. */
#ifndef CLI_SSHARE_TEXT_H
#define CLI_SSHARE_TEXT_H

#include "core/snapshot.h"
#include "fathom.h"

/* Prints a line on stderr if users are missing, or if the printed FairShare is that of another
 * policy than `policy`. policy: NULL if the user has chosen it. */
void sshare_text_warn(const char *name, const struct snapshot *snapshot,
		      const struct fathom_policy *policy, const struct fathom_settings *settings);

#endif
