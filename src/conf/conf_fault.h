/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What checks of fathom.conf find. */
#pragma once

#include "core/error.h"

#include <errno.h>

/* A mistake in fathom.conf, and where it is. */
struct conf_fault {
	unsigned line;			/* 0: no particular line */
	const char *key;		/* to which the line gives a value; "": no particular key */
	struct fathom_error error;	/* EINVAL, or ENOMEM */
};

/* Sets a fault's line, key and text, which a format for printf() follows. Its value is -1. */
#define FAULT(fault, line_number, key_name, ...) \
	((fault)->line = (line_number), (fault)->key = (key_name), \
	 fathom_error_set(&(fault)->error, EINVAL, __VA_ARGS__))
