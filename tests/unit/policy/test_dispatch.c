/* SPDX-License-Identifier: GPL-2.0-or-later */
/* semantics.md sections 6.3 and 6.5: the place at which LSF would dispatch each pending job. */
#include "../unit.h"

#include "policy/dispatch.h"

#include <ctype.h>

#define MOST_JOBS 64

/* ---- vectors of one tree ---------------------------------------------------------- */

/* jobs: "NAME[/NAME...]*COUNT[:SLOTS][!]", in queue order; a user has several names if the job
 * may count at several nodes, and the name - if it has none; !: cannot start. */
static const struct {
	const char *what, *tree, *sets, *jobs;
	size_t place[MOST_JOBS];	/* in queue order */
	const char *counted_at;		/* in queue order; NULL: where the user is */
} vectors[] = {
	{ "L9, slots go round among equal users", "u1 1, u2 1, u3 1", NULL, "u1*5 u2*5 u3*5",
	  { 1, 4, 7, 10, 13, 2, 5, 8, 11, 14, 3, 6, 9, 12, 15 }, NULL },
	{ "L10, of equal priorities the first job goes first", "u1 2, u2 1", NULL, "u1*6 u2*3",
	  { 1, 2, 4, 5, 7, 8, 3, 6, 9 }, NULL },
	{ "L11, a dispatch changes nothing", "u1 1, u2 1", "run_job_factor=0", "u1*2 u2*2",
	  { 1, 2, 3, 4 }, NULL },
	{ "L12, account by account", "gA 1 (a1 1, a2 1), gB 1 (b1 1)", NULL, "a1*2 a2*2 b1*4",
	  { 1, 5, 3, 7, 2, 4, 6, 8 }, NULL },
	{ "a job with more slots sets its user back further", "u1 1, u2 1", NULL,
	  "u1*2:3 u2*4", { 1, 5, 2, 3, 4, 6 }, NULL },
	{ "committed run time counts where its factor does", "u1 1, u2 1",
	  "committed_run_time_factor=1", "u1*2:1:36000 u2*4:1:0", { 1, 6, 2, 3, 4, 5 }, NULL },
	{ "and nowhere else", "u1 1, u2 1", NULL, "u1*2:1:36000 u2*4:1:0",
	  { 1, 3, 2, 4, 5, 6 }, NULL },
	{ "users without shares of their own are served first come, first served",
	  "G 2 (x parent, y parent), u 1", NULL, "x*2 y*1 u*2 x*1", { 1, 2, 4, 3, 5, 6 }, NULL },
	{ "they share the slots of their account with its other users",
	  "G 2 (x parent, y parent, z 1)", NULL, "x*2 z*2 y*1", { 1, 2, 3, 4, 5 }, NULL },
	{ "users of the root with its shares", "x parent, y parent, u 1", NULL, "y*1 x*1 u*2",
	  { 1, 4, 2, 3 }, NULL },
	{ "members of a transparent account compete one level up", "P parent (a 1, b 1), c 1", NULL,
	  "a*2 b*2 c*2", { 1, 4, 2, 5, 3, 6 }, NULL },
	{ "jobs that cannot start come behind, as if added last", "u1 1, u2 1", NULL,
	  "u1*2! u2*2 u1*1", { 4, 5, 1, 3, 2 }, NULL },
	{ "jobs of users without shares never start", "u1 0, u2 1, G 0 (g 1)", NULL,
	  "u1*1 g*1 u2*3", { 4, 5, 1, 2, 3 }, NULL },
	{ "of a user's nodes the best one counts, here the first", "a 2, b 1, c 1", NULL,
	  "a/b*3 c*1", { 1, 2, 3, 4 }, "a a b c" },
	{ "and each dispatch may make another one the best", "a 1, b 1", NULL, "a/b*4",
	  { 1, 2, 3, 4 }, "a b a b" },
	{ "a job that was dispatched at one node waits at no other",
	  "G 1 (a 1), H 1 (b 1), c 1", NULL, "a/b*2 c*1 a*1 b*1", { 1, 2, 3, 4, 5 }, "a b c a b" },
	{ "of three nodes", "a 1, b 1, c 1, u 4", NULL, "a/b/c*4 u*4", { 4, 5, 6, 8, 1, 2, 3, 7 },
	  "a b c a u u u u" },
	{ "a job of one of them only", "a 9, b 1, c 1", NULL, "b*2 c*2", { 1, 3, 2, 4 },
	  "b b c c" },
	{ "others keep the order of the queue", "o 1, u 1", NULL, "o*1 u*1 o*1 u*1",
	  { 1, 2, 3, 4 }, "o u o u" },
	{ "jobs without a node come last", "u1 1", NULL, "-*1 u1*1! -*1! u1*1", { 3, 2, 4, 1 },
	  "- u1 - u1" },
	{ "one job", "u1 1", NULL, "u1*1", { 1 }, NULL },
	{ "no jobs", "u1 1", NULL, "", { 0 }, NULL },
};

