/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Order=path of policy pbs: PBS's example of two groups. Group1 has used less of its
 * share than group2, so its users come before those of group2, although suzy of group2
 * has used nothing.
 */
#include "scenario/host_files.h"
#include "scenario/host_suite.h"

enum { BOB, CATHY, SUZY, SCOTT, USERS };

static struct host_association *user[USERS];
static job_record_t *job[USERS];

static void run(struct host_association *of, uint32_t cpus)
{
	host_job_begin(host_job(&(struct host_job){ .user = of, .cpus = cpus }), host_now());
}

/* They run at once, so that bob uses as much as cathy, and scott ten times that. */
static void open_cluster(const char *conf)
{
	struct host_association *group1, *group2;
	char text[256];

	host_configure("PriorityCalcPeriod=5\nPriorityWeightFairshare=1000\n");
	snprintf(text, sizeof(text), "%s FairshareDecayTime=1000d", conf);
	write_conf(text);
	host_passed_at(host_now());
	group1 = host_account(host_root(), "group1", 40);
	group2 = host_account(host_root(), "group2", 60);
	user[BOB] = host_user(group1, "bob", 50);
	user[CATHY] = host_user(group1, "cathy", 50);
	user[SUZY] = host_user(group2, "suzy", 60);
	user[SCOTT] = host_user(group2, "scott", 40);
	host_open();
	host_load(FATHOM_PLUGIN);
	run(user[BOB], 1);
	run(user[CATHY], 1);
	run(user[SCOTT], 10);
	host_advance(100);
	host_pass();
	for (int i = 0; i < USERS; i++)
		job[i] = host_job(&(struct host_job){ .user = user[i] });
	host_wake();
}

static const struct { const char *conf; uint32_t priority[USERS]; } orders[] = {
	{ "Policy=pbs Order=path", { 1000, 1000, 500, 250 } },
	{ "Policy=pbs Order=path InitialUsage=1", { 1000, 1000, 500, 250 } },
	{ "Policy=pbs Order=factor", { 648, 648, 381, 90 } },
};

TEST_EACH(jobs_are_ordered_by_the_paths_of_their_users, orders)
{
	open_cluster(orders[_i].conf);
	for (int i = 0; i < USERS; i++)
		ck_assert_uint_eq(job[i]->priority, orders[_i].priority[i]);
}

TEST(users_without_shares_come_last)
{
	open_cluster("Policy=pbs Order=path FairshareEnforceNoShares=no");
	host_set_shares(user[BOB], 0);
	host_set_shares(user[SUZY], 0);
	host_pass();
	ck_assert_uint_eq(job[CATHY]->priority, 1000);
	ck_assert_uint_eq(job[SCOTT]->priority, 500);
	ck_assert_uint_eq(job[BOB]->priority, 750);
	ck_assert_uint_eq(job[SUZY]->priority, 250);
}

TEST(a_newcomer_has_the_best_place_of_the_account)
{
	job_record_t *first;

	open_cluster("Policy=pbs Order=path");
	first = host_job(&(struct host_job){
		.user = host_user(user[SUZY]->parent, "mary", 60) });
	ck_assert_uint_eq(first->priority, 500);
	host_wake();
	ck_assert_uint_eq(first->priority, 600);	/* the third of five, as is suzy */
	ck_assert_uint_eq(job[SUZY]->priority, 600);
}
