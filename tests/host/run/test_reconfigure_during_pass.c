/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reconfigure takes effect at once, also when it comes at any step of a pass. Each
 * step is tried in a process of its own.
 */
#include "scenario/host_files.h"
#include "scenario/host_suite.h"

#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define PATIENCE 20000		/* milliseconds, for a pass that nobody calls for */
#define WEIGHT 3000
#define STEPS_LEAST 20		/* of a pass */

static struct host_association *anna;
static job_record_t *job;

/* ---- the cluster ------------------------------------------------------------------ */

/* A slot pool, so that settings are checked against the partitions before a pass. */
static void open_cluster(void)
{
	struct host_association *physics;

	host_configure("PriorityWeightPartition=1000\nPriorityCalcPeriod=5\n"
		       "PriorityDecayHalfLife=14-0\nPriorityFlags=NO_FAIR_TREE\n");
	write_conf("SlotPool=all Partition=batch SlotShare=50\n");
	physics = host_account(host_root(), "physics", 10);
	anna = host_user(physics, "anna", 1);
	anna->usage = 1e6;
	host_open();
	host_passed_at(host_now() - 10);
	job = host_job(&(struct host_job){ .user = anna, .cpus = 4 });
	host_load(FATHOM_PLUGIN);
}

static void ask_to_reconfigure(void (*change)(void))
{
	slurmctld_lock_t configure = { .conf = WRITE_LOCK, .job = WRITE_LOCK, .node = WRITE_LOCK,
				       .part = WRITE_LOCK };

	lock_slurmctld(configure);
	change();
	unlock_slurmctld(configure);
	priority_g_reconfig(true);
}

/* ---- what is asked for ------------------------------------------------------------ */

static void change_nothing(void)
{
}

static void set_weight(void)
{
	slurm_conf.priority_weight_part = WEIGHT;
}

static bool has_weight(void)
{
	return job->priority == WEIGHT;
}

static void reset_now(void)
{
	slurm_conf.priority_reset_period = PRIORITY_RESET_NOW;
}

static bool is_reset(void)
{
	return anna->record->usage->usage_raw < 1;
}

static const struct wish {
	const char *name;
	void (*change)(void);
	bool (*is_done)(void);
} wishes[] = {
	{ "another weight", set_weight, has_weight },
	{ "PriorityUsageResetPeriod=NOW", reset_now, is_reset },
};
#define WISHES (int)(sizeof(wishes) / sizeof(*wishes))

/* ---- one course ------------------------------------------------------------------- */

static _Atomic bool begins, is_told;

static void tell(void *wish)
{
	begins = true;
	ask_to_reconfigure(((const struct wish *)wish)->change);
	is_told = true;
}

static bool happens_soon(const struct wish *wish)
{
	const struct timespec millisecond = { .tv_nsec = 1000000 };

	for (int i = 0; !(is_told && wish->is_done()) && i < PATIENCE; i++)
		nanosleep(&millisecond, NULL);
	return is_told && wish->is_done();
}

struct outcome {
	bool is_reached;	/* the pass has this step */
	bool done;
};

static void follow(const struct wish *wish, uint64_t step, struct outcome *outcome)
{
	open_cluster();
	host_beside_pass(step, tell, (void *)wish);
	ask_to_reconfigure(change_nothing);
	host_await_pass();
	outcome->is_reached = begins;
	outcome->done = begins && happens_soon(wish);
}

static struct outcome run(const struct wish *wish, uint64_t step)
{
	static struct outcome *outcome;
	int status;
	pid_t child;

	if (!outcome)
		outcome = mmap(NULL, sizeof(*outcome), PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	fflush(NULL);
	child = fork();
	if (!child) {
		alarm(60);
		follow(wish, step, outcome);
		_exit(0);
	}
	ck_assert_msg(child > 0 && waitpid(child, &status, 0) == child && !status,
		      "%s at step %llu has crashed (%x)", wish->name, (unsigned long long)step,
		      status);
	return *outcome;
}

/* Nobody calls for a pass after the one that is disturbed. A slow machine may add steps to one
 * pass and not to the next, so each says itself whether it has a step. */
TEST_LOOP(what_a_reconfigure_asks_for_happens_whenever_it_comes, WISHES)
{
	const struct wish *wish = &wishes[_i];
	struct outcome outcome;
	uint64_t step;
	unsigned lost = 0;

	for (step = 1; (outcome = run(wish, step)).is_reached; step++) {
		if (outcome.done)
			continue;
		fprintf(stderr, "%s is lost at step %llu\n", wish->name,
			(unsigned long long)step);
		lost++;
	}
	ck_assert_uint_gt(step, STEPS_LEAST);
	ck_assert_uint_eq(lost, 0);
}
