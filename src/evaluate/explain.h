/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Explains a user, an account or a job, or a pair of them: all that `fathom explain` prints. Each
 * section finds one thing, such as a place or what costs most; explained_create() puts them
 * together. Two more sections follow it: when a user's factor recovers, and what a job would cost.
 */
#pragma once

#include "evaluate/evaluated_tree.h"
#include "jobs/job_evaluate.h"
#include "policy/traits.h"

/* ---- places of users -------------------------------------------------------------------- */

#define EXPLAIN_NONE SIZE_MAX	/* in place of a node, a row or a number */

/* A tree as a user sees it. */
struct explained_tree {
	const struct evaluated_tree *tree;
	const bool *hidden;	/* by node: the user must not see it; NULL: all may be seen */
	/* The tree lacks users and usage that the policy counts. Only recorded figures are right:
	 * no ranks, costs or changes can be told. */
	bool is_partial;
};

bool explain_is_hidden(const struct explained_tree *view, size_t node);
/* Returns how the policy compares users; NULL: it has no fair share. */
const struct policy_comparison *explain_comparison(const struct explained_tree *view);
/* Returns the figure by which the policy compares a node, such as LevelFS. It may be INFINITY. NAN:
 * the policy does not compare, or the figure is not known. */
double explain_figure(const struct explained_tree *view, size_t node);
/* Returns how many times its share a node has used, by the figure of explain_figure(). NAN: the
 * figure has no target, or is not known. INFINITY: the node has no share. */
double explain_times_share(const struct explained_tree *view, size_t node);
/* Returns whether the factor `one` is greater than `other` by more than rounding. */
bool explain_factor_is_greater(double one, double other);

/* The nodes from the root to a node; nodes that must not be seen are left out. */
struct explained_path {
	size_t *node;	/* the root first */
	size_t count;
};

/* Returns the path to a node. */
struct explained_path explained_path_create(const struct explained_tree *view, size_t node);

/*
 * A place among others:
 *   of a user: among all users that may be seen, by factor;
 *   of an account: among its siblings that may be seen, by the figure that the policy compares;
 *   of a job's row: among the pending jobs of its partition that are not held, by priority, then
 *	by number.
 * Users or siblings that are equal share a rank, and the ranks after it are skipped: 1, 2, 2, 4.
 */
struct explained_place {
	size_t rank;		/* 1 is the best; 0: it has none, or it is not known */
	size_t of;		/* how many have a rank; EXPLAIN_NONE: not known, as some may be
				 * hidden */
	size_t sharing;		/* how many others have the same rank */
	size_t ahead;		/* the node or row that is next before it, or EXPLAIN_NONE */
};

/* Returns the place of a user or an account. */
struct explained_place explain_place(const struct explained_tree *view, size_t node);

/* Returns whether a node is an account, else it is a user. */
bool explain_is_account(const struct explained_tree *view, size_t node);
/* Returns whether the policy puts account `one` before `other`; neither is above the other. */
bool explain_account_is_ahead(const struct explained_tree *view, size_t one, size_t other);
/* Returns whether one of two users is ahead by its factor, or one of two accounts by the policy. */
bool explain_is_ahead(const struct explained_tree *view, size_t one, size_t other);

/* The node on the path to a user because of which the user is worst off. */
struct explained_cost {
	size_t node;		/* EXPLAIN_NONE: no node costs anything, or it is not known */
	size_t by;		/* the user below `node` with the most usage, or EXPLAIN_NONE */
	double part;		/* that user's part of the usage of `node`, 0 to 1 */
	size_t users;		/* number of users who go first because of `node`; 0 if the policy
				 * does not walk */
};

/* Finds the node that costs a user most: under a policy that walks the tree, the node whose better
 * siblings have most users; under any other, the node that raises usage over share most above that
 * of its account. In a partial tree it is not known. */
struct explained_cost explain_cost(const struct explained_tree *view, size_t user);

/* Where the paths of two users part: a node of each path, both at the same level below the account
 * that both paths share. */
