/* SPDX-License-Identifier: GPL-2.0-or-later */
/* semantics.md sections 5.1, 6.1, 7.3 and 9: what lsf, pbs and flux look at, added up. */
#include "../unit.h"

#define EXACT 1e-12		/* relative; what summing in parts may do */
#define HOUR 3600.
#define SITE (7 * 24 * HOUR)	/* PriorityDecayHalfLife */

static const struct fathom_policy *policy_of(const char *name)
{
	return fathom_policy_find(name);
}

static double half_life_of(const char *policy, const char *setting)
{
	struct fathom_settings settings = unit_settings(policy_of(policy), setting);

	return fathom_policy_half_life(policy_of(policy), &settings, SITE);
}

/* ---- which policies, which decay ------------------------------------------------ */

TEST(slurms_own_go_by_usage)
{
	ck_assert(!fathom_policy_keeps_sums(policy_of("classic")));
	ck_assert(!fathom_policy_keeps_sums(policy_of("depth-oblivious")));
	ck_assert(!fathom_policy_keeps_sums(policy_of("fair-tree")));
	ck_assert(fathom_policy_keeps_sums(policy_of("pbs")));
	ck_assert(fathom_policy_keeps_sums(policy_of("lsf")));
	ck_assert(fathom_policy_keeps_sums(policy_of("flux")));
}

static const struct {
	const char *policy, *setting;
	double half_life;
} half_lives[] = {
	{ "lsf", NULL, 1.505149978 * HOUR },
	{ "lsf", "hist_hours=0", 0 },
	{ "pbs", NULL, 24 * HOUR },
	{ "pbs", "fairshare_decay_factor=0.7", 46.64 * HOUR },
	{ "flux", NULL, SITE },
	{ "fair-tree", NULL, SITE },
};

TEST_EACH(inputs_decay_as_the_system_says, half_lives)
{
	ck_assert_double_eq_tol(half_life_of(half_lives[_i].policy, half_lives[_i].setting),
				half_lives[_i].half_life, .005 * HOUR);
}

TEST(names_are_what_they_are)
{
	ck_assert_str_eq(fathom_sum_name(FATHOM_SUM_USAGE), "usage");
	ck_assert_str_eq(fathom_sum_name(FATHOM_SUM_CPU_TIME), "cpu_time");
	ck_assert_str_eq(fathom_sum_name(FATHOM_SUM_HIST_RUN_TIME), "hist_run_time");
}

/* ---- one stretch ------------------------------------------------------------------ */

/* A run of two hours on 4 CPUs and 3 nodes, over since `since` seconds. */
#define RUN { .begin = 0, .end = 2 * HOUR, .ran = 2 * HOUR, .limit = 3 * HOUR, .cpus = 4, \
	      .nodes = 3, .gpus = 2, .memory = 5, .billing = 6, .used_before = 100,      \
	      .used = 100 + 8 * HOUR, .factor = 1, .over = true }

static const struct {
	const char *policy, *setting;
	double since;
	enum fathom_sum input;
	double expected;
} stretches[] = {
	{ "lsf", "hist_hours=0", 0, FATHOM_SUM_CPU_TIME, 8 * HOUR },
	{ "lsf", "hist_hours=0", HOUR, FATHOM_SUM_HIST_RUN_TIME, 2 * HOUR },
	/* an hour is worth 10^(-t/5) hours */
	{ "lsf", NULL, 0, FATHOM_SUM_HIST_RUN_TIME, 2 * HOUR },
	{ "lsf", NULL, HOUR, FATHOM_SUM_HIST_RUN_TIME, 2 * HOUR * 0.630957344480 },
	{ "lsf", NULL, 5 * HOUR, FATHOM_SUM_HIST_RUN_TIME, .2 * HOUR },
	{ "lsf", NULL, 0, FATHOM_SUM_CPU_TIME, 4 * HOUR * 1.306993672629 },
	{ "lsf", NULL, 5 * HOUR, FATHOM_SUM_CPU_TIME, .4 * HOUR * 1.306993672629 },
	{ "lsf", "run_time_decay=yes", 0, FATHOM_SUM_HIST_RUN_TIME, HOUR * 1.306993672629 },
	{ "lsf", NULL, 0, FATHOM_SUM_USAGE, 0 },
	/* the growth alone, over its two hours */
	{ "pbs", "fairshare_decay_time=1000d", 0, FATHOM_SUM_USAGE, 28799.168239399 },
	{ "pbs", NULL, 0, FATHOM_SUM_USAGE, 27984.009862865 },
	{ "pbs", NULL, 24 * HOUR, FATHOM_SUM_USAGE, 27984.009862865 / 2 },
	{ "flux", NULL, 0, FATHOM_SUM_USAGE, 6 * HOUR },
	{ "flux", NULL, SITE, FATHOM_SUM_USAGE, 3 * HOUR },
	{ "flux", "core_weight=0.5", 0, FATHOM_SUM_USAGE, 10 * HOUR },
	{ "flux", "gpu_weight=10", 0, FATHOM_SUM_USAGE, 46 * HOUR },
	{ "flux", NULL, 0, FATHOM_SUM_CPU_TIME, 0 },
	{ "classic", NULL, 0, FATHOM_SUM_USAGE, 43022.251402042 },
	{ "classic", NULL, SITE, FATHOM_SUM_USAGE, 43022.251402042 / 2 },
};

