/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Formulas of fathom.conf for slurmctld: opens muParser, compiles a formula with the names that a
 * site may use, and lets one thread at a time evaluate it, as an evaluation writes to the formula's
 * own memory.
 */
#include "config.h"

#include "settings/formula.h"

#include "base/library.h"
#include "base/lock_order.h"
#include "base/slurm_locks.h"
#include "base/log.h"

#include "policy/settings_layout.h"
#include "policy/traits.h"
#include "priority/fields.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A Formula; its users see only formula.h. */
struct formula {
	struct fathom_formula *compiled;
	struct ordered_lock lock;	/* guards `reported`, and `compiled` while it is used */
	double scale;		/* FormulaScale */
	struct formula_extras extras;
	unsigned reported;	/* as in struct fathom_formula_tally: warnings that were logged */
};

/* ---- compile ------------------------------------------------------------------- */

/* Loads muParser, unless it is loaded. Returns -1 and *problem if it cannot be loaded. */
static int open_parser(struct fathom_error *problem)
{
#ifdef MUPARSER_SONAME
	return library_open("muParser", MUPARSER_SONAME, "mupCreate", problem);
#else
	(void)problem;	/* without muParser fathom_formula_create() fails */
	return 0;
#endif
}

/* Sets name[] to the names of the first `count` TRES, which the caller frees, and sets tres_count
 * and gpu of formula->extras. */
static void list_tres(struct formula *formula, const char **name, size_t count)
{
	assoc_mgr_lock_t locks = { .tres = READ_LOCK };

	locks_take(NULL, &locks);
	formula->extras.tres_count = count < g_tres_count ? count : g_tres_count;
	formula->extras.gpu = formula->extras.tres_count;	/* unless gres/gpu is found */
	for (size_t i = 0; i < formula->extras.tres_count; i++) {
		name[i] = fields_tres_name(assoc_mgr_tres_name_array[i]);
		if (!strcmp(assoc_mgr_tres_name_array[i], "gres/gpu"))
			formula->extras.gpu = i;
	}
	locks_release(NULL, &locks);
}

/* Sets formula->extras and formula->compiled. If the text cannot be compiled, compiled stays NULL,
 * and *problem says why; if out of memory, *problem stays as it is. */
static void compile(struct formula *formula, const char *text, const struct fathom_policy *policy,
		    size_t tres_count, struct fathom_warnings *warnings,
		    struct fathom_error *problem)
{
	/* columns, then TRES, then NULL: the order of struct formula_extras */
	const char **names = calloc(FATHOM_MAX_COLUMNS + tres_count + 1, sizeof(*names));

	if (!names)
		return;
	formula->extras.column_count = fathom_policy_column_count(policy);
	for (size_t i = 0; i < formula->extras.column_count; i++)
		names[i] = fathom_policy_column(policy, i)->name;
	list_tres(formula, names + formula->extras.column_count, tres_count);
	formula->compiled = fathom_formula_create(text, &(struct fathom_formula_names){
		.extra = names, .policy_with = fathom_policy_with_column, .choose = "set Policy=",
	}, warnings, problem);
	for (size_t i = 0; i < formula->extras.tres_count; i++)
		free((char *)names[formula->extras.column_count + i]);
	free(names);
}

struct formula *formula_create(const char *text, double scale, const struct fathom_policy *policy,
			       size_t tres_count, struct fathom_warnings *warnings,
			       struct fathom_error *problem)
{
	struct formula *formula;

	*problem = (struct fathom_error){ .code = ENOMEM, .text = "out of memory" };	/* so far */
	if (open_parser(problem))
		return NULL;
	formula = calloc(1, sizeof(*formula));
	if (!formula)
		return NULL;
	ordered_lock_init(&formula->lock, LOCK_FORMULA);
	formula->scale = scale;
	compile(formula, text, policy, tres_count, warnings, problem);
	if (formula->compiled)
		return formula;
	formula_destroy(formula);
	return NULL;
}

void formula_destroy(struct formula *formula)
{
	if (!formula)
		return;
	fathom_formula_destroy(formula->compiled);
	ordered_lock_destroy(&formula->lock);
	free(formula);
}

const char *formula_lacks(const struct formula *formula, const struct fathom_policy *policy)
{
	for (size_t i = 0; i < fathom_field_count(); i++) {
		const struct fathom_field *field = fathom_field_at(i);

		if (field->of == FATHOM_OF_POLICY && fathom_formula_uses(formula->compiled, i) &&
		    policy_column_named(policy, field->instead ? field->instead : field->name) ==
			    POLICY_HAS_NONE)
			return field->name;
	}
	return NULL;
}

/* ---- FairshareUsageRes ------------------------------------------------------------------ */

struct fathom_formula *formula_create_of_usage(const char *text, struct fathom_error *problem)
{
	const struct fathom_formula_names *only_fields = NULL;
	struct fathom_warnings *no_warnings = NULL;

	if (open_parser(problem))
		return NULL;
	return fathom_formula_create(text, only_fields, no_warnings, problem);
}

/* ---- columns of the policy and TRES, as values in Formula --------------------------- */

struct formula_extras formula_extras(const struct formula *formula)
{
	return formula->extras;
}

/* ---- evaluate ------------------------------------------------------------------------ */

uint32_t formula_priority(struct formula *formula, const struct fathom_formula_job *job,
			  struct fathom_formula_tally *tally)
{
	double value;

	ordered_lock_take(&formula->lock);
	value = fathom_formula_value(formula->compiled, job, tally);
	ordered_lock_release(&formula->lock);
	return fathom_formula_priority(value, formula->scale);
}

void formula_count_job(struct fathom_formula_tally *pass, const struct fathom_formula_tally *job)
{
	if (!job->jobs)
		return;
	pass->jobs++;
	pass->failed += job->failed > 0;
	pass->highest = fmax(pass->highest, job->highest);
}

void formula_report(struct formula *formula, const struct fathom_formula_tally *tally)
{
	struct fathom_formula_tally counted = *tally;
	char text[FORMULA_MOST_WARNINGS][FATHOM_WARNING_SIZE];
	struct fathom_warnings warnings = { .room = FORMULA_MOST_WARNINGS, .text = text };

	ordered_lock_take(&formula->lock);
	counted.reported = formula->reported;
	fathom_formula_report(&counted, formula->scale, &warnings);
	formula->reported = counted.reported;
	ordered_lock_release(&formula->lock);
	for (size_t i = 0; i < warnings.count; i++)
		info(LOG_PREFIX "warning: Formula: %s", warnings.text[i]);
}
