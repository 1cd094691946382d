/* SPDX-License-Identifier: GPL-2.0-or-later */
/* semantics.md section 5.1: an expression over a job's fields. */
#include "../unit.h"

#include <fenv.h>

/* ---- one job ------------------------------------------------------------------------- */

#define HOUR 3600.

static const double tres_weight[] = { 100, 1000 };
static const uint64_t tres_asked[] = { 16, 2 }, tres_there[] = { 160, 8 };
static const struct fathom_priority_config config = {
	.weight = { .age = 1000, .assoc = 200, .fairshare = 10000, .job_size = 500, .partition = 50,
		    .qos = 20 },
	.tres_weight = tres_weight, .tres_count = 2, .max_age = 4 * HOUR, .cluster_nodes = 10,
	.cluster_cpus = 160,
};
static const struct fathom_job job = {
	.age = HOUR, .fairshare = .648, .assoc_norm = .75, .assoc_priority = 3, .nodes = 2,
	.cpus = 16,
	.minutes = 30, .tres = tres_asked, .site = 7, .nice = -5,
};
static const struct fathom_queue queue = {
	.partition_norm = .5, .partition_factor = 40, .partition_tres = tres_there,
	.qos_norm = .125,
};
static const char *const extra_names[] = { "level_fs", "gres_gpu", "age", "fairshare_perc",
					   "fairshare_tree_usage", NULL };
static const double extra_values[] = { INFINITY, 2, 99, 99, 99 };
static const struct fathom_formula_names names = { .extra = extra_names };

/* Bob of the PBS document's tree */
static struct fathom_formula_job a_job(void)
{
	return (struct fathom_formula_job){ .config = &config, .job = &job, .queue = &queue,
					    .norm_shares = .2, .effective_usage = .125,
					    .accrue_type = 2, .memory = 4096, .gpus = 2,
					    .cpu_time = 60, .extra = extra_values };
}

static struct fathom_formula *made(const char *text)
{
	struct fathom_error error = { 0 };
	struct fathom_formula *formula = fathom_formula_create(text, &names, NULL, &error);

	ck_assert_msg(formula, "%s: %s", text, error.text);
	return formula;
}

static double value_for(const char *text, const struct fathom_formula_job *of,
			struct fathom_formula_tally *tally)
{
	struct fathom_formula *formula = made(text);
	double value = fathom_formula_value(formula, of, tally);

	fathom_formula_destroy(formula);
	return value;
}

static void assert_value(const char *text, double expected)
{
	struct fathom_formula_tally tally = { 0 };
	struct fathom_formula_job of = a_job();
	double value = value_for(text, &of, &tally);

	ck_assert_msg(fabs(value - expected) <= 1e-12 * fmax(1, fabs(expected)),
		      "%s is %.17g, must be %.17g", text, value, expected);
	ck_assert_msg(!tally.failed, "%s has failed", text);
	ck_assert_uint_eq(tally.jobs, 1);
}

/* ---- names ---------------------------------------------------------------------------- */

static const struct { const char *name; double value; } fields[] = {
	{ "age", .25 }, { "assoc", .75 }, { "fairshare", .648 }, { "job_size", .15 },
	{ "partition", .5 }, { "qos", .125 }, { "site", 7 }, { "nice", -5 }, { "w_age", 250 },
	{ "w_assoc", 150 }, { "w_fairshare", 6480 }, { "w_job_size", 75 }, { "w_partition", 25 },
	{ "w_qos", 2.5 }, { "w_tres", 260 }, { "norm_shares", .2 }, { "effective_usage", .125 },
	{ "fairshare_perc", .2 }, { "fair_share_perc", .2 }, { "fairshare_tree_usage", .125 },
	{ "fairshare_factor", .648 }, { "eligible_time", HOUR }, { "queue_priority", 40 },
	{ "job_priority", 5 }, { "accrue_type", 2 }, { "ncpus", 16 }, { "nodect", 2 },
	{ "ngpus", 2 }, { "mem", 4096 }, { "walltime", 1800 }, { "cput", 60 },
};

TEST_EACH(every_field_has_its_value, fields)
{
	assert_value(fields[_i].name, fields[_i].value);
}

