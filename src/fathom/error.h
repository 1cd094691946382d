/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a call that fails tells. */
#ifndef FATHOM_ERROR_H
#define FATHOM_ERROR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FATHOM_NO_ROW SIZE_MAX

/* Filled by a call that fails; the caller owns it. */
struct fathom_error {
	int code;	/* an errno value */
	size_t row;	/* the input row at fault, or FATHOM_NO_ROW */
	char text[256];
};

#ifdef __cplusplus
}
#endif
#endif
