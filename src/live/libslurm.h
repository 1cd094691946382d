/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Around every use of libslurm: begin, call, end. libslurm logs to stderr, and ends the process
 * if slurm.conf is wrong. Between begin and end its log is captured, so that the user sees one
 * line of fathom's.
 */
#ifndef FORMAT_LIBSLURM_H
#define FORMAT_LIBSLURM_H

#include "fathom.h"

#define LIBSLURM_FROM "; --from reads a file"

/* Captures stderr and initialises libslurm. instead: what a message says at its end if no cluster
 * answers, such as LIBSLURM_FROM. -1: SLURM_CONF names a file that cannot be read; then
 * libslurm_end() is not called. */
int libslurm_begin(const char *instead, struct fathom_error *error);
/* Fills `error` after a call failed, from errno or else from libslurm's log. what: whom the call
 * asked. Returns -1. */
int libslurm_failed(struct fathom_error *error, const char *what);
/* Calls `read` with `context` for each cluster of a list of names, or for the local one if
 * `clusters` is NULL; libslurm's calls then ask that cluster. Ends at the first -1, and returns
 * it. */
int libslurm_each_cluster(const char *clusters, int (*read)(void *context), void *context,
			  struct fathom_error *error);
/* Restores stderr. */
void libslurm_end(void);

#endif
