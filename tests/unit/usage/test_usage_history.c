/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Histories of jobs at random, second by second: what the ledger charges, and
 * what totals and a policy's sums make of it, must be what each second of each
 * run comes to. Jobs start, pause, are resized, requeued and end, told or not;
 * rounds come when they come, may be interrupted, and reset usage; restarts
 * begin with what was saved at the last round.
 */
#include "../unit.h"

#define JOBS 7
#define NODES 6
#define QOS 3
#define TRES 4
#define SECONDS 3000
#define CLOSE 1e-9		/* relative; roundings of some thousand sums */
#define GPU 3

static const struct fathom_tres_indexes places =
	{ .cpus = 0, .nodes = 1, .memory = 2, .gpus = GPU };

/* What a history may have in it. */
static const struct kind {
	double half_life;
	bool told;		/* of ends and resizes, as with limits */
	bool skip_pauses, crashes, resets;
	const char *policy;
} kinds[] = {
	{ 0, false, false, false, false, "lsf" },
	{ 900, false, false, false, false, "pbs" },
	{ 900, true, false, false, false, "flux" },
	{ 0, true, true, false, false, "lsf" },
	{ 900, false, true, false, false, "flux" },
	{ 900, true, true, false, true, "pbs" },
	{ 900, true, false, true, false, "lsf" },
	{ 900, false, false, true, true, "lsf" },
	{ 0, true, false, true, true, "flux" },
	{ 300, false, true, true, true, "pbs" },
	{ 300, true, true, false, true, "fair-tree" },
};

/* ---- the world ------------------------------------------------------------------- */

enum state { NONE, WAITS, RUNS, STANDS, HAS_ENDED };

struct job {
	enum state state;
	uint64_t id;
	uint32_t association, account, qos, partition_qos;
	double cpus, nodes, factor, limit;
	double start, resized, switched, ran_before, end, requeued;
	double ran;		/* that counts for the policy: since a reset, less pauses */
	double ran_all;		/* the same, without resets */
	bool is_released;	/* its end was told of */
	bool has_paused, has_resized, has_requeued;	/* since the last round */
};

struct amounts {
	double billing, wall, tres[TRES];
	uint64_t reserved[TRES];
};

/* All that is saved. */
struct books {
	double time;
	struct amounts own[NODES], qos[QOS], plain_qos[QOS];
};

static const struct kind *kind;
static struct unit_random seed;
static double now;
static bool in_round;		/* jobs start and end meanwhile, and do nothing else */
static struct job jobs[JOBS];
static uint64_t last_id;
static struct books truth, books, saved;
static struct { double cpu_time, hist, pbs, flux, usage; } truth_sums[NODES];

static struct unit_tree tree;
static struct fathom_node_index *nodes_by_id;
static struct fathom_ledger *ledger;
static struct fathom_policy_sums *sums;
static struct fathom_settings settings;

static struct fathom_ledger_row saved_row[2 * JOBS];
static uint64_t saved_tres[2 * JOBS][TRES];
static struct fathom_policy_sums_row saved_sum[NODES];
static size_t saved_count, saved_sums;
static double saved_since;

static uint32_t below(uint32_t limit)
{
	return unit_random_below(&seed, limit);
}

static bool runs(const struct job *job)
{
	return job->state == RUNS || job->state == STANDS;
}

static bool is_charged_now(const struct job *job)
{
	return job->state == RUNS || (job->state == STANDS && !kind->skip_pauses);
}

static double billing_of(const struct job *job)
{
	return job->cpus + 2;
}

static void counts_of(const struct job *job, uint64_t tres[TRES])
{
	tres[0] = (uint64_t)job->cpus;
	tres[1] = (uint64_t)job->nodes;
	tres[2] = 1000;
	tres[GPU] = job->id % 3;
}

/* ---- what each second comes to ----------------------------------------------------- */

static void scale(struct amounts *amounts, double by)
{
	amounts->billing *= by;
	amounts->wall *= by;
	for (int i = 0; i < TRES; i++)
		amounts->tres[i] *= by;
}

