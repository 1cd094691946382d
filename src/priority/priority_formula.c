/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Priority by an expression over a job's fields.
 * Source: OpenPBS, "job_sort_formula"; names and signs are its, which are
 * Python's.
 */
#include "core/error.h"
#include "priority/evaluator.h"
#include "priority/factors.h"
#include "priority/fields.h"
#include "priority/syntax.h"

#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAULTS_WITHOUT_NAN (FE_DIVBYZERO | FE_OVERFLOW)
#define FAULTS (FAULTS_WITHOUT_NAN | FE_INVALID)
enum { TOLD_FAILED = 1 << 0, TOLD_LOW = 1 << 1 };	/* kinds of warnings */
#define LOW 100		/* priorities below it hardly differ once they are cut to integers */

/* A name of the caller's that occurs in the text. */
struct extra {
	double value;	/* that the evaluator reads */
	size_t index;
};

struct fathom_formula {
	struct evaluator *evaluator;
	struct fields fields;	/* of the present job; the evaluator reads them */
	bool *is_used;		/* each name that occurs in the text */
	unsigned groups;	/* of fields that do */
	struct extra *extra;	/* likewise */
	size_t extra_count;
	bool faulty;	/* a constant part divides by zero or overflows */
};

/* A formula that is being made. */
struct making {
	struct fathom_formula *formula;
	const struct fathom_formula_names *names;	/* or NULL */
	struct fathom_warnings *warnings;
};

