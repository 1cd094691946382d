/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of times: half-life, reset period, calculation period, greatest age. Each check is a
 * function whose row, at the end of the file, tells what it finds and why. */
#include "lint/lint_context.h"

#include "memory/need_memory.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MINUTE 60.0
#define DAY 86400.0
#define MOST_DAYS 366 /* a number without a unit, up to this, was perhaps meant as days */
#define THREE_MONTHS (92 * DAY)
#define LONG_PERIOD (30 * MINUTE)
#define FEW_PASSES 10 /* with fewer passes in a half-life, usage decays in visible steps */

/* Returns the number of a value that is only digits; 0: the value has another form. */
static double bare_number(const struct slurm_pair *pair)
{
	size_t digits = strspn(pair->value, "0123456789");

	return digits && !pair->value[digits] ? strtod(pair->value, NULL) : 0;
}

/* Reports a number of minutes that was perhaps meant as days. */
static void check_minutes(struct lint *lint)
{
	const struct slurm_pair *pair = lint_pair(lint, (enum lint_key)lint->row->kind);
	double number = pair ? bare_number(pair) : 0;

	if (!(number > 0) || number > MOST_DAYS)
		return;
	lint_at(lint, pair, "%s=%s is %s", pair->key, pair->value, lint_time_text(number * MINUTE));
	lint_fix(lint, "for %s days, write %s=%s-0", pair->value, pair->key, pair->value);
}

/* Reports a time at the key that sets it: that of fathom.conf if it has one, else that of
 * slurm.conf. If neither file has a key, nothing is reported. */
static void report_time(struct lint *lint, enum conf_setting setting, enum lint_key key,
			const char *text)
{
	const struct slurm_pair *pair = lint_pair(lint, key);

	if (lint_fathom_gives(lint, setting))
		lint_at_setting(lint, setting, "%s", text);
	else if (pair)
		lint_at(lint, pair, "%s", text);
}

/* ---- half-life ---------------------------------------------------------------------- */

/* Only a half-life of slurm.conf itself: fathom_half_life() checks that of fathom.conf. */
static void half_life_zero(struct lint *lint)
{
	const struct slurm_pair *pair = lint_pair(lint, KEY_HALF_LIFE);
	const struct conf_slurm slurm = lint_conf_slurm(lint);

	if (pair && lint_number(lint, KEY_HALF_LIFE) <= 0 && !slurm.resets_usage)
		lint_at(lint, pair, "PriorityDecayHalfLife is 0, and PriorityUsageResetPeriod is "
			"NONE");
}

static void half_life_short(struct lint *lint)
{
	double length = lint_half_life(lint), period = lint_calc_period(lint);

	if (length > 0 && length < FEW_PASSES * period)
		report_time(lint, CONF_HALF_LIFE, KEY_HALF_LIFE,
			    need_print("the half-life is %s, and usage decays every %s",
				       lint_time_text(length), lint_time_text(period)));
}

static void half_life_long(struct lint *lint)
{
	double length = lint_half_life(lint);

	if (length > THREE_MONTHS)
		report_time(lint, CONF_HALF_LIFE, KEY_HALF_LIFE,
			    need_print("the half-life is %s", lint_time_text(length)));
}

/* Without a reset that is repeated, its number is INFINITY, which no half-life reaches. */
static void half_life_above_reset(struct lint *lint)
{
	const struct slurm_pair *reset = lint_pair(lint, KEY_RESET_PERIOD);

	if (reset && lint_half_life(lint) >= lint_number(lint, KEY_RESET_PERIOD))
		lint_at(lint, reset, "usage is reset %s, before it has halved, after %s",
			reset->value, lint_time_text(lint_half_life(lint)));
}

static void reset_now(struct lint *lint)
{
	const struct slurm_pair *reset = lint_pair(lint, KEY_RESET_PERIOD);

	if (reset && !strcasecmp(reset->value, "NOW"))
		lint_at(lint, reset, "PriorityUsageResetPeriod=NOW clears all usage at each start "
			"and reconfigure");
}

/* ---- other times -------------------------------------------------------------------- */

