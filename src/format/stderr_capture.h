/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libslurm logs to stderr, and ends the process where it finds no way on. */
#ifndef FORMAT_STDERR_CAPTURE_H
#define FORMAT_STDERR_CAPTURE_H

#include <stddef.h>

/* From here stderr is kept back; if the process is ended, what was logged
 * last is said on stderr as one line "fathom: ..." and the status is 2. */
void stderr_capture_begin(void);
/* Gives stderr back, and the last logged line, or "", in `line`. */
void stderr_capture_end(char *line, size_t size);

#endif
