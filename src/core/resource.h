/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The number of resources, for sizes of arrays inside the library. Programs that use the library
 * call fathom_resource_count(), as the number may grow with it. */
#pragma once

#include "fathom.h"

/* FATHOM_RESERVED_SLOTS is the last one of enum fathom_resource. */
#define FATHOM_RESOURCE_COUNT (FATHOM_RESERVED_SLOTS + 1)
