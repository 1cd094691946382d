/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a cluster's snapshot; cluster_snapshot.c says what is in it, and reads it. */
#pragma once

#include "format/pool_divisions.h"
#include "jobs/jobs.h"
#include "json/figures.h"

#include <stdio.h>

/* What is written; the caller owns all of it. */
struct cluster_snapshot {
	int64_t time;				/* seconds since 1970 */
	const struct snapshot *tree;
	const struct json_figures *figures;
	const struct jobs *jobs;
	const struct pool_divisions *pools;	/* NULL: not known */
	const char *slurm_conf, *fathom_conf;	/* texts; NULL: not known */
};

/* Writes the document. The caller checks ferror(). */
void cluster_snapshot_write(FILE *out, const struct cluster_snapshot *snapshot);
