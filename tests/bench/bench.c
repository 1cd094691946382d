/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * make bench: what an evaluation costs, in nanoseconds an association, beside
 * what it cannot do without: a pass over the memory that it touches, the
 * transcendental functions of its formula, or a sort of the same siblings. And
 * what a formula costs, in nanoseconds a job, beside the weighted sum. And what
 * the order of dispatch costs: at most 1000 ns a job, 100 ms for 100,000 jobs.
 */
#include "core/tree_private.h"
#include "fathom.h"
#include "policy/settings_layout.h"

#include <libsmartcols.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RUNS 7			/* the median is told */
#define RUN_SECONDS 0.01	/* at least, so that a small tree is evaluated often */
#define FLUX_WALK 230.		/* ns a node, flux-accounting's walk of 100,000 */

/* ---- trees --------------------------------------------------------------------- */

static uint64_t random_state = 1;

static uint32_t random_below(uint32_t limit)
{
	random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)((random_state >> 33) % limit);
}

/* Rows in the order of sshare and sacctmgr: depth first. */
struct rows {
	struct fathom_row *row;
	size_t count, limit;
};

static size_t add_row(struct rows *rows, size_t parent, enum fathom_kind kind)
{
	struct fathom_row *row = &rows->row[rows->count];

	*row = (struct fathom_row){ .id = (int64_t)rows->count, .parent_id = (int64_t)parent,
				    .is_root = !rows->count, .kind = kind,
				    .raw_shares = 1 + random_below(100) };
	/* one in four idle, the others within 16 times of what they were promised */
	if (kind == FATHOM_USER && random_below(4))
		row->usage = 1e6 * row->raw_shares * exp2(random_below(8000) / 1000. - 4);
	if (kind == FATHOM_USER && !random_below(50))
		row->raw_shares = FATHOM_SHARES_PARENT;
	return rows->count++;
}

static void grow_wide(struct rows *rows)
{
	size_t account = add_row(rows, 0, FATHOM_ACCOUNT);

	while (rows->count < rows->limit)
		add_row(rows, account, FATHOM_USER);
}

static void grow_deep(struct rows *rows)
{
	size_t account = 0;

	while (rows->count + 2 <= rows->limit) {
		account = add_row(rows, account, FATHOM_ACCOUNT);
		add_row(rows, account, FATHOM_USER);
	}
}

#define BRANCHES 10

/* The tree of `size` nodes in which each account has ten children. */
static void grow_branch(struct rows *rows, size_t parent, size_t size)
{
	for (size_t i = 0; i < BRANCHES && size; i++) {
		size_t of_child = (size + BRANCHES - 1 - i) / (BRANCHES - i);
		bool user = of_child <= 1;
		size_t node = add_row(rows, parent, user ? FATHOM_USER : FATHOM_ACCOUNT);

		if (!user)
			grow_branch(rows, node, of_child - 1);
		size -= of_child;
	}
}

static void grow_balanced(struct rows *rows)
{
	grow_branch(rows, 0, rows->limit - 1);
}

static const struct shape { const char *name; void (*grow)(struct rows *rows); } shapes[] = {
	{ "balanced", grow_balanced }, { "wide", grow_wide }, { "deep", grow_deep },
};

static struct rows rows_create(const struct shape *shape, size_t limit)
{
	struct rows rows = { .row = calloc(limit, sizeof(*rows.row)), .limit = limit };

	if (!rows.row)
		exit(EXIT_FAILURE);
	add_row(&rows, 0, FATHOM_ACCOUNT);
	shape->grow(&rows);
	return rows;
}

/* ---- what is measured ------------------------------------------------------------- */

struct subject {
	size_t count;		/* that a figure is divided by: nodes, or jobs */
	const struct rows *rows;
	struct fathom_tree *tree;
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	struct fathom_result *result;
	double *column[4];	/* for the yardsticks to read and write */
	struct jobs *jobs;
	struct fathom_formula *formula;
	struct fathom_pending_jobs pending;
	size_t *place;
};

static void evaluate(struct subject *subject)
{
	fathom_evaluate(subject->result, subject->tree, &subject->settings);
}

static void create(struct subject *subject)
{
	fathom_tree_destroy(fathom_tree_create(subject->rows->row, subject->rows->count, NULL));
}

