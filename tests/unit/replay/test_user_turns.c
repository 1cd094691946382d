/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs of random cycles, against a dispatch that takes every turn. */
#include "../unit.h"

#include "replay/replay_private.h"

#include <math.h>

#define ACCOUNTS 4
#define MOST_USERS 12
#define MOST_JOBS 400
#define STEPS 15

struct cluster {
	struct unit_random random;
	struct fathom_tree *tree;
	struct fathom_settings settings;
	struct fathom_dispatch_tree given;
	size_t nodes;
	struct pending_queue all;
	uint32_t node[MOST_JOBS];
	struct user_turns turns;
	struct dispatch *dispatch;	/* of the cycle */
};

static uint32_t draw(struct cluster *cluster, uint32_t limit)
{
	return unit_random_below(&cluster->random, limit);
}

static uint32_t draw_user(struct cluster *cluster)
{
	uint32_t node;

	do
		node = draw(cluster, (uint32_t)cluster->nodes);
	while (fathom_tree_kind(cluster->tree, node) != FATHOM_USER);
	return node;
}

/* Users are below accounts, or the root. */
static void create(struct cluster *cluster, const char *setting)
{
	struct fathom_row row[1 + ACCOUNTS + MOST_USERS] = { { .id = 1, .is_root = true } };
	size_t accounts = 1 + draw(cluster, ACCOUNTS);
	const struct fathom_policy *policy = fathom_policy_find("lsf");

	cluster->nodes = 1 + accounts + 1 + draw(cluster, MOST_USERS - 1);
	for (size_t i = 1; i < cluster->nodes; i++)
		row[i] = (struct fathom_row){
			.id = (int64_t)i + 1, .kind = i > accounts ? FATHOM_USER : FATHOM_ACCOUNT,
			.parent_id = i > accounts ? 1 + draw(cluster, (uint32_t)accounts + 1) : 1,
			.raw_shares = 1 + draw(cluster, 3),
		};
	cluster->tree = fathom_tree_create(row, cluster->nodes, NULL);
	fathom_tree_settle(cluster->tree);
	cluster->settings = unit_settings(policy, setting);
	cluster->given = (struct fathom_dispatch_tree){ policy, &cluster->settings,
							cluster->tree };
	ck_assert(user_turns_suit(&cluster->given));
	user_turns_create(&cluster->turns, &cluster->given);
}

static void let_jobs_come(struct cluster *cluster)
{
	for (uint32_t left = draw(cluster, 40); left && cluster->all.count < MOST_JOBS; left--) {
		size_t place = cluster->all.count;
		const struct pending job = { .cpus = 1 + draw(cluster, 8), .sequence = place,
					     .estimate = 60 * draw(cluster, 5),
					     .limit = 60 * draw(cluster, 5), .slot = 1 };

		cluster->node[place] = draw_user(cluster);
		pending_queue_add(&cluster->all, &job);
		user_turns_add(&cluster->turns, cluster->node[place], &job, place);
	}
}

/* Begins a cycle of both, in which some users have running jobs. */
static void begin(struct cluster *cluster)
{
	user_turns_begin(&cluster->turns, &cluster->all);
	cluster->dispatch = dispatch_create(&cluster->given, NULL);
	for (uint32_t left = draw(cluster, 5); left; left--) {
		const struct fathom_holdings holdings = { .job_slots = 1 + draw(cluster, 4),
							  .run_time = draw(cluster, 7200) };
		uint32_t node = draw_user(cluster);

		user_turns_hold(&cluster->turns, node, &holdings);
		dispatch_hold(cluster->dispatch, node, &holdings);
	}
	for (uint32_t place = 0; place < cluster->all.count; place++) {
		const struct pending *job = &cluster->all.job[place];
		const struct fathom_pending_job pending = {
			.node = cluster->node[place], .slots = job->cpus,
			.time_limit = job->limit, .can_start = true,
		};

		if (job->slot != NO_SLOT)
			ck_assert_int_eq(dispatch_add(cluster->dispatch, &pending, place, false,
						      NULL), 0);
	}
}

static bool is_within(const struct pending *job, const struct pending_limits *limits)
{
	return job->cpus <= limits->cpus &&
	       (job->cpus <= limits->spare || job->estimate <= limits->estimate);
}

/* Takes turns until one is within the limits. */
static size_t search(struct cluster *cluster, const struct pending_limits *limits)
{
	uint32_t place;
	size_t node;

	do
		place = dispatch_next(cluster->dispatch, &node);
	while (place != DISPATCH_NO_JOB && !is_within(&cluster->all.job[place], limits));
	return place == DISPATCH_NO_JOB ? SIZE_MAX : place;
}

static void narrow(struct cluster *cluster, struct pending_limits *limits)
{
	if (!draw(cluster, 3))
		limits->cpus -= draw(cluster, 3);
	if (!draw(cluster, 3))
		limits->spare = fmin(limits->spare, limits->cpus - draw(cluster, 4));
	limits->estimate -= draw(cluster, 60);
}

/* Lets some jobs start. */
static void assert_cycle(struct cluster *cluster)
{
	struct pending_limits limits = { .cpus = 8, .spare = 8, .estimate = 300 };
	size_t place = 0;

	for (uint32_t left = 1 + draw(cluster, 30); left && place != SIZE_MAX; left--) {
		place = user_turns_next(&cluster->turns, &limits);
		ck_assert_uint_eq(place, search(cluster, &limits));
		if (place != SIZE_MAX && draw(cluster, 2))
			pending_queue_mark(&cluster->all, place);
		narrow(cluster, &limits);
	}
}

/* As if they had been listed by a scheduler that knows nothing of them. */
static void list_anew(struct cluster *cluster)
{
	user_turns_clear(&cluster->turns);
	for (size_t place = 0; place < cluster->all.count; place++)
		if (cluster->all.job[place].slot != NO_SLOT)
			user_turns_add(&cluster->turns, cluster->node[place],
				       &cluster->all.job[place], place);
}

static const char *const settings[] = { NULL, "run_time_factor=0", "committed_run_time_factor=1",
					"run_job_factor=0" };

TEST_LOOP(jobs_within_limits_go_as_if_each_turn_were_taken, suite_rounds(400))
{
	struct cluster cluster = { .random = { (uint64_t)_i } };

	create(&cluster, settings[_i % 4]);
	for (int step = 0; step < STEPS; step++) {
		let_jobs_come(&cluster);
		begin(&cluster);
		assert_cycle(&cluster);
		dispatch_destroy(cluster.dispatch);
		if (!draw(&cluster, 6))
			list_anew(&cluster);
	}
	fathom_tree_destroy(cluster.tree);
}

/* A user three levels below the root, one with its account's shares, one who may not start. */
TEST_LOOP(other_trees_are_not_taken, 3)
{
	const struct fathom_policy *policy = fathom_policy_find("lsf");
	const struct fathom_settings standard = unit_settings(policy, NULL);
	const struct fathom_row row[] = {
		{ .id = 1, .is_root = true }, { .id = 2, .parent_id = 1, .raw_shares = 1 },
		{ .id = 3, .parent_id = 2, .raw_shares = 1 },
		{ .id = 4, .parent_id = _i ? 2 : 3, .kind = FATHOM_USER,
		  .raw_shares = _i == 1 ? FATHOM_SHARES_PARENT : _i == 2 ? 0 : 1 },
	};
	struct fathom_tree *tree = fathom_tree_create(row, 4, NULL);

	fathom_tree_settle(tree);
	ck_assert(!user_turns_suit(&(struct fathom_dispatch_tree){ policy, &standard, tree }));
	fathom_tree_destroy(tree);
}