static void calc_period_long(struct lint *lint)
{
	double period = lint_calc_period(lint);

	if (period >= LONG_PERIOD)
		report_time(lint, CONF_CALC_PERIOD, KEY_CALC_PERIOD,
			    need_print("priorities are computed every %s", lint_time_text(period)));
}

static void max_age_zero(struct lint *lint)
{
	const struct slurm_pair *pair = lint_pair(lint, KEY_MAX_AGE);

	if (pair && lint_number(lint, KEY_MAX_AGE) <= 0)
		lint_at(lint, pair, "PriorityMaxAge is 0");
}

static void max_age_long(struct lint *lint)
{
	const struct slurm_pair *pair = lint_pair(lint, KEY_MAX_AGE);

	if (pair && lint_weight_is_given(lint, KEY_WEIGHT_AGE) &&
	    lint_number(lint, KEY_MAX_AGE) > THREE_MONTHS)
		lint_at(lint, pair, "the age factor is 1 only after %s",
			lint_time_text(lint_number(lint, KEY_MAX_AGE)));
}

/* ---- the rows ----------------------------------------------------------------------- */

const struct lint_row lint_decay_rows[] = {
	{ "half-life-minutes", LINT_WARNING, LINT_SLURM, check_minutes,
	  "a PriorityDecayHalfLife that is a small number alone",
	  "A number alone counts minutes, so usage is forgotten within hours.",
	  .fix = "for days, write PriorityDecayHalfLife=N-0", .kind = KEY_HALF_LIFE },
	{ "half-life-zero", LINT_ERROR, LINT_SLURM, half_life_zero,
	  "a half-life of 0 without a reset period",
	  "Usage would grow without end; slurmctld does not start.",
	  .fix = "give a half-life, or a PriorityUsageResetPeriod" },
	{ "half-life-short", LINT_WARNING, LINT_SLURM, half_life_short,
	  "a half-life of less than ten calculation periods",
	  "Usage decays in steps that show, and is forgotten before it can order jobs.",
	  .fix = "give a longer half-life, or a shorter calculation period" },
	{ "half-life-long", LINT_NOTE, LINT_SLURM, half_life_long,
	  "a half-life of more than three months",
	  "A user with much usage waits for months until fair share is back.",
	  .fix = "give a half-life of days or weeks, unless a year is budgeted" },
	{ "half-life-above-reset", LINT_NOTE, LINT_SLURM, half_life_above_reset,
	  "a reset period that is not longer than the half-life",
	  "Usage hardly decays before the reset, and after it all users are equal.",
	  .fix = "give a shorter half-life, or a half-life of 0 for budgets" },
	{ "reset-now", LINT_WARNING, LINT_SLURM, reset_now,
	  "PriorityUsageResetPeriod=NOW",
	  "It is meant to be set once: each later start or reconfigure clears usage again.",
	  .fix = "set NONE after the reset" },
	{ "calc-period-long", LINT_WARNING, LINT_SLURM, calc_period_long,
	  "a calculation period of half an hour or more",
	  "New priorities come late, and a user can fill the cluster before usage counts.",
	  .fix = "leave it at 5 minutes" },
	{ "max-age-zero", LINT_WARNING, LINT_SLURM, max_age_zero,
	  "PriorityMaxAge=0",
	  "The age factor is 1 for every job, so the age of jobs does not order them.",
	  .fix = "give the time after which age counts fully, such as 7-0" },
	{ "max-age-minutes", LINT_WARNING, LINT_SLURM, check_minutes,
	  "a PriorityMaxAge that is a small number alone",
	  "A number alone counts minutes, so that all jobs soon have the same age factor.",
	  .fix = "for days, write PriorityMaxAge=N-0", .kind = KEY_MAX_AGE },
	{ "max-age-long", LINT_NOTE, LINT_SLURM, max_age_long,
	  "a PriorityMaxAge of more than three months",
	  "Hardly a job waits so long, so the age term stays a small part of its weight.",
	  .fix = "give the longest wait that jobs should have" },
	{ .code = NULL },
};
