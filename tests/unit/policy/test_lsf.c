/* SPDX-License-Identifier: GPL-2.0-or-later */
/* semantics.md section 6: LSF's dynamic share priority. */
#include "../unit.h"

#define HOUR 3600.

/* ---- the formula --------------------------------------------------------------- */

/* What the jobs of one node use and hold, as bhpart prints it: slots, seconds. */
struct held {
	const char *name;
	double slots, cpu, run, hist, committed, adjustment;
};

static void hold(struct unit_tree *given, const struct held *held)
{
	const double amount[] = {
		[FATHOM_CPU_TIME] = held->cpu,
		[FATHOM_RUN_TIME] = held->run,
		[FATHOM_HIST_RUN_TIME] = held->hist,
		[FATHOM_COMMITTED_RUN_TIME] = held->committed,
		[FATHOM_JOB_SLOTS] = held->slots,
		[FATHOM_ADJUSTMENT] = held->adjustment,
		[FATHOM_RESERVED_SLOTS] = 0,
	};
	size_t node = unit_node(given, held->name);

	for (size_t i = 0; i < fathom_resource_count(); i++)
		ck_assert_int_eq(fathom_tree_set_own_resource(given->tree, node,
							      (enum fathom_resource)i, amount[i],
							      NULL),
				 0);
	fathom_tree_settle(given->tree);
}

static const char *const all_0[] = {
	"cpu_time_factor=0", "run_time_factor=0", "run_job_factor=0",
	"committed_run_time_factor=0", "fairshare_adjustment_factor=0", NULL,
};
static const char *const hist[] = { "enable_hist_run_time=yes", NULL };
static const char *const committed[] = { "committed_run_time_factor=0.5", NULL };
static const char *const adjusted[] = { "fairshare_adjustment_factor=2", NULL };
static const char *const run_alone[] = {
	"cpu_time_factor=0", "run_job_factor=0", "run_time_factor=1", NULL,
};
static const char *const run_and_hist[] = {
	"cpu_time_factor=0", "run_job_factor=0", "run_time_factor=1", "enable_hist_run_time=1",
	NULL,
};
static const char *const committed_alone[] = {
	"cpu_time_factor=0", "run_job_factor=0", "run_time_factor=1", "committed_run_time_factor=1",
	NULL,
};
static const char *const hist_and_committed[] = {
	"cpu_time_factor=0", "run_job_factor=0", "run_time_factor=1", "enable_hist_run_time=1",
	"committed_run_time_factor=0.5", NULL,
};
static const char *const unused_here[] = { "hist_hours=1", "run_time_decay=yes", NULL };
static const char *const huge[] = {
	"cpu_time_factor=1e300", "fairshare_adjustment_factor=1e300", NULL,
};

static struct fathom_result *evaluate(const struct fathom_tree *tree, const char *const *sets)
{
	const struct fathom_policy *policy = fathom_policy_find("lsf");
	struct fathom_result *result = unit_evaluate(tree, "lsf", NULL);
	struct fathom_settings settings = fathom_settings_standard(policy);
	struct fathom_error error = { 0 };

	for (; sets && *sets; sets++) {
		const char *value = strchr(*sets, '=') + 1;
		char name[64];

		snprintf(name, sizeof(name), "%.*s", (int)(value - 1 - *sets), *sets);
		ck_assert_msg(!fathom_settings_set(policy, &settings, name, value, &error),
			      "%s: %s",
			      *sets, error.text);
	}
	fathom_evaluate(result, tree, &settings);
	return result;
}

