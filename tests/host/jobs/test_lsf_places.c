/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Policy lsf in slurmctld: each pending job has the priority of its place in LSF's order of
 * dispatch, so that slurmctld starts jobs in that order within one cycle.
 */
#include "scenario/captured_log.h"
#include "scenario/host_files.h"
#include "scenario/host_suite.h"

#define MOST_JOBS 64
#define LSF "Policy=lsf"
#define WEIGHT "PriorityWeightFairshare=1000\n"

static void configure(const char *conf, const char *weights)
{
	setenv("HOST_LOG", "info", 1);
	capture_log();
	host_configure("PriorityDecayHalfLife=0\nPriorityUsageResetPeriod=YEARLY\n"
		       "PriorityCalcPeriod=5\n%s", weights);
	host_passed_at(host_now());
	write_conf(conf);
}

static struct host_association *user(const char *name)
{
	size_t count;
	struct host_association **all = host_associations(&count);

	for (size_t i = 0; i < count; i++)
		if (all[i]->user && !strcmp(all[i]->user, name))
			return all[i];
	ck_abort_msg("no user %s", name);
}

static job_record_t *job_of(const char *name, part_record_t *partition)
{
	return host_job(&(struct host_job){ .user = user(name), .partition = { partition } });
}

static double factor_of(const job_record_t *job)
{
	return job->prio_factors->priority_fs / 1000;
}

/* The place of `count` jobs that the factor stands for. */
static long place_of(const job_record_t *job, size_t count)
{
	return lround((double)count + 1 - factor_of(job) * (double)count);
}

/* Names, one a job. */
static size_t submit(const char *names, job_record_t **job)
{
	size_t count = 0;

	for (; *names; names += strcspn(names, " ") + (names[strcspn(names, " ")] != 0)) {
		char name[16];

		sscanf(names, "%15s", name);
		job[count++] = job_of(name, NULL);
	}
	return count;
}

static void assert_places(job_record_t *const *job, size_t count, const long *expected)
{
	for (size_t i = 0; i < count; i++)
		ck_assert_msg(place_of(job[i], count) == expected[i],
			      "job %zu of %zu has place %ld, not %ld", i, count,
			      place_of(job[i], count), expected[i]);
}

static void open_users(const char *conf, const char *weights, uint32_t shares_of_first)
{
	configure(conf, weights);
	host_user(host_root(), "u1", shares_of_first);
	host_user(host_root(), "u2", 1);
	host_user(host_root(), "u3", 1);
	host_open();
	host_load(FATHOM_PLUGIN);
}

/* The thread has been told to place jobs soon. */
static void await_appointment(void)
{
	for (int i = 0; i < 10000 && host_next_pass() > 1; i++)
		usleep(1000);
	ck_assert(host_next_pass() <= 1);
}

/* ---- vectors ---------------------------- */

static const struct {
	const char *conf, *jobs;
	uint32_t shares;	/* of u1 */
	long place[MOST_JOBS];
} vectors[] = {
	{ LSF, "u1 u1 u1 u1 u1 u2 u2 u2 u2 u2 u3 u3 u3 u3 u3", 1,
	  { 1, 4, 7, 10, 13, 2, 5, 8, 11, 14, 3, 6, 9, 12, 15 } },
	{ LSF, "u1 u1 u1 u1 u1 u1 u2 u2 u2", 2, { 1, 2, 4, 5, 7, 8, 3, 6, 9 } },
	{ "Policy=fcfs\nScope=all Partitions=batch Policy=lsf", "u1 u1 u2 u2", 1, { 1, 3, 2, 4 } },
};

TEST_EACH(jobs_have_the_places_of_the_vectors, vectors)
{
	job_record_t *job[MOST_JOBS];
	size_t count;

	open_users(vectors[_i].conf, WEIGHT, vectors[_i].shares);
	count = submit(vectors[_i].jobs, job);
	host_pass();
	assert_places(job, count, vectors[_i].place);
}

