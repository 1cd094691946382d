/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says what is wrong with a file that no format recognises, or that is empty. */
#pragma once

#include "format/format.h"

/* Returns a clause about a file by its beginning, such as "is empty", "is a table of squeue (...)"
 * or, if nothing better is known, "unknown format". The caller adds what the file must be. */
const char *unknown_format_reason(const struct document *input);
/* Fails, see wrong_at(), if a file has only blanks or comments, whatever its format. Does nothing
 * while a part of the file is not loaded. right: what the file must be, for the error. */
void input_check_content(struct document *input, const char *right);
/* Returns a clause about a file that scontrol has printed, whose output looks like slurm.conf;
 * NULL: it is something else. */
const char *scontrol_reason(const struct document *input);
