/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets errors, see fathom/error.h. */
#pragma once

#include "fathom.h"

/* Fills `error`, unless it is NULL, for no row of the input. code: an errno value. Returns -1, so
 * that a function can fail in one line. */
int fathom_error_set(struct fathom_error *error, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Fills `error`, unless it is NULL, for a row of the input, counted from 0. Returns -1. */
int fathom_error_set_row(struct fathom_error *error, int code, size_t row, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* Fills `error`, unless it is NULL, with ENOMEM and "out of memory". Returns -1. */
int fathom_error_no_memory(struct fathom_error *error);
