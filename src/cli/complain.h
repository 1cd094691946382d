/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_COMPLAIN_H
#define CLI_COMPLAIN_H

enum { EXIT_DONE, EXIT_NO, EXIT_WRONG };	/* the answer is no; wrong use or bad input */

/* One line "fathom: ..." on stderr; always EXIT_WRONG. */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A line "fathom: ..." of what is good to know; the status stays. */
void remark(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Ends what went to stdout; EXIT_WRONG, and the reason said, if not all of it
 * arrived. */
int finish_output(int status);

#endif
