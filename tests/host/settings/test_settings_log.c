/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the log says of the settings that slurm.conf and fathom.conf give. */
#include "scenario/two_users.h"

#include <sys/stat.h>

#define CONF_MOST (1 << 20)	/* of bytes that a fathom.conf may have */

static const struct { const char *slurm_conf, *fathom_conf, *says; unsigned times; } settings[] = {
	{ "", "", "policy classic (from PriorityFlags=NO_FAIR_TREE), half-life 0 s, a pass every "
		  "300 s", 1 },
	{ "PriorityFlags=DEPTH_OBLIVIOUS", "",
	  "policy depth-oblivious (from PriorityFlags=DEPTH_OBLIVIOUS)", 1 },
	{ "PriorityFlags=FAIR_TREE", "", "policy fair-tree (from Slurm's default)", 1 },
	{ "PriorityFlags=FAIR_TREE", "Policy=pbs", "policy pbs (from fathom.conf)", 1 },
	{ "PriorityDecayHalfLife=1-0", "", "half-life 86400 s, a pass every 300 s", 1 },
	{ "PriorityDecayHalfLife=1-0", "HalfLife=1h CalcPeriod=60",
	  "half-life 3600 s, a pass every 60 s", 1 },
	{ "", "ShadowPolicy=lsf", "shadow policy lsf; set FiguresFile to see its figures", 1 },
	{ "", "ShadowPolicy=lsf FiguresFile=fathom.json", "shadow policy lsf", 1 },
	{ "", "ShadowPolicy=lsf FiguresFile=fathom.json", "set FiguresFile", 0 },
	{ "", "Policy=lsf", "shadow", 0 },
	{ "", "Scope=first Partitions=gpu Policy=pbs\nScope=second Partitions=cpu",
	  "first: policy pbs", 1 },
	{ "", "Scope=first Partitions=gpu Policy=pbs\nScope=second Partitions=cpu",
	  "second: policy classic", 1 },
	{ "", "Scope=first Partitions=gpu Policy=pbs", ": policy", 2 },
	{ "", "FiguresMode=0644", "warning: FiguresMode has no effect without FiguresFile", 1 },
	{ "", "FiguresFile=fathom.json FiguresMode=0644", "warning: FiguresMode", 0 },
	{ "PrivateData=usage", "FiguresFile=fathom.json FiguresMode=0640",
	  "warning: FiguresMode=0640 lets others read what PrivateData=usage hides", 1 },
	{ "PrivateData=usage", "FiguresFile=fathom.json FiguresMode=0604",
	  "warning: FiguresMode=0604 lets others read", 1 },
	{ "PrivateData=usage", "FiguresFile=fathom.json FiguresMode=0600", "FiguresMode", 0 },
	{ "PrivateData=usage", "FiguresFile=fathom.json", "FiguresMode", 0 },
	{ "", "Policy=lsf Adjust=memory:2 SlotMemory=1 FairshareAdjustmentFactor=1",
	  "adjustment by memory:2", 1 },
	{ "", "Policy=lsf", "djust", 0 },
	{ "", "Policy=pbs", "FairshareEntity", 0 },
};

TEST_EACH(log_tells_the_settings_that_count, settings)
{
	two_users(settings[_i].slurm_conf, settings[_i].fathom_conf);
	ck_assert_uint_eq(logged(settings[_i].says), settings[_i].times);
	ck_assert_uint_eq(logged("the defaults apply"), 0);
}

/* Slurm's parser raises an age of 1. */
static const struct { const char *slurm_conf; uint32_t age; unsigned warnings; } ages[] = {
	{ "AccountingStorageEnforce=associations", 1, 1 },
	{ "AccountingStorageEnforce=associations", 2, 0 },
	{ "AccountingStorageEnforce=associations", 0, 0 },
	{ "AccountingStorageEnforce=associations,limits", 1, 0 },
};

TEST_EACH(log_warns_of_jobs_that_slurmctld_forgets_too_soon, ages)
{
	two_users_grow(ages[_i].slurm_conf);
	host_passed_at(host_now());
	two_users_open();
	slurm_conf.min_job_age = ages[_i].age;
	two_users_load("");
	ck_assert_uint_eq(logged("warning: MinJobAge=1 and no limits"), ages[_i].warnings);
	ck_assert_uint_eq(logged("MinJobAge"), 2 * ages[_i].warnings);
}

/* ---- files that cannot be read ------------------------------------------------------ */

static void open_without_conf(void)
{
	two_users_grow("");
	host_passed_at(host_now());
	two_users_open();
}

TEST(no_file_is_no_error)
{
	open_without_conf();
	host_load(FATHOM_PLUGIN);
	ck_assert_uint_eq(logged("fathom.conf"), 0);
	ck_assert_uint_eq(logged("policy classic (from PriorityFlags=NO_FAIR_TREE)"), 1);
}

TEST(folder_in_place_of_the_file_is_an_error)
{
	open_without_conf();
	ck_assert(!mkdir(in_folder("fathom.conf"), 0700));
	host_load(FATHOM_PLUGIN);
	ck_assert_uint_eq(logged("fathom.conf: Is a directory; the defaults apply"), 1);
	ck_assert(host_close());
	ck_assert(!rmdir(in_folder("fathom.conf")));
}

TEST(zeros_in_the_file_are_an_error)
{
	static const char text[] = "Policy=lsf\n\0\0\nPolicy=classic\n";
	FILE *file;

	open_without_conf();
	file = fopen(in_folder("fathom.conf"), "we");
	ck_assert_uint_eq(fwrite(text, 1, sizeof(text) - 1, file), sizeof(text) - 1);
	ck_assert(!fclose(file));
	host_load(FATHOM_PLUGIN);
	ck_assert_uint_eq(logged("fathom.conf:2: a NUL byte or \\1, must be text; a power loss may "
				 "have damaged the file; the defaults apply"), 1);
}

/* A comment of that many bytes, then a policy that the file's last bytes set. */
TEST_LOOP(file_may_be_as_long_as_a_mebibyte, 2)
{
	static char text[CONF_MOST + 2];
	const char *last = "\nPolicy=lsf\n";
	size_t length = CONF_MOST + (size_t)_i;

	memset(text, '#', length);
	memcpy(text + length - strlen(last), last, strlen(last));
	text[length] = '\0';
	two_users("", text);
	ck_assert_uint_eq(logged("policy lsf (from fathom.conf)"), !_i);
	ck_assert_uint_eq(logged("fathom.conf: File too large; the defaults apply"), _i);
}
