/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What holds for every tree, tried on thousands of random ones. */
#include "core/resource.h"
#include "reference.h"
#include "../unit.h"

#define PARENT FATHOM_SHARES_PARENT
#define TREES 100	/* in each loop of a test */
#define LOOPS 40
#define FEW_LOOPS 10	/* of a test that would find most errors in the first tree */
#define MAX_ROWS 60	/* drawn; a twin may add to it, up to REFERENCE_MAX */

static const char *const modes[] = { "tie_mode=documented", "tie_mode=slurm", "tie_mode=flux" };

/* ---- trees ----------------------------------------------------------------------------- */

struct sample {
	uint64_t seed;
	struct unit_random random;
	bool regular;	/* no zero or "parent" shares, no empty accounts */
	struct fathom_row rows[REFERENCE_MAX];
	struct { double amount[FATHOM_RESOURCE_COUNT]; } held[REFERENCE_MAX];	/* by id - 1 */
	bool holds[FATHOM_RESOURCE_COUNT];	/* the tree has such a column */
	size_t count;
	struct fathom_tree *tree;
};

static bool one_in(struct sample *sample, uint32_t n)
{
	return !unit_random_below(&sample->random, n);
}

/* Small numbers, so that ties are frequent. */
static uint32_t small(struct sample *sample)
{
	return 1 + unit_random_below(&sample->random, one_in(sample, 4) ? 12 : 3);
}

static uint32_t draw_shares(struct sample *sample)
{
	if (!sample->regular && one_in(sample, 8))
		return 0;
	if (!sample->regular && one_in(sample, 8))
		return PARENT;
	return small(sample);
}

static struct fathom_row *add_row(struct sample *sample, int64_t parent_id, enum fathom_kind kind)
{
	struct fathom_row *row = &sample->rows[sample->count++];
	uint32_t idle = kind == FATHOM_USER ? 4 : 1;

	*row = (struct fathom_row){ .id = (int64_t)sample->count,
				    .parent_id = parent_id,
				    .kind = kind };
	row->raw_shares = draw_shares(sample);
	if (!one_in(sample, idle) || one_in(sample, 6))
		row->usage = small(sample);
	return row;
}

static int64_t draw_account(struct sample *sample)
{
	size_t row;

	do
		row = unit_random_below(&sample->random, (uint32_t)sample->count);
	while (sample->rows[row].kind != FATHOM_ACCOUNT);
	return sample->rows[row].id;
}

/* Copies a node and all below it beside it, with `times` its shares and usage:
 * its level fair share is then the same, if not to the last bit. */
static void add_twin(struct sample *sample, size_t of, uint32_t times)
{
	int64_t new_id[REFERENCE_MAX] = { 0 };
	size_t count = sample->count;

	for (size_t row = of; row < count; row++) {
		const struct fathom_row *given = &sample->rows[row];
		struct fathom_row *twin = &sample->rows[sample->count];
		int64_t parent_id = row == of ? given->parent_id : new_id[given->parent_id - 1];

		if (!parent_id)
			continue;
		if (sample->count == REFERENCE_MAX - 2)
			break;
		*twin = *given;
		twin->id = new_id[row] = (int64_t)++sample->count;
		twin->parent_id = parent_id;
		twin->usage *= times;
		if (row == of && twin->raw_shares != PARENT)
			twin->raw_shares *= times;
	}
}

static bool is_empty(const struct sample *sample, size_t account)
{
	for (size_t row = account + 1; row < sample->count; row++)
		if (sample->rows[row].parent_id == sample->rows[account].id)
			return false;
	return true;
}

static void fill_empty_accounts(struct sample *sample)
{
	for (size_t row = 0; row < sample->count; row++)
		if (sample->rows[row].kind == FATHOM_ACCOUNT && is_empty(sample, row)) {
			if (sample->count < REFERENCE_MAX)
				add_row(sample, sample->rows[row].id, FATHOM_USER);
			else
				sample->rows[row].kind = FATHOM_USER;
		}
}

static void plant(struct sample *sample)
{
	struct fathom_error error = { 0 };

	fathom_tree_destroy(sample->tree);
	sample->tree = fathom_tree_create(sample->rows, sample->count, &error);
	ck_assert_msg(sample->tree, "seed %llu: %s", (unsigned long long)sample->seed, error.text);
	for (size_t row = 0; row < sample->count; row++)
		for (int i = 0; i < FATHOM_RESOURCE_COUNT; i++)
			if (sample->holds[i] && sample->rows[row].id <= REFERENCE_MAX)
				fathom_tree_set_own_resource(
					sample->tree, fathom_tree_node_of_row(sample->tree, row),
					(enum fathom_resource)i,
					sample->held[sample->rows[row].id - 1].amount[i], NULL);
	fathom_tree_settle(sample->tree);
}

