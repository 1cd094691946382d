/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compiles and evaluates formulas. Making one takes three steps:
 *
 *	"1000*fairshare + age"
 *	check	syntax.c accepts the text, and tells that it uses the names fairshare and age
 *	bind	muParser gets to know these names, whose values it reads from formula->fields
 *	compile	muParser compiles the text
 *
 * An evaluation fills the fields for a job and calls muParser. A division by zero
 * or an overflow makes it fail; the flags of the floating-point unit show them.
 *
 * Source: OpenPBS, "job_sort_formula".
 */
#include "core/error.h"
#include "priority/evaluator.h"
#include "priority/factors.h"
#include "priority/fields.h"
#include "priority/formula_inputs.h"
#include "priority/syntax.h"

#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Flags of the floating-point unit. FE_INVALID: an operation such as 0 / 0 or a comparison with
 * NAN. */
#define FAULTS_WITHOUT_NAN (FE_DIVBYZERO | FE_OVERFLOW)
#define FAULTS (FAULTS_WITHOUT_NAN | FE_INVALID)
enum { WARNING_FAILED = 1 << 0, WARNING_LOW = 1 << 1 };	/* bits of tally->reported */
#define LOW_PRIORITY 100	/* lower priorities hardly differ when cut to whole numbers */

/* One of the caller's names (fathom_formula_names.extra) that occurs in the text. */
struct extra_name {
	double value;	/* of the present job; the evaluator reads it */
	size_t index;	/* in fathom_formula_names.extra */
};

struct fathom_formula {
	struct evaluator *evaluator;
	struct fields fields;	/* of the present job; the evaluator reads them */
	bool *is_used;		/* by index of fathom_formula_uses(): the name occurs in the text */
	unsigned groups;	/* sum of the enum fields_group of the fields in the text */
	struct extra_name *extra;	/* those that occur in the text */
	size_t extra_count;
	bool is_faulty;		/* a part without names divides by zero or overflows, so that no job
				 * has a value */
};

/* A formula that is being created. */
struct formula_builder {
	struct fathom_formula *formula;
	const struct fathom_formula_names *names;	/* NULL: only fields may be used */
	struct fathom_warnings *warnings;		/* or NULL */
};

