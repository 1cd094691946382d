/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files in StateSaveLocation: slurmctld's dump beside multifactor's time, and files that
 * cannot be read.
 */
#include "scenario/crash.h"
#include "scenario/host_files.h"
#include "scenario/host_suite.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <sys/inotify.h>
#include <sys/stat.h>

#define PERIOD 300		/* PriorityCalcPeriod=5, minutes */
#define CPUS 4
#define OWN "fathom_usage"
#define STOCK "priority_last_decay_ran"

#define HOST __attribute__((visibility("default")))

static struct host_association *anna, *bert;
static job_record_t *job;
static time_t begun;

/* One job of anna's, so that her usage tells until when it is charged. */
static void start_cluster(void)
{
	struct host_association *account;

	host_configure("PriorityDecayHalfLife=0\nPriorityUsageResetPeriod=YEARLY\n"
		       "PriorityCalcPeriod=5\n"
		       "PriorityFlags=NO_FAIR_TREE\nPriorityWeightFairshare=1000\n"
		       "AccountingStorageEnforce=associations,limits\n");
	account = host_account(host_root(), "physics", 1);
	anna = host_user(account, "anna", 1);
	bert = host_user(account, "bert", 1);
	host_user(account, "carl", 1);
	host_user(account, "dora", 1);
	host_open();
	job = host_job(&(struct host_job){ .user = anna, .cpus = CPUS, .minutes = 6000 });
	begun = host_now();
	host_job_begin(job, begun);
}

static double usage_of(const struct host_association *association)
{
	return (double)association->record->usage->usage_raw;
}

static time_t charged_until(void)
{
	return begun + (time_t)(usage_of(anna) / CPUS + 0.5);
}

/* ---- what the system does ---------------------------------------------------------- */

static const char *_Atomic unreadable;	/* a file's name; NULL: all can be read */
static _Atomic int problem, read_problem, unreadable_file = -1;
static bool no_inotify;

static int (*next_open)(const char *path, int flags, ...);
static ssize_t (*next_read)(int file, void *data, size_t length);
static int (*next_inotify_init1)(int flags);
static int (*next_fsync)(int file);

static void __attribute__((constructor)) find_next(void)
{
	*(void **)&next_open = dlsym(RTLD_NEXT, "open");
	*(void **)&next_read = dlsym(RTLD_NEXT, "read");
	*(void **)&next_inotify_init1 = dlsym(RTLD_NEXT, "inotify_init1");
	*(void **)&next_fsync = dlsym(RTLD_NEXT, "fsync");
}

static bool is_unreadable(const char *path, int flags)
{
	const char *name = strrchr(path, '/');

	return unreadable && name && !strcmp(name + 1, unreadable) && !(flags & O_WRONLY);
}

HOST int open(const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;
	int file;

	va_start(arguments, flags);
	mode = va_arg(arguments, mode_t);
	va_end(arguments);
	if (is_unreadable(path, flags) && problem) {
		errno = problem;
		return -1;
	}
	if (!next_open)		/* a library's constructor */
		find_next();
	file = next_open(path, flags, mode);
	if (is_unreadable(path, flags))
		unreadable_file = file;
	else if (file == unreadable_file)	/* that one has been closed */
		unreadable_file = -1;
	return file;
}

/* What open() becomes under _FORTIFY_SOURCE, where its flags are no constant. */
HOST int __open_2(const char *path, int flags)
{
	return open(path, flags, 0);
}

HOST ssize_t read(int file, void *data, size_t length)
{
	if (file >= 0 && file == unreadable_file) {
		errno = read_problem;
		return -1;
	}
	if (!next_read)
		find_next();
	return next_read(file, data, length);
}

HOST int inotify_init1(int flags)
{
	if (no_inotify) {
		errno = EMFILE;
		return -1;
	}
	return next_inotify_init1(flags);
}

static _Atomic unsigned synced, synced_under_lock;

HOST int fsync(int file)
{
	synced++;
	synced_under_lock += host_state_files_are_locked();
	return next_fsync(file);
}

/* slurmctld holds associations, from 24.11 on, while it waits for this lock. */
TEST(nobody_waits_for_a_disk_on_the_lock_of_state_files)
{
	start_cluster();
	host_load(FATHOM_PLUGIN);
	host_pass();
	ck_assert(host_close());
	ck_assert_uint_ge(synced, 3);
	ck_assert_uint_eq(synced_under_lock, 0);
}

