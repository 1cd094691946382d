/* SPDX-License-Identifier: GPL-2.0-or-later */
/* semantics.md section 7: flux-accounting's priority and usage. Its ranks are
 * those of fair-tree with tie_mode=flux, which tests/unit/policy/test_fair_tree.c tries. */
#include "../unit.h"

#include "priority/job_comment.h"

#define NEVER NAN	/* evaluated */

static struct fathom_flux_weights weights_with(const char *setting)
{
	struct fathom_settings settings = unit_settings(fathom_policy_find("flux"), setting);

	return fathom_flux_weights(&settings);
}

/* ---- priority ------------------------------------------------------------------ */

static const struct {
	struct fathom_flux_job job;	/* fairshare, queue, bank, urgency */
	const char *setting;
	uint32_t priority;
} priorities[] = {
	{ { .5, 0, 0, 16 }, NULL, 50000 },
	{ { .5, 1, 100, 16 }, "bank_weight=1000", 160000 },
	{ { .5, 0, 300, 16 }, "bank_weight=10", 53000 },
	{ { .5, 0, -5, 16 }, "bank_weight=10", 49950 },
	{ { .5, 0, 100, 16 }, NULL, 50000 },		/* banks do not weigh by default */
	{ { .5, 0, 0, 0 }, NULL, 0 },			/* held */
	{ { .5, 0, 0, 30 }, NULL, 64000 },
	{ { .5, 0, 0, 31 }, NULL, UINT32_MAX },		/* expedited */
	{ { 0, -1e9, 0, 31 }, NULL, UINT32_MAX },
	{ { 1, 1e9, 0, 0 }, NULL, 0 },
	{ { 0, 0, 0, 15 }, NULL, 0 },			/* -1000 cut off */
	{ { 0, 0, 0, 17 }, NULL, 1000 },
	{ { 0.000005, 0, 0, 16 }, NULL, 1 },		/* half away from zero */
	{ { 0.000004999, 0, 0, 16 }, NULL, 0 },
	{ { 0.123455, 0, 0, 16 }, NULL, 12346 },
	{ { 0.49999999999999994, 0, 0, 16 }, "fairshare_weight=1", 0 },
	{ { 1, 1e9, 0, 16 }, NULL, UINT32_MAX },
	{ { 1, -1, 0, 16 }, NULL, 90000 },
	{ { NEVER, 0, 0, 16 }, NULL, 50000 },
	{ { .5, 0, 0, 14 }, "urgency_weight=-1000", 52000 },
	{ { 0, 2, 0, 16 }, "queue_weight=7", 14 },
	/* rounded once, as a whole: .4 + .4 + .4 is 1 */
	{ { .4, .4, .4, 16 }, "bank_weight=1", 44000 },
	{ { 0.000004, 0.00004, 0, 16 }, NULL, 1 },
};

TEST_EACH(priority_is_the_documents, priorities)
{
	struct fathom_flux_weights weights = weights_with(priorities[_i].setting);

	ck_assert_uint_eq(fathom_flux_priority(&weights, &priorities[_i].job),
			  priorities[_i].priority);
}

/* ---- a job of Slurm --------------------------------------------------------------- */

static const struct { int64_t nice; unsigned urgency; } urgencies[] = {
	{ 0, 16 }, { 1, 15 }, { -1, 17 }, { -14, 30 }, { 15, 1 },
	{ -15, 31 }, { 16, 0 }, { -16, 31 }, { 17, 0 },
	{ 2147483645, 0 }, { -2147483645, 31 },
};

TEST_EACH(nice_is_urgency_from_0_to_31, urgencies)
{
	struct fathom_job job = { .nice = urgencies[_i].nice };

	ck_assert_uint_eq(fathom_flux_job(&job, &(struct fathom_queue){ 0 }).urgency,
			  urgencies[_i].urgency);
}