/* Adds a warning, unless `warnings` is NULL or has no room for it. */
static void warn(struct fathom_warnings *warnings, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void warn(struct fathom_warnings *warnings, const char *format, ...)
{
	va_list arguments;
	size_t i = 0;

	if (!warnings || warnings->count == warnings->room)
		return;
	va_start(arguments, format);
	vsnprintf(warnings->text[warnings->count], sizeof(*warnings->text), format, arguments);
	va_end(arguments);
	while (strcmp(warnings->text[i], warnings->text[warnings->count]) != 0)
		i++;
	warnings->count += i == warnings->count;
}

/* ---- names ----------------------------------------------------------------------- */

/* Returns one of the caller's names; NULL after the last one. */
static const char *extra_at(const struct formula_builder *builder, size_t index)
{
	return builder->names && builder->names->extra ? builder->names->extra[index] : NULL;
}

/* Returns name number `index`; NULL after the last one. The fields come first, then the caller's
 * names. See struct vocabulary. */
static const char *name_at(const void *context, size_t index)
{
	const struct formula_builder *builder = context;

	if (index < fathom_field_count())
		return fathom_field_at(index)->name;
	return extra_at(builder, index - fathom_field_count());
}

/* Returns the number of all names. */
static size_t name_count(const struct formula_builder *builder)
{
	size_t count = 0;

	while (name_at(builder, count))
		count++;
	return count;
}

/* Returns the name to use for a field: the new one if the field's own name is deprecated. */
static const char *current_name(const struct fathom_field *field)
{
	return field->instead ? field->instead : field->name;
}

/* Returns whether a formula may use the field: a policy's column is a field only if the
 * caller lists its name. */
static bool is_known(const struct formula_builder *builder, const struct fathom_field *field)
{
	const char *name;

	if (field->of != FATHOM_OF_POLICY)
		return true;
	for (size_t i = 0; (name = extra_at(builder, i)); i++)
		if (!strcmp(name, current_name(field)))
			return true;
	return false;
}

/* Notes that a name occurs in the text, and warns once if it is deprecated. Returns false if the
 * name is a column of another policy. See struct vocabulary. */
static bool use_name(void *context, size_t index, size_t column)
{
	struct formula_builder *builder = context;
	bool *is_used = &builder->formula->is_used[index];
	const struct fathom_field *field =
		index < fathom_field_count() ? fathom_field_at(index) : NULL;

	if (field && !is_known(builder, field))
		return false;
	if (!*is_used && field && field->instead)
		warn(builder->warnings, "column %zu: %s is deprecated; write %s", column,
		     field->name, field->instead);
	return *is_used = true;
}

/* Writes to `how` how users choose the policy that has a column of this name. Returns false if no
 * policy has one. See struct vocabulary. */
static bool explain_word(const void *context, const char *word, char *how, size_t size)
{
	const struct fathom_formula_names *names = ((const struct formula_builder *)context)->names;
	const char *policy;

	for (size_t i = 0; i < fathom_field_count(); i++)
		if (!strcmp(fathom_field_at(i)->name, word))
			word = current_name(fathom_field_at(i));
	policy = names && names->policy_with ? names->policy_with(word) : NULL;
	if (policy)
		snprintf(how, size, "%s%s", names->choose, policy);
	return policy;
}

/* Binds each name that occurs in the text to a variable. Values start as NAN: arithmetic with NAN
 * raises no flag, so the first evaluation shows faults of constants only. */
static void bind_used(const struct formula_builder *builder)
{
	struct fathom_formula *formula = builder->formula;
	size_t field_count = fathom_field_count();
	const char *name;

	for (size_t i = 0; (name = name_at(builder, i)); i++) {
		double *value;

		if (!formula->is_used[i])
			continue;
		if (i < field_count) {
			formula->groups |= fields_group_of(i);
			value = fields_value(&formula->fields, i);
		} else {
			struct extra_name *extra = &formula->extra[formula->extra_count++];

			extra->index = i - field_count;
			value = &extra->value;
		}
		*value = NAN;
		evaluator_bind(formula->evaluator, name, value);
	}
}

/* Returns whether an evaluation of the compiled formula faults while all values are NAN. 1 / (age >
 * 0) does, because a comparison with NAN is 0: such a fault comes from values. A fault of
 * constants, as in 1 / 0, occurs only when muParser compiles and computes them. */
static bool faults_when_evaluated(const struct fathom_formula *formula)
{
	feclearexcept(FAULTS);
	evaluator_value(formula->evaluator);
	return fetestexcept(FAULTS_WITHOUT_NAN);
}

/* ---- create and destroy -------------------------------------------------------------- */

/* Checks the text, makes the evaluator and compiles the text. -1: see fathom_formula_create(). */
static int compile(struct formula_builder *builder, const char *text, struct fathom_error *error)
{
	struct vocabulary vocabulary = { name_at, use_name, explain_word, builder };
	struct fathom_formula *formula = builder->formula;
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
	bind_used(builder);
	feclearexcept(FAULTS);
	if (evaluator_compile(formula->evaluator, checked, &position))
		return syntax_unexpected(text, position, error);
	formula->is_faulty = fetestexcept(FAULTS_WITHOUT_NAN) && !faults_when_evaluated(formula);
	return 0;
}

struct fathom_formula *fathom_formula_create(const char *text,
					     const struct fathom_formula_names *names,
					     struct fathom_warnings *warnings,
					     struct fathom_error *error)
{
	struct fathom_formula *formula = calloc(1, sizeof(*formula));
	struct formula_builder builder = { .formula = formula, .names = names,
					   .warnings = warnings };
	size_t count = name_count(&builder);
	int status = -1;

	if (formula) {
		formula->is_used = calloc(count, sizeof(*formula->is_used));
		formula->extra = calloc(count, sizeof(*formula->extra));
	}
	if (formula && formula->extra && formula->is_used)
		status = compile(&builder, text, error);
	else
		fathom_error_no_memory(error);
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

/* ---- evaluation ------------------------------------------------------------------------ */

/* Returns the value; NAN if a fault occurred. A fault may not show in the value, as in
 * 2^-(1/0), which is 0, but it raises a flag of the processor. A flag that is up may be from
 * before, so the formula is then evaluated again with clear flags. */
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

	fields_fill(&formula->fields, job, formula->groups);
	for (size_t i = 0; i < formula->extra_count; i++)
		formula->extra[i].value = job->extra[formula->extra[i].index];
	value = evaluate(formula);
	tally->jobs++;
	if (formula->is_faulty || !isfinite(value)) {
		tally->failed++;
		return 0;
	}
	if (value > tally->highest)
		tally->highest = value;
	return value;
}

double formula_input(struct fathom_formula *formula, size_t index)
{
	size_t field_count = fathom_field_count();

	if (index < field_count)
		return *fields_value(&formula->fields, index);
	for (size_t i = 0; i < formula->extra_count; i++)
		if (formula->extra[i].index == index - field_count)
			return formula->extra[i].value;
	return NAN;
}

uint32_t fathom_formula_priority(double value, double scale)
{
	return factor_to_priority(value * scale, NULL);
}

void fathom_formula_report(struct fathom_formula_tally *tally, double scale,
			   struct fathom_warnings *warnings)
{
	bool low = tally->failed < tally->jobs && tally->highest * scale < LOW_PRIORITY;
	unsigned found = (tally->failed ? WARNING_FAILED : 0) | (low ? WARNING_LOW : 0);
	unsigned new = found & ~tally->reported;

	tally->reported |= found;
	if (new & WARNING_FAILED)
		warn(warnings, "%zu of %zu jobs have no value, by a division by zero, an overflow "
			       "or a result that is not a number; it counts as 0",
		     tally->failed, tally->jobs);
	if (new & WARNING_LOW)
		warn(warnings, "no priority reaches %d, so that different jobs may get equal "
			       "priorities; raise FormulaScale (now %g)", LOW_PRIORITY, scale);
}