TEST(every_field_of_the_table_is_tested)
{
	ck_assert_uint_eq(fathom_field_count(), COUNT(fields));
	for (size_t i = 0; i < COUNT(fields); i++) {
		const struct fathom_field *field = fathom_field_at(i);

		ck_assert_str_eq(field->name, fields[i].name);
		ck_assert(*field->source && *field->meaning);
	}
}

/* As a policy without such columns has them. */
TEST_LOOP(column_of_another_policy_is_no_name, 3)
{
	static const char *const words[] = { "fairshare_perc", "fairshare_tree_usage",
					     "fair_share_perc" };
	static const char *const own[] = { "level_fs", NULL };
	const struct fathom_formula_names others =
		{ own, fathom_policy_with_column, "set Policy=" };
	char text[64], wanted[128];
	struct fathom_error error = { 0 };

	snprintf(text, sizeof(text), "2 * %s", words[_i]);
	snprintf(wanted, sizeof(wanted),
		 "column 5: '%s' is a column of another policy; set Policy=pbs", words[_i]);
	ck_assert_ptr_null(fathom_formula_create(text, &others, NULL, &error));
	ck_assert_str_eq(error.text, wanted);
	ck_assert_ptr_null(fathom_formula_create(text, NULL, NULL, &error));
}

TEST(formula_tells_which_names_occur)
{
	struct fathom_formula *formula = made("norm_shares + gres_gpu + 2*norm_shares");

	for (size_t i = 0; i < fathom_field_count(); i++)
		ck_assert_int_eq(fathom_formula_uses(formula, i),
				 !strcmp(fathom_field_at(i)->name, "norm_shares"));
	ck_assert(!fathom_formula_uses(formula, fathom_field_count()));
	ck_assert(fathom_formula_uses(formula, fathom_field_count() + 1));
	fathom_formula_destroy(formula);
}

TEST(the_callers_names_follow_the_table)
{
	assert_value("gres_gpu * 10", 20);
	assert_value("min(level_fs, 3)", 3);	/* infinite, but no overflow */
	assert_value("1 / level_fs", 0);
	assert_value("age", .25);	/* the table's, not the caller's 99 */
}

/* ---- arithmetic -------------------------------------------------------------------------- */

