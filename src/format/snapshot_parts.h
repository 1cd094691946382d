/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Readers of the parts of a cluster's snapshot, and a writer. Each is defined in the source file of
 * the part's own format, reads the whole document, and ignores all other parts. They fail, see
 * wrong_at(), if the document is wrong.
 */
#pragma once

#include "format/format.h"
#include "format/recorded.h"
#include "format/slurm_conf.h"
#include "jobs/jobs.h"

#define SNAPSHOT_FORMAT "fathom-snapshot"
#define SNAPSHOT_VERSION 1
#define SNAPSHOT_SHAPE "\"tree\": {...}, \"jobs\": [...]"
#define SNAPSHOT_PAGE "fathom-snapshot(1)"
/* The struct json_document of a snapshot, of which only the members of the array are read. */
#define SNAPSHOT_DOCUMENT(array)                                                             \
	{ .format = SNAPSHOT_FORMAT, .version = SNAPSHOT_VERSION, .shape = SNAPSHOT_SHAPE,     \
	  .members = (array), .page = SNAPSHOT_PAGE }

/* Reads "tree": a document of the format fathom-tree, or its list of nodes. Without "tree",
 * snapshot->tree is NULL. */
void snapshot_read_tree(struct document *input, struct snapshot *snapshot);
/* Reads "figures": the content of a FiguresFile. Without it, pass->in_force.policy is NULL. */
void snapshot_read_figures(struct document *input, struct recorded_pass *pass);
/* Reads "jobs", "partitions", "qos", "cluster" and "slurm_conf"; any of them may be absent. */
void snapshot_read_jobs(struct document *input, struct jobs *jobs);
/* Writes the members that snapshot_read_jobs() reads, from "cluster" to "jobs", without braces
 * around them. The caller checks ferror(). */
void snapshot_put_jobs(FILE *out, const struct jobs *jobs);
/* Returns "slurm_conf"; without it, an empty one. */
struct slurm_conf snapshot_slurm_conf(struct document *input);
/* Adds the lines of a slurm.conf that snapshot_slurm_conf() returned to the settings. Fails if it
 * has faults. */
void slurm_conf_add_to(const struct slurm_conf *conf, struct site_settings *settings);
/* Returns the part "fathom_conf" or "slurm_conf": its text, or a text that is made of it if it is
 * an object of keys. NULL: the snapshot lacks the part. */
const char *snapshot_read_text(struct document *input, const char *part);
