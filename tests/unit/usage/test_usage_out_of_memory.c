/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where memory runs out, at whatever allocation: what could not be charged is
 * said, is charged by the next round, and nothing is charged twice.
 */
#include "../unit.h"

#include "conf/conf_parse.h"

#define JOBS 40
#define TRES 3

static long allocations_left = -1;	/* below 0: as many as there are */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
char *__wrap_strdup(const char *text);

static bool is_refused(void)
{
	if (allocations_left > 0)
		allocations_left--;
	return !allocations_left;
}

void *__wrap_malloc(size_t size)
{
	return is_refused() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return is_refused() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
	return is_refused() ? NULL : __real_realloc(memory, size);
}

char *__wrap_strdup(const char *text)
{
	return is_refused() ? NULL : __real_strdup(text);
}

/* ---- a round ------------------------------------------------------------------------- */

static struct fathom_observed_job job_at(uint64_t id, double now)
{
	static uint64_t counts[TRES + 1] = { 1, 2, 3, 4 };
	struct fathom_observed_job job = {
		.run.id = { id, 3, 2, 1, 0, 0, 0, id % 2 ? "batch" : "debug" },
		.run.rate = { .billing = 5, .usage_factor = 1, .limit = 600, .tres = counts,
			      .tres_count = TRES + (now > 1150) },
		.start = id % 5 == 1 && now > 1150 ? 1150 : 1000,
		.resized = id % 5 == 2 && now > 1150 ? 1140 : 0,
		.requeued = 1120,
		.reserved = -1,
	};

	return job;
}

static double end_of(const struct fathom_ledger_row *row, double now, void *context)
{
	(void)row, (void)now, (void)context;
	return 1180;
}

/* Of each third job nobody hears after 1100; every fourth ends at 1170. */
static int observe(struct fathom_ledger *ledger, uint64_t id, double now,
		   struct fathom_charges *charges)
{
	struct fathom_observed_job job = job_at(id, now);

	if (id % 3 == 0 && now > 1150)
		return 0;
	if (id % 4 == 0 && now > 1150)
		return fathom_ledger_observe_end(ledger, &job, 1170, now, charges);
	return fathom_ledger_observe(ledger, &job, now, charges);
}

static int round_at(struct fathom_ledger *ledger, double now, struct fathom_charges *charges)
{
	const struct fathom_lost_runs lost = { .end_of = end_of };
	int status = 0;

	for (uint64_t id = 1; id <= JOBS; id++)
		status |= observe(ledger, id, now, charges);
	return fathom_ledger_close_round(ledger, now, &lost, charges) || status ? -1 : 0;
}

static double seconds_of(const struct fathom_charges *charges, uint64_t id)
{
	double sum = 0;

	for (size_t i = 0; i < fathom_charges_count(charges); i++) {
		const struct fathom_charge *charge = fathom_charges_at(charges, i);

		if (charge->run.id.job == id)
			sum += charge->seconds;
	}
	return sum;
}

static unsigned ends_of(const struct fathom_charges *charges, uint64_t id)
{
	unsigned ends = 0;

	for (size_t i = 0; i < fathom_charges_count(charges); i++) {
		const struct fathom_charge *charge = fathom_charges_at(charges, i);

		ends += charge->run.id.job == id && charge->over;
	}
	return ends;
}

/* Of the run that is lost or has ended, and of one that was requeued before. */
static unsigned expected_ends(uint64_t id)
{
	if (id % 3 == 0)
		return 1;
	return (id % 4 == 0) + (id % 5 == 1);
}

static double expected_seconds(uint64_t id)
{
	if (id % 3 == 0)
		return 180;
	if (id % 4 == 0)
		return id % 5 == 1 ? 120 + 20 : 170;
	return id % 5 == 1 ? 120 + 50 : 200;
}

static void assert_all_is_charged(const struct fathom_ledger *ledger, double until)
{
	for (size_t i = 0; i < fathom_ledger_count(ledger); i++) {
		const struct fathom_ledger_row *row = fathom_ledger_at(ledger, i);

		ck_assert(row->over || row->charged_until == until);
	}
}

