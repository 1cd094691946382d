/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adjust in fathom.conf changes LSF's dynamic priority by memory or by a function of
 * the site. It counts for the policy in force, the shadow policy and scopes; a shared
 * object that cannot be used is an error.
 */
#include "scenario/two_users.h"

#include <dlfcn.h>

#define TOLERANCE 1e-9
#define NOTHING 100.		/* the priority of 1 share that nothing divides */

/* The adjustment alone divides. */
#define LSF "Policy=lsf CpuTimeFactor=0 RunTimeFactor=0 RunJobFactor=0 "
#define ADJUSTED LSF "FairshareAdjustmentFactor=1 "
#define BY_MEMORY "Adjust=memory:2 SlotMemory=100"

static job_record_t *of_anna, *of_bert;

static job_record_t *run(struct host_association *user, uint32_t nodes, uint32_t cpus,
			 uint64_t memory)
{
	job_record_t *job = host_job(&(struct host_job){ .user = user, .partition = { gpu },
							 .nodes = nodes, .cpus = cpus,
							 .memory = memory, .minutes = 6000 });

	host_job_begin(job, host_now());
	return job;
}

/* anna's 4 slots have 800 MB, bert's only one has 400. */
static void open_cluster(const char *conf)
{
	two_users("", conf);
	of_anna = run(anna, 2, 4, 400);
	of_bert = run(bert, 1, 1, 400);
	host_pass();
}

static void assert_priority(const struct host_association *who, double expected)
{
	double is = (double)who->record->usage->level_fs;

	ck_assert_msg(fabs(is - expected) <= TOLERANCE * expected, "%s: %.15g, not %.15g",
		      who->user ? who->user : who->account, is, expected);
}

/* (1 + slots) * (memory / slots) / (SlotMemory * threshold) each, also of the account. */
static void assert_by_memory(double factor)
{
	assert_priority(anna, 1 / (factor * (1 + 4) * (800. / 4) / (100 * 2)));
	assert_priority(bert, 1 / (factor * (1 + 1) * (400. / 1) / (100 * 2)));
	assert_priority(physics, 1 / (factor * (1 + 5) * (1200. / 5) / (100 * 2)));
}

/* ---- what divides --------------------------------------------------------------------- */

TEST(memory_of_running_jobs_counts)
{
	open_cluster(ADJUSTED BY_MEMORY);
	assert_by_memory(1);
	reconfigure(LSF "FairshareAdjustmentFactor=3 " BY_MEMORY);
	assert_by_memory(3);
	host_job_end(of_bert);
	host_pass();
	assert_priority(bert, NOTHING);
	assert_priority(anna, 1. / 15);
}

TEST(nothing_is_adjusted_unless_both_are_given)
{
	open_cluster(LSF BY_MEMORY);
	assert_priority(anna, NOTHING);
	ck_assert_uint_eq(logged("warning: Adjust=memory:2 has no effect"), 1);
	reconfigure(ADJUSTED);
	assert_priority(anna, NOTHING);
	reconfigure(ADJUSTED BY_MEMORY);
	assert_by_memory(1);
	reconfigure(ADJUSTED);
	assert_priority(anna, NOTHING);
	assert_priority(physics, NOTHING);
	reconfigure("Policy=classic " BY_MEMORY);
	ck_assert_uint_eq(logged("warning: Adjust=memory:2 has no effect"), 2);
}

/* 1200 MB in 5 slots: 240 each. */
TEST(slot_memory_is_counted_from_running_jobs)
{
	open_cluster(ADJUSTED "Adjust=memory:2");
	assert_by_memory(100. / 240);
	run(bert, 1, 1, 1200);	/* 2400 MB in 6 slots */
	host_pass();
	assert_priority(anna, 1 / ((1 + 4) * (800. / 4) / (400 * 2)));
	assert_priority(bert, 1 / ((1 + 2) * (1600. / 2) / (400 * 2)));
	reconfigure(ADJUSTED BY_MEMORY);
	assert_priority(anna, 1 / ((1 + 4) * (800. / 4) / (100 * 2)));
}

static bool is_loaded(const char *file)
{
	void *object = dlopen(file, RTLD_LAZY | RTLD_NOLOAD);

	if (object)
		dlclose(object);
	return object;
}

/* Hours of CPU time beyond run time: 3 for each of anna's, none for bert's. */
TEST(shared_object_is_asked_and_closed_with_its_settings)
{
	double hours;

	open_cluster(ADJUSTED "HistHours=0 Adjust=" EXAMPLE);
	host_advance(3600);
	host_pass();
	hours = difftime(host_now(), of_anna->start_time) / 3600;
	assert_priority(anna, 1 / (3 * hours));
	assert_priority(physics, 1 / (3 * hours));
	assert_priority(bert, NOTHING);
	ck_assert(is_loaded(EXAMPLE));
	reconfigure(ADJUSTED);
	/* the figures before the last ones keep their settings */
	host_pass();
	host_pass();
	ck_assert(!is_loaded(EXAMPLE));
}

