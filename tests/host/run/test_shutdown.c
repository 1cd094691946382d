/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurmctld ends or gives up control. Its other threads may call the plugin after fini, or may load
 * it again.
 */
#include "scenario/host_files.h"
#include "scenario/host_suite.h"

#include <dirent.h>
#include <dlfcn.h>

#define PERIOD 300		/* PriorityCalcPeriod=5, minutes */

static struct host_association *anna;
static job_record_t *job;

static void open_cluster(void)
{
	struct host_association *physics;

	host_configure("PriorityDecayHalfLife=1-0\nPriorityCalcPeriod=5\n"
		       "PriorityWeightFairshare=1000\nPriorityFlags=NO_FAIR_TREE\n");
	host_passed_at(host_now() - PERIOD);
	physics = host_account(host_root(), "physics", 1);
	anna = host_user(physics, "anna", 1);
	anna->usage = 1e6;
	host_open();
	job = host_job(&(struct host_job){ .user = anna });
}

/* ---- calls after fini --------------------------------------------------------------- */

/* As slurmctld has it from the time when the plugin was loaded. */
TEST(what_slurmctld_calls_after_fini_is_still_there)
{
	void *plugin = dlopen(FATHOM_PLUGIN, RTLD_LAZY);
	uint32_t (*set)(uint32_t last, job_record_t *job);

	ck_assert_msg(plugin, "%s", dlerror());
	set = (uint32_t (*)(uint32_t, job_record_t *))dlsym(plugin, "priority_p_set");
	open_cluster();
	host_load(FATHOM_PLUGIN);
	dlclose(plugin);
	ck_assert(host_close());
	job->priority = 17;
	ck_assert_uint_eq(set(NO_VAL, job), 17);
	job->priority = 0;
	ck_assert_uint_eq(set(NO_VAL, job), 1);
	job->priority = NO_VAL;		/* it is being submitted */
	ck_assert_uint_eq(set(NO_VAL, job), 1);
}

/* ---- loaded during a shutdown ------------------------------------------------------- */

static unsigned count_entries(const char *path)
{
	DIR *folder = opendir(path);
	unsigned count = 0;

	while (folder && readdir(folder))
		count++;
	if (folder)
		closedir(folder);
	return count;
}

static bool is_noise(const char *name)
{
	return exists(name) && !strcmp(file_text(name), "noise\n");
}

/* What is read is found to be damaged, and put aside. */
static void put_noise(const char *name)
{
	write_file(name, "noise\n");
}

TEST(loaded_during_a_shutdown_it_does_nothing)
{
	unsigned files, threads;

	open_cluster();
	put_noise("fathom_usage");
	files = count_entries(host_folder()) + 1;	/* a link to the plugin comes */
	threads = count_entries("/proc/self/task");
	slurmctld_config.shutdown_time = host_now();
	host_load(FATHOM_PLUGIN);
	ck_assert_uint_eq(count_entries("/proc/self/task"), threads);
	job->priority = 17;
	ck_assert_uint_eq(host_job_set_priority(job), 17);
	job->priority = 0;
	ck_assert_uint_eq(host_job_set_priority(job), 1);
	priority_g_reconfig(true);
	host_job_begin(job, host_now());
	host_advance(60);
	host_job_end(job);
	ck_assert(host_close());
	ck_assert_uint_eq(count_entries(host_folder()), files);
	ck_assert_uint_eq(count_entries("/proc/self/task"), threads);
	ck_assert(is_noise("fathom_usage"));
	ck_assert((double)anna->record->usage->usage_raw == 1e6);
}

TEST(it_wakes_up_when_control_is_taken)
{
	open_cluster();
	slurmctld_config.shutdown_time = host_now();
	host_load(FATHOM_PLUGIN);
	slurmctld_config.shutdown_time = 0;
	/* all usage is hers, and all shares: 1000 * 2^-1 */
	host_job_set_priority(job);
	host_await_pass();
	ck_assert_uint_eq(job->priority, 500);
	ck_assert(!access(in_folder("fathom_usage"), F_OK));
	host_pass();
	ck_assert_double_lt((double)anna->record->usage->usage_raw, 1e6);
}