/* A run that goes on is charged at its old size up to its resize, be memory there or not. */
static void assert_sizes(const struct fathom_charges *charges)
{
	for (size_t i = 0; i < fathom_charges_count(charges); i++) {
		const struct fathom_charge *charge = fathom_charges_at(charges, i);
		uint64_t id = charge->run.id.job;
		bool is_old = charge->part[1].end <= 1140;

		ck_assert_uint_eq(charge->run.rate.tres[0], 1);
		if (id % 5 == 2 && id % 3 && id % 4)
			ck_assert_uint_eq(charge->run.rate.tres_count, is_old ? TRES : TRES + 1);
	}
}

/* Refuses all from the nth allocation on; then there is enough again. */
static bool run_out(long allocations, double at)
{
	const struct fathom_charge_rules rules = { .seen = 1200, .note_ends = true };
	struct fathom_ledger *ledger = fathom_ledger_create();
	struct fathom_charges *charges = fathom_charges_create(&rules);
	bool complete;

	if (at > 1100)
		ck_assert_int_eq(round_at(ledger, 1100, charges), 0);
	allocations_left = allocations;
	complete = !round_at(ledger, at, charges);
	allocations_left = -1;
	ck_assert_double_eq(fathom_ledger_base(ledger), complete ? at : at > 1100 ? 1100 : 0);
	if (complete)
		assert_all_is_charged(ledger, at);
	if (at < 1200)
		ck_assert_int_eq(round_at(ledger, 1100, charges), 0);
	ck_assert_int_eq(round_at(ledger, 1200, charges), 0);
	ck_assert_double_eq(fathom_ledger_base(ledger), 1200);
	for (uint64_t id = 1; id <= JOBS; id++) {
		ck_assert_uint_eq(ends_of(charges, id), expected_ends(id));
		ck_assert_msg(seconds_of(charges, id) == expected_seconds(id),
			      "%ld allocations at %.0f: job %u has %.0f s, must have %.0f",
			      allocations, at, (unsigned)id, seconds_of(charges, id),
			      expected_seconds(id));
	}
	fathom_ledger_destroy(ledger);	/* of whose memory the charges have nothing */
	assert_sizes(charges);
	fathom_charges_destroy(charges);
	return complete;
}

TEST_LOOP(round_that_was_not_complete_is_made_up_for, 2)
{
	double at = _i ? 1200 : 1100;
	long allocations = 1;

	while (!run_out(allocations, at))
		allocations++;
	ck_assert_int_gt(allocations, 20);
}

/* ---- single calls ----------------------------------------------------------------------- */

TEST(end_that_was_not_charged_is_charged_by_the_round)
{
	const struct fathom_charge_rules rules = { .seen = 1200 };
	const struct fathom_lost_runs lost = { .end_of = end_of };
	struct fathom_ledger *ledger = fathom_ledger_create();
	struct fathom_charges *charges = fathom_charges_create(&rules);
	struct fathom_observed_job job = job_at(2, 1100);

	int ended, resized, released_none, released;

	allocations_left = 1;
	ended = fathom_ledger_end(ledger, &job, 1130, charges);
	resized = fathom_ledger_resize(ledger, &job, 1130, charges);
	released_none = fathom_ledger_release(ledger, &job, charges);
	job.reserved = 5;
	released = fathom_ledger_release(ledger, &job, charges);
	allocations_left = -1;
	ck_assert(ended == -1 && resized == -1 && released == -1);
	ck_assert_int_eq(released_none, 0);
	ck_assert_uint_eq(fathom_charges_count(charges), 0);
	ck_assert_int_eq(fathom_ledger_observe_end(ledger, &job, 1130, 1200, charges), 0);
	ck_assert_double_eq(seconds_of(charges, 2), 130);
	fathom_ledger_close_round(ledger, 1200, &lost, charges);
	fathom_charges_destroy(charges);
	fathom_ledger_destroy(ledger);
}

