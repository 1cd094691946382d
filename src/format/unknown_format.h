/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says what is wrong with a file that no format recognises, or that is empty. */
#pragma once

#include "format/format.h"

/* Fails, see wrong_at(), because of a file that no format recognises: says what it is by its
 * beginning, such as "is empty" or "is a table of squeue (...)". Unless that tells what can be
 * read, it adds what the file must be. right: that. */
_Noreturn void wrong_format(struct document *input, const char *right);
/* Fails, see wrong_at(), if a file has only blanks or comments, whatever its format. Does nothing
 * while a part of the file is not loaded. right: what the file must be, for the error. */
void input_check_content(struct document *input, const char *right);
/* Returns a clause about a file that scontrol has printed, whose output looks like slurm.conf;
 * NULL: it is something else. */
const char *scontrol_reason(const struct document *input);
