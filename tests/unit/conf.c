/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom.conf: the syntax of slurm.conf, checked by the tables of settings. */
#include "unit.h"

#include "policy/conf.h"

#include <stdio.h>
#include <string.h>

/* What a text must say; NULL and 0: as without a file. */
static const struct {
	const char *what, *text, *policy, *tie_mode;
	double period, dampening;
} files[] = {
	{ "empty", "", NULL, NULL, 0, 0 },
	{ "blank", " \t\n\r\n\n", NULL, NULL, 0, 0 },
	{ "only a comment", "# Policy=classic", NULL, NULL, 0, 0 },
	{ "one pair", "Policy=classic", "classic", NULL, 0, 0 },
	{ "end of line", "Policy=classic\n", "classic", NULL, 0, 0 },
	{ "two lines", "Policy=fair-tree\nTieMode=slurm\n", "fair-tree", "slurm", 0, 0 },
	{ "CRLF", "Policy=fair-tree\r\nTieMode=slurm\r\n", "fair-tree", "slurm", 0, 0 },
	{ "one line", "Policy=classic CalcPeriod=30\tDampeningFactor=2", "classic", NULL, 30, 2 },
	{ "comment behind", "CalcPeriod=30 # Policy=classic\nTieMode=flux#x", NULL, "flux", 30,
	  0 },
	{ "indented", "  \tCalcPeriod=30\n", NULL, NULL, 30, 0 },
	{ "continued", "Policy=classic \\\n CalcPeriod=30\n", "classic", NULL, 30, 0 },
	{ "continued twice", "Policy=classic \\\n\\\n CalcPeriod=30\n", "classic", NULL, 30, 0 },
	{ "continued, CRLF", "Policy=classic \\\r\n CalcPeriod=30\r\n", "classic", NULL, 30, 0 },
	{ "continued without a blank", "Policy=classic\\\n CalcPeriod=30", "classic", NULL, 30,
	  0 },
	{ "continued, blank behind", "Policy=classic \\ \n CalcPeriod=30", "classic", NULL, 30,
	  0 },
	{ "continued at the end", "CalcPeriod=30 \\", NULL, NULL, 30, 0 },
	{ "quoted", "Policy=\"classic\" CalcPeriod=\"30\"\n", "classic", NULL, 30, 0 },
	{ "blanks around =", "Policy = classic\nCalcPeriod= 30\nTieMode =slurm", "classic",
	  "slurm", 30, 0 },
	{ "blanks around = and quotes", "CalcPeriod = \"30\"", NULL, NULL, 30, 0 },
	{ "any case", "POLICY=Classic\ncalcperiod=30", "classic", NULL, 30, 0 },
	{ "snake case", "calc_period=30 tie_mode=slurm", NULL, "slurm", 30, 0 },
	{ "alias", "Policy=depth_oblivious", "depth-oblivious", NULL, 0, 0 },
	{ "duration", "CalcPeriod=5m", NULL, NULL, 300, 0 },
	{ "last one wins", "CalcPeriod=30\nCalcPeriod=40 Policy=classic\nPolicy=fair-tree",
	  "fair-tree", NULL, 40, 0 },
	{ "a setting of another policy", "Policy=fair-tree DampeningFactor=3", "fair-tree", NULL,
	  0, 3 },
};

static double setting_of(const struct fathom_conf *conf, const char *policy, bool *is_given)
{
	const bool *given;
	double value = conf_policy_settings(conf, fathom_policy_find(policy), &given)->value[0];

	*is_given = given[0];
	return value;
}

START_TEST(file_is_read)
{
	const char *modes[] = { "documented", "slurm", "flux" };
	struct fathom_conf conf = conf_standard();
	struct fathom_error error = { 0 };
	const struct fathom_policy *policy;
	bool given;
	double mode;

	ck_assert_msg(!conf_parse_text(&conf, "fathom.conf", files[_i].text, &error), "%s: %s",
		      files[_i].what, error.text);
	policy = conf_policy(&conf);
	ck_assert_pstr_eq(policy ? fathom_policy_name(policy) : NULL, files[_i].policy);
	ck_assert_int_eq(conf.given[CONF_CALC_PERIOD], files[_i].period > 0);
	ck_assert(conf.value[CONF_CALC_PERIOD] == (files[_i].period > 0 ? files[_i].period : 300));

	mode = setting_of(&conf, "fair-tree", &given);
	ck_assert_int_eq(given, !!files[_i].tie_mode);
	ck_assert_str_eq(modes[(size_t)mode],
			 files[_i].tie_mode ? files[_i].tie_mode : "documented");
	/* a name that two policies know is set for both */
	for (int i = 0; i < 2; i++) {
		double d = setting_of(&conf, i ? "depth-oblivious" : "classic", &given);

		ck_assert_int_eq(given, files[_i].dampening > 0);
		ck_assert(d == (files[_i].dampening > 0 ? files[_i].dampening : 1));
	}
}
END_TEST

static const struct { const char *text, *says; } switches[] = {
	{ "ChargeSuspended=no", "0" }, { "ChargeSuspended=YES", "1" }, { "charge_suspended=false", "0" },
};

