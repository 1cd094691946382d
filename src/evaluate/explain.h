/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Explains a user or a job, or a pair of them: all that `fathom explain` prints. explained_create()
 * at the end puts together what the functions before it find.
 */
#pragma once

#include "evaluate/evaluated_tree.h"
#include "jobs/job_evaluate.h"
#include "policy/traits.h"

/* ---- places of users -------------------------------------------------------------------- */

#define EXPLAIN_NONE SIZE_MAX

/* A tree as a user sees it. */
struct explained_tree {
	const struct evaluated_tree *tree;
	const bool *hidden;	/* by node: must not be seen; NULL: all may be seen */
	/* The tree lacks users and usage that the policy counts. Only recorded figures are right:
	 * no ranks, costs or changes can be told. */
	bool is_partial;
};

/* Returns how the policy compares users; NULL: it has no fair share. */
const struct policy_comparison *explain_comparison(const struct explained_tree *view);
/* Returns the figure by which the policy compares a node; NAN: not known. */
double explain_figure(const struct explained_tree *view, size_t node);
/* Returns how many times its share a node has used, by that figure; NAN if the figure has no
 * target. INFINITY: it has no share. */
double explain_times_share(const struct explained_tree *view, size_t node);
/* Returns whether jobs of `one` go before those of `other` by factors that differ by more than
 * rounding. */
bool explain_factor_is_greater(double one, double other);

/* The nodes from the root to a node; nodes that must not be seen are left out. */
struct explained_path {
	size_t *node;	/* the caller frees it */
	size_t count;
};

/* Returns the path to a node. */
struct explained_path explained_path_create(const struct explained_tree *view, size_t node);

/* The place of a user among all users that may be seen, by factor, where equal factors share a rank
 * and the ranks after it are skipped; or of a row among all pending jobs of its partition that are
 * not held, where jobs of equal priority go by their number. */
struct explained_place {
	size_t rank;		/* 1 is the best; 0: it has none, or it is not known */
	size_t of;		/* EXPLAIN_NONE: not known, as users or jobs may be hidden */
	size_t sharing;		/* other users with the same rank */
	size_t ahead;		/* the user or row that is next before it, or EXPLAIN_NONE */
};

/* Returns the place of a user or, see explain_is_account(), of an account. */
struct explained_place explain_place(const struct explained_tree *view, size_t user);

/* Returns whether a node is an account. The place of an account is that among its siblings, by the
 * figure that the policy compares; `ahead` is the sibling next before it. */
bool explain_is_account(const struct explained_tree *view, size_t node);
/* Returns whether the policy puts account `one` before `other`, which is not above or below it. */
bool explain_account_is_ahead(const struct explained_tree *view, size_t one, size_t other);

/* The node on a path that costs its user most. */
struct explained_cost {
	size_t node;		/* EXPLAIN_NONE: nothing costs */
	size_t by;		/* the user below it with the most usage, or EXPLAIN_NONE */
	double part;		/* that user's part of its usage, 0 to 1 */
	size_t users;		/* number of users who go first because of it; 0 if the policy does
				 * not walk */
};

/* Finds the node that costs a user most: under a policy that walks the tree, the node whose better
 * siblings have most users; under any other, the node that raises usage over share most above that
 * of its account. Of a partial tree, none is found. */
struct explained_cost explain_cost(const struct explained_tree *view, size_t user);

/* Where the paths of two users part: a node of each path, both at the same level below the account
 * that both paths share. */
struct explained_parting {
	size_t who, whom;	/* the two nodes */
	size_t below;		/* the account */
	bool is_tie;		/* the policy takes them as equal, and so all nodes above them */
	bool is_hidden;		/* a node of the paths below the account must not be seen, so that
				 * this is not known */
};

/* Finds the pair that decides. Under a policy that walks the tree, it is the first whose figures
 * differ. Under any other, usage over share of both users is followed down from the account that
 * both share, and it is the pair at which the difference grows most. */
