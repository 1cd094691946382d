/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The partitions that fathom.conf names: those of scopes, each with a scheme that counts only jobs
 * of its partitions, and those of slot pools.
 */
#ifndef SLURM_SCOPES_H
#define SLURM_SCOPES_H

#include "settings/settings_fields.h"

struct conf_slurm;
struct fathom_conf;

/* Adds a scheme for each scope, for which settings->scheme has room, and fills settings->queue
 * and settings->pool. -1: problem->text. */
int scopes_create(struct settings *settings, const struct fathom_conf *conf,
		  const struct conf_slurm *slurm, struct fathom_error *problem);
void scopes_destroy(struct settings *settings);

/* NULL: fathom.conf does not name the partition, or `partition` is NULL. */
const struct queue *scopes_queue(const struct settings *settings, const char *partition);
/* The name that fathom.conf gives the scope with this scheme. */
const char *scopes_name(const struct settings *settings, size_t scheme);
/* The scheme that a partition's jobs go by. */
size_t scopes_scheme(const struct settings *settings, const char *partition);
/* Does the scheme count what jobs of the partition use? */
bool scopes_scheme_counts(const struct settings *settings, size_t scheme, const char *partition);

#endif
