/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of --from: jobs, a tree, or both; and the rule by which they are evaluated. */
#ifndef CLI_JOB_INPUT_H
#define CLI_JOB_INPUT_H

#include "cli/option_values.h"
#include "evaluate/job_evaluate.h"
#include "format/format.h"
#include "format/recorded.h"

#define MOST_FILES 8

/* Names of files, and the format of the tree. */
struct input_names {
	const char *from[MOST_FILES];
	size_t from_count;
	const struct format *format;	/* NULL: it is recognised */
};

/* What was read: jobs, and maybe a tree, with figures if the file was a FiguresFile. */
struct job_input {
	struct jobs jobs;
	struct snapshot snapshot;	/* the tree, unless has_pass */
	struct recorded_pass pass;	/* if has_pass: the trees of a FiguresFile */
	bool has_jobs, has_tree, has_pass;
	bool adds_up;		/* the usage of jobs was added up */
	const char *jobs_name, *tree_name;	/* the files */
};

/* --from: stores a name in struct input_names. */
option_setter option_from;

/* Reads all files; clear the input also if it fails. sets: of --set, for the half-life. states: of
 * jobs that are wanted, see accounting.h. Returns 0, or EXIT_WRONG after printing an error. */
int job_input_read(struct job_input *input, const struct input_names *names,
		   const struct sets *sets, uint64_t states);
void job_input_clear(struct job_input *input);
/* Returns the tree of the policy in force; NULL: no file has a tree. */
const struct snapshot *job_input_tree(const struct job_input *input);

/* What options ask for. */
struct wanted_rule {
	const struct fathom_policy *policy;	/* NULL: that of the files */
	const char *formula;			/* or NULL */
	const struct sets *sets;
};

/* Finds out how priorities are computed, from the options and the files. The keys of slurm.conf in
 * `sets` must have been applied to input->jobs.settings. Returns 0, or EXIT_WRONG
 * after printing an error. */
int job_input_rule(const struct job_input *input, const struct wanted_rule *wanted,
		   struct job_rule *rule);

#endif