struct explained_parting explain_parting(const struct explained_tree *view, size_t who,
					 size_t whom);

/* ---- jobs ------------------------------------------------------------------------------- */

/* A term of a priority. */
struct explained_term {
	const char *key;	/* in JSON: one of the factors, "site", "nice", or the TRES */
	bool is_tres;
	double value, weight;	/* NAN: not known */
	double points;		/* what it adds to the priority; negative: subtracts */
	double share;		/* points over the sum of all points above 0 */
};

/* Returns the number of terms that each job of the list has. */
size_t explain_term_count(const struct job_list *list);
/* Fills explain_term_count() terms. */
void explain_terms(const struct job_list *list, const struct job_row *row,
		   struct explained_term *terms);
/* Returns the index of the term that does most to put `one` before `other`. */
size_t explain_parting_term(const struct explained_term *one, const struct explained_term *other,
			    size_t count);
/* Returns the place of a row, an index in the list, in its partition. */
struct explained_place explain_job_place(const struct job_list *list, size_t row);
/* Returns whether `one` is started before `other`. */
bool explain_job_is_ahead(const struct job_row *one, const struct job_row *other);

/* ---- changes ---------------------------------------------------------------------------- */

/* What can change: less usage, more shares, more age, less nice. */
enum explained_what {
	CHANGE_USAGE,		/* a node's own usage, seconds */
	CHANGE_SHARES,		/* a node's raw shares */
	CHANGE_AGE,		/* of the job, seconds */
	CHANGE_NICE,		/* of the job */
	CHANGE_COUNT
};

/* Returns "usage", "shares", "age" or "nice". */
const char *explain_change_name(enum explained_what what);

struct explained_change {
	enum explained_what what;	/* CHANGE_COUNT: no change is found */
	size_t node;			/* of usage and shares */
	double from, to;
};

/* ---- all together ------------------------------------------------------------------------ */

/* Why it is not known which change would swap a pair. */
enum explain_gap {
	GAP_NONE,
	/* no change can be tried: */
	GAP_FORMULA,		/* the rows cannot be computed again, as a value is not known */
	GAP_TERMS,		/* slurmctld does not send the terms of a job */
	/* no change of usage or shares: */
	GAP_DISPATCH,		/* the order of dispatch depends on all jobs */
	GAP_SUMS,		/* the policy needs sums that only FiguresFile has */
	GAP_TREE,		/* there is no tree */
	GAP_HIDDEN,		/* PrivateData hides a part of the tree */
	GAP_ASSOCIATION		/* the tree lacks that of the job behind */
};

/* What is asked. */
struct explain_question {
	const struct explained_tree *tree;	/* NULL: none */
	bool is_fixed;		/* the tree's factors cannot be computed anew */
	const struct job_list *list;	/* NULL: users are explained */
	/* of files: the jobs and the rule by which the rows were made. NULL: rows are added up
	 * again from their terms, as for a running cluster. */
	const struct jobs *jobs;
	const struct job_rule *rule;
	bool has_fixed_priorities;	/* the rows cannot be computed again */
	/* Jobs with the values that the formula's names have for them. NULL: no formula gives the
	 * priorities, or not all values are known. */
	const struct job_list *formula_values;
	size_t formula_row[2];	/* the rows in it of who and whom */
	bool has_fixed_fairshare;	/* the tree alone does not give the rows' factors */
	size_t row[2];		/* of jobs */
	size_t node[2];		/* of users and of jobs; EXPLAIN_NONE: not in the tree */
	size_t count;		/* 1, or 2 for a pair */
	bool wanted[CHANGE_COUNT];	/* kinds of change that are searched */
	bool wants_advice;	/* what a user can do is searched, too */
	bool only_places;	/* no paths, costs and terms are searched */
	bool lowers_nice;	/* below 0, as administrators may */
	double half_life;	/* the site's, of usage, seconds; 0: no decay */
};

