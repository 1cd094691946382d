/* SPDX-License-Identifier: GPL-2.0-or-later */
/* semantics.md section 8: a job's factors and their sum. */
#include "../unit.h"

#define DAY 86400.
#define WEEK (7 * DAY)
#define SMALL FATHOM_FAVOR_SMALL
#define NO_CONFIG { .flags = 0 }
#define NO_JOB { .age = 0 }
#define NO_QUEUE { .qos_norm = 0 }
#define OVER_TIME FATHOM_SMALL_RELATIVE_TO_TIME

/* ---- vectors J1 to J8 ---------------------------------------------------------------- */

static const double gpu_weights[] = { 1000, 4000 };
static const uint64_t gpu_partition[] = { 160, 8 }, gpu_job[] = { 16, 2 };

/* Of the example cluster: 10 nodes, 160 CPUs, a job that waited for half of a week. */
#define CLUSTER .max_age = WEEK, .cluster_nodes = 10, .cluster_cpus = 160
#define J1_CONFIG \
	{ CLUSTER, .weight = { .age = 1000, .fairshare = 10000, .job_size = 1000, \
			       .partition = 1000 } }
#define J1_JOB .age = WEEK / 2, .fairshare = 0.408478863, .nodes = 2, .cpus = 16

static const struct {
	const char *name;
	struct fathom_priority_config config;
	struct fathom_job job;
	struct fathom_queue queue;
	uint32_t priority;
	bool exceeded;
} vectors[] = {
	{ "J1", J1_CONFIG, { J1_JOB }, { .partition_norm = .5, .partition_factor = 10 }, 5234,
	  false },
	{ "J2", J1_CONFIG, { J1_JOB, .nice = 6000 }, { .partition_norm = .5 }, 1, false },
	{ "J3", J1_CONFIG, { J1_JOB, .site = 2147483645, .nice = -2147483645 },
	  { .partition_norm = .5 },
	  4294967295, true },
	{ "J4", { CLUSTER, .weight = { .partition = 5000 }, .flags = FATHOM_NO_NORMAL_PART },
	  { J1_JOB },
	  { .partition_norm = 1, .partition_factor = 20 }, 100000, false },
	{ "J5", { CLUSTER, .weight = { .job_size = 1000 }, .flags = SMALL },
	  { .nodes = 1, .cpus = 1 },
	  NO_QUEUE, 946, false },
	{ "J6, 1 minute", { CLUSTER, .weight = { .job_size = 1000 }, .flags = OVER_TIME },
	  { .nodes = 10, .cpus = 160, .minutes = 1 }, NO_QUEUE, 1000, false },
	{ "J6, 60 minutes", { CLUSTER, .weight = { .job_size = 1000 }, .flags = OVER_TIME },
	  { .nodes = 10, .cpus = 160, .minutes = 60 }, NO_QUEUE, 16, false },
	{ "J7", { CLUSTER, .tres_weight = gpu_weights, .tres_count = 2 }, { .tres = gpu_job },
	  { .partition_tres = gpu_partition }, 1100, false },
	{ "J8", { CLUSTER, .weight = { .fairshare = 100 } }, { .fairshare = .29 }, NO_QUEUE, 28,
	  false },
	{ "nothing weighs", { CLUSTER }, { J1_JOB }, { .partition_norm = 1 }, 1, false },
	{ "all together",
	  { CLUSTER, .weight = { 100, 200, 300, 400, 500, 600 }, .tres_weight = gpu_weights,
	    .tres_count = 2 },
	  { J1_JOB, .assoc_norm = .25, .tres = gpu_job, .site = 7, .nice = -3 },
	  { .partition_norm = .5, .qos_norm = .1, .partition_tres = gpu_partition },
	  50 + 50 + 122 + 60 + 250 + 60 + 1100 + 7 + 3, false },
};

TEST_EACH(priority_is_the_documents, vectors)
{
	bool exceeded = !vectors[_i].exceeded;
	struct fathom_factors factors = fathom_job_factors(&vectors[_i].config, &vectors[_i].job,
							   &vectors[_i].queue, NULL);

	ck_assert_msg(fathom_priority_sum(&factors, &exceeded) == vectors[_i].priority,
		      "%s: %u, must be %u", vectors[_i].name, fathom_priority_sum(&factors, NULL),
		      vectors[_i].priority);
	ck_assert_int_eq(exceeded, vectors[_i].exceeded);
}