static const struct { const char *text; double value; } expressions[] = {
	/* numbers */
	{ "0", 0 }, { "007", 7 }, { "1.5", 1.5 }, { ".5", .5 }, { "5.", 5 }, { "1e3", 1000 },
	{ "1E3", 1000 }, { "1.5e-3", .0015 }, { "2e+2", 200 }, { " 42\t", 42 }, { "1\n+\n2", 3 },
	/* signs, and what binds closer */
	{ "1 + 2 * 3", 7 }, { "(1 + 2) * 3", 9 }, { "7 - 2 - 1", 4 }, { "12 / 3 / 2", 2 },
	{ "12 / 3 * 2", 8 }, { "7 / 2", 3.5 }, { "-2", -2 }, { "+2", 2 }, { "2 * -3", -6 },
	{ "2 - -3", 5 }, { "2--3", 5 }, { "-(2 + 3)", -5 }, { "- 2 + 5", 3 },
	{ "2 ** 3", 8 }, { "2 ^ 3", 8 }, { "2**3**2", 512 }, { "2^3^2", 512 }, { "-2 ** 2", -4 },
	{ "2 ** -1", .5 }, { "2**-age*4", 3.363585661014858 }, { "4 ** .5", 2 },
	{ "2 * 3 ** 2", 18 },
	{ "(0 - 8) ** 3", -512 },
	{ "7 % 3", 1 }, { "-7 % 3", 2 }, { "7 % -3", -2 }, { "-7 % -3", -1 }, { "6 % 3", 0 },
	{ "7.5 % 2", 1.5 }, { "2 * 7 % 4", 2 }, { "7 % 4 * 2", 6 }, { "1 + 7 % 4", 4 },
	/* comparisons */
	{ "1 < 2", 1 }, { "2 < 1", 0 }, { "1 > 2", 0 }, { "2 <= 2", 1 }, { "2 >= 3", 0 },
	{ "2 == 2", 1 }, { "2 != 2", 0 }, { "1 + 1 == 2", 1 }, { "10 * (ncpus > 8)", 10 },
	{ "10 / (ncpus > 8)", 10 }, { "10 ** (300 * (ncpus != 16) + 300 * (age != .25))", 1 },
	{ "ncpus > 8 && ncpus < 32", 1 }, { "ncpus > 16 || mem > 1", 1 }, { "1 == 2 || 2 == 2", 1 },
	{ "1 || 0 && 0", 1 }, { "(1 < 2) < 3", 1 }, { "age<.5?1:2", 1 },
	{ "ncpus > 16 ? 1 : 2", 2 }, { "0 ? 1 : 0 ? 2 : 3", 3 }, { "1 ? 0 ? 1 : 2 : 3", 2 },
	{ "1 < 2 ? 3 < 2 : 5", 0 }, { "age < 1 ? 3 : 1 / (age - .25)", 3 },
	{ "1 + (0 ? 1 : 2) * 3", 7 },
	{ "max(1 < 2, 3 < 2)", 1 }, { "max(1 ? 2 : 3, 0 ? 4 : 5)", 5 },
	{ "max(age > .1 ? 1 : 2, qos > .5 ? 7 : 4, 2)", 4 },
	/* functions, each of OpenPBS's */
	{ "abs(-3)", 3 }, { "fabs(-3.5)", 3.5 }, { "int(3.9)", 3 }, { "int(-3.9)", -3 },
	{ "float(3)", 3 }, { "trunc(-3.9)", -3 }, { "ceil(3.1)", 4 }, { "ceil(-3.9)", -3 },
	{ "floor(3.9)", 3 }, { "floor(-3.1)", -4 }, { "round(2.4)", 2 }, { "round(2.6)", 3 },
	{ "round(2.5)", 2 }, { "round(3.5)", 4 }, { "round(-2.5)", -2 }, { "round(2.345, 1)", 2.3 },
	{ "round(1234, -2)", 1200 }, { "round(2.675, 2) * 100000", 267000 },
	{ "round(0.15, 1)", 0.1 }, { "round(-0.35, 1)", -0.3 }, { "round(1.005, 2)", 1 },
	{ "round(5550, -2)", 5600 }, { "round(45, -1)", 40 }, { "round(10 ** 22, 5)", 1e22 },
	{ "round(1.5, 400)", 1.5 }, { "round(1.5, -400)", 0 }, { "round(1.5, 320)", 1.5 },
	{ "min(3, 1, 2)", 1 }, { "min(1, 3)", 1 },
	{ "max(1, 3, 2)", 3 },
	{ "max(-1, -3)", -1 }, { "pow(2, 10)", 1024 }, { "sqrt(16)", 4 }, { "exp(0)", 1 },
	{ "exp(1)", M_E }, { "log(e)", 1 }, { "log(8, 2)", 3 }, { "log10(1000)", 3 },
	{ "log2(8)", 3 }, { "fmod(7, 3)", 1 }, { "fmod(-7, 3)", -1 }, { "hypot(3, 4)", 5 },
	{ "sin(pi / 6)", .5 }, { "cos(pi / 3)", .5 }, { "tan(pi / 4)", 1 }, { "asin(1)", M_PI / 2 },
	{ "acos(0)", M_PI / 2 }, { "atan(1)", M_PI / 4 }, { "atan2(1, -1)", 3 * M_PI / 4 },
	{ "sinh(1)", 1.1752011936438014 }, { "cosh(1)", 1.5430806348152437 },
	{ "tanh(1)", .76159415595576489 }, { "degrees(pi)", 180 }, { "radians(180)", M_PI },
	{ "pi", M_PI }, { "e", M_E }, { "sqrt (4)", 2 }, { "1 + max  ( 1, pow\t(2, 3))", 9 },
	{ "sqrt(sqrt(16))", 2 },
	{ "max(min(1, 2), pow(2, min(3, 4)))", 8 }, { "2 * max(1, 2) + 1", 5 },
	{ "min(1,\n 2)", 1 },
	/* what sites write */
	{ "pow(2, -(fairshare_tree_usage/fairshare_perc))", .64841977732550483 },
	{ "2 ** -(fairshare_tree_usage / fairshare_perc)", .64841977732550483 },
	{ "10*fairshare_factor + 1000 * (queue_priority > 100) + walltime/3600.", 6.98 },
	{ "ncpus*walltime", 28800 }, { "10000*fairshare_factor + age + qos", 6480.375 },
	{ "eligible_time / 60 + job_priority", 65 }, { "age*0 + 2*(3*age + 1)", 3.5 },
	{ "w_age + w_assoc + w_fairshare + w_job_size + w_partition + w_qos + w_tres + site - nice",
	  250 + 150 + 6480 + 75 + 25 + 2.5 + 260 + 7 + 5 },
};

