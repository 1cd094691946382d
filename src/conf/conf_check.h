/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks that need the whole of fathom.conf: lines that contradict each other. */
#pragma once

#include "conf/conf.h"
#include "core/error.h"

#include <errno.h>

/* A contradiction, and where it is. */
struct conf_fault {
	unsigned line;
	const char *key;
	struct fathom_error error;
};

/* Fills a fault with line, key and text. Its value is -1. */
#define FAULT(fault, line_number, key_name, ...) \
	((fault)->line = (line_number), (fault)->key = (key_name), \
	 fathom_error_set(&(fault)->error, EINVAL, __VA_ARGS__))

/* The line of a scope may only set what its policy has. -1: *fault says what it sets beside. */
int conf_check_pairs(const struct conf_scope *scope, const struct fathom_policy *policy,
		     struct conf_fault *fault);
/* Checks what cannot be checked line by line. Completes each scope's kind and each slot
 * share's `first`. -1: *fault says what is wrong. */
int conf_check(struct fathom_conf *conf, struct conf_fault *fault);
