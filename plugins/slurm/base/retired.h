/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects that many threads read, and that are freed with their last reference. The last reader may
 * be a request that holds slurmctld's locks, and freeing megabytes takes milliseconds. So the last
 * reference only retires the object, and the plugin's thread frees it later.
 */
#ifndef SLURM_RETIRED_H
#define SLURM_RETIRED_H

/* The first member of such an object. */
struct retired {
	struct retired *next;
	void (*destroy)(struct retired *object);
};

/* Nobody reads the object any more. Takes no lock. */
void retire(struct retired *object, void (*destroy)(struct retired *object));
/* Frees all retired objects. The caller holds none of slurmctld's locks. */
void retired_free(void);

#endif