/* The processor's flags may be up from whatever the thread did before. */
TEST_EACH(expression_means_what_python_means, expressions)
{
	assert_value(expressions[_i].text, expressions[_i].value);
	feraiseexcept(FE_ALL_EXCEPT);
	assert_value(expressions[_i].text, expressions[_i].value);
}

/* ---- what has no value -------------------------------------------------------------------- */

static const char *const failing[] = {
	/* constants; a branch that is not taken is worked out all the same */
	"1 / 0", "0 / 0", "age > 2 ? 1 / 0 : 3", "-1 / 0", "1 / (1 / 0)", "min(5, 1 / 0)",
	"1000 + 2 ** -(1 / 0)",
	/* fields */
	"zero ? 1 : 1 / zero", "1 / zero", "zero / zero", "1000 + 2 ** -(age / zero)",
	"min(5, 1 / zero)",
	"1 / (1 / zero)", "(1 / zero > 5) ? 1 : 2", "max(1, -1 / zero)", "5 % zero",
	"fmod(5, zero)",
	"log(zero)", "log10(zero)", "log2(zero)", "log(-age)", "log(8, 1)", "sqrt(-age)",
	"asin(2 + age)",
	"acos(2 + age)", "zero ** -1", "pow(zero, -1)", "(-age) ** .5", "exp(1000)",
	"exp(walltime)",
	"1e200 * 1e200", "big * big", "big ** 2", "10 ** walltime", "sinh(walltime)", "huge",
	"-huge",
	"huge - huge", "none", "none + 1", "min(none, 1)", "min(1, none)", "max(1, none)",
	"max(none, 1)", "none < 1", "none * 0",
};

/* valgrind keeps none of the processor's flags. */
static bool flags_are_kept(void)
{
	volatile double zero = 0, result;

	feclearexcept(FE_ALL_EXCEPT);
	result = 1 / zero;
	(void)result;
	return fetestexcept(FE_DIVBYZERO);
}

TEST_EACH(division_by_zero_overflow_and_nan_give_0, failing)
{
	static const char *const special_names[] = { "zero", "big", "huge", "none", NULL };
	static const struct fathom_formula_names special = { .extra = special_names };
	static const double values[] = { 0, 1e200, INFINITY, NAN };
	static const double sound[] = { 2, 1e20, 3, 4 };
	struct fathom_formula_job of = a_job();
	struct fathom_formula_tally tally = { 0 };
	struct fathom_error error = { 0 };
	struct fathom_formula *formula = fathom_formula_create(failing[_i], &special, NULL, &error);

	ck_assert_msg(formula, "%s: %s", failing[_i], error.text);
	of.extra = values;
	for (size_t i = 1; i <= 3 && flags_are_kept(); i++) {
		ck_assert_msg(fathom_formula_value(formula, &of, &tally) == 0, "%s", failing[_i]);
		ck_assert_msg(tally.failed == i && tally.jobs == i, "%s: %zu of %zu", failing[_i],
			      tally.failed, tally.jobs);
	}
	ck_assert(tally.highest == 0);
	ck_assert_msg(!fetestexcept(FE_DIVBYZERO | FE_OVERFLOW | FE_INVALID), "%s", failing[_i]);

	/* a job that has a value has it after one that has none */
	of.extra = sound;
	tally.failed = 0;
	if (!strcmp(failing[_i], "1 / zero"))
		ck_assert(fathom_formula_value(formula, &of, &tally) == .5 && !tally.failed);
	fathom_formula_destroy(formula);
}