/* Reads "NAME/NAME...", or "-", into the job's nodes. */
static void read_nodes(const struct unit_tree *given, char *names, struct fathom_pending_job *job)
{
	static uint32_t other[MOST_JOBS][4];
	static size_t used;
	uint32_t *node = other[used++ % MOST_JOBS];

	job->other_node = node;
	for (char *name = strtok(names, "/"); name; name = strtok(NULL, "/")) {
		size_t found = *name == '-' ? FATHOM_NO_NODE : unit_node(given, name);

		if (name == names)
			job->node = found;
		else
			node[job->other_count++] = (uint32_t)found;
	}
}

static size_t read_jobs(const struct unit_tree *given, const char *text,
			struct fathom_pending_job *job)
{
	size_t count = 0;

	for (; *text; text += strcspn(text, " ") + (text[strcspn(text, " ")] != 0)) {
		char name[16] = "";
		unsigned times;
		double slots = 1, limit = -1;
		bool held = text[strcspn(text, " !")] == '!';

		ck_assert_int_ge(sscanf(text, "%15[^*]*%u:%lf:%lf", name, &times, &slots, &limit),
				 2);
		job[count] = (struct fathom_pending_job){
			.slots = slots, .time_limit = limit, .can_start = !held,
		};
		read_nodes(given, name, &job[count]);
		for (unsigned i = 1; i < times; i++)
			job[count + i] = job[count];
		count += times;
	}
	return count;
}

static const struct fathom_served_queue one_queue = { 1, true, FATHOM_NO_SET, false };

static struct fathom_pending_jobs pending_jobs(const struct fathom_dispatch_tree *tree,
					       const struct fathom_pending_job *job, size_t count)
{
	static const size_t first;

	return (struct fathom_pending_jobs){
		.tree = tree, .tree_count = 1, .queue = &one_queue, .tree_of = &first,
		.queue_count = 1, .job = job, .job_count = count,
	};
}

#define JOB(in_queue, of_node) \
	{ .queue = (in_queue), .node = (of_node), .slots = 1, .can_start = true }

/* names: of all jobs, or NULL: the job counts at `node`. */
static void assert_counted(const struct unit_tree *given, size_t counted_at, const char *names,
			   size_t job, size_t node)
{
	char name[16] = "";

	for (size_t i = 0; names && i <= job; i++, names += strcspn(names, " ") + (i <= job))
		ck_assert_int_eq(sscanf(names, "%15s", name), 1);
	if (*name)
		node = *name == '-' ? FATHOM_NO_NODE : unit_node(given, name);
	ck_assert_msg(counted_at == node, "job %zu counts at node %zu, not %zu", job, counted_at,
		      node);
}

