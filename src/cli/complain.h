/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Errors and remarks on stderr, and exit statuses. */
#ifndef CLI_COMPLAIN_H
#define CLI_COMPLAIN_H

struct failure;

/* Exit statuses. EXIT_NO: the answer is no; EXIT_WRONG: wrong use or bad input. */
enum { EXIT_DONE, EXIT_NO, EXIT_WRONG };

/* Prints an error, one line "fathom: ...", on stderr. Returns EXIT_WRONG. */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints what is wrong with a document, "fathom: FILE:LINE: ...". Returns EXIT_WRONG. */
int complain_of_failure(const struct failure *failure);
/* The error that a build without libslurm needs this option. */
int complain_without_libslurm(const char *option);
/* Prints a warning, one line "fathom: ...", on stderr. */
void remark(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
