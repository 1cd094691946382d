/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * FairshareEntity of policy pbs with ResourceGroup: jobs are charged to users, groups or accounts
 * in a tree of their own. PBS's example of two groups, whose users are in other accounts.
 */
#include "scenario/captured_log.h"
#include "scenario/host_files.h"
#include "scenario/host_suite.h"

#include <grp.h>
#include <pwd.h>

enum { BOB, CATHY, SUZY, SCOTT, TOM, USERS };

static struct host_association *user[USERS], *bob_too;
static job_record_t *job[USERS], *of_bob_too;

#define P1 "ResourceGroup=\"group1 root 40\" ResourceGroup=\"bob group1 50\" " \
	   "ResourceGroup=\"cathy group1 50\" ResourceGroup=\"group2 root 60\" " \
	   "ResourceGroup=\"suzy group2 60\" ResourceGroup=\"scott group2 40\""

static void write_pbs_conf(const char *conf)
{
	char text[512];

	snprintf(text, sizeof(text), "Policy=pbs FairshareDecayTime=1000d %s", conf);
	write_conf(text);
}

static void run(struct host_association *of, uint32_t cpus)
{
	host_job_begin(host_job(&(struct host_job){ .user = of, .cpus = cpus }), host_now());
}

/* Two accounts that say nothing of PBS's groups. bob is in both, and uses one half of what he uses
 * in each. */
static void open_cluster(const char *conf)
{
	static const char *const names[USERS] = { "bob", "cathy", "suzy", "scott", "tom" };
	struct host_association *physics, *chemistry;

	host_configure("PriorityCalcPeriod=5\nPriorityWeightFairshare=1000000\n");
	write_pbs_conf(conf);
	host_passed_at(host_now());
	physics = host_account(host_root(), "physics", 1);
	chemistry = host_account(host_root(), "chemistry", 3);
	for (int i = 0; i < USERS; i++)
		user[i] = host_user(i % 2 ? physics : chemistry, names[i], 1);
	bob_too = host_user(physics, "bob", 7);
	host_open();
	host_load(FATHOM_PLUGIN);
	run(user[BOB], 5);
	run(bob_too, 5);
	run(user[CATHY], 10);
	run(user[SCOTT], 100);
	host_advance(100);
	host_pass();
	for (int i = 0; i < USERS; i++)
		job[i] = host_job(&(struct host_job){ .user = user[i] });
	of_bob_too = host_job(&(struct host_job){ .user = bob_too });
	host_wake();
}

static void assert_priorities(const uint32_t *priority)
{
	for (int i = 0; i < USERS; i++)
		ck_assert_msg(job[i]->priority == priority[i], "%d: %u", i, job[i]->priority);
}

TEST(users_have_the_figures_of_their_entities)
{
	open_cluster(P1);
	assert_priorities((uint32_t[]){ 648419, 648419, 381858, 90106, 1 });
	ck_assert_uint_eq(of_bob_too->priority, job[BOB]->priority);
}

TEST(users_who_are_not_listed_share_the_group_unknown)
{
	open_cluster(P1 " UnknownShares=100 InitialUsage=0");
	ck_assert_uint_eq(job[TOM]->priority, 1000000);	/* has used nothing */
	ck_assert_uint_eq(job[BOB]->priority, (uint32_t)(1e6 * exp2(-.125 / .1)));
}

TEST(entities_are_ranked_by_path)
{
	open_cluster(P1 " UnknownShares=100 Order=path");
	/* five entities; tom's group has used nothing */
	assert_priorities((uint32_t[]){ 800000, 800000, 400000, 200000, 1000000 });
}

TEST(jobs_are_charged_to_accounts)
{
	open_cluster("FairshareEntity=Account_Name ResourceGroup=\"physics root 1\" "
		     "ResourceGroup=\"chemistry root 1\"");
	/* 115 of 120 in physics */
	assert_priorities((uint32_t[]){
		(uint32_t)(1e6 * exp2(-5. / 120 / .5)), (uint32_t)(1e6 * exp2(-115. / 120 / .5)),
		(uint32_t)(1e6 * exp2(-5. / 120 / .5)), (uint32_t)(1e6 * exp2(-115. / 120 / .5)),
		(uint32_t)(1e6 * exp2(-5. / 120 / .5)) });
	ck_assert_uint_eq(of_bob_too->priority, job[SCOTT]->priority);
}

TEST(accounts_of_associations_are_entities_without_a_resource_group)
{
	open_cluster("FairshareEntity=Account_Name");
	/* physics has a quarter of the shares and 115 of 120, chemistry the rest */
	assert_priorities((uint32_t[]){
		(uint32_t)(1e6 * exp2(-5. / 120 / .75)), (uint32_t)(1e6 * exp2(-115. / 120 / .25)),
		(uint32_t)(1e6 * exp2(-5. / 120 / .75)), (uint32_t)(1e6 * exp2(-115. / 120 / .25)),
		(uint32_t)(1e6 * exp2(-5. / 120 / .75)) });
	ck_assert_uint_eq(of_bob_too->priority, job[SCOTT]->priority);
}

TEST(accounts_of_associations_have_places)
{
	open_cluster("FairshareEntity=Account_Name Order=path");
	ck_assert_uint_eq(job[BOB]->priority, 1000000);
	ck_assert_uint_eq(job[SCOTT]->priority, 500000);
}