static const struct {
	const char *what;
	uint32_t shares;
	struct held held;
	const char *const *sets;
	double priority;
} vectors[] = {
	{ "L1, bhpart, group1", 100, { "u", 5, 200, 1324, 0, 0, 0 }, NULL, 5.465575981 },
	{ "L1, bqueues, user1", 100, { "u", 2, .2, 7034, 0, 0, 0 }, NULL, 9.645283965 },
	{ "L1, bhpart -r, group1", 40, { "u", 5, 48.4, 17618, 0, 0, 0 }, NULL, 1.866095227 },
	{ "L1, group2", 20, { "u", 6, 607.7, 24664, 0, 0, 0 }, NULL, 0.771785329 },
	{ "L1, group2/user1", 8, { "u", 1, 9.6, 5108, 0, 0, 0 }, NULL, 1.143659520 },
	{ "L1, group2/user2", 2, { "u", 0, 0, 0, 0, 0, 0 }, NULL, 0.666666667 },
	{ "L1, group2/others", 1, { "u", 5, 598.1, 19556, 0, 0, 0 }, NULL, 0.045622826 },
	{ "L2", 10, { "u", 1, HOUR, 2 * HOUR, HOUR, 0, 0 }, NULL, 1.234567901 },
	{ "L3", 10, { "u", 1, HOUR, 2 * HOUR, HOUR, 0, 0 }, hist, 1.136363636 },
	{ "L4", 10, { "u", 1, 0, HOUR / 2, 0, HOUR, 0 }, committed, 1.515151515 },
	{ "L5", 10, { "u", 0, 0, 0, 0, 0, 2.5 }, adjusted, 1.25 },
	{ "no adjustment by default", 10, { "u", 0, 0, 0, 0, 0, 2.5 }, NULL, 3.333333333 },
	{ "L6, static priority", 7, { "u", 3, 100, 100, 0, 0, 0 }, all_0, 700 },
	{ "L7", 1, { "u", 0, 0, 0, 0, 0, 0 }, NULL, 0.333333333 },
	{ "L7", 2, { "u", 0, 0, 0, 0, 0, 0 }, NULL, 0.666666667 },
	{ "L7", 10, { "u", 0, 0, 0, 0, 0, 0 }, NULL, 3.333333333 },
	/* the document's example of historical run time: one hour run, two ago */
	{ "without it, as soon as the job ends", 3, { "u", 0, 0, 0, HOUR, 0, 0 }, run_alone, 300 },
	{ "with it", 3, { "u", 0, 0, 0, HOUR, 0, 0 }, run_and_hist, 3 },
	/* and that of committed run time: four hours asked for */
	{ "at once", 4, { "u", 1, 0, 0, 0, 4 * HOUR, 0 }, committed_alone, 1 },
	{ "until the end", 4, { "u", 1, 0, 3 * HOUR, 0, 4 * HOUR, 0 }, committed_alone, 1 },
	{ "without a limit", 4, { "u", 1, 0, 3 * HOUR, 0, 3 * HOUR, 0 }, committed_alone, 4 / 3. },
	{ "beyond its limit", 4, { "u", 1, 0, 3 * HOUR, 0, 0, 0 }, committed_alone, 400 },
	{ "finished jobs take nothing from it", 10, { "u", 1, 0, HOUR, 2 * HOUR, 5 * HOUR, 0 },
	  hist_and_committed, 2 },
	{ "below a hundredth", 3, { "u", 0, 0, HOUR / 200, 0, 0, 0 }, run_alone, 300 },
	{ "just above it", 3, { "u", 0, 0, HOUR / 80, 0, 0, 0 }, run_alone, 240 },
	{ "no shares", 0, { "u", 0, 0, 0, 0, 0, 0 }, NULL, 0 },
	{ "no shares, static", 0, { "u", 0, 0, 0, 0, 0, 0 }, all_0, 0 },
	{ "greatest share", FATHOM_SHARES_PARENT - 1, { "u", 0, 0, 0, 0, 0, 0 }, all_0,
	  429496729400. },
	{ "adjustment below 0", 1, { "u", 0, 0, 0, 0, 0, -7 }, adjusted, 100 },
	{ "times that have decayed", 10, { "u", 1, HOUR, 2 * HOUR, HOUR, 0, 0 }, unused_here,
	  1.234567901 },
	{ "out of range", 1, { "u", 0, 1e300, 0, 0, 0, 0 }, huge, 0 },
	{ "out of range on both sides", 1, { "u", 0, 1e300, 0, 0, 0, -1e300 }, huge, 100 },
};

TEST_EACH(priority_is_shares_over_consumption, vectors)
{
	char text[32];
	struct unit_tree given;
	struct fathom_result *result;
	double priority;

	snprintf(text, sizeof(text), "u %u", vectors[_i].shares);
	given = unit_tree_read(text);
	hold(&given, &vectors[_i].held);
	result = evaluate(given.tree, vectors[_i].sets);
	priority = unit_column(result, "lsf", "dynamic_priority")[1];
	ck_assert_msg(fabs(priority - vectors[_i].priority) <= UNIT_TOLERANCE,
		      "%s: %.12g, must be %.12g", vectors[_i].what, priority, vectors[_i].priority);
}