TEST_EACH(next_job_is_that_of_the_best_user, vectors)
{
	struct unit_tree given = unit_tree_read(vectors[_i].tree);
	const struct fathom_policy *policy = fathom_policy_find("lsf");
	struct fathom_settings settings = unit_settings(policy, vectors[_i].sets);
	const struct fathom_dispatch_tree tree = { policy, &settings, given.tree };
	struct fathom_pending_job job[MOST_JOBS];
	size_t place[MOST_JOBS], counted_at[MOST_JOBS];
	size_t count = read_jobs(&given, vectors[_i].jobs, job);
	struct fathom_pending_jobs jobs = pending_jobs(&tree, job, count);

	jobs.counted_at = counted_at;
	ck_assert_int_eq(fathom_dispatch_places(&jobs, place, NULL), 0);
	for (size_t i = 0; i < count; i++)
		ck_assert_msg(place[i] == vectors[_i].place[i],
			      "%s: job %zu has place %zu, not %zu", vectors[_i].what, i, place[i],
			      vectors[_i].place[i]);
	for (size_t i = 0; i < count; i++)
		assert_counted(&given, counted_at[i], vectors[_i].counted_at, i, job[i].node);
}

/* Who holds slots already begins further back. */
TEST(dispatch_begins_with_what_really_runs)
{
	struct unit_tree given = unit_tree_read("u1 1, u2 1");
	const struct fathom_policy *policy = fathom_policy_find("lsf");
	struct fathom_settings settings = unit_settings(policy, NULL);
	const struct fathom_dispatch_tree tree = { policy, &settings, given.tree };
	struct fathom_pending_job job[MOST_JOBS];
	size_t place[MOST_JOBS], count = read_jobs(&given, "u1*2 u2*3", job);
	const size_t expected[] = { 3, 5, 1, 2, 4 };
	struct fathom_pending_jobs jobs = pending_jobs(&tree, job, count);

	ck_assert(!fathom_tree_set_own_resource(given.tree, unit_node(&given, "u1"),
						FATHOM_JOB_SLOTS, 2, NULL));
	fathom_tree_settle(given.tree);
	ck_assert_int_eq(fathom_dispatch_places(&jobs, place, NULL), 0);
	for (size_t i = 0; i < count; i++)
		ck_assert_uint_eq(place[i], expected[i]);
}

/* ---- queues --------------------------------------------------------------------------- */

#define QUEUES 3
#define NONE FATHOM_NO_SET

/* Queues A, B, C of one priority; jobs by queue as submitted. All are of one user. */
static const struct {
	const char *what;
	struct fathom_served_queue queue[QUEUES];
	const char *submitted, *dispatched;
} orders[] = {
	{ "none is fair-share", { { 5, false, NONE, 0 }, { 5, false, NONE, 0 },
				  { 5, false, NONE, 0 } }, "CBABA", "CBABA" },
	{ "all are", { { 5, true, NONE, 0 }, { 5, true, NONE, 0 }, { 5, true, NONE, 0 } },
	  "CBABA", "AABBC" },
	{ "A and C are", { { 5, true, NONE, 0 }, { 5, false, NONE, 0 }, { 5, true, NONE, 0 } },
	  "CBABA", "AABBC" },
	{ "only B is", { { 5, false, NONE, 0 }, { 5, true, NONE, 0 }, { 5, false, NONE, 0 } },
	  "CBABA", "CAABB" },
	{ "a set, and a queue of higher priority",
	  { { 5, true, 0, 0 }, { 9, false, NONE, 0 }, { 6, true, 0, 0 } }, "CABAB", "BBCAA" },
	{ "jobs in small letters cannot start",
	  { { 5, true, NONE, 0 }, { 9, false, NONE, 0 }, { 5, false, NONE, 0 } },
	  "aCbAB", "BACba" },
	{ "jobs in digits have no node",
	  { { 5, true, NONE, 0 }, { 5, true, NONE, 0 }, { 5, true, NONE, 0 } },
	  "10aCB", "BCa01" },
};

