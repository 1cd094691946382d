/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How calls report errors. */
#ifndef FATHOM_ERROR_H
#define FATHOM_ERROR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FATHOM_NO_ROW SIZE_MAX

/*
 * A call that can fail takes a pointer to this struct as its last argument. It
 * returns NULL or -1 if it fails, and only then fills the struct. The pointer
 * may be NULL.
 */
struct fathom_error {
	int code;	/* an errno value; each call says which */
	size_t row;	/* the row of the input that is wrong, or FATHOM_NO_ROW */
	char text[256];	/* one line of English, without a full stop */
};

#ifdef __cplusplus
}
#endif
#endif
