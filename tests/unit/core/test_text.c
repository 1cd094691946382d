/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Durations and settings as text, and the tables that they are checked by. */
#include "../unit.h"

#include "core/duration.h"

#include <ctype.h>

/* ---- durations (contract.md: s, m, h, d, w; bare = seconds; [D-]HH:MM:SS) ----------- */

static const struct { const char *text; double seconds; } durations[] = {
	{ "0", 0 }, { "90", 90 }, { "90s", 90 }, { "5m", 300 }, { "2h", 7200 }, { "7d", 604800 },
	{ "4w", 2419200 }, { "1.5h", 5400 }, { ".5m", 30 }, { "007", 7 }, { "1e3", 1000 },
	{ "0-00:00:00", 0 }, { "1-00:00:00", 86400 }, { "2-03:04:05", 183845 },
	{ "24:00:00", 86400 }, { "1:00:00", 3600 }, { "100:30:05", 361805 },
	{ "10-23:59:59", 950399 }, { "7-0", 604800 }, { "1-02", 93600 }, { "1-2:03", 93780 },
};

TEST_EACH(duration_is_read, durations)
{
	struct fathom_error error = { 0 };
	double seconds = -1;

	ck_assert_msg(!duration_parse(durations[_i].text, &seconds, &error), "%s", error.text);
	ck_assert_msg(seconds == durations[_i].seconds, "%s: %g", durations[_i].text, seconds);
}

static const char *const wrong_durations[] = {
	"", " ", " 5", "5 ", "5 m", "m", "5x", "5mm", "5M", "-5", "+5", ".", "inf", "nan", "0x10",
	"1e999", "1e308w", "five", "1-", "1-24", "1-24:00:00", "1-00:60:00", "1-00:00:60",
	"1-00:", "1-00:0", "1-000", "1-00:00:00s", "1-00:00:00:00", "1-00:00:001", "-1-00:00:00",
	"1:00", "1:0:00", "1:00:60", "1:60:00", ":00:00", "1.5:00:00", "1:00:00:00",
	"1,5h", "1.5-00:00:00", "1e1-00:00:00", "1-00:00:0x",
};

TEST_EACH(what_is_no_duration_is_refused, wrong_durations)
{
	struct fathom_error error = { 0 };
	double seconds = -1;

	ck_assert_msg(duration_parse(wrong_durations[_i], &seconds, &error) == -1, "'%s' is taken",
		      wrong_durations[_i]);
	ck_assert_int_eq(error.code, EINVAL);
	ck_assert(strstr(error.text, wrong_durations[_i]) && strstr(error.text, "give seconds"));
}

/* ---- values ------------------------------------------------------------------------ */

static const char *const colours[] = { "red", "green", NULL };

#define TEN "0123456789"
#define FIFTY TEN TEN TEN TEN TEN
#define LONG_FORMULA FIFTY FIFTY FIFTY FIFTY FIFTY "123456"

enum { FROM_0, ABOVE_0, WITHIN, COLOUR, SWITCH, PERIOD, BELOW_1, WHOLE, FORMULA };
static const struct fathom_setting settings[] = {
	[FROM_0] = { .name = "from_zero", .type = FATHOM_NUMBER, .high = INFINITY, .standard = 5 },
	[ABOVE_0] = { .name = "above_zero", .type = FATHOM_NUMBER, .low_open = true, .high = 10 },
	[WITHIN] = { .name = "within", .type = FATHOM_NUMBER, .low = -1, .high = 1 },
	[COLOUR] = { .name = "colour", .type = FATHOM_CHOICE, .choices = colours },
	[SWITCH] = { .name = "switch", .type = FATHOM_SWITCH },
	[PERIOD] = { .name = "period", .type = FATHOM_DURATION, .low = 1, .high = 86400 },
	[BELOW_1] = { .name = "below_one", .type = FATHOM_NUMBER, .low_open = true, .high = 1,
		      .high_open = true, .standard = .5 },
	[WHOLE] = { .name = "whole", .type = FATHOM_INTEGER, .low = -2147483648.,
		    .high = 2147483647,
		    .standard = 100000 },
	[FORMULA] = { .name = "formula", .type = FATHOM_FORMULA, .standard_formula = "cput" },
};