/* Fields may divide by zero on the way, as job_size does without a time limit. */
TEST(a_fields_own_faults_are_not_the_formulas)
{
	struct fathom_priority_config over_time = config;
	struct fathom_job endless = job;
	struct fathom_formula_job of = a_job();
	struct fathom_formula_tally tally = { 0 };

	over_time.flags = FATHOM_SMALL_RELATIVE_TO_TIME;
	endless.minutes = 0;
	of.config = &over_time;
	of.job = &endless;
	ck_assert(value_for("job_size * 3", &of, &tally) == 3);
	ck_assert_uint_eq(tally.failed, 0);
}

/* ---- errors --------------------------------------------------------------------------------- */

static const struct { const char *text, *error; } errors[] = {
	{ "", "empty; give an expression, for example 1000 * fairshare" },
	{ " \t\n", "empty; give an expression, for example 1000 * fairshare" },
	/* words */
	{ "10 * fairshar", "column 6: 'fairshar' is unknown; did you mean fairshare?" },
	{ "fair_share", "column 1: 'fair_share' is unknown; did you mean fairshare?" },
	{ "Age", "column 1: 'Age' is unknown; did you mean age?" },
	{ "1 + level_f", "column 5: 'level_f' is unknown; did you mean level_fs?" },
	{ "sqr(4)", "column 1: 'sqr' is unknown; did you mean sqrt?" },
	{ "foo", "column 1: 'foo' is unknown; see fathom.conf(5) for all names" },
	{ "system(1)", "column 1: 'system' is unknown; see fathom.conf(5) for all names" },
	{ "math.sqrt(4)", "column 1: 'math' is unknown; see fathom.conf(5) for all names" },
	{ "_pi", "column 1: '_pi' is unknown; did you mean pi?" },
	{ "sum(1, 2)", "column 1: 'sum' is unknown; see fathom.conf(5) for all names" },
	{ "rint(1)", "column 1: 'rint' is unknown; did you mean int?" },
	{ "x23456789012345678901234567890123456789012345",
	  "column 1: 'x234567890123456789012345678901234567890' is unknown; see fathom.conf(5) for "
	  "all "
	  "names" },
	{ "1 if age > 2 else 3", "column 3: 'if' is not accepted; write condition ? a : b" },
	{ "age > 1 and qos", "column 9: 'and' is not accepted; write a && b" },
	{ "age or qos", "column 5: 'or' is not accepted; write a || b" },
	{ "not age", "column 1: 'not' is not accepted; write a == 0" },
	/* signs */
	{ "age = 2", "column 5: '=' is not accepted; write == to compare" },
	{ "1 = 1", "column 3: '=' is not accepted; write == to compare" },
	{ "age += 2", "column 6: '=' is not accepted; write == to compare" },
	{ "7 // 2", "column 3: '//' is not accepted; write floor(a / b)" },
	{ "1 <> 2", "column 3: '<>' is not accepted; write !=" },
	{ "!age", "column 1: '!' is not accepted; write a == 0" },
	{ "1 & 2", "column 3: '&' is not accepted; write &&" },
	{ "1 | 2", "column 3: '|' is not accepted; write ||" },
	{ "1 < 2 < 3", "column 7: comparisons do not chain here; write a < b && b < c" },
	{ "1 == 1 == 1", "column 8: comparisons do not chain here; write a < b && b < c" },
	{ "1 + $", "column 5: '$' has no meaning here" },
	{ "\"age\"", "column 1: '\"' has no meaning here" },
	{ "age; 1", "column 4: ';' has no meaning here" },
	{ "age # 1", "column 5: '#' has no meaning here" },
	{ "2 * \xc3\xa4", "column 5: byte 0xc3 has no meaning here" },
	{ "1\x01", "column 2: byte 0x01 has no meaning here" },
	{ "1 ? 2", "column 3: '?' without ':'; write condition ? a : b" },
	{ "1 : 2", "column 3: ':' without '?'; write condition ? a : b" },
	{ "1 ? 2 : 3 : 4", "column 11: ':' without '?'; write condition ? a : b" },
	{ "(1 ? 2) : 3", "column 4: '?' without ':'; write condition ? a : b" },
	{ "max(1 ? 2, 3)", "column 7: '?' without ':'; write condition ? a : b" },
	/* numbers */
	{ "1.5.2", "column 1: '1.5.2' is not a number; for example 1.5e3" },
	{ "0x10", "column 1: '0x10' is not a number; for example 1.5e3" },
	{ "2age", "column 1: '2age' is not a number; for example 1.5e3" },
	{ "1 + 2e", "column 5: '2e' is not a number; for example 1.5e3" },
	{ "1_000", "column 1: '1_000' is not a number; for example 1.5e3" },
	{ "1e999", "column 1: 1e999 is out of range" },
	{ ".", "column 1: '.' has no meaning here" },
	{ "inf", "column 1: 'inf' is unknown; did you mean int?" },
	{ "nan", "column 1: 'nan' is unknown; did you mean tan?" },
	{ "1,5 * age", "column 2: ',' only separates arguments of a function; the decimal point is "
		       "'.'" },
	{ "(1, 2)", "column 3: ',' only separates arguments of a function; the decimal point is "
		    "'.'" },
	{ "max(1, (2, 3))",
	  "column 10: ',' only separates arguments of a function; the decimal point is '.'" },
	/* brackets and arguments */
	{ "(1 + 2", "column 1: '(' is not closed" },
	{ "((1 + 2)", "column 1: '(' is not closed" },
	{ "1 + (2 * (3 + 4)", "column 5: '(' is not closed" },
	{ "1 + 2)", "column 6: ')' without '('" },
	{ ")", "column 1: ')' without '('" },
	{ "sqrt", "column 1: sqrt is a function; write sqrt(a)" },
	{ "pow + 1", "column 1: pow is a function; write pow(a, b)" },
	{ "sqrt()", "column 5: sqrt takes 1 argument, not 0" },
	{ "sqrt( )", "column 5: sqrt takes 1 argument, not 0" },
	{ "sqrt(1, 2)", "column 5: sqrt takes 1 argument, not 2" },
	{ "1 + pow(2)", "column 8: pow takes 2 arguments, not 1" },
	{ "min(1)", "column 4: min takes at least 2 arguments, not 1" },
	{ "log(1, 2, 3)", "column 4: log takes 1 or 2 arguments, not 3" },
	{ "round(1, 2, 3)", "column 6: round takes 1 or 2 arguments, not 3" },
	{ "sqrt(pow(1, 2), 3)", "column 5: sqrt takes 1 argument, not 2" },
	/* what the parser finds */
	{ "1 +", "column 4: the formula ends where a value is missing" },
	{ "1 + ", "column 5: the formula ends where a value is missing" },
	{ "1 ? 2 :", "column 8: the formula ends where a value is missing" },
	{ "1 2", "column 3: '2' does not fit here" },
	{ "1    2", "column 6: '2' does not fit here" },
	{ "(1)\t (2)", "column 6: '(' does not fit here" },
	{ "+-  * 2", "column 5: '*' does not fit here" },
	{ "--  ", "column 5: the formula ends where a value is missing" },
	{ "age qos", "column 5: 'qos' does not fit here" },
	{ "age 2.5", "column 5: '2.5' does not fit here" },
	{ "1 + * 2", "column 5: '*' does not fit here" },
	{ "* 2", "column 1: '*' does not fit here" },
	{ "2 * * 3", "column 5: '*' does not fit here" },
	{ "2 *** 3", "column 5: '*' does not fit here" },
	{ "()", "column 2: ')' does not fit here" },
	{ "2 (3)", "column 3: '(' does not fit here" },
	{ "(1)(2)", "column 4: '(' does not fit here" },
	{ "age(1)", "column 4: '(' does not fit here" },
	{ "(1) age", "column 5: 'age' does not fit here" },
	{ "2 pow(1, 2)", "column 3: 'pow' does not fit here" },
	{ "2 pow (1, 2)", "column 3: 'pow' does not fit here" },
	{ "pow (1, 2", "column 5: '(' is not closed" },
	{ "(1 +)", "column 5: ')' does not fit here" },
	{ "min(1, )", "column 8: ')' does not fit here" },
	{ "min(, 1)", "column 5: ',' does not fit here" },
	{ "? 1 : 2", "column 1: '?' does not fit here" },
	{ "1 < > 2", "column 5: comparisons do not chain here; write a < b && b < c" },
};

