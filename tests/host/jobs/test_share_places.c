/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A scope with UserShares in slurmctld: its jobs have places by the tree that the assignments make,
 * and count at one leaf of it each.
 */
#include "scenario/captured_log.h"
#include "scenario/host_files.h"
#include "scenario/host_suite.h"

#include <malloc.h>

#define MOST_JOBS 16
#define SCOPE "Policy=fcfs\nScope=s Partitions=short Policy=lsf UserShares="

static part_record_t *queue;

static struct host_association *user_in(const char *name, const char *account)
{
	size_t count;
	struct host_association **all = host_associations(&count);

	for (size_t i = 0; i < count; i++)
		if (all[i]->user && all[i]->record && !strcmp(all[i]->user, name) &&
		    (!account || !strcmp(all[i]->parent->account, account)))
			return all[i];
	ck_abort_msg("no user %s", name);
}

/* Users u1 to u4 in the account a; u1 also in the account lab. */
static void open_users(const char *conf)
{
	struct host_association *account, *lab;
	char name[3] = "u1";

	setenv("HOST_LOG", "info", 1);
	capture_log();
	host_configure("PriorityDecayHalfLife=0\nPriorityUsageResetPeriod=YEARLY\n"
		       "PriorityCalcPeriod=5\nPriorityWeightFairshare=1000\n");
	host_passed_at(host_now());
	write_conf(conf);
	account = host_account(host_root(), "a", 1);
	for (; name[1] <= '4'; name[1]++)
		host_user(account, name, 1);
	lab = host_account(host_root(), "lab", 1);
	host_user(lab, "u1", 1);
	host_open();
	queue = host_partition("short", 5, NULL);
	host_load(FATHOM_PLUGIN);
}

/* "u1 u2/lab u3=g": one job each, of the user in an account; or its comment names a group. */
static size_t submit(const char *names, job_record_t **job)
{
	size_t count = 0;

	for (; *names; names += strcspn(names, " ") + (names[strcspn(names, " ")] != 0)) {
		char name[16], comment[64] = "", *account, *group;

		sscanf(names, "%15s", name);
		if ((group = strchr(name, '='))) {
			*group++ = '\0';
			snprintf(comment, sizeof(comment), "for ann fairshare=%s", group);
		}
		account = strchr(name, '/');
		if (account)
			*account++ = '\0';
		job[count++] = host_job(&(struct host_job){
			.user = user_in(name, account ? account : "a"), .partition = { queue },
			.comment = comment, .minutes = 6000 });
	}
	return count;
}

/* The place of `count` jobs that the factor stands for; 0: the job has priority 1, as its user has
 * no shares. */
static long place_of(const job_record_t *job, size_t count)
{
	double factor = job->prio_factors->priority_fs / 1000;

	ck_assert_uint_gt(job->priority, 0);
	if (factor == 0) {
		ck_assert_uint_eq(job->priority, 1);
		return 0;
	}
	return lround((double)count + 1 - factor * (double)count);
}

static void assert_places(job_record_t *const *job, size_t count, const long *expected)
{
	for (size_t i = 0; i < count; i++)
		ck_assert_msg(place_of(job[i], count) == expected[i],
			      "job %zu of %zu has place %ld, not %ld", i, count,
			      place_of(job[i], count), expected[i]);
}

/* ---- trees ---------------------------- */

