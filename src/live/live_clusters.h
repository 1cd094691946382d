/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clusters that slurmdbd knows. */
#ifndef LIVE_LIVE_CLUSTERS_H
#define LIVE_LIVE_CLUSTERS_H

#include "fathom.h"

/* Calls `use` with the name of each cluster. */
void live_clusters_each(void (*use)(void *context, const char *name), void *context);

#endif
