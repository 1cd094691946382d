/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a pass keeps about the queues of slot pools. */
#pragma once

#include "fathom.h"

/* What a queue has used and holds as of a pass. */
struct pool_use {
	double seconds;		/* slot seconds, decayed */
	uint64_t in_use;	/* slots that its running jobs hold from then on */
};

/* Returns the slot seconds that a queue has used by `end`: those as of the pass at `begin`, decayed
 * since, and those of the slots that it holds since then. half_life: seconds, 0: no decay. */
double pool_used_until(const struct pool_use *use, double begin, double end, double half_life);
