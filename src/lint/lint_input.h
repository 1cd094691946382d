/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads what checks look at from files. */
#pragma once

#include "format/default_accounts.h"
#include "format/recorded.h"
#include "jobs/jobs.h"
#include "lint/lint.h"

/* Names of files; NULL: not given. */
struct lint_names {
	const char *slurm, *fathom;
	const char *const *from;	/* a tree, jobs, users, in any order */
	const char *plugin_dir;		/* that of the installed Slurm, see lint_input_files() */
	size_t from_count;
};

/* A site, and what its members point to. */
struct lint_input {
	struct lint_site site;
	struct slurm_conf slurm;
	struct fathom_conf fathom;
	struct conf_errors fathom_errors;
	struct snapshot snapshot;	/* the tree; empty if `pass` has it */
	struct recorded_pass pass;
	struct jobs jobs;
	struct job_list list;
	struct default_accounts accounts;
	struct lint_user *user;
	struct lint_qos *qos;
	struct site_files files;
};

/* Reads slurm.conf; all but the file itself is checked later. -1: it cannot be read. */
int lint_input_slurm(struct lint_input *input, const char *path, struct fathom_error *error);
/* Reads fathom.conf; a file that is wrong is a finding. beside: it is the one beside slurm.conf,
 * which need not exist. -1: it cannot be read. */
int lint_input_fathom(struct lint_input *input, const char *path, bool beside,
		      struct fathom_error *error);
/* Takes texts that are in no file yet; the names are for findings. */
void lint_input_texts(struct lint_input *input, const char *slurm_name, const char *slurm,
		      const char *fathom_name, const char *fathom);
/* Looks at the files and folders that both name, on this host. plugin_dir: where Slurm looks for
 * plugins if slurm.conf has no PluginDir; state: what counts if slurm.conf does not say; NULL: not
 * known. */
void lint_input_files(struct lint_input *input, const char *plugin_dir, const char *state);
/* Adds a job that fathom holds. */
void lint_input_add_held(struct lint_input *input, int64_t job);
/* Reads all files. Start with all members 0. */
void lint_input_read(struct lint_input *input, const struct lint_names *names);
