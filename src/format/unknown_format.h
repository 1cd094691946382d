/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says what is the matter with a file that no format recognises, or that has nothing in it. */
#pragma once

#include "format/format.h"

/* Returns what is wrong, such as "is empty", or "unknown format", by the beginning of a file. A
 * message goes on with what it must be. */
const char *unknown_format_reason(const struct document *input);
/* Refuses an open file that has only blanks or comments, whatever its format. right: what it must
 * be. */
void input_check_content(struct document *input, const char *right);
/* Returns what it is if scontrol has printed it, whose output looks like slurm.conf; else NULL. */
const char *scontrol_reason(const struct document *input);
