/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm.conf and fathom.conf as one object. It never changes, is read without a lock, and is
 * counted by references. */
#ifndef SLURM_SETTINGS_H
#define SLURM_SETTINGS_H

#include "settings/scopes.h"
#include "settings/settings_fields.h"
#include "settings/slurm_values.h"

/* Returns the text of a fathom.conf, which the caller frees. NULL: errno says why. */
char *settings_read_text(const char *path);
/* Makes settings from slurm.conf and the text of a fathom.conf, and logs which they are. Opens the
 * objects that the text names, and compiles its formulas. path: for messages. text: NULL for the
 * settings that apply without a file. fault: what is wrong with the file that these settings stand
 * in for, or NULL; if they do, an object that is gone, or what does not fit slurm.conf any more, is
 * logged and left out, as all else is still nearer to what the site wants than the defaults. NULL:
 * problem->text says why. */
struct settings *settings_create(const struct slurm_values *slurm, const char *path,
				 const char *text, const char *fault,
				 struct fathom_error *problem);

/* Returns settings->priority with the present size of the cluster. */
struct fathom_priority_config settings_priority(const struct settings *settings);

/* Returns the dampening factor for sshare, which computes factors outside slurmctld: from
 * fathom.conf if that can be read, else from slurm.conf. */
double settings_dampening_factor(void);

#endif
