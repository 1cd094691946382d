/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of --from, which describe a site together: trees, jobs, settings, a fathom.conf. The
 * command reads each by what it is, and takes the rule of the tree when all are read:
 *
 *	site_input_read_conf(&files, format, &file);	and so on, or sources_add(), for each file
 *	site_input_complete(&files);
 *	sources_finish(&files.sources, tree_wins);
 *	rule = site_input_rule(&files);
 */
#pragma once

#include "cli/site_rule.h"
#include "format/slurm_conf.h"
#include "format/sources/sources.h"

/* A fathom.conf. Start with all members 0 but `conf`, which is conf_standard(). */
struct job_conf {
	bool is_given;			/* a fathom.conf was read */
	bool is_of_snapshot;		/* from within a snapshot; a file may take its place */
	const char *name;	/* if is_given: of the file, or "SNAPSHOT: fathom_conf" */
	struct fathom_conf conf;	/* the standard one, if none is given */
	const char *formula_key;	/* "FILE:LINE: Formula", for messages */
};

/* What the files hold together. Start with all members 0 but `conf`, and those of `sources` that
 * its caller sets. It must not be moved while it is read. */
struct site_input {
	struct sources sources;		/* all but what follows */
	struct job_conf conf;		/* of a fathom.conf, or of that of a snapshot */
	struct slurm_conf slurm;	/* that of a snapshot; empty: there is none */
	struct recorded_pass pass;	/* of a FiguresFile or a snapshot */
	const char *pass_name;		/* that file; NULL: there is none */
	/* Set by site_input_complete(): the keys of slurm.conf that files give without what
	 * snapshots and files of jobs give. */
	struct job_settings further;
};

/* If the file is a fathom.conf, reads it in place of that of a snapshot, lets the sources add up
 * usage by it, and returns true. A second file is wrong. format: what it is recognised as, or
 * NULL. */
bool site_input_read_conf(struct site_input *files, const struct format *format,
			  struct document *file);
/* Reads the trees of a FiguresFile or a snapshot. */
void site_input_read_pass(struct site_input *files, const struct format *format,
			  struct document *file);
/* Reads the slurm.conf of a snapshot, by whose half-life the sources then add up usage; and its
 * fathom.conf, unless one is given. */
void site_input_read_within(struct site_input *files, const struct format *format,
			    struct document *file);
/* Returns when usage is reset by a slurm.conf; never if it does not say so. Refuses a wrong
 * value. */
enum fathom_reset site_input_reset_period(const struct slurm_conf *slurm);
/* Says that a slurm.conf has weights which slurmctld ignores, as fathom lint finds out; they count
 * in the command all the same. */
void site_input_remark_of_weights(const struct slurm_conf *slurm);
/* Lets the settings of a snapshot complete the sources when all files are read, before
 * sources_finish(). Sets `further`. Refuses a fathom.conf as job_conf_refuse() does, but for that
 * of a snapshot. */
void site_input_complete(struct site_input *files);
/* Returns the name of the file that has settings of fathom.conf: a fathom.conf, or another file of
 * settings; not that of a snapshot. NULL: there is none. */
const char *site_input_further(const struct site_input *files);
/* Returns the rule that the files give: what is recorded, and their settings. A fathom.conf takes
 * the place of what the sources have for fathom.conf, and this that of a snapshot's. Called after
 * site_input_complete() and sources_finish(); the files stay as long as the rule. */
struct site_rule site_input_rule(const struct site_input *files);
/* Refuses what needs a running cluster: hosts and usage of scopes, and resource groups. */
void job_conf_refuse(const struct job_conf *conf);
