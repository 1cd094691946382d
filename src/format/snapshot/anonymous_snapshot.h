/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A cluster's snapshot with neutral names. */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* Writes a snapshot with neutral names of accounts, users, partitions, QOS, scopes, pools, groups,
 * hosts and the cluster. Other texts that may have names become null. text: `length` bytes of JSON.
 * Fails, see wrong_at(), if it is not JSON. */
void anonymous_snapshot_write(FILE *out, const char *text, size_t length);