static void warn(struct fathom_warnings *warnings, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void warn(struct fathom_warnings *warnings, const char *format, ...)
{
	va_list arguments;

	if (!warnings || warnings->count == warnings->room)
		return;
	va_start(arguments, format);
	vsnprintf(warnings->text[warnings->count++], sizeof(*warnings->text), format, arguments);
	va_end(arguments);
}

/* ---- names ----------------------------------------------------------------------- */

static const char *extra_at(const struct making *making, size_t index)
{
	return making->names && making->names->extra ? making->names->extra[index] : NULL;
}

/* The table's fields, then the caller's. */
static const char *name_at(const void *of, size_t index)
{
	const struct making *making = of;

	if (index < fathom_field_count())
		return fathom_field_at(index)->name;
	return extra_at(making, index - fathom_field_count());
}

static size_t name_count(const struct making *making)
{
	size_t count = 0;

	while (name_at(making, count))
		count++;
	return count;
}

static const char *present_name(const struct fathom_field *field)
{
	return field->instead ? field->instead : field->name;
}

/* A policy's column is a field under this policy alone. */
static bool is_known(const struct making *making, const struct fathom_field *field)
{
	const char *name;

	if (field->of != FATHOM_OF_POLICY)
		return true;
	for (size_t i = 0; (name = extra_at(making, i)); i++)
		if (!strcmp(name, present_name(field)))
			return true;
	return false;
}

static bool use(void *of, size_t index, size_t column)
{
	struct making *making = of;
	bool *is_used = &making->formula->is_used[index];
	const struct fathom_field *field =
		index < fathom_field_count() ? fathom_field_at(index) : NULL;

	if (field && !is_known(making, field))
		return false;
	if (!*is_used && field && field->instead)
		warn(making->warnings, "column %zu: %s is deprecated; write %s", column, field->name,
		     field->instead);
	return *is_used = true;
}

/* What makes a word a name that is none under the policy at hand. */
static bool find_elsewhere(const void *of, const char *word, char *how, size_t size)
{
	const struct fathom_formula_names *names = ((const struct making *)of)->names;
	const char *policy;

	for (size_t i = 0; i < fathom_field_count(); i++)
		if (!strcmp(fathom_field_at(i)->name, word))
			word = present_name(fathom_field_at(i));
	policy = names && names->policy_with ? names->policy_with(word) : NULL;
	if (policy)
		snprintf(how, size, "%s%s", names->choose, policy);
	return policy;
}

static double *bind_field(struct fathom_formula *formula, size_t index)
{
	formula->groups |= fields_group_of(index);
	return fields_value(&formula->fields, index);
}

static double *bind_extra(struct fathom_formula *formula, size_t index)
{
	struct extra *extra = &formula->extra[formula->extra_count++];

	extra->index = index;
	return &extra->value;
}

/* NAN, so that the first evaluation faults by constants, and hardly by fields. */
static void bind_used(const struct making *making)
{
	struct fathom_formula *formula = making->formula;
	size_t fields = fathom_field_count();
	const char *name;

	for (size_t i = 0; (name = name_at(making, i)); i++) {
		double *value;

		if (!formula->is_used[i])
			continue;
		value = i < fields ? bind_field(formula, i) : bind_extra(formula, i - fields);
		*value = NAN;
		evaluator_bind(formula->evaluator, name, value);
	}
}

/* By the values of fields: a comparison with NAN is 0, by which one may divide. */
static bool faults_when_evaluated(const struct fathom_formula *formula)
{
	feclearexcept(FAULTS);
	evaluator_value(formula->evaluator);
	return fetestexcept(FAULTS_WITHOUT_NAN);
}

/* ---- making one -------------------------------------------------------------------- */

static int compile(struct making *making, const char *text, struct fathom_error *error)
{
	struct vocabulary vocabulary = { name_at, use, find_elsewhere, making };
	struct fathom_formula *formula = making->formula;
	char checked[FATHOM_FORMULA_SIZE];
	size_t position;

	if (strlen(text) >= sizeof(checked))
		return fathom_error_set(error, EINVAL, "longer than %zu characters",
					sizeof(checked) - 1);
	if (syntax_check(text, &vocabulary, checked, error))
		return -1;
	formula->evaluator = evaluator_create(error);
	if (!formula->evaluator)
		return -1;
	bind_used(making);
	feclearexcept(FAULTS);
	if (evaluator_compile(formula->evaluator, checked, &position))
		return syntax_unexpected(text, position, error);
	formula->faulty = fetestexcept(FAULTS_WITHOUT_NAN) && !faults_when_evaluated(formula);
	return 0;
}

struct fathom_formula *fathom_formula_create(const char *text,
					     const struct fathom_formula_names *names,
					     struct fathom_warnings *warnings,
					     struct fathom_error *error)
{
	struct fathom_formula *formula = calloc(1, sizeof(*formula));
	struct making making = { .formula = formula, .names = names, .warnings = warnings };
	size_t count = name_count(&making);
	int status = -1;

	if (formula) {
		formula->is_used = calloc(count, sizeof(*formula->is_used));
		formula->extra = calloc(count, sizeof(*formula->extra));
	}
	if (formula && formula->extra && formula->is_used)
		status = compile(&making, text, error);
	else
		fathom_error_set(error, ENOMEM, "out of memory");
	if (!status)
		return formula;
	fathom_formula_destroy(formula);
	return NULL;
}

void fathom_formula_destroy(struct fathom_formula *formula)
{
	if (!formula)
		return;
	evaluator_destroy(formula->evaluator);
	free(formula->extra);
	free(formula->is_used);
	free(formula);
}

bool fathom_formula_uses(const struct fathom_formula *formula, size_t index)
{
	return formula->is_used[index];
}

/* ---- evaluating ----------------------------------------------------------------------- */

static void gather(struct fathom_formula *formula, const struct fathom_formula_job *job)
{
	fields_fill(&formula->fields, job, formula->groups);
	for (size_t i = 0; i < formula->extra_count; i++)
		formula->extra[i].value = job->extra[formula->extra[i].index];
}

/* A division by zero may leave no trace in the result, as in 2^-(1/0): the
 * processor's flags tell. They may be up from before, so a second look decides. */
static double evaluate(const struct fathom_formula *formula)
{
	double value = evaluator_value(formula->evaluator);

	if (!fetestexcept(FAULTS))
		return value;
	feclearexcept(FAULTS);
	value = evaluator_value(formula->evaluator);
	if (!fetestexcept(FAULTS))
		return value;
	feclearexcept(FAULTS);
	return NAN;
}

double fathom_formula_value(struct fathom_formula *formula, const struct fathom_formula_job *job,
			    struct fathom_formula_tally *tally)
{
	double value;

	gather(formula, job);
	value = evaluate(formula);
	tally->jobs++;
	if (formula->faulty || !isfinite(value)) {
		tally->failed++;
		return 0;
	}
	if (value > tally->highest)
		tally->highest = value;
	return value;
}

uint32_t fathom_formula_priority(double value, double scale)
{
	return factor_to_priority(value * scale, NULL);
}

void fathom_formula_report(struct fathom_formula_tally *tally, double scale,
			   struct fathom_warnings *warnings)
{
	bool low = tally->failed < tally->jobs && tally->highest * scale < LOW;
	unsigned found = (tally->failed ? TOLD_FAILED : 0) | (low ? TOLD_LOW : 0);
	unsigned told = tally->told;

	tally->told |= found;
	if (found & ~told & TOLD_FAILED)
		warn(warnings, "of %zu jobs %zu have no value, by a division by zero, an overflow or "
			       "what is no number; it counts as 0", tally->jobs, tally->failed);
	if (found & ~told & TOLD_LOW)
		warn(warnings, "no priority reaches %d, so that jobs which differ may end alike; "
			       "raise FormulaScale (now %g)", LOW, scale);
}