/* ---- the way back to multifactor ----------------------------------------------------- */

/* What multifactor would go on from. */
static time_t stock_time(void)
{
	unsigned char bytes[8] = { 0 };
	FILE *file = fopen(in_folder(STOCK), "r");
	uint64_t time = 0;

	ck_assert(file && fread(bytes, sizeof(bytes), 1, file) == 1);
	fclose(file);
	for (size_t i = 0; i < sizeof(bytes); i++)
		time = time << 8 | bytes[i];
	return (time_t)time;
}

static time_t in_dump;	/* until when the last dump has anna's job charged */

static void dump(void *unused)
{
	in_dump = charged_until();
	ck_assert_int_eq(dump_assoc_mgr_state(), SLURM_SUCCESS);
}

static void await_stock_time(time_t time)
{
	for (int tries = 0; stock_time() != time && tries < 5000; tries++)
		usleep(1000);
	ck_assert_int_eq(stock_time(), time);
}

/* It has loaded a dump, and multifactor's time is right for it. */
static void start_from_dump(void)
{
	start_cluster();
	dump(NULL);
	host_passed_at(begun);
	host_load(FATHOM_PLUGIN);
}

TEST(a_dump_between_two_passes_is_noticed_at_once)
{
	start_from_dump();
	host_pass();
	ck_assert_int_eq(stock_time(), begun);	/* there has been no other dump */
	host_advance(100);
	dump(NULL);
	await_stock_time(in_dump);
	ck_assert_int_eq(in_dump, begun + PERIOD);
	host_pass();
	ck_assert_int_eq(stock_time(), in_dump);
	crash();
	ck_assert_int_eq(stock_time(), in_dump);
}

TEST(what_the_end_charges_is_not_in_multifactors_time)
{
	start_from_dump();
	host_pass();
	host_advance(100);
	dump(NULL);
	host_advance(20);
	ck_assert(host_close());
	ck_assert_int_eq(stock_time(), in_dump);
	ck_assert_int_eq(charged_until(), begun + PERIOD + 120);
	/* and forward again */
	host_advance(7);
	host_load(FATHOM_PLUGIN);
	ck_assert_int_eq(charged_until(), host_now());
	ck_assert_int_eq(stock_time(), in_dump);
}

TEST(an_end_without_a_dump_leaves_multifactors_time)
{
	start_from_dump();
	host_pass();
	ck_assert(host_close());
	ck_assert_int_eq(stock_time(), begun);
}

/* Of the pass it may have anything: it counts as without it. */
TEST(a_dump_in_the_middle_of_a_pass_is_of_the_pass_before)
{
	start_from_dump();
	host_pass();
	host_on_release(HOST_ASSOC, WRITE_LOCK, 1, dump, NULL);
	host_pass();
	await_stock_time(begun + PERIOD);
	host_pass();
	ck_assert_int_eq(stock_time(), begun + PERIOD);
}

/* slurmctld has loaded the old dump, and fathom has its own usage. */
TEST(after_a_crash_multifactors_time_waits_for_a_dump)
{
	start_from_dump();
	host_pass();
	dump(NULL);
	await_stock_time(in_dump);
	host_pass();
	crash_and_restart();
	host_pass();
	ck_assert_int_eq(charged_until(), host_now());
	ck_assert_int_eq(stock_time(), in_dump);
	dump(NULL);
	await_stock_time(host_now());
}

/* Usage is restored at once, while the clock is behind and no pass charges anything. */
TEST(a_dump_of_restored_usage_is_of_its_time)
{
	start_from_dump();
	host_pass();
	dump(NULL);
	host_pass();
	host_pass();
	crash();
	host_advance(-PERIOD - 100);
	host_load(FATHOM_PLUGIN);
	dump(NULL);
	ck_assert_int_eq(in_dump, begun + 3 * PERIOD);
	await_stock_time(in_dump);
}

TEST(without_inotify_a_dump_is_noticed_with_the_next_pass)
{
	no_inotify = true;
	start_from_dump();
	host_pass();
	dump(NULL);
	host_pass();
	ck_assert_int_eq(stock_time(), in_dump);
	host_advance(10);
	dump(NULL);
	ck_assert(host_close());
	ck_assert_int_eq(stock_time(), in_dump);
}

TEST(where_no_dump_has_ever_been_multifactor_starts_from_nothing)
{
	start_cluster();
	host_load(FATHOM_PLUGIN);
	host_pass();
	ck_assert_int_eq(charged_until(), host_now());
	ck_assert_int_eq(stock_time(), 0);
	crash_and_restart();
	ck_assert_int_eq(charged_until(), host_now());
	dump(NULL);
	await_stock_time(host_now());
}

