/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libslurm logs to stderr, and ends the process if slurm.conf is missing or wrong. A
 * capture turns its log into one message of fathom's. */
#ifndef FORMAT_STDERR_CAPTURE_H
#define FORMAT_STDERR_CAPTURE_H

#include <stddef.h>

/* Captures stderr from now on. If libslurm ends the process, the last line of the log is
 * printed as a line "fathom: ..." and the exit status is 2. */
void stderr_capture_begin(void);
/* Restores stderr. line: gets the last line of the log, or "". */
void stderr_capture_end(char *line, size_t size);

#endif
