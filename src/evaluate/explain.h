/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explains a user or a job, or a pair of them: all that fathom explain prints. */
#ifndef EVALUATE_EXPLAIN_H
#define EVALUATE_EXPLAIN_H

#include "evaluate/explain_change.h"
#include "evaluate/explain_jobs.h"
#include "evaluate/explain_tree.h"

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
	/* of files, see struct explained_jobs; NULL: of a running cluster */
	struct jobs *jobs;
	struct job_rule *rule;
	bool has_fixed_priorities;	/* the rows cannot be computed again */
	/* the rows with the values of the formula from which the priorities come; NULL: they come
	 * from none, or no values are known */
	const struct job_list *formula;
	size_t formula_row[2];
	bool has_fixed_fairshare;	/* the tree alone does not give the rows' factors */
	size_t row[2];		/* of jobs */
	size_t node[2];		/* of users and of jobs; EXPLAIN_NONE: not in the tree */
	size_t count;		/* 1, or 2 for a pair */
	struct change_kinds kinds;
};

/* A user or a job. */
struct explained_one {
	size_t row, node;	/* EXPLAIN_NONE: none */
	struct explained_place place;		/* of the user */
	struct explained_job_place job_place;	/* of the job */
	struct explained_path path;
	struct explained_cost cost;
	struct explained_term *terms;		/* of the job; else NULL */
};

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
};

/* Returns whether a kind of change could not be tried. */
bool explain_is_untried(const struct explained *explained, enum explained_what what);

void explained_create(struct explained *explained, const struct explain_question *question);
void explained_clear(struct explained *explained);

#endif
