/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory asked for before it is read, as most of a pass is waiting for it. */
#ifndef SLURM_ASK_FOR_H
#define SLURM_ASK_FOR_H

#include <stddef.h>

/* Asks for memory ahead. The empty statement is for compilers that take a
 * function which does nothing else for one that does nothing. */
static inline void ask_for(const void *memory)
{
	__builtin_prefetch(memory);
	__asm__ volatile("" : : "r"(memory));
}

/* `size` bytes; where the compiler knows how many, no loop is left. */
static inline __attribute__((always_inline)) void ask_for_all(const void *memory, size_t size)
{
	const char *at = memory;

#pragma GCC unroll 8
	for (size_t i = 0; i + 1 < size; i += 64)
		ask_for(at + i);
	ask_for(at + size - 1);
}

/* All that lies between two fields of a record, and the first byte of the last. */
#define ask_for_fields(record, first, last)				\
	ask_for_all(&(record)->first,					\
		    offsetof(__typeof__(*(record)), last) -		\
			    offsetof(__typeof__(*(record)), first) + 1)

#endif
