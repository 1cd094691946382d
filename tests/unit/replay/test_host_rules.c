/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often each host rule starts jobs as LSF does: HOST_RULE_FREE, by which a job goes by the host
 * partition that has free hosts when it starts. Half of the jobs may run on hosts of two host
 * partitions, the others on those of one. The figures are those of fathom.conf(5), HostRule.
 */
#include "../unit.h"
#include "finished_replay.h"

#include "replay/replay.h"

#define JOBS 300
#define ROUNDS 20
#define USERS 8
#define BOTH 2			/* the partition of jobs of both */

struct start {
	double at[JOBS];
};

static void note_start(const struct replay_job *job, double start, void *context)
{
	((struct start *)context)->at[job->number] = start;
}

/* Each user has one of the partitions more often, so the two differ in whom they serve next. */
static void make_jobs(struct replay_job *job, struct unit_random *random)
{
	double submit = 0;

	for (size_t i = 0; i < JOBS; i++) {
		uint32_t node = 1 + unit_random_below (random, USERS);
		uint32_t own = unit_random_below (random, 4) ? node % 2 : 1 - node % 2;
		double seconds = 60 + unit_random_below (random, 3600);

		job[i] = (struct replay_job){
			.number = i, .submit = submit, .run = seconds, .estimate = seconds,
			.billing = 1, .cpus = 1 + unit_random_below (random, 4), .node = node,
			.partition = unit_random_below (random, 2) ? BOTH : own,
		};
		submit += unit_random_below (random, 400);
	}
}

static void run(const struct replay_job *job, struct replay_rules *rules, enum host_rule rule,
		const struct fathom_tree *tree, struct start *start)
{
	rules->host_rule = rule;
	rules->context = start;
	finished_replay (rules, tree, job, JOBS);
}

/* Pairs of jobs that waited together, and those of them of which the same one started first. */
struct agreement {
	size_t pairs, same;
};

static void compare(struct agreement *agreement, const struct replay_job *job,
		    const struct start *lsf, const struct start *rule)
{
	for (size_t i = 0; i < JOBS; i++)
		for (size_t j = 0; j < i; j++) {
			if (job[i].partition != BOTH || job[j].partition != BOTH ||
			    lsf->at[j] <= job[i].submit || lsf->at[i] == lsf->at[j])
				continue;
			agreement->pairs++;
			agreement->same += (lsf->at[i] < lsf->at[j]) ==
					   (rule->at[i] < rule->at[j]);
		}
}

static const uint64_t sizes[][2] = { { 8, 8 }, { 12, 4 }, { 4, 12 } };

/* In percent, over all sizes: of worst, first, best. */
static const struct { const char *policy; double same[3]; } policies[] = {
	{ "lsf", { 76.4, 64.4, 73.6 } },
	{ "classic", { 80.3, 76.4, 66.5 } },
	{ "fair-tree", { 79.9, 76.9, 68.5 } },
	{ "pbs", { 81.9, 77.3, 67.4 } },
};

static void measure(const struct fathom_policy *policy, const uint64_t *size,
		    struct agreement agreement[3])
{
	static const uint32_t group[] = { 0, 1 }, scope_of_group[] = { 1, 2 };
	static const struct replay_partition partition[] = {
		{ .group = group, .group_count = 1, .scope = 1, .queue.partition_factor = 1 },
		{ .group = group + 1, .group_count = 1, .scope = 2, .queue.partition_factor = 1 },
		{ .group = group, .group_count = 2, .scope = 1, .queue.partition_factor = 1 },
	};
	struct unit_tree tree = unit_tree_read ("a 1, b 2, c 3, d 4, e 4, f 3, g 2, h 1");
	const struct fathom_settings settings = unit_settings (policy, NULL);
	const struct replay_scope same = { .policy = policy, .settings = settings };
	const struct replay_scope scope[] = { same, same };
	struct unit_random random = { 5 };
	struct replay_rules rules = {
		.policy = policy, .settings = settings, .cpus = 16, .calc_period = 300,
		.scheduler = &replay_scheduler_none, .half_life = 86400,
		.started = note_start, .partition = partition, .partition_count = 3,
		.group_cpus = size, .group_count = 2, .scope_of_group = scope_of_group,
		.scope = scope, .scope_count = 2,
	};