/* L11: as it was, all users tie */
TEST(nobody_is_placed_with_a_run_job_factor_of_0)
{
	job_record_t *job[MOST_JOBS];

	open_users(LSF "\nRunJobFactor=0", WEIGHT, 1);
	submit("u1 u1 u2 u2", job);
	host_pass();
	for (size_t i = 0; i < 4; i++)
		ck_assert(factor_of(job[i]) == 1);
}

TEST(accounts_take_turns)
{
	const long expected[] = { 1, 5, 3, 7, 2, 4, 6, 8 };
	struct host_association *a, *b;
	job_record_t *job[MOST_JOBS];

	configure(LSF, WEIGHT);
	a = host_account(host_root(), "gA", 1);
	b = host_account(host_root(), "gB", 1);
	host_user(a, "a1", 1);
	host_user(a, "a2", 1);
	host_user(b, "b1", 1);
	host_open();
	host_load(FATHOM_PLUGIN);
	submit("a1 a1 a2 a2 b1 b1 b1 b1", job);
	host_pass();
	assert_places(job, 8, expected);
}

/* ---- what a job is ---------------------------- */

TEST(jobs_that_cannot_start_come_behind)
{
	const long expected[] = { 4, 5, 6, 7, 1, 3, 2 };
	job_record_t *job[MOST_JOBS];

	open_users(LSF, WEIGHT, 1);
	submit("u1 u1 u1 u1 u1 u1 u2", job);
	job[2]->priority = 0;		/* held */
	job[3]->job_state |= JOB_REVOKED;	/* it runs in another cluster of the federation */
	job[0]->bit_flags |= JOB_DEPENDENT;
	job[1]->details->begin_time = host_now() + 864000;
	host_pass();
	ck_assert_uint_eq(job[2]->priority, 0);
	for (size_t i = 0; i < 7; i++)
		if (job[i]->priority)
			ck_assert_int_eq(place_of(job[i], 7), expected[i]);
}

/* The older job has terms of its own though its user has no shares in the partition in which it was
 * tried last. */
TEST_LOOP(place_does_not_depend_on_the_partition_tried_last, 2)
{
	struct host_association *none;
	part_record_t *slow, *fast;
	job_record_t *young, *old;

	configure(LSF "\nScope=s Partitions=slow Policy=lsf UserShares=\"[none, 1] [u1, 1]\"",
		  WEIGHT "PriorityWeightAge=10\nPriorityMaxAge=1-0\n");
	host_user(host_root(), "u1", 1);
	none = host_user(host_root(), "none", 0);
	host_open();
	slow = host_partition("slow", 5, NULL);
	fast = host_partition("fast", 20, NULL);
	host_load(FATHOM_PLUGIN);
	young = host_job(&(struct host_job){ .user = none, .age = 20000,
					     .partition = { slow } });
	old = host_job(&(struct host_job){ .user = none, .age = 43200,
					   .partition = { slow, fast } });
	old->part_ptr = _i ? fast : slow;
	for (int pass = 0; pass < 2; pass++)
		host_pass();
	ck_assert_uint_gt(compat_pair_priority(old, 2, 0), young->priority);
}

static const struct {
	uint32_t most, running;		/* tasks that may run, and that run */
	long places[4];
} arrays[] = {
	{ 0, 2, { 1, 4, 2, 3 } },
	{ 4, 0, { 1, 4, 2, 3 } },
	{ 4, 3, { 1, 3, 2, 4 } },	/* a single task may start */
	{ 4, 4, { 4, 1, 2, 3 } },
	{ 4, 5, { 4, 1, 2, 3 } },	/* the limit was lowered */
};

TEST_EACH(array_counts_with_the_tasks_that_may_start, arrays)
{
	job_record_t *job[4];

	open_users(LSF, WEIGHT, 1);
	job[0] = host_job(&(struct host_job){ .user = user("u1"), .tasks = 100 });
	job[1] = job_of("u1", NULL);
	job[2] = host_job(&(struct host_job){ .user = user("u2"), .cpus = 3 });
	job[3] = job_of("u2", NULL);
	job[0]->array_recs->max_run_tasks = arrays[_i].most;
	job[0]->array_recs->tot_run_tasks = arrays[_i].running;
	host_pass();
	assert_places(job, 4, arrays[_i].places);
}

