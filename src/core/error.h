/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CORE_ERROR_H
#define CORE_ERROR_H

#include "fathom.h"

/* Fills `error` (which may be NULL); always -1, so that failing is one line. */
int fathom_error_set(struct fathom_error *error, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The same, about one row of the input. */
int fathom_error_set_row(struct fathom_error *error, int code, size_t row, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* Fills `error` with ENOMEM, "out of memory"; always -1. */
int fathom_error_no_memory(struct fathom_error *error);

#endif