static const struct {
	const char *conf, *jobs;
	long place[MOST_JOBS];
} vectors[] = {
	/* u1 2/3 1/3 2/9 1/6, u2 1/3 1/6 */
	{ SCOPE "\"[u1, 2] [u2, 1]\"", "u1 u1 u1 u2 u2", { 1, 2, 4, 3, 5 } },
	/* two accounts of a user are one leaf */
	{ SCOPE "\"[default, 1]\"", "u1 u1/lab u2 u2", { 1, 3, 2, 4 } },
	/* others are one leaf, in which jobs go as they came */
	{ SCOPE "\"[u1, 2] [others, 1]\"", "u3 u4 u3 u1 u1 u1", { 2, 5, 6, 1, 3, 4 } },
	/* who matches nothing comes last */
	{ SCOPE "\"[u1, 1]\"", "u2 u1 u2 u1", { 0, 1, 0, 2 } },
	/* a group divides its shares by its own assignments */
	{ SCOPE "\"[g, 1] [u1, 1]\"\n"
	  "UserGroup=g Members=\"u2 u3\" UserShares=\"[u2, 3] [u3, 1]\"",
	  "u3 u2 u2 u2 u1 u1 u1", { 5, 1, 3, 7, 2, 4, 6 } },
	/* others of a group are its members only */
	{ SCOPE "\"[g, 1] [u1, 1]\"\n"
	  "UserGroup=g Members=\"u2 u3\" UserShares=\"[u2, 1] [others, 1]\"",
	  "u4 u3 u2 u1", { 0, 1, 3, 2 } },
	/* without assignments its members go first come, first served */
	{ SCOPE "\"[g, 1] [u1, 1]\"\nUserGroup=g Members=\"u2 u3\"", "u3 u3 u2 u1 u1",
	  { 1, 3, 5, 2, 4 } },
	/* each member by itself, of subgroups too */
	{ SCOPE "\"[g@, 1]\"\nUserGroup=g Members=\"u1 h\"\nUserGroup=h Members=\"u2 u3\"",
	  "u1 u1 u2 u2 u3 u4", { 1, 4, 2, 5, 3, 0 } },
	/* the best of several leaves: u1 has one alone and one as a member */
	{ SCOPE "\"[u1, 1] [g, 1] [u2, 1]\"\nUserGroup=g Members=\"u1 u3\"", "u1 u1 u1 u2 u2",
	  { 1, 2, 4, 3, 5 } },
	/* the account names the group, so that the other leaf does not count */
	{ SCOPE "\"[u1, 1] [lab, 1] [u2, 1]\"\nUserGroup=lab Members=\"u1 u3\"",
	  "u1/lab u1/lab u2 u2", { 1, 3, 2, 4 } },
	{ SCOPE "\"[u1, 9] [lab, 1] [u2, 2]\"\nUserGroup=lab Members=\"u1 u3\"",
	  "u1/lab u1 u2", { 3, 1, 2 } },
	/* so does the comment */
	{ SCOPE "\"[u1, 9] [g, 1] [u2, 2]\"\nUserGroup=g Members=\"u1 u3\"", "u1=g u1 u2",
	  { 3, 1, 2 } },
	{ SCOPE "\"[g, 9] [h, 1] [u2, 2]\"\nUserGroup=g Members=\"u1 u3\"\n"
	  "UserGroup=h Members=\"u1 u4\"", "u1=h u1=g u1=h u2", { 3, 1, 4, 2 } },
	/* in place of the account it must be a group of the account's leaves */
	{ SCOPE "\"[u1, 9] [lab, 1] [u2, 2]\"\nUserGroup=lab Members=\"u1 u3\"\n"
	  "UserGroup=g Members=u1", "u1/lab=lab u1/lab=g u1/lab u2", { 2, 3, 4, 1 } },
	/* if it is wrong all leaves count: it has subgroups, lacks the user or shares, is none */
	{ SCOPE "\"[u1, 9] [g, 1] [u2, 2]\"\nUserGroup=g Members=\"u1 h\"\nUserGroup=h Members=x",
	  "u1=g u2", { 1, 2 } },
	{ SCOPE "\"[u1, 9] [g, 1] [u2, 2]\"\nUserGroup=g Members=u3", "u1=g u2", { 1, 2 } },
	{ SCOPE "\"[u1, 9] [g, 1] [u2, 2]\"\nUserGroup=g Members=u3\nUserGroup=h Members=u1",
	  "u1=h u2", { 1, 2 } },
	{ SCOPE "\"[u1, 9] [u2, 2]\"", "u1=u1 u1=nobody u2", { 1, 2, 3 } },
	/* it must have no subgroups */
	{ SCOPE "\"[u1, 1] [lab, 1]\"\nUserGroup=lab Members=\"x h\"\nUserGroup=h Members=u1",
	  "u1/lab u1", { 0, 1 } },
	/* a group that the user is not in means nothing */
	{ SCOPE "\"[u1, 1] [lab, 1]\"\nUserGroup=lab Members=u3", "u1/lab u3", { 1, 2 } },
};