TEST_EACH(stretch_counts_what_the_system_counts, stretches)
{
	const struct fathom_policy *policy = policy_of(stretches[_i].policy);
	struct fathom_settings settings = unit_settings(policy, stretches[_i].setting);
	double half_life = fathom_policy_half_life(policy, &settings, SITE);
	struct fathom_stretch run = RUN;
	struct fathom_sums sums = { { 0 } };

	fathom_policy_accrue(policy, &settings, half_life, &run, run.end + stretches[_i].since,
			     &sums);
	ck_assert_double_eq_tol(sums.value[stretches[_i].input], stretches[_i].expected, 1e-5);
}

static struct fathom_sums of_run(const char *name, const struct fathom_stretch *run)
{
	const struct fathom_policy *policy = policy_of(name);
	struct fathom_settings settings = unit_settings(policy, NULL);
	struct fathom_sums sums = { { 0 } };

	fathom_policy_accrue(policy, &settings, fathom_policy_half_life(policy, &settings, SITE),
			     run, run->end, &sums);
	return sums;
}

/* The run has 0 CPU seconds in each second, half a one, more than it has CPUs. */
TEST(known_cpu_time_counts_in_place_of_cpus)
{
	static const struct { double use, counted; } uses[] = {
		{ -1, 0 }, { 0.5, 0.5 }, { 100, 100 },
	};
	struct fathom_stretch run = RUN;
	const double by_cpus = of_run("lsf", &run).value[FATHOM_SUM_CPU_TIME] / run.cpus;

	for (size_t i = 0; i < COUNT(uses); i++) {
		run.cpu_use = uses[i].use;
		ck_assert_double_eq_tol(of_run("lsf", &run).value[FATHOM_SUM_CPU_TIME],
					by_cpus * uses[i].counted, 1e-9);
	}
}

TEST(only_ended_runs_are_history)
{
	struct fathom_stretch run = RUN;

	run.over = false;
	ck_assert(of_run("lsf", &run).value[FATHOM_SUM_HIST_RUN_TIME] == 0);
	ck_assert(of_run("lsf", &run).value[FATHOM_SUM_CPU_TIME] > 0);
	ck_assert(of_run("flux", &run).value[FATHOM_SUM_USAGE] == 0);
	ck_assert(of_run("pbs", &run).value[FATHOM_SUM_USAGE] > 0);
}

TEST(shrinking_use_is_no_use)
{
	struct fathom_stretch run = RUN;

	run.used = run.used_before - 1;
	ck_assert(of_run("pbs", &run).value[FATHOM_SUM_USAGE] == 0);
}

TEST(factor_multiplies)
{
	static const char *const names[] = { "lsf", "pbs", "flux" };
	struct fathom_stretch plain = RUN, doubled = RUN;

	doubled.factor = 2;
	for (size_t i = 0; i < COUNT(names); i++) {
		struct fathom_sums one = of_run(names[i], &plain);
		struct fathom_sums two = of_run(names[i], &doubled);

		for (size_t j = 0; j < FATHOM_SUM_COUNT; j++)
			ck_assert(two.value[j] == 2 * one.value[j]);
	}
}

/* ---- any split ----------------------------------------------------------------------- */

