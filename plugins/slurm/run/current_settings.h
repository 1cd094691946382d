/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The settings in force. `scontrol reconfigure` replaces them at once, when slurmctld may not have
 * read its partitions yet. So the next pass checks whether the partitions fit fathom.conf. If they
 * do not, the settings of the last check come back into force.
 */
#ifndef SLURM_CURRENT_SETTINGS_H
#define SLURM_CURRENT_SETTINGS_H

#include "base/compat.h"
#include "conf/conf.h"
#include "settings/settings.h"

struct current_settings {
	pthread_mutex_t lock;		/* guards the next two; held while files are read */
	struct settings *settings;	/* in force */
	struct fathom_conf conf;	/* the last fathom.conf without an error */
	/* the last settings that the partitions fit, for the decay thread; NULL: none yet */
	struct settings *checked;
};

/* Reads slurm.conf and fathom.conf. -1: out of memory. */
int current_settings_init(struct current_settings *current);
void current_settings_clear(struct current_settings *current);

/* Returns the settings in force. The caller gives them back with settings_release(). */
struct settings *current_settings_get(struct current_settings *current);
/* Reads the files again. Out of memory: the settings stay. Takes no lock of slurmctld's, as the
 * thread that reconfigures holds conf write; the decay thread must hold conf read. */
void current_settings_renew(struct current_settings *current);

/*
 * Returns the settings for a pass, after a check of the settings in force: they have weights for
 * all TRES, and the partitions fit them, unless slurmctld has read no partitions yet. The caller
 * gives them back with settings_release(). For the decay thread alone; takes conf read and part
 * read.
 */
struct settings *current_settings_check(struct current_settings *current);
/* Do the partitions fit these settings, by the last check? For the decay thread alone. */
bool current_settings_are_checked(const struct current_settings *current,
				  const struct settings *settings);
/* Returns the settings of the last pass, or before the first pass those in force. The decay thread
 * must have ended. */
const struct settings *current_settings_last(const struct current_settings *current);

#endif