TEST(nice_jobs_of_a_user_go_behind_his_others)
{
	const int nice[] = { 5, 0, -2, -7 };
	const long expected[] = { 4, 3, 2, 1 };
	job_record_t *job[MOST_JOBS];

	open_users(LSF, WEIGHT, 1);
	for (size_t i = 0; i < 4; i++)
		job[i] = host_job(&(struct host_job){ .user = user("u1"), .nice = nice[i] });
	host_pass();
	assert_places(job, 4, expected);
}

TEST(jobs_of_a_user_go_in_the_order_of_submission)
{
	const long expected[] = { 3, 1, 2 };
	job_record_t *job[MOST_JOBS];

	open_users(LSF, WEIGHT, 1);
	submit("u1 u1 u1", job);
	job[0]->details->submit_time++;
	host_pass();
	assert_places(job, 3, expected);
}

/* flux rounds the priority: 66666.7 to 66667. What that adds is no priority of the job's own. */
TEST(jobs_keep_their_order_in_a_scope_under_flux)
{
	job_record_t *job[MOST_JOBS];

	open_users("Policy=flux QueueWeight=0\nScope=s Partitions=batch Policy=lsf", WEIGHT, 1);
	submit("u1 u1 u1", job);
	for (int i = 0; i < 4; i++) {
		host_pass();
		ck_assert_uint_eq(job[0]->priority, 100000);
		ck_assert_uint_eq(job[1]->priority, 66667);
		ck_assert_uint_eq(job[2]->priority, 33333);
	}
}

/* The queue of the greater priority goes first, whatever came first. */
TEST(jobs_of_a_user_go_in_the_order_of_their_queues)
{
	const long expected[] = { 3, 1, 4, 2 };
	part_record_t *low, *high;
	job_record_t *job[MOST_JOBS];

	configure(LSF, WEIGHT);
	host_user(host_root(), "u1", 1);
	host_open();
	low = host_partition("low", 3, NULL);
	high = host_partition("high", 9, NULL);
	host_load(FATHOM_PLUGIN);
	for (size_t i = 0; i < 4; i++)
		job[i] = job_of("u1", i % 2 ? high : low);
	host_pass();
	assert_places(job, 4, expected);
}

static int by_number_descending(void *one, void *other)
{
	const job_record_t *left = *(job_record_t **)one, *right = *(job_record_t **)other;

	return (left->job_id < right->job_id) - (left->job_id > right->job_id);
}

TEST(jobs_submitted_at_once_go_in_the_order_of_their_numbers)
{
	const long expected[] = { 1, 2, 3 };
	job_record_t *job[MOST_JOBS];

	open_users(LSF, WEIGHT, 1);
	submit("u1 u1 u1", job);
	list_sort(job_list, by_number_descending);
	host_pass();
	assert_places(job, 3, expected);
}

TEST(running_jobs_set_their_user_back)
{
	const long expected[] = { 3, 1, 2 };
	job_record_t *job[MOST_JOBS];

	open_users(LSF, WEIGHT, 1);
	submit("u1 u1 u1 u2 u2", job);
	host_job_begin(job[0], host_now());
	host_job_begin(job[1], host_now());
	host_pass();
	assert_places(job + 2, 3, expected);
}

/* ---- partitions ---------------------------- */

#define EACH_FAIR_SHARE "Policy=fcfs\nScope=a Partitions=a Policy=lsf\n" \
			"Scope=b Partitions=b Policy=lsf\nScope=c Partitions=c Policy=lsf"

