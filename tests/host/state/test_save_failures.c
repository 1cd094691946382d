/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A save that fails: the next one that succeeds saves all, and the log tells both.
 * The calls that write into the host's folder come here first. test_system_calls
 * lets each of them fail.
 */
#include "scenario/crash.h"
#include "controller/host_internal.h"
#include "scenario/two_users.h"

#include <sys/stat.h>

#define SHOWN __attribute__((visibility("default")))	/* to the plugin */
#define CPUS 2
#define RAN 100			/* seconds, while it is saved */
#define WRITES 32		/* more than a save has */

/* ---- calls ------------------------------------------------------------------------- */

enum fault { NONE, NO_SPACE, NO_SPACE_LATER, NO_SYNC, NO_RENAME, SHORT, INTERRUPTED, FAULTS };

static enum fault fault;
static bool state_was_missing;	/* when the file before it was to take its place */
static unsigned faults, writes;	/* that have happened; whose turn it was */
static job_record_t *ending;	/* at the last of so many writes */
static unsigned writes_left;

static bool is_ours(int file)
{
	char link[64], path[256];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
	length = readlink(link, path, sizeof(path) - 1);
	path[length > 0 ? length : 0] = '\0';
	return *host_folder() && !strncmp(path, host_folder(), strlen(host_folder()));
}

static int refuse(int why)
{
	faults++;
	errno = why;
	return -1;
}

static void end_in_time(void)
{
	job_record_t *job = ending;

	if (!job || --writes_left)
		return;
	ending = NULL;
	host_advance(RAN);
	end_run(job);
}

SHOWN ssize_t write(int file, const void *data, size_t length)
{
	static ssize_t (*next)(int file, const void *data, size_t length);

	if (!next)
		next = host_next_symbol("write");
	if (ending && is_ours(file))
		end_in_time();
	if (fault == NONE || !is_ours(file))
		return next(file, data, length);
	writes++;
	if (fault == NO_SPACE || (fault == NO_SPACE_LATER && writes == 3))
		return refuse(ENOSPC);
	if (fault == INTERRUPTED && writes % 2)
		return refuse(EINTR);
	if (fault == SHORT && length > 7) {
		faults++;
		length = 7;
	}
	return next(file, data, length);
}

SHOWN int fsync(int file)
{
	static int (*next)(int file);

	if (!next)
		next = host_next_symbol("fsync");
	return fault == NO_SYNC && is_ours(file) ? refuse(EIO) : next(file);
}

SHOWN int rename(const char *from, const char *to)
{
	static int (*next)(const char *from, const char *to);

	if (!next)
		next = host_next_symbol("rename");
	if (!strcmp(strrchr(from, '/'), "/fathom_usage.old") && access(to, F_OK))
		state_was_missing = true;
	return fault == NO_RENAME ? refuse(EACCES) : next(from, to);
}

/* ---- what is saved -------------------------------------------------------------------- */

/* Some who are idle, as all of them may be saved where most have changed. */
static void open_cluster(void)
{
	static const char *const idle[] = { "carl", "dora", "emil", "frieda" };

	two_users_grow("");
	for (size_t i = 0; i < sizeof(idle) / sizeof(*idle); i++)
		host_user(physics, idle[i], 1)->usage = 10;
	host_passed_at(host_now());
	two_users_open();
	two_users_load("");
}

static bool has_fault(void)
{
	return fault != NONE && fault != SHORT && fault != INTERRUPTED;
}

/* Everything new: somebody comes, and all is written. */
static void pass_with(enum fault with, bool everything)
{
	fault = with;
	faults = writes = 0;
	if (everything)
		host_user(physics, "gustav", 1);
	host_pass();
}

/* A pass that saves, and one that has the fault of this test. */
static void save_with(int test)
{
	open_cluster();
	use(anna, gpu, 8, 100);
	host_pass();
	use(anna, gpu, 1, 100);
	use(bert, gpu, 2, 100);
	pass_with(test % FAULTS, test >= FAULTS);
}