static void add_second(struct amounts *amounts, const struct job *job, double seconds)
{
	uint64_t tres[TRES];

	counts_of(job, tres);
	amounts->billing += seconds * job->factor * billing_of(job);
	amounts->wall += seconds * job->factor;
	for (int i = 0; i < TRES; i++)
		amounts->tres[i] += seconds * job->factor * (double)tres[i];
}

static double policy_half_life(void)
{
	return fathom_policy_half_life(fathom_policy_find(kind->policy), &settings,
				       kind->half_life);
}

static uint32_t node_of(const struct job *job)
{
	return fathom_node_index_heir(nodes_by_id, job->association, 0);
}

static void live_through(struct job *job)
{
	double second = fathom_decayed_seconds(0, 1, 1, kind->half_life);
	double policys = fathom_decayed_seconds(0, 1, 1, policy_half_life());
	uint32_t node = node_of(job);

	if (!is_charged_now(job))
		return;
	add_second(&truth.own[node], job, second);
	add_second(&truth.qos[job->qos], job, second);
	add_second(&truth.plain_qos[job->qos], job, 1);
	if (job->partition_qos) {
		add_second(&truth.qos[job->partition_qos], job, second);
		add_second(&truth.plain_qos[job->partition_qos], job, 1);
	}
	truth_sums[node].cpu_time += policys * job->factor * job->cpus;
	truth_sums[node].pbs += policys * job->factor * job->cpus;
	truth_sums[node].usage += policys * job->factor * billing_of(job);
	job->ran++;
	job->ran_all++;
}

static void live_a_second(void)
{
	double left = fathom_decay(1, kind->half_life);
	double policys = fathom_decay(1, policy_half_life());

	for (int i = 0; i < NODES; i++) {
		scale(&truth.own[i], left);
		truth_sums[i].cpu_time *= policys;
		truth_sums[i].hist *= policys;
		truth_sums[i].pbs *= policys;
		truth_sums[i].flux *= policys;
		truth_sums[i].usage *= policys;
	}
	for (int i = 0; i < QOS; i++)
		scale(&truth.qos[i], left);
	for (int i = 0; i < JOBS; i++)
		live_through(&jobs[i]);
	now++;
}

static void count_end(const struct job *job)
{
	uint32_t node = node_of(job);

	truth_sums[node].hist += job->factor * job->ran;
	truth_sums[node].flux += job->factor * job->nodes * job->ran;
}

static void reset_truth(void)
{
	memset(truth.own, 0, sizeof(truth.own));
	memset(truth.qos, 0, sizeof(truth.qos));
	memset(truth.plain_qos, 0, sizeof(truth.plain_qos));
	memset(truth_sums, 0, sizeof(truth_sums));
	for (int i = 0; i < JOBS; i++)
		jobs[i].ran = 0;
}

/* ---- what limits have reserved ------------------------------------------------------- */

static void reserve(const struct job *job)
{
	uint64_t tres[TRES], seconds = (uint64_t)(job->limit * job->factor);
	uint32_t node = node_of(job);

	counts_of(job, tres);
	for (int i = 0; i < TRES && kind->told; i++)
		books.own[node].reserved[i] += seconds * tres[i];
}

/* What is reserved yet of all that runs. */
static uint64_t reserved_yet(uint32_t node, int which)
{
	uint64_t sum = 0, tres[TRES];

	for (int i = 0; i < JOBS; i++) {
		const struct job *job = &jobs[i];
		double ran = fmin(now - job->start, job->limit);

		if (!runs(job) || node_of(job) != node)
			continue;
		counts_of(job, tres);
		sum += tres[which] * ((uint64_t)(job->limit * job->factor) -
				      (uint64_t)(ran * job->factor));
	}
	return sum;
}

/* A restart counts whole time limits of what runs then. */
static void reserve_anew(void)
{
	for (int i = 0; i < NODES; i++)
		memset(books.own[i].reserved, 0, sizeof(books.own[i].reserved));
	for (int i = 0; i < JOBS; i++)
		if (runs(&jobs[i]))
			reserve(&jobs[i]);
}

/* ---- the books ----------------------------------------------------------------------- */

static struct fathom_sum_rules sum_rules(void)
{
	return (struct fathom_sum_rules){ .policy = fathom_policy_find(kind->policy),
					  .settings = &settings, .half_life = kind->half_life,
					  .tres = places };
}