TEST(terms_of_a_job_of_slurm_add_up_to_its_priority)
{
	struct fathom_flux_weights weights = weights_with("bank_weight=-2");
	struct fathom_job job = { .fairshare = .25, .account_priority = 7, .assoc_priority = 99,
				  .assoc_norm = 1, .nice = 3, .age = 1e6, .site = 12345 };
	struct fathom_queue queue = { .partition_factor = 4, .partition_norm = .5,
				      .qos_priority = 99, .qos_norm = 1 };
	struct fathom_flux_job of_flux = fathom_flux_job(&job, &queue);
	struct fathom_factors factors = fathom_flux_factors(&weights, &of_flux);

	ck_assert(factors.fairshare == 25000 && factors.partition == 40000);
	ck_assert(factors.assoc == -14 && factors.nice == 3000);
	ck_assert(factors.age == 0 && factors.qos == 0 && factors.site == 0);
	ck_assert_uint_eq(fathom_priority_sum(&factors, NULL), 61986);
	ck_assert_uint_eq(fathom_flux_priority(&weights, &of_flux), 61986);
}

TEST_LOOP(only_flux_has_a_rule_of_its_own, fathom_policy_count())
{
	const struct fathom_policy *policy = fathom_policy_at((size_t)_i);
	bool is_flux = policy == fathom_policy_find("flux");

	ck_assert_int_eq(fathom_policy_priority_rule(policy),
			 is_flux ? FATHOM_FLUX_PRIORITY : FATHOM_WEIGHTED_SUM);
}

/* ---- words in a comment --------------------------------------------------------------- */

#define NO_NUMBER "urgency= must be a whole number from 0 to 31"
#define RAISED "only UrgencyRaise=yes lets urgency= be above 16"

static const struct {
	const char *comment;
	bool may_raise;
	int64_t nice;
	unsigned urgency;
	const char *fault;
} comments[] = {
	{ NULL, true, 0, 16, NULL },
	{ "", true, 3, 13, NULL },
	{ "urgency=8", false, 0, 8, NULL },
	{ "urgency=8", false, 4, 4, NULL },
	{ "urgency=8", false, 9, 0, NULL },
	{ "urgency=0", false, 0, 0, NULL },
	{ "urgency=16", false, 0, 16, NULL },
	{ "urgency=017", true, 0, 17, NULL },
	{ "urgency=24", true, 0, 24, NULL },
	{ "urgency=31", true, 0, 31, NULL },
	{ "urgency=31", true, 1, 30, NULL },
	{ "urgency=24", false, 0, 16, RAISED },
	{ "urgency=24", false, -8, 24, RAISED },	/* by the nice value that root has given */
	{ "for ann; urgency=5,later", false, 0, 5, NULL },
	{ "\turgency=5\n", false, 0, 5, NULL },
	{ "urgency=3 urgency=5", false, 0, 3, NULL },
	{ "urgency=32", true, 0, 16, NO_NUMBER },
	{ "urgency=99999999999999999999", true, 0, 16, NO_NUMBER },
	{ "urgency=-1", true, 0, 16, NO_NUMBER },
	{ "urgency=", true, 2, 14, NO_NUMBER },
	{ "urgency=5x", true, 0, 16, NO_NUMBER },
	{ "urgency=high", true, 0, 16, NO_NUMBER },
	{ "urgency 5", true, 0, 16, NULL },
	{ "myurgency=5 urgency", true, 0, 16, NULL },
	{ "Urgency=5", true, 0, 16, NULL },
};

TEST_EACH(comment_gives_the_urgency, comments)
{
	const struct fathom_queue queue = { 0 };
	const char *fault;
	struct fathom_job job = {
		.nice = job_comment_nice(comments[_i].comment, comments[_i].nice,
					 comments[_i].may_raise, &fault) };

	ck_assert_uint_eq(fathom_flux_job(&job, &queue).urgency, comments[_i].urgency);
	ck_assert_pstr_eq(fault, comments[_i].fault);
}

/* ---- usage of a job -------------------------------------------------------------- */

