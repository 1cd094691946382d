/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads a library with which the plugin is not linked. */
#pragma once

#include "fathom.h"

/* Loads the library for good, so that the linker can bind calls of it when they are made: a call of
 * a missing function would end slurmctld. name: what the error calls the library; file: its
 * run-time name, such as libsqlite3.so.0; symbol: a function that it must have. Returns 0; or -1,
 * and error->code is ENOSYS. */
int library_open(const char *name, const char *file, const char *symbol,
		 struct fathom_error *error);
