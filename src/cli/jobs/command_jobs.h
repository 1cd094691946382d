/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs for the commands that show them: which ones, their columns, what files say of them, and the
 * rule for their priorities. The heading names the file with the functions.
 */
#pragma once

#include "cli/candidates.h"
#include "cli/complain.h"
#include "cli/option_values.h"
#include "conf/conf.h"
#include "format/accounting/sources.h"
#include "format/format.h"
#include "format/job_settings.h"
#include "format/recorded.h"
#include "format/site/site_conf.h"
#include "format/site/site_settings.h"
#include "jobs/job_comparison.h"
#include "jobs/job_evaluate.h"
#include "jobs/job_list.h"
#include "jobs/job_states.h"
#include "live/live.h"
#include "memory/need_memory.h"
#include "relation/column_list.h"

#include <stdio.h>
#include <string.h>

/* ---- job_filter.c ---------------------------------------------------------------------- */

/* Which jobs an option chooses: by id, user, account, partition and state. */

/* Start with all members 0: all pending jobs. */
struct job_filter {
	char *jobs, *users, *partitions, *accounts;	/* comma-separated; NULL: all */
	uint64_t states;	/* 1 << state for each; 0: pending jobs alone */
};

/* Returns whether the filter chooses a job. */
bool job_filter_allows(const struct job_filter *filter, const struct job_row *row);
/* Checks that the list has jobs, chosen or not, for each name of the filter. is_live: they are
 * the jobs of the running cluster, where a user of this host may have no jobs. */
void job_filter_check(const struct job_filter *filter, const struct job_list *list, bool is_live);

/* A name in the rows of a list: its offset in a row. For struct name_list. */
struct job_names {
	const struct job_list *list;
	size_t member;
};
const char *job_name_at(const void *context, size_t i);

/* ---- job_columns.c --------------------------------------------------------------------- */

/* The columns of jobs, by sprio's letters or by name. The context of a table is a struct
 * shown_jobs. */

/* The jobs that are printed, in the order of printing. */
struct shown_jobs {
	const struct job_comparison *comparison;
	const struct job_list *list;	/* its first one */
	size_t *row;		/* by line: the row of the lists */
	size_t count;		/* number of lines */
	bool shows_state;	/* the table has the states of jobs */
	bool marks_set;		/* the table puts '*' behind priorities that were set */
};

/* Prints jobs as JSON; of a comparison, a list with the jobs under each policy. */
void print_jobs_json(const struct shown_jobs *shown);

/* Options that decide which columns are shown. */
struct job_choice {
	bool plain;	/* values before weighting */
	bool with_user, all;
};

/* Makes a relation of the columns that the jobs may have. plain: values before weighting. */
void job_relation(struct relation *relation, const struct shown_jobs *shown, bool plain);
/* Adds the default columns to a table without columns: those of sprio, factors only if they have a
 * weight; with `all` every column, or those of flux-accounting for a list by its weights; for
 * several policies priority and rank of each. */
void job_columns_standard(struct table *table, const struct relation *relation,
			  const struct shown_jobs *shown, const struct job_choice *choice);
/* Returns the column of one of sprio's letters; NULL: there is no such column. */
const struct column *job_column_of_letter(char letter);
/* Returns column number i; NULL: there are not as many. */
const struct column *job_column_at(size_t i);
/* Prints the help of all columns on stdout. */
void job_columns_help(void);

/* Makes the table show one row with the weights instead of the jobs. */
void job_columns_show_weights(struct table *table);

/* Lets the column Priority mark priorities that an administrator has set by '*'. */
void shown_jobs_mark_set(struct shown_jobs *shown);

/* ---- job_conf.c ------------------------------------------------------------------------ */

/* A site's fathom.conf among the files of --from: the policy and the scopes by which jobs of files
 * are evaluated. */