/* A user or a job. */
struct explained_one {
	size_t row, node;	/* EXPLAIN_NONE: none */
	struct explained_place place, job_place;	/* of the user, of the job */
	struct explained_path path;
	struct explained_cost cost;
	struct explained_term *terms;		/* of the job; else NULL */
};

/* Finds the least change that puts the one behind first: that with the least |to - from| /
 * max(|from|, 1). behind: its index in the pair. changes_tree: usage and shares on the path to its
 * node may change, too. If a greater change never swaps the pair back, the result is the least one;
 * in any case half of it does not swap. */
struct explained_change explain_change(const struct explain_question *question, size_t behind,
				       bool changes_tree);

/* Returns for how many seconds the one behind, or its user, must run nothing to go first, if all
 * others use as much as decays; an account with all below it. NAN: it never does. */
double explain_wait(const struct explain_question *question, size_t behind);
/* Returns the association of the same user in another account with the greatest factor, if that is
 * greater; else EXPLAIN_NONE. */
size_t explain_other_account(const struct explained_tree *view, size_t user);

/* What is answered. */
struct explained {
	const struct explain_question *question;
	struct explained_one one[2];
	size_t term_count;
	/* of a pair: */
	bool is_equal;		/* neither goes first */
	size_t behind;		/* index in `one` of who comes behind */
	size_t parting_term;	/* of jobs: index in `terms` */
	bool has_parting;	/* the next is known */
	struct explained_parting parting;	/* its `who` belongs to one[0] */
	struct explained_change change;
	enum explain_gap gap;
	/* what who is behind can do; a single user is compared with the next ahead */
	double wait;			/* of explain_wait() */
	size_t other_account;		/* of explain_other_account() */
};

/* Returns whether a kind of change could not be tried. */
bool explain_is_untried(const struct explained *explained, enum explained_what what);

/* Answers a question. The question must live as long as the answer. */
void explained_create(struct explained *explained, const struct explain_question *question);

/* ---- recovery ---------------------------------------------------------------------------- */

/* Who is idle: their usage decays. All others use as much as decays. */
enum explained_idle { IDLE_USER, IDLE_ACCOUNT, IDLE_ALL, IDLE_COUNT };

/* Returns "user", "account" or "all". */
const char *explain_idle_name(enum explained_idle idle);

struct explained_recovery {
	double seconds;		/* whole; NAN: never */
	double factor;		/* at that time; if never, the factor that it comes to */
	bool is_now;		/* it is at the level now, also while jobs run */
	bool is_closed;		/* found by a closed form; else by bisection */
};

/* Finds when the factor of a user comes to `level`, 0 to 1. site: the site's half-life of usage in
 * seconds, 0: no decay. idle: who is; IDLE_ACCOUNT means the user's account with all below it. */
struct explained_recovery explain_until(const struct explained_tree *view, size_t user,
					double level, double site, enum explained_idle idle);

/* ---- what a job would cost --------------------------------------------------------------- */

struct explained_would {
	/* given; 0: not given */
	double cpus, nodes, gpus, billing;	/* billing: what slurmctld charges a second */
	double seconds;
	/* found */
	double rate;		/* what the policy charges a second */
	bool is_by_use;		/* it counts the CPU time of the run, here of all its CPUs */
	double charge;		/* decayed to the end of the run */
	double factor_now, factor;	/* of the user now, and at the end of the run */
	struct explained_place place;	/* at the end of the run */
	struct explained_recovery back;	/* from then on, until the factor is back but for 1 % */
};

/* Returns what the policy charges for and is not given, such as "nodes=N"; NULL: all is given. */
const char *explain_would_lacks(const struct explained_would *would,
				const struct explained_tree *view);
/* Finds what a run would cost a user that runs nothing else, while all others use as much as
 * decays. site: as for explain_until(). */
void explain_would(struct explained_would *would, const struct explained_tree *view, size_t user,
		   double site);
