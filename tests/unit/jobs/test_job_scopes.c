/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random jobs of files in partitions with policies of their own. Each scope must be as if it were
 * alone: its factors are those of its policy for the whole tree, and its places those of its jobs
 * without all others, behind those of the queues that are served before. */
#include "../evaluate/random_case.h"

#include "jobs/job_evaluate.h"

#define CASES 300
#define QUEUES 4
#define MOST_JOBS 24

struct scoped_case {
	struct random_case drawn;
	struct jobs jobs;
	struct job_scope scope[QUEUES];
	char *name[QUEUES];
	struct job_rule rule;
	size_t queue_of[MOST_JOBS];
};

static uint32_t below(struct scoped_case *of, uint32_t limit)
{
	return unit_random_below(&of->drawn.random, limit);
}

/* Queues of few priorities, so that some are equal. */
static void draw_queues(struct scoped_case *of)
{
	static char name[QUEUES][2] = { "a", "b", "c", "d" };
	struct jobs *jobs = &of->jobs;

	for (size_t i = 0; i < QUEUES; i++) {
		of->name[i] = name[i];
		jobs_add_partition(jobs, (struct jobs_partition){
			.name = jobs_add_text(jobs, name[i]), .job_factor = below(of, 3) });
		JOBS_ADD(jobs, requested, ((struct requested_partition){
			.name = jobs->partition[i].name, .partition = i }));
	}
}

static void draw_jobs(struct scoped_case *of)
{
	struct jobs *jobs = &of->jobs;

	jobs->settings.value[JOB_WEIGHT_FAIRSHARE] = 1000;
	for (size_t i = 0; i < MOST_JOBS; i++) {
		size_t user = random_case_user(&of->drawn);

		of->queue_of[i] = below(of, QUEUES);
		JOBS_ADD(jobs, job, ((struct job){
			.id = (int64_t)(i + 1), .qos_name = JOBS_NONE, .qos = JOBS_NONE,
			.user = jobs_add_text(jobs, snapshot_name(&of->drawn.snapshot, user)),
			.account = jobs_add_text(jobs, snapshot_account(&of->drawn.snapshot, user)),
			.first_requested = of->queue_of[i], .requested_count = 1,
			.urgency = 16, .fairshare = NAN, .cpus = 1 + below(of, 4),
			.submit_time = 1000 + (double)i,
		}));
	}
}

static void scoped_case_create(struct scoped_case *of, uint64_t seed,
			       const struct fathom_policy *main_policy)
{
	memset(of, 0, sizeof(*of));
	random_case_create(&of->drawn, seed, main_policy, NULL);
	of->rule = (struct job_rule){ .snapshot = &of->drawn.snapshot, .policy = main_policy,
				      .settings = fathom_settings_standard(main_policy),
				      .scope = of->scope, .scale = 1 };
	draw_queues(of);
	draw_jobs(of);
}

static void scoped_case_clear(struct scoped_case *of)
{
	random_case_clear(&of->drawn);
}

/* Adds a scope of one queue, or of all. */
static void add_scope(struct scoped_case *of, size_t queue, size_t count,
		      const struct fathom_policy *policy)
{
	of->scope[of->rule.scope_count++] = (struct job_scope){
		.name = "scope", .partition = &of->name[queue], .partition_count = count,
		.policy = policy, .settings = fathom_settings_standard(policy),
	};
}

static void evaluate(struct scoped_case *of, const struct job_rule *rule, struct job_list *list)
{
	char text[1][FATHOM_WARNING_SIZE];
	struct fathom_warnings warnings = { .room = 1, .text = text };

	memset(list, 0, sizeof(*list));
	ck_assert(!job_list_evaluate(list, &of->jobs, rule, &warnings, NULL));
	ck_assert_uint_eq(list->count, of->jobs.job_count);
}

/* ---- factors --------------------------------------------------------------------- */

static void check_factors(struct scoped_case *of, const struct job_list *scoped, size_t scope,
			  size_t queue)
{
	struct job_rule alone = of->rule;
	struct job_list list;

	alone.scope_count = 0;
	if (scope < of->rule.scope_count) {
		alone.policy = of->scope[scope].policy;
		alone.settings = of->scope[scope].settings;
	}
	evaluate(of, &alone, &list);
	for (size_t i = 0; i < list.count; i++)
		if (of->queue_of[i] == queue)
			ck_assert_msg(list.row[i].plain.factor[JOB_FAIRSHARE] ==
					      scoped->row[i].plain.factor[JOB_FAIRSHARE],
				      "seed %d, job %zu", (int)of->drawn.seed, i + 1);
}

/* Under a policy that places jobs, factors follow from the places, and these from the scope. */
static bool places_jobs(const struct fathom_policy *policy)
{
	struct fathom_settings settings = fathom_settings_standard(policy);

	return fathom_policy_places_jobs(policy, &settings);
}