/* What jobs use and hold, of which lsf alone takes notice. */
static void draw_resources(struct sample *sample)
{
	for (int i = 0; i < FATHOM_RESOURCE_COUNT; i++) {
		sample->holds[i] = one_in(sample, 2);
		for (size_t row = 0; row < sample->count; row++)
			sample->held[row].amount[i] = one_in(sample, 3) ? 0 : 900. * small(sample);
	}
	plant(sample);
}

static void draw(struct sample *sample, uint64_t seed, bool regular)
{
	size_t limit;

	*sample = (struct sample){
		.seed = seed, .random = { seed }, .regular = regular, .count = 1
	};
	limit = 1 + unit_random_below(&sample->random, MAX_ROWS);
	sample->rows[0] = (struct fathom_row){ .id = 1, .is_root = true };
	if (one_in(sample, 4))
		sample->rows[0].usage = small(sample);
	while (sample->count < limit) {
		if (sample->count > 1 && one_in(sample, 6))
			add_twin(sample, 1 + unit_random_below(&sample->random,
							       (uint32_t)sample->count - 1),
				 1 + unit_random_below(&sample->random, 3));
		else
			add_row(sample, draw_account(sample),
				one_in(sample, 3) ? FATHOM_ACCOUNT : FATHOM_USER);
	}
	if (regular)
		fill_empty_accounts(sample);
	plant(sample);
}

static void clear(struct sample *sample)
{
	fathom_tree_destroy(sample->tree);
	sample->tree = NULL;
}

/* The tree in unit_tree_read()'s notation, to be tried alone. */
#define CHECK_SAMPLE(sample, condition, ...)                                                     \
	do {                                                                                     \
		if (!(condition)) {                                                              \
			char said[160];                                                          \
											         \
			snprintf(said, sizeof(said), __VA_ARGS__);                               \
			ck_abort_msg("seed %llu: %s\n%s", (unsigned long long)(sample)->seed,    \
				     said, unit_tree_text((sample)->rows, (sample)->count));     \
		}                                                                                \
	} while (0)

static bool near(double a, double b)
{
	return unit_equal_or_nan(a, b) || fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b)) ||
	       fabs(a - b) < 1e-300;
}

/* Where the exponent is large it magnifies an ulp of effective usage. */
static bool same_factor(double f, double g)
{
	return near(f, g) || fabs(f / g - 1) < 1e-12 * -log(g);
}

static void each_tree(uint64_t loop, bool regular, void (*test)(struct sample *sample))
{
	for (uint64_t i = 0; i < TREES; i++) {
		struct sample sample;

		draw(&sample, loop * TREES + i, regular);
		test(&sample);
		clear(&sample);
	}
}

/* ---- against the reference --------------------------------------------------------------- */

static void compare_exponential(struct sample *sample, const char *policy,
				double (*effective_usage)(const struct reference *, int))
{
	static const char *const settings[] = { "dampening_factor=1", "dampening_factor=3" };
	struct reference reference;

	reference_read(&reference, sample->rows, sample->count);
	for (int i = 0; i < 2; i++) {
		struct fathom_result *result = unit_evaluate(sample->tree, policy, settings[i]);

		for (int n = 0; n < (int)sample->count; n++) {
			size_t node = fathom_tree_node_of_row(sample->tree, (size_t)n);
			double s = fathom_result_norm_shares(result)[node];
			double u = fathom_result_norm_usage(result)[node];
			double u_e = fathom_result_effective_usage(result)[node];
			double f = fathom_result_factor(result)[node];
			double f_told =
				reference_factor(&reference, n, i ? 3 : 1, effective_usage);

			CHECK_SAMPLE(sample, near(s, reference_norm_shares(&reference, n)),
				     "n%d: S %.17g", n + 1, s);
			CHECK_SAMPLE(sample, near(u, reference_norm_usage(&reference, n)),
				     "n%d: U %.17g", n + 1, u);
			CHECK_SAMPLE(sample, near(u_e, effective_usage(&reference, n)),
				     "n%d: U_E %.17g, must be %.17g", n + 1, u_e,
				     effective_usage(&reference, n));
			CHECK_SAMPLE(sample, same_factor(f, f_told),
				     "n%d: F %.17g, must be %.17g", n + 1, f, f_told);
		}
	}
}

static void compare_classic(struct sample *sample)
{
	compare_exponential(sample, "classic", reference_classic);
}