TEST_LOOP(what_cannot_be_saved_is_saved_by_the_next_pass, 2 * FAULTS)
{
	unsigned failures;

	save_with(_i);
	failures = has_fault();
	ck_assert(_i % FAULTS == NONE || faults);
	ck_assert_uint_eq(logged("usage is not saved"), failures);
	ck_assert_uint_eq(logged("written again"), 0);
	fault = NONE;
	use(bert, gpu, 3, 100);
	host_pass();
	host_pass();
	ck_assert_uint_eq(logged("fathom_usage is written again"), failures);
	crash_and_restart();
	ck_assert_double_eq_tol(usage_of(anna), 900, 1e-6);
	ck_assert_double_eq_tol(usage_of(bert), 500, 1e-6);
	ck_assert_double_eq_tol(usage_of(physics), 900 + 500 + 40, 1e-6);
}

/* By whatever name the new file has until it is complete. */
TEST(folder_that_cannot_be_written_costs_nothing)
{
	if (!geteuid())		/* whom permissions do not keep off */
		return;
	open_cluster();
	use(anna, gpu, 8, 100);
	ck_assert(!chmod(host_folder(), 0500));
	host_pass();
	use(bert, gpu, 2, 100);
	host_pass();
	ck_assert_uint_ge(logged("usage is not saved"), 2);
	ck_assert(!chmod(host_folder(), 0700));
	host_pass();
	crash_and_restart();
	ck_assert_double_eq_tol(usage_of(anna), 800, 1e-6);
	ck_assert_double_eq_tol(usage_of(bert), 200, 1e-6);
}

/* A run of anna is in both files of usage, and the newest is damaged. */
static void damage_newest(void)
{
	open_cluster();
	use(anna, gpu, 8, 100);
	host_pass();
	host_pass();
	crash();
	ck_assert(!truncate(in_folder("fathom_usage"), 200));
}

/* A crash at any instant of a start finds a file of this name, or it would never look for the
 * file before it. */
TEST(damaged_file_keeps_its_name_until_the_one_before_replaces_it)
{
	damage_newest();
	host_load(FATHOM_PLUGIN);
	ck_assert_uint_eq(logged("from the previous state file, fathom_usage.old"), 1);
	ck_assert(!state_was_missing);
	ck_assert(exists("fathom_usage.damaged"));
	ck_assert_double_eq_tol(usage_of(anna), 800, 1e-6);
}

TEST(file_before_a_damaged_one_is_used_though_it_cannot_be_renamed)
{
	damage_newest();
	fault = NO_RENAME;
	host_load(FATHOM_PLUGIN);
	ck_assert_uint_eq(logged("from the previous state file, fathom_usage.old"), 1);
	ck_assert_double_eq_tol(usage_of(anna), 800, 1e-6);
	fault = NONE;
	host_pass();
	crash_and_restart();
	ck_assert_double_eq_tol(usage_of(anna), 800, 1e-6);
}

/* They may be of a later version, to which the site goes back. */
TEST(two_damaged_files_are_both_kept)
{
	struct stat newest, before;

	damage_newest();
	ck_assert(!truncate(in_folder("fathom_usage.old"), 100));
	host_load(FATHOM_PLUGIN);
	ck_assert(!stat(in_folder("fathom_usage.damaged"), &newest));
	ck_assert(!stat(in_folder("fathom_usage.old.damaged"), &before));
	ck_assert_int_eq(newest.st_size, 200);
	ck_assert_int_eq(before.st_size, 100);
}

/* The reason is that of the name, not of the link that would have taken it. */
TEST(what_has_the_name_of_the_file_before_is_told)
{
	open_cluster();
	host_pass();
	unlink(in_folder("fathom_usage.old"));
	ck_assert(!mkdir(in_folder("fathom_usage.old"), 0700));
	host_pass();
	ck_assert_uint_eq(logged(strerror(EISDIR)), 1);
	ck_assert(!rmdir(in_folder("fathom_usage.old")));
	host_pass();
	ck_assert_uint_eq(logged("fathom_usage.old is kept again"), 1);
}

/* slurmctld is killed right after the save. */
TEST_RANGE(job_that_ends_during_a_save_is_charged_once, 1, WRITES)
{
	job_record_t *job;

	open_cluster();
	job = run_in(anna, gpu, CPUS);
	ending = job;
	writes_left = (unsigned)_i;
	host_pass();
	if (ending)
		return;
	ck_assert_double_eq_tol(usage_of(anna), CPUS * (PERIOD + RAN), 1e-6);
	crash_and_restart();
	ck_assert_double_eq_tol(usage_of(anna), CPUS * (PERIOD + RAN), 1e-6);
	host_pass();
	ck_assert_double_eq_tol(usage_of(anna), CPUS * (PERIOD + RAN), 1e-6);
}