TEST_EACH(queues_are_served_as_the_document_says, orders)
{
	struct unit_tree given = unit_tree_read("u 1");
	const struct fathom_policy *policy = fathom_policy_find("lsf");
	struct fathom_settings settings = unit_settings(policy, NULL);
	struct fathom_dispatch_tree tree[QUEUES];
	size_t tree_of[QUEUES], place[MOST_JOBS], count = strlen(orders[_i].submitted);
	struct fathom_pending_job job[MOST_JOBS];
	struct fathom_pending_jobs jobs = { tree, QUEUES, orders[_i].queue, tree_of, QUEUES,
					    job, count, NULL, NULL };
	char dispatched[MOST_JOBS] = "";

	for (size_t i = 0; i < QUEUES; i++) {
		const struct fathom_served_queue *queue = &orders[_i].queue[i];

		tree[i] = (struct fathom_dispatch_tree){ policy, &settings, given.tree };
		tree_of[i] = !queue->is_fairshare ? FATHOM_FIRST_COME :
			     queue->master != NONE ? queue->master : i;
	}
	for (size_t i = 0; i < count; i++) {
		int queue = orders[_i].submitted[i];

		job[i] = (struct fathom_pending_job){
			.queue = isdigit(queue) ? (size_t)(queue - '0')
						: (size_t)(toupper(queue) - 'A'),
			.node = isdigit(queue) ? FATHOM_NO_NODE : 1, .slots = 1,
			.can_start = isupper(queue),
		};
	}
	ck_assert_int_eq(fathom_dispatch_places(&jobs, place, NULL), 0);
	for (size_t i = 0; i < count; i++)
		dispatched[place[i] - 1] = orders[_i].submitted[i];
	ck_assert_msg(!strcmp(dispatched, orders[_i].dispatched), "%s: %s, not %s",
		      orders[_i].what, dispatched, orders[_i].dispatched);
}

/* DISPATCH_ORDER=QUEUE: what jobs of the first queue get counts in the second. */
TEST(queues_of_a_set_share_one_tree)
{
	struct unit_tree given = unit_tree_read("a 1, b 1");
	const struct fathom_policy *policy = fathom_policy_find("lsf");
	struct fathom_settings settings = unit_settings(policy, NULL);
	const struct fathom_dispatch_tree tree = { policy, &settings, given.tree };
	const struct fathom_served_queue queue[] = { { 1, true, 0, true }, { 2, true, 0, true } };
	const struct fathom_pending_job job[] = {
		JOB(0, 1), JOB(0, 2), JOB(1, 1),
	};
	struct fathom_pending_jobs jobs = { &tree, 1, queue, (size_t[]){ 0, 0 }, 2, job, 3, NULL,
					    NULL };
	size_t place[3];

	ck_assert_int_eq(fathom_dispatch_places(&jobs, place, NULL), 0);
	ck_assert_uint_eq(place[2], 1);
	ck_assert_uint_eq(place[1], 2);
	ck_assert_uint_eq(place[0], 3);
}

/* A pool gives its queue one slot: the second job goes behind those of the next queue, and before
 * jobs that cannot start or whose user has no shares. */
TEST(jobs_beyond_a_pool_go_behind_those_that_can_start)
{
	struct unit_tree given = unit_tree_read("a 1, b 0");
	const struct fathom_policy *policy = fathom_policy_find("lsf");
	struct fathom_settings settings = unit_settings(policy, NULL);
	const struct fathom_dispatch_tree tree = { policy, &settings, given.tree };
	const struct fathom_served_queue queue[] = { { 2, true, NONE, 0 }, { 1, true, NONE, 0 } };
	const struct fathom_pool_queue pooled = { .share = 50 };
	const struct fathom_pool_grant grant = { .queue = &pooled, .got = 3 };
	struct fathom_pool_turns turns[] = { { &grant, 2, false }, { NULL, 0, false } };
	const struct fathom_pending_job job[] = {
		{ .queue = 0, .node = 1, .slots = 1 }, JOB(0, 1), JOB(0, 1), JOB(0, 2), JOB(1, 1),
		JOB(1, 2),
	};
	const size_t expected[] = { 4, 1, 3, 5, 2, 6 };
	struct fathom_pending_jobs jobs = { &tree, 1, queue, (size_t[]){ 0, 0 }, 2, job, 6, NULL,
					    turns };
	size_t place[6];

	ck_assert_int_eq(fathom_dispatch_places(&jobs, place, NULL), 0);
	for (size_t i = 0; i < 6; i++)
		ck_assert_msg(place[i] == expected[i], "job %zu has place %zu", i, place[i]);
}