TEST_LOOP(classic_is_the_reference, suite_rounds(LOOPS))
{
	each_tree((uint64_t)_i, false, compare_classic);
}

static void compare_depth_oblivious(struct sample *sample)
{
	compare_exponential(sample, "depth-oblivious", reference_depth_oblivious);
}

TEST_LOOP(depth_oblivious_is_the_reference, suite_rounds(LOOPS))
{
	each_tree((uint64_t)_i, false, compare_depth_oblivious);
}

/* The three modes, and flux, which is the last of them. */
static const struct { const char *policy, *setting; enum reference_mode mode; } walks[] = {
	{ "fair-tree", "tie_mode=documented", REFERENCE_DOCUMENTED },
	{ "fair-tree", "tie_mode=slurm", REFERENCE_SLURM },
	{ "fair-tree", "tie_mode=flux", REFERENCE_FLUX },
	{ "flux", NULL, REFERENCE_FLUX },
};

static void compare_fair_tree(struct sample *sample)
{
	struct reference reference;
	double expected[REFERENCE_MAX];

	reference_read(&reference, sample->rows, sample->count);
	for (size_t i = 0; i < COUNT(walks); i++) {
		const char *policy = walks[i].policy;
		struct fathom_result *result =
			unit_evaluate(sample->tree, policy, walks[i].setting);
		const double *rank = unit_column(result, policy, "rank");

		reference_ranks(&reference, walks[i].mode, expected);
		for (size_t row = 0; row < sample->count; row++) {
			size_t node = fathom_tree_node_of_row(sample->tree, row);

			if (sample->rows[row].kind == FATHOM_USER)
				CHECK_SAMPLE(sample, rank[node] == expected[row],
					     "%s %s: n%zu: rank %g, must be %g", policy,
					     walks[i].setting ? walks[i].setting : "", row + 1,
					     rank[node], expected[row]);
		}
	}
}

TEST_LOOP(fair_tree_is_the_reference, suite_rounds(LOOPS))
{
	each_tree((uint64_t)_i, false, compare_fair_tree);
}

static const struct { const char *setting; double initial, unknown; } starts[] = {
	{ NULL, 0, 0 }, { "initial_usage=1", 1, 0 }, { "initial_usage=2.5", 2.5, 0 },
	{ "unknown_shares=3", 0, 3 },
};

static void compare_pbs(struct sample *sample)
{
	struct reference reference;

	reference_read(&reference, sample->rows, sample->count);
	for (size_t i = 0; i < COUNT(starts); i++) {
		struct reference_pbs pbs = { &reference, starts[i].initial, starts[i].unknown };
		struct fathom_result *result =
			unit_evaluate(sample->tree, "pbs", starts[i].setting);

		for (int n = 0; n < (int)sample->count; n++) {
			size_t node = fathom_tree_node_of_row(sample->tree, (size_t)n);
			double usage = fathom_result_usage(result)[node];
			double perc = fathom_result_norm_shares(result)[node];
			double u_e = fathom_result_effective_usage(result)[node];
			double f = fathom_result_factor(result)[node];
			double f_told = reference_pbs_factor(&pbs, n);

			CHECK_SAMPLE(sample, near(usage, reference_pbs_usage(&pbs, n)),
				     "n%d: usage %.17g", n + 1, usage);
			CHECK_SAMPLE(sample, near(perc, reference_pbs_perc(&pbs, n)),
				     "n%d: perc %.17g", n + 1, perc);
			CHECK_SAMPLE(sample, near(u_e, reference_pbs_tree_usage(&pbs, n)),
				     "n%d: tree_usage %.17g", n + 1, u_e);
			CHECK_SAMPLE(sample, same_factor(f, f_told),
				     "n%d: factor %.17g, must be %.17g", n + 1, f, f_told);
		}
	}
}

TEST_LOOP(pbs_is_the_reference, suite_rounds(LOOPS))
{
	each_tree((uint64_t)_i, false, compare_pbs);
}

static void compare_paths(struct sample *sample)
{
	struct fathom_result *result = unit_evaluate(sample->tree, "pbs", NULL);
	double usage[REFERENCE_MAX], perc[REFERENCE_MAX];
	size_t node[REFERENCE_MAX];
	struct reference reference;

	reference_read(&reference, sample->rows, sample->count);
	for (size_t row = 0; row < sample->count; row++) {
		node[row] = fathom_tree_node_of_row(sample->tree, row);
		usage[row] = fathom_result_usage(result)[node[row]];
		perc[row] = fathom_result_norm_shares(result)[node[row]];
	}
	for (int a = 0; a < (int)sample->count; a++)
		for (int b = 0; b < (int)sample->count; b++) {
			int order = fathom_path_compare(result, sample->tree, node[a], node[b]);

			CHECK_SAMPLE(sample,
				     order == reference_pbs_order(&reference, usage, perc, a, b),
				     "n%d and n%d: %d", a + 1, b + 1, order);
		}
}