static void settle_usage(struct subject *subject)
{
	fathom_tree_settle(subject->tree);
}

static void settle_shares(struct subject *subject)
{
	uint32_t shares = fathom_tree_raw_shares(subject->tree, 1);

	fathom_tree_set_raw_shares(subject->tree, 1, shares ^ 1);
	fathom_tree_settle(subject->tree);
}

/* ---- jobs -------------------------------------------------------------------------- */

#define JOBS 100000
#define QUEUES 8
#define TRES 8	/* as many as Slurm has without any GRES */

struct jobs {
	struct fathom_priority_config config;
	struct fathom_queue queue[QUEUES];
	struct fathom_job job[JOBS];
	uint64_t tres[JOBS][TRES];
	uint32_t priority[JOBS];	/* what comes out */
};

static const double tres_weight[TRES] = { 1000, 500 };
static const uint64_t partition_tres[TRES] = { 6400, 1 << 20, 100, 1, 100, 1, 1, 1 };

static struct jobs *jobs_create(bool weigh_tres)
{
	struct jobs *jobs = calloc(1, sizeof(*jobs));

	if (!jobs)
		exit(EXIT_FAILURE);
	jobs->config = (struct fathom_priority_config){
		.weight = { 1000, 100, 10000, 500, 1000, 2000 }, .max_age = 7 * 86400.,
		.cluster_nodes = 100, .cluster_cpus = 6400, .tres_count = TRES,
		.tres_weight = weigh_tres ? tres_weight : NULL,
	};
	for (size_t i = 0; i < QUEUES; i++)
		jobs->queue[i] = (struct fathom_queue){ .partition_norm = random_below(100) / 100.,
							.partition_factor = random_below(100),
							.partition_tres = partition_tres,
							.qos_norm = random_below(100) / 100. };
	for (size_t i = 0; i < JOBS; i++) {
		jobs->tres[i][0] = 1 + random_below(128);
		jobs->tres[i][1] = random_below(1 << 16);
		jobs->job[i] = (struct fathom_job){ .age = random_below(14 * 86400),
						    .fairshare = random_below(1000) / 1000.,
						    .assoc_norm = .5, .nodes = 1 + random_below(8),
						    .cpus = (uint32_t)jobs->tres[i][0],
						    .minutes = 60, .tres = jobs->tres[i],
						    .nice = random_below(2) };
	}
	return jobs;
}

static const struct fathom_queue *queue_of(const struct jobs *jobs, size_t i)
{
	return &jobs->queue[i % QUEUES];
}

static void weighted_sum(struct subject *subject)
{
	struct jobs *jobs = subject->jobs;

	for (size_t i = 0; i < JOBS; i++) {
		struct fathom_factors factors = fathom_job_factors(&jobs->config, &jobs->job[i],
								   queue_of(jobs, i), NULL);

		jobs->priority[i] = fathom_priority_sum(&factors, NULL);
	}
}

static void formula(struct subject *subject)
{
	struct fathom_formula_tally tally = { 0 };
	struct jobs *jobs = subject->jobs;

	for (size_t i = 0; i < JOBS; i++) {
		struct fathom_formula_job job = { .config = &jobs->config, .job = &jobs->job[i],
						  .queue = queue_of(jobs, i),
						  .norm_shares = .25, .effective_usage = .5 };

		jobs->priority[i] = fathom_formula_priority(
			fathom_formula_value(subject->formula, &job, &tally), 1);
	}
}

static void dispatch(struct subject *subject)
{
	if (fathom_dispatch_places(&subject->pending, subject->place, NULL))
		exit(EXIT_FAILURE);
}

/* ---- yardsticks --------------------------------------------------------------------- */

/* Every column that classic cannot do without, once: five in, three out. */
static void stream_columns(struct subject *subject)
{
	const struct fathom_tree *tree = subject->tree;
	double *restrict a = subject->column[0], *restrict b = subject->column[1];
	double *restrict c = subject->column[2];

	for (size_t i = 0; i < tree->node_count; i++) {
		a[i] = tree->usage[i];
		b[i] = tree->level_share[i] + tree->fs_parent[i];
		c[i] = tree->norm_shares[i] + tree->raw_shares[i];
	}
}