TEST_EACH(jobs_have_places_by_the_scopes_own_tree, vectors)
{
	job_record_t *job[MOST_JOBS];
	size_t count;

	open_users(vectors[_i].conf);
	count = submit(vectors[_i].jobs, job);
	host_pass();
	assert_places(job, count, vectors[_i].place);
	ck_assert_uint_eq(logged("error"), 0);
}

/* Minutes of jobs: what they commit counts when they have a place. Without a limit of its own a job
 * has that of the partition; without any it commits nothing. */
static const struct {
	uint32_t limit[4], of_partition;
	long place[4];	/* two of u1, two of u2 */
} limits[] = {
	{ { 100, 1, 1, 1 }, INFINITE, { 1, 4, 2, 3 } },
	{ { 1, 1, 100, 1 }, INFINITE, { 1, 3, 2, 4 } },
	{ { NO_VAL, 1, 1, 1 }, 100, { 1, 4, 2, 3 } },
	{ { INFINITE, 1, 1, 1 }, 100, { 1, 2, 3, 4 } },
	{ { NO_VAL, 1, 1, 1 }, INFINITE, { 1, 2, 3, 4 } },
};

TEST_EACH(limits_are_committed, limits)
{
	job_record_t *job[4];

	open_users(SCOPE "\"[default, 1]\" RunJobFactor=.001 CommittedRunTimeFactor=1");
	queue->max_time = limits[_i].of_partition;
	submit("u1 u1 u2 u2", job);
	for (size_t i = 0; i < 4; i++)
		job[i]->time_limit = limits[_i].limit[i];
	host_pass();
	assert_places(job, 4, limits[_i].place);
}

/* Memory for the leaves that jobs name was once counted by what it held before. */
TEST(many_jobs_name_a_group)
{
	job_record_t *job[200];

	open_users(SCOPE "\"[g, 9] [u2, 2]\"\nUserGroup=g Members=\"u1 u3\"");
	mallopt(M_PERTURB, 0xff);	/* fills it with zeros */
	for (size_t i = 0; i < 200; i++)
		submit("u1=g", &job[i]);
	host_pass();
	mallopt(M_PERTURB, 0);
	for (size_t i = 0; i < 200; i++)
		ck_assert_int_eq(place_of(job[i], 200), (int)i + 1);
	ck_assert_uint_eq(logged("error"), 0);
}

/* What others name does not matter. */
TEST(group_counts_however_many_others_are_named)
{
	const size_t others = UINT16_MAX + 1;
	job_record_t *job[3];
	char name[16];

	open_users(SCOPE "\"[u1, 9] [g, 1] [u2, 2]\"\nUserGroup=g Members=\"u1 u3\"");
	for (size_t i = 0; i < others; i++) {
		snprintf(name, sizeof(name), "u4=x%zu", i);
		submit(name, job);
	}
	submit("u1=g u1 u2", job);
	host_pass();
	ck_assert_int_eq(place_of(job[0], others + 3), 3);
}

/* Without places the best leaf gives the factor. */
TEST(best_leaf_has_the_factor_without_places)
{
	job_record_t *job[3];

	open_users(SCOPE "\"[u1, 1] [g, 9] [u2, 2]\" RunJobFactor=0\n"
		   "UserGroup=g Members=\"u1 u3\"");
	submit("u1 u2 u4", job);
	host_pass();
	ck_assert_double_eq_tol(job[0]->prio_factors->priority_fs, 1000, 1e-9);
	ck_assert_double_eq_tol(job[1]->prio_factors->priority_fs, 2000 / 3., 1e-9);
	ck_assert_uint_eq(job[2]->priority, 1);
}

/* ---- a wrong group holds the job ---------------------------- */

