/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads memory ahead of its use. */
#pragma once

/* Tells the processor to load memory that is read soon; NULL is allowed. The empty
 * statement keeps compilers from removing calls of a function that only prefetches. */
static inline void prefetch(const void *memory)
{
	__builtin_prefetch(memory);
	__asm__ volatile("" : : "r"(memory));
}
