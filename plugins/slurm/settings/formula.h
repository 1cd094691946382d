/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom.conf's formulas, compiled and evaluated. */
#ifndef SLURM_FORMULA_H
#define SLURM_FORMULA_H

#include "base/compat.h"
#include "fathom.h"

#define FORMULA_MOST_WARNINGS 4	/* of one formula */

/* Any thread may ask for a value; one at a time gets it. */
struct formula;

/* Names beside the fields are the policy's columns and the first `tres_count`
 * TRES, as in gres_gpu. Opens muParser; takes TRES read. NULL: problem->text. */
struct formula *formula_create(const char *text, double scale, const struct fathom_policy *policy,
			       size_t tres_count, struct fathom_warnings *warnings,
			       struct fathom_error *problem);
void formula_destroy(struct formula *formula);
/* A name in it that is a column of policies, but not of this one; or NULL. */
const char *formula_lacks(const struct formula *formula, const struct fathom_policy *policy);

/* One of PBS's fairshare_usage_res, of what a job uses: fields alone. NULL:
 * problem->text. */
struct fathom_formula *formula_create_of_usage(const char *text, struct fathom_error *problem);
/* Its value for a run after so many seconds; 0 where it has none. `formula`: a
 * struct fathom_formula. One thread at a time. */
double formula_used(const struct fathom_stretch *run, double seconds, void *formula);

/* Values of a job that a formula may name beside the fields, in this order: the columns of the
 * policy, then TRES. Of no formula: none. */
struct formula_extras {
	size_t column_count, tres_count;
	size_t gpu;		/* place of gres/gpu among TRES; tres_count: none */
};
struct formula_extras formula_extras(const struct formula *formula);

/* tally: of this job, whatever its pairs of partition and QOS. */
uint32_t formula_priority(struct formula *formula, const struct fathom_formula_job *job,
			  struct fathom_formula_tally *tally);
/* Adds one job to those of a pass. */
void formula_count_job(struct fathom_formula_tally *pass, const struct fathom_formula_tally *job);
/* Logs what a pass has met, each kind once for each formula. */
void formula_report(struct formula *formula, const struct fathom_formula_tally *tally);

#endif