#define UNSEEN "fathom: fairshare= has not been looked at yet"
#define THREE "WithoutShares=hold\n" SCOPE "\"[u1, 9] [g, 1] [u2, 2]\"\n" \
	      "UserGroup=g Members=\"u1 u3\"\nUserGroup=h Members=\"u1 g\"\nUserGroup=i Members=u1"

static const struct { const char *job, *description; } wrong_groups[] = {
	{ "u1=nobody", "fathom: fairshare= names no group" },
	{ "u1=u1", "fathom: fairshare= names no group" },
	{ "u1=h", "fathom: fairshare= names a group with subgroups" },
	{ "u2=g", "fathom: fairshare= names a group without the user" },
	{ "u1=i", "fathom: fairshare= names a group without shares for the job" },
};

static void set_comment(job_record_t *job, const char *comment)
{
	xfree(job->comment);
	job->comment = xstrdup(comment);
}

TEST_EACH(wrong_group_holds_a_job_if_asked, wrong_groups)
{
	job_record_t *job[2];

	open_users(THREE);
	submit("u2", job + 1);
	submit(wrong_groups[_i].job, job);
	ck_assert_str_eq(job[0]->state_desc, UNSEEN);
	host_wake();
	ck_assert_uint_eq(job[0]->priority, 0);
	ck_assert_str_eq(job[0]->state_desc, wrong_groups[_i].description);
	ck_assert_int_eq(place_of(job[1], 2), 1);
	set_comment(job[0], "");
	host_pass();
	ck_assert_ptr_null(job[0]->state_desc);
	ck_assert_int_eq(place_of(job[0], 2), _i == 3 ? 2 : 1);
	set_comment(job[0], "fairshare=nobody");
	host_pass();
	ck_assert_str_eq(job[0]->state_desc, "fathom: fairshare= names no group");
}

/* Until jobs are placed, which happens within a second, nobody knows. */
TEST(right_group_starts_when_jobs_are_placed)
{
	job_record_t *job[2];

	open_users(THREE);
	submit("u1=g u2", job);
	ck_assert_str_eq(job[0]->state_desc, UNSEEN);
	ck_assert_uint_gt(job[1]->priority, 0);
	host_wake();
	ck_assert_ptr_null(job[0]->state_desc);
	ck_assert_int_eq(place_of(job[0], 2), 2);
}

/* ---- running jobs ---------------------------- */

#define TWO_LEAVES SCOPE "\"[u1, 1] [g, 2] [u2, 1]\"\nUserGroup=g Members=\"u1 u3\""

/* u1's job was placed at g and stays there: g has a little less than 1/3 then. So the next job of
 * u1 goes by u1's own leaf, which has 1/3 as u2, and the one after it by g, behind u2. */
TEST(job_counts_at_the_leaf_where_it_was_placed)
{
	const long expected[] = { 1, 3, 2, 4 };
	job_record_t *job[5];

	open_users(TWO_LEAVES);
	submit("u1", job);
	host_pass();
	host_job_begin(job[0], host_now());
	submit("u1 u1 u2 u3", job + 1);
	host_pass();
	assert_places(job + 1, 4, expected);
}

/* The leaf of a job that runs is in the state file: otherwise it would count at u1's own leaf,
 * which is the best one by now, and u3 would come before u2. */
TEST(leaf_of_a_running_job_outlives_a_restart)
{
	const long expected[] = { 2, 1 };
	job_record_t *job[3];

	open_users(SCOPE "\"[u1, 1] [g, 5] [u2, 1]\"\nUserGroup=g Members=\"u1 u3\"");
	submit("u1", job);
	host_pass();
	host_job_begin(job[0], host_now());	/* as a member of g */
	host_advance(60);
	host_pass();
	ck_assert(host_close());
	write_conf(SCOPE "\"[u1, 9] [g, 2] [u2, 1]\"\nUserGroup=g Members=\"u1 u3\"");
	host_load(FATHOM_PLUGIN);
	submit("u3 u2", job + 1);
	host_pass();
	assert_places(job + 1, 2, expected);
}

/* u1's first job goes by g, the second by u1's own leaf. Both run when jobs are placed between two
 * passes, which charges nothing. g has 20/6 then; with both jobs it would have less than u2. */