static void add_amount(struct amounts *to, const struct fathom_amount *amount)
{
	if (!amount)
		return;
	to->billing += amount->billing;
	to->wall += amount->wall;
	for (int i = 0; i < TRES; i++)
		to->tres[i] += amount->tres[i];
}

static void give_back(const struct fathom_charge *charge)
{
	uint32_t node = fathom_node_index_heir(nodes_by_id, charge->run.id.association, 0);

	for (int i = 0; i < TRES; i++) {
		uint64_t released = charge->released * charge->run.rate.tres[i];

		ck_assert_uint_le(released, books.own[node].reserved[i]);
		books.own[node].reserved[i] -= released;
	}
}

static struct fathom_charges *create_charges(double seen)
{
	const struct fathom_charge_rules rules = { kind->half_life, seen, kind->skip_pauses, true };
	struct fathom_charges *charges = fathom_charges_create(&rules);

	ck_assert_ptr_nonnull(charges);
	return charges;
}

static void book_charges(struct fathom_charges *charges)
{
	const struct fathom_sum_rules rules = sum_rules();
	struct fathom_charge_totals *totals =
		fathom_charge_totals_create(tree.tree, nodes_by_id, charges, false, TRES);
	struct fathom_qos_totals *of_qos = fathom_qos_totals_create(charges, TRES);

	ck_assert(totals && of_qos);
	for (uint32_t i = 0; i < NODES; i++)
		add_amount(&books.own[i], fathom_charge_totals_at(totals, i));
	for (uint32_t i = 1; i < QOS; i++) {
		add_amount(&books.plain_qos[i], fathom_qos_totals_at(of_qos, i, false));
		add_amount(&books.qos[i], fathom_qos_totals_at(of_qos, i, true));
	}
	for (size_t i = 0; i < fathom_charges_count(charges); i++) {
		give_back(fathom_charges_at(charges, i));
		ck_assert_int_eq(fathom_policy_sums_add(sums, &rules,
							fathom_charges_at(charges, i)),
				 0);
	}
	fathom_charge_totals_destroy(totals);
	fathom_qos_totals_destroy(of_qos);
	fathom_charges_destroy(charges);
}

/* The ledger is to make copies: what it was shown is overwritten. */
static struct fathom_observed_job observed(const struct job *job)
{
	static uint64_t tres[TRES];
	static char partition[16];

	counts_of(job, tres);
	strcpy(partition, job->qos == 1 ? "batch" : "debug");
	return (struct fathom_observed_job){
		.run.id = { job->id, job->association, job->account, job->qos, job->partition_qos,
			    0, 0, partition },
		.run.rate = { billing_of(job), job->factor, job->limit, tres, TRES },
		.start = job->start,
		.resized = job->resized,
		.requeued = job->requeued,
		.switched = job->switched,
		.ran = job->ran_before,
		.suspended = job->state == STANDS,
		.reserved = kind->told && !job->is_released ? job->limit : -1,
	};
}

/* ---- what happens ----------------------------------------------------------------------- */

static void submit(struct job *job)
{
	static const uint32_t association[] = { 3, 4, 6, 2 };
	static const double factors[] = { 1, .5, 2, 0 };
	uint32_t who = below(4);

	*job = (struct job){
		.state = WAITS, .id = ++last_id, .association = association[who],
		.account = 2, .qos = 1 + below(2), .partition_qos = below(3) ? 0 : 1 + below(2),
		.cpus = 1 + below(16), .nodes = 1 + below(3), .factor = factors[below(4)],
		.limit = 60 * (1 + below(10)),
	};
	if (job->partition_qos == job->qos)
		job->partition_qos = 0;
}

static void start(struct job *job)
{
	job->state = RUNS;
	job->start = now;
	job->resized = job->switched = job->ran_before = job->end = 0;
	job->ran = job->ran_all = 0;
	job->is_released = false;
	reserve(job);
}

static void tell_of_end(struct job *job)
{
	struct fathom_charges *charges = create_charges(books.time);
	struct fathom_observed_job seen = observed(job);

	ck_assert_int_eq(fathom_ledger_end(ledger, &seen, job->end, charges), 0);
	book_charges(charges);
	job->is_released = true;
}