/* ---- of which policies ------------------------------------------------------------------ */

/* As sprio has it. */
static double factor_of(const job_record_t *job)
{
	return job->prio_factors->priority_fs;
}

/* Without an adjustment both are equal. */
TEST(scope_is_adjusted_by_what_runs_in_it)
{
	job_record_t *anna_waits, *bert_waits, *anna_elsewhere, *bert_elsewhere;

	open_cluster(LSF BY_MEMORY "\n"
		     "Scope=a Partitions=gpu FairshareAdjustmentFactor=1\n"
		     "Scope=b Partitions=cpu FairshareAdjustmentFactor=1");
	anna_waits = host_job(&(struct host_job){ .user = anna, .partition = { gpu } });
	bert_waits = host_job(&(struct host_job){ .user = bert, .partition = { gpu } });
	anna_elsewhere = host_job(&(struct host_job){ .user = anna, .partition = { cpu } });
	bert_elsewhere = host_job(&(struct host_job){ .user = bert, .partition = { cpu } });
	ck_assert(factor_of(anna_waits) < factor_of(bert_waits));
	ck_assert(factor_of(anna_elsewhere) == factor_of(bert_elsewhere));
	assert_priority(anna, NOTHING);
}

static bool figures_have(const char *what)
{
	return strstr(file_text("fathom.json"), what);
}

/* The scope's 5 slots have 1200 MB; with the job in `cpu` the cluster's 6 have 2880 MB. */
TEST(slot_memory_of_a_scope_is_that_of_the_cluster)
{
	job_record_t *elsewhere;

	open_cluster(LSF "FiguresFile=fathom.json Adjust=memory:2\n"
		     "Scope=a Partitions=gpu FairshareAdjustmentFactor=1");
	elsewhere = host_job(&(struct host_job){ .user = bert, .partition = { cpu }, .nodes = 1,
						 .cpus = 1, .memory = 1680, .minutes = 6000 });
	host_job_begin(elsewhere, host_now());
	host_pass();
	/* of physics: (1 + 5) * (1200 / 5) / (480 * 2) */
	ck_assert(figures_have("\"adjust\": 1.5,"));
}

TEST(shadow_is_adjusted_too)
{
	static const char shadow[] = "ShadowPolicy=lsf CpuTimeFactor=0 RunTimeFactor=0 "
		"RunJobFactor=0 FairshareAdjustmentFactor=1 FiguresFile=fathom.json ";
	char conf[512];

	open_cluster(shadow);
	ck_assert(!figures_have("\"dynamic_priority\": 0.25"));
	snprintf(conf, sizeof(conf), "%s" BY_MEMORY, shadow);
	reconfigure(conf);
	ck_assert(figures_have("\"dynamic_priority\": 0.25"));
}

/* ---- what is wrong ------------------------------------------------------------------------ */

static const struct { const char *conf, *message; } wrong[] = {
	{ "\n" ADJUSTED "Adjust=/no/site.so",
	  "fathom.conf:2: Adjust: /no/site.so: cannot open shared object file: No such file" },
	{ ADJUSTED "Adjust=site.so",
	  "fathom.conf:1: Adjust: 'site.so' is not an absolute path; it must begin" },
	{ ADJUSTED "Adjust=" NEWER,
	  "adjustment_newer.so: fathom_adjustment_version is 2, must be 1" },
	{ ADJUSTED "Adjust=" FATHOM_PLUGIN,
	  "priority_fathom.so: must define fathom_adjustment_version" },
	{ ADJUSTED "Adjust=memory: SlotMemory=4",
	  "fathom.conf:1: Adjust: '' is not a number above 0" },
	{ ADJUSTED "Adjust=memory:0 SlotMemory=4",
	  "fathom.conf:1: Adjust: '0' is not a number above 0" },
	{ ADJUSTED "Adjust=memory:2 SlotMemory=0", "fathom.conf:1: SlotMemory: 0 is out of range" },
};

TEST_EACH(wrong_adjustment_leaves_all_settings_as_they_were, wrong)
{
	open_cluster(ADJUSTED BY_MEMORY);
	reconfigure(wrong[_i].conf);
	ck_assert_msg(logged(wrong[_i].message) == 1, "%s", wrong[_i].conf);
	ck_assert_uint_eq(logged("the last good settings"), 1);
	assert_by_memory(1);
	host_pass();
	assert_by_memory(1);
}

TEST(wrong_adjustment_at_the_start_leaves_the_defaults)
{
	open_cluster(ADJUSTED "Adjust=/no/site.so");
	ck_assert_uint_eq(logged("fathom.conf:1: Adjust: /no/site.so: "), 1);
	ck_assert_uint_eq(logged("the defaults apply"), 1);
	ck_assert_uint_eq(logged("policy classic"), 1);
}