/* It went on while fathom was away: its time is later than that of fathom's file. */
TEST(multifactor_ran_last_if_its_time_is_later)
{
	start_from_dump();
	host_pass();
	dump(NULL);
	host_advance(50);
	ck_assert(host_close());
	host_advance(10);
	host_passed_at(host_now());
	host_advance(5);
	anna->record->usage->usage_raw = CPUS * 1000;
	host_load(FATHOM_PLUGIN);
	ck_assert_double_eq_tol(usage_of(anna), CPUS * 1005, 1e-6);
}

/* ---- a state that cannot be read ------------------------------------------------------ */

static const struct {
	const char *name;
	int problem, read_problem;
} trouble[] = {
	{ OWN, EIO, 0 }, { OWN, ESTALE, 0 }, { OWN, EACCES, 0 }, { OWN, ENOMEM, 0 },
	{ OWN, 0, EIO },
	{ STOCK, EIO, 0 }, { STOCK, 0, EIO },
};

static void make_unreadable(int i)
{
	unreadable = trouble[i].name;
	problem = trouble[i].problem;
	read_problem = trouble[i].read_problem;
}

static struct stat status_of(const char *name)
{
	struct stat status = { 0 };

	stat(in_folder(name), &status);
	return status;
}

static bool is_as_it_was(const char *name, const struct stat *before)
{
	struct stat status = status_of(name);

	return status.st_ino == before->st_ino && status.st_size == before->st_size;
}

static void crash_after_two_passes(void)
{
	start_cluster();
	host_load(FATHOM_PLUGIN);
	host_pass();
	host_pass();
	ck_assert(exists(OWN) && exists(STOCK));
	crash();
}

TEST_EACH(a_state_that_cannot_be_read_is_tried_with_each_pass, trouble)
{
	struct stat own;

	crash_after_two_passes();
	own = status_of(OWN);
	make_unreadable(_i);
	host_load(FATHOM_PLUGIN);
	host_pass();
	ck_assert(usage_of(anna) == 0);	/* slurmctld's own */
	ck_assert(is_as_it_was(OWN, &own));
	unreadable = NULL;
	unreadable_file = -1;
	host_pass();
	ck_assert_int_eq(charged_until(), host_now());
	ck_assert(!exists(OWN ".damaged"));
}

TEST(a_job_that_ends_meanwhile_is_charged_afterwards)
{
	time_t end;

	crash_after_two_passes();
	make_unreadable(0);
	host_load(FATHOM_PLUGIN);
	host_advance(10);
	host_job_end(job);
	host_job_cleaned(job);
	end = host_now();
	ck_assert(usage_of(anna) == 0);
	ck_assert_uint_eq(anna->record->usage->grp_used_tres_run_secs[TRES_ARRAY_CPU], 0);
	host_pass();
	ck_assert(usage_of(anna) == 0);
	unreadable = NULL;
	host_pass();
	ck_assert_int_eq(charged_until(), end);
	host_pass();
	ck_assert_int_eq(charged_until(), end);
}

/* What multifactor has marked as charged it has charged; what ends now nobody has. slurmctld may
 * end it in the second in which it loads the plugin, as its node is down. */
TEST_LOOP(a_job_that_ends_meanwhile_is_charged_on_multifactors_state, 2)
{
	time_t end;

	start_cluster();
	host_advance(100);
	host_passed_at(begun);
	make_unreadable(5);
	host_load(FATHOM_PLUGIN);
	host_advance(_i * 10);
	host_job_end(job);
	host_job_cleaned(job);
	end = host_now();
	unreadable = NULL;
	host_pass();
	ck_assert_int_eq(charged_until(), end);
}

static void ends_in_mid_pass(void *other)
{
	host_advance(50);
	host_job_end(other);
}

/* The second one ends right after the state has been read: its seconds are decayed from their time
 * on, not from that of the first end. */
