/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm.conf and fathom.conf as one object. It never changes, is read without a lock, and is
 * counted by references. */
#ifndef SLURM_SETTINGS_H
#define SLURM_SETTINGS_H

#include "settings/scopes.h"
#include "settings/settings_fields.h"

/* Takes slurm.conf as slurmctld has read it, and reads fathom.conf. kept: the last fathom.conf
 * without an error; replaced if this one has none. If it has, the error is logged, and the settings
 * are made from *kept. first: fathom.conf has not been read before, for the message. NULL: out of
 * memory, or *kept does not fit slurm.conf any more. */
struct settings *settings_read(struct fathom_conf *kept, bool first);
/* Returns the settings that apply without a fathom.conf. NULL: out of memory. */
struct settings *settings_standard(void);
/* Each reference is given back with settings_release(); the last one frees the settings. */
struct settings *settings_reference(const struct settings *settings);
void settings_release(struct settings *settings);

/* Returns the name of a scheme for the same jobs: of the shadow for the one in force, and the other
 * way round, as Policy and ShadowPolicy may have been exchanged since the state was saved. A scope
 * has only its own name. */
const char *settings_other_name(const struct scheme *scheme);
/* Returns the kind of sums that the scheme keeps. Sums are kept when the policy changes to another
 * one with sums of the same kind. */
const char *settings_kind_of_sums(const struct scheme *scheme);

/* Returns settings->priority with the present size of the cluster. */
struct fathom_priority_config settings_priority(const struct settings *settings);

/* Returns the dampening factor for sshare, which computes factors outside slurmctld: from
 * fathom.conf if that can be read, else from slurm.conf. */
double settings_dampening_factor(void);

#endif