static const struct { size_t setting; const char *text; double value; } values[] = {
	{ FROM_0, "0", 0 }, { FROM_0, "3.25", 3.25 }, { FROM_0, "1e300", 1e300 },
	{ FROM_0, "+2", 2 },
	{ FROM_0, "-0", 0 }, { ABOVE_0, "1e-300", 1e-300 }, { ABOVE_0, "10", 10 },
	{ WITHIN, "-1", -1 }, { WITHIN, "1", 1 },
	{ COLOUR, "red", 0 }, { COLOUR, "green", 1 },
	{ SWITCH, "yes", 1 }, { SWITCH, "no", 0 }, { SWITCH, "y", 1 }, { SWITCH, "n", 0 },
	{ SWITCH, "true", 1 }, { SWITCH, "false", 0 }, { SWITCH, "1", 1 }, { SWITCH, "0", 0 },
	{ SWITCH, "YES", 1 }, { SWITCH, "False", 0 },
	{ PERIOD, "1", 1 }, { PERIOD, "1d", 86400 }, { PERIOD, "0-00:01:00", 60 },
	{ BELOW_1, ".999999", .999999 }, { WHOLE, "1e3", 1000 },
	{ WHOLE, "-2147483648", -2147483648. },
	{ FORMULA, "ncpus*walltime", 0 }, { FORMULA, "max(cput, 2 ** ncpus) > 1 ? a : b", 0 },
};

TEST_EACH(value_is_read, values)
{
	struct fathom_error error = { 0 };
	double value = -99;

	ck_assert_msg(!fathom_setting_parse(&settings[values[_i].setting], values[_i].text, &value,
					    &error), "%s", error.text);
	ck_assert_msg(value == values[_i].value, "%s: %g", values[_i].text, value);
}

static const struct { size_t setting; const char *text, *says; } wrong_values[] = {
	{ FROM_0, "", "not a number" }, { FROM_0, "three", "not a number; for example 5" },
	{ FROM_0, "3x", "not a number" }, { FROM_0, "0x10", "not a number" },
	{ FROM_0, "nan", "not a number" }, { FROM_0, "-nan", "not a number" },
	{ FROM_0, "inf", "not a number" }, { FROM_0, "1e999", "not a number" },
	{ FROM_0, " 3", "not a number" }, { FROM_0, "3 ", "not a number" },
	{ FROM_0, "\v3", "not a number" },
	{ FROM_0, "1,5", "not a number" },
	{ FROM_0, "-1", "-1 is out of range, must be at least 0" },
	{ ABOVE_0, "0", "must be greater than 0 and at most 10" },
	{ ABOVE_0, "10.001", "must be greater than 0 and at most 10" },
	{ WITHIN, "-1.001", "must be at least -1 and at most 1" },
	{ COLOUR, "blue", "must be one of red, green" }, { COLOUR, "", "must be one of" },
	{ COLOUR, "re", "must be one of" }, { COLOUR, "redder", "must be one of" },
	{ SWITCH, "", "neither yes nor no" }, { SWITCH, "2", "neither yes nor no" },
	{ SWITCH, "yess", "neither yes nor no" }, { SWITCH, "yesnoyesno", "neither yes nor no" },
	{ PERIOD, "0", "out of range, must be at least 1 and at most 86400" },
	{ PERIOD, "2d", "2d is out of range" }, { PERIOD, "soon", "is not a duration" },
	{ BELOW_1, "0", "must be greater than 0 and less than 1" },
	{ BELOW_1, "1", "must be greater than 0 and less than 1" },
	{ WHOLE, "0.5", "0.5 is not a whole number; for example 100000" },
	{ WHOLE, "x", "not a number" },
	{ WHOLE, "2147483648", "must be at least -2147483648 and at most 2147483647" },
	{ FORMULA, "", "is not a formula; for example cput" },
	{ FORMULA, "  ", "is not a formula" },
	{ FORMULA, "ncpus;walltime", "is not a formula" }, { FORMULA, "a\nb", "is not a formula" },
	{ FORMULA, LONG_FORMULA, "a formula of 256 characters, must be at most 255" },
};

