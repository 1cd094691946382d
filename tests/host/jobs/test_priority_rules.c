/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Priorities that do not come from the weighted sum: by Formula in fathom.conf, by the
 * sum of flux-accounting, and of users without shares. In each case the columns that
 * sprio shows must add up to the priority.
 */
#include "scenario/two_users.h"

#include <dlfcn.h>

#define MAX_AGE 1200		/* PriorityMaxAge */

static struct host_association *none;
static part_record_t *fast, *slow;

/* anna has used three times what bert has; none has no shares. */
static void open_cluster(const char *conf)
{
	setenv("HOST_LOG", "debug", 1);
	two_users_grow("PriorityWeightAge=100\nPriorityMaxAge=0-00:20\n"
		       "PriorityWeightPartition=10");
	host_passed_at(host_now());
	none = host_user(physics, "none", 0);
	anna->usage = 3000;
	bert->usage = 1000;
	host_open();
	host_set_association_priority(physics, 40);
	host_set_association_priority(anna, 10);
	slow = host_partition("slow", 5, NULL);
	fast = host_partition("fast", 20, NULL);
	two_users_load(conf);
}

/* ---- what sprio shows ------------------------------------------------------------- */

/* As sprio adds up the job's line of this partition, cut to an integer. */
static long long sprio_sum(const job_record_t *job, const part_record_t *partition)
{
	compat_list list = host_factors_list();
	compat_iterator iterator = list_iterator_create(list);
	priority_factors_object_t *object;
	double sum = NAN;

	while ((object = list_next(iterator))) {
		const compat_factors *factors = compat_factors_of_object(object);

		if (host_job_of_object(object) != job->job_id ||
		    strcmp(object->partition, partition->name))
			continue;
		sum = factors->priority_age + factors->priority_assoc + factors->priority_fs +
		      factors->priority_js + factors->priority_part + factors->priority_qos +
		      (double)((int64_t)factors->priority_site - NICE_OFFSET) -
		      (double)((int64_t)factors->nice - NICE_OFFSET);
	}
	list_iterator_destroy(iterator);
	FREE_NULL_LIST(list);
	return sum < 1 ? 1 : (long long)sum;
}

static double factor_of(const job_record_t *job)
{
	return job->prio_factors->priority_fs / WEIGHT;
}

/* ---- a formula -------------------------------------------------------------------- */

/* Of anna's job of 2 nodes, 8 CPUs, 3 GPUs, 500 MB a node, 30 minutes, nice 7,
 * that could run 300 seconds ago: in partition slow. */
static const struct { const char *formula; double value; } values[] = {
	{ "100 * ncpus + nodect", 802 },
	{ "mem", 2 * 500 * 1024 },
	{ "1000 * ngpus + gres_gpu + license_matlab", 3003 },
	{ "cpu + node", 10 },			/* TRES by name */
	{ "walltime", 1800 },
	{ "eligible_time + 1", 301 },
	{ "1000 * age", 250 },
	{ "100 * accrue_type + cput", 200 },
	{ "queue_priority * 100 + 50 * partition", 512 },
	{ "job_priority + nice + 100 + nice", 107 },
	{ "1000 * assoc", 250 },
	{ "1000 * norm_shares + norm_shares", 500 },
	/* all usage is the group's, 3/4 hers: .75 + (1 - .75) * .5 */
	{ "1000 * effective_usage", 875 },
	{ "10000 * fairshare_factor", 2973.017 },	/* 2^-(.875 / .5) */
	{ "w_fairshare + w_age + w_partition - nice", 317.80 },
	{ "1000 + 0 / (ncpus - 8)", 1 },	/* no number */
	{ "1e20", UINT32_MAX },
};