static void rank_paths(struct sample *sample)
{
	struct fathom_result *by_factor = unit_evaluate(sample->tree, "pbs", NULL);
	struct fathom_result *by_path = unit_evaluate(sample->tree, "pbs", "order=path");
	size_t count = sample->count, users = 0;

	for (size_t node = 0; node < count; node++)
		users += fathom_tree_kind(sample->tree, node) == FATHOM_USER;
	for (size_t node = 0; node < count; node++) {
		double factor = fathom_result_factor(by_path)[node];
		size_t before = 0;

		if (fathom_tree_kind(sample->tree, node) != FATHOM_USER)
			continue;
		for (size_t other = 0; other < count; other++)
			before += fathom_tree_kind(sample->tree, other) == FATHOM_USER &&
				  fathom_path_compare(by_factor, sample->tree, other, node) < 0;
		CHECK_SAMPLE(sample, factor == (double)(users - before) / (double)users,
			     "node %zu: factor %.17g, %zu users before", node, factor, before);
	}
}

TEST_LOOP(ranks_of_paths_count_who_goes_before, suite_rounds(FEW_LOOPS))
{
	each_tree((uint64_t)_i, false, rank_paths);
}

TEST_LOOP(order_of_paths_is_the_reference, suite_rounds(FEW_LOOPS))
{
	each_tree((uint64_t)_i, false, compare_paths);
}

/* ---- properties of section 1.3 -------------------------------------------------------------- */

static void sum_shares(struct sample *sample)
{
	double sum = 0;

	for (size_t node = 0; node < sample->count; node++)
		if (fathom_tree_kind(sample->tree, node) == FATHOM_USER)
			sum += fathom_tree_norm_shares(sample->tree, node);
	CHECK_SAMPLE(sample, fabs(sum - 1) < 1e-12, "sum of S is %.17g", sum);
}

TEST_LOOP(shares_of_all_users_add_up_to_1, suite_rounds(FEW_LOOPS))
{
	each_tree((uint64_t)_i, true, sum_shares);
}

/* Beside each policy with its default settings. */
static const struct { const char *policy, *setting; } bounds[] = {
	{ "classic", "dampening_factor=0.001" }, { "depth-oblivious", "dampening_factor=1000" },
	{ "fair-tree", "tie_mode=slurm" }, { "fair-tree", "tie_mode=flux" },
	{ "lsf", "fairshare_adjustment_factor=1" }, { "pbs", "initial_usage=1" },
	{ "pbs", "unknown_shares=3" },
};

static void bound_factors_under(struct sample *sample, const char *policy, const char *setting)
{
	struct fathom_result *result = unit_evaluate(sample->tree, policy, setting);
	const double *factor = fathom_result_factor(result);

	for (size_t node = 0; node < sample->count; node++) {
		bool user = fathom_tree_kind(sample->tree, node) == FATHOM_USER;

		CHECK_SAMPLE(sample, (factor[node] >= 0 && factor[node] <= 1) ||
				     (!user && isnan(factor[node])),
			     "%s %s: F %g", policy, setting ? setting : "", factor[node]);
	}
	CHECK_SAMPLE(sample, isnan(factor[0]), "%s: F of the root", policy);
}

static void bound_factors(struct sample *sample)
{
	draw_resources(sample);
	for (size_t i = 0; i < fathom_policy_count(); i++)
		bound_factors_under(sample, fathom_policy_name(fathom_policy_at(i)), NULL);
	for (size_t i = 0; i < COUNT(bounds); i++)
		bound_factors_under(sample, bounds[i].policy, bounds[i].setting);
}

TEST_LOOP(factors_lie_in_0_to_1, suite_rounds(FEW_LOOPS))
{
	each_tree((uint64_t)_i, false, bound_factors);
}

static void bound_effective_usage(struct sample *sample)
{
	struct fathom_result *result = unit_evaluate(sample->tree, "classic", NULL);
	const double *u = fathom_result_norm_usage(result),
		     *u_e = fathom_result_effective_usage(result);

	for (size_t node = 1; node < sample->count; node++) {
		double of_parent = u_e[fathom_tree_fs_parent(sample->tree, node)];

		CHECK_SAMPLE(sample, u_e[node] >= fmin(u[node], of_parent) - 1e-15 &&
				     u_e[node] <= fmax(u[node], of_parent) + 1e-15,
			     "U_E %g is not between %g and %g", u_e[node], u[node], of_parent);
	}
}