TEST_EACH(wrong_value_is_refused_and_says_what_is_right, wrong_values)
{
	struct fathom_error error = { 0 };
	double value = -99;

	ck_assert_msg(fathom_setting_parse(&settings[wrong_values[_i].setting],
					   wrong_values[_i].text, &value, &error) == -1,
		      "'%s' is taken", wrong_values[_i].text);
	ck_assert_int_eq(error.code, EINVAL);
	ck_assert_msg(strstr(error.text, wrong_values[_i].says), "'%s': %s", wrong_values[_i].text,
		      error.text);
}

/* A program that has called setlocale() must read the same files. */
TEST(decimal_point_does_not_depend_on_the_locale)
{
	double value = 0, seconds = 0;

	if (!unit_use_decimal_comma())
		fputs("decimal_point_does_not_depend_on_the_locale: no localedef, tried in C\n",
		      stderr);
	ck_assert_int_eq(fathom_setting_parse(&settings[FROM_0], "2.5", &value, NULL), 0);
	ck_assert(value == 2.5);
	ck_assert_int_eq(fathom_setting_parse(&settings[FROM_0], "2,5", &value, NULL), -1);
	ck_assert_int_eq(duration_parse("1.5h", &seconds, NULL), 0);
	ck_assert(seconds == 5400);
	ck_assert_int_eq(duration_parse("1,5h", &seconds, NULL), -1);
}

/* ---- names ------------------------------------------------------------------------- */

static const struct { const char *name, *camel_case; } names[] = {
	{ "run_job_factor", "RunJobFactor" }, { "tie_mode", "TieMode" }, { "policy", "Policy" },
	{ "enable_hist_run_time", "EnableHistRunTime" },
};

TEST_EACH(setting_has_two_names, names)
{
	struct fathom_setting setting = { .name = names[_i].name };
	char text[64], small[4];

	ck_assert_str_eq(fathom_setting_camel_case(&setting, text, sizeof(text)),
			 names[_i].camel_case);
	ck_assert(fathom_setting_named(&setting, names[_i].name));
	ck_assert(fathom_setting_named(&setting, text));
	for (char *at = text; *at; at++)
		*at = (char)toupper(*at);
	ck_assert(fathom_setting_named(&setting, text));
	text[strlen(text) - 1] = '\0';
	ck_assert(!fathom_setting_named(&setting, text));
	ck_assert(!fathom_setting_named(&setting, ""));
	ck_assert(!fathom_setting_named(&setting, "TieModes"));
	fathom_setting_camel_case(&setting, small, sizeof(small));
	ck_assert_uint_eq(strlen(small), 3);
}

/* ---- the tables ---------------------------------------------------------------------- */

static const struct { const char *policy, *name, *value; double expected; } sets[] = {
	{ "classic", "dampening_factor", "2", 2 },
	{ "classic", "DampeningFactor", "0.5", .5 },
	{ "classic", "dampeningfactor", "65535", 65535 },
	{ "depth-oblivious", "dampening_factor", "1e6", 1e6 },	/* any number > 0 */
	{ "fair-tree", "tie_mode", "documented", 0 },
	{ "fair-tree", "TieMode", "slurm", 1 },
	{ "fair-tree", "tie_mode", "flux", 2 },
	{ "pbs", "initial_usage", "1", 1 },
	{ "pbs", "InitialUsage", "0.5", .5 },
	{ "flux", "fairshare_weight", "1e6", 1e6 },
	{ "flux", "FairshareWeight", "-3", -3 },
};

TEST_EACH(policy_takes_its_settings_by_either_name, sets)
{
	const struct fathom_policy *policy = fathom_policy_find(sets[_i].policy);
	struct fathom_settings given = fathom_settings_standard(policy);
	struct fathom_error error = { 0 };

	ck_assert_msg(!fathom_settings_set(policy, &given, sets[_i].name, sets[_i].value, &error),
		      "%s", error.text);
	ck_assert(given.value[0] == sets[_i].expected);
}