struct job_conf {
	bool is_given;
	bool is_within;			/* it stands in a snapshot; another may take its place */
	const char *name;		/* of the file */
	char name_within[CONF_PATH_SIZE];
	struct fathom_conf conf;	/* the standard one, if none is given */
	struct job_scope *scope;	/* room for its scopes */
	char formula_key[CONF_PATH_SIZE + 32];	/* "FILE:LINE: Formula" */
};

/* Makes it that of no file. */
void job_conf_init(struct job_conf *conf);
/* Returns whether the file is a fathom.conf. format: what it is recognised as, or NULL. */
bool job_conf_recognize(const struct format *format, const struct document *file);
/* Reads the file. It is the configuration that the sources are added up by. */
void job_conf_read(struct job_conf *conf, struct document *file, struct sources *sources);
/* Like job_conf_read(), for a text from a snapshot; file: the snapshot's name. */
void job_conf_read_within(struct job_conf *conf, const char *file, const char *text);
/* Takes the configuration that files of settings stand for, which has no scopes. formula: of which
 * it has the formula, or NULL. */
void job_conf_take(struct job_conf *conf, struct fathom_conf *from,
		   const struct site_pair *formula);
/* Refuses what needs a running cluster: hosts and usage of scopes, and resource groups. */
void job_conf_refuse(const struct job_conf *conf);
/* Checks whether the scopes fit the partitions that the file of jobs describes, as the plugin
 * checks those of slurm.conf. */
void job_conf_check(const struct job_conf *conf, const struct jobs *jobs, const char *jobs_name);
/* Gives jobs that do not tell the priority of their bank that of BankPriority. */
void job_conf_set_banks(const struct job_conf *conf, struct jobs *jobs);
/* Sets the rule's settings of its policy, and its scopes. These stay until the next call. pass: of
 * a FiguresFile, whose scopes have usage of their own; or NULL. */
void job_conf_set_rule(const struct job_conf *conf, const struct job_settings *slurm,
		       const struct recorded_pass *pass, struct job_rule *rule);
/* Prints what the scopes are evaluated by, and which lines have no effect on files. */
void job_conf_summary(const struct job_conf *conf);

/* ---- job_input.c ----------------------------------------------------------------------- */

/* The files of --from: jobs, a tree, a fathom.conf; and the rule by which jobs are evaluated. */

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
	const struct site_conf *of_scope;	/* if the tree is of a scope: the settings, with
						 * that scope chosen; else NULL */
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

/* ---- job_sets.c ------------------------------------------------------------------------ */

/* --set of fathom prio: settings of slurm.conf, of the policy, and of formulas. */

/* Those of slurm.conf, and of formulas. */
extern const struct general_settings job_sets_general;
/* Apply the keys of slurm.conf, which may choose the policy, and then all others. */
void job_sets_apply_slurm(const struct sets *sets, struct job_settings *settings);
void job_sets_apply_rest(const struct sets *sets, struct job_rule *rule);

/* ---- recompute_live_jobs.c ------------------------------------------------------------- */

/* --policy and --set for the jobs of a running cluster. */

/*
 * Recomputes fair-share factors for the cluster's tree under a policy, and priorities
 * with the weights of `sets`; see job_list_recompute(). rule->snapshot: the cluster's tree or a
 * copy of it. rule->policy: the policy, NULL for the one in force; it is set to the policy
 * that was evaluated, and the settings to its settings. *by_policy is set to true if factors
 * were evaluated; else they are still slurmctld's.
 */
void recompute_live_jobs(struct job_list *list, const struct live *live, const struct sets *sets,
			 struct job_rule *rule, bool *by_policy);

/* Recomputes a list by a rule, to which it gives the trees of the cluster's scopes. */
void recompute_with_scopes(struct job_list *list, const struct live *live, struct job_rule by);

/* Returns whether the sums that a policy needs are known in the cluster's tree. */
bool recompute_knows_sums(const struct live *live, const struct fathom_policy *policy);