static const struct { const char *policy; struct fathom_pending_job job; const char *text; }
	mistakes[] = {
	{ "lsf", JOB(1, 1), "queue 1 of a job does not exist, must be less than 1" },
	{ "lsf", JOB(0, 0), "node 0 of a job is not a user" },
	{ "lsf", JOB(0, 9), "node 9 of a job is not a user" },
	{ "pbs", JOB(0, 1), "policy pbs has no order of dispatch" },
};

TEST_EACH(wrong_job_is_named, mistakes)
{
	struct unit_tree given = unit_tree_read("a 1");
	const struct fathom_policy *policy = fathom_policy_find(mistakes[_i].policy);
	struct fathom_settings settings = unit_settings(policy, NULL);
	const struct fathom_dispatch_tree tree = { policy, &settings, given.tree };
	struct fathom_pending_jobs jobs = pending_jobs(&tree, &mistakes[_i].job, 1);
	struct fathom_error error;
	size_t place;

	ck_assert_int_eq(fathom_dispatch_places(&jobs, &place, &error), -1);
	ck_assert_int_eq(error.code, EINVAL);
	ck_assert_str_eq(error.text, mistakes[_i].text);
}

TEST(policy_tells_whether_it_places_jobs)
{
	const struct fathom_policy *lsf = fathom_policy_find("lsf");
	struct fathom_settings settings = unit_settings(lsf, NULL);

	ck_assert(fathom_policy_places_jobs(lsf, &settings));
	settings = unit_settings(lsf, "run_job_factor=0");
	ck_assert(!fathom_policy_places_jobs(lsf, &settings));
	ck_assert(!fathom_policy_places_jobs(fathom_policy_find("fair-tree"), &settings));
}

/* ---- factors ------------------------------------------------------------------------ */

static bool is_of_place(double factor, size_t place, size_t count)
{
	size_t jobs = count - place + 1;	/* it and those behind it */

	return factor > 0 && factor <= 1 && fabs(factor - (double)jobs / (double)count) < 1e-15 &&
	       (size_t)(factor * (double)count) == jobs;
}

/* 29/100 x 100 is less than 29 in double, and priorities are cut. Check notes each assertion, and a
 * program with millions of notes starts its next tests slowly. */
TEST(each_place_has_a_priority_of_its_own_with_a_weight_of_the_number_of_jobs)
{
	for (size_t count = 1; count <= 2000; count++)
		for (size_t place = 1; place <= count; place++) {
			double factor = fathom_place_factor(place, count);

			if (!is_of_place(factor, place, count))
				ck_abort_msg("place %zu of %zu has the factor %.17g", place, count,
					     factor);
		}
}

/* ---- against a naive model --------------------------------------------------------------- */

#define MOST_NODES 24

/* The tree as slots are given away, evaluated anew after each job. */
struct model {
	struct fathom_tree *tree;
	const struct fathom_policy *policy;
	const struct fathom_settings *settings;
	struct fathom_result *result;
	const struct fathom_pending_job *job;
	size_t count;
	size_t place[MOST_JOBS];	/* 0: none yet */
	size_t counted_at[MOST_JOBS];
};

static bool is_below(const struct fathom_tree *tree, size_t node, size_t account)
{
	while (node != account && node)
		node = fathom_tree_fs_parent(tree, node);
	return node == account;
}

#define MOST_OTHERS 3

/* Where a job may count; `which` is at most its other_count. */
static size_t node_at(const struct fathom_pending_job *job, size_t which)
{
	return which ? job->other_node[which - 1] : job->node;
}

/* The first job without a place below a node, times MOST_OTHERS + 1, plus which of its nodes it
 * is; none: there is no job. */
static size_t first_entry(const struct model *model, size_t node, bool can_start)
{
	for (size_t i = 0; i < model->count; i++)
		for (size_t which = 0; which <= model->job[i].other_count; which++)
			if (!model->place[i] && model->job[i].can_start == can_start &&
			    is_below(model->tree, node_at(&model->job[i], which), node))
				return i * (MOST_OTHERS + 1) + which;
	return SIZE_MAX;
}