TEST(leaf_is_known_between_placing_and_the_first_charge)
{
	const long expected[] = { 2, 1 };
	job_record_t *job[4];

	open_users(SCOPE "\"[u1, 10] [g, 20] [u2, 8]\"\nUserGroup=g Members=\"u1 u3\"");
	submit("u1 u1", job);
	host_pass();
	host_job_begin(job[0], host_now());
	host_job_begin(job[1], host_now());
	submit("u2 u3", job + 2);
	host_wake();
	assert_places(job + 2, 2, expected);
	host_pass();
	assert_places(job + 2, 2, expected);
}

/* What has run counts at the leaf, too: u2 has used less than g. */
TEST(usage_is_charged_to_leaves)
{
	const long expected[] = { 3, 1, 2 };
	job_record_t *job[4];

	open_users(SCOPE "\"[g, 1] [u2, 1] [u1, 1]\"\nUserGroup=g Members=\"u3 u4\"");
	submit("u3", job);
	host_pass();
	host_job_begin(job[0], host_now());
	host_advance(36000);
	host_job_end(job[0]);
	host_job_cleaned(job[0]);
	submit("u4 u2 u1", job + 1);
	host_pass();
	assert_places(job + 1, 3, expected);
}

/* u1's job was placed at g. By its end g has 20/4.5; at u1's own leaf, the first one, it would have
 * set back u1's third job behind that of u2. */
TEST(job_that_ends_before_it_was_charged_counts_at_its_leaf)
{
	const long expected[] = { 4, 1, 2, 3 };
	job_record_t *job[5];

	open_users(SCOPE "\"[u1, 10] [g, 20] [u2, 7]\"\nUserGroup=g Members=\"u1 u3\"");
	submit("u1", job);
	host_pass();
	host_job_begin(job[0], host_now());
	host_advance(36000);
	host_job_end(job[0]);
	host_job_cleaned(job[0]);
	submit("u2 u1 u1 u1", job + 1);
	host_pass();
	assert_places(job + 1, 4, expected);
}

/* ---- job arrays ---------------------------- */

/* Starts a task of u1's array that is not the last one. */
static void begin_task(job_record_t *array)
{
	host_job_begin(host_job(&(struct host_job){ .user = user_in("u1", "a"),
						    .partition = { queue }, .minutes = 6000,
						    .array = array }), host_now());
}

static job_record_t *submit_array(uint32_t tasks)
{
	return host_job(&(struct host_job){ .user = user_in("u1", "a"), .partition = { queue },
					    .minutes = 6000, .tasks = tasks });
}

/* u1's job goes by g, the array behind it by u1's own leaf, which then has 10/12. With the tasks g
 * would have less than u2. */
TEST(tasks_count_at_the_leaf_where_their_array_was_placed)
{
	const long expected[] = { 2, 1 };
	job_record_t *job[3], *array;

	open_users(SCOPE "\"[u1, 10] [g, 20] [u2, 8]\"\nUserGroup=g Members=\"u1 u3\"");
	submit("u1", job);
	array = submit_array(3);
	host_pass();
	host_job_begin(job[0], host_now());
	begin_task(array);
	begin_task(array);
	host_job_begin(array, host_now());	/* the last one has the record of the array */
	submit("u2 u3", job + 1);
	host_wake();
	assert_places(job + 1, 2, expected);
	host_pass();
	assert_places(job + 1, 2, expected);
}

/* Between two placings each. The first task goes by g, the second by u1's own leaf, the third by g
 * again, which has 20/9 then. */
TEST(tasks_that_start_one_after_the_other_count_at_several_leaves)
{
	const long expected[] = { 2, 1 };
	job_record_t *job[2], *array;

	open_users(SCOPE "\"[u1, 10] [g, 20] [u2, 6]\"\nUserGroup=g Members=\"u1 u3\"");
	array = submit_array(4);
	host_pass();
	for (size_t i = 0; i < 3; i++) {
		begin_task(array);
		host_wake();
	}
	host_job_purge(array);
	submit("u2 u3", job);
	host_pass();
	assert_places(job, 2, expected);
}

