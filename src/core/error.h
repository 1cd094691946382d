/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets errors. */
#pragma once

#include "fathom.h"

/* Fills `error`, unless it is NULL. code: an errno value. Returns -1, so that a function
 * can fail in one line. */
int fathom_error_set(struct fathom_error *error, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Like fathom_error_set(), for an error in one row of the input. */
int fathom_error_set_row(struct fathom_error *error, int code, size_t row, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* Fills `error` with ENOMEM, "out of memory"; always -1. */
int fathom_error_no_memory(struct fathom_error *error);
