/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The figures that sshare reads from a record, between passes and for the root. */
#include "scenario/two_users.h"

/* Associations that come later: assoc_mgr asks for their figures between passes. */
static slurmdb_assoc_usage_t *asked_of(const struct host_association *association)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK };
	slurmdb_assoc_usage_t *usage = association->record->usage;

	usage->usage_norm = usage->usage_efctv = 7;
	assoc_mgr_lock(&locks);
	priority_g_set_assoc_usage(association->record);
	assoc_mgr_unlock(&locks);
	return usage;
}

static void assert_asked(const struct host_association *association, double norm, double effective)
{
	const slurmdb_assoc_usage_t *usage = asked_of(association);

	ck_assert_double_eq_tol((double)usage->usage_norm, norm, 1e-9);
	ck_assert_double_eq_tol((double)usage->usage_efctv, effective, 1e-9);
}

/* anna 3000, bert 1000, and 4000 of another account. */
static void use_some(void)
{
	struct host_association *chemistry = host_account(host_root(), "chemistry", 1);

	use(anna, gpu, 3, 1000);
	use(bert, gpu, 1, 1000);
	use(host_user(chemistry, "dora", 1), gpu, 4, 1000);
	host_pass();
}

TEST(usage_between_passes_is_that_of_the_last_evaluation)
{
	two_users("", "");
	use_some();
	assert_asked(physics, .5, .5);
	assert_asked(anna, 3 / 8., 3 / 8. + 1 / 8. / 2);
	assert_asked(bert, 1 / 8., 1 / 8. + 3 / 8. / 2);
}

TEST(usage_of_somebody_new_comes_from_the_records)
{
	struct host_association *carl, *group, *emil, *frieda;

	two_users("", "");
	use_some();
	carl = host_user(physics, "carl", 2);
	assert_asked(carl, 0, .5 * 2 / 4);
	group = host_account(physics, "group", 1);
	emil = host_user(group, "emil", 1);
	assert_asked(group, 0, .5 / 5);
	assert_asked(emil, 0, .5 / 5);
	frieda = host_user(physics, "frieda", SLURMDB_FS_USE_PARENT);
	assert_asked(frieda, 0, .5);
	/* right below the root */
	assert_asked(host_account(host_root(), "biology", 1), 0, 0);
	/* the root itself, which no policy knows */
	ck_assert_double_eq((double)asked_of(host_root())->usage_norm, 1);
}

TEST(usage_comes_from_the_records_where_the_policy_ranks)
{
	two_users("PriorityFlags=FAIR_TREE", "");
	use_some();
	assert_asked(physics, .5, .5);
	assert_asked(anna, 3 / 8., 3 / 8. + 1 / 8. / 2);
}

TEST(nobody_has_used_anything_where_nothing_is_used)
{
	two_users("PriorityFlags=FAIR_TREE", "");
	assert_asked(anna, 0, 0);
}

/* It is in no level of a policy of ranks, and all of the whole elsewhere. */
static void assert_root(bool ranks)
{
	const slurmdb_assoc_usage_t *usage = host_root()->record->usage;

	ck_assert_double_eq_tol(usage->shares_norm, ranks ? 0 : 1, 1e-9);
	ck_assert_double_eq((double)usage->usage_efctv, 1);
	if (ranks)
		ck_assert_double_eq((double)usage->level_fs, (double)NO_VAL);
}

TEST_LOOP(row_of_the_root_follows_the_policy, 2)
{
	two_users(_i ? "PriorityFlags=FAIR_TREE" : "PriorityFlags=NO_FAIR_TREE", "");
	reconfigure("Policy=fair-tree");
	assert_root(true);
	reconfigure("Policy=classic");
	assert_root(false);
	host_pass();
	assert_root(false);
	reconfigure("Policy=fair-tree");
	assert_root(true);
	host_pass();
	assert_root(true);
}

/* Under Fair Tree assoc_mgr gives the root what is left of its shares in its level. */
TEST(shares_of_the_root_stay_as_assoc_mgr_set_them)
{
	double *shares;

	two_users("PriorityFlags=FAIR_TREE", "");
	shares = &host_root()->record->usage->shares_norm;
	*shares = 1e-10;
	host_pass();
	ck_assert_double_eq(*shares, 1e-10);
}

/* Up to 25.05 sshare has a column of them with Fair Tree in the flags alone. */
TEST_LOOP(level_of_a_policy_without_levels_is_shares_over_usage, 2)
{
	const bool fair_tree = _i, shown = fair_tree || SLURM_SENDS_FS_FACTOR;

	two_users(fair_tree ? "PriorityFlags=FAIR_TREE" : "PriorityFlags=NO_FAIR_TREE",
		  "Policy=classic");
	use_some();
	anna->record->usage->level_fs = anna->record->usage->fs_factor = 7;
	host_pass();
	ck_assert_double_eq_tol((double)anna->record->usage->level_fs,
				shown ? .5 / 2 / (3 / 8. + 1 / 8. / 2) : 7, 1e-9);
	ck_assert_double_eq_tol((double)anna->record->usage->fs_factor,
				shown ? exp2(-(3 / 8. + 1 / 8. / 2) / (.5 / 2)) : 7, 1e-9);
	host_set_shares(anna, 0);
	host_pass();
	if (shown)
		ck_assert_double_eq((double)anna->record->usage->level_fs, 0);
}

/* sshare would show -0. */
TEST(usage_of_factor_1_has_no_sign)
{
	two_users("", "Policy=fair-tree");
	use_some();
	ck_assert(SLURM_SENDS_FS_FACTOR || anna->record->usage->usage_efctv > 0);
	ck_assert(!signbit(bert->record->usage->usage_efctv));
	if (!SLURM_SENDS_FS_FACTOR)
		ck_assert_double_eq((double)bert->record->usage->usage_efctv, 0);
}

TEST(factor_is_worked_out_of_usage_and_shares)
{
	two_users("", "DampeningFactor=2");
	if (isnan(host_calc_fs_factor(.5, .5)))
		return;
	ck_assert_double_eq_tol(host_calc_fs_factor(.5, .5), sqrt(.5), 1e-9);
	ck_assert_double_eq_tol(host_calc_fs_factor(.5, .125), .25, 1e-9);
	ck_assert_double_eq(host_calc_fs_factor(0, .5), 1);
	ck_assert_double_eq(host_calc_fs_factor(.5, 0), 0);
	ck_assert_double_eq(host_calc_fs_factor((long double)NO_VAL, .5), 0);
	reconfigure("DampeningFactor=1");
	ck_assert_double_eq_tol(host_calc_fs_factor(.5, .5), .5, 1e-9);
}

/* It loads the plugin outside slurmctld, and reads fathom.conf by itself. */
TEST(sshare_works_it_out_as_well)
{
	two_users_grow("");
	two_users_open();
	write_conf("DampeningFactor=2");
	cluster_cpus = NO_VAL;
	host_load_without_thread(FATHOM_PLUGIN);
	if (!isnan(host_calc_fs_factor(.5, .5)))
		ck_assert_double_eq_tol(host_calc_fs_factor(.5, .5), sqrt(.5), 1e-9);
}
