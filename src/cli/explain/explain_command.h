/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of this folder share. fathom explain reads a source (struct explain_source), finds
 * the users or jobs that are asked about, evaluates their tree, and asks src/evaluate; then it
 * prints the answer (struct explain_answer), as text or as JSON. Without WHO it prints an overview.
 * Each heading names the files with the functions. All memory belongs to the command, see
 * need_memory.h.
 */
#pragma once

#include "cli/complain.h"
#include "cli/explain/said_numbers.h"
#include "cli/jobs/command_jobs.h"
#include "cli/option_words.h"
#include "days/local_day.h"
#include "evaluate/explain.h"
#include "live/live.h"
#include "memory/need_memory.h"
#include "relation/text_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define MOST_TIME 253402300800.	/* seconds since 1970: the end of the year 9999 */

/* ---- the source: explain_source.c -------------------------------------------------------- */

/* Reads what fathom explain explains: jobs, and the tree with its figures, of files or of the
 * running cluster; and finds users and jobs in them. */

struct explain_options {
	struct input_names files;	/* of --from; empty: the running cluster is read */
	struct policy_list policies;	/* of --policy, one at most; empty: that of the source */
	const char *formula, *scope, *partition;	/* NULL: not given */
	struct sets sets;	/* of --set, without half_life */
	double half_life;	/* of --set, seconds; NAN: that of the source */
	const char *who[2];	/* WHO and WHOM as typed; NULL: not given */
	bool is_of_caller;	/* WHO was not given, and is the caller */
	double level;		/* of --until, a factor from 0 to 1; NAN: not given */
	int idle;		/* enum explained_idle; IDLE_COUNT: not given */
	int change;		/* enum explained_what; CHANGE_COUNT: not given */
	struct explained_would would;	/* seconds 0: not given */
	time_t since;		/* of --since; 0: not given */
	const char *history;	/* its HistoryFile; NULL: that of the running cluster */
	int units;		/* of usage: UNITS_HOURS or UNITS_BILLING; UNITS_COUNT: not given */
	bool json, verbose;
};

/* Files, or the running cluster. */
struct explain_source {
	/* explain_source_read() sets these: */
	const char *name;		/* of the tree's file or of the cluster, for messages */
	const char *jobs_name;		/* of the jobs' file or of the cluster */
	struct job_input input;		/* what files have; of a running cluster, it has the jobs
					 * if a formula is evaluated */
	struct job_rule rule;		/* by which priorities of its jobs are computed */
	struct live *live;		/* the running cluster; NULL: files are read */
	const struct recorded_pass *pass;	/* the recorded figures; all members 0: there are
						 * no such figures */
	struct job_list list;		/* if question.list: rows of jobs, with their priorities */

	/* explain_source_evaluate() sets these: */
	const struct recorded_scope *scope;	/* the scope that has the tree; NULL: it is the
						 * main tree */
	bool is_first_come;	/* the first job of the question goes first come, first served */
	struct evaluated_tree evaluated;	/* if question.tree */
	struct explained_tree tree;	/* the evaluated one, as the caller may see it */

	/* What is asked. The caller sets `count` and what is searched; `list` is set if the
	 * question is about jobs or an overview has jobs, `tree` if there is one, and all else once
	 * explain_source_ask() returns. */
	struct explain_question question;
	/* explain_source_ask() sets this: */
	struct job_list by_formula;	/* of a running cluster: rows of the input with values
					 * of the formula; empty: it was not evaluated */

	/* set by explain_source_read(): */
	double half_life;	/* of usage, seconds; 0: no decay */
	enum fathom_reset reset_period;	/* FATHOM_RESET_NONE also if it is not known */
};

/* Reads the files or the running cluster: trees, and jobs if the question is about jobs or an
 * overview is asked for. Refuses files without what is asked for. */
void explain_source_read(struct explain_source *source, const struct explain_options *options);
/* Chooses a tree and evaluates it: that of the scope of --scope, else of the job's scope, else of
 * the partition's scope; else the main tree. Does nothing more if files have no tree. partition: of
 * the job or of --partition; NULL: not known. row: the job's; NULL: the question is about users,
 * and a --partition that the source does not have is refused. */
void explain_source_evaluate(struct explain_source *source, const struct explain_options *options,
			     const char *partition, const struct job_row *row);
/* Returns the time of the tree, else that of the jobs, as seconds since 1970; NAN: not known. The
 * tree must have been evaluated. */