TEST(jobs_that_end_before_and_after_the_state_is_read_are_charged_alike)
{
	job_record_t *other;
	double left = exp2(-50. / PERIOD);

	start_cluster();
	slurm_conf.priority_decay_hl = PERIOD;
	other = host_job(&(struct host_job){ .user = bert, .cpus = CPUS, .minutes = 6000 });
	host_job_begin(other, host_now());
	host_load(FATHOM_PLUGIN);
	host_pass();
	crash();
	make_unreadable(0);
	host_advance(2 * PERIOD);
	host_load(FATHOM_PLUGIN);
	host_job_end(job);
	unreadable = NULL;
	host_on_release(HOST_JOB, READ_LOCK, 1, ends_in_mid_pass, other);
	host_wake();
	host_wake();
	ck_assert_int_eq(other->end_time, host_now());
	/* of three half-lives and 50 seconds; and of the three */
	ck_assert_double_eq_tol(usage_of(bert),
				CPUS * PERIOD / M_LN2 * (1 - left / 8), 1e-3);
	ck_assert_double_eq_tol(usage_of(anna), CPUS * PERIOD / M_LN2 * (1 - .125) * left, 1e-3);
}

static void assert_in_file(const char *name, const char *key, time_t time)
{
	char expected[128];

	snprintf(expected, sizeof(expected), "%s%lld", key, (long long)time);
	ck_assert_msg(strstr(file_text(name), expected), "%s has no %s", name, expected);
}

/* They are slurmctld's own; nothing is charged since the start. */
TEST_EACH(figures_of_a_state_that_cannot_be_read_are_of_the_pass, trouble)
{
	time_t start;

	crash_after_two_passes();
	host_advance(100);
	make_unreadable(_i);
	write_conf("FiguresFile=figures\nMetricsFile=fathom.prom");
	start = host_now();
	host_load(FATHOM_PLUGIN);
	host_pass();
	assert_in_file("figures", "\"time\": ", host_now());
	assert_in_file("fathom.prom", "fathom_pass_timestamp_seconds ", start);
	unreadable = NULL;
	unreadable_file = -1;
	host_pass();
	assert_in_file("figures", "\"time\": ", host_now());
	assert_in_file("fathom.prom", "fathom_pass_timestamp_seconds ", host_now());
	ck_assert_int_eq(charged_until(), host_now());
}

static void somebody_comes(void *account)
{
	host_user(account, "emil", 1);
}

/* A job's end finds that her usage has been set to 0, and a pass evaluates twice before the state
 * can be read. */
TEST(usage_set_to_0_before_the_state_is_read_does_not_come_back)
{
	time_t saved;

	crash_after_two_passes();
	saved = host_now();
	anna->record->usage->usage_raw = 1000;
	make_unreadable(0);
	host_load(FATHOM_PLUGIN);
	host_reset_usage(anna);
	host_advance(10);
	host_job_end(job);
	host_job_cleaned(job);
	host_on_release(HOST_ASSOC, WRITE_LOCK, 1, somebody_comes, anna->parent);
	host_pass();
	unreadable = NULL;
	host_pass();
	ck_assert_double_eq(usage_of(anna), CPUS * (double)(job->end_time - saved));
}

TEST_EACH(an_unread_state_survives_the_end, trouble)
{
	time_t charged;
	struct stat own;

	crash_after_two_passes();
	charged = host_now();
	own = status_of(OWN);
	make_unreadable(_i);
	host_load(FATHOM_PLUGIN);
	host_pass();
	ck_assert(host_close());
	ck_assert(is_as_it_was(OWN, &own));
	unreadable = NULL;
	unreadable_file = -1;
	host_load(FATHOM_PLUGIN);
	ck_assert_int_eq(charged_until(), host_now());
	ck_assert_int_gt(host_now(), charged);
}

/* ---- a start without slurmdbd ----------------------------------------------------------- */

static struct host_association *lab;

/* Accounts with usage of members that they had once; slurmdbd's list drops it when it is back. */
static void start_with_own_usage(void)
{
	struct host_association *account;

	host_configure("PriorityDecayHalfLife=1-0\nPriorityCalcPeriod=5\n"
		       "PriorityFlags=NO_FAIR_TREE\n"
		       "PriorityWeightFairshare=1000\n"
		       "AccountingStorageEnforce=associations,limits\n");
	host_passed_at(host_now());
	account = host_account(host_root(), "physics", 1);
	lab = host_account(account, "lab", 1);
	anna = host_user(lab, "anna", 1);
	bert = host_user(account, "bert", 1);
	host_root()->usage = 1e5;
	lab->usage = 5e5;
	anna->usage = 2e5;
	bert->usage = 1e6;
	host_open();
	host_load(FATHOM_PLUGIN);
}