/* Of the level below an account, the node that goes first. */
static size_t best_member(const struct model *model, size_t account, bool can_start)
{
	const double *priority = unit_column(model->result, "lsf", "dynamic_priority");
	size_t best = 0;

	for (size_t node = 1; node < fathom_tree_count(model->tree); node++) {
		size_t first = first_entry(model, node, can_start);

		if (fathom_tree_fs_parent(model->tree, node) != account || first == SIZE_MAX ||
		    (fathom_tree_kind(model->tree, node) == FATHOM_ACCOUNT &&
		     fathom_tree_raw_shares(model->tree, node) == FATHOM_SHARES_PARENT))
			continue;
		if (!best || priority[node] > priority[best] * (1 + 1e-12) ||
		    (priority[node] >= priority[best] * (1 - 1e-12) &&
		     first < first_entry(model, best, can_start)))
			best = node;
	}
	return best;
}

static void add(struct model *model, size_t node, enum fathom_resource resource, double amount)
{
	amount += fathom_tree_own_resource(model->tree, node, resource);
	ck_assert(!fathom_tree_set_own_resource(model->tree, node, resource, amount, NULL));
}

static void model_places(struct model *model)
{
	bool can_start = true;

	for (size_t place = 1; place <= model->count; place++) {
		size_t node = 0, job;

		if (first_entry(model, 0, can_start) == SIZE_MAX)
			can_start = false;
		fathom_tree_settle(model->tree);
		fathom_evaluate(model->result, model->tree, model->settings);
		do
			node = best_member(model, node, can_start);
		while (fathom_tree_kind(model->tree, node) == FATHOM_ACCOUNT);
		job = first_entry(model, node, can_start);
		node = node_at(&model->job[job / (MOST_OTHERS + 1)], job % (MOST_OTHERS + 1));
		job /= MOST_OTHERS + 1;
		model->place[job] = place;
		model->counted_at[job] = node;
		add(model, node, FATHOM_JOB_SLOTS, model->job[job].slots);
		add(model, node, FATHOM_COMMITTED_RUN_TIME, model->job[job].time_limit);
	}
}

static size_t draw_rows(struct unit_random *random, struct fathom_row *row)
{
	size_t count = 2 + unit_random_below(random, MOST_NODES - 2);
	size_t accounts[MOST_NODES] = { 0 }, account_count = 1;

	row[0] = (struct fathom_row){ .id = 1, .is_root = true };
	for (size_t i = 1; i < count; i++) {
		bool user = i + 1 == count || unit_random_below(random, 3);

		row[i] = (struct fathom_row){
			.id = (int64_t)i + 1,
			.parent_id = (int64_t)accounts[unit_random_below(random,
							(uint32_t)account_count)] + 1,
			.kind = user ? FATHOM_USER : FATHOM_ACCOUNT,
			.raw_shares = 1 + unit_random_below(random, 3),
		};
		if (!unit_random_below(random, 5))
			row[i].raw_shares = FATHOM_SHARES_PARENT;
		if (!user)
			accounts[account_count++] = i;
	}
	return count;
}

static uint32_t draw_user(struct unit_random *random, const struct fathom_tree *tree)
{
	uint32_t node;

	do
		node = unit_random_below(random, (uint32_t)fathom_tree_count(tree));
	while (fathom_tree_kind(tree, node) != FATHOM_USER);
	return node;
}

/* Every other time each job has one node. */
static size_t draw_jobs(struct unit_random *random, const struct fathom_tree *tree,
			struct fathom_pending_job *job)
{
	static uint32_t other[MOST_JOBS][MOST_OTHERS];
	size_t count = unit_random_below(random, MOST_JOBS);
	size_t others = unit_random_below(random, 2) * MOST_OTHERS;

	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < others; k++)
			other[i][k] = draw_user(random, tree);
		job[i] = (struct fathom_pending_job){
			.node = draw_user(random, tree), .slots = 1 + unit_random_below(random, 3),
			.other_node = other[i],
			.other_count = unit_random_below(random, (uint32_t)others + 1),
			.time_limit = 3600. * unit_random_below(random, 3),
			.can_start = unit_random_below(random, 8) > 0,
		};
	}
	return count;
}