static void end(struct job *job)
{
	if (job->state == STANDS) {	/* until then */
		job->switched = now;
		job->state = RUNS;
	}
	count_end(job);
	job->end = now;
	job->state = HAS_ENDED;
	if (kind->told)
		tell_of_end(job);
}

static void pause_or_resume(struct job *job)
{
	if (job->state == RUNS) {
		if (job->has_paused && kind->skip_pauses)
			return;		/* of several pauses the place is not known */
		job->ran_before += now - (job->switched > 0 ? job->switched : job->start);
		job->state = STANDS;
	} else {
		job->state = RUNS;
	}
	job->has_paused = true;
	job->switched = now;
}

/* A run that no round has met yet is not known but by what is told of it. */
static bool is_known(const struct job *job)
{
	return job->start < books.time && now > books.time;
}

static bool may_resize(const struct job *job)
{
	if (job->state != RUNS || job->has_resized || now <= job->start ||
	    (job->has_paused && kind->skip_pauses))
		return false;
	return is_known(job) || (kind->told && !kind->crashes);
}

static void resize(struct job *job)
{
	struct fathom_charges *charges = create_charges(books.time);
	struct fathom_observed_job seen = observed(job);

	if (kind->told)
		ck_assert_int_eq(fathom_ledger_resize(ledger, &seen, now, charges), 0);
	book_charges(charges);
	job->cpus = 1 + below(16);
	job->resized = now;
	job->has_resized = true;
	if (kind->told)
		reserve(job);
}

static void round_at_once(void);

static void requeue(struct job *job)
{
	if (job->state != RUNS || job->has_requeued || job->has_paused || job->has_resized ||
	    job->start >= now || !(is_known(job) || kind->told))
		return;
	end(job);
	job->state = WAITS;
	job->requeued = now;
	job->has_requeued = true;
	if (below(2))
		fathom_ledger_requeue(ledger, job->id, now);
	if (kind->crashes)	/* a record does not tell of the run before */
		round_at_once();
}

static void change(struct job *job)
{
	if (job->state == NONE || (job->state == HAS_ENDED && job->end < books.time)) {
		submit(job);
		return;
	}
	if (job->state == HAS_ENDED)
		return;		/* its record stays until a round has seen it */
	if (job->state == WAITS) {
		start(job);
		return;
	}
	switch (in_round ? 5 : below(6)) {
	case 0:
		requeue(job);
		break;
	case 1:
		if (may_resize(job))
			resize(job);
		break;
	case 2:
	case 3:
		pause_or_resume(job);
		break;
	default:
		end(job);
		break;
	}
}

static void pass_time(uint32_t most)
{
	for (uint32_t seconds = below(most); seconds; seconds--)
		live_a_second();
}

/* ---- rounds -------------------------------------------------------------------------------- */

static void observe(const struct job *job, double at, struct fathom_charges *charges)
{
	struct fathom_observed_job seen = observed(job);
	int status = 0;

	if (runs(job))
		status = fathom_ledger_observe(ledger, &seen, at, charges);
	else if (job->state == HAS_ENDED && job->end > job->start)
		status = fathom_ledger_observe_end(ledger, &seen, job->end, at, charges);
	ck_assert_int_eq(status, 0);
}

static double end_of(const struct fathom_ledger_row *row, double at, void *context)
{
	(void)context;
	for (int i = 0; i < JOBS; i++) {
		const struct job *job = &jobs[i];

		if (job->id != row->run.id.job || job->state == NONE)
			continue;
		if (job->state == WAITS || job->start != row->start)
			return job->requeued;
		return job->state == HAS_ENDED && job->end < at ? job->end : at;
	}
	return 0;
}

/* Usage becomes true at the time of the round. */
static void bring_books_to(double time)
{
	double left = fathom_decay(time - books.time, kind->half_life);

	for (int i = 0; i < NODES; i++)
		scale(&books.own[i], left);
	for (int i = 0; i < QOS; i++)
		scale(&books.qos[i], left);
	books.time = time;
}

static void clear_books(void)
{
	struct books empty = { .time = books.time };

	for (int i = 0; i < NODES; i++)
		memcpy(empty.own[i].reserved, books.own[i].reserved, sizeof(empty.own[i].reserved));
	books = empty;
	fathom_policy_sums_reset(sums, books.time);
}

