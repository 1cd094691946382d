/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CORE_PREFETCH_H
#define CORE_PREFETCH_H

/* Asks for memory ahead; NULL is fine. The empty statement is for compilers
 * that take a function which does nothing else for one that does nothing. */
static inline void prefetch(const void *memory)
{
	__builtin_prefetch(memory);
	__asm__ volatile("" : : "r"(memory));
}

#endif
