/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * At each step of a pass that works in slices, a job of a new association ends, an
 * account moves and assoc_mgr sums all accounts anew, somebody is deleted, or usage is
 * set to 0. Usage, sums and factors must be right after the pass.
 */
#include "scenario/crash.h"
#include "scenario/two_users.h"

#include <sys/mman.h>

#define HALF_LIFE 3600.
#define MORE 900			/* users, some slices of them */
#define STEPS 100		/* more than a pass has */
#define SLICES 4			/* in which it writes records, at the least */
#define READS 15		/* slices in which the first rows are read, at the least */
#define CPUS 8
#define RAN 100			/* seconds, while the pass is at work */

static struct host_association *chemistry, *carl, *group;
static job_record_t *run;

/* ---- events at each step ------------------------------------------------------------ */

#define MISSES 3	/* in a row: the pass has no more steps */

static bool has_happened;
/* Of the test whose range goes on; shared by the processes of all steps. */
static struct { const char *test; unsigned misses; } *range;

static void __attribute__((constructor)) share_range(void)
{
	range = mmap(NULL, sizeof(*range), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	if (range == MAP_FAILED)
		host_die("no memory for ranges: %m");
}

/* Whether the event of this test came too late at the steps before: then it does so at this one. */
static bool is_beyond_the_pass(const char *test)
{
	if (range->test != test)
		range->misses = 0;
	range->test = test;
	return range->misses >= MISSES;
}

/* Whether the event has come within the pass. */
static bool came_in_time(void)
{
	range->misses = has_happened ? 0 : range->misses + 1;
	return has_happened;
}

/* ---- the cluster -------------------------------------------------------------------- */

static double left_after(double seconds)
{
	return exp2(-seconds / HALF_LIFE);
}

/* The job's usage, `later` seconds after it began. */
static double used(double later)
{
	return CPUS * HALF_LIFE / M_LN2 * (left_after(later - RAN) - left_after(later));
}

static void grow_cluster(const char *slurm_conf)
{
	char name[16];

	two_users_grow(slurm_conf);
	group = host_account(physics, "group", 1);
	host_user(group, "dora", 1);
	chemistry = host_account(host_root(), "chemistry", 1);
	for (int i = 0; i < MORE; i++) {
		snprintf(name, sizeof(name), "user%d", i);
		host_user(chemistry, name, 1)->usage = 1000;
	}
	anna->usage = 1e6;
	host_passed_at(host_now());
	two_users_open();
	host_short_slices(true);
}

static void open_cluster(const char *slurm_conf)
{
	grow_cluster(slurm_conf);
	two_users_load("");
}

static double members_of(const struct host_association *account)
{
	double sum = 0;

	for (const struct host_association *at = account->first; at; at = at->next)
		sum += at->user ? usage_of(at) : members_of(at);
	return sum;
}

static void assert_sums(void)
{
	ck_assert_double_eq_tol(usage_of(physics), members_of(physics), 1e-3);
	ck_assert_double_eq_tol(usage_of(chemistry), members_of(chemistry), 1e-3);
	ck_assert_double_eq_tol(usage_of(host_root()), members_of(host_root()), 1e-3);
}

static void assert_usage(double since)
{
	ck_assert_double_eq_tol(usage_of(anna), 1e6 * left_after(since), 1e-3);
	ck_assert_double_eq_tol(usage_of(chemistry), 1e3 * MORE * left_after(since), 1e-3);
}

/* ---- somebody comes ------------------------------------------------------------- */

/* Nobody's first job asks for another pass. */
#define WITHOUT_SHARES "PriorityDecayHalfLife=1:00:00\nPriorityWeightFairshare=0\n" \
		       "PriorityWeightAge=1000"

static void comes(void *unused)
{
	carl = host_user(physics, "carl", 1);
}

static void runs(void *unused)
{
	if (!carl)
		return;
	run = host_job(&(struct host_job){ .user = carl, .cpus = CPUS });
	host_job_begin(run, host_now());
	host_advance(RAN);
	end_run(run);
}

static void comes_and_runs(void *unused)
{
	comes(unused);
	runs(unused);
}

static void assert_charged_once(void)
{
	if (!run)
		return;
	assert_usage(PERIOD);
	ck_assert_double_eq_tol(usage_of(carl), used(0), 1e-3);
	assert_sums();
	host_pass();
	assert_usage(2 * PERIOD + RAN);
	ck_assert_double_eq_tol(usage_of(carl), used(PERIOD + RAN), 1e-3);
	assert_sums();
	ck_assert(host_close());
}

TEST_RANGE(job_of_somebody_who_came_in_mid_pass_is_charged_once, 1, STEPS)
{
	open_cluster(WITHOUT_SHARES);
	host_beside_pass((uint64_t)_i, comes_and_runs, NULL);
	host_pass();
	ck_assert_uint_lt(host_last_pass()->steps, STEPS);
	assert_charged_once();
}

/* Somebody comes while records are written, and has not yet been read. */
TEST_RANGE(job_of_somebody_whom_the_pass_has_noticed_is_charged_once, 1, STEPS)
{
	open_cluster(WITHOUT_SHARES);
	host_on_release(HOST_ASSOC, WRITE_LOCK, 2, comes, NULL);
	host_beside_pass((uint64_t)_i, runs, NULL);
	host_pass();
	ck_assert_uint_lt(host_last_pass()->steps, STEPS);
	assert_charged_once();
}

static void gets_shares(void *unused)
{
	host_set_shares(bert, 7);
}

static uint64_t run_seconds(const struct host_association *association)
{
	return association->record->usage->grp_used_tres_run_secs[TRES_ARRAY_CPU];
}

/* The pass repeats its writing because of the shares; the tree that it reads then is another. */
TEST_RANGE(running_seconds_are_right_where_somebody_comes, 1, STEPS)
{
	open_cluster(WITHOUT_SHARES);
	run_in(group->first, gpu, CPUS);
	for (struct host_association *at = chemistry->first; at; at = at->next)
		run_in(at, gpu, CPUS);
	host_on_release(HOST_ASSOC, WRITE_LOCK, 2, gets_shares, NULL);
	host_beside_pass((uint64_t)_i, comes_and_runs, NULL);
	host_pass();
	ck_assert_uint_eq(run_seconds(chemistry), (uint64_t)MORE * CPUS * (6000 * 60 - PERIOD));
	ck_assert_uint_eq(run_seconds(physics), CPUS * (6000 * 60 - PERIOD));
}

/* ---- accounts are summed up anew --------------------------------------------------- */

#define WITH_SHARES "PriorityDecayHalfLife=1:00:00\nPriorityWeightFairshare=1000"

static void moves(void *unused)
{
	host_move(group, host_root());
}

TEST_RANGE(sums_are_right_after_an_account_has_moved_in_mid_pass, 1, STEPS)
{
	open_cluster(WITH_SHARES);
	host_beside_pass((uint64_t)_i, moves, NULL);
	host_pass();
	assert_usage(PERIOD);
	assert_sums();
	host_pass();
	assert_usage(2 * PERIOD);
	assert_sums();
}

/* Before the last of the records is written. The moved one has been. */
TEST_RANGE(factors_are_those_of_the_account_that_has_moved_in_mid_pass, 2, 1 + SLICES)
{
	job_record_t *job;

	open_cluster(WITH_SHARES);
	job = wait_in(group->first, gpu);
	host_pass();
	ck_assert_uint_gt(host_last_pass()->hold[HOST_ASSOC][WRITE_LOCK].count, SLICES);
	host_on_release(HOST_ASSOC, WRITE_LOCK, (uint64_t)_i, moves, NULL);
	host_pass();
	/* nothing used; below physics it would have to answer for that */
	assert_factor(job, 1);
}

/* ---- usage is set to 0 -------------------------------------------------------------- */

#define RELEASES 64		/* more than a pass has */
#define RELEASES_SORTED 128	/* ... in which walks begin again, as in 24.11 */

static void clears(void *unused)
{
	host_reset_usage(anna);
	has_happened = true;
}

/* The last of these holds is before the end of the pass, so the image must have it too. */
TEST_RANGE(usage_set_to_0_in_mid_pass_stays_so, 1, RELEASES)
{
	if (is_beyond_the_pass(__func__))
		return;
	open_cluster(WITH_SHARES);
	host_on_release(HOST_ASSOC, WRITE_LOCK, (uint64_t)_i, clears, NULL);
	host_pass();
	ck_assert_uint_lt(host_last_pass()->hold[HOST_ASSOC][WRITE_LOCK].count, RELEASES);
	if (!came_in_time())
		return;
	ck_assert_double_eq(usage_of(anna), 0);
	assert_sums();
	crash_and_restart();
	ck_assert_double_eq(usage_of(anna), 0);
	assert_sums();
}

/* ---- somebody goes ------------------------------------------------------------------ */

static void goes(void *user)
{
	host_remove(user);
	has_happened = true;
}

/* Whoever was not reset leaves usage from before the reset to an account that was. */
TEST_RANGE(member_that_goes_in_mid_pass_of_a_reset_leaves_nothing, 1, RELEASES)
{
	if (is_beyond_the_pass(__func__))
		return;
	open_cluster(WITH_SHARES "\nPriorityUsageResetPeriod=DAILY");
	host_advance(86400);
	host_on_release(HOST_ASSOC, WRITE_LOCK, (uint64_t)_i, goes, chemistry->last);
	host_pass();
	if (!came_in_time())
		return;
	host_pass();
	ck_assert_double_eq(usage_of(host_root()), 0);
	ck_assert_double_eq(usage_of(chemistry), 0);
}

/* The usage of whoever goes is its account's then, also before the first rows have been made. */
TEST_RANGE(usage_of_somebody_who_goes_as_records_are_read_counts_once, 1, READS)
{
	grow_cluster("PriorityDecayHalfLife=0");
	host_on_release(HOST_ASSOC, READ_LOCK, (uint64_t)_i, goes, chemistry->last);
	two_users_load("");
	host_pass();
	ck_assert_double_eq(usage_of(chemistry), 1e3 * MORE);
	ck_assert_double_eq(usage_of(host_root()), 1e6 + 1e3 * MORE);
}

/* Whether or not the pass has taken off what the job of whoever goes has run. */
TEST_RANGE(running_seconds_of_somebody_who_goes_are_taken_off_once, 1, RELEASES)
{
	if (is_beyond_the_pass(__func__))
		return;
	open_cluster(WITH_SHARES);
	run_in(anna, gpu, CPUS);
	run_in(bert, gpu, CPUS);
	host_on_release(HOST_ASSOC, WRITE_LOCK, (uint64_t)_i, goes, anna);
	host_pass();
	if (!came_in_time())
		return;
	ck_assert_uint_eq(run_seconds(physics), 2 * CPUS * (6000 * 60 - PERIOD));
}

static void first_and_last_go(void *unused)
{
	struct host_association *const users[] = { chemistry->first, chemistry->last };

	host_remove_users(users, 2);
	has_happened = true;
}

/* In some steps the pass has met the record of one, and not yet that of the other. */
TEST_RANGE(running_seconds_of_two_who_go_at_once_are_taken_off_once, 1, RELEASES)
{
	if (is_beyond_the_pass(__func__))
		return;
	open_cluster(WITH_SHARES);
	run_in(chemistry->first, gpu, CPUS);
	run_in(chemistry->last, gpu, CPUS);
	host_on_release(HOST_ASSOC, WRITE_LOCK, (uint64_t)_i, first_and_last_go, NULL);
	host_pass();
	if (!came_in_time())
		return;
	ck_assert_uint_eq(run_seconds(chemistry), 2 * CPUS * (6000 * 60 - PERIOD));
	ck_assert_uint_eq(run_seconds(host_root()), 2 * CPUS * (6000 * 60 - PERIOD));
}

static unsigned releases, recounted_at;

/* At the first release two go; at the one given slurmctld counts running seconds anew. */
static void go_and_are_recounted(void *unused)
{
	if (!releases++)
		first_and_last_go(unused);
	has_happened = releases >= recounted_at;
	if (releases != recounted_at)
		return;
	host_recount_run_seconds();
	priority_g_reconfig(true);
}

/* Only the job that goes on counts, with what is left of its limit. Nothing is taken off for those
 * whose associations are gone, though the pass has charged them. */
TEST_RANGE(running_seconds_that_are_counted_anew_are_of_jobs_that_go_on, 1, RELEASES)
{
	if (is_beyond_the_pass(__func__))
		return;
	open_cluster(WITH_SHARES);
	run_in(chemistry->first, gpu, CPUS);
	run_in(chemistry->first->next, gpu, CPUS);
	run_in(chemistry->last, gpu, CPUS);
	releases = 0;
	recounted_at = (unsigned)_i;
	host_on_release(HOST_ASSOC, WRITE_LOCK, 0, go_and_are_recounted, NULL);
	host_pass();
	if (!came_in_time())
		return;
	ck_assert_uint_eq(run_seconds(chemistry), CPUS * (6000 * 60 - PERIOD));
	ck_assert_uint_eq(run_seconds(host_root()), CPUS * (6000 * 60 - PERIOD));
}

static void ends(void *job)
{
	end_run(job);
}

/* slurmctld takes the association out of its list first, and from its jobs afterwards. */
TEST(job_that_ends_while_its_association_is_deleted_is_charged)
{
	job_record_t *job;

	two_users("", "");
	job = run_in(anna, gpu, CPUS);
	host_advance(RAN);
	host_on_release(HOST_ASSOC, WRITE_LOCK, 1, ends, job);
	host_request(goes, anna);
	host_pass();
	ck_assert_double_eq_tol(usage_of(physics), CPUS * RAN, 1e-6);
	ck_assert_double_eq_tol(usage_of(host_root()), CPUS * RAN, 1e-6);
	ck_assert_uint_eq(physics->record->usage->grp_used_tres_run_secs[TRES_ARRAY_CPU], 0);
}

static unsigned arrivals;

static void somebody_comes(void *unused)
{
	char name[16];

	snprintf(name, sizeof(name), "new%u", arrivals++);
	host_user(chemistry, name, 1);
}

/* A pass makes four attempts. What none of them could write comes with the next pass. */
TEST(charges_that_no_attempt_could_write_are_not_lost)
{
	open_cluster("PriorityDecayHalfLife=0");
	run_in(anna, gpu, CPUS);
	host_on_release(HOST_ASSOC, WRITE_LOCK, 0, somebody_comes, NULL);
	host_pass();
	host_pass();
	ck_assert_double_eq_tol(usage_of(anna), 1e6 + 2 * CPUS * PERIOD, 1e-6);
}

static unsigned leaving;	/* at which arrival somebody goes */

static void somebody_comes_and_perhaps_goes(void *unused)
{
	somebody_comes(unused);
	if (arrivals == leaving)
		goes(chemistry->first);
}

/* Where a pass ends in spite of changes, its image may lack the usage of somebody who went: then
 * the image before it is the one to go on from. */
TEST_RANGE(usage_of_somebody_who_goes_in_the_last_round_survives_a_crash, 1, RELEASES_SORTED)
{
	if (is_beyond_the_pass(__func__))
		return;
	open_cluster("PriorityDecayHalfLife=0");
	leaving = (unsigned)_i;
	host_on_release(HOST_ASSOC, WRITE_LOCK, 0, somebody_comes_and_perhaps_goes, NULL);
	host_pass();
	ck_assert_uint_lt(arrivals, RELEASES_SORTED);
	if (!came_in_time())
		return;
	crash_and_restart();
	ck_assert_double_eq_tol(usage_of(chemistry), 1e3 * MORE, 1e-6);
}

static void ends_late(void *job)
{
	host_advance(RAN);
	ends(job);
	has_happened = true;
}

/* Usage of anna, whose job has run since the pass before, so many seconds after its end. */
static double with_job(double later)
{
	double before = left_after(PERIOD + RAN + later);

	return 1e6 * before + CPUS * HALF_LIFE / M_LN2 * (left_after(later) - before);
}

/* Also after the last total is written, right before the end of the pass. */
TEST_RANGE(job_that_ends_in_mid_pass_is_in_the_saved_image, 1, RELEASES)
{
	if (is_beyond_the_pass(__func__))
		return;
	open_cluster(WITH_SHARES);
	host_on_release(HOST_ASSOC, WRITE_LOCK, (uint64_t)_i, ends_late, run_in(anna, gpu, CPUS));
	host_pass();
	if (!came_in_time())
		return;
	ck_assert_double_eq_tol(usage_of(anna), with_job(-RAN), 1e-6);
	crash_and_restart();
	ck_assert_double_eq_tol(usage_of(anna), with_job(0), 1e-6);
}

/* ---- usage is set to 0, and a job ends ------------------------------------------------ */

static job_record_t *of_anna;

static void ends_and_clears(void *job)
{
	ends_late(job);
	clears(NULL);
}

/* Nothing of what came before counts, neither charges of the pass nor of the job's end. */
TEST_RANGE(usage_set_to_0_after_a_job_has_ended_in_mid_pass_stays_so, 1, RELEASES)
{
	if (is_beyond_the_pass(__func__))
		return;
	open_cluster("PriorityDecayHalfLife=0");
	of_anna = run_in(anna, gpu, CPUS);
	host_on_release(HOST_ASSOC, WRITE_LOCK, (uint64_t)_i, ends_and_clears, of_anna);
	host_pass();
	if (!came_in_time())
		return;
	ck_assert_double_eq(usage_of(anna), 0);
	assert_sums();
	host_pass();
	ck_assert_double_eq(usage_of(anna), 0);
	assert_sums();
}

/* A job's end brings new usage before the pass has come to the record. */
TEST_RANGE(usage_set_to_0_before_a_job_ends_in_mid_pass_stays_so, 1, RELEASES)
{
	if (is_beyond_the_pass(__func__))
		return;
	open_cluster("PriorityDecayHalfLife=0");
	of_anna = run_in(anna, gpu, CPUS);
	clears(NULL);
	has_happened = false;
	host_on_release(HOST_ASSOC, WRITE_LOCK, (uint64_t)_i, ends_late, of_anna);
	host_pass();
	if (!came_in_time())
		return;
	ck_assert_double_le_tol(usage_of(anna), CPUS * (PERIOD + RAN), 1e-6);
	assert_sums();
}

/* ---- between two passes --------------------------------------------------------------- */

static uint64_t writes_of_pass(void)
{
	host_pass();
	return host_last_pass()->hold[HOST_ASSOC][WRITE_LOCK].count;
}

/* What has changed before a pass is seen before records are written, not only while they are. */
TEST(records_are_written_once_after_changes)
{
	uint64_t writes;

	open_cluster("PriorityDecayHalfLife=0");
	host_pass();
	writes = writes_of_pass();
	somebody_comes(NULL);
	ck_assert_uint_le(writes_of_pass(), writes + 1);	/* the trees are exchanged */
	host_remove(anna);
	host_add_again(anna);
	ck_assert_uint_le(writes_of_pass(), writes + 1);	/* late charges are taken again */
	ck_assert_double_eq(usage_of(anna), 0);
	ck_assert_double_eq(usage_of(physics), 1e6);	/* which it has inherited */
}

/* ---- the list of associations is sorted ---------------------------------------------- */

static void is_sorted(void *unused)
{
	host_sort_associations();
	has_happened = true;
}

static int by_id(void *one, void *other)
{
	const slurmdb_assoc_rec_t *left = *(slurmdb_assoc_rec_t **)one;
	const slurmdb_assoc_rec_t *right = *(slurmdb_assoc_rec_t **)other;

	return (left->id > right->id) - (left->id < right->id);
}

static void begins_again(void *unused)
{
	list_sort(assoc_mgr_assoc_list, by_id);
}

/* Iterators then stand at the beginning of the list, after each slice of a walk. */
TEST(pass_ends_though_the_list_is_sorted_all_the_while)
{
	open_cluster("PriorityDecayHalfLife=0");
	run_in(anna, gpu, CPUS);
	host_on_release(HOST_ASSOC, WRITE_LOCK, 0, begins_again, NULL);
	host_pass();
	host_pass();
	ck_assert_double_eq_tol(usage_of(anna), 1e6 + 2 * CPUS * PERIOD, 1e-6);
}

/* A walk that is between two slices then comes to an end, though it has not met all. */
TEST_LOOP(nobody_loses_usage_as_the_list_is_sorted_while_it_is_read, RELEASES)
{
	if (is_beyond_the_pass(__func__))
		return;
	open_cluster("PriorityDecayHalfLife=0");
	somebody_comes(NULL);
	host_on_release(HOST_ASSOC, READ_LOCK, (uint64_t)_i, is_sorted, NULL);
	host_pass();
	if (_i && !came_in_time())
		return;
	if (_i)		/* another walk has met the rest at once */
		ck_assert_uint_eq(logged("cannot read the associations"), 0);
	host_pass();
	ck_assert_double_eq(usage_of(anna), 1e6);
	for (const struct host_association *at = chemistry->first; at; at = at->next)
		ck_assert_double_eq(usage_of(at), at->usage);
	assert_sums();
}