/* ---- one factor at a time --------------------------------------------------------------- */

#define AGE { .age = 1000 }
static const struct {
	struct fathom_priority_config config;
	struct fathom_job job;
	struct fathom_queue queue;
	double weighted;
} factors[] = {
	/* age */
	{ { .weight = AGE, .max_age = WEEK }, { .age = 0 }, NO_QUEUE, 0 },
	/* not yet eligible */
	{ { .weight = AGE, .max_age = WEEK }, { .age = -1 }, NO_QUEUE, 0 },
	{ { .weight = AGE, .max_age = WEEK }, { .age = WEEK / 4 }, NO_QUEUE, 250 },
	{ { .weight = AGE, .max_age = WEEK }, { .age = WEEK }, NO_QUEUE, 1000 },
	{ { .weight = AGE, .max_age = WEEK }, { .age = 1e12 }, NO_QUEUE, 1000 },
	{ { .weight = AGE, .max_age = 0 }, { .age = 1 }, NO_QUEUE, 1000 },
	{ { .weight = AGE, .max_age = 0 }, { .age = -1 }, NO_QUEUE, 0 },
	{ { .weight = AGE, .max_age = WEEK }, { .age = NAN }, NO_QUEUE, 0 },
	{ { .max_age = WEEK }, { .age = WEEK }, NO_QUEUE, 0 },
	/* fairshare */
	{ { .weight = { .fairshare = 1000 } }, { .fairshare = .5 }, NO_QUEUE, 500 },
	{ { .weight = { .fairshare = 1000 } }, { .fairshare = 0 }, NO_QUEUE, 0 },
	{ { .weight = { .fairshare = 1000 } }, { .fairshare = NAN }, NO_QUEUE, 0 },
	{ { .weight = { .fairshare = 1000 } }, { .fairshare = -.5 }, NO_QUEUE, 0 },
	{ { .weight = { .fairshare = 1000 } }, { .fairshare = 1.5 }, NO_QUEUE, 1000 },
	{ NO_CONFIG, { .fairshare = 1 }, NO_QUEUE, 0 },
	/* association */
	{ { .weight = { .assoc = 10 } }, { .assoc_norm = .5, .assoc_priority = 7 }, NO_QUEUE, 5 },
	{ { .weight = { .assoc = 10 }, .flags = FATHOM_NO_NORMAL_ASSOC },
	  { .assoc_norm = .5, .assoc_priority = 7 }, NO_QUEUE, 70 },
	{ { .flags = FATHOM_NO_NORMAL_ASSOC }, { .assoc_norm = .5, .assoc_priority = 7 }, NO_QUEUE,
	  0 },
	/* partition */
	{ { .weight = { .partition = 10 } }, NO_JOB,
	  { .partition_norm = .5, .partition_factor = 7 }, 5 },
	{ { .weight = { .partition = 10 }, .flags = FATHOM_NO_NORMAL_PART }, NO_JOB,
	  { .partition_norm = .5, .partition_factor = 7 }, 70 },
	{ { .flags = FATHOM_NO_NORMAL_PART }, NO_JOB, { .partition_factor = 7 }, 0 },
	/* QOS */
	{ { .weight = { .qos = 10 } }, NO_JOB, { .qos_norm = .5, .qos_priority = 7 }, 5 },
	{ { .weight = { .qos = 10 }, .flags = FATHOM_NO_NORMAL_QOS }, NO_JOB,
	  { .qos_norm = .5, .qos_priority = 7 }, 70 },
	{ { .weight = { .qos = 10 }, .flags = FATHOM_NO_NORMAL_QOS }, NO_JOB, { .qos_priority = 0 },
	  0 },
	/* another factor's flag is not its own */
	{ { .weight = { .qos = 10 }, .flags = FATHOM_NO_NORMAL_PART | FATHOM_NO_NORMAL_ASSOC |
	    FATHOM_NO_NORMAL_TRES }, NO_JOB, { .qos_norm = .5, .qos_priority = 7 }, 5 },
	/* the greatest weight */
	{ { .weight = { .assoc = UINT32_MAX } }, { .assoc_norm = 1 }, NO_QUEUE, 4294967295. },
};

