/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a cluster's snapshot; cluster_snapshot.c says what is in it, and reads it. */
#pragma once

#include "format/pool_divisions.h"
#include "jobs/jobs.h"
#include "json/figures.h"

#include <stdio.h>

/* The parts that are written; the caller owns them. A part that may be NULL is left out then. */
struct cluster_snapshot {
	int64_t time;				/* seconds since 1970 */
	const struct snapshot *tree;
	const struct json_figures *figures;
	const struct jobs *jobs;
	const struct pool_divisions *pools;	/* may be NULL */
	const char *slurm_conf, *fathom_conf;	/* texts of the files; may be NULL */
};

/* Writes the document. The caller checks ferror(). */
void cluster_snapshot_write(FILE *out, const struct cluster_snapshot *snapshot);