/* Decayed on the way as the plugin does it, or seen once at the end. */
static void accrue_split(const struct fathom_policy *policy, const struct fathom_settings *settings,
			 const struct fathom_stretch *whole, struct unit_random *random,
			 double seen, struct fathom_sums *sums)
{
	double half_life = fathom_policy_half_life(policy, settings, SITE), at = whole->begin;
	struct fathom_stretch part = *whole;

	while (at < whole->end) {
		double next = fmin(at + 1 + unit_random_below(random, 900), whole->end);
		double decay = fathom_decay(next - at, half_life);

		for (size_t i = 0; i < FATHOM_SUM_COUNT; i++)
			sums->value[i] *= decay;
		part.begin = at;
		part.end = next;
		part.ran = next - whole->begin;
		part.used_before = whole->cpus * (at - whole->begin);
		part.used = whole->cpus * part.ran;
		part.over = next == whole->end;
		fathom_policy_accrue(policy, settings, half_life, &part, next, sums);
		at = next;
	}
	for (size_t i = 0; i < FATHOM_SUM_COUNT; i++)
		sums->value[i] *= fathom_decay(seen - at, half_life);
}

static const struct { const char *policy, *setting; } split[] = {
	{ "lsf", NULL }, { "lsf", "run_time_decay=yes" }, { "lsf", "hist_hours=0" },
	{ "lsf", "hist_hours=0.01" }, { "pbs", NULL }, { "pbs", "fairshare_decay_time=60" },
	{ "flux", NULL }, { "flux", "gpu_weight=3.3" }, { "classic", NULL },
};

TEST_EACH(any_split_of_a_run_gives_the_same, split)
{
	const struct fathom_policy *policy = policy_of(split[_i].policy);
	struct fathom_settings settings = unit_settings(policy, split[_i].setting);
	double half_life = fathom_policy_half_life(policy, &settings, SITE);
	struct unit_random random = { 7 };

	for (int round = 0; round < 50; round++) {
		double begin = unit_random_below(&random, 100000);
		double length = 1 + unit_random_below(&random, 20000);
		struct fathom_stretch run = { .begin = begin, .end = begin + length, .ran = length,
					  .cpus = 1 + unit_random_below(&random, 64), .nodes = 2,
					  .gpus = 1, .billing = 3, .factor = .5, .over = true };
		double seen = run.end + unit_random_below(&random, 5000);
		struct fathom_sums once = { { 0 } }, parts = { { 0 } };

		run.used = run.cpus * length;
		fathom_policy_accrue(policy, &settings, half_life, &run, seen, &once);
		accrue_split(policy, &settings, &run, &random, seen, &parts);
		for (size_t i = 0; i < FATHOM_SUM_COUNT; i++)
			ck_assert_double_eq_tol(parts.value[i], once.value[i],
						EXACT * once.value[i] + 1e-300);
	}
}

/* ---- what runs ------------------------------------------------------------------------ */

static const struct {
	const char *setting;
	double limit, run_time, committed_run_time;
} held[] = {
	{ NULL, 3 * HOUR, 2 * HOUR, 3 * HOUR },
	{ NULL, HOUR, 2 * HOUR, HOUR },		/* beyond its limit */
	{ NULL, -1, 2 * HOUR, 2 * HOUR },	/* without one, as if for what it ran */
	{ "run_time_decay=yes", 3 * HOUR, 1.306993672629 * HOUR, 3 * HOUR },
	{ "run_time_decay=yes", -1, 1.306993672629 * HOUR, 1.306993672629 * HOUR },
};

TEST_EACH(running_jobs_hold, held)
{
	const struct fathom_policy *lsf = policy_of("lsf");
	struct fathom_settings settings = unit_settings(lsf, held[_i].setting);
	struct fathom_stretch run = RUN;
	struct fathom_holdings holdings = { .job_slots = 1 };

	run.limit = held[_i].limit;
	fathom_policy_hold(lsf, &settings, fathom_policy_half_life(lsf, &settings, SITE), &run,
			   &holdings);
	ck_assert_double_eq_tol(holdings.run_time, held[_i].run_time, 1e-5);
	ck_assert_double_eq_tol(holdings.committed_run_time, held[_i].committed_run_time, 1e-5);
	ck_assert(holdings.job_slots == 5);
	ck_assert(holdings.memory == 5);
}

TEST(others_do_not_look_at_what_runs)
{
	const struct fathom_policy *pbs = policy_of("pbs");
	struct fathom_settings settings = unit_settings(pbs, NULL);
	struct fathom_stretch run = RUN;
	struct fathom_holdings holdings = { 0 };

	fathom_policy_hold(pbs, &settings, SITE, &run, &holdings);
	ck_assert(holdings.job_slots == 0 && holdings.run_time == 0);
}

