/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom.conf: the syntax of slurm.conf, checked by the tables of settings. */
#include "../unit.h"

#include "conf/conf_parse.h"
#include "conf/conf_policy.h"
#include "conf/conf_told.h"

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
	{ "byte order mark", "\xef\xbb\xbf" "Policy=classic", "classic", NULL, 0, 0 },
	{ "indented", "  \tCalcPeriod=30\n", NULL, NULL, 30, 0 },
	{ "continued", "Policy=classic \\\n CalcPeriod=30\n", "classic", NULL, 30, 0 },
	{ "continued twice", "Policy=classic \\\n\\\n CalcPeriod=30\n", "classic", NULL, 30, 0 },
	{ "continued, CRLF", "Policy=classic \\\r\n CalcPeriod=30\r\n", "classic", NULL, 30, 0 },
	{ "continued without a blank", "Policy=classic\\\n CalcPeriod=30", "classic", NULL, 30,
	  0 },
	{ "continued, blank behind", "Policy=classic \\ \n CalcPeriod=30", "classic", NULL, 30,
	  0 },
	{ "continued at the end", "CalcPeriod=30 \\", NULL, NULL, 30, 0 },
	{ "continued within a value", "CalcPeriod=3\\\n0 Policy=clas\\ \r\n\\\nsic\\\n", "classic",
	  NULL, 30, 0 },
	{ "continued within quotes", "Policy=\"clas\\\nsic\" CalcPeriod=\"30\\\n\"", "classic",
	  NULL, 30, 0 },
	{ "continued around =", "Policy \\\n= \\\n \"classic\"\\\n CalcPeriod=\\\n30", "classic",
	  NULL, 30, 0 },
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