static const struct {
	const char *policy, *name, *value;
	int code;
	const char *says;
} wrong_sets[] = {
	{ "classic", "dampening_factor", "0", EINVAL, "greater than 0" },
	{ "classic", "dampening_factor", "-1", EINVAL, "greater than 0" },
	{ "classic", "dampening_factor", "nan", EINVAL, "not a number" },
	{ "classic", "dampening_factor", "inf", EINVAL, "not a number" },
	{ "classic", "tie_mode", "slurm", ENOENT, "classic has no setting 'tie_mode'" },
	{ "fair-tree", "tie_mode", "both", EINVAL, "must be one of documented, slurm, flux" },
	{ "fair-tree", "dampening_factor", "1", ENOENT, "fair-tree has no setting" },
	{ "fair-tree", "", "1", ENOENT, "no setting" },
	{ "pbs", "initial_usage", "-1", EINVAL, "at least 0" },
	{ "pbs", "unknown_shares", "1.5", EINVAL, "not a whole number" },
	{ "pbs", "fairshare_decay_factor", "1", EINVAL, "greater than 0 and less than 1" },
	{ "pbs", "fairshare_decay_time", "0", EINVAL, "greater than 0" },
	{ "pbs", "fairshare_usage_res", "", EINVAL, "for example cput" },
	{ "pbs", "fairshare_entity", "user", EINVAL,
	  "must be one of euser, egroup, Account_Name, queue, egroup:euser" },
	{ "pbs", "dampening_factor", "2", ENOENT, "pbs has no setting" },
	{ "flux", "bank_weight", "0.5", EINVAL, "not a whole number" },
	{ "flux", "bank_weight", "2147483648", EINVAL, "at most 2147483647" },
	{ "flux", "node_weight", "-1", EINVAL, "at least 0" },
	{ "flux", "tie_mode", "flux", ENOENT, "flux has no setting" },
	{ "fcfs", "order", "path", ENOENT, "fcfs has no setting 'order', it has none" },
};

TEST_EACH(wrong_setting_changes_nothing, wrong_sets)
{
	const struct fathom_policy *policy = fathom_policy_find(wrong_sets[_i].policy);
	struct fathom_settings standard = fathom_settings_standard(policy), given = standard;
	struct fathom_error error = { 0 };

	ck_assert_int_eq(fathom_settings_set(policy, &given, wrong_sets[_i].name,
					     wrong_sets[_i].value, &error),
			 -1);
	ck_assert_int_eq(error.code, wrong_sets[_i].code);
	ck_assert_msg(strstr(error.text, wrong_sets[_i].says), "%s", error.text);
	ck_assert_mem_eq(&given, &standard, sizeof(given));
}

TEST(standard_values_are_those_of_the_document)
{
	ck_assert(unit_settings(fathom_policy_find("classic"), NULL).value[0] == 1);
	ck_assert(unit_settings(fathom_policy_find("depth-oblivious"), NULL).value[0] == 1);
	ck_assert(unit_settings(fathom_policy_find("fair-tree"), NULL).value[0] == 0);
}

/* In the order of the tables: numbers, and of choices and switches the place. */
static const struct { const char *policy; double value[FATHOM_MAX_SETTINGS]; const char *formula; }
	standards[] = {
	{ "pbs", { 0, 0, 86400, .5, 0, 0, 1 }, "cput" },
	{ "lsf", { .7, .7, 3, 0, 0, 0, 0, 5 }, "" },
	{ "flux", { 100000, 10000, 0, 1000, 1, 0, 0, 4 * 604800 }, "" },
};

TEST_EACH(standard_values_are_the_source_systems, standards)
{
	struct fathom_settings given =
		unit_settings(fathom_policy_find(standards[_i].policy), NULL);

	ck_assert_mem_eq(given.value, standards[_i].value, sizeof(given.value));
	ck_assert_str_eq(given.formula, standards[_i].formula);
}