/* The stand-in knows root alone; all others are one entity of the group "unknown". */
TEST(jobs_are_charged_to_groups_of_the_system)
{
	struct group *group = getgrgid(0);
	job_record_t *of_root;
	char conf[256];

	snprintf(conf, sizeof(conf), "FairshareEntity=egroup:euser "
		 "ResourceGroup=\"%s:root root 10\"", group->gr_name);
	open_cluster(conf);
	of_root = host_job(&(struct host_job){
		.user = host_user(user[BOB]->parent, "root", 1) });
	host_wake();
	ck_assert_uint_eq(of_root->priority, 1000000);
	ck_assert_uint_eq(job[SUZY]->priority, 1);
}

TEST(wrong_line_is_an_error_and_the_last_settings_stay)
{
	uint32_t before;

	open_cluster(P1);
	before = job[BOB]->priority;
	write_pbs_conf(P1 "\nResourceGroup=\"tom group3 1\"");
	priority_g_reconfig(false);
	host_await_pass();
	ck_assert_uint_eq(job[BOB]->priority, before);
	write_pbs_conf("ResourceGroup=\"tom root 1\"");
	priority_g_reconfig(false);
	host_await_pass();
	ck_assert_uint_eq(job[BOB]->priority, 1);
	ck_assert_uint_eq(job[TOM]->priority, 1000000);
}

TEST(newcomer_is_charged_to_an_entity_at_once)
{
	job_record_t *of_scott;

	open_cluster(P1);
	of_scott = host_job(&(struct host_job){
		.user = host_user(host_account(host_root(), "biology", 1), "scott", 1) });
	host_wake();
	ck_assert_uint_eq(of_scott->priority, job[SCOTT]->priority);
	ck_assert_uint_eq(of_scott->priority, 90106);
}

/* ---- groups that the system does not tell at once ---------------------------------------- */

#define SHOWN __attribute__((visibility("default")))	/* to the plugin */
#define STAFF 4711
#define STAFF_ALONE "FairshareEntity=egroup ResourceGroup=\"staff root 10\""
#define OF_STAFF 500000		/* the priority of a user in staff, who have used all */

static struct {
	bool knows_users;	/* all of them, in the group staff */
	int problem_of_user, problem_of_group;
	size_t size;		/* bytes that the members of staff take */
	bool is_slow;
	unsigned asked;		/* for groups */
} the_system;

SHOWN int getpwnam_r(const char *restrict name, struct passwd *restrict entry,
		     char *restrict buffer, size_t size, struct passwd **restrict found)
{
	bool is_root = !strcmp(name, "root");

	*entry = (struct passwd){ .pw_uid = is_root ? 0 : STAFF, .pw_gid = is_root ? 0 : STAFF };
	*found = is_root || (the_system.knows_users && !the_system.problem_of_user) ? entry : NULL;
	return is_root ? 0 : the_system.problem_of_user;
}

SHOWN int getgrgid_r(gid_t gid, struct group *restrict entry, char *restrict buffer, size_t size,
		     struct group **restrict found)
{
	int problem = size < the_system.size ? ERANGE : the_system.problem_of_group;

	the_system.asked++;
	if (the_system.is_slow)
		usleep(1100000);
	*found = problem ? NULL : entry;
	if (!problem)
		*entry = (struct group){ .gr_name = strcpy(buffer, gid ? "staff" : "root") };
	return problem;
}

static void assert_all_have(uint32_t priority)
{
	for (int i = 0; i < USERS; i++)
		ck_assert_msg(job[i]->priority == priority, "%d: %u", i, job[i]->priority);
}

TEST(group_of_many_members_is_found)
{
	the_system.knows_users = true;
	the_system.size = 60000;
	open_cluster(STAFF_ALONE);
	assert_all_have(OF_STAFF);
}

TEST_LOOP(groups_that_the_system_could_not_tell_are_asked_for_again, 2)
{
	int *problem = _i ? &the_system.problem_of_user : &the_system.problem_of_group;

	capture_log();
	the_system.knows_users = true;
	*problem = EIO;
	open_cluster(STAFF_ALONE);
	assert_all_have(1);
	host_pass();
	assert_all_have(1);
	ck_assert_uint_eq(logged("cannot look up the group of user"), 1);
	ck_assert_uint_eq(logged("Input/output error"), 1);
	*problem = 0;
	host_pass();
	assert_all_have(OF_STAFF);
	ck_assert_uint_eq(logged("cannot look up the group of user"), 1);
}

TEST(groups_are_asked_for_once_and_at_a_reconfigure)
{
	unsigned before;

	the_system.knows_users = true;
	open_cluster(STAFF_ALONE);
	before = the_system.asked;
	ck_assert_uint_eq(before, USERS);
	host_user(user[BOB]->parent, "newcomer", 1);
	host_pass();
	ck_assert_uint_eq(the_system.asked, before + 1);
	reread();
	ck_assert_uint_eq(the_system.asked, 2 * (before + 1));
}

TEST(directory_that_is_slow_is_asked_for_one_user_in_a_pass)
{
	unsigned before;

	the_system.knows_users = the_system.is_slow = true;
	the_system.problem_of_group = EIO;
	open_cluster(STAFF_ALONE);
	before = the_system.asked;
	ck_assert_uint_lt(before, USERS);
	host_pass();
	ck_assert_uint_eq(the_system.asked, before + 1);
	the_system.is_slow = false;
	the_system.problem_of_group = 0;
	host_pass();	/* the users who have not been asked for */
	host_pass();	/* the first ones again */
	assert_all_have(OF_STAFF);
}

TEST(groups_stay_as_they_were_if_the_system_cannot_tell_them)
{
	the_system.knows_users = true;
	open_cluster(STAFF_ALONE);
	the_system.problem_of_group = EIO;
	reread();
	assert_all_have(OF_STAFF);
}
