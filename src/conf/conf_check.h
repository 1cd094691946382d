/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks that need the whole of fathom.conf: lines that contradict each other. */
#pragma once

#include "conf/conf.h"
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

/* Checks that the line of a scope has only settings of its policy. -1: *fault names another key. */
int conf_check_pairs(const struct conf_scope *scope, const struct fathom_policy *policy,
		     struct conf_fault *fault);
/* Checks what cannot be checked line by line, once all lines are read. Sets each scope's kind if
 * its line does not give it and each slot share's `first`, and sorts banks and user groups. -1:
 * *fault says what is wrong. */
int conf_check(struct fathom_conf *conf, struct conf_fault *fault);