static double own_usage_of(const struct host_association *association, uint32_t tres)
{
	const slurmdb_assoc_usage_t *own = association->record->leaf_usage;

	return !own ? 0 : (double)(tres == NO_VAL ? own->usage_raw : own->usage_tres_raw[tres]);
}

/* As many periods have passed. */
static void own_usage_is_there(unsigned periods)
{
	double left = exp2(-(double)(periods * PERIOD) / 86400);

	ck_assert_double_eq_tol(own_usage_of(lab, NO_VAL), 5e5 * left, 1e-3);
	ck_assert_double_eq_tol(own_usage_of(lab, TRES_ARRAY_CPU), 5e5 * left, 1e-3);
	ck_assert_double_eq_tol(own_usage_of(host_root(), NO_VAL), 1e5 * left, 1e-3);
	ck_assert_double_eq_tol(own_usage_of(host_root(), TRES_ARRAY_CPU), 1e5 * left, 1e-3);
	ck_assert(own_usage_of(lab->parent, NO_VAL) == 0);
}

static void sums_are_right(unsigned periods)
{
	const slurmdb_assoc_usage_t *all = host_root()->record->usage;
	double left = exp2(-(double)(periods * PERIOD) / 86400);

	ck_assert_double_eq_tol(usage_of(lab), 7e5 * left, 1e-3);
	ck_assert_double_eq_tol(usage_of(lab->parent), 17e5 * left, 1e-3);
	ck_assert_double_eq_tol(usage_of(host_root()), 18e5 * left, 1e-3);
	ck_assert_double_eq_tol((double)all->usage_tres_raw[TRES_ARRAY_CPU], 18e5 * left, 1e-3);
	ck_assert_double_eq_tol(all->grp_used_wall, 18e5 / 16 * left, 1e-3);
}

TEST(own_usage_of_accounts_survives_slurmdbds_return)
{
	start_with_own_usage();
	host_pass();
	host_refresh_associations();
	host_pass();
	own_usage_is_there(2);
	sums_are_right(2);
	host_pass();
	own_usage_is_there(3);
	sums_are_right(3);
	crash_and_restart();
	own_usage_is_there(3);
	sums_are_right(3);
}

static void refresh(void *unused)
{
	host_refresh_associations();
}

TEST_LOOP(and_survives_it_in_the_middle_of_a_pass, 12)
{
	start_with_own_usage();
	host_short_slices(true);
	host_beside_pass((uint64_t)_i * 3 + 1, refresh, NULL);
	host_pass();
	host_pass();
	own_usage_is_there(2);
	sums_are_right(2);
}

TEST(and_where_a_job_ends_before_the_next_pass)
{
	start_with_own_usage();
	job = host_job(&(struct host_job){ .user = anna, .cpus = CPUS });
	host_job_begin(job, host_now());
	host_pass();
	host_refresh_associations();
	host_job_end(job);
	host_job_cleaned(job);
	host_pass();
	own_usage_is_there(2);
}

/* Then slurmctld sums accounts up from their members, and TRES are lost. */
TEST(and_where_a_new_association_comes_before_the_next_pass)
{
	const double left = exp2(-(double)PERIOD / 86400);

	start_with_own_usage();
	host_refresh_associations();
	host_job(&(struct host_job){ .user = host_user(lab, "emil", 1) });
	host_wake();
	ck_assert_double_eq_tol(own_usage_of(lab, NO_VAL), 5e5, 1e-3);
	host_pass();
	ck_assert_double_eq_tol(own_usage_of(lab, NO_VAL), 5e5 * left, 1e-3);
	ck_assert_double_eq_tol(own_usage_of(host_root(), NO_VAL), 1e5 * left, 1e-3);
	ck_assert_double_eq_tol(usage_of(lab), 7e5 * left, 1e-3);
	ck_assert_double_eq_tol(usage_of(host_root()), 18e5 * left, 1e-3);
}

TEST(and_where_the_state_is_read_only_after_it)
{
	start_with_own_usage();
	host_pass();
	crash();
	make_unreadable(0);
	host_load(FATHOM_PLUGIN);
	host_refresh_associations();
	unreadable = NULL;
	host_pass();
	own_usage_is_there(2);
	sums_are_right(2);
}

TEST(but_what_is_reset_after_it_stays_reset)
{
	start_with_own_usage();
	host_refresh_associations();
	host_reset_usage(lab);
	host_pass();
	ck_assert(usage_of(lab) == 0 && usage_of(anna) == 0);
	ck_assert_ptr_null(lab->record->leaf_usage);
}
