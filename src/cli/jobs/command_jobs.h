/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs for the commands that show them: which ones, their columns, what files say of them, and the
 * rule for their priorities. Each heading names the file with the functions. Memory belongs to the
 * command, see need_memory.h. Wrong input ends the command with an error.
 */
#pragma once

#include "cli/candidates.h"
#include "cli/complain.h"
#include "cli/option_values.h"
#include "cli/site_input.h"
#include "conf/conf.h"
#include "format/sources/sources.h"
#include "format/format.h"
#include "format/job_settings.h"
#include "format/recorded.h"
#include "format/site/site_settings.h"
#include "format/slurm_conf.h"
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
	uint64_t states;	/* a bit 1 << state for each; 0: pending jobs alone */
};

/* Lists the rows of the jobs that the filter chooses, by their numbers. Returns how many they are.
 * row: with room for all rows of the list. */
size_t job_filter_choose(const struct job_filter *filter, const struct job_list *list, size_t *row);
/* Refuses a name of the filter that no row of the list has, whether chosen or not. is_live: they
 * are the jobs of the running cluster, where a user of this host may have no jobs: that is only a
 * remark. */
void job_filter_check(const struct job_filter *filter, const struct job_list *list, bool is_live);

/* The names that one member of the rows has, such as all users; context of job_name_at(). */
struct job_names {
	const struct job_list *list;
	size_t member;		/* offset in struct job_row of a const char * */
};
/* Returns the name in row i, "" if the row has none; NULL: there are fewer rows. For struct
 * name_list. */
const char *job_name_at(const void *context, size_t i);

/* ---- job_id.c -------------------------------------------------------------------------- */

/* Returns whether a word is a job as squeue prints it: "10", "10_3", "10_[1-5%2]" or "10+1". */
bool is_job_id(const char *word);
/* Returns the number of the job that such a word names, and says it where it is another one than
 * the word begins with or the word names a part. of_files: else of the running cluster, in which an
 * unknown task or component is refused. */
int64_t job_id_number(const char *word, bool of_files);

/* ---- job_columns.c --------------------------------------------------------------------- */

/* The columns of jobs, by sprio's letters or by name. The context of a table is a struct
 * shown_jobs. */

/* The jobs that are printed, in the order of printing. */
struct shown_jobs {
	const struct job_comparison *comparison;
	const struct job_list *list;	/* the first of the comparison */
	size_t *row;		/* for each line its row in the lists, which have the same rows */
	size_t count;		/* number of lines */
	bool shows_state;	/* the table has the states of jobs */
	bool marks_set;		/* the table puts '*' behind priorities that were set */
};

/* Prints jobs as JSON; of a comparison, a list with the jobs under each policy. */
void print_jobs_json(const struct shown_jobs *shown);

/* Options that decide which columns are shown. */
struct job_choice {
	bool plain;	/* values before weighting */
	bool with_user;	/* the user is among the default columns */
	bool all;	/* --long: all columns are */
};

/* Makes a relation of all columns of jobs. plain: values before weighting. */
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

/* The fathom.conf of a site: the policy and the scopes by which jobs of files are evaluated. */

/* Refuses scopes that do not fit the partitions that the file of jobs describes, as the plugin
 * checks those of slurm.conf. jobs_name: what has these partitions, for messages. */
void job_conf_check(const struct job_conf *conf, const struct jobs *jobs, const char *jobs_name);
/* Gives jobs whose priority of the bank is not known that of BankPriority. */
void job_conf_set_banks(const struct job_conf *conf, struct jobs *jobs);
/* Sets the scopes of a rule whose policy is known, and holds_without_shares. slurm: settings of
 * slurm.conf. pass: of a FiguresFile, whose scopes have usage of their own; NULL: there is no such
 * file. */
void job_conf_set_scopes(const struct job_conf *conf, const struct job_settings *slurm,
			 const struct recorded_pass *pass, struct job_rule *rule);
/* Sets the scopes of a rule, whose policy and settings are known, to those of a FiguresFile: for
 * jobs without a fathom.conf. A scope with the recorded policy in force follows the rule's. */
void job_conf_set_recorded_scopes(const struct recorded_pass *pass, struct job_rule *rule);
/* Remarks that jobs do not go by some of these scopes, if there are such scopes. name: of the
 * file. */
void job_conf_remark_of_scopes(const struct recorded_pass *pass, const char *name);
/* Remarks how the scopes are evaluated by a rule, and which lines have no effect on files. */
void job_conf_summary(const struct job_conf *conf, const struct job_rule *rule);

/* ---- job_input.c ----------------------------------------------------------------------- */

/* The files of --from: jobs, a tree, a fathom.conf; and the rule by which jobs are evaluated. */

/* What was read: jobs, maybe a tree, with figures if the file was a FiguresFile, and maybe a
 * fathom.conf. Begin with all members 0; the caller may set files.sources.scope. */