double explain_source_time(const struct explain_source *source);
/* Returns when usage is reset last until `seconds` after that time, and when it is reset next then,
 * both as seconds from that time on, which may be infinite. */
struct reset_period explain_source_resets(const struct explain_source *source, double seconds);
/* Completes the question: finds the values of the formula that gives the priorities of its rows,
 * and by what these can be computed again. Its rows, nodes and tree must have been found. Sets
 * is_never_started of its rows, too, if they are of a running cluster. */
void explain_source_ask(struct explain_source *source);

/* ---- explain_partitions.c --------------------------------------------------------------- */

/* The partitions of the source. The nodes of each are listed once. */
struct explain_partitions;

/* Reads the partitions of the source, with their tiers. */
struct explain_partitions *explain_source_partitions(const struct explain_source *source);
void explain_partitions_clear(struct explain_partitions *partitions);
/* Returns whether jobs in the partitions of two rows wait in one line: the partitions have a node
 * in common, the same PriorityTier and the same scope. false if their nodes are not known. */
bool explain_partitions_share_nodes(struct explain_partitions *partitions,
				    const struct job_row *one, const struct job_row *other);

/* ---- explain_who.c ----------------------------------------------------------------------- */

/* Finds the jobs of options->who, and sets `row` of the question. Refuses jobs that are unknown or
 * do not wait, and two that do not wait in one line. */
void explain_who_find_jobs(struct explain_source *source, const struct explain_options *options);
/* Finds the users and accounts of options->who, or the associations of the question's jobs, in the
 * evaluated tree, and sets `node` of the question: EXPLAIN_NONE if there is no tree, or it lacks
 * the association of a job. Refuses users and accounts that are unknown or cannot be compared. */
void explain_who_find_nodes(struct explain_source *source, const struct explain_options *options);

/* Replaces the id of an array's task or of a heterogeneous job's component in options->who, such as
 * "10_3" or "10+1", by the number of its job, and says so. Leaves users and numbers of jobs as they
 * are. */
void explain_source_name_jobs(struct explain_options *options);

/* ---- shown_usage.c --------------------------------------------------------------------- */

/* Columns of a table with what nodes have used: the usage that is charged, and the TRES that
 * slurmctld tells, all decayed. A TRES has a column only if a node of the table has used it. */

/* A column, in this order. */
enum shown_tres { SHOWN_BILLING, SHOWN_CPU, SHOWN_GPU, SHOWN_NODE, SHOWN_COUNT };

struct shown_usage {
	const struct explain_source *source;
	bool in_hours;		/* else in seconds */
	bool shows[SHOWN_COUNT];	/* the table has the column */
};

/* Returns the choice with the column of charged usage alone. units: UNITS_BILLING: in seconds;
 * UNITS_HOURS or UNITS_COUNT: in hours. */
struct shown_usage shown_usage_create(const struct explain_source *source, int units);
/* Adds the columns of those TRES that a node has used. */
void shown_usage_add_node(struct shown_usage *usage, size_t node);
/* Adds the columns to a table. */
void shown_usage_add_columns(const struct shown_usage *usage, struct text_table *table);
/* Puts a node's cells of these columns; an empty one if its usage is not known. */
void shown_usage_put(const struct shown_usage *usage, struct text_table *table, size_t node);

/* ---- explain_sentences.c, print_explanation.c, print_explanation_json.c ----------------- */

/* What fathom explain prints, as text or as JSON. */
struct explain_answer {
	const struct fathom_policy *policy;
	const struct explained *explained;
	const struct explain_question *question;	/* that was explained */
	const struct explained_tree *tree;		/* question->tree; NULL: there is no tree */
	double time;		/* see explain_source_time() */
	const char *scope;	/* name of the scope that has the tree; NULL: the main tree */
	int units;		/* of usage: UNITS_HOURS or UNITS_BILLING; UNITS_COUNT: not given */
	const struct explain_source *source;	/* NULL in an overview */
	/* of --until: */
	bool has_recovery;	/* the others are set */
	double level;		/* the wanted factor, 0 to 1 */
	double half_life;	/* by which the policy's usage decays, seconds; 0: no decay */
	enum explained_idle idle;
	struct explained_recovery recovery;
	const struct explained_would *would;	/* of --would; NULL: not given */
	/* set by explain_text() and explain_advice_text() in a copy: where sentences go, and what
	 * stands between them */
	FILE *out;
	const char *between;
};