struct explained_parting {
	size_t who, whom;	/* the node on the path of each user */
	size_t below;		/* the last account that both paths share */
	bool is_tie;		/* the policy takes the two users as equal, or has no fair share */
	bool is_hidden;		/* a node of the paths below the account must not be seen, so that
				 * `who` and `whom` must not be shown */
};

/* Finds the pair of nodes that decides which of two users, or of two accounts, goes first; neither
 * is above the other. Under a policy that walks the tree, it is the first pair whose figures
 * differ. Under any other, usage over share of both is followed down from the account that both
 * share, and it is the pair at which the difference grows most. */
struct explained_parting explain_parting(const struct explained_tree *view, size_t who,
					 size_t whom);

/* ---- jobs ------------------------------------------------------------------------------- */

/* A term of a priority. */
struct explained_term {
	const char *key;	/* in JSON: one of the factors, "site", "nice", or a TRES */
	bool is_tres;
	double value, weight;	/* NAN: not known */
	double points;		/* value x weight; below 0: it lowers the priority */
	double share;		/* points over the sum of all points above 0; 0 if there are none */
};

/* Returns the number of terms that each job of the list has. */
size_t explain_term_count(const struct job_list *list);
/* Sets the terms of a row. terms: array of explain_term_count(). */
void explain_terms(const struct job_list *list, const struct job_row *row,
		   struct explained_term *terms);
/* Returns the index of the term that does most to put `one` before `other`. one, other: the terms
 * of two rows of a list, `count` each. */
size_t explain_parting_term(const struct explained_term *one, const struct explained_term *other,
			    size_t count);
/* Returns whether a row is of a partition. partition: NULL: of none. */
bool explain_is_in(const struct job_row *row, const char *partition);
/* Returns the row that a list has for the job and partition of `row`; NULL: it has none. */
const struct job_row *explain_row_like(const struct job_list *list, const struct job_row *row);
/* Returns the place of the row number `index` of the list in its partition. */
struct explained_place explain_job_place(const struct job_list *list, size_t index);
/* Returns whether the job `one` goes before `other`: by priority, then by number. A priority that
 * is not known is below all others. */
bool explain_job_is_ahead(const struct job_row *one, const struct job_row *other);
/* Returns whether a job is held, by fathom itself or by others. Under flux, a job that nobody holds
 * can have the priority 0, too. */
bool explain_is_held(const struct job_list *list, const struct job_row *row);
/* Returns whether a job goes before all others by its urgency, 31, of flux. */
bool explain_is_expedited(const struct job_list *list, const struct job_row *row);
/* Returns whether all terms of a job are known and give its priority: they do not if the job is
 * held or expedited, an administrator has set the priority, or the policy never starts the job. */
bool explain_terms_count(const struct job_list *list, const struct job_row *row);

/* ---- changes ---------------------------------------------------------------------------- */

/* What can change: less usage, more shares, more age, less nice. */
enum explained_what {
	CHANGE_USAGE,		/* less own usage of a node, or less of what the policy counts */
	CHANGE_SHARES,		/* more raw shares of a node */
	CHANGE_AGE,		/* more age of the job, seconds */
	CHANGE_NICE,		/* less nice of the job; under flux 16 - urgency */
	CHANGE_COUNT
};

/* Their names, such as "usage", and a NULL. */
extern const char *const explain_change_names[CHANGE_COUNT + 1];

struct explained_change {
	enum explained_what what;	/* CHANGE_COUNT: there is no change */
	size_t node;			/* whose usage or shares change; else EXPLAIN_NONE */
	double from, to;		/* the value before and after the change */
};

/* ---- all together ------------------------------------------------------------------------ */

/* Why it is not known which change would swap a pair. The order matters to explain_is_untried(). */
enum explain_gap {
	GAP_NONE,		/* all changes can be tried */
	/* no change can be tried: */
	GAP_FORMULA,		/* the rows cannot be computed again, as a value is not known */
	GAP_TERMS,		/* slurmctld does not send the terms of a job */
	/* no change of usage or shares can be tried: */
	GAP_DISPATCH,		/* the order of dispatch depends on all jobs */
	GAP_SUMS,		/* the policy needs sums that only FiguresFile has */
	GAP_TREE,		/* there is no tree */
	GAP_HIDDEN,		/* PrivateData hides a part of the tree */
	GAP_ASSOCIATION		/* the tree lacks the association of the job behind */
};