START_TEST(switch_is_read)
{
	struct fathom_conf conf = conf_standard();

	ck_assert(conf.value[CONF_CHARGE_SUSPENDED] == 1);
	ck_assert_int_eq(conf_parse_text(&conf, "fathom.conf", switches[_i].text, NULL), 0);
	ck_assert(conf.value[CONF_CHARGE_SUSPENDED] == switches[_i].says[0] - '0');
	ck_assert(conf.given[CONF_CHARGE_SUSPENDED]);
}
END_TEST

START_TEST(formula_is_read)
{
	struct fathom_conf conf = conf_standard();
	const struct fathom_policy *pbs = fathom_policy_find("pbs");
	const bool *given;
	size_t i = 0;

	ck_assert_str_eq(conf_policy_settings(&conf, pbs, &given)->formula, "cput");
	ck_assert_int_eq(conf_parse_text(&conf, "fathom.conf",
					 "Policy=pbs FairshareUsageRes=\"ncpus * walltime\" "
					 "InitialUsage=1", NULL), 0);
	ck_assert_ptr_eq(conf_policy(&conf), pbs);
	while (strcmp(fathom_policy_setting(pbs, i)->name, "fairshare_usage_res"))
		i++;
	ck_assert_str_eq(conf_policy_settings(&conf, pbs, &given)->formula, "ncpus * walltime");
	ck_assert(given[i] && given[0] && !given[1]);
	ck_assert(conf_policy_settings(&conf, pbs, NULL)->value[0] == 1);
}
END_TEST

static const struct { const char *text, *says; } wrong_files[] = {
	{ "Polly=classic", "f.conf:1: Polly: unknown key" },
	{ "Policy=lottery", "f.conf:1: Policy: 'lottery' is unknown, must be one of classic, " },
	{ "Policy=classic-and-much-more-than-a-name-may-be-long", "f.conf:1: Policy: " },
	{ "\n\nCalcPeriod=soon", "f.conf:3: CalcPeriod: 'soon' is not a duration" },
	{ "CalcPeriod=0", "f.conf:1: CalcPeriod: 0 is out of range" },
	{ "CalcPeriod=2d", "f.conf:1: CalcPeriod: 2d is out of range" },
	{ "# one\r\n\r\nTieMode=x\r\n", "f.conf:3: TieMode: 'x' is unknown, must be one of documented" },
	{ "Policy=classic \\\n\\\n CalcPeriod=x", "f.conf:3: CalcPeriod: " },
	{ "CalcPeriod=30 # comment\nPolicy=\n", "f.conf:2: Policy: no value" },
	{ "Policy=\"\"", "f.conf:1: Policy: no value" },
	{ "Policy= # classic", "f.conf:1: Policy: no value" },
	{ "Policy=\nCalcPeriod=30", "f.conf:1: Policy: no value" },
	{ "Policy", "f.conf:1: Policy: no '='" },
	{ "Policy classic", "f.conf:1: Policy: no '='" },
	{ "\nPolicy\n=classic", "f.conf:2: Policy: no '='" },
	{ "=classic", "f.conf:1: no key before '='" },
	{ "CalcPeriod=30\n = 5", "f.conf:2: no key before '='" },
	{ "Policy=\"classic\nCalcPeriod=30", "f.conf:1: Policy: no closing '\"'" },
	{ "Policy=\"classic", "f.conf:1: Policy: no closing '\"'" },
	{ "Policy=\"classic\"CalcPeriod=30", "f.conf:1: Policy: no blank after the closing '\"'" },
	{ "DampeningFactor=0", "f.conf:1: DampeningFactor: 0 is out of range" },
	{ "ChargeSuspended=maybe", "f.conf:1: ChargeSuspended: 'maybe' is neither" },
	{ "FairshareDecayFactor=1", "f.conf:1: FairshareDecayFactor: 1 is out of range" },
	{ "BankWeight=.5", "f.conf:1: BankWeight: .5 is no whole number" },
	{ "FairshareUsageRes=a;b", "f.conf:1: FairshareUsageRes: 'a;b' is no formula" },
	{ "Policy=flux\nFairshareEntity=user", "f.conf:2: FairshareEntity: 'user' is unknown" },
	{ "\\x", "f.conf:1: " },
	{ "Formula=", "f.conf:1: Formula: no value" },
	{ "Formula=\"\"", "f.conf:1: Formula: no value" },
	{ "Formula=\"age", "f.conf:1: Formula: no closing '\"'" },
	{ "Formula=1000 * age", "f.conf:1: *: no '=' after it" },
	{ "FormulaScale=0", "f.conf:1: FormulaScale: 0 is out of range" },
	{ "FormulaScale=-1", "f.conf:1: FormulaScale: -1 is out of range" },
	{ "FormulaScale=1e10", "f.conf:1: FormulaScale: 1e10 is out of range" },
	{ "FormulaScale=high", "f.conf:1: FormulaScale: 'high' is not a number" },
};