TEST(charge_without_room_is_said)
{
	const struct fathom_charge_rules rules = { .seen = 1200 };
	const struct fathom_lost_runs lost = { .end_of = end_of };
	struct fathom_ledger *ledger = fathom_ledger_create();
	struct fathom_charges *first = fathom_charges_create(&rules);
	struct fathom_charges *second = fathom_charges_create(&rules);
	struct fathom_observed_job job = job_at(2, 1100);
	int status;

	ck_assert_int_eq(fathom_ledger_observe(ledger, &job, 1100, first), 0);
	allocations_left = 1;
	status = fathom_ledger_observe(ledger, &job, 1150, second);
	allocations_left = -1;
	ck_assert_int_eq(status, -1);
	ck_assert_double_eq(fathom_ledger_find(ledger, 2)->charged_until, 1100);
	ck_assert_int_eq(fathom_ledger_close_round(ledger, 1150, &lost, second), -1);
	fathom_charges_destroy(first);
	fathom_charges_destroy(second);
	fathom_ledger_destroy(ledger);
}

/* Whatever allocation fails, `to` knows of the job what it knew before: nothing, or `_i`, an older
 * run. */
TEST_LOOP(run_that_has_no_room_is_not_copied, 2)
{
	const struct fathom_charge_rules rules = { .seen = 1200 };
	struct fathom_ledger *from = fathom_ledger_create(), *to = fathom_ledger_create();
	struct fathom_charges *charges = fathom_charges_create(&rules);
	struct fathom_observed_job job = job_at(2, 1100), other = job_at(3, 1100);
	const struct fathom_lost_runs lost = { .end_of = end_of };
	int status = -1;

	if (_i)
		ck_assert_int_eq(fathom_ledger_observe(to, &job, 1100, charges), 0);
	job = job_at(2, 1200);
	ck_assert_int_eq(fathom_ledger_observe(from, &job, 1200, charges), 0);
	for (long left = 1; status; left++) {
		const struct fathom_ledger_row *row;

		allocations_left = left;
		status = fathom_ledger_copy_run(to, from, 2);
		allocations_left = -1;
		row = fathom_ledger_find(to, 2);
		if (status && _i)
			ck_assert_double_eq(row->charged_until, 1100);
		else if (status)
			ck_assert_ptr_null(row);
		else
			ck_assert_double_eq(row->charged_until, 1200);
		ck_assert_int_lt(left, 20);
	}
	ck_assert_int_eq(fathom_ledger_observe(to, &other, 1200, charges), 0);
	ck_assert_int_eq(fathom_ledger_close_round(to, 1200, &lost, charges), -1);
	ck_assert_int_eq(fathom_ledger_close_round(to, 1200, &lost, charges), 0);
	fathom_charges_destroy(charges);
	fathom_ledger_destroy(from);
	fathom_ledger_destroy(to);
}

/* The list of charges is full at 16. */
TEST(old_size_without_room_is_charged_by_the_next_round)
{
	const struct fathom_charge_rules rules = { .seen = 1200 };
	struct fathom_ledger *ledger = fathom_ledger_create();
	struct fathom_charges *charges = fathom_charges_create(&rules);
	struct fathom_observed_job job;
	int status;

	for (uint64_t id = 1; id <= 16; id++) {
		job = job_at(id, 1100);
		ck_assert_int_eq(fathom_ledger_observe(ledger, &job, 1100, charges), 0);
	}
	job = job_at(2, 1100);
	job.resized = 1140;
	job.run.rate.billing = 9;
	allocations_left = 1;
	status = fathom_ledger_observe(ledger, &job, 1200, charges);
	allocations_left = -1;
	ck_assert_int_eq(status, -1);
	ck_assert_int_eq(fathom_ledger_observe(ledger, &job, 1200, charges), 0);
	ck_assert_uint_eq(fathom_charges_count(charges), 18);
	ck_assert_double_eq(fathom_charges_at(charges, 16)->seconds, 40);
	ck_assert_double_eq(fathom_charges_at(charges, 16)->run.rate.billing, 5);
	ck_assert_double_eq(fathom_charges_at(charges, 17)->run.rate.billing, 9);
	fathom_charges_destroy(charges);
	fathom_ledger_destroy(ledger);
}