/* What is asked. In arrays of two, 0 is who is explained, and 1 is whom it is compared with. */
struct explain_question {
	const struct explained_tree *tree;	/* NULL: there is no tree */
	bool is_fixed;		/* the tree's factors cannot be computed anew */
	const struct job_list *list;	/* NULL: users or accounts are explained; else jobs */
	/* The jobs of files and the rule by which the rows were made. NULL: the rows are those of a
	 * running cluster, and are added up again from their terms. */
	const struct jobs *jobs;
	const struct job_rule *rule;
	bool has_fixed_priorities;	/* the rows cannot be computed again */
	/* Jobs with the values that the formula's names have for them. NULL: no formula gives the
	 * priorities, or not all values are known. */
	const struct job_list *formula_values;
	size_t formula_row[2];	/* their rows in formula_values */
	bool has_fixed_fairshare;	/* the tree alone does not give the rows' factors */
	size_t row[2];		/* their rows in `list` */
	size_t node[2];		/* the users, the accounts or the users of the jobs; EXPLAIN_NONE:
				 * not in the tree */
	size_t count;		/* 1: who alone is explained; 2: a pair */
	bool wanted[CHANGE_COUNT];	/* kinds of change that are searched */
	bool wants_advice;	/* explained.wait and other_account are searched, too */
	bool lowers_nice;	/* nice may go below 0, as administrators may set it */
	struct usage_decay decay;	/* of the site */
};

/* A user, an account or a job, explained. */
struct explained_one {
	size_t row, node;	/* of the question; EXPLAIN_NONE: it has none */
	struct explained_place place;	/* of the node */
	struct explained_place job_place;	/* of the row */
	struct explained_path path;	/* to the node; count 0: there is no node */
	struct explained_cost cost;	/* of the node */
	struct explained_term *terms;	/* explained.term_count of the row; NULL: there is no row */
};

/* Finds the least change that puts the one behind first: that with the least |to - from| /
 * max(|from|, 1). behind: its index in the pair. changes_tree: usage and shares on the path to its
 * node may change, too. If a greater change never swaps the pair back, the result is the least one;
 * in any case half of it does not swap. */
struct explained_change explain_change(const struct explain_question *question, size_t behind,
				       bool changes_tree);

/* Returns whether something holds with an amount, such as a number of seconds. */
typedef bool explain_holds(void *context, double amount);
/* Returns the least whole amount that holds, by bisection: `low` does not hold, and `high` does. */
double explain_least(explain_holds *holds, void *context, double low, double high);
/* Returns the first whole second, at most `most`, that holds; NAN: none does. Behind `to`, what
 * holds goes on to hold. Between `from` and `to` it may hold for a while: `steps` seconds are tried
 * there, and what is shorter than a step is missed. */
double explain_first_second(explain_holds *holds, void *context, double from, double to, int steps,
			    double most);

/* Returns for how many seconds the one behind must run nothing to go first, if all others use as
 * much as decays: a user, the user of a job, or an account with all below it. Jobs get older
 * meanwhile. The time of the next reset of usage, question->decay.reset, if it goes first then and
 * not before. INFINITY: it never goes first. NAN: it goes first by the age of its job, whatever it
 * runs. behind: its index in the pair. */
double explain_wait(const struct explain_question *question, size_t behind);
/* Returns the user's association with the greatest factor in another account, if that factor is
 * greater than the user's own; else EXPLAIN_NONE. */
size_t explain_other_account(const struct explained_tree *view, size_t user);

