/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A fathom.conf with an error does not change what the site wants: the last good settings stay in
 * force, over a restart too. The calls that open and rename files come here first.
 */
#include "scenario/crash.h"
#include "scenario/failing_open.h"
#include "scenario/two_users.h"

#include <sys/stat.h>

#define KEPT "fathom_conf"
#define GOOD "Policy=pbs\nDampeningFactor=3"
#define IN_FORCE "; the last good settings, of 20"

/* ---- files that fail -------------------------------------------------------------------- */

static bool conf_is_unreadable, kept_is_unreadable, kept_is_unwritable;

static bool is_kept(const char *path)
{
	const char *name = strrchr(path, '/');

	return name && !strcmp(name, "/" KEPT);
}

static bool is_unreadable(const char *path)
{
	errno = EIO;
	return is_kept(path) ? kept_is_unreadable
			     : conf_is_unreadable && strstr(path, "/fathom.conf");
}

SHOWN int rename(const char *from, const char *to)
{
	static int (*next)(const char *from, const char *to);

	if (!next)
		next = host_next_symbol("rename");
	errno = ENOSPC;
	return kept_is_unwritable && is_kept(to) ? -1 : next(from, to);
}

/* ---- the cluster ------------------------------------------------------------------------- */

static job_record_t *of_anna;

/* Under pbs anna has used nothing that counts there; under classic her usage counts. */
static void open_cluster(const char *fathom_conf)
{
	two_users_grow("");
	host_passed_at(host_now());
	anna->usage = 1000;
	bert->usage = 500;
	two_users_open();
	of_anna = wait_in(anna, gpu);
	two_users_load(fathom_conf);
}

static void restart(void)
{
	ck_assert(host_close());
	host_load(FATHOM_PLUGIN);
}

static void assert_policy(const char *policy, unsigned times)
{
	char text[64];

	snprintf(text, sizeof(text), "policy %s (from", policy);
	ck_assert_msg(logged(text) == times, "policy %s: %u times, not %u", policy, logged(text),
		      times);
}

/* ---- tests -------------------------------------------------------------------------------- */

static const struct { const char *conf, *says; } wrong[] = {
	{ "\nPolicy=clasic", "fathom.conf:2: Policy: " },
	{ "Color=blue", "fathom.conf:1: Color: " },
	{ "HalfLife=soon", "fathom.conf:1: HalfLife: " },
	{ "Policy=lsf FairshareAdjustmentFactor=1\nAdjust=/no/site.so", "fathom.conf:2: Adjust: " },
	{ "Policy=lsf Formula=\"1 +\"", "fathom.conf:1: Formula: " },
	{ "Policy=lsf\n\nScope=a Partitions=gone", "fathom.conf:3: Partitions: 'gone' is not" },
};

TEST_EACH(last_good_settings_stay_over_a_restart, wrong)
{
	struct stat status;

	open_cluster(GOOD);
	ck_assert(!stat(in_folder(KEPT), &status));
	ck_assert_int_eq(status.st_mode & 07777, 0600);
	write_conf(wrong[_i].conf);
	restart();
	host_pass();
	ck_assert_uint_eq(logged(wrong[_i].says), 1);
	ck_assert_uint_eq(logged(IN_FORCE), 1);
	ck_assert_uint_eq(logged("stay in force"), 1);
	assert_policy("pbs", 2);
	assert_policy("classic", 0);
	assert_factor(of_anna, 1);
	crash_and_restart();
	ck_assert_uint_eq(logged(IN_FORCE), 2);
	assert_policy("pbs", 3);
}

TEST(state_file_does_not_grow_while_the_file_is_wrong)
{
	struct stat before, after;

	open_cluster(GOOD);
	host_pass();
	write_conf("Color=blue");
	for (int i = 0; i < 4; i++) {
		restart();
		host_pass();
		ck_assert(!stat(in_folder("fathom_usage"), i ? &after : &before));
	}
	ck_assert_int_eq(after.st_size, before.st_size);
}

TEST_EACH(last_good_settings_stay_at_a_reconfigure, wrong)
{
	open_cluster(GOOD);
	reconfigure(wrong[_i].conf);
	host_pass();
	ck_assert_uint_eq(logged(wrong[_i].says), 1);
	ck_assert_uint_eq(logged(IN_FORCE), 1);
	assert_policy("pbs", 2);
	assert_factor(of_anna, 1);
}

