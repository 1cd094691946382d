/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The number of resources, for array sizes. Programs outside call
 * fathom_resource_count(), as the number may grow with the library. */
#pragma once

#include "fathom.h"

#define FATHOM_RESOURCE_COUNT (FATHOM_RESERVED_SLOTS + 1)
