/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the text of sshare tells against the evaluation of its tree. */
#ifndef CLI_SSHARE_TEXT_H
#define CLI_SSHARE_TEXT_H

#include "core/snapshot.h"
#include "fathom.h"

/* One line on stderr, if users are missing, or if `policy` is what is evaluated
 * as nobody has named one, and the FairShare in the text is that of another. */
void sshare_text_warn(const char *name, const struct snapshot *snapshot,
		      const struct fathom_policy *policy, const struct fathom_settings *settings);

#endif