TEST_LOOP(places_are_those_of_dispatching_one_by_one, suite_rounds(400))
{
	static const char *const sets[] = { NULL, "run_job_factor=0", "run_job_factor=0.5",
					    "committed_run_time_factor=1" };
	struct unit_random random = { (uint64_t)_i };
	struct fathom_row row[MOST_NODES];
	size_t row_count = draw_rows(&random, row), place[MOST_JOBS], counted_at[MOST_JOBS];
	struct fathom_pending_job job[MOST_JOBS];
	const struct fathom_policy *policy = fathom_policy_find("lsf");
	struct fathom_settings settings =
		unit_settings(policy, sets[unit_random_below(&random, COUNT(sets))]);
	struct model model = { .tree = fathom_tree_create(row, row_count, NULL), .policy = policy,
			       .settings = &settings, .job = job };
	const struct fathom_dispatch_tree tree = { policy, &settings, model.tree };
	struct fathom_pending_jobs jobs = pending_jobs(&tree, job, 0);

	jobs.counted_at = counted_at;
	for (size_t i = 0; i < row_count; i++)
		add(&model, i, FATHOM_JOB_SLOTS, unit_random_below(&random, 4));
	fathom_tree_settle(model.tree);
	model.result = fathom_result_create(policy, model.tree, NULL);
	jobs.job_count = model.count = draw_jobs(&random, model.tree, job);
	ck_assert_int_eq(fathom_dispatch_places(&jobs, place, NULL), 0);
	model_places(&model);
	for (size_t i = 0; i < model.count; i++)
		ck_assert_msg(place[i] == model.place[i] && counted_at[i] == model.counted_at[i],
			      "%s: job %zu has place %zu at node %zu, not %zu at %zu",
			      unit_tree_text(row, row_count), i, place[i], counted_at[i],
			      model.place[i], model.counted_at[i]);
	fathom_result_destroy(model.result);
	fathom_tree_destroy(model.tree);
}

/* ---- jobs that come and start between dispatches ------------------------------------------ */

struct waiting {
	struct fathom_pending_job job[MOST_JOBS];
	bool has_started[MOST_JOBS];
	size_t count;
	struct fathom_tree *tree;
	struct dispatch *dispatch;
	struct fathom_settings settings;
};

static bool has_started(const void *waiting, uint32_t job)
{
	return ((const struct waiting *)waiting)->has_started[job];
}

static void add_job(struct waiting *waiting, const struct fathom_pending_job *job)
{
	bool is_held_back = !fathom_tree_norm_shares(waiting->tree, job->node);

	waiting->job[waiting->count] = *job;
	ck_assert_int_eq(dispatch_add(waiting->dispatch, job, (uint32_t)waiting->count++,
				      is_held_back, NULL), 0);
}

static void let_jobs_come(struct waiting *waiting, struct unit_random *random)
{
	for (uint32_t left = unit_random_below(random, 9); left && waiting->count < MOST_JOBS;
	     left--) {
		const struct fathom_pending_job job = {
			.node = draw_user(random, waiting->tree), .can_start = true,
			.slots = 1 + unit_random_below(random, 3), .time_limit = 3600,
		};

		add_job(waiting, &job);
	}
}

/* Changes what jobs hold, and sometimes the tree. Returns a tree with both. */
static struct fathom_tree *let_time_pass(struct waiting *waiting, struct unit_random *random)
{
	struct model with = { .tree = waiting->tree };

	if (!unit_random_below(random, 3)) {
		add(&with, draw_user(random, with.tree), FATHOM_JOB_SLOTS, 1);
		fathom_tree_settle(waiting->tree);
		dispatch_renew(waiting->dispatch);
	}
	with.tree = fathom_tree_copy(waiting->tree, NULL);
	dispatch_reset(waiting->dispatch);
	for (uint32_t left = unit_random_below(random, 5); left; left--) {
		const struct fathom_holdings holdings = { .job_slots = 2, .run_time = 7200 };
		uint32_t node = draw_user(random, with.tree);

		dispatch_hold(waiting->dispatch, node, &holdings);
		add(&with, node, FATHOM_JOB_SLOTS, 2);
		add(&with, node, FATHOM_RUN_TIME, 7200);
	}
	fathom_tree_settle(with.tree);
	return with.tree;
}