START_TEST(wrong_file_names_line_and_key_and_changes_nothing)
{
	struct fathom_conf conf = conf_standard(), before;
	struct fathom_error error = { 0 };
	char text[256];

	ck_assert_int_eq(conf_parse_text(&conf, "f.conf", "CalcPeriod=77 TieMode=flux", NULL), 0);
	before = conf;
	ck_assert_msg(conf_parse_text(&conf, "f.conf", wrong_files[_i].text, &error) == -1,
		      "'%s' is taken", wrong_files[_i].text);
	ck_assert_int_ne(error.code, 0);
	ck_assert_msg(!strncmp(error.text, wrong_files[_i].says, strlen(wrong_files[_i].says)),
		      "'%s': %s", wrong_files[_i].text, error.text);
	ck_assert_mem_eq(&conf, &before, sizeof(conf));

	/* right lines before it are of no effect either */
	snprintf(text, sizeof(text), "CalcPeriod=88\n%s", wrong_files[_i].text);
	ck_assert_int_eq(conf_parse_text(&conf, "f.conf", text, NULL), -1);
	ck_assert_mem_eq(&conf, &before, sizeof(conf));
}
END_TEST

START_TEST(what_a_file_no_longer_says_is_standard_again)
{
	struct fathom_conf conf = conf_standard();

	ck_assert_int_eq(conf_parse_text(&conf, "f.conf", "CalcPeriod=77 Policy=classic", NULL), 0);
	ck_assert_int_eq(conf_parse_text(&conf, "f.conf", "TieMode=flux", NULL), 0);
	ck_assert(conf.value[CONF_CALC_PERIOD] == 300);
	ck_assert(!conf.given[CONF_CALC_PERIOD]);
	ck_assert_ptr_null(conf_policy(&conf));
}
END_TEST

START_TEST(general_setting_is_complete)
{
	const struct fathom_setting *setting = conf_setting((enum conf_setting)_i);

	ck_assert(setting->name && setting->unit && setting->meaning && *setting->meaning);
	/* a policy's setting of that name could never be reached */
	for (size_t i = 0; i < fathom_policy_count(); i++)
		for (size_t j = 0; j < fathom_policy_setting_count(fathom_policy_at(i)); j++)
			ck_assert(!fathom_setting_named(
				fathom_policy_setting(fathom_policy_at(i), j), setting->name));
}
END_TEST

START_TEST(every_policy_has_a_place)
{
	ck_assert_uint_le(fathom_policy_count(), FATHOM_MAX_POLICIES);
}
END_TEST

START_TEST(formula_is_kept_with_its_line)
{
	struct fathom_conf conf = conf_standard();
	struct fathom_error error = { 0 };
	char text[FATHOM_FORMULA_SIZE + 32];

	ck_assert_int_eq(conf_parse_text(&conf, "f.conf",
					 "# first\nCalcPeriod=30 \\\n Formula=\"10 * age == 5 # x\" "
					 "FormulaScale=2.5\n", &error), 0);
	ck_assert(conf.given[CONF_FORMULA]);
	ck_assert_str_eq(conf.formula, "10 * age == 5 # x");
	ck_assert_uint_eq(conf.formula_line, 3);
	ck_assert(conf.value[CONF_FORMULA_SCALE] == 2.5);
	ck_assert_int_eq(conf_parse_text(&conf, "f.conf", "formula=a==b", NULL), 0);
	ck_assert_str_eq(conf.formula, "a==b");
	ck_assert_int_eq(conf_parse_text(&conf, "f.conf", "CalcPeriod=30", NULL), 0);
	ck_assert(!conf.given[CONF_FORMULA] && !*conf.formula);
	ck_assert(conf.value[CONF_FORMULA_SCALE] == 1);

	/* the longest, and one more */
	strcpy(text, "Formula=");
	memset(text + 8, '1', FATHOM_FORMULA_SIZE);
	text[8 + FATHOM_FORMULA_SIZE - 1] = '\0';
	ck_assert_int_eq(conf_parse_text(&conf, "f.conf", text, NULL), 0);
	text[8 + FATHOM_FORMULA_SIZE - 1] = '1';
	text[8 + FATHOM_FORMULA_SIZE] = '\0';
	ck_assert_int_eq(conf_parse_text(&conf, "f.conf", text, &error), -1);
	ck_assert_str_eq(error.text, "f.conf:1: Formula: longer than 4095 characters");
}
END_TEST

static void add_tests(TCase *tests)
{
	tcase_add_loop_test(tests, file_is_read, 0, UNIT_COUNT(files));
	tcase_add_loop_test(tests, switch_is_read, 0, UNIT_COUNT(switches));
	tcase_add_test(tests, formula_is_read);
	tcase_add_loop_test(tests, wrong_file_names_line_and_key_and_changes_nothing, 0,
			    UNIT_COUNT(wrong_files));
	tcase_add_test(tests, what_a_file_no_longer_says_is_standard_again);
	tcase_add_loop_test(tests, general_setting_is_complete, 0, CONF_SETTING_COUNT);
	tcase_add_test(tests, every_policy_has_a_place);
	tcase_add_test(tests, formula_is_kept_with_its_line);
}

int main(void)
{
	return unit_run("conf", add_tests);
}