/* Returns the names of the tree that is explained, which must not be NULL. */
const struct snapshot *explain_snapshot(const struct explain_answer *answer);
/* Returns the fair-share factor of a node; NAN: not known, or the node is an account and the
 * policy has factors of users alone. */
double explain_factor(const struct explain_answer *answer, size_t node);
/* Returns the whole explanation in sentences, with `between` between them. The caller may change
 * the text. */
char *explain_text(const struct explain_answer *answer, const char *between);
/* Returns what the reader can do, in sentences, each with `between` before it; "" if nothing is
 * known. The caller may change the text. */
char *explain_advice_text(const struct explain_answer *answer, const char *between);
/* Returns whether the tree decides the order of a pair, and it is known where: of two users, or of
 * two jobs if fair share is the term that does most to part them. */
bool explain_parts_in_tree(const struct explain_answer *answer);

/* Returns the usage of a node that tables show, a fraction from 0 to 1: the one that the policy
 * compares with the share. NAN: not known. */
double explain_shown_usage(const struct explained_tree *view, size_t node);
/* Puts a cell with the text `said` of a number; an empty cell if the number is NAN. */
void put_known(struct text_table *table, double number, const char *said);
/* Prints sentences that stand on a line each, broken at blanks; changes the text. */
void print_sentences(char *text);
/* Prints the answer as sentences and tables. */
void print_explanation(const struct explain_answer *answer);
/* Prints the answer as JSON; fathom-explain(1) describes the keys. */
void print_explanation_json(const struct explain_answer *answer);

/* Returns whether PrivateData hides users and usage of the tree. */
bool explain_hides_usage(const struct explain_answer *answer);
/* Returns whether the question is about jobs, of which PrivateData may hide others. */
bool explain_hides_jobs(const struct explain_answer *answer);

/* Returns a job's row of question->formula_values. which: 0 for who, 1 for whom. NULL: the priority
 * comes from no formula, or its values are not known. */
const struct job_row *explain_formula_row(const struct explain_answer *answer, size_t which);
/* Returns the name of a term in sentences and tables: "fair share" for the key "fairshare". */
const char *explain_term_name(const struct explained_term *term);

/* ---- the overview: explain_overview.c, print_overview.c, print_explanation_json.c ------- */

/* What fathom explain without arguments shows: the caller's accounts and jobs. */

#define OVERVIEW_ACCOUNTS 3	/* that are printed on the screen; JSON has all */
#define OVERVIEW_JOBS 4		/* with OVERVIEW_ACCOUNTS and all advice: 24 lines; JSON has more */

struct explain_overview {
	const char *user;		/* the caller */
	const char *partition;	/* of --partition: only jobs in it count; NULL: all */
	const struct explain_source *source;
	size_t account_count;		/* number of the caller's accounts */
	size_t association_count;	/* in them; an account may have several, for partitions */
	struct explained_one *account;	/* the places of the first of these, in the tree's order */
	size_t explained;		/* number of elements of `account` */
	struct explain_question question;	/* about the association with the least factor */
	struct explained advised;	/* the answer, with advice */
	size_t job_count;		/* number of the caller's jobs that wait */
	/* the places of the first of their rows, the greatest priority first; a job has a row for
	 * each partition */
	struct explained_one *job;
	size_t ranked;			/* number of elements of `job` */
	size_t running;			/* number of the caller's jobs that run, as far as known */
};

/* Returns the name of the user who runs the command. Refuses a user id without a name. */
const char *explain_caller(void);
/* Evaluates the tree, and finds and explains the associations and jobs of the caller. Sets all of
 * *overview. Refuses a caller without an association. */
void explain_overview_find(struct explain_overview *overview, struct explain_source *source,
			   const struct explain_options *options);
/* Prints the overview on a screen of 80 columns and 24 lines. units: of usage, UNITS_HOURS or
 * UNITS_BILLING; UNITS_COUNT: hours. */
void print_overview(const struct explain_overview *overview, int units);
/* Prints the overview as JSON; fathom-explain(1) describes the keys. */
void print_overview_json(const struct explain_overview *overview);

/* ---- explain_since.c ------------------------------------------------------------------- */

/* explain --since: what changed since a day of the HistoryFile. */

/* Prints what changed for a user or an account, as text or as JSON: its factor and rank; and on its
 * path from the root, shares that were edited and usage that grew. The tree must have been
 * evaluated. Refuses the root. */
void explain_since(const struct explain_options *options, const struct explain_source *source);
