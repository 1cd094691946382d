/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A cluster's snapshot with neutral names. */
#ifndef FORMAT_ANONYMOUS_SNAPSHOT_H
#define FORMAT_ANONYMOUS_SNAPSHOT_H

#include "fathom.h"

#include <stddef.h>
#include <stdio.h>

/* Writes a snapshot, of `length` bytes of JSON, with other names of accounts, users, partitions,
 * QOS, scopes, pools, groups, hosts and the cluster. A text that is not known to be without names
 * becomes null. -1: EINVAL, the text is not JSON; ENOMEM. */
int anonymous_snapshot_write(FILE *out, const char *text, size_t length,
			     struct fathom_error *error);

#endif
