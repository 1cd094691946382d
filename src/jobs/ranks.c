/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "jobs/ranks.h"

#include "fathom.h"
#include "memory/need_memory.h"

double *ranks_of(const double *value, size_t count)
{
	double *rank = need_zeros(count, sizeof(*rank));

	need_done(fathom_ranks(value, count, rank, NULL));
	return rank;
}
