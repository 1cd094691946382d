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

/* Returns the text behind "key=" in the comment, a part of the comment of 1 character or more. Its
 * `at` is NULL if the comment has no such word. */
struct piece job_comment_value(const char *comment, const char *key);

/* Returns the nice value that a job counts with under flux, where its urgency is 16 minus that.
 * nice: the job's own; it counts as it is unless the comment has a word "urgency=N", by which N
 * takes the place of 16. may_raise: N may be above 16. *fault: why the word does not count, a
 * clause; NULL if it counts or there is no such word. fault: may be NULL. */
int64_t job_comment_nice(const char *comment, int64_t nice, bool may_raise, const char **fault);