/* ---- parts of a run ------------------------------------------------------------------- */

/* Two hours on 4 CPUs, 3 of them on the hosts of h1. */
static const struct fathom_run_part parts[] = { { "h0", 0, 4 }, { "h1", 3, 4 }, { "h2", 1, 4 } };
static const uint64_t counts[] = { 4, 1000 };	/* CPUs, memory */
static const struct fathom_run run_on_hosts = {
	.id = { .job = 1, .association = 7 },
	.rate = { .usage_factor = .5, .limit = 3 * HOUR, .tres = counts, .tres_count = 2,
		  .part = parts, .part_count = 3 },
};

static const struct {
	const char *hosts;
	double part;
} parted[] = { { "h1", .75 }, { "h2", .25 }, { NULL, 1 }, { "h0", 0 }, { "h3", 0 } };

TEST_EACH(scope_of_hosts_counts_the_part_on_them, parted)
{
	struct fathom_settings settings = unit_settings(policy_of("lsf"), "hist_hours=0");
	const struct fathom_sum_rules rules = { .policy = policy_of("lsf"), .settings = &settings,
						.tres = { 0, 9, 9, 1 },
						.hosts = parted[_i].hosts };
	const struct fathom_charge charge = { .run = run_on_hosts,
					      .part = { { 0, 2 * HOUR }, { 2 * HOUR, 2 * HOUR } },
					      .ran = 2 * HOUR, .over = true };
	struct fathom_policy_sums *sums = fathom_policy_sums_create();
	struct fathom_holdings holdings = { 0 };
	double part = parted[_i].part;

	ck_assert_int_eq(fathom_policy_sums_add(sums, &rules, &charge), 0);
	ck_assert_uint_eq(fathom_policy_sums_count(sums), part > 0);
	if (part > 0) {
		const double *value = fathom_policy_sums_at(sums, 0)->own.value;

		ck_assert_double_eq(value[FATHOM_SUM_CPU_TIME], part * .5 * 8 * HOUR);
		ck_assert_double_eq(value[FATHOM_SUM_HIST_RUN_TIME], part * .5 * 2 * HOUR);
	}
	fathom_policy_sums_hold(sums, &rules, &run_on_hosts, HOUR, 2 * HOUR, &holdings);
	ck_assert_double_eq(holdings.job_slots, part * 4);
	ck_assert_double_eq(holdings.memory, part * 1000);
	ck_assert_double_eq(holdings.run_time, part * .5 * HOUR);
	ck_assert_double_eq(holdings.committed_run_time, part * .5 * 3 * HOUR);
	fathom_policy_sums_destroy(sums);
}

/* Half-life 100 s; rows of associations 7 and 8 with 80 at 0. */
static const struct {
	uint32_t association;
	double time, factor, more;	/* more below 0: none */
	size_t rows;
	double seven, eight;		/* at 100 s */
} changes[] = {
	{ 7, 0, 1, -1, 2, 40, 40 }, { 7, 0, .5, -1, 2, 20, 40 }, { 7, 100, .5, -1, 2, 20, 40 },
	{ 8, 100, 0, -1, 2, 40, 0 }, { 7, 100, 1, 3, 2, 43, 40 }, { 7, 100, 2, 3, 2, 83, 40 },
	{ 7, 0, 1, 2, 2, 41, 40 }, { 9, 100, 0, -1, 2, 40, 40 }, { 9, 100, 5, 6, 3, 40, 40 },
};