struct job_input {
	/* Jobs if sources.jobs_name, and their settings in any case. sources.snapshot is the tree
	 * if there is a tree_name, but no pass_name. `slurm`: settings of slurm.conf in files; if
	 * there are none, that of a snapshot. */
	struct site_input files;
	bool is_of_snapshot;	/* a file is a snapshot of a cluster; then it is files.pass_name */
	/* rows with their priorities, as fathom prio --json printed them; and their file; NULL:
	 * there is no such file. Another file may have jobs. */
	struct job_list printed;
	const char *printed_name;
	const char *tree_name;	/* file of the tree; NULL: no file has a tree */
	/* the settings, with the scope of sources_scope_name() chosen; NULL: the tree is of none,
	 * or a fathom.conf is given */
	const struct site_conf *of_scope;
};

/* Reads all files, and completes jobs and tree by each other. rules: how usage of jobs is added
 * up. */
void job_input_read(struct job_input *input, const struct input_names *names,
		    const struct accounting_rules *rules);
/* Calls job_conf_set_recorded_scopes() if there is a FiguresFile and no fathom.conf, else
 * job_conf_set_scopes(). */
void job_input_set_scopes(const struct job_input *input, struct job_rule *rule);
/* Drops rows from the list if it is of a snapshot: those of jobs that run, are held or may not
 * start yet. slurmctld does not show sprio these, so that they have no rank. keeps(): returns
 * whether a row stays in any case. */
void job_input_drop_hidden(const struct job_input *input, struct job_list *list,
			   bool (*keeps)(const void *context, const struct job_row *row),
			   const void *context);
/* Returns the tree of the policy in force, the first one if there are several half-lives; NULL: no
 * file has a tree. */
const struct snapshot *job_input_tree(const struct job_input *input);

/* What options ask for. */
struct wanted_rule {
	const struct fathom_policy *policy;	/* NULL: that of the files */
	const char *formula;			/* NULL: that of fathom.conf */
	const struct sets *sets;
	size_t usage;				/* index of the tree in sources.snapshot */
};

/* Does what job_input_rule() does, but leaves out scopes. scope: of the FiguresFile, for whose tree
 * policy and settings are wanted; NULL: for the main tree. */
void job_input_tree_rule(const struct job_input *input, const struct wanted_rule *wanted,
			 const struct recorded_scope *scope, struct job_rule *rule);
/* Finds out how priorities are computed, from the options and the files. The keys of slurm.conf in
 * `sets` must have been applied to the settings of the jobs. */
void job_input_rule(const struct job_input *input, const struct wanted_rule *wanted,
		    struct job_rule *rule);
/* Returns what messages about the rule's formula begin with: the option if that is given, else
 * file, line and key. */
const char *job_input_formula_key(const struct job_input *input, const char *option);
/* Refuses jobs by an error of job_list_evaluate(), with the formula's place if it has one. option:
 * the formula of --formula, or NULL. */
_Noreturn void refuse_jobs(const struct job_input *input, const char *option,
			   const struct job_rule *rule, const struct fathom_error *error);

/* ---- job_sets.c ------------------------------------------------------------------------ */

/* --set of fathom prio: settings of slurm.conf, of the policy, and of formulas. */

/* The settings that are no policy's: those of slurm.conf, and FormulaScale. */
extern const struct general_settings job_sets_general;
/* Applies the keys of slurm.conf, which may choose the policy; skips all others. */
void job_sets_apply_slurm(const struct sets *sets, struct job_settings *settings);
/* Applies all other keys: settings of the rule's policy, which must be known by now, and
 * FormulaScale. Refuses unknown ones. */
void job_sets_apply_rest(const struct sets *sets, struct job_rule *rule);
/* Refuses FormulaScale, because no formula is in force. */
void job_sets_refuse_scale(const struct sets *sets);

/* ---- recompute_live_jobs.c ------------------------------------------------------------- */

/* --policy and --set for the jobs of a running cluster. */

/*
 * Recomputes fair-share factors for the cluster's tree under a policy, and priorities with the
 * weights of `sets`; see job_list_recompute(). rule->snapshot: the cluster's tree or a copy of it,
 * which may get shares of PBS's group "unknown". rule->policy: the policy; NULL: the one in force,
 * to which it is set then. rule->settings is set to those that were used: of the policy in force
 * and of the shadow policy, which also have factors in FiguresFile, those of the cluster.
 * *by_policy: set to true if factors were evaluated; else it stays, and they are slurmctld's.
 */
void recompute_live_jobs(struct job_list *list, const struct live *live, const struct sets *sets,
			 struct job_rule *rule, bool *by_policy);

/* Recomputes a list by a rule as job_list_recompute() does, and jobs of scopes by the trees of the
 * cluster's scopes. */
void recompute_with_scopes(struct job_list *list, const struct live *live, struct job_rule by);

/* Returns whether the cluster's tree has the sums that a policy needs. true also if the policy
 * needs no sums, or is neither in force nor the shadow policy, so that the cluster keeps no sums
 * for it. */
bool recompute_knows_sums(const struct live *live, const struct fathom_policy *policy);
