/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words in the comment of a job, by which its owner asks for something that Slurm has no option
 * for: "urgency=24", "fairshare=GROUP". They stand anywhere in the comment, between blanks, commas
 * or semicolons; the first one with a key counts. A comment may be NULL.
 */
#pragma once

#include "core/piece.h"

#include <stdbool.h>
#include <stdint.h>

/* Returns what stands behind "key=" in the comment. at NULL: the comment has no such word. */
struct piece job_comment_value(const char *comment, const char *key);

/* Returns the nice value of a job of flux: its urgency is 16 minus that. A comment may give an
 * urgency in place of 16, which nice then changes. may_raise: also one above 16. *fault (fault may
 * be NULL): why the word does not count; NULL: it counts, or there is none. */
int64_t job_comment_nice(const char *comment, int64_t nice, bool may_raise, const char **fault);
