/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of times: half-life, reset period, calculation period, greatest age. */
#include "lint/lint_checks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MINUTE 60.0
#define HOUR 3600.0
#define DAY 86400.0
#define MOST_DAYS 366 /* a number alone up to this was perhaps meant as days */
#define LONG_HALF_LIFE (92 * DAY)
#define LONG_PERIOD (30 * MINUTE)
#define LITTLE_LEFT 0.01 /* of usage that has decayed */
#define FEW_PASSES 10 /* in a half-life, usage decays in steps that show */

/* Writes a time such as "7 minutes" or "3 days". */
static const char *time_text(double seconds, char *text, size_t size)
{
	static const struct {
		double length;
		const char *name;
	} units[] = {
		{ DAY, "day" },
		{ HOUR, "hour" },
		{ MINUTE, "minute" },
		{ 1, "second" },
	};
	size_t i = 0;
	double count;

	while (i < 3 && seconds < 2 * units[i].length && fabs(seconds - units[i].length) > 0)
		i++;
	count = seconds / units[i].length;
	snprintf(text, size, "%.4g %s%s", count, units[i].name, fabs(count - 1) > 0 ? "s" : "");
	return text;
}

/* Returns the number of a value that is a number alone; 0: it is in another form. */
static double bare_number(const struct slurm_pair *pair)
{
	size_t digits = strspn(pair->value, "0123456789");

	return digits && !pair->value[digits] ? strtod(pair->value, NULL) : 0;
}

/* Reports a number of minutes that was perhaps meant as days. */
static void check_minutes(struct lint *lint, enum lint_key key)
{
	const struct slurm_pair *pair = lint_pair(lint, key);
	double number = pair ? bare_number(pair) : 0;
	char text[64];

	if (!(number > 0) || number > MOST_DAYS)
		return;
	lint_at(lint, pair, "%s=%s is %s", pair->key, pair->value,
		time_text(number * MINUTE, text, sizeof(text)));
	lint_fix(lint, "for %s days, write %s=%s-0", pair->value, pair->key, pair->value);
}

/* Returns the half-life in force, in seconds, and where it stands. */
static double half_life(const struct lint *lint)
{
	const struct fathom_conf *conf = lint->site->fathom;

	if (conf && conf->given[CONF_HALF_LIFE] && lint_type_is(lint, "fathom"))
		return conf->value[CONF_HALF_LIFE];
	return lint_number(lint, KEY_HALF_LIFE);
}

static double calc_period(const struct lint *lint)
{
	const struct fathom_conf *conf = lint->site->fathom;

	if (conf && conf->given[CONF_CALC_PERIOD] && lint_type_is(lint, "fathom"))
		return conf->value[CONF_CALC_PERIOD];
	return lint_number(lint, KEY_CALC_PERIOD);
}

/* ---- half-life ---------------------------------------------------------------------- */

void lint_half_life_minutes(struct lint *lint)
{
	check_minutes(lint, KEY_HALF_LIFE);
}

void lint_half_life_zero(struct lint *lint)
{
	const struct slurm_pair *pair = lint_pair(lint, KEY_HALF_LIFE);
	const struct conf_slurm slurm = lint_conf_slurm(lint);

	if (pair && lint_number(lint, KEY_HALF_LIFE) <= 0 && !slurm.resets_usage)
		lint_at(lint, pair,
			"PriorityDecayHalfLife is 0, and PriorityUsageResetPeriod is "
			"NONE");
}

void lint_half_life_short(struct lint *lint)
{
	const struct slurm_pair *pair = lint_pair(lint, KEY_HALF_LIFE);
	double length = half_life(lint), period = calc_period(lint);
	char of_length[64], of_period[64];

	if (length > 0 && length < FEW_PASSES * period && pair)
		lint_at(lint, pair, "the half-life is %s, and usage decays every %s",
			time_text(length, of_length, sizeof(of_length)),
			time_text(period, of_period, sizeof(of_period)));
}

void lint_half_life_long(struct lint *lint)
{
	const struct slurm_pair *pair = lint_pair(lint, KEY_HALF_LIFE);
	char text[64];

	if (pair && half_life(lint) > LONG_HALF_LIFE)
		lint_at(lint, pair, "the half-life is %s",
			time_text(half_life(lint), text, sizeof(text)));
}

void lint_half_life_above_reset(struct lint *lint)
{
	const struct slurm_pair *reset = lint_pair(lint, KEY_RESET_PERIOD);
	char text[64];

	if (reset && half_life(lint) >= lint_number(lint, KEY_RESET_PERIOD))
		lint_at(lint, reset, "usage is reset %s, before it has halved, after %s",
			reset->value, time_text(half_life(lint), text, sizeof(text)));
}

void lint_reset_now(struct lint *lint)
{
	const struct slurm_pair *reset = lint_pair(lint, KEY_RESET_PERIOD);

	if (reset && !strcasecmp(reset->value, "NOW"))
		lint_at(lint, reset,
			"PriorityUsageResetPeriod=NOW clears all usage at each start "
			"and reconfigure");
}

/* Usage that an import adds decays from its own time. */
void lint_import_old(struct lint *lint)
{
	const struct site_import *import = &lint->site->files->import;
	double length = half_life(lint), left;
	char of_age[64], of_length[64];

	if (!import->has_time || !(length > 0))
		return;
	left = exp2(-import->age / length);
	if (left < LITTLE_LEFT)
		lint_in_fathom(lint, lint->site->fathom->line[CONF_IMPORT_USAGE], "ImportUsage",
			       "usage in '%.200s' is %s old, and %.2g%% of it is left by a "
			       "half-life of %s",
			       import->path, time_text(import->age, of_age, sizeof(of_age)),
			       100 * left, time_text(length, of_length, sizeof(of_length)));
}

/* ---- other times -------------------------------------------------------------------- */

void lint_calc_period_long(struct lint *lint)
{
	const struct slurm_pair *pair = lint_pair(lint, KEY_CALC_PERIOD);
	char text[64];

	if (pair && calc_period(lint) >= LONG_PERIOD)
		lint_at(lint, pair, "priorities are computed every %s",
			time_text(calc_period(lint), text, sizeof(text)));
}

void lint_max_age_zero(struct lint *lint)
{
	const struct slurm_pair *pair = lint_pair(lint, KEY_MAX_AGE);

	if (pair && lint_number(lint, KEY_MAX_AGE) <= 0)
		lint_at(lint, pair, "PriorityMaxAge is 0");
}

void lint_max_age_minutes(struct lint *lint)
{
	check_minutes(lint, KEY_MAX_AGE);
}

void lint_max_age_long(struct lint *lint)
{
	const struct slurm_pair *pair = lint_pair(lint, KEY_MAX_AGE);
	char text[64];

	if (pair && lint_weight_is_given(lint, KEY_WEIGHT_AGE) &&
	    lint_number(lint, KEY_MAX_AGE) > LONG_HALF_LIFE)
		lint_at(lint, pair, "the age factor is 1 only after %s",
			time_text(lint_number(lint, KEY_MAX_AGE), text, sizeof(text)));
}