	for (int round = 0; round < ROUNDS; round++) {
		struct replay_job job[JOBS];
		struct start lsf, start;

		make_jobs (job, &random);
		run (job, &rules, HOST_RULE_FREE, tree.tree, &lsf);
		for (size_t rule = 0; rule < 3; rule++) {
			run (job, &rules, (enum host_rule)rule, tree.tree, &start);
			compare (&agreement[rule], job, &lsf, &start);
		}
	}
}

TEST_EACH (host_rules_start_jobs_as_lsf_does, policies)
{
	double percent[3] = { 0 };

	for (size_t i = 0; i < COUNT (sizes); i++) {
		struct agreement agreement[3] = { { 0 } };

		measure (fathom_policy_find (policies[_i].policy), sizes[i], agreement);
		for (size_t rule = 0; rule < 3; rule++)
			percent[rule] += 100. / COUNT (sizes) * (double)agreement[rule].same /
					 (double)agreement[rule].pairs;
	}
	for (size_t rule = 0; rule < 3; rule++)
		ck_assert_double_eq_tol (percent[rule], policies[_i].same[rule], .1);
}

/* Hosts of scope 1 are busy; those of scope 2 become free when user 1's job ends there, so that
 * user 2 goes first; a host of no scope is too small for both, and free all the time. */
TEST (free_hosts_in_no_scope_do_not_decide)
{
	static const uint32_t group[] = { 0, 1, 2 }, scope_of_group[] = { 1, 2, 0 };
	static const uint64_t size[] = { 4, 4, 1 };
	static const struct replay_partition partition[] = {
		{ .group = group, .group_count = 1, .scope = 1, .queue.partition_factor = 1 },
		{ .group = group + 1, .group_count = 1, .scope = 2, .queue.partition_factor = 1 },
		{ .group = group, .group_count = 3, .scope = 1, .queue.partition_factor = 1 },
	};
	static const struct replay_job job[] = {
		{ .number = 0, .run = 1000, .estimate = 1000, .billing = 4, .cpus = 4, .node = 2 },
		{ .number = 1, .run = 100, .estimate = 100, .billing = 4, .cpus = 4, .node = 1,
		  .partition = 1 },
		{ .number = 2, .submit = 1, .run = 100, .estimate = 100, .billing = 4, .cpus = 4,
		  .node = 1, .partition = BOTH },
		{ .number = 3, .submit = 2, .run = 100, .estimate = 100, .billing = 4, .cpus = 4,
		  .node = 2, .partition = BOTH },
	};
	struct unit_tree tree = unit_tree_read ("a 1, b 1");
	const struct fathom_policy *policy = fathom_policy_find ("classic");
	const struct replay_scope scope = { .policy = policy,
					    .settings = unit_settings (policy, NULL) };
	const struct replay_scope scopes[] = { scope, scope };
	struct start start;
	struct replay_rules rules = {
		.policy = policy, .settings = scope.settings, .cpus = 9, .calc_period = 10,
		.scheduler = &replay_scheduler_none, .half_life = 86400, .context = &start,
		.started = note_start, .partition = partition, .partition_count = 3,
		.group_cpus = size, .group_count = 3, .scope_of_group = scope_of_group,
		.scope = scopes, .scope_count = 2, .host_rule = HOST_RULE_FREE,
	};

	finished_replay (&rules, tree.tree, job, COUNT (job));
	ck_assert_double_eq (start.at[3], 100);
	ck_assert_double_eq (start.at[2], 200);
}