/* C B A B A of equal priority: fair-share queues are served whole, in the order of slurm.conf. */
static const struct { const char *conf, *configured, *dispatched; } orders[] = {
	{ EACH_FAIR_SHARE, "abc", "AABBC" },
	{ EACH_FAIR_SHARE, "bca", "BBCAA" },
	{ "Policy=fcfs\nScope=a Partitions=a Policy=lsf\nScope=c Partitions=c Policy=lsf", "abc",
	  "AABBC" },
	{ "Policy=fcfs\nScope=b Partitions=b Policy=lsf", "abc", "CAABB" },
};

TEST_EACH(queues_of_equal_priority_are_served_as_the_document_says, orders)
{
	part_record_t *partition[3];
	job_record_t *job[5];
	char dispatched[6] = "";

	configure(orders[_i].conf, WEIGHT);
	host_user(host_root(), "u1", 1);
	host_open();
	for (const char *name = orders[_i].configured; *name; name++)
		partition[*name - 'a'] = host_partition((char[]){ *name, '\0' }, 5, NULL);
	host_load(FATHOM_PLUGIN);
	for (size_t i = 0; i < 5; i++)
		job[i] = job_of("u1", partition["CBABA"[i] - 'A']);
	host_pass();
	for (size_t i = 0; i < 5; i++)
		dispatched[place_of(job[i], 5) - 1] = "CBABA"[i];
	ck_assert_str_eq(dispatched, orders[_i].dispatched);
}

TEST(no_queue_is_fair_share_and_nobody_is_placed)
{
	job_record_t *job[MOST_JOBS];

	open_users("Policy=fcfs", WEIGHT, 1);
	submit("u1 u1 u2", job);
	host_pass();
	for (size_t i = 0; i < 3; i++)
		ck_assert(factor_of(job[i]) == 1);
}

TEST(job_has_a_place_in_each_of_its_partitions)
{
	part_record_t *high, *low;
	job_record_t *job;

	configure("Policy=fcfs\nScope=h Partitions=high Policy=lsf\n"
		  "Scope=l Partitions=low Policy=lsf", WEIGHT);
	host_user(host_root(), "u1", 1);
	host_open();
	high = host_partition("high", 9, NULL);
	low = host_partition("low", 3, NULL);
	host_load(FATHOM_PLUGIN);
	job = host_job(&(struct host_job){ .user = user("u1"), .partition = { low, high } });
	host_pass();
	ck_assert_uint_eq(compat_pair_priority(job, 2, 0), 500);
	ck_assert_uint_eq(compat_pair_priority(job, 2, 1), 1000);
}

TEST(job_without_a_partition_takes_no_place)
{
	job_record_t *job[MOST_JOBS];
	part_record_t *partition;

	open_users(LSF, WEIGHT, 1);
	submit("u1 u1", job);
	partition = job[0]->part_ptr;
	job[0]->part_ptr = NULL;
	host_pass();
	ck_assert_int_eq(place_of(job[1], 1), 1);
	job[0]->part_ptr = partition;
}

/* ---- between passes ---------------------------- */

TEST(job_that_comes_later_has_its_users_last_place_and_wakes_the_thread)
{
	const long expected[] = { 1, 3, 2, 4, 5 };
	job_record_t *job[MOST_JOBS];

	open_users(LSF, WEIGHT, 1);
	submit("u1 u1 u2", job);
	host_pass();
	ck_assert_int_eq(place_of(job[2], 3), 2);
	job[3] = job_of("u2", NULL);
	ck_assert_int_eq(place_of(job[3], 3), 2);
	job[4] = job_of("u1", NULL);
	ck_assert_int_eq(place_of(job[4], 3), 3);
	await_appointment();
	host_wake();
	assert_places(job, 5, expected);
	ck_assert(host_next_pass() > 1);
}

TEST(first_job_that_can_start_has_no_place_yet)
{
	job_record_t *job;

	open_users(LSF, WEIGHT, 4);
	job = job_of("u1", NULL);
	job->priority = 0;
	host_pass();
	ck_assert_double_lt(factor_of(job_of("u2", NULL)), 1);
}