TEST_LOOP(formula_knows_the_job_its_partition_and_association, HAS_FORMULAS * COUNT(values))
{
	char conf[256];
	job_record_t *job;

	snprintf(conf, sizeof(conf), "Formula=\"%s\"", values[_i].formula);
	open_cluster(conf);
	job = host_job(&(struct host_job){ .user = anna, .nodes = 2, .cpus = 8, .gpus = 3,
					   .memory = 500, .minutes = 30, .nice = 7,
					   .age = MAX_AGE / 4,
					   .partition = { slow } });
	ck_assert_uint_eq(job->priority, (uint32_t)values[_i].value);
	job->priority = 5;
	reread();
	ck_assert_uint_eq(job->priority, (uint32_t)values[_i].value);
	ck_assert_double_eq_tol(factor_of(job), exp2(-.875 / .5), 1e-9);
	ck_assert_int_eq(sprio_sum(job, slow), job->priority);
	ck_assert_uint_eq(logged("beyond 32 bits"), 0);
}

TEST_LOOP(formula_is_evaluated_for_each_pair, HAS_FORMULAS)
{
	job_record_t *job;

	open_cluster("Formula=\"1000 * queue_priority + 100 * fairshare\" FormulaScale=2");
	job = host_job(&(struct host_job){ .user = bert, .partition = { fast, slow } });
	reread();
	ck_assert_uint_eq(job->priority, 40000 + (uint32_t)(200 * factor_of(job)));
	ck_assert_uint_eq(compat_pair_priority(job, 2, 0), job->priority);
	ck_assert_uint_eq(compat_pair_priority(job, 2, 1), job->priority - 30000);
	ck_assert_int_eq(sprio_sum(job, fast), job->priority);
	ck_assert_int_eq(sprio_sum(job, slow), job->priority - 30000);
}

/* The priority of an association counts at once, without the weight for it in slurm.conf. */
TEST_LOOP(formula_knows_associations_as_they_are_between_passes, HAS_FORMULAS)
{
	open_cluster("Formula=\"1000 * assoc\"");
	ck_assert_uint_eq(host_job(&(struct host_job){ .user = anna })->priority, 250);
	host_set_association_priority(anna, 20);
	ck_assert_uint_eq(host_job(&(struct host_job){ .user = anna })->priority, 500);
}

/* pbs and lsf begin with nothing used. */
static const struct { const char *policy, *formula; double value; } columns[] = {
	{ "pbs", "1000 * (fairshare_tree_usage + fairshare_perc + fairshare_factor)", 1500 },
	{ "fair-tree", "1000 * level_fs + 100 * rank", 866.666 },
	{ "lsf", "100 * (order + dynamic_priority)", 133.333 },
};

TEST_LOOP(columns_of_the_policy_are_known_to_its_formula, HAS_FORMULAS * COUNT(columns))
{
	slurmctld_lock_t locks = { .job = WRITE_LOCK };
	uint32_t value = (uint32_t)columns[_i].value, before;
	char conf[256];
	job_record_t *job;

	open_cluster("Policy=depth-oblivious Formula=k+1000");
	job = host_job(&(struct host_job){ .user = anna });
	before = job->priority;
	snprintf(conf, sizeof(conf), "Policy=%s Formula=\"%s\"", columns[_i].policy,
		 columns[_i].formula);
	write_conf(conf);
	lock_slurmctld(locks);		/* no pass gets far */
	priority_g_reconfig(false);
	job->priority = priority_g_set(NO_VAL, job);
	unlock_slurmctld(locks);
	/* as before, until there are such columns */
	ck_assert(job->priority == before || job->priority == value);
	host_await_pass();
	ck_assert_uint_eq(job->priority, value);
}

/* No part of a formula's value is a job's own. */
TEST_LOOP(jobs_of_a_user_go_as_they_came_by_a_formula, HAS_FORMULAS)
{
	job_record_t *first, *second;

	open_cluster("Policy=lsf Formula=\"1000 - nice\"");
	first = host_job(&(struct host_job){ .user = anna });
	second = host_job(&(struct host_job){ .user = anna, .nice = -500 });
	host_pass();
	ck_assert_double_gt(factor_of(first), factor_of(second));
}

