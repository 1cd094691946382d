/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first pass of the plugin on a new cluster, or after priority/multifactor. */
#include "scenario/two_users.h"

#define RAN 1000		/* seconds, before the plugin is loaded */
#define CPUS 4

static const struct { bool used; time_t before; double charged; } starts[] = {
	{ false, 0, CPUS * RAN },	/* nobody has charged anything yet */
	{ true, 0, 0 },			/* somebody has, nobody knows until when */
	{ false, 600, CPUS * 600 },	/* multifactor has, up to ten minutes ago */
	{ true, 600, CPUS * 600 },
};
#define STARTS ((int)(sizeof(starts) / sizeof(*starts)))

TEST_LOOP(job_that_runs_at_the_first_start_is_charged_what_nobody_has, STARTS)
{
	double before = starts[_i].used ? 1e6 : 0;

	two_users_grow("");
	bert->usage = before;
	two_users_open();
	run_in(anna, gpu, CPUS);
	host_advance(RAN);
	if (starts[_i].before)
		host_passed_at(host_now() - starts[_i].before);
	two_users_load("");
	ck_assert_double_eq_tol(usage_of(anna), starts[_i].charged, 1e-6);
	ck_assert_double_eq_tol(usage_of(bert), before, 1e-6);
	host_pass();
	ck_assert_double_eq_tol(usage_of(anna), starts[_i].charged + CPUS * PERIOD, 1e-6);
}

/* The file of multifactor tells of both, of its last pass and of its last reset. */
TEST_LOOP(reset_that_fell_due_since_multifactors_last_is_made, 2)
{
	two_users_grow("PriorityUsageResetPeriod=DAILY");
	anna->usage = 1e6;
	two_users_open();
	host_passed_at(host_now() - _i * 86400);
	two_users_load("");
	ck_assert_double_eq_tol(usage_of(anna), _i ? 0 : 1e6, 1e-6);
	ck_assert_uint_eq(logged("all usage is reset"), _i ? 1 : 0);
}

static void take_effective_usage(void *usage)
{
	*(double *)usage = (double)host_root()->record->usage->usage_efctv;
}

TEST(root_has_all_usage_before_the_first_pass)
{
	double usage = 0;

	two_users_grow("");
	two_users_open();
	host_beside_pass(1, take_effective_usage, &usage);
	two_users_load("");
	ck_assert_double_eq(usage, 1);
}