/* The one factor that is weighed is found in its own field, the others are 0. */
TEST_EACH(factor_is_the_documents, factors)
{
	const struct fathom_weights *weight = &factors[_i].config.weight;
	struct fathom_factors given = fathom_job_factors(&factors[_i].config, &factors[_i].job,
							 &factors[_i].queue, NULL);
	double expected = factors[_i].weighted;

	ck_assert(given.age == (weight->age ? expected : 0));
	ck_assert(given.fairshare == (weight->fairshare ? expected : 0));
	ck_assert(given.assoc == (weight->assoc ? expected : 0));
	ck_assert(given.partition == (weight->partition ? expected : 0));
	ck_assert(given.qos == (weight->qos ? expected : 0));
	ck_assert(given.job_size == 0 && given.tres_sum == 0 && given.site == 0 &&
		  given.nice == 0);
}

/* ---- job size ---------------------------------------------------------------------------- */

static const struct {
	uint32_t flags, all_nodes, all_cpus, nodes, cpus;
	double minutes, size;
} sizes[] = {
	/* (n/N + c/C) / 2 */
	{ 0, 10, 160, 2, 16, 60, .15 },
	{ 0, 10, 160, 10, 160, 60, 1 },
	{ 0, 10, 160, 2, 0, 60, .2 },		/* CPUs unknown */
	{ 0, 10, 160, 0, 16, 60, .05 },
	{ 0, 10, 160, 0, 0, 60, 0 },
	{ 0, 10, 160, 20, 640, 60, 1 },		/* more than there is */
	{ 0, 10, 160, 20, 0, 60, 1 },
	{ 0, 0, 160, 2, 16, 60, 0 },		/* no active nodes */
	{ 0, 10, 0, 2, 16, 60, 0 },
	/* PriorityFavorSmall: (max(0, N - n)/N + (C - c)/C) / 2 */
	{ SMALL, 10, 160, 2, 16, 60, .85 },
	{ SMALL, 10, 160, 1, 1, 60, .946875 },
	{ SMALL, 10, 160, 10, 160, 60, 0 },
	{ SMALL, 10, 160, 2, 0, 60, .8 },
	{ SMALL, 10, 160, 20, 0, 60, 0 },	/* more nodes than there are */
	{ SMALL, 10, 160, 20, 80, 60, .25 },
	{ SMALL, 10, 160, 10, 161, 60, 1 },	/* Slurm's C - c wraps */
	{ SMALL, 10, 160, 20, UINT32_MAX, 60, 1 },
	{ SMALL, 0, 160, 2, 16, 60, 0 },
	{ SMALL, 10, 0, 2, 16, 60, 0 },
	/* SMALL_RELATIVE_TO_TIME: max(n C/N, c) / minutes / C */
	{ OVER_TIME, 10, 160, 10, 160, 1, 1 },
	{ OVER_TIME, 10, 160, 10, 160, 60, 1 / 60. },
	{ OVER_TIME, 10, 160, 5, 16, 10, .05 },	/* nodes weigh more */
	{ OVER_TIME, 10, 160, 1, 80, 10, .05 },	/* CPUs weigh more */
	{ OVER_TIME, 10, 160, 1, 0, 10, .01 },
	{ OVER_TIME, 10, 160, 10, 160, .5, 1 },	/* cut */
	{ OVER_TIME, 10, 160, 10, 160, 0, 1 },	/* no division by 0 comes through */
	{ OVER_TIME, 10, 160, 0, 0, 0, 0 },
	{ OVER_TIME, 0, 160, 2, 16, 60, 0 },
	{ OVER_TIME | SMALL, 10, 160, 10, 160, 60, 1 - 1 / 60. },
	{ OVER_TIME | SMALL, 10, 160, 10, 160, 1, 0 },
	{ OVER_TIME | SMALL, 10, 160, 10, 160, .5, 0 },
	{ OVER_TIME | SMALL, 10, 160, 1, UINT32_MAX, 60, 0 },	/* nothing wraps here */
	{ OVER_TIME | SMALL, 0, 160, 2, 16, 60, 0 },
};