static const struct { const char *setting; double nodes, cores, gpus, seconds, usage; } jobs[] = {
	{ NULL, 1, 8, 2, 100, 100 },			/* nodes alone */
	{ "core_weight=1", 1, 8, 2, 100, 900 },
	{ "gpu_weight=2.5", 1, 8, 2, 100, 600 },
	{ "node_weight=0", 1, 8, 2, 100, 0 },
	{ NULL, 3, 0, 0, 1.23456789, 3.7037 },
	{ NULL, 1, 0, 0, 0.000015, 0.00002 },		/* five decimals */
	{ NULL, 1, 0, 0, 0, 0 },
};

TEST_EACH(usage_of_a_job_is_the_documents, jobs)
{
	struct fathom_flux_weights weights = weights_with(jobs[_i].setting);
	double usage = fathom_flux_job_usage(&weights, jobs[_i].nodes, jobs[_i].cores,
					     jobs[_i].gpus, jobs[_i].seconds);

	ck_assert_double_eq_tol(usage, jobs[_i].usage, 1e-12);
}

/* ---- bins ------------------------------------------------------------------------ */

#define WEEK 604800.

static const struct { double reset_period, half_life; size_t bins; } counts[] = {
	{ 4 * WEEK, WEEK, 4 }, { 86400, 8 * 3600, 3 }, { 10, 4, 2 }, { 4, 4, 1 }, { 1, 4, 1 },
	{ 4 * WEEK, 0, 1 },	/* no decay */
};

TEST_EACH(there_is_a_bin_for_each_half_life, counts)
{
	ck_assert_uint_eq(fathom_bin_count(counts[_i].reset_period, counts[_i].half_life),
			  counts[_i].bins);
}

static const struct {
	size_t count;
	double bins[4];
	bool due;
	double new_usage, after[4], sum;
} updates[] = {
	{ 4, { 128, 64, 64, 16 }, true, 16000, { 16000, 64, 32, 32 }, 16128 },
	{ 4, { 128, 64, 64, 16 }, true, 0, { 0, 64, 32, 32 }, 128 },
	{ 4, { 128, 64, 64, 16 }, false, 16000, { 16128, 64, 64, 16 }, 16272 },
	{ 4, { 128, 64, 64, 16 }, false, 0, { 128, 64, 64, 16 }, 272 },
	{ 1, { 128 }, true, 5, { 5 }, 5 },
	{ 2, { 128, 1, 77 }, true, 5, { 5, 64, 77 }, 69 },	/* nothing beyond the last */
};

TEST_EACH(bins_are_shifted_when_due_and_take_new_usage, updates)
{
	double bins[4];

	memcpy(bins, updates[_i].bins, sizeof(bins));
	ck_assert(fathom_bins_update(bins, updates[_i].count, updates[_i].due,
				     updates[_i].new_usage) == updates[_i].sum);
	ck_assert_mem_eq(bins, updates[_i].after, sizeof(bins));
}

static const struct { double mark, now, half_life; bool due; } dates[] = {
	{ WEEK, 0, WEEK, false }, { WEEK, WEEK, WEEK, false },
	{ WEEK, 2 * WEEK, WEEK, false },	/* just a half-life: not yet */
	{ WEEK, 2 * WEEK + 1, WEEK, true }, { WEEK, 9 * WEEK, WEEK, true },
	{ 0, 1e9, 0, false },			/* no decay */
};

TEST_EACH(shift_is_due_when_more_than_a_half_life_has_passed, dates)
{
	ck_assert_int_eq(fathom_bins_due(dates[_i].mark, dates[_i].now, dates[_i].half_life),
			 dates[_i].due);
}

/* From the first mark on: a job that ended at the start counts half after two
 * half-lives, and nothing when the last bin has been left. */
TEST(usage_is_forgotten_after_the_reset_period)
{
	double bins[4] = { 0 }, mark = WEEK;
	const double sums[] = { 1024, 1024, 512, 256, 128, 0, 0 };

	fathom_bins_update(bins, 4, false, 1024);
	for (size_t week = 0; week < COUNT(sums); week++) {
		bool due = fathom_bins_due(mark, (double)week * WEEK + 1, WEEK);

		ck_assert(fathom_bins_update(bins, 4, due, 0) == sums[week]);
		mark += due ? WEEK : 0;
	}
}
