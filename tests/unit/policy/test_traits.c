/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What other folders know of policies without knowing their names. */
#include "../unit.h"

#include "policy/settings_layout.h"
#include "policy/traits.h"

/* The names that fathom.conf and the columns of the manual pages have for the roles. */
static const struct {
	enum setting_role role;
	const char *name;
} settings[] = {
	{ SETTING_DAMPENING_FACTOR, "dampening_factor" },
	{ SETTING_TIE_MODE, "tie_mode" },
	{ SETTING_UNKNOWN_SHARES, "unknown_shares" },
	{ SETTING_ENTITY, "fairshare_entity" },
	{ SETTING_ADJUSTMENT_FACTOR, "fairshare_adjustment_factor" },
};

TEST_EACH(setting_has_its_role_in_every_policy_that_has_it, settings)
{
	for (size_t i = 0; i < fathom_policy_count(); i++) {
		const struct fathom_policy *policy = fathom_policy_at(i);
		size_t found = POLICY_HAS_NONE;

		for (size_t j = 0; j < fathom_policy_setting_count(policy); j++)
			if (!strcmp(fathom_policy_setting(policy, j)->name, settings[_i].name))
				found = j;
		ck_assert_msg(policy_setting_with(policy, settings[_i].role) == found, "%s: %s",
			      fathom_policy_name(policy), settings[_i].name);
	}
}

TEST_EACH(setting_is_set_by_its_role_where_it_is, settings)
{
	for (size_t i = 0; i < fathom_policy_count(); i++) {
		const struct fathom_policy *policy = fathom_policy_at(i);
		size_t place = policy_setting_with(policy, settings[_i].role);
		struct fathom_settings set = fathom_settings_standard(policy), standard = set;

		policy_set(policy, &set, settings[_i].role, 1. / 3);
		if (place != POLICY_HAS_NONE) {
			ck_assert(set.value[place] == 1. / 3);
			set.value[place] = standard.value[place];
		}
		ck_assert_mem_eq(&set, &standard, sizeof(set));
	}
}

static const struct {
	const char *policy, *column;
	enum column_role role;
} columns[] = {
	{ "fair-tree", "level_fs", COLUMN_LEVEL_FS },
	{ "fair-tree", "rank", COLUMN_RANK },
	{ "flux", "level_fs", COLUMN_LEVEL_FS },
	{ "flux", "rank", COLUMN_RANK },
	{ "lsf", "dynamic_priority", COLUMN_SIBLING_PRIORITY },
	{ "lsf", "order", COLUMN_PLACE },
	{ "pbs", "fairshare_perc", COLUMN_NORM_SHARES },
	{ "pbs", "fairshare_tree_usage", COLUMN_EFFECTIVE_USAGE },
	{ "pbs", "fairshare_factor", COLUMN_FACTOR },
};

TEST_EACH(column_is_found_by_its_role, columns)
{
	const struct fathom_policy *policy = fathom_policy_find(columns[_i].policy);
	size_t place = policy_column_with(policy, columns[_i].role);

	ck_assert_uint_ne(place, POLICY_HAS_NONE);
	ck_assert_str_eq(fathom_policy_column(policy, place)->name, columns[_i].column);
	ck_assert_int_eq(policy_column_role(policy, place), columns[_i].role);
}

TEST_LOOP(no_role_is_there_twice, fathom_policy_count())
{
	const struct fathom_policy *policy = fathom_policy_at((size_t)_i);

	for (size_t i = 0; i < fathom_policy_column_count(policy); i++)
		if (policy_column_role(policy, i) != COLUMN_OF_POLICY)
			ck_assert_uint_eq(policy_column_with(policy, policy_column_role(policy, i)),
					  i);
}

static const struct {
	enum priority_flag flag;
	const char *policy;
} flags[] = {
	{ FLAG_FAIR_TREE, "fair-tree" },
	{ FLAG_DEPTH_OBLIVIOUS, "depth-oblivious" },
	{ FLAG_NO_FAIR_TREE, "classic" },
};

TEST_EACH(flag_chooses_one_policy, flags)
{
	const struct fathom_policy *policy = policy_of_flag(flags[_i].flag);
	size_t count = 0;

	ck_assert_str_eq(fathom_policy_name(policy), flags[_i].policy);
	for (size_t i = 0; i < fathom_policy_count(); i++)
		count += policy_flag(fathom_policy_at(i)) == flags[_i].flag;
	ck_assert_uint_eq(count, 1);
}

TEST(one_policy_has_no_fair_share)
{
	for (size_t i = 0; i < fathom_policy_count(); i++) {
		const struct fathom_policy *policy = fathom_policy_at(i);

		ck_assert(policy_is_first_come(policy) ==
			  !strcmp(fathom_policy_name(policy), "fcfs"));
	}
}

/* A policy says how it compares users, under any settings that change it. */
TEST_LOOP(comparison_describes_how_users_are_compared, 3)
{
	static const char *const set[] = { NULL, "order=path", "initial_usage=1" };

	for (size_t i = 0; i < fathom_policy_count(); i++) {
		const struct fathom_policy *policy = fathom_policy_at(i);
		bool has_set = !_i || policy_setting_named(policy, "initial_usage") !=
					      POLICY_HAS_NONE;
		struct fathom_settings settings_of =
			unit_settings(policy, has_set ? set[_i] : NULL);
		const struct policy_comparison *comparison =
			policy_comparison(policy, &settings_of);
		const char *name = fathom_policy_name(policy);

		ck_assert(policy_is_first_come(policy) == !comparison);
		if (!comparison)
			continue;
		ck_assert_msg(*comparison->name && *comparison->meaning,
			      "policy %s: the comparison has no name or no meaning", name);
		ck_assert_msg(comparison->column == POLICY_HAS_NONE ||
				      comparison->column < fathom_policy_column_count(policy),
			      "policy %s: the comparison's column is not one of the policy", name);
		ck_assert_msg(comparison->is_walked == (comparison->column != POLICY_HAS_NONE),
			      "policy %s: a comparison that is walked has a column, one that is "
			      "not has POLICY_HAS_NONE", name);
	}
}
