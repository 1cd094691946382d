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

#define ASK_FOR_FIRST(a, b) ((a) < (b) ? (a) : (b))
#define ASK_FOR_DISTANCE(a, b) ((a) < (b) ? (b) - (a) : (a) - (b))

/* All that lies between two fields of a record, and the first byte of the last;
 * which of them is first differs between releases of Slurm. */
#define ask_for_fields(record, one, other)						\
	ask_for_all((const char *)(record) +						\
			    ASK_FOR_FIRST(offsetof(__typeof__(*(record)), one),	\
					  offsetof(__typeof__(*(record)), other)),	\
		    ASK_FOR_DISTANCE(offsetof(__typeof__(*(record)), one),		\
				     offsetof(__typeof__(*(record)), other)) + 1)

#endif
