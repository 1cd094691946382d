/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The settings in force. A reconfigure replaces them at once. Before a pass works by new settings
 * it checks whether slurmctld's partitions allow them; if not, the last good ones come back into
 * force.
 */
#ifndef SLURM_CURRENT_SETTINGS_H
#define SLURM_CURRENT_SETTINGS_H

#include "base/compat.h"
#include "conf/conf.h"
#include "settings/settings.h"

struct current_settings {
	pthread_mutex_t lock;		/* of `settings` and `conf`; held while files are read */
	struct settings *settings;
	struct fathom_conf conf;	/* the last good fathom.conf */
	struct settings *checked;	/* the last that partitions allow; NULL: none yet */
};

/* Reads slurm.conf and fathom.conf. -1: out of memory. */
int current_settings_init(struct current_settings *current);
void current_settings_clear(struct current_settings *current);

/* To be given back with settings_release. */
struct settings *current_settings_get(struct current_settings *current);
/* Reads the files anew; where that fails the settings stay. Takes no lock of slurmctld's; the
 * plugin's own threads must hold conf read. */
void current_settings_renew(struct current_settings *current);

/*
 * Those that a pass works by: with weights for all TRES, and allowed by the partitions, or not
 * compared with them yet because slurmctld has read none. For the decay thread alone; it takes
 * conf read and part read. To be given back with settings_release.
 */
struct settings *current_settings_check(struct current_settings *current);
/* Do partitions allow these? For the decay thread alone. */
bool current_settings_are_checked(const struct current_settings *current,
				  const struct settings *settings);
/* Those of the last pass, or those in force if there was none. No other thread may run. */
const struct settings *current_settings_last(const struct current_settings *current);

#endif