/* Nothing has been good at the first start. */
TEST_EACH(without_last_good_settings_the_defaults_apply, wrong)
{
	open_cluster(wrong[_i].conf);
	ck_assert_uint_eq(logged(wrong[_i].says), 1);
	ck_assert_uint_eq(logged("; the defaults apply"), 1);
	ck_assert_uint_eq(logged("last good"), 0);
	assert_policy("classic", 1);
	ck_assert(!exists(KEPT));
	restart();
	assert_policy("classic", 2);
}

TEST(newer_good_settings_replace_them)
{
	open_cluster(GOOD);
	reconfigure("Policy=lsf");
	reconfigure("Policy=no");
	restart();
	assert_policy("lsf", 3);
	assert_policy("pbs", 1);
}

TEST(without_a_file_the_defaults_are_wanted)
{
	open_cluster(GOOD);
	ck_assert(!unlink(in_folder("fathom.conf")));
	reread();
	assert_policy("classic", 1);
	ck_assert(!exists(KEPT));
	write_conf("Policy=no");
	restart();
	assert_policy("classic", 2);
	assert_policy("pbs", 1);
}

/* Nothing can be kept in /dev/null, so nothing is to be removed from it. */
TEST(without_a_folder_nothing_is_kept)
{
	open_cluster("");
	ck_assert(host_close());
	xfree(slurm_conf.state_save_location);
	slurm_conf.state_save_location = xstrdup("/dev/null");
	write_conf(GOOD);
	host_load(FATHOM_PLUGIN);
	host_pass();
	assert_policy("pbs", 1);
	ck_assert(!unlink(in_folder("fathom.conf")));
	reread();
	host_pass();
	assert_policy("classic", 2);
	ck_assert_uint_eq(logged(KEPT), 0);
}

/* By a damage, or of another release. */
TEST(text_that_cannot_be_used_leaves_the_defaults)
{
	open_cluster(GOOD);
	ck_assert(host_close());
	write_file(KEPT, "Policy=later-one");
	write_conf("Policy=no");
	host_load(FATHOM_PLUGIN);
	ck_assert_uint_eq(logged("fathom.conf:1: Policy: 'no'"), 1);
	ck_assert_uint_eq(logged(KEPT ":1: Policy: 'later-one'"), 1);
	ck_assert_uint_eq(logged("; the defaults apply"), 1);
	assert_policy("classic", 1);
	reconfigure(GOOD);
	reconfigure("Policy=no");
	assert_policy("pbs", 3);
}

TEST(text_that_cannot_be_read_is_read_later)
{
	open_cluster(GOOD);
	ck_assert(host_close());
	write_conf("Policy=no");
	kept_is_unreadable = true;
	host_load(FATHOM_PLUGIN);
	host_pass();
	ck_assert_uint_eq(logged("the defaults apply until the last good settings can be read"), 1);
	ck_assert_uint_eq(logged(KEPT ": Input/output error"), 1);
	assert_policy("classic", 1);
	kept_is_unreadable = false;
	host_pass();
	host_pass();
	ck_assert_uint_eq(logged(KEPT " can be read again"), 1);
	ck_assert_uint_eq(logged(IN_FORCE), 1);
	assert_policy("pbs", 2);
}

/* At a start, or at a reconfigure. */
TEST_LOOP(file_that_cannot_be_read_is_read_later, 2)
{
	open_cluster(GOOD);
	write_conf("Policy=lsf");
	conf_is_unreadable = true;
	if (_i)
		reread();
	else
		restart();
	host_pass();
	host_pass();
	ck_assert_uint_eq(logged("fathom.conf: Input/output error" IN_FORCE), 1);
	ck_assert_uint_eq(logged("stay in force"), 1);
	assert_policy("pbs", 2);
	conf_is_unreadable = false;
	host_pass();
	host_pass();
	ck_assert_uint_eq(logged("fathom.conf can be read again"), 1);
	assert_policy("lsf", 1);
}