TEST_EACH(error_names_its_column_and_what_is_right, errors)
{
	struct fathom_error error = { 0 };

	ck_assert_msg(!fathom_formula_create(errors[_i].text, &names, NULL, &error), "%s",
		      errors[_i].text);
	ck_assert_int_eq(error.code, EINVAL);
	ck_assert_uint_eq(error.row, FATHOM_NO_ROW);
	ck_assert_msg(!strncmp(error.text, errors[_i].error, strlen(errors[_i].error)),
		      "%s:\n%s\nmust be\n%s", errors[_i].text, error.text, errors[_i].error);
	ck_assert(!fathom_formula_create(errors[_i].text, &names, NULL, NULL));
}

/* ---- size --------------------------------------------------------------------------------- */

/* "1+1+...+1", as long as can be and one longer; "((...1...))", too. */
TEST(length_and_depth_have_limits)
{
	char text[FATHOM_FORMULA_SIZE + 2], deep[2 * 64 + 2];
	struct fathom_error error = { 0 };

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = i % 2 ? '+' : '1';
	text[FATHOM_FORMULA_SIZE - 1] = '\0';
	assert_value(text, FATHOM_FORMULA_SIZE / 2);
	text[FATHOM_FORMULA_SIZE - 1] = '+';
	text[FATHOM_FORMULA_SIZE + 1] = '\0';
	ck_assert(!fathom_formula_create(text, NULL, NULL, &error));
	ck_assert_str_eq(error.text, "longer than 4095 characters");

	memset(deep, '(', 63);
	strcpy(deep + 63, "1");
	memset(deep + 64, ')', 63);
	deep[127] = '\0';
	assert_value(deep, 1);
	memset(deep, '(', 64);
	strcpy(deep + 64, "1");
	ck_assert(!fathom_formula_create(deep, NULL, NULL, &error));
	ck_assert_str_eq(error.text, "column 64: more than 63 levels of brackets");
}

