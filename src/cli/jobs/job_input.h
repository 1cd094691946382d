/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of --from: jobs, a tree, a fathom.conf; and the rule by which jobs are evaluated. */
#pragma once

#include "cli/jobs/job_conf.h"
#include "cli/option_values.h"
#include "format/format.h"
#include "format/recorded.h"
#include "format/site/site_conf.h"
#include "jobs/job_evaluate.h"
#include "jobs/job_list.h"

/* What was read: jobs, maybe a tree, with figures if the file was a FiguresFile, and maybe a
 * fathom.conf. */
struct job_input {
	struct jobs jobs;
	/* the tree, unless has_pass; with several usages, its forks follow */
	struct snapshot snapshot[MOST_HALF_LIVES];
	size_t snapshot_count;
	struct recorded_pass pass;	/* if has_pass: the trees of a FiguresFile */
	bool has_jobs, has_tree, has_pass;
	double half_life;	/* of usage, in seconds: that of fathom.conf, else of slurm.conf */
	bool has_slurm_conf;	/* a file has settings of slurm.conf */
	bool is_whole;		/* the files are a cluster's snapshot, maybe with others */
	struct job_list printed;	/* if has_printed: jobs that have their priorities */
	bool has_printed;
	const char *jobs_name, *tree_name;	/* the files */
	struct job_conf conf;
	const char *scope;	/* set by the caller: whose tree is wanted, or NULL */
	const struct site_conf *of_scope;	/* the settings of that scope; NULL: the tree is of
						 * none */
};

/* Reads all files. rules: how jobs are added up. */
void job_input_read(struct job_input *input, const struct input_names *names,
		    const struct accounting_rules *rules);
/* Drops the rows of a snapshot that slurmctld does not show sprio, so that they have no rank: those
 * of jobs that run, are held or may not start yet. `keeps` tells of a job id whether its rows stay
 * anyway. */
void job_input_drop_hidden(const struct job_input *input, struct job_list *list,
			   bool (*keeps)(const void *context, int64_t id), const void *context);
/* Returns the tree of the policy in force, the first one if there are several half-lives; NULL: no
 * file has a tree. */
const struct snapshot *job_input_tree(const struct job_input *input);

/* What options ask for. */
struct wanted_rule {
	const struct fathom_policy *policy;	/* NULL: that of the files */
	const char *formula;			/* NULL: that of fathom.conf */
	const struct sets *sets;
	size_t usage;				/* which one of those that jobs are added up to */
};

/* Finds out how priorities are computed, from the options and the files. The keys of slurm.conf in
 * `sets` must have been applied to input->jobs.settings. The rule's scopes stay until the next
 * call. */
void job_input_rule(const struct job_input *input, const struct wanted_rule *wanted,
		    struct job_rule *rule);
/* Returns what messages about the rule's formula begin with: the option if that is given, else
 * file, line and key. */
const char *job_input_formula_key(const struct job_input *input, const char *option);
/* Refuses by an error of job_list_evaluate(). */
_Noreturn void refuse_jobs(const struct job_input *input, const char *option,
			   const struct job_rule *rule, const struct fathom_error *error);
