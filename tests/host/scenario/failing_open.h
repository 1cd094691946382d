/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For a test that says which files the plugin cannot open: these calls come before libc's. */
#pragma once

#include "controller/host_internal.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>

#define SHOWN __attribute__((visibility("default")))	/* to the plugin */

/* The test defines it; sets errno if it returns true. */
static bool is_unreadable(const char *path);

/* The third argument is read also where the caller gives none; then nobody looks at it. */
#define DEFINE_OPEN(call)						\
	SHOWN int call(const char *path, int flags, ...)		\
	{								\
		int (*next)(const char *path, int flags, ...) =		\
			host_next_symbol(#call);			\
		va_list rest;						\
		mode_t mode;						\
									\
		va_start(rest, flags);					\
		mode = va_arg(rest, mode_t);				\
		va_end(rest);						\
		return is_unreadable(path) ? -1 : next(path, flags, mode);	\
	}
DEFINE_OPEN(open)
DEFINE_OPEN(open64)

/* What open() becomes under _FORTIFY_SOURCE, where its flags are no constant. */
#define DEFINE_OPEN_2(call)						\
	SHOWN int call(const char *path, int flags)			\
	{								\
		int (*next)(const char *path, int flags) =		\
			host_next_symbol(#call);			\
									\
		return is_unreadable(path) ? -1 : next(path, flags);	\
	}
DEFINE_OPEN_2(__open_2)
DEFINE_OPEN_2(__open64_2)
