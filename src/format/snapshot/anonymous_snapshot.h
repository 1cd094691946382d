/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A cluster's snapshot with neutral names. */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* Writes a snapshot, of `length` bytes of JSON, with other names of accounts, users, partitions,
 * QOS, scopes, pools, groups, hosts and the cluster. A text that is not known to be without names
 * becomes null. Text that is not JSON is wrong. */
void anonymous_snapshot_write(FILE *out, const char *text, size_t length);
