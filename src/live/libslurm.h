/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Around every use of libslurm. libslurm logs to stderr, and ends the process if slurm.conf is
 * wrong. While it is asked its log is captured, so that the user sees one line of fathom's. Include
 * compat.h first.
 */
#pragma once

#include "fathom.h"

#define LIBSLURM_FROM "; --from reads a file"

/* Captures stderr, initialises libslurm, and calls `ask`, which may fail, see wrong_at(). instead:
 * what a message says at its end if no cluster answers, such as LIBSLURM_FROM. */
void libslurm_ask(const char *instead, void (*ask)(void *context), void *context);

/* These are called from there. */

/* Fails after a call has failed, with an error of errno or else of libslurm's log. what: whom the
 * call asked. */
_Noreturn void libslurm_failed(const char *what);
/* Calls `read` with `context` for each cluster of a list of names, or for the local one if
 * `clusters` is NULL; libslurm's calls then ask that cluster. */
void libslurm_each_cluster(const char *clusters, void (*read)(void *context), void *context);
/* Return the configuration of slurmctld, its partitions, and its answer to sshare. */
slurm_conf_t *libslurm_conf(void);
partition_info_msg_t *libslurm_partitions(void);
shares_response_msg_t *libslurm_shares(shares_request_msg_t *wanted);
