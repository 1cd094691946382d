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

/* All that lies between two fields of one record; as the distance is known to
 * the compiler, no loop is left of it. */
static inline __attribute__((always_inline)) void ask_for_all(const void *first, const void *last)
{
	const char *from = first, *to = last;
	const ptrdiff_t line = 64;

	for (ptrdiff_t at = 0; at < to - from; at += line)
		ask_for(from + at);
	ask_for(to);
}

#endif
