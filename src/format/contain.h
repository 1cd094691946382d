/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libslurm logs to stderr, and ends the process where it finds no way on. */
#ifndef FORMAT_CONTAIN_H
#define FORMAT_CONTAIN_H

#include <stddef.h>

/* From here stderr is kept back; if the process is ended, what was logged
 * last is said on stderr as one line "fathom: ..." and the status is 2. */
void contain_begin(void);
/* Gives stderr back, and the last logged line, or "", in `line`. */
void contain_end(char *line, size_t size);

#endif