static const struct fathom_policy *draw_policy(struct scoped_case *of)
{
	const struct fathom_policy *policy;

	do
		policy = fathom_policy_at(below(of, (uint32_t)fathom_policy_count()));
	while (places_jobs(policy));
	return policy;
}

TEST_LOOP(scope_has_the_factors_of_its_policy, fathom_policy_count())
{
	const struct fathom_policy *policy = fathom_policy_at((size_t)_i);
	struct scoped_case of;
	struct job_list list;

	for (uint64_t seed = 1; seed <= CASES && !places_jobs(policy); seed++) {
		scoped_case_create(&of, seed, policy);
		add_scope(&of, 1, 1, draw_policy(&of));
		add_scope(&of, 3, 1, draw_policy(&of));
		evaluate(&of, &of.rule, &list);
		check_factors(&of, &list, SIZE_MAX, 0);
		check_factors(&of, &list, 0, 1);
		check_factors(&of, &list, SIZE_MAX, 2);
		check_factors(&of, &list, 1, 3);
		for (size_t i = 0; i < list.count; i++)
			ck_assert(!list.row[i].scope == !(of.queue_of[i] & 1));
		scoped_case_clear(&of);
	}
}

/* ---- places ---------------------------------------------------------------------- */

/* Returns the place among the jobs of the same queue that have one, from 1. */
static size_t place_in_queue(const struct scoped_case *of, const struct job_list *list, size_t row)
{
	size_t place = 1;

	for (size_t i = 0; i < list->count; i++)
		place += of->queue_of[i] == of->queue_of[row] &&
			 list->row[i].place < list->row[row].place;
	return place;
}

/* Evaluates the jobs of one queue alone, whose scope's policy is the only one. */
static void check_places(struct scoped_case *of, const struct job_list *scoped, size_t queue)
{
	struct job_rule alone = of->rule;
	struct jobs all = of->jobs;
	struct job few[MOST_JOBS];
	struct job_list list;

	of->jobs.job = few;
	of->jobs.job_count = 0;
	for (size_t i = 0; i < all.job_count; i++)
		if (of->queue_of[i] == queue)
			few[of->jobs.job_count++] = all.job[i];
	alone.scope_count = 0;
	alone.policy = of->scope[queue].policy;
	alone.settings = of->scope[queue].settings;
	evaluate(of, &alone, &list);
	for (size_t i = 0, at = 0; i < all.job_count; i++)
		if (of->queue_of[i] == queue)
			ck_assert_double_eq(list.row[at++].place,
					    (double)place_in_queue(of, scoped, i));
	of->jobs.job = all.job;
	of->jobs.job_count = all.job_count;
}

/* Jobs of users without shares come behind all others. */
static bool is_behind(const struct scoped_case *of, const struct job_list *list, size_t a, size_t b)
{
	double first = of->jobs.partition[of->queue_of[a]].job_factor;
	double second = of->jobs.partition[of->queue_of[b]].job_factor;

	if (list->row[a].is_never_started != list->row[b].is_never_started)
		return list->row[a].is_never_started;
	return first != second ? first < second : of->queue_of[a] > of->queue_of[b];
}

static void check_queues(const struct scoped_case *of, const struct job_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		for (size_t j = 0; j < i; j++)
			if (of->queue_of[i] != of->queue_of[j])
				ck_assert((list->row[i].place > list->row[j].place) ==
					  is_behind(of, list, i, j));
}

TEST(fair_share_queues_are_served_whole_and_alone)
{
	struct scoped_case of;
	struct job_list list;

	for (uint64_t seed = 1; seed <= CASES; seed++) {
		scoped_case_create(&of, seed, policy_first_come());
		for (size_t i = 0; i < QUEUES; i++)
			add_scope(&of, i, 1, fathom_policy_find("lsf"));
		evaluate(&of, &of.rule, &list);
		ck_assert(list.has_places);
		check_queues(&of, &list);
		for (size_t i = 0; i < QUEUES; i++)
			check_places(&of, &list, i);
		scoped_case_clear(&of);
	}
}

TEST(scope_of_all_partitions_is_as_no_scope)
{
	struct scoped_case of;
	struct job_list list, without;

	for (uint64_t seed = 1; seed <= CASES; seed++) {
		struct job_rule alone;

		scoped_case_create(&of, seed, fathom_policy_find("lsf"));
		alone = of.rule;
		add_scope(&of, 0, QUEUES, of.rule.policy);
		of.rule.policy = fathom_policy_find("fair-tree");
		of.rule.settings = fathom_settings_standard(of.rule.policy);
		evaluate(&of, &of.rule, &list);
		evaluate(&of, &alone, &without);
		for (size_t i = 0; i < list.count; i++)
			ck_assert_double_eq(list.row[i].place, without.row[i].place);
		scoped_case_clear(&of);
	}
}