/* ---- locale ---------------------------------------------------------------------------------- */

TEST(decimal_point_is_a_point_in_every_locale)
{
	if (!unit_use_decimal_comma())
		fputs("decimal_point_is_a_point_in_every_locale: no localedef, tried in C\n",
		      stderr);
	assert_value("1.5 + .25 * 2", 2);
	assert_value("max(1.5, 2.5)", 2.5);
	assert_value("max(1,5)", 5);
	assert_value("1e-1", .1);
}

/* ---- priorities and warnings ------------------------------------------------------------- */

static const struct { double value, scale; uint32_t priority; } priorities[] = {
	{ 0, 1, 1 }, { .5, 1, 1 }, { 1, 1, 1 }, { 1.999, 1, 1 }, { 2, 1, 2 }, { -5, 1, 1 },
	{ .6484, 10000, 6484 }, { .64849, 10000, 6484 }, { 4294967295., 1, 4294967295 },
	{ 4294967296., 1, 4294967295 }, { 1e300, 1e300, 4294967295 }, { 1e10, 1e-9, 10 },
	{ 5, .1, 1 },
};

TEST_EACH(priority_is_cut_to_32_bits_and_at_least_1, priorities)
{
	ck_assert_uint_eq(fathom_formula_priority(priorities[_i].value, priorities[_i].scale),
			  priorities[_i].priority);
}

#define FAILED(failed, jobs) failed " of " jobs " jobs have no value, by a division by zero, an " \
			     "overflow or a result that is not a number; it counts as 0"
#define TOO_LOW(scale) "no priority reaches 100, so that different jobs may get equal " \
		       "priorities; raise FormulaScale (now " scale ")"
