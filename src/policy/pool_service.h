/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slot seconds of a queue of a slot pool, from one pass to the next. */
#pragma once

#include "fathom.h"

/* What a queue has used and holds at the time of a pass. */
struct pool_use {
	double seconds;		/* slot seconds that it has used, decayed until then */
	uint64_t in_use;	/* slots that its running jobs hold from then on */
};

/* Returns the slot seconds that a queue has used by `end`: use->seconds, decayed since the pass at
 * `begin`, plus those of the slots that it holds since then, decayed, too. begin, end: seconds
 * since 1970. half_life: seconds, 0: no decay. */
double pool_used_until(const struct pool_use *use, double begin, double end, double half_life);
