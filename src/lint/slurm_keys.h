/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the keys of slurm.conf, and lists of such names; each list ends with NULL. */
#pragma once

#include <stdbool.h>

extern const char *const slurm_keys[];		/* general keys, and those that begin a line */
extern const char *const slurm_repeated_keys[];	/* the keys that may be given several times */

/* Returns whether a list has a key or another word, in upper or lower case. */
bool slurm_key_is_in(const char *const *keys, const char *key);
/* Returns the keys that may be on a line that begins with key `first`, such as PartitionName;
 * NULL: they are not listed here. */
const char *const *slurm_line_keys(const char *first);
