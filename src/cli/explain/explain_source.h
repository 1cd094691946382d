/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads what fathom explain explains: jobs, and the tree with its figures, of files or of the
 * running cluster; and finds users and jobs in them. */
#pragma once

#include "cli/jobs/job_input.h"
#include "evaluate/explain.h"
#include "live/live.h"

#include <time.h>

struct explain_options {
	struct input_names files;
	struct policy_list policies;		/* at most one; none: that of the source */
	const char *formula, *scope, *partition;	/* or NULL */
	struct sets sets;
	double half_life;	/* NAN: that of the source */
	const char *who[2];
	double level;		/* of --until; NAN: not given */
	int idle;		/* enum explained_idle, or IDLE_COUNT */
	int change;		/* enum explained_what; CHANGE_COUNT: all */
	struct explained_would would;	/* seconds 0: not given */
	time_t since;		/* of --since; 0: not given */
	const char *history;	/* its HistoryFile; NULL: that of the running cluster */
	int units;		/* of usage: which of WORDS_UNITS; UNITS_COUNT: not given */
	bool json, verbose;
};

struct explain_source {
	const char *name;		/* of the tree's file or of the cluster, for messages */
	const char *jobs_name;
	struct job_input input;		/* of files */
	struct job_rule rule;
	struct live *live;		/* of a running cluster */
	const struct recorded_pass *pass;	/* of files or cluster; all members 0: none */
	struct job_list list;
	bool has_list;
	const struct recorded_scope *scope;	/* whose tree it is; NULL: of none */
	bool is_first_come;	/* jobs of the question go first come, first served */
	struct evaluated_tree evaluated;
	bool has_tree;
	struct explained_tree tree;	/* the evaluated one, as it may be seen */
	bool is_fixed, has_fixed_priorities;	/* as in struct explain_question */
	struct job_list by_formula;	/* of a running cluster with a formula: rows with its
					 * values */
	double half_life;
};

/* Reads jobs, if the question is about jobs, and trees. */
void explain_source_read(struct explain_source *source, const struct explain_options *options);
/* Evaluates the tree that --scope asks for, or that the job goes by, or jobs in the partition.
 * partition: NULL: not known. row: NULL: the question is about users. */
void explain_source_evaluate(struct explain_source *source, const struct explain_options *options,
			     const char *partition, const struct job_row *row);
/* Finds the values of the formula from which the priorities of the question's rows come. */
void explain_source_find_values(struct explain_source *source, struct explain_question *question);
/* Completes the question, whose rows and nodes are found. */
void explain_source_ask(struct explain_source *source, struct explain_question *question);

/* Find the jobs and users that are asked about, and fill question->row, or question->node. */
void explain_who_find_jobs(const struct explain_source *source,
			   const struct explain_options *options,
			   struct explain_question *question);
void explain_who_find_nodes(const struct explain_source *source,
			    const struct explain_options *options,
			    struct explain_question *question);

/* Puts the number of the job in place of the id of a task or a component, and tells it. */
void explain_source_name_jobs(struct explain_options *options);
/* Returns whether the word names a job: "10", "10_3", "10_[1-5%2]" or "10+1". */
bool explain_is_job(const char *word);
