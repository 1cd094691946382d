/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds up the slot seconds of a queue. */
#include "policy/pool_service.h"

double pool_used_until(const struct pool_use *use, double begin, double end, double half_life)
{
	return use->seconds * fathom_decay(end - begin, half_life) +
	       (double)use->in_use * fathom_decayed_seconds(begin, end, end, half_life);
}
