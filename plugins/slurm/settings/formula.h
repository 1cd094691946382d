/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The formulas of fathom.conf, compiled by muParser: Formula, which gives jobs their priorities,
 * and FairshareUsageRes, which says what a run is charged for.
 */
#pragma once

#include "base/compat.h"
#include "fathom.h"

#define FORMULA_MOST_WARNINGS 4	/* warnings of one formula that are logged */

/* A compiled Formula. Any thread may evaluate it; a lock lets one in at a time. */
struct formula;

/* Compiles Formula, and loads muParser for it. text: may name the fields of fathom_field_at(), the
 * policy's columns, and the first `tres_count` TRES, such as gres_gpu. scale: FormulaScale, which
 * each value is multiplied by. warnings: gets what is doubtful in the text. Takes TRES read. NULL:
 * problem->text says why. */
struct formula *formula_create(const char *text, double scale, const struct fathom_policy *policy,
			       size_t tres_count, struct fathom_warnings *warnings,
			       struct fathom_error *problem);
void formula_destroy(struct formula *formula);	/* NULL is allowed */
/* Returns a name that the formula uses and that is a column of some policies, but not of this one;
 * or NULL. */
const char *formula_lacks(const struct formula *formula, const struct fathom_policy *policy);

/* Compiles FairshareUsageRes, PBS's formula for what a run uses, for usage_formula_value(), and
 * loads muParser for it. The text may name only fields. The caller calls fathom_formula_destroy().
 * NULL: problem->text says why. */
struct fathom_formula *formula_create_of_usage(const char *text, struct fathom_error *problem);

/* The values that Formula may name besides the fields, in this order: the columns of the policy,
 * then TRES. */
struct formula_extras {
	size_t column_count, tres_count;	/* numbers of columns and of TRES */
	size_t gpu;		/* index of gres/gpu among TRES; tres_count: there is none */
};
/* Returns which values the formula may name besides the fields. */
struct formula_extras formula_extras(const struct formula *formula);

/* Returns the job's priority in one partition and QOS; 1 if the evaluation failed. tally: counts
 * the values and failures of this job, over all its pairs of partition and QOS. */
uint32_t formula_priority(struct formula *formula, const struct fathom_formula_job *job,
			  struct fathom_formula_tally *tally);
/* Counts a job in the tally of a pass, once for all its pairs, if its own tally has any value. */
void formula_count_job(struct fathom_formula_tally *pass, const struct fathom_formula_tally *job);
/* Logs what was wrong with the values of a pass. Each kind of problem is logged once in the life of
 * a formula. */
void formula_report(struct formula *formula, const struct fathom_formula_tally *tally);