/* Places the jobs that wait as if they were new. order: as they go. Returns how many. */
static size_t place_anew(const struct waiting *waiting, const struct fathom_tree *with,
			 size_t *order)
{
	const struct fathom_dispatch_tree tree = { fathom_policy_find("lsf"), &waiting->settings,
						   with };
	struct fathom_pending_job job[MOST_JOBS];
	struct fathom_pending_jobs jobs = pending_jobs(&tree, job, 0);
	size_t place[MOST_JOBS], number[MOST_JOBS];

	for (size_t i = 0; i < waiting->count; i++)
		if (!waiting->has_started[i]) {
			number[jobs.job_count] = i;
			job[jobs.job_count++] = waiting->job[i];
		}
	ck_assert_int_eq(fathom_dispatch_places(&jobs, place, NULL), 0);
	for (size_t i = 0; i < jobs.job_count; i++)
		order[place[i] - 1] = number[i];
	return jobs.job_count;
}

/* Dispatches some jobs, of which some start, and now and then one starts that was not. */
static void dispatch_some(struct waiting *waiting, struct unit_random *random, const size_t *order,
			  size_t count)
{
	size_t turns = unit_random_below(random, (uint32_t)count + 2), node;

	for (size_t i = 0; i < turns; i++) {
		uint32_t job = dispatch_next(waiting->dispatch, &node);

		ck_assert_uint_eq(job, i < count ? order[i] : DISPATCH_NO_JOB);
		if (i < count && unit_random_below(random, 2))
			waiting->has_started[job] = true;
	}
	if (turns < count && !unit_random_below(random, 3)) {
		waiting->has_started[order[count - 1]] = true;
		dispatch_renew(waiting->dispatch);
	}
}

/* Drops all jobs, and lists them anew, but for some that have been cancelled. */
static void list_anew(struct waiting *waiting, struct unit_random *random)
{
	size_t count = waiting->count;

	dispatch_clear(waiting->dispatch);
	waiting->count = 0;
	for (size_t i = 0; i < count; i++) {
		const struct fathom_pending_job job = waiting->job[i];

		if (waiting->has_started[i] || !unit_random_below(random, 3))
			continue;
		waiting->has_started[waiting->count] = false;
		add_job(waiting, &job);
	}
}

TEST_LOOP(jobs_that_were_put_back_go_as_if_they_were_new, suite_rounds(400))
{
	struct unit_random random = { (uint64_t)_i };
	struct fathom_row row[MOST_NODES];
	const struct fathom_policy *policy = fathom_policy_find("lsf");
	struct waiting waiting = { .settings = unit_settings(policy, NULL) };
	struct fathom_dispatch_tree tree = { policy, &waiting.settings, NULL };
	size_t row_count = draw_rows(&random, row), order[MOST_JOBS];

	for (size_t i = 1; i < row_count; i++)
		if (!unit_random_below(&random, 6))
			row[i].raw_shares = 0;
	tree.tree = waiting.tree = fathom_tree_create(row, row_count, NULL);
	waiting.dispatch = dispatch_create(&tree, NULL);
	for (int step = 0; step < 12; step++) {
		struct fathom_tree *with;
		size_t count;

		let_jobs_come(&waiting, &random);
		with = let_time_pass(&waiting, &random);
		count = place_anew(&waiting, with, order);
		dispatch_some(&waiting, &random, order, count);
		fathom_tree_destroy(with);
		if (!unit_random_below(&random, 6))
			list_anew(&waiting, &random);
		dispatch_put_back(waiting.dispatch, has_started, &waiting);
	}
	dispatch_destroy(waiting.dispatch);
	fathom_tree_destroy(waiting.tree);
}