/* ---- changes ---------------------------- */

TEST(new_shares_count_at_once)
{
	const long before[] = { 1, 2, 0 }, after[] = { 2, 0, 1 }, without[] = { 1, 2, 3 };
	job_record_t *job[3];

	open_users(SCOPE "\"[u1, 2] [u2, 1]\"");
	submit("u1 u2 u3", job);
	host_pass();
	assert_places(job, 3, before);
	reconfigure(SCOPE "\"[u3, 2] [u1, 1]\"");
	assert_places(job, 3, after);
	reconfigure(SCOPE "\"[u3, 2] [u1, 0]\"");
	assert_places(job, 3, after);
	ck_assert_uint_eq(logged("fathom.conf:2: UserShares: the shares in '[u1, 0]'"), 1);
	reconfigure("Policy=fcfs\nScope=s Partitions=short Policy=lsf");
	assert_places(job, 3, without);
	reconfigure(SCOPE "\"[u1, 2] [u2, 1]\"");
	assert_places(job, 3, before);
}

TEST(user_who_comes_later_is_one_of_all_by_default)
{
	const long expected[] = { 2, 3, 1 };
	job_record_t *job[3];

	open_users(SCOPE "\"[u1, 1] [default, 2]\"\nUserGroup=g Members=u5");
	submit("u1 u1", job);
	host_pass();
	host_user(user_in("u1", "a")->parent, "u5", 1);
	submit("u5", job + 2);
	host_pass();
	assert_places(job, 3, expected);
}

TEST(administrators_need_shares_too)
{
	const long expected[] = { 1, 0, 0 };
	job_record_t *job[3];

	open_users(SCOPE "\"[u1, 1]\"");
	submit("u1 u2 u3", job);
	job[1]->user_id = 0;
	job[2]->user_id = slurm_conf.slurm_user_id;
	host_pass();
	assert_places(job, 3, expected);
}

TEST(user_who_comes_later_may_have_no_shares)
{
	const long expected[] = { 1, 0 };
	job_record_t *job[2];

	open_users(SCOPE "\"[u1, 1]\"");
	submit("u1", job);
	host_pass();
	host_user(user_in("u1", "a")->parent, "u5", 1);
	submit("u5", job + 1);
	host_pass();
	assert_places(job, 2, expected);
}

TEST(job_that_comes_later_has_the_last_place_of_its_users_leaf)
{
	job_record_t *job[4];

	open_users(SCOPE "\"[default, 1]\"");
	submit("u1 u2 u1", job);
	host_pass();
	submit("u1/lab", job + 3);
	ck_assert_int_eq(place_of(job[3], 3), 3);
}

static void come_or_go(void *user)
{
	struct host_association *association = user;

	if (association->record)
		host_remove(association);
	else
		host_add_again(association);
}

/* Names are read after the tree of associations, so somebody may be gone by then. */
TEST(users_may_come_and_go_while_the_tree_is_made)
{
	const long expected[] = { 1, 3, 2, 4 };
	struct host_association *leaver;
	job_record_t *job[4];

	open_users(SCOPE "\"[g, 1] [default, 1]\"\nUserGroup=g Members=\"u2 u4\"");
	submit("u1 u1 u2 u2", job);
	leaver = user_in("u4", "a");
	host_short_slices(true);
	for (uint64_t step = 1; step <= 60; step++) {
		host_beside_pass(step, come_or_go, leaver);
		host_pass();
	}
	host_short_slices(false);
	host_pass();
	assert_places(job, 4, expected);
}

/* ---- what others see ---------------------------- */

/* What the command prints of the scope in the FiguresFile, without its header. */
static void assert_shows(const char *options, const char *expected)
{
	char command[1024], text[4096] = "";
	FILE *out;
	size_t length;

	snprintf(command, sizeof(command), "'%s' shares --from '%s/figures' --scope s %s 2>&1",
		 FATHOM_COMMAND, host_folder(), options);
	out = popen(command, "r");
	length = fread(text, 1, sizeof(text) - 1, out);
	text[length] = '\0';
	ck_assert_int_eq(pclose(out), 0);
	ck_assert_str_eq(text, expected);
}