TEST_EACH(sums_change_by_a_factor_and_a_summand, changes)
{
	struct fathom_policy_sums *sums = fathom_policy_sums_create();
	const struct fathom_run_id id = { .association = changes[_i].association, .account = 1 };
	const struct fathom_sums more = { { [FATHOM_SUM_CPU_TIME] = changes[_i].more } };
	double value[10] = { 0 };

	for (uint32_t i = 7; i < 9; i++)
		ck_assert(!fathom_policy_sums_restore(sums, &(struct fathom_policy_sums_row){
			.association = i, .account = 1, .leaf = i == 8 ? 5 : 0,
			.own.value[FATHOM_SUM_CPU_TIME] = 80 }));
	ck_assert(!fathom_policy_sums_change(sums, 100, &id, changes[_i].time, changes[_i].factor,
					     changes[_i].more < 0 ? NULL : &more));
	ck_assert_uint_eq(fathom_policy_sums_count(sums), changes[_i].rows);
	for (size_t i = 0; i < fathom_policy_sums_count(sums); i++) {
		const struct fathom_policy_sums_row *row = fathom_policy_sums_at(sums, i);

		value[row->association] += row->own.value[FATHOM_SUM_CPU_TIME] *
					   fathom_decay(100 - row->time, 100);
	}
	ck_assert_double_eq_tol(value[7], changes[_i].seven, 1e-12);
	ck_assert_double_eq_tol(value[8], changes[_i].eight, 1e-12);
	ck_assert_double_eq_tol(value[9], changes[_i].rows == 3 ? 6 : 0, 1e-12);
	fathom_policy_sums_destroy(sums);
}

/* As after two imports of 1e308. */
TEST(infinite_sums_can_be_set_to_0)
{
	struct fathom_policy_sums *sums = fathom_policy_sums_create();
	const struct fathom_run_id id = { .association = 7, .account = 1 };
	const struct fathom_sums more = { { [FATHOM_SUM_USAGE] = 1e308 } };

	for (int i = 0; i < 2; i++)
		ck_assert(!fathom_policy_sums_change(sums, 100, &id, 0, 1, &more));
	ck_assert(isinf(fathom_policy_sums_at(sums, 0)->own.value[FATHOM_SUM_USAGE]));
	ck_assert(!fathom_policy_sums_change(sums, 100, &id, 100, 0, NULL));
	ck_assert_double_eq(fathom_policy_sums_at(sums, 0)->own.value[FATHOM_SUM_USAGE], 0);
	fathom_policy_sums_destroy(sums);
}

/* 1/49 of 49 is not 1 in binary. */
TEST(whole_cpus_stay_whole)
{
	for (uint64_t all = 1; all < 200; all++)
		for (uint64_t cpus = 1; cpus <= all; cpus++) {
			const struct fathom_run_part part = { "h", cpus, all };
			struct fathom_settings settings = unit_settings(policy_of("lsf"), NULL);
			const struct fathom_sum_rules rules = {
				.policy = policy_of("lsf"), .settings = &settings,
				.tres = { 0, 9, 9, 9 }, .hosts = "h" };
			struct fathom_run run = { .rate = { .tres = &all, .tres_count = 1,
							    .part = &part, .part_count = 1 } };
			struct fathom_policy_sums *sums = fathom_policy_sums_create();
			struct fathom_holdings holdings = { 0 };

			fathom_policy_sums_hold(sums, &rules, &run, 0, 0, &holdings);
			ck_assert_double_eq(holdings.job_slots, (double)cpus);
			fathom_policy_sums_destroy(sums);
		}
}

/* ---- into the tree --------------------------------------------------------------------- */

TEST(inputs_reach_the_policy)
{
	static const char *const names[] = { "lsf", "pbs", "flux" };
	const struct fathom_sums sums = { { 11, 3600, 7200 } };
	const struct fathom_holdings holdings = { 1800, 3600, 2, 9 };
	struct unit_tree given = unit_tree_read("A 1 (a 10/5)");
	size_t a = unit_node(&given, "a");
	double expected[] = { 5, 11, 11 };	/* lsf does not look at usage */

	for (size_t i = 0; i < COUNT(names); i++) {
		fathom_tree_set_own_usage(given.tree, a, 5);
		ck_assert(!fathom_policy_set_sums(policy_of(names[i]), given.tree, a, &sums,
						    &holdings, NULL));
		fathom_tree_settle(given.tree);
		ck_assert(fathom_tree_usage(given.tree, 0) == expected[i]);
	}
	ck_assert(fathom_tree_resource(given.tree, a, FATHOM_CPU_TIME) == 3600);
	ck_assert(fathom_tree_resource(given.tree, a, FATHOM_HIST_RUN_TIME) == 7200);
	ck_assert(fathom_tree_resource(given.tree, 0, FATHOM_RUN_TIME) == 1800);
	ck_assert(fathom_tree_resource(given.tree, 0, FATHOM_COMMITTED_RUN_TIME) == 3600);
	ck_assert(fathom_tree_resource(given.tree, 0, FATHOM_JOB_SLOTS) == 2);
	ck_assert(fathom_tree_resource(given.tree, 0, FATHOM_MEMORY) == 9);
}