/* What is answered. */
struct explained {
	const struct explain_question *question;
	struct explained_one one[2];
	size_t term_count;	/* terms of each job; 0: no jobs */
	/* of a pair: */
	bool is_equal;		/* neither goes first */
	size_t behind;		/* index in `one` of who comes behind */
	size_t parting_term;	/* of jobs: index in `terms` of the term that decides most;
				 * EXPLAIN_NONE: the terms of one of them do not count */
	bool has_parting;	/* `parting` is known */
	struct explained_parting parting;	/* its `who` is on the path of one[0] */
	struct explained_change change;	/* that swaps the pair; what: CHANGE_COUNT: none is known */
	enum explain_gap gap;	/* why not all changes could be tried */
	/* if wants_advice: what the one behind can do; a single user is compared with the one next
	 * ahead */
	double wait;			/* see explain_wait(); NAN: never, or whatever it
					 * runs, or not known */
	double reset;			/* seconds until all usage is reset, if the one behind does
					 * not go first before; 0: it does, or that is not known */
	size_t other_account;		/* see explain_other_account() */
};

/* Returns whether a kind of change is wanted, but could not be tried. */
bool explain_is_untried(const struct explained *explained, enum explained_what what);

/* Answers a question. The question must live as long as the answer. */
void explained_create(struct explained *explained, const struct explain_question *question);

/* ---- recovery ---------------------------------------------------------------------------- */

/* Whose usage decays: the user's, that of the user's account with all below it, or that of all.
 * Those who are not idle use as much as decays. */
enum explained_idle { IDLE_USER, IDLE_ACCOUNT, IDLE_ALL, IDLE_COUNT };

/* "user", "account", "all", and a NULL. */
extern const char *const explain_idle_names[IDLE_COUNT + 1];

struct explained_recovery {
	double seconds;		/* until the factor is at the level; whole; NAN: it never is */
	double factor;		/* at that time; if never, what it comes to in the end */
	bool is_now;		/* it is at the level now, even if running jobs go on */
	bool is_reset;		/* `factor` is that after the reset of all usage */
};

/* Finds when the factor of a user comes to `level`, 0 to 1, or above. The search ends at the next
 * reset of usage, when all usage is 0. */
struct explained_recovery explain_until(const struct explained_tree *view, size_t user,
					double level, struct usage_decay decay,
					enum explained_idle idle);

/* ---- what a job would cost --------------------------------------------------------------- */

/* The run of a job that is not submitted yet, and what it would cost its user. */
struct explained_would {
	/* given by the caller: */
	double cpus, nodes, gpus;	/* 0: not given */
	double billing;		/* what slurmctld charges a second; 0: not given, `cpus` counts */
	double seconds;		/* that it runs; above 0 */
	double reset;		/* seconds until the last reset of usage until its end; 0: none */
	double next_reset;	/* usage_decay.reset from its end on */
	/* of what the policy charges, see usage_formula_create(); without mem */
	struct fathom_formula *formula;
	/* found by explain_would(): */
	double rate;		/* what the policy charges a second */
	bool is_by_use;		/* the policy counts CPU time that is used; here all CPUs are */
	double charge;		/* of the run since `reset`, decayed to its end */
	double factor_now, factor;	/* of the user now, and at the end of the run */
	struct explained_place place;	/* of the user at the end of the run */
	struct explained_recovery back;	/* from that end until the factor is back but for 1 % */
	/* if the factor is not lower at that end: the factor of the user next ahead; NAN: it is
	 * lower, or nobody is ahead */
	double next_level;
	/* for how many seconds from now the user must run nothing else to have that factor, without
	 * the job and with it; NAN: never */
	double next_without, next_with;
};

/* Returns what the policy charges for and the caller has not given, such as "nodes=N"; NULL: all is
 * given. */
const char *explain_would_lacks(const struct explained_would *would,
				const struct explained_tree *view);
/* Returns what the caller has given and the policy does not charge, such as "nodes and gpus"; "":
 * there is none. */
const char *explain_would_ignores(const struct explained_would *would,
				  const struct explained_tree *view);
/* Finds what a run would cost a user that runs nothing else, while all others use as much as
 * decays. */
void explain_would(struct explained_would *would, const struct explained_tree *view, size_t user,
		   struct usage_decay decay);
