/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explains the place of a job among the jobs of its partition: who is ahead, what each term adds,
 * and at which term two jobs part. */
#ifndef EVALUATE_EXPLAIN_JOBS_H
#define EVALUATE_EXPLAIN_JOBS_H

#include "evaluate/explain_change.h"
#include "jobs/job_associations.h"
#include "jobs/job_evaluate.h"
#include "jobs/job_list.h"

/* ---- terms --------------------------------------------------------------------------- */

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

/* ---- places -------------------------------------------------------------------------- */

/* The place of a row among all pending jobs of its partition that are not held. Jobs of equal
 * priority go by their number. */
struct explained_job_place {
	size_t rank;		/* 0: it has none, or it is not known */
	size_t of;		/* EXPLAIN_NONE: not known, as the list may lack jobs */
	size_t ahead;		/* the index of the row before it, or EXPLAIN_NONE */
};

struct explained_job_place explain_job_place(const struct job_list *list, size_t row);
/* Returns whether `one` is started before `other`. */
bool explain_job_is_ahead(const struct job_row *one, const struct job_row *other);

/* ---- changes ------------------------------------------------------------------------- */

/* Two jobs, of which the first comes behind. */
struct explained_jobs {
	const struct job_list *list;
	size_t behind, ahead;	/* rows */
	/* the tree of their partition; NULL: none, or its factors cannot be computed anew */
	const struct explained_tree *tree;
	/* of files: the jobs and the rule by which the rows were made. NULL: rows are added up
	 * again from their terms, as for a running cluster. They change and are restored. */
	struct jobs *jobs;
	struct job_rule *rule;
};

/* Finds the least change that puts the job `behind` first, whose priority comes from its terms. */
struct explained_change explain_job_change(const struct explained_jobs *jobs,
					   const struct change_kinds *kinds);

#endif
