/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks that need the whole of fathom.conf: lines that contradict each other. */
#ifndef CONF_CONF_CHECK_H
#define CONF_CONF_CHECK_H

#include "conf/conf.h"

/* A contradiction, and where it is. */
struct conf_fault {
	unsigned line;
	const char *key;
	struct fathom_error error;
};

/* Checks what cannot be checked line by line. Completes each scope's kind and each slot
 * share's `first`. -1: *fault says what is wrong. */
int conf_check(struct fathom_conf *conf, struct conf_fault *fault);

#endif