TEST(run_lost_after_an_incomplete_round_is_still_found)
{
	const struct fathom_charge_rules rules = { .seen = 1200 };
	const struct fathom_lost_runs lost = { .end_of = end_of };
	struct fathom_ledger *ledger = fathom_ledger_create();
	struct fathom_charges *charges = fathom_charges_create(&rules);
	struct fathom_observed_job job = job_at(2, 1100), other = job_at(3, 1100);
	int status;

	fathom_ledger_observe(ledger, &job, 1100, charges);
	allocations_left = 1;
	status = fathom_ledger_observe(ledger, &other, 1100, charges);
	allocations_left = -1;
	ck_assert_int_eq(status, -1);
	ck_assert_int_eq(fathom_ledger_close_round(ledger, 1100, &lost, charges), -1);
	ck_assert_int_eq(fathom_ledger_observe(ledger, &other, 1200, charges), 0);
	ck_assert_int_eq(fathom_ledger_close_round(ledger, 1200, &lost, charges), 0);
	ck_assert_double_eq(seconds_of(charges, 2), 180);
	ck_assert_double_eq(seconds_of(charges, 3), 200);
	ck_assert_uint_eq(fathom_ledger_count(ledger), 1);
	fathom_charges_destroy(charges);
	fathom_ledger_destroy(ledger);
}

/* A list of charges grows at 16, 32, 64. */
TEST(runs_lost_in_an_incomplete_round_end_once)
{
	const struct fathom_charge_rules rules = { .seen = 1200, .note_ends = true };
	const struct fathom_lost_runs lost = { .end_of = end_of };
	struct fathom_ledger *ledger = fathom_ledger_create();
	struct fathom_charges *charges = fathom_charges_create(&rules);
	int status;

	for (uint64_t id = 1; id <= 20; id++) {
		struct fathom_observed_job job = job_at(id, 1100);

		fathom_ledger_observe(ledger, &job, 1100, charges);
	}
	ck_assert_int_eq(fathom_ledger_close_round(ledger, 1100, &lost, charges), 0);
	allocations_left = 1;
	status = fathom_ledger_close_round(ledger, 1200, &lost, charges);
	allocations_left = -1;
	ck_assert_int_eq(status, -1);
	ck_assert_uint_eq(fathom_charges_count(charges), 32);
	ck_assert_int_eq(fathom_ledger_close_round(ledger, 1200, &lost, charges), 0);
	for (uint64_t id = 1; id <= 20; id++) {
		ck_assert_double_eq(seconds_of(charges, id), 180);
		ck_assert_uint_eq(ends_of(charges, id), 1);
	}
	fathom_charges_destroy(charges);
	fathom_ledger_destroy(ledger);
}

TEST(row_that_has_no_room_is_not_there)
{
	const struct fathom_ledger_row row = { .run = job_at(2, 1100).run, .start = 1000,
					       .charged_until = 1100 };
	struct fathom_ledger *ledger = fathom_ledger_create();
	long allocations = 0;
	int status;

	do {
		allocations_left = ++allocations;
		status = fathom_ledger_restore(ledger, &row);
		allocations_left = -1;
		ck_assert_uint_eq(fathom_ledger_count(ledger), !status);
		ck_assert(!fathom_ledger_find(ledger, 2) == !!status);
	} while (status);
	ck_assert_int_ge(allocations, 4);
	ck_assert_str_eq(fathom_ledger_find(ledger, 2)->run.id.partition, "debug");
	fathom_ledger_destroy(ledger);
}

