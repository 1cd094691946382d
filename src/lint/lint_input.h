/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads files for the checks. What cannot be read fails, see wrong_at(), unless a call returns
 * -1. */
#pragma once

#include "format/recorded.h"
#include "jobs/jobs.h"
#include "lint/lint.h"

/* What to read. */
struct lint_names {
	const char *slurm, *fathom;	/* paths of slurm.conf and fathom.conf; NULL: not given */
	const char *const *from;	/* paths of files with a tree, jobs or users, in any
					 * order */
	size_t from_count;
	const char *plugin_dir;		/* see lint_input_files() */
};

/* A site, and what its members point to. */
struct lint_input {
	struct lint_site site;
	struct slurm_conf slurm;
	struct fathom_conf fathom;
	struct conf_errors fathom_errors;
	struct snapshot snapshot;	/* the tree; empty if `pass` has it */
	struct recorded_pass pass;	/* of a file with recorded figures */
	struct jobs jobs;
	struct job_list list;		/* the same jobs with their weighted factors */
	struct default_accounts accounts;	/* of users */
	struct lint_qos *qos;
	struct site_files files;
};

/* Reads slurm.conf. Mistakes in it become findings. -1: it cannot be read. */
int lint_input_slurm(struct lint_input *input, const char *path, struct fathom_error *error);
/* Reads fathom.conf. Mistakes in it become findings. beside: it is the one beside slurm.conf, which
 * need not exist. -1: it cannot be read. */
int lint_input_fathom(struct lint_input *input, const char *path, bool beside,
		      struct fathom_error *error);
/* Reads slurm.conf and fathom.conf from texts that are in no file yet. The names are for findings;
 * slurm_name must live as long. */
void lint_input_texts(struct lint_input *input, const char *slurm_name, const char *slurm,
		      const char *fathom_name, const char *fathom);
/* Looks at the files and folders of this host that slurm.conf and fathom.conf name. plugin_dir:
 * where Slurm searches plugins if slurm.conf has no PluginDir; state: StateSaveLocation if
 * slurm.conf does not tell it; both may be NULL: not known. */
void lint_input_files(struct lint_input *input, const char *plugin_dir, const char *state);
/* Adds a job that fathom holds, by its number. */
void lint_input_add_held(struct lint_input *input, int64_t job);
/* Reads all files. input: with all members 0. */
void lint_input_read(struct lint_input *input, const struct lint_names *names);