TEST_EACH(job_size_is_the_documents, sizes)
{
	struct fathom_priority_config config = { .flags = sizes[_i].flags,
						 .cluster_nodes = sizes[_i].all_nodes,
						 .cluster_cpus = sizes[_i].all_cpus };
	struct fathom_job job = { .nodes = sizes[_i].nodes, .cpus = sizes[_i].cpus,
				  .minutes = sizes[_i].minutes };

	ck_assert_double_eq_tol(fathom_job_size(&config, &job), sizes[_i].size, 1e-15);
	/* weighed only if it has a weight */
	ck_assert(fathom_job_factors(&config, &job, &(struct fathom_queue){ 0 }, NULL).job_size ==
		  0);
	config.weight.job_size = 1000;
	ck_assert(fathom_job_factors(&config, &job, &(struct fathom_queue){ 0 }, NULL).job_size ==
		  fathom_job_size(&config, &job) * 1000);
}

/* ---- trackable resources ------------------------------------------------------------------ */

#define TRES 3
static const struct {
	const char *what;
	double weight[TRES];
	uint64_t job[TRES], partition[TRES];
	uint32_t flags;
	double weighted[TRES];
} tres[] = {
	{ "normal", { 1000, 0, 4000 }, { 16, 5, 2 }, { 160, 10, 8 }, 0, { 100, 0, 1000 } },
	{ "partition has none", { 1000, 10, 4000 }, { 16, 5, 2 }, { 160, 10, 0 }, 0,
	  { 100, 5, 0 } },
	{ "job has none", { 1000, 10, 4000 }, { 16, 0, 2 }, { 160, 10, 8 }, 0, { 100, 0, 1000 } },
	{ "more than the partition has", { 1000, 0, 0 }, { 320, 0, 0 }, { 160, 0, 0 }, 0,
	  { 2000, 0, 0 } },
	{ "count itself", { 1000, 0, .5 }, { 16, 5, 2 }, { 160, 10, 0 }, FATHOM_NO_NORMAL_TRES,
	  { 16000, 0, 1 } },
	{ "another flag", { 1000, 0, 0 }, { 16, 0, 0 }, { 160, 0, 0 }, FATHOM_NO_NORMAL_PART,
	  { 100, 0, 0 } },
	{ "negative weight", { -1000, 0, 0 }, { 16, 0, 0 }, { 160, 0, 0 }, 0, { -100, 0, 0 } },
};

TEST_EACH(tres_is_weighed_one_by_one, tres)
{
	struct fathom_priority_config config = { .tres_weight = tres[_i].weight,
						 .tres_count = TRES,
						 .flags = tres[_i].flags };
	struct fathom_job job = { .tres = tres[_i].job };
	struct fathom_queue queue = { .partition_tres = tres[_i].partition };
	double weighted[TRES + 1] = { 99, 99, 99, 99 }, sum = 0;
	struct fathom_factors given = fathom_job_factors(&config, &job, &queue, weighted);

	for (size_t i = 0; i < TRES; i++) {
		ck_assert_msg(weighted[i] == tres[_i].weighted[i], "%s: %g", tres[_i].what,
			      weighted[i]);
		sum += weighted[i];
	}
	ck_assert(given.tres_sum == sum);
	ck_assert(weighted[TRES] == 99);
	ck_assert(fathom_job_factors(&config, &job, &queue, NULL).tres_sum == sum);
}

static const struct { bool weight, job, partition; } absent[] = {
	{ false, true, true }, { true, false, true }, { true, true, false },
	{ false, false, false },
};

TEST_EACH(absent_tres_are_zeros, absent)
{
	struct fathom_priority_config config = { .tres_count = 2 };
	struct fathom_job job = { 0 };
	struct fathom_queue queue = { 0 };
	double weighted[2] = { 99, 99 };

	config.tres_weight = absent[_i].weight ? gpu_weights : NULL;
	job.tres = absent[_i].job ? gpu_job : NULL;
	queue.partition_tres = absent[_i].partition ? gpu_partition : NULL;
	ck_assert(fathom_job_factors(&config, &job, &queue, weighted).tres_sum == 0);
	ck_assert(weighted[0] == 0 && weighted[1] == 0);
}

/* ---- the sum ---------------------------------------------------------------------------------
 */

