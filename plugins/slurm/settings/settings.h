/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What slurm.conf and fathom.conf say, as one object that never changes. */
#ifndef SLURM_SETTINGS_H
#define SLURM_SETTINGS_H

#include "settings/scopes.h"
#include "settings/settings_fields.h"

/* Reads both files anew. An error in fathom.conf is logged, and the settings are made of what
 * the file said before, *kept, or of the defaults. NULL: out of memory. */
struct settings *settings_read(struct fathom_conf *kept, bool first);
/* The settings that apply without a fathom.conf. NULL: out of memory. */
struct settings *settings_standard(void);
struct settings *settings_reference(const struct settings *settings);
void settings_release(struct settings *settings);

/* The name of the scheme that counted the same jobs if Policy and ShadowPolicy have been
 * exchanged since the state was saved. For a scope: its own name. */
const char *settings_other_name(const struct scheme *scheme);
/* The kind of sums that the scheme keeps. Sums go on under another policy of the same kind. */
const char *settings_kind_of_sums(const struct scheme *scheme);

/* The cluster as it is now, with the weights of `settings`. */
struct fathom_priority_config settings_priority(const struct settings *settings);

/* The dampening factor for sshare, which computes factors outside slurmctld: that of fathom.conf
 * if the file can be read, else that of slurm.conf. */
double settings_dampening_factor(void);

#endif