static const struct { const char *conf, *message; } errors[] = {
	{ "\nFormula=\"1000 * fairsare\"", "fathom.conf:2: Formula: column 8: " },
	{ "Policy=fair-tree Formula=level_fs\nPolicy=classic",
	  "fathom.conf:1: Formula: column 1: " },
	{ "Policy=fair-tree\nFormula=\"pow(2, -(fairshare_tree_usage/fairshare_perc))\"",
	  "fathom.conf:2: Formula: column 10: 'fairshare_tree_usage' is a column of another "
	  "policy; "
	  "set Policy=pbs" },
	{ "\nFormula=1+fair_share_perc", "fathom.conf:2: Formula: column 3: 'fair_share_perc' is a "
	  "column of another policy; set Policy=pbs" },
	{ "Policy=pbs Formula=fairshare_perc\nScope=a Partitions=slow Policy=fair-tree",
	  "fathom.conf:2: Scope: policy fair-tree has no fairshare_perc, which Formula uses; set "
	  "Policy=pbs" },
	{ "Formula=", "fathom.conf:1: Formula: no value" },
	{ "Formula=5 FormulaScale=0", "fathom.conf:1: FormulaScale: " },
	{ "Policy=pbs\nFairshareUsageRes=2*cputt",
	  "fathom.conf:2: FairshareUsageRes: column 3: " },
	{ "FairshareUsageRes=ncpus\n\nScope=a Partitions=slow Policy=pbs FairshareUsageRes=2*cputt",
	  "fathom.conf:3: FairshareUsageRes: column 3: " },
};

TEST_LOOP(wrong_formula_leaves_all_settings_as_they_were, HAS_FORMULAS * COUNT(errors))
{
	job_record_t *job;

	open_cluster("Formula=\"777 + 0*fairshare\"");
	job = host_job(&(struct host_job){ .user = anna });
	reconfigure(errors[_i].conf);
	ck_assert_uint_eq(logged(errors[_i].message), 1);
	ck_assert_uint_eq(logged("the last good settings"), 1);
	ck_assert_uint_eq(job->priority, 777);
	reconfigure("Formula=888");
	ck_assert_uint_eq(job->priority, 888);
	reconfigure("");
	ck_assert_uint_eq(job->priority, (uint32_t)job->prio_factors->priority_fs);
}

TEST(entities_other_than_associations_are_told_of)
{
	static const char warning[] = "warning: FairshareEntity has no effect in Slurm";

	open_cluster("Policy=pbs FairshareEntity=queue");
	host_pass();
	ck_assert_uint_eq(logged(warning), 1);
	reconfigure("Policy=pbs FairshareEntity=euser");
	reconfigure("Policy=classic FairshareEntity=queue");
	ck_assert_uint_eq(logged(warning), 1);
}

TEST_LOOP(wrong_formula_at_the_start_leaves_the_sum, HAS_FORMULAS)
{
	job_record_t *job;

	open_cluster("Policy=pbs Formula=\"1 +\"");
	job = host_job(&(struct host_job){ .user = anna });
	ck_assert_uint_eq(logged("fathom.conf:1: Formula: column "), 1);
	ck_assert_uint_eq(logged("the defaults apply"), 1);
	ck_assert_uint_eq(logged("policy classic"), 1);
	ck_assert_uint_eq(job->priority, (uint32_t)job->prio_factors->priority_fs);
}

TEST_LOOP(each_kind_of_warning_comes_once_until_settings_change, HAS_FORMULAS)
{
	static const char failed[] = "warning: Formula: 1 of 2 jobs have no value";
	static const char low[] = "warning: Formula: no priority reaches 100";

	open_cluster("Policy=pbs Formula=\"50 / (ncpus > 1) * fair_share_perc\"");
	host_job(&(struct host_job){ .user = anna, .partition = { fast, slow } });
	host_job(&(struct host_job){ .user = bert, .cpus = 2 });
	host_pass();
	host_pass();
	ck_assert_uint_eq(logged("warning: Formula: 1 of 2 jobs"), logged(failed));
	ck_assert_uint_eq(logged(failed), 1);
	ck_assert_uint_eq(logged(low), 1);
	ck_assert_uint_eq(logged("column 20: fair_share_perc is deprecated"), 1);
	reconfigure("Policy=pbs Formula=\"60 / (ncpus > 1) * fair_share_perc\"");
	ck_assert_uint_eq(logged(failed), 2);
	ck_assert_uint_eq(logged(low), 2);
}

