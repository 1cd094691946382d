/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The image of usage on disk: one file, written whole after each pass. The file
 * before it is kept, and is read if the newest turns out to be damaged.
 */
#ifndef SLURM_STATE_H
#define SLURM_STATE_H

#include "state/usage_image.h"

/* STATE_UNREADABLE: a file is there and may be good, but cannot be read now. */
enum state_found { STATE_NONE, STATE_OWN, STATE_STOCK, STATE_UNREADABLE };

/* Of a pass, and of the last reset before it. */
struct state_times {
	int64_t time, last_reset;
};

/* False: nothing is saved, as with /dev/null. */
bool state_has_place(const char *folder);
/*
 * What the folder (StateSaveLocation) holds. STATE_OWN: `image` is filled; STATE_STOCK: its
 * times alone, because multifactor ran last. `dumped`: the pass that slurmctld's last dump of
 * usage contains, by multifactor's file. A damaged file is put aside. `again`: the log has
 * already said that a file cannot be read.
 */
enum state_found state_load(const char *folder, struct usage_image *image,
			    struct state_times *dumped, bool again);
/* -1: the image is not on disk. */
int state_save(const char *folder, const struct usage_image *image);
/* multifactor's file of times. */
int state_save_times(const char *folder, const struct state_times *times);

#endif
