/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of this folder share: the source that is read, the answer, the overview, and how
 * they are printed. The heading names the file with the functions.
 */
#pragma once

#include "cli/complain.h"
#include "cli/explain/said_numbers.h"
#include "cli/jobs/command_jobs.h"
#include "cli/option_words.h"
#include "evaluate/explain.h"
#include "live/live.h"
#include "memory/need_memory.h"
#include "relation/text_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* ---- explain_source.c ------------------------------------------------------------------ */

/* Reads what fathom explain explains: jobs, and the tree with its figures, of files or of the
 * running cluster; and finds users and jobs in them. */

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
 * partition: NULL: not known. row: NULL: the question is about users, and a partition that matches
 * nothing is refused. */
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

/* ---- shown_usage.c --------------------------------------------------------------------- */

/* Columns of tables with what was used: what is charged, and beside it TRES, as far as slurmctld
 * tells it; all decayed. */

/* TRES that may be shown. */
enum shown_tres { SHOWN_BILLING, SHOWN_CPU, SHOWN_GPU, SHOWN_NODE, SHOWN_COUNT };

struct shown_usage {
	const struct explain_source *source;
	bool in_hours;		/* else in seconds */
	bool shows[SHOWN_COUNT];
};

/* Begins with the usage that is charged. units: of WORDS_UNITS */
struct shown_usage shown_usage_create(const struct explain_source *source, int units);
/* Shows the TRES that a node has used, too. */
void shown_usage_of(struct shown_usage *usage, size_t node);
/* Add the columns, and put their cells. */
void shown_usage_add_columns(const struct shown_usage *usage, struct text_table *table);
void shown_usage_put(const struct shown_usage *usage, struct text_table *table, size_t node);

/* ---- explain_sentences.c, print_explanation.c, print_explanation_json.c ----------------- */

/* The answer of fathom explain, as its text and its JSON print it. */

struct explain_source;

struct explain_answer {
	const struct fathom_policy *policy;
	const struct explained *explained;
	const struct explain_question *question;	/* that was explained */
	const struct explained_tree *tree;		/* of the question; or NULL */
	bool has_time;
	int64_t time;		/* seconds since 1970 */
	const char *scope;	/* whose tree it is, or NULL */
	int units;		/* of usage: which of WORDS_UNITS; UNITS_COUNT: not given */
	const struct explain_source *source;	/* of what was used, for a table */
	/* of --until */
	bool has_recovery;
	double level, half_life;
	enum explained_idle idle;
	struct explained_recovery recovery;
	const struct explained_would *would;	/* of --would, or NULL */
	/* while it is said: where sentences go, and what stands between them */
	FILE *out;
	const char *between;
};

/* Return the names of the tree that is explained, and the factor of a node. */
const struct snapshot *explain_snapshot(const struct explain_answer *answer);
double explain_factor(const struct explain_answer *answer, size_t node);
/* Returns what a reader should know, one sentence an idea, with `between` between sentences. */
char *explain_text(const struct explain_answer *answer, const char *between);
/* Returns whether it is in the tree that a pair parts: two users, or jobs that part at fair
 * share. */
bool explain_parts_in_tree(const struct explain_answer *answer);

/* Returns what the reader can do, each sentence with `between` before it. */
char *explain_advice_text(const struct explain_answer *answer, const char *between);

/* Returns the usage that the policy's figure compares with the share. */
double explain_shown_usage(const struct explained_tree *of, size_t node);
/* Prints sentences, a line each and broken at blanks; changes the text. */
void print_sentences(char *text);
/* Print the answer: sentences and tables; or JSON. */
void print_explanation(const struct explain_answer *answer);
void print_explanation_json(const struct explain_answer *answer);

/* Returns whether some of the tree, or of the jobs that the question is about, may be hidden. */
bool explain_hides_usage(const struct explain_answer *answer);
bool explain_hides_jobs(const struct explain_answer *answer);

/* Returns a job's row of question->formula_values. which: 0 for who, 1 for whom. NULL: the priority
 * comes from no formula, or its values are not known. */
const struct job_row *explain_formula_row(const struct explain_answer *answer, size_t which);
/* Returns the name of a term as a reader knows it. */
const char *explain_term_name(const struct explained_term *term);

/* ---- explain_overview.c ---------------------------------------------------------------- */

/* What fathom explain without arguments shows: the caller's accounts and jobs. */

#define OVERVIEW_ACCOUNTS 3	/* that are printed on the screen; JSON has all */
#define OVERVIEW_JOBS 4		/* with OVERVIEW_ACCOUNTS and all advice: 24 lines; JSON has more */

struct explain_overview {
	const char *user;
	const struct explain_source *source;
	size_t account_count;		/* associations of the user */
	size_t explained;		/* the first of them, which alone are in `account` */
	struct explained *account;
	struct explained advised;	/* the one with the least factor, with advice */
	struct explained *job;		/* of those that wait, the greatest priority first */
	size_t job_count;
	size_t ranked;			/* the first of them, which alone are in `job` */
	size_t running;			/* number of jobs that run, as far as they are known */
};

/* Returns the name of the user who runs the command. */
const char *explain_caller(void);
/* Finds the associations and jobs of the caller in what was read. */
void explain_overview_find(struct explain_overview *overview, struct explain_source *source,
			   const struct explain_options *options);
/* Prints it on a screen of 80 columns and 24 lines. units: of usage, which of WORDS_UNITS. */
void print_overview(const struct explain_overview *overview, int units);
void print_overview_json(const struct explain_overview *overview);

/* ---- explain_since.c ------------------------------------------------------------------- */

/* explain --since: what changed since a day of the HistoryFile. */

/* Prints what changed for the user or account of the question: its factor and rank, shares that
 * were edited, and whose usage grew, of those that share with it. */
void explain_since(const struct explain_options *options, const struct explain_source *source,
		   size_t node);