/* Rows and all that they point to. */
static void save(void)
{
	saved = books;
	saved_count = fathom_ledger_count(ledger);
	ck_assert_uint_le(saved_count, COUNT(saved_row));
	for (size_t i = 0; i < saved_count; i++) {
		saved_row[i] = *fathom_ledger_at(ledger, i);
		memcpy(saved_tres[i], saved_row[i].run.rate.tres, sizeof(saved_tres[i]));
	}
	saved_since = fathom_policy_sums_since(sums);
	saved_sums = fathom_policy_sums_count(sums);
	for (size_t i = 0; i < saved_sums; i++)
		saved_sum[i] = *fathom_policy_sums_at(sums, i);
}

static void restart(void)
{
	struct fathom_ledger *before = ledger;	/* has the names of partitions */

	ledger = fathom_ledger_create();
	fathom_ledger_set_base(ledger, saved.time);
	for (size_t i = 0; i < saved_count; i++) {
		saved_row[i].run.rate.tres = saved_tres[i];
		ck_assert_int_eq(fathom_ledger_restore(ledger, &saved_row[i]), 0);
	}
	fathom_ledger_destroy(before);
	fathom_policy_sums_destroy(sums);
	sums = fathom_policy_sums_create();
	fathom_policy_sums_set_since(sums, saved_since);
	for (size_t i = 0; i < saved_sums; i++)
		ck_assert_int_eq(fathom_policy_sums_restore(sums, &saved_sum[i]), 0);
	books = saved;
	reserve_anew();
}

static void close_round(double at, struct fathom_charges *charges, bool reset)
{
	const struct fathom_lost_runs lost = { .end_of = end_of };

	ck_assert_int_eq(fathom_ledger_close_round(ledger, at, &lost, charges), 0);
	ck_assert_double_eq(fathom_ledger_base(ledger), at);
	bring_books_to(at);
	book_charges(charges);
	if (reset) {
		clear_books();
		reset_truth();
	}
	save();
}

static void round_of(bool reset)
{
	struct fathom_charges *charges = create_charges(now);

	for (int i = 0; i < JOBS; i++)
		observe(&jobs[i], now, charges);
	close_round(now, charges, reset);
	for (int i = 0; i < JOBS; i++)
		jobs[i].has_paused = jobs[i].has_resized = jobs[i].has_requeued = false;
}

static void round_at_once(void)
{
	round_of(false);
}

/* The clock moves on while it is under way, and jobs start and end. */
static void interrupted_round(void)
{
	double at = now;
	struct fathom_charges *charges = create_charges(at);

	in_round = true;
	for (int i = 0; i < JOBS; i++) {
		observe(&jobs[i], at, charges);
		change(&jobs[below(JOBS)]);
		pass_time(5);
	}
	in_round = false;
	close_round(at, charges, false);
}

/* ---- comparing ------------------------------------------------------------------------------ */

static void assert_close(double is, double expected, const char *what, int who)
{
	ck_assert_msg(fabs(is - expected) <= CLOSE * fabs(expected) + 1e-6,
		      "at %.0f: %s of %d is %.12g, must be %.12g", now, what, who, is, expected);
}

static void assert_amounts(const struct amounts *is, const struct amounts *expected,
			   const char *what, int who)
{
	assert_close(is->billing, expected->billing, what, who);
	assert_close(is->wall, expected->wall, what, who);
	for (int i = 0; i < TRES; i++)
		assert_close(is->tres[i], expected->tres[i], what, who);
}

static void assert_sums(void)
{
	struct fathom_sums own[NODES] = { 0 };

	for (size_t i = 0; i < fathom_policy_sums_count(sums); i++) {
		const struct fathom_policy_sums_row *row =
			fathom_policy_sums_advance(sums, i, policy_half_life(), now);
		uint32_t node = fathom_node_index_heir(nodes_by_id, row->association, row->account);

		for (int sum = 0; sum < FATHOM_SUM_COUNT; sum++)
			own[node].value[sum] += row->own.value[sum];
	}
	for (int i = 0; i < NODES; i++) {
		double usage = *kind->policy == 'p' ? truth_sums[i].pbs :
			       !strcmp(kind->policy, "flux") ? truth_sums[i].flux :
			       *kind->policy == 'l' ? 0 : truth_sums[i].usage;
		bool is_lsf = *kind->policy == 'l';

		assert_close(own[i].value[FATHOM_SUM_USAGE], usage, "the policy's usage", i);
		assert_close(own[i].value[FATHOM_SUM_CPU_TIME], is_lsf ? truth_sums[i].cpu_time : 0,
			     "CPU time", i);
		assert_close(own[i].value[FATHOM_SUM_HIST_RUN_TIME],
			     is_lsf ? truth_sums[i].hist : 0,
			     "historical run time", i);
	}
}