TEST(totals_are_whole_or_not_there)
{
	const struct fathom_charge_rules rules = { .seen = 1200 };
	struct fathom_ledger *ledger = fathom_ledger_create();
	struct fathom_charges *charges = fathom_charges_create(&rules);
	struct unit_tree tree = unit_tree_read("A 1 (u 1/0)");
	struct fathom_node_index *index = fathom_node_index_create(tree.tree);
	struct fathom_charge_totals *totals = NULL;
	struct fathom_qos_totals *qos = NULL;
	struct fathom_observed_job job = job_at(2, 1100);

	fathom_ledger_observe(ledger, &job, 1100, charges);
	job.run.id.job = 3;
	job.run.id.association = 2;
	fathom_ledger_observe(ledger, &job, 1100, charges);
	for (long allocations = 1; !totals; allocations++) {
		allocations_left = allocations;
		totals = fathom_charge_totals_create(tree.tree, index, charges, true, TRES);
		allocations_left = -1;
	}
	ck_assert_double_eq(fathom_charge_totals_at(totals, 1)->wall, 100);
	for (long allocations = 1; !qos; allocations++) {
		allocations_left = allocations;
		qos = fathom_qos_totals_create(charges, TRES);
		allocations_left = -1;
	}
	ck_assert_double_eq(fathom_qos_totals_at(qos, 1, false)->wall, 200);
	fathom_charge_totals_destroy(totals);
	fathom_qos_totals_destroy(qos);
	fathom_node_index_release(index);
	fathom_charges_destroy(charges);
	fathom_ledger_destroy(ledger);
}

/* Amounts of 256 nodes are allocated at once: the last user or the root needs more. */
static struct fathom_tree *wide_tree(uint32_t users)
{
	struct fathom_row *rows = calloc(users + 1, sizeof(*rows));
	struct fathom_tree *tree;

	for (uint32_t i = 0; i <= users; i++)
		rows[i] = (struct fathom_row){ .id = i + 1, .parent_id = 1, .is_root = !i,
					       .kind = i ? FATHOM_USER : FATHOM_ACCOUNT };
	tree = fathom_tree_create(rows, users + 1, NULL);
	free(rows);
	return tree;
}

TEST_LOOP(totals_of_many_nodes_are_whole_or_not_there, 2)
{
	const struct fathom_charge_rules rules = { .seen = 1200 };
	uint32_t users = _i ? 256 : 257;
	struct fathom_ledger *ledger = fathom_ledger_create();
	struct fathom_charges *charges = fathom_charges_create(&rules);
	struct fathom_tree *tree = wide_tree(users);
	struct fathom_node_index *index = fathom_node_index_create(tree);
	struct fathom_charge_totals *totals = NULL;

	for (uint32_t user = 1; user <= users; user++) {
		struct fathom_observed_job job = job_at(user, 1100);

		job.run.id.association = user + 1;
		ck_assert_int_eq(fathom_ledger_observe(ledger, &job, 1100, charges), 0);
	}
	for (long allocations = 1; !totals; allocations++) {
		allocations_left = allocations;
		totals = fathom_charge_totals_create(tree, index, charges, false, TRES);
		allocations_left = -1;
	}
	for (uint32_t node = 1; node <= users; node++)
		ck_assert_double_eq(fathom_charge_totals_at(totals, node)->wall, 100);
	fathom_charge_totals_destroy(totals);
	fathom_node_index_release(index);
	fathom_tree_destroy(tree);
	fathom_charges_destroy(charges);
	fathom_ledger_destroy(ledger);
}

TEST(sums_without_room_stay_as_they_are)
{
	struct fathom_policy_sums *sums = fathom_policy_sums_create();
	struct fathom_policy_sums_row row = { 3, 2, 0, 1000, { { 1, 2, 3 } } };
	long allocations = 0;
	int status;

	do {
		allocations_left = ++allocations;
		status = fathom_policy_sums_restore(sums, &row);
		allocations_left = -1;
		ck_assert_uint_eq(fathom_policy_sums_count(sums), !status);
	} while (status);
	ck_assert_int_gt(allocations, 2);
	fathom_policy_sums_destroy(sums);
}

/* The table grows at 16 rows, its index at 8. */
TEST(rows_stay_when_there_is_no_room_for_another)
{
	struct fathom_policy_sums *sums = fathom_policy_sums_create();
	struct fathom_policy_sums_row row = { .account = 2, .time = 1000 };
	int status;

	for (row.association = 1; row.association <= 16; row.association++)
		ck_assert_int_eq(fathom_policy_sums_restore(sums, &row), 0);
	allocations_left = 1;
	status = fathom_policy_sums_restore(sums, &row);
	allocations_left = -1;
	ck_assert_int_eq(status, -1);
	ck_assert_uint_eq(fathom_policy_sums_count(sums), 16);
	for (uint32_t i = 0; i < 16; i++)
		ck_assert_uint_eq(fathom_policy_sums_at(sums, i)->association, i + 1);
	fathom_policy_sums_destroy(sums);
}