/* Nobody writes into it, so that a reader would wait for ever. */
TEST(pipe_in_place_of_the_file_is_not_read)
{
	open_cluster(GOOD);
	ck_assert(!unlink(in_folder("fathom.conf")));
	ck_assert(!mkfifo(in_folder("fathom.conf"), 0600));
	alarm(60);
	restart();
	reread();
	ck_assert_uint_eq(logged("fathom.conf: Invalid argument" IN_FORCE), 2);
}

/* fathom.conf becomes a link to a file of the system, and is read. */
static void reread_through_link(const char *target)
{
	open_cluster(GOOD);
	ck_assert(!unlink(in_folder("fathom.conf")));
	ck_assert(!symlink(target, in_folder("fathom.conf")));
	reread();
}

TEST(null_device_in_place_of_the_file_is_an_empty_text)
{
	reread_through_link("/dev/null");
	host_pass();
	ck_assert_uint_eq(logged("stay in force"), 0);
	assert_policy("classic", 1);
}

/* As with FUSE and direct_io, /proc does not say how much text a file has. */
TEST(file_whose_size_is_not_known_is_read)
{
	reread_through_link("/proc/version");
	ck_assert_uint_eq(logged("stay in force"), 1);
	assert_policy("pbs", 2);
}

/* A file that is mended takes effect at the next reconfigure, not at a pass. */
TEST(wrong_file_is_not_read_again_unasked)
{
	open_cluster(GOOD);
	reconfigure("Policy=no");
	write_conf("Policy=lsf");
	host_pass();
	host_pass();
	ck_assert_uint_eq(logged("fathom.conf can be read again"), 0);
	assert_policy("pbs", 2);
	reread();
	assert_policy("lsf", 1);
}

TEST(text_that_cannot_be_written_is_written_later)
{
	kept_is_unwritable = true;
	open_cluster(GOOD);
	host_pass();
	ck_assert_uint_eq(logged(KEPT ": No space left on device"), 1);
	reconfigure("Policy=no");	/* it is known nevertheless */
	assert_policy("pbs", 2);
	reconfigure(GOOD);
	kept_is_unwritable = false;
	host_pass();
	ck_assert_uint_eq(logged(KEPT " is written again"), 1);
	ck_assert(exists(KEPT));
}

/* What slurm.conf says counts as it is now. Both together would be an error. */
TEST(they_stay_whatever_slurm_conf_says)
{
	open_cluster("Policy=pbs HalfLife=0");
	ck_assert(host_close());
	slurm_conf.priority_reset_period = PRIORITY_RESET_NONE;
	host_load(FATHOM_PLUGIN);
	ck_assert_uint_eq(logged("fathom.conf:1: HalfLife: "), 1);
	ck_assert_uint_eq(logged(KEPT ":1: HalfLife: "), 1);
	ck_assert_uint_eq(logged("the last good settings apply as far as they can"), 1);
	assert_policy("pbs", 2);
}

/* The partition of the kept file is gone, so the file is an error now. */
TEST(scope_stays_though_its_partition_is_gone)
{
	open_cluster("Policy=pbs\nScope=a Partitions=cpu");
	ck_assert(host_close());
	host_delete_partition("cpu");
	host_load(FATHOM_PLUGIN);
	host_pass();
	ck_assert_uint_eq(logged("fathom.conf:2: Partitions: 'cpu' is not a partition"), 1);
	ck_assert_uint_eq(logged(IN_FORCE), 1);
	assert_policy("pbs", 3);
	ck_assert_uint_eq(logged("scope a: policy pbs"), 3);
}

static bool has_fault(const char *says)
{
	char text[1 << 16], *fault;
	FILE *file = fopen(in_folder("fathom.json"), "r");
	size_t length = file ? fread(text, 1, sizeof(text) - 1, file) : 0;

	ck_assert_uint_gt(length, 0);
	fclose(file);
	text[length] = '\0';
	fault = strstr(text, "\"fault\": \"");
	return fault && strstr(fault, says) && strstr(fault, IN_FORCE);
}

TEST(figures_file_tells_of_them)
{
	open_cluster(GOOD " FiguresFile=fathom.json");
	ck_assert(!has_fault(""));
	write_conf("Policy=no");
	restart();
	ck_assert(has_fault("fathom.conf:1: Policy: 'no' "));
	reconfigure("Policy=lsf FiguresFile=fathom.json");
	ck_assert(!has_fault(""));
}