static void assert_holdings(void)
{
	struct fathom_holdings is = { 0 }, expected = { 0 };
	struct fathom_sum_rules rules = sum_rules();

	if (*kind->policy != 'l')
		return;
	for (size_t i = 0; i < fathom_ledger_count(ledger); i++) {
		const struct fathom_ledger_row *row = fathom_ledger_at(ledger, i);

		if (!row->over)
			fathom_policy_sums_hold(sums, &rules, &row->run,
						fathom_ledger_seconds_run(row, kind->skip_pauses),
						row->charged_until, &is);
	}
	for (int i = 0; i < JOBS; i++) {
		if (!runs(&jobs[i]))
			continue;
		expected.run_time += jobs[i].factor * jobs[i].ran;
		expected.committed_run_time += jobs[i].factor * jobs[i].limit;
		expected.job_slots += jobs[i].cpus;
		expected.memory += 1000;
	}
	assert_close(is.run_time, expected.run_time, "run time", 0);
	assert_close(is.committed_run_time, expected.committed_run_time, "committed run time", 0);
	assert_close(is.job_slots, expected.job_slots, "slots", 0);
	assert_close(is.memory, expected.memory, "memory", 0);
}

static void assert_same(void)
{
	for (int i = 0; i < NODES; i++) {
		assert_amounts(&books.own[i], &truth.own[i], "usage", i);
		for (int j = 0; j < TRES && kind->told; j++)
			ck_assert_uint_eq(books.own[i].reserved[j], reserved_yet((uint32_t)i, j));
	}
	for (int i = 1; i < QOS; i++) {
		assert_amounts(&books.qos[i], &truth.qos[i], "usage of QOS", i);
		assert_amounts(&books.plain_qos[i], &truth.plain_qos[i], "plain usage of QOS", i);
	}
	assert_sums();
	assert_holdings();
}

/* ---- a history --------------------------------------------------------------------------- */

static void open_world(void)
{
	memset(jobs, 0, sizeof(jobs));
	memset(truth_sums, 0, sizeof(truth_sums));
	truth = books = saved = (struct books){ .time = 1000 };
	saved_count = saved_sums = last_id = 0;
	saved_since = 0;
	now = 1000;
	settings = fathom_settings_standard(fathom_policy_find(kind->policy));
	tree = unit_tree_read("A 1 (u 1/0, v 1/0), B 1 (w 1/0)");
	nodes_by_id = fathom_node_index_create(tree.tree);
	ledger = fathom_ledger_create();
	sums = fathom_policy_sums_create();
	ck_assert(nodes_by_id && ledger && sums);
	fathom_ledger_set_base(ledger, now);
}

static void close_world(void)
{
	fathom_ledger_destroy(ledger);
	fathom_policy_sums_destroy(sums);
	fathom_node_index_release(nodes_by_id);
}

/* A round by itself sets right what an interrupted one has left ahead of its time. */
static void one_step(void)
{
	change(&jobs[below(JOBS)]);
	pass_time(12);
	if (!below(4)) {
		if (!below(3))
			interrupted_round();
		pass_time(8);
		round_of(kind->resets && !below(6));
		assert_same();
	}
	if (kind->crashes && !below(15)) {
		restart();
		pass_time(30);
		round_of(false);
		assert_same();
	}
}

TEST_LOOP(each_second_of_each_run_is_charged_once, suite_rounds(10 * (int)COUNT(kinds)))
{
	kind = &kinds[(size_t)_i % COUNT(kinds)];
	seed = (struct unit_random){ (uint64_t)_i + 1 };
	open_world();
	while (now < SECONDS)
		one_step();
	close_world();
}