TEST(static_priority_is_just_100_times_the_shares)
{
	for (uint32_t shares = 1; shares < 100000; shares += 7) {
		char text[32];
		struct unit_tree given;
		struct fathom_result *result;

		snprintf(text, sizeof(text), "u %u", shares);
		given = unit_tree_read(text);
		result = evaluate(given.tree, all_0);
		ck_assert(unit_column(result, "lsf", "dynamic_priority")[1] == 100. * shares);
	}
}

/* ---- trees ------------------------------------------------------------------------ */

#define MOST_HELD 8
#define MOST_NODES 8

/* order 0: an account, which has none */
static const struct {
	const char *what, *tree;
	struct held held[MOST_HELD];
	const char *const *sets;
	struct { const char *name; double priority, order, norm_shares; } node[MOST_NODES];
} trees[] = {
	{ "L8", "g1 40 (a1 1), g2 20 (user1 8, user2 2, others 1)",
	  { { "a1", 5, 48.4, 17618, 0, 0, 0 }, { "user1", 1, 9.6, 5108, 0, 0, 0 },
	    { "others", 5, 598.1, 19556, 0, 0, 0 } }, NULL,
	  { { "g1", 1.866095227, 0, 40 / 60. }, { "g2", 0.771785329, 0, 20 / 60. },
	    { "a1", 0.046652381, 1, 40 / 60. }, { "user1", 1.143659520, 2, 160 / 660. },
	    { "user2", 0.666666667, 3, 40 / 660. }, { "others", 0.045622826, 4, 20 / 660. } } },
	{ "L7, equal siblings tie", "a 1, b 2, c 2, d 10", { { 0 } }, NULL,
	  { { "a", 0.333333333, 4, 1 / 15. }, { "b", 0.666666667, 2, 2 / 15. },
	    { "c", 0.666666667, 2, 2 / 15. }, { "d", 3.333333333, 1, 10 / 15. } } },
	{ "usage stands for run time", "a 1/3600, b 1", { { 0 } }, NULL,
	  { { "a", 0.270270270, 2, .5 }, { "b", 0.333333333, 1, .5 } } },
	{ "but not beside run time, be it 0", "a 1/3600, b 1", { { "b", 0, 0, 0, 0, 0, 0 } }, NULL,
	  { { "a", 0.333333333, 1, .5 }, { "b", 0.333333333, 1, .5 } } },
	{ "chargeback", "eng_users 7, acct_users 3",
	  { { "eng_users", 7, 0, 0, 0, 0, 0 }, { "acct_users", 2, 0, 0, 0, 0, 0 } }, NULL,
	  { { "eng_users", 7 / 24., 2, .7 }, { "acct_users", 3 / 9., 1, .3 } } },
	{ "equal share", "u1 1, u2 1, u3 1",
	  { { "u1", 2, 0, 0, 0, 0, 0 }, { "u2", 1, 0, 0, 0, 0, 0 } }, NULL,
	  { { "u1", 1 / 9., 3, 1 / 3. }, { "u2", 1 / 6., 2, 1 / 3. },
	    { "u3", 1 / 3., 1, 1 / 3. } } },
	{ "priority user", "key1 2000, key2 2000, others 1", { { "key1", 100, 0, 0, 0, 0, 0 } },
	  NULL,
	  { { "key1", 6.600660066, 2, 2000 / 4001. }, { "key2", 666.666666667, 1, 2000 / 4001. },
	    { "others", 0.333333333, 3, 1 / 4001. } } },
	{ "static priority: who has most shares, whatever is used", "a 1, b 3, c 2",
	  { { "b", 100, 1e6, 1e6, 0, 0, 0 } }, all_0,
	  { { "a", 100, 3, 1 / 6. }, { "b", 300, 1, .5 }, { "c", 200, 2, 2 / 6. } } },
	{ "global: group@ and group on one level", "m1 3, m2 3, groupB 7, u 1",
	  { { "groupB", 6, 0, 0, 0, 0, 0 } }, NULL,
	  { { "m1", 1, 1, 3 / 14. }, { "m2", 1, 1, 3 / 14. }, { "groupB", 7 / 21., 3, .5 },
	    { "u", 1 / 3., 3, 1 / 14. } } },
	{ "resizable jobs: a larger one lowers its user at once", "a 1, b 1",
	  { { "a", 8, 0, 0, 0, 0, 0 }, { "b", 4, 0, 0, 0, 0, 0 } }, NULL,
	  { { "a", 1 / 27., 2, .5 }, { "b", 1 / 15., 1, .5 } } },
	{ "and one that has shrunk raises it", "a 1, b 1",
	  { { "a", 2, 0, 0, 0, 0, 0 }, { "b", 4, 0, 0, 0, 0, 0 } }, NULL,
	  { { "a", 1 / 9., 1, .5 }, { "b", 1 / 15., 2, .5 } } },
	{ "an account comes whole, whoever is in it",
	  "A 50 (a1 1 (x 1), a2 9 (y 1)), B 40 (z 1000)", { { "x", 4, 0, 0, 0, 0, 0 } }, all_0,
	  { { "x", 100, 2, .05 * 100 / 90 }, { "y", 100, 1, .45 * 100 / 90 },
	    { "z", 100000, 3, 40 / 90. },
	    { "A", 5000, 0, 50 / 90. } } },
	{ "what deleted users hold counts for their account", "A 1 (a 1), b 1",
	  { { "A", 1, 0, 0, 0, 0, 0 }, { "a", 1, 0, 0, 0, 0, 0 }, { "b", 1, 0, 0, 0, 0, 0 } }, NULL,
	  { { "A", 1 / 9., 0, .5 }, { "a", 1 / 6., 2, .5 }, { "b", 1 / 6., 1, .5 } } },
	{ "\"parent\": children one level up, users with their account's priority",
	  "A 6 (P parent (a 1), q parent, b 2), z parent, c 0", { { "a", 1, 0, 0, 0, 0, 0 } }, NULL,
	  { { "P", NAN, 0, 1 }, { "a", 1 / 6., 3, 1 / 3. }, { "q", 1, 1, 1 },
	    { "b", 2 / 3., 2, 2 / 3. },
	    { "z", 1 / 6., 4, 1 }, { "c", 0, 5, 0 }, { "A", 1, 0, 1 } } },
	{ "accounts that tie: their best users tie, all stand before a worse account",
	  "A 2 (a1 1, a2 2), B 2 (b 1), C 1 (c 1)", { { 0 } }, NULL,
	  { { "a1", 1 / 3., 2, .4 * 1 / 3 }, { "a2", 2 / 3., 1, .4 * 2 / 3 },
	    { "b", 1 / 3., 1, .4 }, { "c", 1 / 3., 4, .2 } } },
	{ "a group without shares inside is one tie", "G 2 (x parent, y parent, z parent), u 1",
	  { { "y", 3, 0, 0, 0, 0, 0 } }, NULL,
	  { { "x", 2 / 12., 2, 2 / 3. }, { "y", 2 / 12., 2, 2 / 3. }, { "z", 2 / 12., 2, 2 / 3. },
	    { "u", 1 / 3., 1, 1 / 3. } } },
	{ "priorities an ulp apart tie, in runs of neighbours", "a 1, b 1, c 1, d 1",
	  { { "a", 0, 1000, 0, 0, 0, 0 }, { "b", 0, 1000 + 12e-9, 0, 0, 0, 0 },
	    { "c", 0, 1000 + 24e-9, 0, 0, 0, 0 }, { "d", 0, 1001, 0, 0, 0, 0 } }, NULL,
	  { { "a", 0.313043478, 1, .25 }, { "b", 0.313043478, 1, .25 },
	    { "c", 0.313043478, 1, .25 }, { "d", 0.313024425, 4, .25 } } },
	{ "empty accounts", "E 9 (), A 1 (F 1 ()), u 2", { { 0 } }, NULL,
	  { { "u", 2 / 3., 1, 2 / 12. }, { "E", 3, 0, 9 / 12. }, { "F", 1 / 3., 0, 1 / 12. } } },
};

