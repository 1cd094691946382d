/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many resources there are, for arrays; fathom_resource_count() says it
 * to programs that are linked with libfathom. */
#ifndef CORE_RESOURCE_H
#define CORE_RESOURCE_H

#include "fathom.h"

#define FATHOM_RESOURCE_COUNT (FATHOM_ADJUSTMENT + 1)

#endif