TEST_LOOP(classic_usage_lies_between_own_and_the_accounts, suite_rounds(FEW_LOOPS))
{
	each_tree((uint64_t)_i, false, bound_effective_usage);
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorted, each rank is its place or that of the one before. */
static void sort_ranks(struct sample *sample)
{
	for (size_t walk = 0; walk < COUNT(walks); walk++) {
		const char *policy = walks[walk].policy;
		struct fathom_result *result =
			unit_evaluate(sample->tree, policy, walks[walk].setting);
		const double *rank = unit_column(result, policy, "rank");
		double sorted[REFERENCE_MAX];
		size_t users = 0;

		for (size_t node = 0; node < sample->count; node++)
			if (fathom_tree_kind(sample->tree, node) == FATHOM_USER)
				sorted[users++] = rank[node];
		CHECK_SAMPLE(sample, users == fathom_tree_user_count(sample->tree), "%zu users",
			     users);
		qsort(sorted, users, sizeof(*sorted), ascending);
		for (size_t i = 0; i < users; i++)
			CHECK_SAMPLE(sample,
				     sorted[i] == (double)(i + 1) ||
					     (i && sorted[i] == sorted[i - 1]),
				     "%s %zu: rank %g at place %zu", policy, walk, sorted[i],
				     i + 1);
	}
}

TEST_LOOP(ranks_are_a_permutation_up_to_ties, suite_rounds(FEW_LOOPS))
{
	each_tree((uint64_t)_i, false, sort_ranks);
}

/* ---- lsf ------------------------------------------------------------------------------------ */

static const char *const lsf_sets[] = {
	NULL, "run_job_factor=0", "enable_hist_run_time=yes", "committed_run_time_factor=1",
	"fairshare_adjustment_factor=0.001", "cpu_time_factor=0",
};

/* By row: the sum over all rows below, found by climbing from each. */
static double lsf_sum(const struct sample *sample, size_t of, int resource)
{
	double sum = 0;

	for (size_t row = 0; row < sample->count; row++) {
		size_t at = row;

		while (at != of && !sample->rows[at].is_root)
			at = (size_t)sample->rows[at].parent_id - 1;
		if (at == of)
			sum += resource < 0 ? sample->rows[row].usage :
			       sample->holds[resource] ? sample->held[row].amount[resource] : 0;
	}
	return sum;
}

static size_t lsf_fs_parent(const struct sample *sample, size_t row)
{
	do
		row = (size_t)sample->rows[row].parent_id - 1;
	while (!sample->rows[row].is_root && sample->rows[row].raw_shares == PARENT);
	return row;
}

/* The formula as the document writes it. */
static double lsf_priority(const struct sample *sample, size_t row, int set)
{
	double shares = sample->rows[row].is_root ? 1 : sample->rows[row].raw_shares, divisor;
	double run_time = lsf_sum(sample, row,
				  sample->holds[FATHOM_RUN_TIME] ? FATHOM_RUN_TIME : -1) /
			  3600;
	double hist_run_time = lsf_sum(sample, row, FATHOM_HIST_RUN_TIME) / 3600;

	if (!sample->rows[row].is_root && sample->rows[row].raw_shares == PARENT)
		return lsf_priority(sample, lsf_fs_parent(sample, row), set);
	divisor = lsf_sum(sample, row, FATHOM_CPU_TIME) / 3600 * (set == 5 ? 0 : 0.7) +
		  (run_time + (set == 2 ? hist_run_time : 0)) * 0.7 +
		  (lsf_sum(sample, row, FATHOM_COMMITTED_RUN_TIME) / 3600 - run_time) * (set == 3) +
		  (1 + lsf_sum(sample, row, FATHOM_JOB_SLOTS)) * (set == 1 ? 0 : 3) +
		  lsf_sum(sample, row, FATHOM_ADJUSTMENT) * (set == 4 ? 0.001 : 0);
	return shares / fmax(divisor, 0.01);
}

/* Of two users: is `a` served first for certain? Where their paths part, levels are compared. */
static bool lsf_goes_first(struct sample *sample, const double *priority, size_t a, size_t b)
{
	size_t up_a[REFERENCE_MAX], up_b[REFERENCE_MAX], m = 0, n = 0;

	for (up_a[0] = a; up_a[m]; m++)
		up_a[m + 1] = lsf_fs_parent(sample, up_a[m]);
	for (up_b[0] = b; up_b[n]; n++)
		up_b[n + 1] = lsf_fs_parent(sample, up_b[n]);
	while (up_a[m] == up_b[n]) {
		m--;
		n--;
	}
	a = up_a[m];
	b = up_b[n];
	return priority[fathom_tree_node_of_row(sample->tree, a)] * (1 - 1e-12) >
	       priority[fathom_tree_node_of_row(sample->tree, b)];
}

static void check_order(struct sample *sample, const double *priority, const double *order)
{
	double users = (double)fathom_tree_user_count(sample->tree);

	for (size_t a = 0; a < sample->count; a++) {
		size_t node = fathom_tree_node_of_row(sample->tree, a);
		double place = 1;

		if (sample->rows[a].kind != FATHOM_USER) {
			CHECK_SAMPLE(sample, isnan(order[node]), "n%zu: order of an account",
				     a + 1);
			continue;
		}
		for (size_t b = 1; b < sample->count; b++)
			place += b != a && sample->rows[b].kind == FATHOM_USER &&
				 lsf_goes_first(sample, priority, b, a);
		CHECK_SAMPLE(sample, order[node] == place && place <= users,
			     "n%zu: order %g, must be %g", a + 1, order[node], place);
	}
}

static void compare_lsf(struct sample *sample)
{
	draw_resources(sample);
	for (int set = 0; set < (int)COUNT(lsf_sets); set++) {
		struct fathom_result *result = unit_evaluate(sample->tree, "lsf", lsf_sets[set]);
		const double *priority = unit_column(result, "lsf", "dynamic_priority");

		for (size_t row = 0; row < sample->count; row++) {
			size_t node = fathom_tree_node_of_row(sample->tree, row);
			bool transparent = row && sample->rows[row].kind == FATHOM_ACCOUNT &&
					   sample->rows[row].raw_shares == PARENT;
			double told = transparent ? NAN : lsf_priority(sample, row, set);

			CHECK_SAMPLE(sample, near(priority[node], told),
				     "n%zu: priority %.17g, must be %.17g", row + 1, priority[node],
				     told);
		}
		check_order(sample, priority, unit_column(result, "lsf", "order"));
	}
}

TEST_LOOP(lsf_is_the_reference, suite_rounds(LOOPS))
{
	each_tree((uint64_t)_i, false, compare_lsf);
}

/* More of anything at one node: neither it nor an account above it rises. */
static void hold_more(struct sample *sample)
{
	struct fathom_result *before, *after;
	int more = (int)unit_random_below(&sample->random, FATHOM_RESOURCE_COUNT);
	size_t row = unit_random_below(&sample->random, (uint32_t)sample->count);
	const char *set = more == FATHOM_COMMITTED_RUN_TIME ? lsf_sets[3] :
			  more == FATHOM_ADJUSTMENT ? lsf_sets[4] : lsf_sets[2];
	size_t node;

	draw_resources(sample);
	sample->holds[more] = sample->holds[FATHOM_RUN_TIME] = true;
	plant(sample);
	before = unit_evaluate(sample->tree, "lsf", set);
	sample->held[row].amount[more] += 100 * small(sample);
	plant(sample);
	after = unit_evaluate(sample->tree, "lsf", set);
	for (node = fathom_tree_node_of_row(sample->tree, row); node;
	     node = fathom_tree_parent(sample->tree, node)) {
		double b = unit_column(before, "lsf", "dynamic_priority")[node];
		double a = unit_column(after, "lsf", "dynamic_priority")[node];

		CHECK_SAMPLE(sample, !(a > b), "n%zu: %g, then %g", row + 1, b, a);
	}
}

TEST_LOOP(more_use_raises_nobodys_own_priority, suite_rounds(LOOPS))
{
	each_tree((uint64_t)_i, false, hold_more);
}

/* ---- changes that change nothing -------------------------------------------------------------
 */

/* new_row: where each row of `a` is in `b`. */
static void assert_same(struct sample *a, struct sample *b, const size_t *new_row,
			const char *policy, const char *setting)
{
	struct fathom_result *one = unit_evaluate(a->tree, policy, setting);
	struct fathom_result *two = unit_evaluate(b->tree, policy, setting);

	for (size_t row = 0; row < a->count; row++) {
		size_t m = fathom_tree_node_of_row(a->tree, row);
		size_t n = fathom_tree_node_of_row(b->tree, new_row ? new_row[row] : row);
		double f = fathom_result_factor(one)[m], g = fathom_result_factor(two)[n];

		CHECK_SAMPLE(a, same_factor(f, g),
			     "%s %s: n%zu: F %.17g and %.17g", policy, setting ? setting : "",
			     row + 1, f, g);
	}
}

/* Under each policy with its default settings, but for those for which it does not hold: names,
 * or NULL. */
static void assert_all_same(struct sample *a, struct sample *b, const size_t *new_row,
			    const char *but, const char *nor)
{
	for (size_t i = 0; i < fathom_policy_count(); i++) {
		const char *policy = fathom_policy_name(fathom_policy_at(i));

		if ((!but || strcmp(policy, but)) && (!nor || strcmp(policy, nor)))
			assert_same(a, b, new_row, policy, NULL);
	}
}

static struct sample copy(const struct sample *sample)
{
	struct sample other = *sample;

	other.tree = NULL;
	return other;
}

static void scale_usage(struct sample *sample)
{
	/* the last ones round; flux and slurm, whose ties are of the last digit, may see that; lsf
	 * adds usage to slots of jobs */
	static const double factors[] = { 1024, 0x1p-20, 3, 1e12, 1e-6, 1 / 7. };
	struct sample other = copy(sample);
	uint32_t i = unit_random_below(&sample->random, COUNT(factors));

	for (size_t row = 0; row < other.count; row++)
		other.rows[row].usage *= factors[i];
	plant(&other);
	assert_all_same(sample, &other, NULL, "lsf", i < COUNT(factors) - 2 ? NULL : "flux");
	if (i < 2)
		assert_same(sample, &other, NULL, "fair-tree", modes[REFERENCE_SLURM]);
	clear(&other);
}

TEST_LOOP(usage_in_another_unit_changes_nothing, suite_rounds(FEW_LOOPS))
{
	each_tree((uint64_t)_i, false, scale_usage);
}

static void scale_level(struct sample *sample)
{
	struct sample other = copy(sample);
	int64_t account = draw_account(sample);
	size_t fs_parent = 0, times = 2 + unit_random_below(&sample->random, 1000);

	for (size_t row = 0; row < sample->count; row++)
		if (sample->rows[row].id == account)
			fs_parent = fathom_tree_node_of_row(sample->tree, row);
	for (size_t row = 1; row < sample->count; row++) {
		size_t node = fathom_tree_node_of_row(sample->tree, row);

		if (fathom_tree_fs_parent(sample->tree, node) == fs_parent &&
		    sample->rows[row].raw_shares != PARENT)
			other.rows[row].raw_shares *= (uint32_t)times;
	}
	plant(&other);
	/* the ties of lsf, too, are of the last digit */
	assert_all_same(sample, &other, NULL, "lsf", NULL);
	assert_same(sample, &other, NULL, "fair-tree", modes[REFERENCE_SLURM]);
	assert_same(sample, &other, NULL, "pbs", "initial_usage=1");
	clear(&other);
}

TEST_LOOP(shares_of_a_level_in_another_unit_change_nothing, suite_rounds(FEW_LOOPS))
{
	each_tree((uint64_t)_i, false, scale_level);
}

/* Below any account, above any of its children. */
static void insert_transparent(struct sample *sample)
{
	struct sample other = copy(sample);
	int64_t below = draw_account(sample), id = (int64_t)sample->count + 1000;

	other.rows[other.count++] =
		(struct fathom_row){ .id = id, .parent_id = below, .raw_shares = PARENT };
	for (size_t row = 1; row + 1 < other.count; row++)
		if (other.rows[row].parent_id == below && one_in(sample, 2))
			other.rows[row].parent_id = id;
	plant(&other);
	assert_all_same(sample, &other, NULL, NULL, NULL);
	assert_same(sample, &other, NULL, "fair-tree", modes[REFERENCE_SLURM]);
	assert_same(sample, &other, NULL, "pbs", "unknown_shares=3");
	assert_same(sample, &other, NULL, "pbs", "initial_usage=1");
	clear(&other);
}

TEST_LOOP(transparent_account_changes_nobody, suite_rounds(FEW_LOOPS))
{
	each_tree((uint64_t)_i, false, insert_transparent);
}

/* Position decides where siblings are equal, and nowhere else: what is compared is the same
 * everywhere, and where no siblings are equal, so are the factors. */
static void assert_same_but_for_equals(struct sample *a, struct sample *b, const size_t *new_row,
				       const char *policy, const char *setting,
				       const char *compared)
{
	struct fathom_result *one = unit_evaluate(a->tree, policy, setting);
	struct fathom_result *two = unit_evaluate(b->tree, policy, setting);
	const double *value = unit_column(one, policy, compared);
	bool equals = false;

	for (size_t row = 0; row < a->count; row++) {
		size_t node = fathom_tree_node_of_row(a->tree, row);
		double other = unit_column(two, policy, compared)
			[fathom_tree_node_of_row(b->tree, new_row[row])];

		CHECK_SAMPLE(a, near(value[node], other), "%s: n%zu: %s %.17g and %.17g", policy,
			     row + 1, compared, value[node], other);
		for (size_t n = 1; row && n < node; n++)
			equals |= fathom_tree_fs_parent(a->tree, n) ==
					  fathom_tree_fs_parent(a->tree, node) &&
				  near(value[n], value[node]);
	}
	if (!equals)
		assert_same(a, b, new_row, policy, setting);
}

static void permute(struct sample *sample)
{
	struct sample other = copy(sample);
	size_t new_row[REFERENCE_MAX];

	draw_resources(sample);
	memcpy(other.held, sample->held, sizeof(other.held));
	memcpy(other.holds, sample->holds, sizeof(other.holds));
	for (size_t i = 0; i < sample->count; i++) {
		size_t j = unit_random_below(&sample->random, (uint32_t)i + 1);

		/* row j's former content goes to i, row i's to j (inside-out shuffle) */
		other.rows[i] = other.rows[j];
		other.rows[j] = sample->rows[i];
	}
	for (size_t i = 0; i < sample->count; i++)
		for (size_t j = 0; j < sample->count; j++)
			if (other.rows[j].id == sample->rows[i].id)
				new_row[i] = j;
	plant(&other);
	assert_all_same(sample, &other, new_row, "lsf", NULL);
	assert_same(sample, &other, new_row, "pbs", "initial_usage=1");
	assert_same_but_for_equals(sample, &other, new_row, "lsf", NULL, "dynamic_priority");
	assert_same_but_for_equals(sample, &other, new_row, "fair-tree", modes[REFERENCE_SLURM],
				   "level_fs");
	clear(&other);
}

TEST_LOOP(order_of_rows_changes_nothing, suite_rounds(FEW_LOOPS))
{
	each_tree((uint64_t)_i, false, permute);
}

/* Hundreds of changes in place end where a new tree begins. */
static void change_in_place(struct sample *sample)
{
	struct sample other = copy(sample);

	for (int step = 0; step < 30 && sample->count > 1; step++) {
		size_t row = 1 + unit_random_below(&sample->random, (uint32_t)sample->count - 1);
		size_t node = fathom_tree_node_of_row(sample->tree, row);

		sample->rows[row].raw_shares = draw_shares(sample);
		sample->rows[row].usage = unit_random_below(&sample->random, 12);
		fathom_tree_set_raw_shares(sample->tree, node, sample->rows[row].raw_shares);
		fathom_tree_set_own_usage(sample->tree, node, sample->rows[row].usage);
		if (one_in(sample, 5))
			fathom_tree_settle(sample->tree);
	}
	fathom_tree_settle(sample->tree);
	memcpy(other.rows, sample->rows, sizeof(other.rows));
	plant(&other);
	assert_all_same(sample, &other, NULL, NULL, NULL);
	assert_same(sample, &other, NULL, "fair-tree", modes[REFERENCE_SLURM]);
	clear(&other);
}

TEST_LOOP(changes_in_place_equal_a_new_tree, suite_rounds(FEW_LOOPS))
{
	each_tree((uint64_t)_i, false, change_in_place);
}

/* Where usage starts above 0 this does not hold: whoever is alone at the start
 * has all of the root's usage, and less than all with usage of his own. Nor does it under
 * depth-oblivious. */
static void use_more(struct sample *sample)
{
	struct sample other = copy(sample);
	size_t row = unit_random_below(&sample->random, (uint32_t)sample->count);
	size_t node = fathom_tree_node_of_row(sample->tree, row);

	if (sample->rows[row].kind != FATHOM_USER)
		return;
	other.rows[row].usage += small(sample);
	plant(&other);
	for (size_t i = 0; i < fathom_policy_count(); i++) {
		const char *policy = fathom_policy_name(fathom_policy_at(i));
		struct fathom_result *one = unit_evaluate(sample->tree, policy, NULL);
		struct fathom_result *two = unit_evaluate(other.tree, policy, NULL);
		double before = fathom_result_factor(one)[node];
		double after = fathom_result_factor(two)[node];

		CHECK_SAMPLE(sample, after <= before || same_factor(after, before) ||
				     !strcmp(policy, "depth-oblivious"),
			     "%s: n%zu with usage %g: F %.17g, was %.17g", policy, row + 1,
			     other.rows[row].usage, after, before);
	}
	clear(&other);
}

TEST_LOOP(more_usage_never_raises_ones_own_factor, suite_rounds(LOOPS))
{
	each_tree((uint64_t)_i, false, use_more);
}