/* ---- without the library ------------------------------------------------------------ */

static bool library_is_gone;

/* The plugin's, and the loader's of Slurm. */
__attribute__((visibility("default"))) void *dlopen(const char *file, int flags)
{
	static void *(*next)(const char *, int);

	if (!next)
		next = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
	if (library_is_gone && file && strstr(file, "muparser"))
		file = "/nowhere/libmuparser.so";
	return next(file, flags);
}

TEST_LOOP(missing_library_is_an_error_and_no_end, HAS_FORMULAS)
{
	job_record_t *job;

	open_cluster("");
	job = host_job(&(struct host_job){ .user = anna });
	library_is_gone = true;
	reconfigure("Formula=777");
	ck_assert_uint_eq(logged("fathom.conf:1: Formula: muParser cannot be loaded: "), 1);
	ck_assert_uint_eq(job->priority, (uint32_t)job->prio_factors->priority_fs);
	library_is_gone = false;
	reconfigure("Formula=778");
	ck_assert_uint_eq(job->priority, 778);
}

TEST_LOOP(formula_without_a_parser_built_in_is_an_error, !HAS_FORMULAS)
{
	open_cluster("Formula=777");
	ck_assert_uint_eq(logged("fathom.conf:1: Formula: needs muParser, which this fathom is "
				 "built without"), 1);
}

/* ---- flux-accounting's sum ------------------------------------------------------------ */

/* bert is the first of three, anna the last of those who have shares; the
 * account has priority 40. */
static const struct {
	const char *conf;
	int nice;
	uint32_t of_fast, of_slow;
} sums[] = {
	{ "", 0, 300000, 150000 },
	{ "", 2, 298000, 148000 },
	{ "", -14, 314000, 164000 },
	{ "", -15, UINT32_MAX, UINT32_MAX },	/* urgency 31 */
	{ "UrgencyWeight=0", -20, UINT32_MAX, UINT32_MAX },
	{ "", 15, 285000, 135000 },
	{ "FairshareWeight=3 QueueWeight=0", -1, 1003, 1003 },
	{ "BankWeight=1000", 0, 340000, 190000 },
	{ "BankWeight=1000 BankPriority=PHYSICS:-5,other:7", 0, 295000, 145000 },
	{ "BankWeight=1000 BankPriority=other:7", 0, 340000, 190000 },
	{ "QueueWeight=-10000", 0, 1, 50000 },
	{ "QueueWeight=0 FairshareWeight=0 UrgencyWeight=7", -1, 7, 7 },
	{ "Formula=\"1000 * queue_priority\"", 0, 20000, 5000 },	/* goes before it */
};

TEST_LOOP(flux_has_a_sum_of_its_own, COUNT(sums) - !HAS_FORMULAS)
{
	char conf[256];
	job_record_t *job, *held;

	snprintf(conf, sizeof(conf), "Policy=flux %s", sums[_i].conf);
	open_cluster(conf);
	job = host_job(&(struct host_job){ .user = bert, .age = 500, .nice = sums[_i].nice,
					   .partition = { fast, slow } });
	held = host_job(&(struct host_job){ .user = bert });
	held->priority = 0;
	reread();
	ck_assert_uint_eq(job->priority, sums[_i].of_fast);
	ck_assert_uint_eq(compat_pair_priority(job, 2, 0), sums[_i].of_fast);
	ck_assert_uint_eq(compat_pair_priority(job, 2, 1), sums[_i].of_slow);
	ck_assert_int_eq(sprio_sum(job, fast), sums[_i].of_fast);
	ck_assert_int_eq(sprio_sum(job, slow), sums[_i].of_slow);
	ck_assert_uint_eq(held->priority, 0);
	ck_assert_uint_eq(logged("beyond 32 bits"), 0);
}

/* The documentation's example: fair share 0.5, and banks of -5 and 300 that weigh 10. */
TEST(bank_below_0_counts_for_a_newcomer_too)
{
	job_record_t *of_c, *of_a;

	open_cluster("Policy=flux QueueWeight=0 BankWeight=10 BankPriority=c:-5,A:300");
	of_c = host_job(&(struct host_job){
		.user = host_user(host_account(host_root(), "c", 1), "user2", 1) });
	of_a = host_job(&(struct host_job){
		.user = host_user(host_account(host_root(), "a", 1), "user2", 1) });
	ck_assert_uint_eq(of_c->priority, 49950);
	ck_assert_uint_eq(of_a->priority, 53000);
}