static void stream_usage(struct subject *subject)
{
	const struct fathom_tree *tree = subject->tree;
	double *restrict a = subject->column[0];

	for (size_t i = 0; i < tree->node_count; i++)
		a[i] = tree->own_usage[i] + tree->parent[i];
}

static void stream_rows(struct subject *subject)
{
	const struct fathom_row *row = subject->rows->row;

	for (size_t i = 0; i < subject->rows->count; i++)
		subject->column[0][i] =
			row[i].usage + (double)row[i].id + (double)row[i].parent_id;
}

static void two_logarithms_and_a_power(struct subject *subject)
{
	const double *usage = subject->tree->usage, *share = subject->tree->level_share;

	for (size_t i = 0; i < subject->tree->node_count; i++)
		subject->column[0][i] =
			pow(share[i] + 1e-9, log(usage[i] + 1) * log(share[i] + 1));
}

static int descending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x < y) - (x > y);
}

static int compare_places(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

/* As many numbers as there are jobs, in no order. */
static void sort_jobs(struct subject *subject)
{
	for (size_t i = 0; i < subject->pending.job_count; i++)
		subject->place[i] = i * UINT64_C(2654435761) % subject->pending.job_count;
	qsort(subject->place, subject->pending.job_count, sizeof(*subject->place), compare_places);
}

/* column[3] holds the keys, level by level. */
static void sort_siblings(struct subject *subject)
{
	const struct fathom_tree *tree = subject->tree;

	memcpy(subject->column[0], subject->column[3], tree->node_count * sizeof(double));
	for (size_t node = 0; node < tree->node_count; node++)
		if (tree->level_count[node] > 1)
			qsort(subject->column[0] + tree->level_first[node],
			      tree->level_count[node], sizeof(double), descending);
}

/* ---- time ------------------------------------------------------------------------------ */

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static double seconds_of(void (*run)(struct subject *subject), struct subject *subject)
{
	double begin = now(), taken;
	unsigned times = 0;

	do {
		run(subject);
		times++;
		taken = now() - begin;
	} while (taken < RUN_SECONDS);
	return taken / times;
}

static int ascending(const void *a, const void *b)
{
	return -descending(a, b);
}

struct figures { double subject, yardstick; };	/* nanoseconds a node */

/* Turn by turn, so that a busy neighbour slows down both. */
static struct figures measure(void (*run)(struct subject *subject),
			      void (*yardstick)(struct subject *subject), struct subject *subject)
{
	double seconds[2][RUNS], to_ns = 1e9 / (double)subject->count;

	run(subject);	/* fills caches, touches pages */
	yardstick(subject);
	for (size_t i = 0; i < RUNS; i++) {
		seconds[0][i] = seconds_of(run, subject);
		seconds[1][i] = seconds_of(yardstick, subject);
	}
	for (size_t i = 0; i < 2; i++)
		qsort(seconds[i], RUNS, sizeof(**seconds), ascending);
	return (struct figures){ seconds[0][RUNS / 2] * to_ns, seconds[1][RUNS / 2] * to_ns };
}

/* ---- the table ----------------------------------------------------------------------- */

static const struct yardstick {
	const char *name, *what;
	void (*run)(struct subject *subject);
	double goal;	/* times the yardstick */
} yardsticks[] = {
	{ "depth-oblivious", "2 log + 1 pow", two_logarithms_and_a_power, 3 },
	{ "fair-tree", "qsort of siblings", sort_siblings, 3 },
	{ "flux", "qsort of siblings", sort_siblings, 3 },
	{ "lsf", "qsort of siblings", sort_siblings, 3 },
	{ "settle, usage", "stream usage", stream_usage, 0 },
	{ "settle, shares", "stream usage", stream_usage, 0 },
	{ "create", "stream rows", stream_rows, 0 },
	{ "formula", "weighted sum", weighted_sum, 3 },
	{ "dispatch", "qsort of jobs", sort_jobs, 0 },
	{ NULL, "stream columns", stream_columns, 3 },	/* whatever else is a policy */
};

static const struct yardstick *yardstick_of(const char *name)
{
	const struct yardstick *yardstick = yardsticks;

	while (yardstick->name && strcmp(yardstick->name, name))
		yardstick++;
	return yardstick;
}

static void set(struct libscols_line *line, size_t column, const char *format, double value)
{
	char text[32];

	snprintf(text, sizeof(text), format, value);
	scols_line_set_data(line, column, text);
}

static void add_line(struct libscols_table *table, const char *shape, const char *name,
		     void (*run)(struct subject *subject), struct subject *subject)
{
	const struct yardstick *yardstick = yardstick_of(name);
	struct libscols_line *line = scols_table_new_line(table, NULL);
	struct figures ns = measure(run, yardstick->run, subject);

	scols_line_set_data(line, 0, shape);
	set(line, 1, "%.0f", (double)subject->count);
	scols_line_set_data(line, 2, name);
	set(line, 3, "%.2f", ns.subject);
	scols_line_set_data(line, 4, yardstick->what);
	set(line, 5, "%.2f", ns.yardstick);
	set(line, 6, "%.1f", ns.subject / ns.yardstick);
	if (yardstick->goal > 0)
		set(line, 7, "%.0f", yardstick->goal);
	if (yardstick->goal > 0 && subject->tree)
		set(line, 8, "%.0f", FLUX_WALK / ns.subject);
}

/* Level fair shares as the policy computes them, in the order of the levels. */
static void prepare_keys(struct subject *subject)
{
	const struct fathom_tree *tree = subject->tree;

	for (size_t i = 0; i < tree->node_count; i++) {
		uint32_t node = tree->level_member[i];
		double usage = tree->usage[node], of_parent = tree->usage[tree->fs_parent[node]];

		subject->column[3][i] =
			usage > 0 ? tree->level_share[node] / (usage / of_parent) : INFINITY;
	}
}

static void measure_policies(struct libscols_table *table, const char *shape,
			     struct subject *subject)
{
	for (size_t i = 0; i < fathom_policy_count(); i++) {
		subject->policy = fathom_policy_at(i);
		subject->settings = fathom_settings_standard(subject->policy);
		subject->result = fathom_result_create(subject->policy, subject->tree, NULL);
		if (!subject->result)
			exit(EXIT_FAILURE);
		add_line(table, shape, fathom_policy_name(subject->policy), evaluate, subject);
		fathom_result_destroy(subject->result);
	}
}

static void measure_tree(struct libscols_table *table, const struct shape *shape, size_t count)
{
	struct rows rows = rows_create(shape, count);
	struct subject subject = { .rows = &rows };

	subject.count = rows.count;
	subject.tree = fathom_tree_create(rows.row, rows.count, NULL);
	for (size_t i = 0; i < 4; i++)
		subject.column[i] = calloc(count, sizeof(double));
	if (!subject.tree || !subject.column[3])
		exit(EXIT_FAILURE);
	prepare_keys(&subject);
	measure_policies(table, shape->name, &subject);
	add_line(table, shape->name, "settle, usage", settle_usage, &subject);
	add_line(table, shape->name, "settle, shares", settle_shares, &subject);
	add_line(table, shape->name, "create", create, &subject);
	fathom_tree_destroy(subject.tree);
	for (size_t i = 0; i < 4; i++)
		free(subject.column[i]);
	free(rows.row);
}

/* The weighted sum itself, the sum with TRES, and what sites write. */
static const struct { const char *name, *text; bool weigh_tres; } formulas[] = {
	{ "the sum", "w_age + w_assoc + w_fairshare + w_job_size + w_partition + w_qos + site - "
		     "nice", false },
	{ "the sum, TRES", "w_age + w_assoc + w_fairshare + w_job_size + w_partition + w_qos + "
			   "w_tres + site - "
			   "nice", true },
	{ "short", "10000*fairshare_factor + age + qos", false },
	{ "OpenPBS", "pow(2, -(fairshare_tree_usage/fairshare_perc))", false },
};

static void measure_formulas(struct libscols_table *table)
{
	static const char *const columns[] = { "fairshare_perc", "fairshare_tree_usage", NULL };
	static const struct fathom_formula_names names = { .extra = columns };

	for (size_t i = 0; i < sizeof(formulas) / sizeof(*formulas); i++) {
		struct fathom_error error = { 0 };
		struct subject subject = { .count = JOBS };

		subject.formula = fathom_formula_create(formulas[i].text, &names, NULL, &error);
		if (!subject.formula) {
			fprintf(stderr, "bench: no figures of formulas: %s\n", error.text);
			return;
		}
		subject.jobs = jobs_create(formulas[i].weigh_tres);
		add_line(table, formulas[i].name, "formula", formula, &subject);
		fathom_formula_destroy(subject.formula);
		free(subject.jobs);
	}
}

#define GROUPS 1000
#define MEMBERS 10

static void grow_groups(struct rows *rows)
{
	for (size_t i = 0; i < GROUPS; i++) {
		size_t account = add_row(rows, 0, FATHOM_ACCOUNT);

		for (size_t j = 0; j < MEMBERS; j++)
			add_row(rows, account, FATHOM_USER);
	}
}

/* Jobs of all users in turn, as they come in. */
static struct fathom_pending_job *pending_create(const struct fathom_tree *tree)
{
	struct fathom_pending_job *job = calloc(JOBS, sizeof(*job));

	if (!job)
		exit(EXIT_FAILURE);
	for (size_t i = 0; i < JOBS; i++) {
		do
			job[i].node = random_below((uint32_t)fathom_tree_count(tree));
		while (fathom_tree_kind(tree, job[i].node) != FATHOM_USER);
		job[i].slots = 1 + random_below(64);
		job[i].can_start = true;
	}
	return job;
}

/* Pending jobs of 10,000 users in 1,000 groups, placed as LSF would dispatch them. */
static void measure_dispatch(struct libscols_table *table)
{
	static const struct fathom_served_queue queue = { 1, true, FATHOM_NO_SET, false };
	static const struct shape groups = { "groups", grow_groups };
	static const size_t tree_of = 0;
	struct rows rows = rows_create(&groups, 1 + GROUPS * (1 + MEMBERS));
	struct subject subject = { .count = JOBS, .policy = fathom_policy_find("lsf") };
	struct fathom_tree *tree = fathom_tree_create(rows.row, rows.count, NULL);
	struct fathom_dispatch_tree of = { subject.policy, &subject.settings, tree };
	struct fathom_pending_job *job;

	subject.place = calloc(JOBS, sizeof(*subject.place));
	if (!tree || !subject.place)
		exit(EXIT_FAILURE);
	subject.settings = fathom_settings_standard(subject.policy);
	job = pending_create(tree);
	subject.pending = (struct fathom_pending_jobs){ &of, 1, &queue, &tree_of, 1, job, JOBS,
							 NULL, NULL };
	add_line(table, groups.name, "dispatch", dispatch, &subject);
	fathom_tree_destroy(tree);
	free(subject.place);
	free(job);
	free(rows.row);
}

static struct libscols_table *table_create(void)
{
	static const struct { const char *name; int flags; } columns[] = {
		{ "SHAPE", 0 }, { "COUNT", SCOLS_FL_RIGHT }, { "WHAT", 0 },
		{ "NS/ONE", SCOLS_FL_RIGHT },
		{ "BESIDE", 0 }, { "NS/ONE", SCOLS_FL_RIGHT }, { "RATIO", SCOLS_FL_RIGHT },
		{ "GOAL", SCOLS_FL_RIGHT }, { "X-FLUX", SCOLS_FL_RIGHT },
	};
	struct libscols_table *table = scols_new_table();

	if (!table)
		exit(EXIT_FAILURE);
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		scols_table_new_column(table, columns[i].name, 0, columns[i].flags);
	return table;
}

int main(int argc, char **argv)
{
	static const size_t counts[] = { 1000, 10000, 100000, 1000000 };
	size_t most = argc > 1 ? strtoul(argv[1], NULL, 10) : SIZE_MAX;
	struct libscols_table *table;

	scols_init_debug(0);
	table = table_create();
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
		for (size_t j = 0; j < sizeof(counts) / sizeof(*counts) && counts[j] <= most; j++)
			measure_tree(table, &shapes[i], counts[j]);
	measure_formulas(table);
	measure_dispatch(table);
	scols_print_table(table);
	scols_unref_table(table);
	printf("Medians of %d. X-FLUX: %g ns, what flux-accounting's walk takes a node, over "
	       "NS/ONE.\n",
	       RUNS, FLUX_WALK);
	return EXIT_SUCCESS;
}