TEST(charge_without_room_is_not_added_to_sums)
{
	const struct fathom_policy *flux = fathom_policy_find("flux");
	struct fathom_settings settings = fathom_settings_standard(flux);
	const struct fathom_sum_rules rules = { .policy = flux, .settings = &settings };
	const struct fathom_charge charge = { .run = job_at(2, 1100).run,
					      .part = { { 1000, 1100 }, { 1100, 1100 } },
					      .ran = 100, .over = true };
	struct fathom_policy_sums *sums = fathom_policy_sums_create();
	int status;

	allocations_left = 1;
	status = fathom_policy_sums_add(sums, &rules, &charge);
	allocations_left = -1;
	ck_assert_int_eq(status, -1);
	ck_assert_uint_eq(fathom_policy_sums_count(sums), 0);
	ck_assert_int_eq(fathom_policy_sums_add(sums, &rules, &charge), 0);
	ck_assert_uint_eq(fathom_policy_sums_count(sums), 1);
	fathom_policy_sums_destroy(sums);
}

TEST(share_tree_is_whole_or_not_there)
{
	static const char *const members[] = { "u", "v" };
	static const struct fathom_assignment inner = { "v", 2 };
	static const struct fathom_assignment outer[] = { { "u", 1 }, { "g", 1 } };
	const struct fathom_user_group group = { "g", members, 2, &inner, 1 };
	const struct fathom_user_shares given = { .assignment = outer, .assignment_count = 2,
						  .group = &group, .group_count = 1 };
	struct fathom_share_tree *tree = NULL;
	struct fathom_error error;
	long allocations;

	for (allocations = 1; !tree; allocations++) {
		allocations_left = allocations;
		tree = fathom_share_tree_create(&given, &error);
		allocations_left = -1;
		ck_assert(tree || error.code == ENOMEM);
	}
	ck_assert_int_gt(allocations, 10);
	ck_assert_uint_eq(fathom_share_tree_count(tree), 4);
	fathom_share_tree_destroy(tree);
}

TEST(settings_are_read_whole_or_not_at_all)
{
	static const char text[] = "Scope=a Partitions=x,y Policy=lsf HistHours=3\n"
				   "Scope=b Partitions=z\n"
				   "SlotPool=p Partition=v SlotShare=50\n"
				   "SlotPool=p Partition=w SlotShare=50\n"
				   "Scope=c Partitions=c Policy=lsf UserShares=\"[u, 1] [g@, 2]\"\n"
				   "UserGroup=h Members=\"u g v\" UserShares=\"[g, 3]\"\n"
				   "UserGroup=g Members=\"w x\"\n";
	struct fathom_error error;
	long allocations = 0;
	int status;

	do {
		struct fathom_conf conf = conf_standard();

		allocations_left = ++allocations;
		status = conf_parse_text(&conf, "fathom.conf", text, &error);
		allocations_left = -1;
		if (status)
			ck_assert_msg(strstr(error.text, "out of memory"), "%s", error.text);
		ck_assert_uint_eq(conf.scope_count, status ? 0 : 3);
		ck_assert_uint_eq(conf.user_groups.count, status ? 0 : 2);
		ck_assert_uint_eq(conf.slot_share_count, status ? 0 : 2);
		conf_clear(&conf);
	} while (status);
	ck_assert_int_gt(allocations, 10);
}

TEST(objects_that_cannot_be_made_are_none)
{
	const struct fathom_charge_rules rules = { .seen = 1200 };

	struct fathom_ledger *ledger;
	struct fathom_charges *charges;
	struct fathom_policy_sums *sums;

	allocations_left = 1;
	ledger = fathom_ledger_create();
	charges = fathom_charges_create(&rules);
	sums = fathom_policy_sums_create();
	allocations_left = -1;
	ck_assert(!ledger && !charges && !sums);
	fathom_ledger_destroy(NULL);
	fathom_charges_destroy(NULL);
	fathom_policy_sums_destroy(NULL);
}