static const struct {
	struct fathom_factors factors;
	uint32_t sum, of_pair;
	bool exceeded;
} sums[] = {
	{ { .age = 0 }, 1, 1, false },					/* 0 is for held jobs */
	{ { .age = .999 }, 1, 1, false },
	{ { .age = 1.999 }, 1, 1, false },				/* cut, not rounded */
	{ { .age = 2 }, 2, 2, false },
	{ { .age = 100, .nice = 100 }, 1, 1, false },
	{ { .age = 100, .nice = 1000000 }, 1, 1, false },
	{ { .site = -5, .age = 10 }, 5, 5, false },
	{ { .site = 5, .age = 10 }, 15, 15, false },
	{ { .nice = -5, .age = 10 }, 15, 15, false },
	{ { .age = 1, .assoc = 2, .fairshare = 4, .job_size = 8, .partition = 16, .qos = 32,
	    .tres_sum = 64,
	    .site = 128, .nice = -256 }, 511, 511, false },
	{ { .age = 4294967295. }, 4294967295, 4294967295, false },
	{ { .age = 4294967295.5 }, 4294967295, 4294967295, true },
	{ { .age = 4294967296. }, 4294967295, 4294967295, true },
	{ { .age = 1e300 }, 4294967295, 4294967295, true },
	{ { .age = INFINITY }, 4294967295, 4294967295, true },
	{ { .age = -INFINITY }, 1, 1, false },
	{ { .age = NAN }, 1, 1, false },
	/* Only in Slurm's order of terms are these what Slurm gives: 2^53 + 1 is
	 * no double, and takes the addend that comes first. */
	{ { .age = 0x1p53, .partition = 1, .site = 1, .nice = INT64_C(1) << 53 }, 1, 1, false },
	/* a pair's partition comes first, outside the brackets */
	{ { .age = .7, .partition = .1, .fairshare = .1, .nice = 0, .qos = .1 }, 1, 1, false },
	{ { .fairshare = 28.999999999999996, .partition = 0x1p-48, .site = 0 }, 29, 29, false },
	{ { .partition = 0x1p53, .age = 1, .nice = (INT64_C(1) << 53) - 9 }, 9, 10, false },
};

TEST_EACH(sum_is_cut_to_32_bits_and_at_least_1, sums)
{
	bool exceeded = !sums[_i].exceeded;

	ck_assert_uint_eq(fathom_priority_sum(&sums[_i].factors, &exceeded), sums[_i].sum);
	ck_assert_int_eq(exceeded, sums[_i].exceeded);
	exceeded = !exceeded;
	ck_assert_uint_eq(fathom_priority_sum_of_pair(&sums[_i].factors, &exceeded),
			  sums[_i].of_pair);
	ck_assert_int_eq(exceeded, sums[_i].exceeded);
	ck_assert_uint_eq(fathom_priority_sum(&sums[_i].factors, NULL), sums[_i].sum);
}

/* The order written out once more: 100,000 sums of "awkward" terms. */
TEST(sum_is_added_in_the_documents_order)
{
	struct unit_random random = { 8 };
	int differing = 0;

	for (int i = 0; i < 100000; i++) {
		double t[7];
		int64_t site = unit_random_below(&random, 100),
			nice = unit_random_below(&random, 100);
		double sum = 0, pair;
		struct fathom_factors f;

		for (int j = 0; j < 7; j++)
			t[j] = unit_random_below(&random, 1000) * .1;
		f =
			(struct fathom_factors){ t[0], t[1], t[2], t[3], t[4],
						 t[5], t[6], site, nice };
		for (int j = 0; j < 7; j++)
			sum += t[j];
		sum = sum + (double)site - (double)nice;
		pair = t[0] + t[1] + t[2] + t[3] + t[5] + t[6] + (double)site - (double)nice;
		pair = t[4] + pair;
		differing += floor(sum) != floor(pair);
		ck_assert_uint_eq(fathom_priority_sum(&f, NULL), sum < 1 ? 1 : (uint32_t)sum);
		ck_assert_uint_eq(fathom_priority_sum_of_pair(&f, NULL),
				  pair < 1 ? 1 : (uint32_t)pair);
	}
	ck_assert_int_gt(differing, 10);	/* else this would show nothing */
}
