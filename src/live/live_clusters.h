/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clusters that slurmdbd knows. */
#pragma once

#include "fathom.h"

/* Calls `use` with the name of each cluster. */
void live_clusters_each(void (*use)(void *context, const char *name), void *context);
