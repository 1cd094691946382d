/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prefetches fields of slurmctld's records: most of a pass is spent waiting for their memory. */
#pragma once

#include "core/prefetch.h"

#include <stddef.h>

/* Prefetches `size` bytes, 1 or more, from `memory` on. A cache line has 64 bytes. The compiler
 * unrolls the loop where it knows the size. */
static inline __attribute__((always_inline)) void prefetch_all(const void *memory, size_t size)
{
	const char *at = memory;

#pragma GCC unroll 8
	for (size_t i = 0; i + 1 < size; i += 64)
		prefetch(at + i);
	prefetch(at + size - 1);	/* `memory` may begin in the middle of a line */
}

/* Of two offsets: the first in memory, and the bytes between them. */
#define PREFETCH_FIRST(a, b) ((a) < (b) ? (a) : (b))
#define PREFETCH_DISTANCE(a, b) ((a) < (b) ? (b) - (a) : (a) - (b))

/* Prefetches two fields of a record and all fields between them: prefetch_fields(job, assoc_id,
 * assoc_ptr). Of the field that is last in memory, only the first byte is meant. The two may be in
 * either order, as their order differs between releases of Slurm. */
#define prefetch_fields(record, one, other)						\
	prefetch_all((const char *)(record) +						\
			    PREFETCH_FIRST(offsetof(__typeof__(*(record)), one),	\
					  offsetof(__typeof__(*(record)), other)),	\
		    PREFETCH_DISTANCE(offsetof(__typeof__(*(record)), one),		\
				     offsetof(__typeof__(*(record)), other)) + 1)
