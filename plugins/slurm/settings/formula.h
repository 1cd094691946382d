/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom.conf's formulas, compiled and evaluated. */
#ifndef SLURM_FORMULA_H
#define SLURM_FORMULA_H

#include "base/compat.h"
#include "fathom.h"

#define FORMULA_MOST_WARNINGS 4	/* of one formula */

/* Any thread may evaluate it; a lock lets in one at a time. */
struct formula;

/* Besides the fields, the text may name the policy's columns and the first `tres_count` TRES,
 * such as gres_gpu. Loads muParser; takes TRES read. NULL: problem->text. */
struct formula *formula_create(const char *text, double scale, const struct fathom_policy *policy,
			       size_t tres_count, struct fathom_warnings *warnings,
			       struct fathom_error *problem);
void formula_destroy(struct formula *formula);
/* A name in the formula that is a column of some policy, but not of this one; or NULL. */
const char *formula_lacks(const struct formula *formula, const struct fathom_policy *policy);

/* Compiles PBS's fairshare_usage_res, a formula over what a job uses. It may name only fields.
 * NULL: problem->text. */
struct fathom_formula *formula_create_of_usage(const char *text, struct fathom_error *problem);
/* The value of `formula`, a struct fathom_formula, for a run after so many seconds; 0 where it
 * has none. For one thread at a time. */
double formula_used(const struct fathom_stretch *run, double seconds, void *formula);

/* Values that a formula may name besides the fields, in this order: the columns of the policy,
 * then TRES. Without a formula: none. */
struct formula_extras {
	size_t column_count, tres_count;
	size_t gpu;		/* place of gres/gpu among TRES; tres_count: not there */
};
struct formula_extras formula_extras(const struct formula *formula);

/* The job's priority. tally: counts what the formula met for this job, over all its pairs of
 * partition and QOS. */
uint32_t formula_priority(struct formula *formula, const struct fathom_formula_job *job,
			  struct fathom_formula_tally *tally);
/* Adds the tally of one job to that of a pass. */
void formula_count_job(struct fathom_formula_tally *pass, const struct fathom_formula_tally *job);
/* Logs what the formula met in a pass, each kind of problem once for each formula. */
void formula_report(struct formula *formula, const struct fathom_formula_tally *tally);

#endif