TEST(formula_is_kept_as_it_was_written)
{
	const struct fathom_policy *policy = fathom_policy_find("pbs");
	struct fathom_settings given = unit_settings(policy, "fairshare_usage_res=ncpus*walltime");

	ck_assert_str_eq(given.formula, "ncpus*walltime");
	ck_assert_int_eq(fathom_settings_set(policy, &given, "initial_usage", "1", NULL), 0);
	ck_assert_str_eq(given.formula, "ncpus*walltime");
}

TEST(program_that_knows_no_sizes_sets_and_copies)
{
	const struct fathom_policy *policy = fathom_policy_find("pbs");
	struct fathom_settings *given = fathom_settings_create(policy, NULL), *copy;

	ck_assert_int_eq(fathom_settings_set(policy, given, "initial_usage", "3", NULL), 0);
	copy = fathom_settings_copy(given, NULL);
	ck_assert_int_eq(fathom_settings_set(policy, given, "initial_usage", "4", NULL), 0);
	ck_assert(fathom_settings_value(copy, 0) == 3);
	ck_assert(fathom_settings_value(given, 0) == 4);
	ck_assert(fathom_settings_value(given, 2) == 86400);
	ck_assert_str_eq(fathom_settings_formula(copy), "cput");
	fathom_settings_destroy(given);
	fathom_settings_destroy(copy);
	fathom_settings_destroy(NULL);
}

static void assert_setting_complete(const struct fathom_policy *policy,
				    const struct fathom_setting *setting)
{
	const char *name = fathom_policy_name(policy);
	bool choice = setting->type == FATHOM_CHOICE;

	ck_assert_msg(setting->name && *setting->name, "%s: a setting without name", name);
	ck_assert_msg(setting->unit, "%s: %s without unit", name, setting->name);
	ck_assert_msg(setting->meaning && *setting->meaning, "%s: %s without meaning", name,
		      setting->name);
	ck_assert_msg(choice == !!setting->choices, "%s: %s: choices", name, setting->name);
	ck_assert_msg((setting->type == FATHOM_FORMULA) == !!setting->standard_formula,
		      "%s: %s: standard formula", name, setting->name);
	if (setting->type == FATHOM_NUMBER || setting->type == FATHOM_DURATION ||
	    setting->type == FATHOM_INTEGER)
		ck_assert_msg(setting->standard >= setting->low &&
				      setting->standard <= setting->high,
			      "%s: %s: standard out of range", name, setting->name);
}

TEST_LOOP(table_entry_is_complete, fathom_policy_count())
{
	const struct fathom_policy *policy = fathom_policy_at((size_t)_i);
	size_t formulas = 0;

	ck_assert(*fathom_policy_name(policy) && *fathom_policy_summary(policy));
	ck_assert_ptr_eq(fathom_policy_find(fathom_policy_name(policy)), policy);
	ck_assert_uint_le(fathom_policy_setting_count(policy), FATHOM_MAX_SETTINGS);
	ck_assert_uint_le(fathom_policy_column_count(policy), FATHOM_MAX_COLUMNS);
	for (size_t i = 0; i < fathom_policy_setting_count(policy); i++) {
		assert_setting_complete(policy, fathom_policy_setting(policy, i));
		formulas += fathom_policy_setting(policy, i)->type == FATHOM_FORMULA;
	}
	ck_assert_uint_le(formulas, 1);		/* there is room for one */
	for (size_t i = 0; i < fathom_policy_column_count(policy); i++) {
		const struct fathom_column *column = fathom_policy_column(policy, i);

		ck_assert(*column->name && *column->heading && *column->unit && *column->meaning);
	}
}

TEST(policies_are_found_by_name_and_alias)
{
	ck_assert_ptr_eq(fathom_policy_find("depth_oblivious"),
			 fathom_policy_find("depth-oblivious"));
	ck_assert_ptr_eq(fathom_policy_find("fair_tree"), fathom_policy_find("fair-tree"));
	ck_assert_ptr_null(fathom_policy_find("fairtree"));
	ck_assert_ptr_null(fathom_policy_find(""));
}