TEST_EACH(best_sibling_goes_first_with_all_below_it, trees)
{
	struct unit_tree given = unit_tree_read(trees[_i].tree);
	const struct held *held = trees[_i].held;
	struct fathom_result *result;

	for (; held->name; held++)
		hold(&given, held);
	result = evaluate(given.tree, trees[_i].sets);
	for (size_t i = 0; i < MOST_NODES && trees[_i].node[i].name; i++) {
		const char *name = trees[_i].node[i].name;
		size_t node = unit_node(&given, name);
		double order = trees[_i].node[i].order, users;

		users = (double)fathom_tree_user_count(given.tree);
		unit_assert_near(unit_column(result, "lsf", "dynamic_priority")[node],
				 trees[_i].node[i].priority, trees[_i].what, name);
		unit_assert_near(unit_column(result, "lsf", "order")[node], order ? order : NAN,
				 "order", name);
		unit_assert_near(fathom_result_factor(result)[node],
				 order ? (users - order + 1) / users : NAN, "factor", name);
		unit_assert_near(fathom_result_norm_shares(result)[node],
				 trees[_i].node[i].norm_shares, "S", name);
		unit_assert_near(fathom_result_effective_usage(result)[node], 0, "U_E", name);
	}
}

/* .50 x .80 x .25 = .10 and .80 x .20 x .25 = .04, the document's importance */
TEST(importance_is_the_product_of_shares_on_every_level)
{
	struct unit_tree given = unit_tree_read("Dev 50 (Sys 80 (User1 25, x 75), App 20), o 50");
	struct unit_tree other =
		unit_tree_read("Res 80 (ChipX 80, ChipY 20 (User3 25, y 75)), o 20");

	unit_assert_near(fathom_tree_norm_shares(given.tree, unit_node(&given, "User1")), .1, "S",
			 "User1");
	unit_assert_near(fathom_tree_norm_shares(other.tree, unit_node(&other, "User3")), .04, "S",
			 "User3");
}