/* text: that of files[_i], or one that must say as much. */
static void check_file(const char *text, int _i)
{
	const char *modes[] = { "documented", "slurm", "flux" };
	struct fathom_conf conf = conf_standard();
	struct fathom_error error = { 0 };
	const struct fathom_policy *policy;
	bool given;
	double mode;

	ck_assert_msg(!conf_parse_text(&conf, "fathom.conf", text, &error), "%s: %s",
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

TEST_EACH(file_is_read, files)
{
	check_file(files[_i].text, _i);
}

/* ---- as one line, for clients ----------------------------------------------------- */

TEST_EACH(file_that_is_told_says_as_much, files)
{
	char *told = conf_told_write(files[_i].text), *text;

	ck_assert_ptr_nonnull(told);
	ck_assert(conf_told_is(told));
	ck_assert_ptr_null(strchr(told, '\n'));
	text = conf_told_read(told);
	check_file(text, _i);
	free(text);
	free(told);
}

static const struct {
	const char *text, *told;
} told[] = {
	{ NULL, "fathom.conf:" },
	{ "# all as usual; really\n\n", "fathom.conf:" },
	{ "Policy=lsf   HistHours=10 # ten\n\nScope=gpu \\\n Partitions=\"a, b#c\"\n",
	  "fathom.conf:Policy=lsf HistHours=10;Scope=gpu Partitions=\"a, b#c\"" },
	{ "Adjust=/opt/a;b", NULL },
};

TEST_EACH(file_is_told_as_one_line, told)
{
	char *line = conf_told_write(told[_i].text);

	ck_assert_pstr_eq(line, told[_i].told);
	free(line);
}

TEST(long_file_is_not_told)
{
	char text[20000];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	ck_assert_ptr_null(conf_told_write(text));
	ck_assert(!conf_told_is(NULL));
	ck_assert(!conf_told_is("of the site"));
}

static const struct { const char *text, *says; } switches[] = {
	{ "ChargeSuspended=no", "0" }, { "ChargeSuspended=YES", "1" },
	{ "charge_suspended=false", "0" },
};

TEST_EACH(switch_is_read, switches)
{
	struct fathom_conf conf = conf_standard();

	ck_assert(conf.value[CONF_CHARGE_SUSPENDED] == 1);
	ck_assert_int_eq(conf_parse_text(&conf, "fathom.conf", switches[_i].text, NULL), 0);
	ck_assert(conf.value[CONF_CHARGE_SUSPENDED] == switches[_i].says[0] - '0');
	ck_assert(conf.given[CONF_CHARGE_SUSPENDED]);
}

TEST(formula_is_read)
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

TEST(adjustment_is_read)
{
	struct fathom_conf conf = conf_standard();

	ck_assert(!conf.given[CONF_ADJUST] && !conf.given[CONF_SLOT_MEMORY]);
	ck_assert_str_eq(conf.adjust, "");
	ck_assert_int_eq(conf_parse_text(&conf, "fathom.conf",
					 "Policy=lsf\nAdjust=memory:2 SlotMemory=0.5", NULL), 0);
	ck_assert_str_eq(conf.adjust, "memory:2");
	ck_assert_uint_eq(conf.line[CONF_ADJUST], 2);
	ck_assert(conf.value[CONF_SLOT_MEMORY] == 0.5);
	ck_assert_int_eq(conf_parse_text(&conf, "fathom.conf", "adjust=\"/my site/a.so\"", NULL),
			 0);
	ck_assert_str_eq(conf.adjust, "/my site/a.so");
}

static const struct { const char *text, *says; } wrong_files[] = {
	{ "Polly=classic", "f.conf:1: Polly: unknown key; did you mean Policy?" },
	{ "RunJobFactr=3", "f.conf:1: RunJobFactr: unknown key; did you mean RunJobFactor?" },
	{ "Colour=red", "f.conf:1: Colour: unknown key; see fathom.conf(5)" },
	{ "Policy=lottery", "f.conf:1: Policy: 'lottery' is unknown, must be one of classic, " },
	{ "Policy=classic-and-much-more-than-a-name-may-be-long", "f.conf:1: Policy: " },
	{ "\n\nCalcPeriod=soon", "f.conf:3: CalcPeriod: 'soon' is not a duration" },
	{ "CalcPeriod=0", "f.conf:1: CalcPeriod: 0 is out of range" },
	{ "CalcPeriod=2d", "f.conf:1: CalcPeriod: 2d is out of range" },
	{ "# one\r\n\r\nTieMode=x\r\n",
	  "f.conf:3: TieMode: 'x' is unknown, must be one of documented" },
	{ "Policy=classic \\\n\\\n CalcPeriod=x", "f.conf:3: CalcPeriod: " },
	{ "Policy=\\\n \"clas\\\nsic\" \\\n CalcPeriod=x\\\ny", "f.conf:4: CalcPeriod: 'xy' " },
	{ "Policy=\\\n\\\n\nCalcPeriod=30", "f.conf:1: Policy: no value" },
	{ "Policy=\"\\\n\"", "f.conf:1: Policy: no value" },
	{ "Policy=\"classic\\\n\nCalcPeriod=30", "f.conf:1: Policy: no closing '\"'" },
	{ "Policy=classic\\\nCalcPeriod=30", "f.conf:1: Policy: 'classicCalcPeriod=30' is " },
	{ "Policy=\"classic\"\\\nCalcPeriod=30", "f.conf:1: Policy: no blank after the closing" },
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
	{ "BankWeight=.5", "f.conf:1: BankWeight: .5 is not a whole number" },
	{ "FairshareUsageRes=a;b", "f.conf:1: FairshareUsageRes: 'a;b' is not a formula" },
	{ "Policy=flux\nFairshareEntity=user", "f.conf:2: FairshareEntity: 'user' is unknown" },
	{ "\\x", "f.conf:1: " },
	{ "Formula=", "f.conf:1: Formula: no value" },
	{ "Formula=\"\"", "f.conf:1: Formula: no value" },
	{ "Formula=\"age", "f.conf:1: Formula: no closing '\"'" },
	{ "Formula=1000 * age",
	  "f.conf:1: *: no '=' after it, must be Key=Value; quote a value with blanks" },
	{ "FormulaScale=0", "f.conf:1: FormulaScale: 0 is out of range" },
	{ "FormulaScale=-1", "f.conf:1: FormulaScale: -1 is out of range" },
	{ "FormulaScale=1e10", "f.conf:1: FormulaScale: 1e10 is out of range" },
	{ "ShadowPolicy=lottery",
	  "f.conf:1: ShadowPolicy: 'lottery' is unknown, must be one of classic, " },
	{ "HalfLife=-1", "f.conf:1: HalfLife: '-1' is not a duration" },
	{ "HalfLife=never", "f.conf:1: HalfLife: 'never' is not a duration" },
	{ "FiguresFile=\"\"", "f.conf:1: FiguresFile: no value" },
	{ "ImportUsage=usage.json",
	  "f.conf:1: ImportUsage: 'usage.json' is relative, must be an absolute path such as" },
	{ "MetricsMode=rw", "f.conf:1: MetricsMode: 'rw' is not a mode, must be octal and" },
	{ "MetricsUsers=some", "f.conf:1: MetricsUsers: 'some', must be no, all, or top:N with" },
	{ "MetricsUsers=top:", "f.conf:1: MetricsUsers: 'top:', must be no, all, or top:N with" },
	{ "MetricsUsers=top:0", "f.conf:1: MetricsUsers: 'top:0', must be no, all, or top:N" },
	{ "MetricsUsers=top:5x", "f.conf:1: MetricsUsers: 'top:5x', must be no, all, or top:N" },
	{ "MetricsUsers=top:-1", "f.conf:1: MetricsUsers: 'top:-1', must be no, all, or top:N" },
	{ "FiguresMode=rw-r--r--",
	  "f.conf:1: FiguresMode: 'rw-r--r--' is not a mode, must be octal and" },
	{ "FiguresMode=0680", "f.conf:1: FiguresMode: '0680' is not a mode" },
	{ "FiguresMode=1644", "f.conf:1: FiguresMode: '1644' is not a mode" },
	{ "FiguresMode=77777777777777777777",
	  "f.conf:1: FiguresMode: '77777777777777777777' is no" },
	{ "FiguresMode=0666", "f.conf:1: FiguresMode: 0666 must let the owner read, and nobody "
			      "else " },
	{ "FiguresMode=0620", "f.conf:1: FiguresMode: 0620 must let the owner read, and nobody "
			      "else " },
	{ "FiguresMode=0244", "f.conf:1: FiguresMode: 0244 must let the owner read, and nobody "
			      "else " },
#define LSF "Scope=q Partitions=p Policy=lsf UserShares="
	{ LSF, "f.conf:1: UserShares: no value" },
	{ LSF "\"\"", "f.conf:1: UserShares: no value" },
	{ LSF "\" \"", "f.conf:1: UserShares: '' is not an assignment, must be [NAME, SHARES]" },
	{ LSF "\"[u, 1] rest\"", "f.conf:1: UserShares: 'rest' is not an assignment" },
	{ LSF "\"u, 1\"", "f.conf:1: UserShares: 'u, 1' is not an assignment" },
	{ LSF "\"[u 1] [v, 1]\"", "f.conf:1: UserShares: '[u 1]' must be [NAME, SHARES]" },
	{ LSF "\"[u, ten]\"", "f.conf:1: UserShares: '[u, ten]' must be [NAME, SHARES]" },
	{ LSF "\"[, 1]\"", "f.conf:1: UserShares: '[, 1]' must be [NAME, SHARES]" },
	{ LSF "\"[u, 1\"", "f.conf:1: UserShares: no ']' after the shares in '[u, 1'" },
	{ LSF "\"[u, 1 2]\"", "f.conf:1: UserShares: no ']' after the shares in '[u, 1 2]'" },
	{ LSF "\"[u, 0]\"", "f.conf:1: UserShares: the shares in '[u, 0]' must be an integer" },
	{ LSF "\"[u, -3]\"", "f.conf:1: UserShares: the shares in '[u, -3]' must be an integer" },
	{ LSF "\"[u, 1.5]\"", "f.conf:1: UserShares: the shares in '[u, 1.5]' must be an" },
	{ LSF "\"[u, 4294967295]\"", "f.conf:1: UserShares: the shares in '[u, 4294967295]'" },
	{ LSF "\"[all, 1]\"", "f.conf:1: UserShares: 'all' cannot have shares; 'default' gives" },
	{ LSF "\"[g@, 1]\"", "f.conf:1: UserShares: [g@, 1]: there is no group of this name" },
	{ LSF "\"[u, 1] [u, 2]\"", "f.conf:1: UserShares: 'u' has shares twice" },
	{ "\nScope=q Partitions=p Policy=fcfs UserShares=\"[u, 1]\"",
	  "f.conf:2: UserShares: policy fcfs of scope 'q' has no such setting" },
	{ "Scope=q Partitions=p UserShares=\"[u, 1]\"\nPolicy=fair-tree",
	  "f.conf:1: UserShares: policy fair-tree of scope 'q' has no such setting" },
	{ "UserShares=\"[u, 1]\"", "f.conf:1: UserShares: must be on a line that begins with" },
	{ "Members=u", "f.conf:1: Members: must be on a line that begins with UserGroup=" },
	{ "UserGroup=g", "f.conf:1: UserGroup: 'g' has no Members on this line" },
	{ "UserGroup=g Members=\" \"", "f.conf:1: UserGroup: 'g' has no Members on this line" },
	{ "UserGroup=g Members=\"u,v\"", "f.conf:1: Members: 'u,v' must be names of users and" },
	{ "UserGroup=g Members=u Shares=3", "f.conf:1: Shares: is not a key of a user group" },
	{ "UserGroup=all Members=u", "f.conf:1: UserGroup: 'all' is reserved" },
	{ "UserGroup=others Members=u", "f.conf:1: UserGroup: 'others' is reserved" },
	{ "UserGroup=g@ Members=u", "f.conf:1: UserGroup: 'g@' must be a name without blanks" },
	{ "UserGroup=g Members=u\nUserGroup=h Members=u\nUserGroup=g Members=v",
	  "f.conf:3: UserGroup: 'g' is already defined on line 1" },
	{ "UserGroup=g Members=g", "f.conf:1: Members: group 'g' is in a circle: its member 'g'" },
	{ "UserGroup=g Members=\"u h\"\nUserGroup=h Members=i\nUserGroup=i Members=\"v g\"",
	  "f.conf:3: Members: group 'i' is in a circle: its member 'g' contains it" },
	{ "UserGroup=h Members=g\nUserGroup=g Members=u UserShares=\"[v, 1]\"",
	  "f.conf:2: UserShares: 'v' has shares in group 'g', must be a member of it" },
	{ "UserGroup=g Members=u UserShares=\"[h@, 1]\"",
	  "f.conf:1: UserShares: [h@, 1]: there is no group of this name" },
	{ "Scope=", "f.conf:1: Scope: no value" },
	{ "Scope=a", "f.conf:1: Scope: 'a' has no Partitions" },
	{ "Scope=a123456789b123456789c123456789d123456789e123456789f123456789g123456789h123456789"
	  "i123456789j123456789k", "f.conf:1: Scope: longer than 100 characters" },
	{ "Scope=a Partitions=p\nScope=b", "f.conf:2: Scope: 'b' has no Partitions" },
	{ "Scope=a\nPartitions=p",
	  "f.conf:2: Partitions: must be on a line that begins with Scope=" },
	{ "CalcPeriod=30 Scope=a Partitions=p",
	  "f.conf:1: Scope: must be the first key of its line" },
	{ "Scope=a Scope=b Partitions=p", "f.conf:1: Scope: must be the first key" },
	{ "Scope=a SlotPool=b", "f.conf:1: SlotPool: must be the first key" },
	{ "Scope=a Partitions=p CalcPeriod=30",
	  "f.conf:1: CalcPeriod: is neither a key of a scope nor" },
	{ "Scope=a Partitions=p Slots=30", "f.conf:1: Slots: is neither a key of a scope nor" },
	{ "Scope=a Partitions=p,,q", "f.conf:1: Partitions: an empty name in 'p,,q'" },
	{ "Scope=a Partitions=,", "f.conf:1: Partitions: an empty name in ','" },
	{ "Scope=a Partitions=p,", "f.conf:1: Partitions: an empty name in 'p,'" },
	{ "Scope=a Partitions=\"p q\"", "f.conf:1: Partitions: no ',' before 'q'" },
	{ "Scope=a Partitions=p,q,p",
	  "f.conf:1: Partitions: 'p' is in scope 'a' (line 1) already" },
	{ "Scope=a Partitions=p,q\n\nScope=b Partitions=r,q",
	  "f.conf:3: Partitions: 'q' is in scope 'a' (line 1) already, must be named once" },
	{ "Scope=a Partitions=p,q MasterQueue=p\nScope=b Partitions=q,r MasterQueue=r",
	  "f.conf:2: Partitions: 'q' is in scope 'a' (line 1) already, must be named once" },
	{ "Scope=a Partitions=p\nScope=a Partitions=q",
	  "f.conf:2: Scope: 'a' is already defined on line 1" },
	{ "Scope=a Partitions=p Kind=host",
	  "f.conf:1: Kind: 'host' is unknown, must be one of queue, cross" },
	{ "Scope=a Partitions=p,q Kind=cross-queue",
	  "f.conf:1: Kind: scope 'a' has no MasterQueue" },
	{ "Scope=a Partitions=p,q MasterQueue=r",
	  "f.conf:1: MasterQueue: 'r' is not among Partitions" },
	{ "Scope=a Partitions=p MasterQueue=p",
	  "f.conf:1: Partitions: cross-queue scope 'a' has only one" },
	{ "Scope=a Partitions=p,q MasterQueue=p Kind=queue",
	  "f.conf:1: MasterQueue: scope 'a' is of kind queue, must be cross-queue" },
	{ "Scope=a Partitions=p,q MasterQueue=p Kind=host-partition",
	  "f.conf:1: MasterQueue: scope 'a' is of kind host-partition" },
	{ "Scope=a Partitions=p,q DispatchOrder=QUEUE",
	  "f.conf:1: DispatchOrder: scope 'a' is of kind queue" },
	{ "Scope=a Partitions=p DispatchOrder=fifo",
	  "f.conf:1: DispatchOrder: 'fifo' is unknown, must be one of user, queue" },
	{ "Scope=a Partitions=p Policy=lottery", "f.conf:1: Policy: 'lottery' is unknown" },
	{ "Scope=a Partitions=p RunJobFactor=-1 Policy=lsf",
	  "f.conf:1: RunJobFactor: -1 is out of range" },
	{ "Scope=a RunJobFactor=3 Partitions=p Policy=classic",
	  "f.conf:1: RunJobFactor: policy classic of scope 'a' has no such setting" },
	{ "Scope=a RunJobFactor=3 Partitions=p\nPolicy=classic",
	  "f.conf:1: RunJobFactor: policy classic of scope 'a' has no such setting" },
	{ "Scope=a Partitions=p Kind=host-partition\nScope=b Partitions=q",
	  "f.conf:2: Scope: 'b' is of kind queue, and 'a' (line 1) of kind host-partition" },
	{ "Scope=b Partitions=q,r MasterQueue=q\nScope=a Partitions=p Kind=host-partition",
	  "f.conf:2: Scope: 'a' is of kind host-partition, and 'b' (line 1) of kind cross-queue" },
	{ "Scope=a Hosts=n[1-", "f.conf:1: Hosts: 'n[1-' has a '[' without ']'" },
	{ "Scope=a Hosts=\"n1 ~\"", "f.conf:1: Hosts: no name of a host after '~'" },
	{ "Scope=a Hosts=\"n1 ~all\"", "f.conf:1: Hosts: no name of a host after '~'" },
	{ "Scope=a Hosts=~n4", "f.conf:1: Hosts: no host in '~n4', must name hosts or all" },
	{ "Scope=a Hosts=\"n1 ~n1\"", "f.conf:1: Hosts: no host in 'n1 ~n1', must name hosts or "
	  "all" },
	{ "Scope=a Hosts=,", "f.conf:1: Hosts: no host in ',', must name hosts or all" },
	{ "Scope=a Hosts=n1 Partitions=p", "f.conf:1: Hosts: scope 'a' also has Partitions, "
	  "must have only one of them" },
	{ "Scope=a Partitions=p OtherHosts=policy", "f.conf:1: Scope: 'a' has HostRule or "
	  "OtherHosts, which must be on the first line of a scope with Hosts" },
	{ "Scope=a Hosts=n1\nScope=b Hosts=n2 HostRule=best", "f.conf:2: Scope: 'b' has HostRule "
	  "or OtherHosts, which must be on the first line of a scope with Hosts" },
	{ "Scope=a Hosts=n1 HostRule=last", "f.conf:1: HostRule: 'last'" },
	{ "Scope=a Hosts=n1 OtherHosts=lsf", "f.conf:1: OtherHosts: 'lsf'" },
	{ "Scope=a Hosts=n1 Kind=queue", "f.conf:1: Hosts: scope 'a' is of kind queue, must be "
	  "host-partition to have hosts" },
	{ "Scope=a Hosts=n1 MasterQueue=p", "f.conf:1: MasterQueue: scope 'a' is of kind "
	  "host-partition, must be cross-queue" },
	{ "Scope=a Hosts=n[1-4]\n\nScope=b Hosts=\"m n[3-5]\"",
	  "f.conf:3: Hosts: 'n3' is in scope 'a' (line 1) already, must be in one host partition" },
	{ "Scope=a Hosts=n[1-4]\nScope=b Hosts=all",
	  "f.conf:2: Hosts: 'n1' is in scope 'a' (line 1) already" },
	{ "Scope=a Hosts=\"all ~n[1-3]\"\nScope=b Hosts=n[1-4]",
	  "f.conf:2: Hosts: 'n4' is in scope 'a' (line 1) already" },
	{ "Scope=a Hosts=\"all ~n1\"\nScope=b Hosts=\"all ~n2\"",
	  "f.conf:2: Hosts: 'all' is in scope 'a' (line 1) already" },
	{ "Scope=a Hosts=n1\nScope=b Partitions=p Kind=host-partition",
	  "f.conf:2: Scope: 'b' has Partitions, and 'a' (line 1) has Hosts; all scopes or none "
	  "must have Hosts" },
	{ "Scope=b Partitions=p\nScope=a Hosts=n1",
	  "f.conf:2: Scope: 'a' is of kind host-partition, and 'b' (line 1) of kind queue" },
	{ "SlotPool=x", "f.conf:1: SlotPool: 'x' has no Partition on this line" },
	{ "SlotPool=x Partition=p", "f.conf:1: SlotPool: 'x' has no SlotShare on this line" },
	{ "SlotPool=x Partition=p SlotShare=0",
	  "f.conf:1: SlotShare: 0 is out of range, must be greater than 0" },
	{ "SlotPool=x Partition=p SlotShare=100.5", "f.conf:1: SlotShare: 100.5 is out of range" },
	{ "SlotPool=x Partition=p SlotShare=half", "f.conf:1: SlotShare: 'half' is not a number" },
	{ "SlotPool=x Partition=p SlotShare=50 Policy=lsf",
	  "f.conf:1: Policy: is not a key of a slot pool" },
	{ "SlotPool=x Partition=p SlotShare=50 MaxSlotsInPool=0",
	  "f.conf:1: MaxSlotsInPool: 0 is out" },
	{ "SlotPool=x Partition=p SlotShare=50 MaxSlotsInPool=1.5",
	  "f.conf:1: MaxSlotsInPool: 1.5 is not a whole" },
	{ "SlotPool=x Partition=p SlotShare=50 UsePriorityInPool=2",
	  "f.conf:1: UsePriorityInPool: '2' is neither" },
	{ "SlotPool=x Partition=p SlotShare=50\nSlotPool=y Partition=p SlotShare=50",
	  "f.conf:2: Partition: 'p' is in pool 'x' (line 1) already, must be named once" },
	{ "SlotPool=x Partition=p SlotShare=50\nSlotPool=x Partition=q SlotShare=50 "
	  "MaxSlotsInPool=9",
	  "f.conf:2: MaxSlotsInPool: must be on the first line of pool 'x', line 1" },
	{ "SlotPool=x Partition=p SlotShare=50\nSlotPool=x Partition=q SlotShare=50 "
	  "UsePriorityInPool=yes",
	  "f.conf:2: UsePriorityInPool: must be on the first line of pool 'x', line 1" },
	{ "SlotShare=50", "f.conf:1: SlotShare: must be on a line that begins with SlotPool=" },
	{ "SlotPool=x Partition=p SlotShare=50\nScope=a Partitions=q,p MasterQueue=q",
	  "f.conf:1: Partition: 'p' is in scope 'a' (line 2) of kind cross-queue" },
	{ "Scope=a Partitions=p Kind=host-partition\nSlotPool=x Partition=p SlotShare=50",
	  "f.conf:2: Partition: 'p' is in scope 'a' (line 1) of kind host-partition" },
	{ "FormulaScale=high", "f.conf:1: FormulaScale: 'high' is not a number" },
	{ "Ajust=memory:2", "f.conf:1: Ajust: unknown key; did you mean Adjust?" },
	{ "Adjust=", "f.conf:1: Adjust: no value" },
	{ "SlotMemory=0", "f.conf:1: SlotMemory: 0 is out of range, must be greater than 0" },
	{ "\nSlotMemory=4G", "f.conf:2: SlotMemory: '4G' is not a number; for example 4096" },
	{ "BankPriority=a", "f.conf:1: BankPriority: 'a' is not NAME:PRIORITY, such as" },
	{ "BankPriority=:5", "f.conf:1: BankPriority: ':5' is not NAME:PRIORITY" },
	{ "BankPriority=a:1,,b:2", "f.conf:1: BankPriority: '' is not NAME:PRIORITY" },
	{ "BankPriority=a:1,", "f.conf:1: BankPriority: '' is not NAME:PRIORITY" },
	{ "BankPriority=a:,b:2", "f.conf:1: BankPriority: 'a:' has a priority that is not a" },
	{ "\nBankPriority=a:1,b:low,c:2",
	  "f.conf:2: BankPriority: 'b:low' has a priority that is not a number; for example" },
	{ "BankPriority=a:5x", "f.conf:1: BankPriority: 'a:5x' has a priority that is not a" },
	{ "BankPriority=\"a:5 b:6\"", "f.conf:1: BankPriority: no ',' before 'b:6'" },
	{ "BankPriority=a:-5e9", "f.conf:1: BankPriority: 'a:-5e9' has a priority out of range" },
	{ "BankPriority=b:1,A:1\n\nBankPriority=c:3 BankPriority=a:2",
	  "f.conf:3: BankPriority: 'a' is on line 1 already, must be named once" },
	{ "BankPriorty=a:1", "f.conf:1: BankPriorty: unknown key; did you mean BankPriority" },
	{ "ResourceGroup=bob", "f.conf:1: ResourceGroup: must be \"NAME PARENT SHARES\", such as" },
	{ "ResourceGroup=\"bob root\"", "f.conf:1: ResourceGroup: must be \"NAME PARENT" },
	{ "ResourceGroup=\"bob root 1 2\"", "f.conf:1: ResourceGroup: must be \"NAME PARENT" },
	{ "ResourceGroup=\"bob root x\"", "f.conf:1: ResourceGroup: must be \"NAME PARENT" },
	{ "ResourceGroup=\"bob root 1.5\"", "f.conf:1: ResourceGroup: shares are 1.5, must be an" },
	{ "ResourceGroup=\"bob root -1\"", "f.conf:1: ResourceGroup: shares are -1, must be an" },
	{ "ResourceGroup=\"root root 1\"", "f.conf:1: ResourceGroup: 'root' is reserved; must be" },
	{ "\nResourceGroup=\"unknown root 1\"", "f.conf:2: ResourceGroup: 'unknown' is reserved" },
	{ "ResourceGroup=\"bob grp 1\"\nResourceGroup=\"grp root 1\"",
	  "f.conf:1: ResourceGroup: 'bob' has the parent 'grp', must be root or a name of an" },
	{ "ResourceGroup=\"bob root 1\"\nResourceGroup=\"bob root 2\"",
	  "f.conf:2: ResourceGroup: 'bob' is on line 1 already, must be named once" },
	{ "Scope=a Partitions=p SlotMemory=4",
	  "f.conf:1: SlotMemory: is neither a key of a scope" },
};

TEST_EACH(wrong_file_names_line_and_key_and_changes_nothing, wrong_files)
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

TEST(what_a_file_no_longer_says_is_standard_again)
{
	struct fathom_conf conf = conf_standard();

	ck_assert_int_eq(conf_parse_text(&conf, "f.conf", "CalcPeriod=77 Policy=classic", NULL), 0);
	ck_assert_int_eq(conf_parse_text(&conf, "f.conf", "TieMode=flux", NULL), 0);
	ck_assert(conf.value[CONF_CALC_PERIOD] == 300);
	ck_assert(!conf.given[CONF_CALC_PERIOD]);
	ck_assert_ptr_null(conf_policy(&conf));
}

TEST_LOOP(general_setting_is_complete, CONF_SETTING_COUNT)
{
	const struct fathom_setting *setting = conf_setting((enum conf_setting)_i);

	ck_assert(setting->name && setting->unit && setting->meaning && *setting->meaning);
	/* a policy's setting of that name could never be reached */
	for (size_t i = 0; i < fathom_policy_count(); i++)
		for (size_t j = 0; j < fathom_policy_setting_count(fathom_policy_at(i)); j++)
			ck_assert(!fathom_setting_named(
				fathom_policy_setting(fathom_policy_at(i), j), setting->name));
}

/* A value of the setting's type, other than the standard one where that can be. */
static const char *value_for(const struct fathom_setting *setting)
{
	static const char *const values[] = {
		[FATHOM_NUMBER] = "0.25", [FATHOM_SWITCH] = "yes", [FATHOM_DURATION] = "2h",
		[FATHOM_INTEGER] = "7", [FATHOM_FORMULA] = "ncpus*walltime",
	};

	return setting->type == FATHOM_CHOICE ? setting->choices[1] : values[setting->type];
}

/* The tables of policies are the only list of keys. */
TEST_LOOP(every_setting_of_a_policy_is_a_key, fathom_policy_count())
{
	const struct fathom_policy *policy = fathom_policy_at((size_t)_i);
	struct fathom_error error = { 0 };
	char name[64], text[128];

	for (size_t i = 0; i < fathom_policy_setting_count(policy); i++) {
		const struct fathom_setting *setting = fathom_policy_setting(policy, i);
		struct fathom_settings settings = fathom_settings_standard(policy);
		struct fathom_conf conf = conf_standard();
		const bool *given;

		fathom_setting_camel_case(setting, name, sizeof(name));
		ck_assert(!fathom_settings_set(policy, &settings, setting->name,
					       value_for(setting), &error));
		snprintf(text, sizeof(text), "%s=%s", name, value_for(setting));
		ck_assert_msg(!conf_parse_text(&conf, "f.conf", text, &error), "%s", error.text);
		ck_assert_mem_eq(conf_policy_settings(&conf, policy, &given), &settings,
				 sizeof(settings));
		ck_assert_msg(given[i], "%s", text);

		snprintf(text, sizeof(text), "%s=~", name);
		ck_assert_msg(conf_parse_text(&conf, "f.conf", text, &error) == -1, "%s", text);
		snprintf(text, sizeof(text), "f.conf:1: %s: '~' ", name);
		ck_assert_msg(!strncmp(error.text, text, strlen(text)), "%s", error.text);
	}
}

TEST(every_policy_has_a_place)
{
	ck_assert_uint_le(fathom_policy_count(), FATHOM_MAX_POLICIES);
}

TEST(text_and_shadow_policy_are_kept)
{
	struct fathom_conf conf = conf_standard();
	struct fathom_error error = { 0 };
	char text[CONF_PATH_SIZE + 32];

	ck_assert_ptr_null(conf_shadow_policy(&conf));
	ck_assert_int_eq(conf_parse_text(&conf, "f.conf", "ShadowPolicy=LSF HalfLife=0\n"
					 "FiguresFile=\"a b/fathom.json\"", &error), 0);
	ck_assert_ptr_eq(conf_shadow_policy(&conf), fathom_policy_find("lsf"));
	ck_assert_ptr_null(conf_policy(&conf));
	ck_assert(conf.given[CONF_HALF_LIFE] && conf.value[CONF_HALF_LIFE] == 0);
	ck_assert_uint_eq(conf.line[CONF_HALF_LIFE], 1);
	ck_assert_str_eq(conf.figures_file, "a b/fathom.json");
	ck_assert_uint_eq(conf.line[CONF_FIGURES_FILE], 2);
	ck_assert(!*conf.formula);

	snprintf(text, sizeof(text), "FiguresFile=%0*d", CONF_PATH_SIZE, 0);
	ck_assert_int_eq(conf_parse_text(&conf, "f.conf", text, &error), -1);
	ck_assert_str_eq(error.text, "f.conf:1: FiguresFile: longer than 4095 characters");
	ck_assert_int_eq(conf_parse_text(&conf, "f.conf", "HalfLife=7d", &error), 0);
	ck_assert(conf.value[CONF_HALF_LIFE] == 604800 && !*conf.figures_file);
	ck_assert_int_eq(conf_parse_text(&conf, "f.conf", "FiguresMode=640", &error), 0);
	ck_assert(conf.value[CONF_FIGURES_MODE] == 0640);
}

/* What a text must say of its last scope. */
static const struct {
	const char *text;
	unsigned line;
	enum conf_scope_kind kind;
	size_t partitions;
	const char *last_partition, *master_queue, *policy;
	bool queue_first;
} scopes[] = {
	{ "Scope=gpu Partitions=gpu", 1, CONF_QUEUE, 1, "gpu", NULL, NULL, false },
	{ "\nScope=gpu Partitions=gpu,gpu-long Policy=fair-tree # x", 2, CONF_QUEUE, 2, "gpu-long",
	  NULL, "fair-tree", false },
	{ "scope=gpu partitions=\" a , b \" kind=Queue", 1, CONF_QUEUE, 2, "b", NULL, NULL, false },
	{ "Scope=s Partitions=a,b MasterQueue=b", 1, CONF_CROSS_QUEUE, 2, "b", "b", NULL, false },
	{ "Scope=s MasterQueue=a Kind=cross-queue \\\n Partitions=a,b,c DispatchOrder=queue", 1,
	  CONF_CROSS_QUEUE, 3, "c", "a", NULL, true },
	{ "Scope=s Partitions=a,b MasterQueue=b DispatchOrder=USER", 1, CONF_CROSS_QUEUE, 2, "b",
	  "b",
	  NULL, false },
	{ "Scope=h1 Partitions=z Kind=host-partition\n"
	  "Scope=h2 Partitions=y,x KIND=HOST-PARTITION Policy=lsf RunJobFactor=9", 2,
	  CONF_HOST_PARTITION, 2, "x", NULL, "lsf", false },
	{ "Scope=s Partitions=a,b,c Partitions=d", 1, CONF_QUEUE, 1, "d", NULL, NULL, false },
	{ "Scope=s Partitions=a DampeningFactor=2 RunJobFactor=3", 1, CONF_QUEUE, 1, "a", NULL,
	  NULL,
	  false },
};

TEST_EACH(scope_is_read, scopes)
{
	struct fathom_conf conf = conf_standard();
	struct fathom_error error = { 0 };
	const struct conf_scope *scope;

	ck_assert_msg(!conf_parse_text(&conf, "f.conf", scopes[_i].text, &error), "%s", error.text);
	ck_assert_uint_ge(conf.scope_count, 1);
	scope = &conf.scope[conf.scope_count - 1];
	ck_assert_uint_eq(scope->line, scopes[_i].line);
	ck_assert_int_eq(scope->kind, scopes[_i].kind);
	ck_assert_uint_eq(scope->partition_count, scopes[_i].partitions);
	ck_assert_str_eq(scope->partition[scope->partition_count - 1], scopes[_i].last_partition);
	ck_assert_pstr_eq(scope->master_queue, scopes[_i].master_queue);
	ck_assert_pstr_eq(scope->policy ? fathom_policy_name(scope->policy) : NULL,
			  scopes[_i].policy);
	ck_assert_int_eq(scope->queue_first, scopes[_i].queue_first);
	/* none of it is for all */
	ck_assert_ptr_null(conf_policy(&conf));
	conf_clear(&conf);
	ck_assert_uint_eq(conf.scope_count, 0);
}

/* Which of n1 to n5 a scope has. */
static const struct { const char *hosts, *has, *needless; } hosts[] = {
	{ "n2", "n2", NULL },
	{ "n[1-3]", "n1 n2 n3", NULL },
	{ "\"n[1-4] ~n3\"", "n1 n2 n4", NULL },
	{ "\"~n[2-3] n4 n[1-3] n1\"", "n1 n4", NULL },
	{ "n[1-3],n5", "n1 n2 n3 n5", NULL },
	{ "all", "n1 n2 n3 n4 n5", NULL },
	{ "\"all ~n[2-4]\"", "n1 n5", NULL },
	{ "\"n1 all\"", "n1 n2 n3 n4 n5", NULL },
	{ "n1 Hosts=n3", "n3", NULL },
	{ "\"n1 n2 ~n3\"", "n1 n2", "n3" },
	{ "\"~n[3-5] n[1-4]\"", "n1 n2", "n5" },
	{ "\"n1 ~n3\" Hosts=\"n1 n3 ~n3\"", "n1", NULL },
};

TEST_EACH(scope_has_these_hosts, hosts)
{
	struct fathom_conf conf = conf_standard();
	struct fathom_error error = { 0 };
	char text[128], has[64] = "", name[] = "n1";

	snprintf(text, sizeof(text), "Scope=h1 Hosts=%s Policy=lsf", hosts[_i].hosts);
	ck_assert_msg(!conf_parse_text(&conf, "f.conf", text, &error), "%s", error.text);
	ck_assert_int_eq(conf.scope->kind, CONF_HOST_PARTITION);
	ck_assert_uint_eq(conf.scope->partition_count, 0);
	for (; name[1] <= '5'; name[1]++)
		if (conf_hosts_have(&conf.scope->hosts, name))
			sprintf(has + strlen(has), "%s%s", *has ? " " : "", name);
	ck_assert_str_eq(has, hosts[_i].has);
	ck_assert_pstr_eq(conf.scope->hosts.needless.count ? *conf.scope->hosts.needless.name
							   : NULL, hosts[_i].needless);
	conf_clear(&conf);
}

static const struct { const char *text; double users; } metrics_users[] = {
	{ "", 0 }, { "MetricsUsers=no", 0 }, { "MetricsUsers=top:1", 1 },
	{ "MetricsUsers=top:020", 20 }, { "MetricsUsers=all", INFINITY },
};

TEST_EACH(users_of_metrics_are_none_some_or_all, metrics_users)
{
	struct fathom_conf conf = conf_standard();
	struct fathom_error error;

	ck_assert_int_eq(conf_parse_text(&conf, "f.conf", metrics_users[_i].text, &error), 0);
	ck_assert_double_eq(conf.value[CONF_METRICS_USERS], metrics_users[_i].users);
	ck_assert_double_eq(conf.value[CONF_METRICS_MODE], 0640);
	conf_clear(&conf);
}

TEST(hosts_that_all_excludes_may_be_in_another_scope)
{
	struct fathom_conf conf = conf_standard();
	struct fathom_error error = { 0 };

	ck_assert_msg(!conf_parse_text(&conf, "f.conf", "Scope=a Hosts=\"all ~n[1-4]\"\n"
				       "Scope=b Hosts=n[1-2] Kind=host-partition\n"
				       "Scope=c Hosts=n4", &error), "%s", error.text);
	ck_assert_uint_eq(conf.scope_count, 3);
	ck_assert_str_eq(conf.scope->hosts.text, "all ~n[1-4]");
	conf_clear(&conf);
}

TEST(scope_has_its_own_settings_and_else_those_for_all)
{
	struct fathom_conf conf = conf_standard();
	const struct fathom_policy *lsf = fathom_policy_find("lsf");
	const struct fathom_policy *pbs = fathom_policy_find("pbs");
	const struct conf_slurm slurm = { .has_fair_tree = true };
	struct fathom_settings settings;

	ck_assert_int_eq(conf_parse_text(&conf, "f.conf",
					 "Scope=a Partitions=p Policy=lsf RunTimeFactor=2\n"
					 "Scope=b Partitions=q Policy=pbs FairshareUsageRes=ncpus\n"
					 "RunTimeFactor=5 RunJobFactor=6 CpuTimeFactor=7\n", NULL),
					 0);
	settings = conf_scope_settings(&conf, &slurm, &conf.scope[0], lsf);
	ck_assert(settings.value[0] == 7 && settings.value[1] == 2 && settings.value[2] == 6);
	ck_assert(conf_policy_settings(&conf, lsf, NULL)->value[1] == 5);
	settings = conf_scope_settings(&conf, &slurm, &conf.scope[1], lsf);
	ck_assert(settings.value[1] == 5);
	settings = conf_scope_settings(&conf, &slurm, &conf.scope[1], pbs);
	ck_assert_str_eq(settings.formula, "ncpus");
	ck_assert_str_eq(conf_policy_settings(&conf, pbs, NULL)->formula, "cput");
	conf_clear(&conf);
}

static const struct {
	const char *text;
	struct conf_slurm slurm;
	const char *policy;
} in_force[] = {
	{ "", { .has_fair_tree = true }, "fair-tree" },
	{ "", { .has_depth_oblivious = true }, "depth-oblivious" },
	{ "", { .has_fair_tree = true, .has_depth_oblivious = true }, "fair-tree" },
	{ "", { false }, "classic" },
	{ "ShadowPolicy=pbs", { false }, "classic" },
	{ "Policy=pbs", { .has_fair_tree = true }, "pbs" },
	{ "Policy=fair-tree", { false }, "fair-tree" },
};

TEST_EACH(policy_of_the_file_goes_before_that_of_the_flags, in_force)
{
	struct fathom_conf conf = conf_standard();

	ck_assert_int_eq(conf_parse_text(&conf, "f.conf", in_force[_i].text, NULL), 0);
	ck_assert_str_eq(fathom_policy_name(conf_policy_in_force(&conf, &in_force[_i].slurm)),
			 in_force[_i].policy);
}

/* 1/3 has no short decimal: what is set is the number itself. */
static const struct {
	const char *text;
	double of_slurm, of_all, of_scope;
} dampening[] = {
	{ "Scope=a Partitions=p", 0, 1, 1 },
	{ "Scope=a Partitions=p", 1. / 3, 1. / 3, 1. / 3 },
	{ "DampeningFactor=2.5\nScope=a Partitions=p", 4, 2.5, 2.5 },
	{ "Scope=a Partitions=p DampeningFactor=3", 4, 4, 3 },
	{ "DampeningFactor=2\nScope=a Partitions=p DampeningFactor=3", 4, 2, 3 },
};

TEST_EACH(dampening_factor_is_the_nearest_one_given, dampening)
{
	const struct conf_slurm slurm = { .dampening_factor = dampening[_i].of_slurm };
	struct fathom_conf conf = conf_standard();

	ck_assert_int_eq(conf_parse_text(&conf, "f.conf", dampening[_i].text, NULL), 0);
	ck_assert(conf_dampening_factor(&conf, &slurm) == dampening[_i].of_all);
	for (size_t i = 0; i < fathom_policy_count(); i++) {
		const struct fathom_policy *policy = fathom_policy_at(i);
		size_t factor = policy_setting_with(policy, SETTING_DAMPENING_FACTOR);

		if (factor == POLICY_HAS_NONE)
			continue;
		ck_assert(conf_settings(&conf, &slurm, policy).value[factor] ==
			  dampening[_i].of_all);
		ck_assert(conf_scope_settings(&conf, &slurm, &conf.scope[0], policy)
				  .value[factor] == dampening[_i].of_scope);
	}
	conf_clear(&conf);
}

TEST(banks_have_priorities_of_either_sign)
{
	struct fathom_conf conf = conf_standard();

	ck_assert_int_eq(conf_parse_text(&conf, "f.conf",
					 "Policy=flux BankPriority=C:-5,A:300\n"
					 "BankPriority=\" B:1e2 , d:.5\" BankWeight=10", NULL), 0);
	ck_assert(conf_banks_priority(&conf.banks, "A", 7) == 300);
	ck_assert(conf_banks_priority(&conf.banks, "B", 7) == 100);
	ck_assert(conf_banks_priority(&conf.banks, "C", 7) == -5);
	ck_assert(conf_banks_priority(&conf.banks, "c", 7) == -5);	/* as Slurm writes it */
	ck_assert(conf_banks_priority(&conf.banks, "d", 7) == .5);
	ck_assert(conf_banks_priority(&conf.banks, "e", 7) == 7);
	ck_assert(conf_banks_priority(&conf.banks, NULL, 7) == 7);
	ck_assert(conf.given[CONF_BANK_PRIORITY] && conf.line[CONF_BANK_PRIORITY] == 2);
	conf_clear(&conf);
	ck_assert(conf_banks_priority(&conf.banks, "A", 7) == 7);
}

TEST(resource_group_is_read)
{
	struct fathom_conf conf = conf_standard();
	const struct entity_row *row;

	ck_assert_int_eq(conf_parse_text(&conf, "f.conf",
					 "ResourceGroup=\"grp1 TREEROOT 60\"\n"
					 "Policy=pbs ResourceGroup=\" bob\tgrp1  30 \"\n"
					 "ResourceGroup=\"tom unknown 2\"", NULL), 0);
	ck_assert_uint_eq(conf.resources.count, 3);
	row = conf.resources.row;
	ck_assert_str_eq(row[0].name, "grp1");
	ck_assert_str_eq(row[0].parent, "root");
	ck_assert_str_eq(row[1].name, "bob");
	ck_assert_str_eq(row[1].parent, "grp1");
	ck_assert(row[0].shares == 60 && row[1].shares == 30 && row[2].shares == 2);
	ck_assert_uint_eq(conf.resources.line[1], 2);
	conf_clear(&conf);
	ck_assert_uint_eq(conf.resources.count, 0);
}

/* The groups come behind their members, whatever the order of the lines. */
TEST(user_shares_are_read)
{
	struct fathom_conf conf = conf_standard();
	struct fathom_error error = { .text = "" };
	struct fathom_user_shares given;

	ck_assert_msg(!conf_parse_text(&conf, "f.conf",
		"Scope=q1 Partitions=p1 Policy=lsf UserShares=\"[u1, 10] [ g1@ ,5][default, 1]\"\n"
		"UserGroup=g1 Members=\"u2 u3 g2\" UserShares=\"[u2, 2] [others, 1]\"\n"
		"UserGroup=g2 Members=u4\n"
		"UserGroup=unused Members=all UserShares=\"[default, 3]\"\n"
		"UserGroup=nobody Members=none\n", &error), "%s", error.text);
	ck_assert_str_eq(conf.scope[0].user_shares, "[u1, 10] [ g1@ ,5][default, 1]");
	given = conf_user_shares(&conf.scope[0].assignments, &conf.user_groups);
	ck_assert_uint_eq(given.assignment_count, 3);
	ck_assert_str_eq(given.assignment[1].name, "g1@");
	ck_assert_uint_eq(given.assignment[1].shares, 5);
	ck_assert_uint_eq(given.group_count, 4);
	ck_assert_str_eq(given.group[0].name, "g2");
	ck_assert_str_eq(given.group[3].name, "nobody");
	ck_assert_uint_eq(given.group[3].member_count, 0);
	ck_assert_uint_eq(conf.user_groups.line[0], 3);
	ck_assert_str_eq(given.group[1].name, "g1");
	ck_assert_uint_eq(given.group[1].member_count, 3);
	ck_assert_str_eq(given.group[1].member[2], "g2");
	ck_assert_uint_eq(given.group[1].assignment_count, 2);
	ck_assert_str_eq(given.group[1].assignment[1].name, "others");
	ck_assert_str_eq(given.group[2].name, "unused");
	conf_clear(&conf);
	ck_assert_uint_eq(conf.user_groups.count, 0);
}

TEST(global_share_is_read)
{
	struct fathom_conf conf = conf_standard();
	struct fathom_error error = { .text = "" };
	const struct conf_global_share *kit;

	ck_assert_msg(!conf_parse_text(&conf, "f.conf",
		"UsageFile=own.json\n"
		"GlobalShare=kit Source=/a/kit.json Weight=0.5 MaxAge=2h Map=phys:physics,x:y\n"
		"GlobalShare=tux Source=/tux.json\n", &error), "%s", error.text);
	ck_assert_str_eq(conf.usage_file, "own.json");
	ck_assert_uint_eq(conf.global.count, 2);
	ck_assert_uint_eq(conf.global.fault_count, 0);
	kit = &conf.global.share[0];
	ck_assert_str_eq(kit->cluster, "kit");
	ck_assert_str_eq(kit->source, "/a/kit.json");
	ck_assert_double_eq_tol(kit->weight, .5, 1e-12);
	ck_assert_double_eq_tol(kit->max_age, 7200, 1e-12);
	ck_assert_str_eq(conf_global_account(kit, "phys"), "physics");
	ck_assert_str_eq(conf_global_account(kit, "other"), "other");
	ck_assert_double_eq_tol(conf.global.share[1].weight, 1, 1e-12);
	ck_assert_double_eq_tol(conf.global.share[1].max_age, 86400, 1e-12);
	conf_clear(&conf);
	ck_assert_uint_eq(conf.global.count, 0);
}

static const struct { const char *line, *fault; unsigned at; } voids[] = {
	{ "GlobalShare=a", "GlobalShare: 'a' has no Source on this line, must name its UsageFile",
	  2 },
	{ "GlobalShare=", "GlobalShare: no value, must be Key=Value", 2 },
	{ "GlobalShare=a/b Source=/a", "GlobalShare: 'a/b' is not the name of a cluster, must be "
	  "the ClusterName of another one", 2 },
	{ "GlobalShare=a Source=a.json", "Source: 'a.json' is neither slurmdbd nor an absolute "
	  "path, must be the other cluster's UsageFile such as /shared/tux.json", 2 },
	{ "GlobalShare=a Source=Slurmdbd", "Source: 'Slurmdbd' is neither slurmdbd nor an ", 2 },
	{ "GlobalShare=a Source=/a Weight=0", "Weight: ", 2 },
	{ "GlobalShare=a Source=/a Weight=x", "Weight: ", 2 },
	{ "GlobalShare=a \\\n Source=/a \\\n MaxAge=x", "MaxAge: ", 4 },
	{ "GlobalShare=a Source=/a Map=x", "Map: 'x' is no pair, must be THERE:HERE, an account of "
	  "a and one of this cluster", 2 },
	{ "GlobalShare=a Source=/a Map=x:y,:z", "Map: ':z' is no pair", 2 },
	{ "GlobalShare=a Source=/a Map=x:y,x:z", "Map: 'x' is mapped twice", 2 },
	{ "GlobalShare=a Source=/a Wight=2", "Wight: is not a key of a GlobalShare line", 2 },
	{ "GlobalShare=a Source=/a Policy", "Policy: no '=' after it", 2 },
	{ "GlobalShare=a Source=/a Scope=x", "Scope: must be the first key of its line", 2 },
	{ "GlobalShare=TUX Source=/a", "GlobalShare: 'tux' is on line 1 already, must have one "
	  "line", 2 },
};

/* An error makes its line void; the others count. */
TEST_LOOP(wrong_global_share_is_void, COUNT(voids))
{
	struct fathom_conf conf = conf_standard();
	struct fathom_error error = { .text = "" };
	char text[512];

	snprintf(text, sizeof(text), "GlobalShare=tux Source=/tux\n%s\nCalcPeriod=30\n"
		 "GlobalShare=kit Source=/kit\n", voids[_i].line);
	ck_assert_msg(!conf_parse_text(&conf, "f.conf", text, &error), "%s", error.text);
	ck_assert_uint_eq(conf.global.count, 2);
	ck_assert_str_eq(conf.global.share[0].cluster, "tux");
	ck_assert_str_eq(conf.global.share[1].cluster, "kit");
	ck_assert_double_eq_tol(conf.value[CONF_CALC_PERIOD], 30, 1e-12);
	ck_assert_uint_eq(conf.global.fault_count, 1);
	ck_assert_uint_eq(conf.global.fault[0].line, voids[_i].at);
	ck_assert_msg(!strncmp(conf.global.fault[0].error.text, voids[_i].fault,
			       strlen(voids[_i].fault)), "%s", conf.global.fault[0].error.text);
	conf_clear(&conf);
}

/* An error of another line behind it is still one of the file. */
TEST(error_behind_a_global_share_counts)
{
	struct fathom_conf conf = conf_standard();
	struct fathom_error error = { .text = "" };

	ck_assert(conf_parse_text(&conf, "f.conf", "GlobalShare=tux Source=/tux\nPolicy\n",
				  &error));
	ck_assert_msg(strstr(error.text, "f.conf:2: Policy"), "%s", error.text);
	ck_assert(conf_parse_text(&conf, "f.conf", "GlobalShare=tux Source=x\nCalcPeriod=x\n",
				  &error));
	ck_assert_msg(strstr(error.text, "f.conf:2: CalcPeriod"), "%s", error.text);
}

/* Each group is the only member of the next one, which has the next line. */
TEST(deep_groups_are_sorted)
{
	enum { GROUPS = 1000 };
	char *text = malloc(GROUPS * 64), *at = text;
	struct fathom_conf conf = conf_standard();
	struct fathom_error error = { .text = "" };

	for (int i = GROUPS; i > 0; i--)
		at += sprintf(at, "UserGroup=g%d Members=%c%d\n", i, i > 1 ? 'g' : 'u', i - 1);
	ck_assert_msg(!conf_parse_text(&conf, "f.conf", text, &error), "%s", error.text);
	ck_assert_str_eq(conf.user_groups.group[0].name, "g1");
	ck_assert_str_eq(conf.user_groups.group[GROUPS - 1].name, "g1000");
	conf_clear(&conf);
	free(text);
}

TEST(slot_pool_is_read)
{
	struct fathom_conf conf = conf_standard();
	const struct conf_slot_share *share;

	ck_assert_int_eq(conf_parse_text(&conf, "f.conf",
					 "SlotPool=x Partition=p SlotShare=50 MaxSlotsInPool=9 "
					 "UsePriorityInPool=yes\n"
					 "SlotPool=y Partition=r SlotShare=.5\n"
					 "Scope=a Partitions=q\n"
					 "SlotPool=x Partition=q SlotShare=100\n", NULL), 0);
	ck_assert_uint_eq(conf.slot_share_count, 3);
	share = conf.slot_share;
	ck_assert(share[0].share == 50 && share[0].max_slots == 9 && share[0].use_priority);
	ck_assert(share[1].share == .5 && share[1].max_slots == 0 && !share[1].use_priority);
	ck_assert_str_eq(share[1].pool, "y");
	ck_assert_str_eq(share[2].pool, "x");
	ck_assert_str_eq(share[2].partition, "q");
	ck_assert_uint_eq(share[2].line, 4);
	ck_assert(share[0].first == 0 && share[1].first == 1 && share[2].first == 0);
	conf_clear(&conf);
}

/* Pieces put together at random: no text may do more than be refused. */
TEST_LOOP(any_text_is_read_or_refused, 8)
{
	static const char *const pieces[] = {
		"Scope=", "SlotPool=", "Partitions=", "Partition=", "a", "b", ",", " ", "\n",
		"\\\n",
		"#", "\"", "=", "Kind=", "queue", "cross-queue", "MasterQueue=", "SlotShare=", "50",
		"DispatchOrder=", "Policy=", "lsf", "RunJobFactor=", "Scope=a Partitions=a",
		" Kind=host-partition", "\nSlotPool=a Partition=b SlotShare=9", "\r\n", "\t",
		"FiguresFile=", "Formula=\"a b\"", "BankPriority=", "a:", "-5",
		"ResourceGroup=", "\"a root 1\"", "\"b a 2\"",
		"\nUserGroup=", "Members=", "\"a b\"", "UserShares=", "\"[a, 1]\"", "[b@,2]",
	};
	struct unit_random random = { (uint64_t)_i + 1 };
	struct fathom_conf conf = conf_standard();

	for (int i = 0; i < 2000; i++) {
		char text[512] = "";
		struct fathom_error error = { .text = "" };
		uint32_t count = unit_random_below(&random, 16);

		while (count--)
			strcat(text, pieces[unit_random_below(&random, COUNT(pieces))]);
		if (conf_parse_text(&conf, "f.conf", text, &error))
			ck_assert_msg(!strncmp(error.text, "f.conf:", 7), "%s", text);
	}
	conf_clear(&conf);
}

/* A file of the greatest size, with one name too many at its end. */
TEST(long_lists_are_checked_at_once)
{
	enum { NAMES = 100000 };
	char *text = malloc(NAMES * 8 + 64), *at = text + sprintf(text, "Scope=a Partitions=p0");
	struct fathom_conf conf = conf_standard();
	struct fathom_error error;

	for (int i = 1; i < NAMES; i++)
		at += sprintf(at, ",p%d", i);
	ck_assert_int_eq(conf_parse_text(&conf, "f.conf", text, &error), 0);
	ck_assert_uint_eq(conf.scope[0].partition_count, NAMES);
	strcpy(at, "\nScope=b Partitions=p77777");
	ck_assert_int_eq(conf_parse_text(&conf, "f.conf", text, &error), -1);
	ck_assert_str_eq(error.text, "f.conf:2: Partitions: 'p77777' is in scope 'a' (line 1) "
				     "already, must be named once");
	conf_clear(&conf);
	free(text);
}

TEST(formula_is_kept_with_its_line)
{
	struct fathom_conf conf = conf_standard();
	struct fathom_error error = { 0 };
	char text[FATHOM_FORMULA_SIZE + 32];

	ck_assert_int_eq(conf_parse_text(&conf, "f.conf",
					 "# first\nCalcPeriod=30 \\\n Formula=\"10 * age == 5 # "
					 "x\" "
					 "FormulaScale=2.5\n", &error), 0);
	ck_assert(conf.given[CONF_FORMULA]);
	ck_assert_str_eq(conf.formula, "10 * age == 5 # x");
	ck_assert_uint_eq(conf.line[CONF_FORMULA], 3);
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

/* Lines such as "Example: \\fBCalcPeriod=30\\fR". */
TEST(examples_of_the_manual_page_are_valid)
{
	const char *top = getenv("srcdir");
	char path[4096], line[1024];
	int count = 0;
	FILE *page;

	snprintf(path, sizeof(path), "%s/doc/fathom.conf.5", top ? top : ".");
	page = fopen(path, "r");
	ck_assert_msg(page, "%s", path);
	while (fgets(line, sizeof(line), page)) {
		struct fathom_conf conf = conf_standard();
		struct fathom_error error = { .text = "" };
		char *example = strstr(line, "Example: \\fB");

		if (!example)
			continue;
		example += strlen("Example: \\fB");
		*strstr(example, "\\fR") = 0;
		ck_assert_msg(!conf_parse_text(&conf, "fathom.conf", example, &error), "%s: %s",
			      example, error.text);
		conf_clear(&conf);
		count++;
	}
	fclose(page);
	ck_assert_int_gt(count, CONF_SETTING_COUNT);
}