/* One job of u3 runs on two CPUs, another one on one CPU has ended. u1's job outside the scope does
 * not count. Nothing decays. */
TEST(leaf_has_the_sums_of_its_jobs)
{
	static const char sums[] = "\"cpu_time\": 1500, \"run_time\": 600, \"hist_run_time\": 300, "
				   "\"committed_run_time\": 360000, \"job_slots\": 2, ";
	job_record_t *job[3];
	const char *node;

	open_users("FiguresFile=figures\n"
		   SCOPE "\"[g, 1] [u1, 1]\" HistHours=0\nUserGroup=g Members=\"u3 u4\"");
	job[0] = host_job(&(struct host_job){ .user = user_in("u3", "a"), .partition = { queue },
					      .cpus = 2, .minutes = 6000 });
	submit("u3", job + 1);
	job[2] = host_job(&(struct host_job){ .user = user_in("u1", "a") });
	host_pass();
	for (size_t i = 0; i < 3; i++)
		host_job_begin(job[i], host_now());
	host_pass();
	host_job_end(job[1]);
	host_job_cleaned(job[1]);
	host_pass();
	node = strstr(file_text("figures"), "\"user\": \"g\"");
	ck_assert_ptr_nonnull(node);
	ck_assert_msg(!strncmp(strstr(node, "\"cpu_time\""), sums, strlen(sums)), "%s", node);
	node = strstr(node, "\"user\": \"u1\"");
	ck_assert(node && strstr(node, "\"cpu_time\": 0, \"run_time\": 0, "));
}

/* All nodes, with what runs at them, and all groups, used or not. */
TEST(figures_file_has_the_scopes_own_tree)
{
	job_record_t *job[3];

	if (!*FATHOM_COMMAND)
		return;
	open_users("FiguresFile=figures\n"
		   SCOPE "\"[lab, 10] [u2, 6] [others, 4]\"\n"
		   "UserGroup=lab Members=\"u1 deep\" UserShares=\"[deep, 3] [u1, 1]\"\n"
		   "UserGroup=deep Members=u3\nUserGroup=unused Members=all");
	submit("u3 u4", job);
	host_pass();
	host_job_begin(job[0], host_now());
	host_job_begin(job[1], host_now());
	host_pass();
	assert_shows("-Pn -o Account,User,RawShares,NormShares,Started,RunTime",
		     "root|||1.000000|2|600.000000\n"
		     " lab||10|0.500000|1|300.000000\n"
		     "  lab|deep|3|0.375000|1|300.000000\n"
		     "  lab|u1|1|0.125000|0|0.000000\n"
		     " root|u2|6|0.300000|0|0.000000\n"
		     " root|others|4|0.200000|1|300.000000\n");
	assert_shows("| head -n 11",
		     "Scope: s\nPartitions: short\nKind: queue\n"
		     "UserShares: [lab, 10] [u2, 6] [others, 4]\n"
		     "UserGroup: deep\n  Members: u3\n"
		     "UserGroup: lab\n  Members: u1 deep\n  UserShares: [deep, 3] [u1, 1]\n"
		     "UserGroup: unused\n  Members: all\n");
	assert_shows("--json | grep -A 4 '\"scope\":'",
		     " \"scope\": {\"name\": \"s\", \"partitions\": [\"short\"], \"kind\": "
		     "\"queue\", \"hosts\": null, \"master_queue\": null, "
		     "\"dispatch_order\": null, "
		     "\"user_shares\": \"[lab, 10] [u2, 6] [others, 4]\", \"user_groups\": [\n"
		     "  {\"name\": \"deep\", \"members\": [\"u3\"], \"user_shares\": null},\n"
		     "  {\"name\": \"lab\", \"members\": [\"u1\", \"deep\"], "
		     "\"user_shares\": \"[deep, 3] [u1, 1]\"},\n"
		     "  {\"name\": \"unused\", \"members\": [\"all\"], \"user_shares\": "
		     "null}]},\n \"associations\": [\n");
}