/* ---- HIST_HOURS -------------------------------------------------------------------- */

static const struct { double hist_hours, hours, left, running; } decays[] = {
	{ 5, 1, 0.630957344, 0.801365944 }, { 5, 2.5, 0.316227766, 1.484792540 },
	{ 5, 5, 0.1, 1.954325169 },	    { 5, 10, 0.01, 2.149757685 },
	{ 0, 10, 1, 10 },
};

TEST_EACH(an_hour_is_a_tenth_after_hist_hours, decays)
{
	double half_life = fathom_hist_half_life(decays[_i].hist_hours);
	double seconds = decays[_i].hours * HOUR;

	ck_assert_double_eq_tol(fathom_decay(seconds, half_life), decays[_i].left, UNIT_TOLERANCE);
	ck_assert_double_eq_tol(fathom_decayed_seconds(0, seconds, seconds, half_life) / HOUR,
				decays[_i].running, UNIT_TOLERANCE);
	ck_assert_double_eq_tol(fathom_hist_half_life(5) / HOUR, 1.505149978, UNIT_TOLERANCE);
}

/* ---- adjustment ------------------------------------------------------------------- */

static const struct { double slots, memory, slot_memory, threshold, adjustment; } adjustments[] = {
	{ 1, 4, 4, 1, 2 },	/* as much as a slot has: just 1 + slots */
	{ 4, 16, 4, 1, 5 },
	{ 1, 32, 4, 1, 16 },	/* one slot with the memory of eight */
	{ 1, 32, 4, 2, 8 },
	{ 2, 32, 4, .5, 24 },
	{ 0, 0, 4, 1, 0 },	/* nothing runs: not 0 / 0 */
	{ 0, 8, 4, 1, 0 },
	{ 1, 4, 0, 1, 0 },
	{ 1, 4, 4, 0, 0 },
};

TEST_EACH(memory_beyond_the_slots_own_is_held_against_a_user, adjustments)
{
	struct fathom_adjustment_input input = {
		.job_slots = adjustments[_i].slots, .memory = adjustments[_i].memory,
		.slot_memory = adjustments[_i].slot_memory,
	};

	ck_assert_double_eq_tol(fathom_adjust_memory(&input, &adjustments[_i].threshold),
				adjustments[_i].adjustment, UNIT_TOLERANCE);
}

/* A site's own. */
static double tell(const struct fathom_adjustment_input *input, const void *context)
{
	ck_assert_ptr_null(context);
	if (input->job_slots == 9)
		return INFINITY;
	return input->cpu_time + 10 * input->run_time + 100 * input->hist_run_time +
	       1000 * input->committed_run_time + 1e4 * input->job_slots + 1e5 * input->memory +
	       1e6 * input->slot_memory + 1e7 * input->cluster_memory;
}