static const struct {
	struct fathom_formula_tally tally;
	double scale;
	const char *warning[2];
} reports[] = {
	{ { 0, 0, 0, 0 }, 1, { NULL, NULL } },
	{ { 10, 0, 100, 0 }, 1, { NULL, NULL } },
	{ { 10, 0, 99.9, 0 }, 1, { TOO_LOW("1"), NULL } },
	{ { 10, 0, .5, 0 }, 1000, { NULL, NULL } },
	{ { 10, 0, .5, 0 }, 10, { TOO_LOW("10"), NULL } },
	{ { 10, 3, 500, 0 }, 1, { FAILED("3", "10"), NULL } },
	{ { 10, 3, 5, 0 }, 1, { FAILED("3", "10"), TOO_LOW("1") } },
	{ { 10, 10, 0, 0 }, 1, { FAILED("10", "10"), NULL } },
};

TEST_EACH(pass_ends_in_one_warning_a_kind, reports)
{
	struct fathom_formula_tally tally = reports[_i].tally;
	char text[2][FATHOM_WARNING_SIZE];
	struct fathom_warnings warnings = { .room = 2, .text = text };
	size_t i = 0;

	fathom_formula_report(&tally, reports[_i].scale, &warnings);
	for (; i < 2 && reports[_i].warning[i]; i++)
		ck_assert_str_eq(warnings.text[i], reports[_i].warning[i]);
	ck_assert_uint_eq(warnings.count, i);
	/* whoever keeps what was told is not told again */
	fathom_formula_report(&tally, reports[_i].scale, &warnings);
	ck_assert_uint_eq(warnings.count, i);
}

TEST(one_warning_hides_none_of_another_kind)
{
	struct fathom_formula_tally tally = { .jobs = 10, .failed = 1, .highest = 500 };
	char text[2][FATHOM_WARNING_SIZE];
	struct fathom_warnings warnings = { .room = 2, .text = text };

	fathom_formula_report(&tally, 1, &warnings);
	tally.highest = 1;
	fathom_formula_report(&tally, 1, &warnings);
	ck_assert_uint_eq(warnings.count, 2);
	ck_assert_str_eq(warnings.text[1], TOO_LOW("1"));
}

TEST(tally_has_the_highest_value)
{
	struct fathom_formula *formula = made("fairshare - .5");
	struct fathom_job other = job;
	struct fathom_formula_job of = a_job();
	struct fathom_formula_tally tally = { 0 };

	of.job = &other;
	for (int i = 0; i < 5; i++) {
		other.fairshare = (i * 3 % 5) / 4.;
		ck_assert(fathom_formula_value(formula, &of, &tally) == other.fairshare - .5);
	}
	ck_assert(tally.highest == .5 && tally.jobs == 5 && tally.failed == 0);
	fathom_formula_destroy(formula);
}

TEST(deprecated_name_warns_once)
{
	char text[2][FATHOM_WARNING_SIZE];
	struct fathom_warnings warnings = { .room = 2, .text = text };
	struct fathom_formula *formula =
		fathom_formula_create("1 + fair_share_perc * fair_share_perc", &names, &warnings,
				      NULL);

	ck_assert_ptr_nonnull(formula);
	ck_assert_uint_eq(warnings.count, 1);
	ck_assert_str_eq(warnings.text[0],
			 "column 5: fair_share_perc is deprecated; write fairshare_perc");
	fathom_formula_destroy(formula);

	warnings.count = warnings.room;	/* full: nothing more, nothing broken */
	formula = fathom_formula_create("fair_share_perc", &names, &warnings, NULL);
	ck_assert_uint_eq(warnings.count, warnings.room);
	fathom_formula_destroy(formula);

	warnings.count = 0;
	formula = fathom_formula_create("fairshare_perc", &names, &warnings, NULL);
	ck_assert_uint_eq(warnings.count, 0);
	fathom_formula_destroy(formula);
	fathom_formula_destroy(NULL);
}

#define SKIPPED 77	/* automake's */

static void __attribute__((constructor)) skip_all_without_a_parser(void)
{
	struct fathom_error error = { 0 };
	struct fathom_formula *formula = fathom_formula_create("age", NULL, NULL, &error);

	if (!formula && error.code == ENOSYS) {
		fprintf(stderr, "formula: skipped, %s\n", error.text);
		exit(SKIPPED);
	}
	fathom_formula_destroy(formula);
}