TEST(wrong_bank_priority_is_an_error_and_the_last_settings_stay)
{
	job_record_t *job;

	open_cluster("Policy=flux BankWeight=10 BankPriority=physics:-5");
	job = host_job(&(struct host_job){ .user = bert, .partition = { slow } });
	reread();
	ck_assert_uint_eq(job->priority, 149950);
	reconfigure("Policy=flux BankWeight=10 BankPriority=physics:low");
	ck_assert_uint_eq(logged("fathom.conf:1: BankPriority: 'physics:low' has a priority"), 1);
	ck_assert_uint_eq(job->priority, 149950);
}

TEST(weights_count_from_a_reconfigure_on)
{
	job_record_t *job;

	open_cluster("Policy=flux");
	job = host_job(&(struct host_job){ .user = bert, .partition = { slow } });
	reread();
	ck_assert_uint_eq(job->priority, 150000);
	reconfigure("Policy=flux FairshareWeight=3 QueueWeight=7 BankWeight=100");
	ck_assert_uint_eq(job->priority, 3 + 5 * 7 + 40 * 100);
}

TEST(bank_without_a_priority_adds_nothing)
{
	job_record_t *job;

	open_cluster("Policy=flux BankWeight=1");
	job = host_job(&(struct host_job){ .user = bert, .partition = { slow } });
	host_set_association_priority(physics, INFINITE);
	reread();
	ck_assert_uint_eq(job->priority, 150000);
}

static const struct { const char *conf; uint32_t at_once, priority; } firsts[] = {
	{ "Policy=flux QueueWeight=0", 50000, 100000 },	/* the first of four */
	{ "Formula=\"1000 * fairshare\"", 500, 1000 },
};

TEST_LOOP(first_job_of_a_new_user_counts_though_fair_share_has_no_weight,
		COUNT(firsts) - !HAS_FORMULAS)
{
	struct host_association *carl;
	job_record_t *job;

	open_cluster(firsts[_i].conf);
	slurm_conf.priority_weight_fs = 0;
	reread();
	carl = host_user(host_account(host_root(), "chemistry", 1), "carl", 1);
	job = host_job(&(struct host_job){ .user = carl });
	ck_assert_uint_eq(job->priority, firsts[_i].at_once);
	host_wake();
	ck_assert_uint_eq(job->priority, firsts[_i].priority);
}

/* ---- no shares -------------------------------------------------------------------------- */

static const struct { const char *conf; bool may_run; } enforcements[] = {
	{ "Policy=lsf", false }, { "Policy=pbs", false },
	{ "Policy=pbs FairshareEnforceNoShares=no", true }, { "Policy=classic", true },
	{ "Policy=lsf Formula=5000", false },
};

TEST_LOOP(user_without_shares_has_priority_1_where_that_is_enforced,
		COUNT(enforcements) - !HAS_FORMULAS)
{
	job_record_t *job, *other;

	open_cluster(enforcements[_i].conf);
	job = host_job(&(struct host_job){ .user = none, .age = MAX_AGE,
					   .partition = { fast, slow } });
	other = host_job(&(struct host_job){ .user = anna, .age = MAX_AGE });
	for (int i = 0; i < 2; i++) {
		bool lowest = job->priority == 1 && compat_pair_priority(job, 2, 1) == 1;

		ck_assert_int_eq(!lowest, enforcements[_i].may_run);
		ck_assert_uint_gt(other->priority, 1);
		ck_assert_int_eq(sprio_sum(job, fast), job->priority);
		ck_assert_int_eq(sprio_sum(job, slow), compat_pair_priority(job, 2, 1));
		reread();
	}
	ck_assert_int_eq(!logged("starts no jobs of a user without shares"),
			 enforcements[_i].may_run);
	ck_assert_uint_eq(logged("beyond 32 bits"), 0);
}