TEST(adjustment_is_asked_for_each_nodes_sums)
{
	struct unit_tree given = unit_tree_read("A 1 (a 1, b 1), c 1/7");
	const struct held a = { "a", 5, 1, 2, 3, 4, 77 }, b = { "b", 1, 1, 1, 1, 1, 77 },
			  c = { "c", 9, 0, 0, 0, 0, 77 };
	const struct fathom_cluster_memory cluster = { .in_use = 8, .of_slot = 7 };
	size_t of_a = unit_node(&given, "a"), of_account = unit_node(&given, "A");

	hold(&given, &a);
	hold(&given, &b);
	hold(&given, &c);
	ck_assert(!fathom_tree_set_own_resource(given.tree, of_a, FATHOM_MEMORY, 6, NULL));
	fathom_tree_settle(given.tree);
	ck_assert(!fathom_tree_adjust(given.tree, tell, NULL, &cluster, NULL));
	ck_assert(fathom_tree_resource(given.tree, of_a, FATHOM_ADJUSTMENT) == 87654321);
	ck_assert(fathom_tree_resource(given.tree, of_account, FATHOM_ADJUSTMENT) == 87665432);
	ck_assert(fathom_tree_resource(given.tree, unit_node(&given, "c"), FATHOM_ADJUSTMENT) == 0);
	fathom_tree_settle(given.tree);
	ck_assert(fathom_tree_resource(given.tree, of_account, FATHOM_ADJUSTMENT) == 2 * 77);
}

TEST(usage_is_the_run_time_that_a_site_is_told)
{
	const struct fathom_cluster_memory unknown = { 0 };
	struct unit_tree given = unit_tree_read("A 1 (a 1/7)");

	ck_assert(!fathom_tree_adjust(given.tree, tell, NULL, &unknown, NULL));
	ck_assert(fathom_tree_resource(given.tree, unit_node(&given, "A"),
				       FATHOM_ADJUSTMENT) == 70);
}

/* Two users with a slot each; one's job takes the memory of eight. */
TEST(user_of_much_memory_goes_behind)
{
	const double threshold = 1;
	struct unit_tree given = unit_tree_read("a 1, b 1");
	const struct held a = { "a", 1, 0, 0, 0, 0, 0 }, b = { "b", 1, 0, 0, 0, 0, 0 };
	struct fathom_result *result;

	hold(&given, &a);
	hold(&given, &b);
	fathom_tree_set_own_resource(given.tree, 1, FATHOM_MEMORY, 32, NULL);
	fathom_tree_set_own_resource(given.tree, 2, FATHOM_MEMORY, 4, NULL);
	fathom_tree_settle(given.tree);
	ck_assert(!fathom_tree_adjust(given.tree, fathom_adjust_memory, &threshold,
				      &(struct fathom_cluster_memory){ .of_slot = 4 }, NULL));
	result = evaluate(given.tree, adjusted);
	unit_assert_near(unit_column(result, "lsf", "dynamic_priority")[1], 1 / 38., "priority",
			 "a");
	unit_assert_near(unit_column(result, "lsf", "dynamic_priority")[2], 1 / 10., "priority",
			 "b");
	ck_assert(unit_column(result, "lsf", "order")[1] == 2);
}

/* ---- no shares, no jobs -------------------------------------------------------------- */

#define NO_SHARES "A 1 (a 1/9, z 0/0, p parent), Z 0 (b 1/0, q parent), c 2"

static const struct { const char *policy, *setting, *node; bool may_run; } starts[] = {
	{ "lsf", NULL, "a", true }, { "lsf", NULL, "c", true }, { "lsf", NULL, "p", true },
	{ "lsf", NULL, "z", false },
	{ "lsf", NULL, "b", false }, { "lsf", NULL, "q", false },	/* nor has the group */
	{ "pbs", NULL, "a", true }, { "pbs", NULL, "z", false }, { "pbs", NULL, "b", false },
	{ "pbs", "fairshare_enforce_no_shares=no", "z", true },
	{ "classic", NULL, "z", true }, { "fair-tree", NULL, "z", true },
	{ "flux", NULL, "z", true }, { "depth-oblivious", NULL, "b", true },
};

TEST_EACH(jobs_of_who_has_no_shares_never_start, starts)
{
	struct unit_tree given = unit_tree_read(NO_SHARES);
	struct fathom_result *result =
		unit_evaluate(given.tree, starts[_i].policy, starts[_i].setting);
	struct fathom_settings settings =
		unit_settings(fathom_policy_find(starts[_i].policy), starts[_i].setting);

	ck_assert_msg(fathom_result_may_run(result, &settings,
					    unit_node(&given, starts[_i].node)) ==
			      starts[_i].may_run, "%s: %s", starts[_i].policy, starts[_i].node);
}
