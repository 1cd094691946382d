/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clusters that slurmdbd knows. */
#ifndef LIVE_LIVE_CLUSTERS_H
#define LIVE_LIVE_CLUSTERS_H

#include "fathom.h"

/* Calls `use` with the name of each cluster. -1: slurmdbd does not answer, or knows none. */
int live_clusters_each(void (*use)(void *context, const char *name), void *context,
		       struct fathom_error *error);

#endif