TEST(first_job_of_all_has_the_factor_1)
{
	job_record_t *job;

	open_users(LSF, WEIGHT, 1);
	host_pass();
	job = job_of("u3", NULL);
	ck_assert(factor_of(job) == 1);
}

TEST(placing_between_passes_charges_nothing_but_knows_what_runs)
{
	const long expected[] = { 3, 1, 2 };
	job_record_t *job[MOST_JOBS];

	open_users(LSF, WEIGHT, 1);
	submit("u1 u1 u2", job);
	host_pass();
	host_job_begin(job[0], host_now());
	host_advance(60);
	job[3] = job_of("u2", NULL);
	host_wake();
	ck_assert(user("u1")->record->usage->usage_raw == 0);
	assert_places(job + 1, 3, expected);
}

TEST(released_job_is_placed_anew)
{
	job_record_t *job[MOST_JOBS];

	open_users(LSF, WEIGHT, 1);
	submit("u1 u1 u2 u2", job);
	job[0]->priority = 0;
	host_pass();
	job[0]->priority = 1;
	host_job_set_priority(job[0]);
	await_appointment();
	host_wake();
	ck_assert_int_eq(place_of(job[0], 4), 1);
}

/* ---- changes while jobs are listed ---------------------------- */

#define MANY 1500		/* jobs, in several slices */

static job_record_t *many[MANY];
static size_t next_change;

/* Partitions get new records, a job ends its wait, and another one comes. */
static void change_jobs(void *unused)
{
	if (next_change + 1 >= MANY)
		return;
	host_replace_partitions();
	host_job_begin(many[next_change], host_now());
	many[next_change] = job_of(next_change % 2 ? "u1" : "u3", NULL);
	next_change += 7;
}

TEST(jobs_may_come_and_go_while_they_are_placed)
{
	static bool taken[MANY + 1];

	open_users(LSF, WEIGHT, 1);
	for (size_t i = 0; i < MANY; i++)
		many[i] = job_of(i % 3 ? "u1" : "u2", NULL);
	host_short_slices(true);
	host_on_release(HOST_JOB, READ_LOCK, 0, change_jobs, NULL);
	host_pass();
	ck_assert_uint_gt(next_change, 0);
	host_short_slices(false);
	host_pass();
	for (size_t i = 0; i < MANY; i++) {
		long place = place_of(many[i], MANY);

		ck_assert_msg(place >= 1 && place <= MANY && !taken[place], "job %zu: place %ld", i,
			      place);
		taken[place] = true;
	}
}

/* ---- what the log says ---------------------------- */

static const char *const other_weights[] = {
	"PriorityWeightAge=1\n", "PriorityWeightAssoc=1\n", "PriorityWeightJobSize=1\n",
	"PriorityWeightPartition=1\n", "PriorityWeightQOS=1\n", "PriorityWeightTRES=cpu=1\n",
};

TEST_EACH(each_weight_changes_the_order, other_weights)
{
	open_users(LSF, other_weights[_i], 1);
	host_pass();
	ck_assert_uint_eq(logged("other weights than PriorityWeightFairshare"), 1);
}

TEST(weights_that_change_the_order_are_told_once)
{
	job_record_t *job[MOST_JOBS];

	open_users(LSF, "PriorityWeightFairshare=2\nPriorityWeightAge=1\n", 1);
	submit("u1 u2 u3", job);
	host_pass();
	host_pass();
	ck_assert_uint_eq(logged("other weights than PriorityWeightFairshare"), 1);
	ck_assert_uint_eq(logged("PriorityWeightFairshare=2 is less than the number of pending "
				 "jobs, 3"), 1);
}

TEST(weights_that_are_right_are_not_told)
{
	job_record_t *job[MOST_JOBS];

	open_users(LSF, WEIGHT, 1);
	submit("u1 u2 u3", job);
	host_pass();
	ck_assert_uint_eq(logged("PriorityWeightFairshare"), 0);
}
