/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What charges come to for nodes, for QOS, and as a policy's sums. */
#include "../unit.h"

#define HOUR 3600.
#define TRES 3
#define EXACT 1e-12

static struct unit_tree tree;
static struct fathom_node_index *nodes;
static struct fathom_ledger *ledger;
static struct fathom_charges *charges;
static struct fathom_policy_sums *sums;
static struct fathom_settings settings;

/* Associations: root 1, A 2, u 3, B 4, v 5, w 6. */
static void set_up(void)
{
	const struct fathom_charge_rules rules = { .half_life = HOUR, .seen = 2000,
						   .note_ends = true };

	tree = unit_tree_read("A 1 (u 1/0, B 1 (v 1/0)), w 1/0");
	nodes = fathom_node_index_create(tree.tree);
	ledger = fathom_ledger_create();
	charges = fathom_charges_create(&rules);
	sums = fathom_policy_sums_create();
	ck_assert(nodes && ledger && charges && sums);
}

static void tear_down(void)
{
	fathom_policy_sums_destroy(sums);
	fathom_charges_destroy(charges);
	fathom_ledger_destroy(ledger);
	fathom_node_index_release(nodes);
}

TEST_FIXTURE(set_up, tear_down)

/* A run from 1000 on, of as many CPUs as its association's number. */
static struct fathom_observed_job job_of(uint32_t association)
{
	static uint64_t counts[TRES];

	counts[0] = association;
	counts[1] = 2;
	counts[2] = 100;
	return (struct fathom_observed_job){
		.run.id = { association, association, 4, 1, 0, 0, 0, "batch" },
		.run.rate = { .billing = 10. * association, .usage_factor = 1, .limit = 500,
			      .tres = counts, .tres_count = TRES },
		.start = 1000,
		.reserved = 500,
	};
}

static void charge(uint32_t association, double until)
{
	struct fathom_observed_job job = job_of(association);

	ck_assert_int_eq(fathom_ledger_observe(ledger, &job, until, charges), 0);
}

static double decayed(double until)
{
	return fathom_decayed_seconds(1000, until, 2000, HOUR);
}

static void assert_amount(const struct fathom_amount *amount, double seconds, double rate)
{
	ck_assert_ptr_nonnull(amount);
	ck_assert_double_eq_tol(amount->wall, seconds, EXACT * seconds);
	ck_assert_double_eq_tol(amount->billing, 10 * rate, EXACT * 10 * rate);
	ck_assert_double_eq_tol(amount->tres[0], rate, EXACT * rate);
	ck_assert_double_eq_tol(amount->tres[1], 2 * seconds, EXACT * 2 * seconds);
}

/* ---- of nodes ----------------------------------------------------------------------- */

static struct fathom_charge_totals *create_totals(bool released)
{
	struct fathom_charge_totals *totals =
		fathom_charge_totals_create(tree.tree, nodes, charges, released, TRES);

	ck_assert_ptr_nonnull(totals);
	return totals;
}

TEST(charge_counts_at_its_association_alone)
{
	double third = decayed(1300), fifth = decayed(1100);
	struct fathom_charge_totals *totals;

	charge(3, 1300);
	charge(5, 1100);
	totals = create_totals(true);
	assert_amount(fathom_charge_totals_at(totals, unit_node(&tree, "u")), third, 3 * third);
	assert_amount(fathom_charge_totals_at(totals, unit_node(&tree, "v")), fifth, 5 * fifth);
	ck_assert_uint_eq(fathom_charge_totals_at(totals, unit_node(&tree, "v"))->released[0], 500);
	ck_assert_uint_eq(fathom_charge_totals_at(totals, unit_node(&tree, "v"))->released[1], 200);
	ck_assert_ptr_null(fathom_charge_totals_at(totals, unit_node(&tree, "w")));
	ck_assert_ptr_null(fathom_charge_totals_at(totals, unit_node(&tree, "A")));
	ck_assert_ptr_null(fathom_charge_totals_at(totals, unit_node(&tree, "B")));
	ck_assert_ptr_null(fathom_charge_totals_at(totals, 0));
	fathom_charge_totals_destroy(totals);
}

TEST(account_has_what_it_is_charged_itself)
{
	double fourth = decayed(1200), fifth = decayed(1100);
	struct fathom_charge_totals *totals;

	charge(4, 1200);
	charge(5, 1100);
	totals = create_totals(false);
	assert_amount(fathom_charge_totals_at(totals, unit_node(&tree, "B")), fourth, 4 * fourth);
	assert_amount(fathom_charge_totals_at(totals, unit_node(&tree, "v")), fifth, 5 * fifth);
	ck_assert_ptr_null(fathom_charge_totals_at(totals, unit_node(&tree, "B"))->released);
	fathom_charge_totals_destroy(totals);
}

TEST(charge_of_the_gone_falls_to_the_account_or_the_root)
{
	double seconds = decayed(1100);
	struct fathom_observed_job job = job_of(77);
	struct fathom_charge_totals *totals;

	ck_assert_int_eq(fathom_ledger_observe(ledger, &job, 1100, charges), 0);
	job.run.id.job = 78;
	job.run.id.account = 79;
	ck_assert_int_eq(fathom_ledger_observe(ledger, &job, 1100, charges), 0);
	totals = create_totals(false);
	assert_amount(fathom_charge_totals_at(totals, unit_node(&tree, "B")), seconds,
		      77 * seconds);
	assert_amount(fathom_charge_totals_at(totals, 0), seconds, 77 * seconds);
	fathom_charge_totals_destroy(totals);
}

TEST(nothing_charged_is_nothing)
{
	struct fathom_charge_totals *totals = create_totals(true);
	struct fathom_qos_totals *qos = fathom_qos_totals_create(charges, TRES);

	for (size_t node = 0; node < tree.count; node++) {
		ck_assert_ptr_null(fathom_charge_totals_at(totals, node));
		ck_assert_ptr_null(fathom_charge_totals_at(NULL, node));
	}
	ck_assert_ptr_null(fathom_qos_totals_at(qos, 1, true));
	ck_assert_ptr_null(fathom_qos_totals_at(NULL, 1, true));
	fathom_charge_totals_destroy(totals);
	fathom_charge_totals_destroy(NULL);
	fathom_qos_totals_destroy(qos);
	fathom_qos_totals_destroy(NULL);
}

TEST(totals_have_as_many_counts_as_they_are_made_for)
{
	struct fathom_charge_totals *totals;

	charge(3, 1100);
	totals = fathom_charge_totals_create(tree.tree, nodes, charges, true, TRES + 2);
	ck_assert_double_eq(fathom_charge_totals_at(totals, unit_node(&tree, "u"))->tres[TRES + 1],
			    0);
	ck_assert_double_gt(fathom_charge_totals_at(totals, unit_node(&tree, "u"))->tres[TRES - 1],
			    0);
	fathom_charge_totals_destroy(totals);
	totals = fathom_charge_totals_create(tree.tree, nodes, charges, true, 1);
	ck_assert_double_eq_tol(fathom_charge_totals_at(totals, unit_node(&tree, "u"))->tres[0],
				3 * decayed(1100),
				1e-9);
	ck_assert_uint_eq(fathom_charge_totals_at(totals, unit_node(&tree, "u"))->released[0], 300);
	fathom_charge_totals_destroy(totals);
}

/* More blocks of amounts than the list of blocks has room for at first. */
TEST(each_of_many_nodes_has_its_own)
{
	enum { USERS = 5000 };
	struct fathom_row *rows = calloc(USERS + 1, sizeof(*rows));
	struct fathom_tree *wide;
	struct fathom_node_index *index;
	struct fathom_charge_totals *totals;

	for (uint32_t i = 0; i <= USERS; i++)
		rows[i] = (struct fathom_row){ .id = i + 1, .parent_id = 1, .is_root = !i,
					       .kind = i ? FATHOM_USER : FATHOM_ACCOUNT,
					       .raw_shares = 1 };
	wide = fathom_tree_create(rows, USERS + 1, NULL);
	index = fathom_node_index_create(wide);
	for (uint32_t id = 2; id <= USERS + 1; id++)
		charge(id, 1100);
	totals = fathom_charge_totals_create(wide, index, charges, true, TRES);
	for (uint32_t id = 2; id <= USERS + 1; id++)
		assert_amount(fathom_charge_totals_at(totals, id - 1), decayed(1100),
			      id * decayed(1100));
	fathom_charge_totals_destroy(totals);
	fathom_node_index_release(index);
	fathom_tree_destroy(wide);
	free(rows);
}

/* ---- of QOS -------------------------------------------------------------------------- */

TEST(both_qos_of_a_job_are_charged)
{
	struct fathom_observed_job job = job_of(3);
	struct fathom_qos_totals *totals;
	double seconds = decayed(1100);

	job.run.id.qos = 7;
	job.run.id.partition_qos = 4000000000;
	ck_assert_int_eq(fathom_ledger_observe(ledger, &job, 1100, charges), 0);
	job.run.id.job = 8;
	job.run.id.partition_qos = 0;
	ck_assert_int_eq(fathom_ledger_observe(ledger, &job, 1100, charges), 0);
	totals = fathom_qos_totals_create(charges, TRES);
	assert_amount(fathom_qos_totals_at(totals, 7, true), 2 * seconds, 6 * seconds);
	assert_amount(fathom_qos_totals_at(totals, 7, false), 200, 600);
	assert_amount(fathom_qos_totals_at(totals, 4000000000, true), seconds, 3 * seconds);
	assert_amount(fathom_qos_totals_at(totals, 4000000000, false), 100, 300);
	ck_assert_uint_eq(fathom_qos_totals_at(totals, 7, true)->released[0], 600);
	ck_assert_uint_eq(fathom_qos_totals_at(totals, 7, false)->released[0], 600);
	ck_assert_ptr_null(fathom_qos_totals_at(totals, 0, true));
	ck_assert_ptr_null(fathom_qos_totals_at(totals, 8, true));
	fathom_qos_totals_destroy(totals);
}

/* ---- a policy's sums --------------------------------------------------------------------- */

static struct fathom_sum_rules rules_of(const char *policy)
{
	settings = fathom_settings_standard(fathom_policy_find(policy));
	return (struct fathom_sum_rules){ .policy = fathom_policy_find(policy),
					  .settings = &settings, .half_life = HOUR,
					  .tres = { .cpus = 0, .nodes = 1, .memory = 2,
						    .gpus = 99 } };
}

static double half_life_of(const struct fathom_sum_rules *rules)
{
	return fathom_policy_half_life(rules->policy, rules->settings, rules->half_life);
}

static void add_all(const struct fathom_sum_rules *rules)
{
	for (size_t i = 0; i < fathom_charges_count(charges); i++)
		ck_assert_int_eq(fathom_policy_sums_add(sums, rules,
							fathom_charges_at(charges, i)), 0);
}

static double sum_of(const struct fathom_sum_rules *rules, enum fathom_sum sum, double time,
		     const char *name)
{
	double total = 0;

	for (size_t i = 0; i < fathom_policy_sums_count(sums); i++) {
		const struct fathom_policy_sums_row *row =
			fathom_policy_sums_advance(sums, i, half_life_of(rules), time);

		if (fathom_node_index_heir(nodes, row->association, row->account) ==
		    unit_node(&tree, name))
			total += row->own.value[sum];
	}
	return total;
}

static void end_job(struct fathom_observed_job job, double end)
{
	ck_assert_int_eq(fathom_ledger_end(ledger, &job, end, charges), 0);
}

TEST(sums_are_of_the_policy)
{
	struct fathom_sum_rules lsf = rules_of("lsf");
	double half_life = half_life_of(&lsf);

	end_job(job_of(3), 1600);
	add_all(&lsf);
	ck_assert_double_eq_tol(sum_of(&lsf, FATHOM_SUM_CPU_TIME, 2000, "u"),
				3 * fathom_decayed_seconds(1000, 1600, 2000, half_life), 1e-9);
	ck_assert_double_eq_tol(sum_of(&lsf, FATHOM_SUM_HIST_RUN_TIME, 2000, "u"),
				600 * fathom_decay(400, half_life), 1e-9);
	/* and go on decaying */
	ck_assert_double_eq_tol(sum_of(&lsf, FATHOM_SUM_HIST_RUN_TIME, 3000, "u"),
				600 * fathom_decay(1400, half_life), 1e-9);
	/* but never back */
	ck_assert_double_eq_tol(sum_of(&lsf, FATHOM_SUM_HIST_RUN_TIME, 2500, "u"),
				600 * fathom_decay(1400, half_life), 1e-9);
}

TEST(charges_may_come_in_any_order)
{
	struct fathom_sum_rules flux = rules_of("flux");

	end_job(job_of(3), 1600);
	end_job((struct fathom_observed_job){ .run = { { 9, 3, 4, 1, 0, 0, 0, NULL },
						       job_of(3).run.rate },
					      .start = 1100, .reserved = -1 }, 1200);
	add_all(&flux);
	ck_assert_double_eq_tol(sum_of(&flux, FATHOM_SUM_USAGE, 2000, "u"),
				2 * 600 * fathom_decay(400, HOUR) +
					2 * 100 * fathom_decay(800, HOUR), 1e-9);
	ck_assert_uint_eq(fathom_policy_sums_count(sums), 1);
}

static double memory_seconds(const struct fathom_stretch *stretch, double seconds, void *context)
{
	ck_assert_double_ge(seconds, 0);
	++*(int *)context;
	return stretch->memory * seconds;
}

TEST(pbs_charges_what_it_is_asked_to)
{
	struct fathom_sum_rules pbs = rules_of("pbs");
	double half_life = half_life_of(&pbs);
	int asked = 0;

	charge(3, 1100);
	add_all(&pbs);
	ck_assert_double_eq_tol(sum_of(&pbs, FATHOM_SUM_USAGE, 1100, "u"),
				3 * fathom_decayed_seconds(1000, 1100, 1100, half_life), 1e-9);
	fathom_policy_sums_clear(sums, 3);
	ck_assert_double_eq(sum_of(&pbs, FATHOM_SUM_USAGE, 1100, "u"), 0);
	fathom_policy_sums_clear(sums, 5);
	pbs.used = memory_seconds;
	pbs.context = &asked;
	add_all(&pbs);
	ck_assert_double_eq_tol(sum_of(&pbs, FATHOM_SUM_USAGE, 1100, "u"),
				100 * fathom_decayed_seconds(1000, 1100, 1100, half_life), 1e-9);
	ck_assert_int_eq(asked, 2);
}

TEST(what_pbs_charges_begins_with_a_reset_at_0)
{
	struct fathom_sum_rules pbs = rules_of("pbs");
	int asked = 0;

	charge(3, 1500);
	pbs.used = memory_seconds;
	pbs.context = &asked;
	fathom_policy_sums_reset(sums, 1200);
	add_all(&pbs);
	ck_assert_double_eq_tol(sum_of(&pbs, FATHOM_SUM_USAGE, 1500, "u"),
				100 * 300 * fathom_decayed_seconds(1000, 1500, 1500,
								   half_life_of(&pbs)) / 500, 1e-9);
}

/* A pause parts the charge; both parts count, at what the run had run by then. */
TEST(both_parts_of_a_charge_count)
{
	const struct fathom_charge_rules skip = { .seen = 2000, .skip_pauses = true,
						  .note_ends = true };
	struct fathom_sum_rules pbs = rules_of("pbs"), flux = rules_of("flux");
	struct fathom_observed_job job = job_of(3);
	double half_life;

	fathom_charges_destroy(charges);
	charges = fathom_charges_create(&skip);
	job.switched = 1300;
	job.ran = 100;		/* until 1100 */
	end_job(job, 1400);
	add_all(&flux);
	ck_assert_double_eq_tol(sum_of(&flux, FATHOM_SUM_USAGE, 1400, "u"), 2 * 200, 1e-9);
	fathom_policy_sums_reset(sums, 0);
	pbs = rules_of("pbs");
	half_life = half_life_of(&pbs);
	add_all(&pbs);
	ck_assert_double_eq_tol(sum_of(&pbs, FATHOM_SUM_USAGE, 1400, "u"),
				3 * (fathom_decayed_seconds(1000, 1100, 1400, half_life) +
				     fathom_decayed_seconds(1300, 1400, 1400, half_life)), 1e-9);
}

static double square_of_seconds(const struct fathom_stretch *stretch, double seconds, void *context)
{
	(void)stretch, (void)context;
	return seconds * seconds;
}

/* Each part by what the run had run when it began and ended. */
TEST(parts_before_and_after_a_pause_are_of_one_run)
{
	const struct fathom_charge_rules skip = { .seen = 2000, .skip_pauses = true };
	struct fathom_sum_rules pbs = rules_of("pbs");
	struct fathom_observed_job job = job_of(3);
	double half_life = half_life_of(&pbs);

	fathom_charges_destroy(charges);
	charges = fathom_charges_create(&skip);
	job.switched = 1300;
	job.ran = 100;		/* until 1100 */
	end_job(job, 1400);
	pbs.used = square_of_seconds;
	add_all(&pbs);
	ck_assert_double_eq_tol(sum_of(&pbs, FATHOM_SUM_USAGE, 1400, "u"),
				100 * fathom_decayed_seconds(1000, 1100, 1400, half_life) +
				300 * fathom_decayed_seconds(1300, 1400, 1400, half_life), 1e-6);
}

static const struct { double when, first, second; } dropped[] = {
	{ 900, 1000, 1300 }, { 1050, 1050, 1300 }, { 1200, 1100, 1300 }, { 1350, 1100, 1350 },
	{ 1500, 1100, 1400 },
};

/* Of [1000, 1100] and [1300, 1400] what is after some time. */
TEST_EACH(seconds_before_some_time_are_dropped_from_charges, dropped)
{
	const struct fathom_charge_rules skip = { .seen = 2000, .half_life = HOUR,
						  .skip_pauses = true, .note_ends = true };
	double first = dropped[_i].first, second = dropped[_i].second;
	struct fathom_observed_job job = job_of(3);
	const struct fathom_charge *charge;

	fathom_charges_destroy(charges);
	charges = fathom_charges_create(&skip);
	job.switched = 1300;
	job.ran = 100;		/* until 1100 */
	job.run.rate.usage_factor = 2;
	end_job(job, 1400);
	fathom_charges_drop_before(charges, dropped[_i].when);
	charge = fathom_charges_at(charges, 0);
	ck_assert_double_eq(charge->part[0].begin, first);
	ck_assert_double_eq(charge->part[1].begin, second);
	ck_assert_double_eq(charge->seconds, 2 * (1100 - first + 1400 - second));
	ck_assert_double_eq_tol(charge->decayed_seconds,
				2 * (fathom_decayed_seconds(first, 1100, 2000, HOUR) +
				     fathom_decayed_seconds(second, 1400, 2000, HOUR)), 1e-9);
	ck_assert(charge->over);
}

TEST(run_counts_from_a_reset_on)
{
	struct fathom_sum_rules lsf = rules_of("lsf"), flux = rules_of("flux");
	struct fathom_holdings holdings = { 0 }, all = { 0 };
	struct fathom_observed_job job = job_of(3);

	fathom_policy_sums_hold(sums, &lsf, &job.run, 900, 100, &all);
	ck_assert_double_eq(all.run_time, 900);		/* nothing has been reset */
	fathom_policy_sums_set_since(sums, .5);
	fathom_policy_sums_hold(sums, &lsf, &job.run, 900, 100, &all);
	ck_assert_double_eq(all.run_time, 900 + 99.5);
	charge(3, 1200);
	add_all(&flux);
	fathom_policy_sums_reset(sums, 1200);
	ck_assert_uint_eq(fathom_policy_sums_count(sums), 0);
	ck_assert_double_eq(fathom_policy_sums_since(sums), 1200);
	fathom_charges_destroy(charges);
	charges = fathom_charges_create(&(struct fathom_charge_rules){ .seen = 2000,
								       .note_ends = true });
	end_job(job_of(3), 1500);
	add_all(&flux);
	ck_assert_double_eq_tol(sum_of(&flux, FATHOM_SUM_USAGE, 1500, "u"), 2 * 300, 1e-9);
	flux = rules_of("lsf");
	fathom_policy_sums_hold(sums, &flux, &job.run, 900, 1900, &holdings);
	ck_assert_double_eq(holdings.run_time, 700);
	ck_assert_double_eq(holdings.committed_run_time, 500);
	ck_assert_double_eq(holdings.job_slots, 3);
	ck_assert_double_eq(holdings.memory, 100);
	fathom_policy_sums_hold(sums, &flux, &job.run, 100, 1900, &holdings);
	ck_assert_double_eq(holdings.run_time, 800);
	fathom_policy_sums_hold(sums, &flux, &job.run, 100, 1100, &holdings);
	ck_assert_double_eq(holdings.run_time, 800);
}

/* Where u goes; v to the root; all else stays. */
static uint32_t heir_of(uint32_t association, uint32_t account, const void *context)
{
	const uint32_t *us_heir = context;

	ck_assert_uint_eq(account, 4);
	return association == 3 ? *us_heir : association == 5 ? 1 : association;
}

TEST_LOOP(sums_of_the_gone_become_their_heirs, 4)
{
	static const uint32_t heirs[] = { 3, 4, 6, 1 };
	struct fathom_sum_rules flux = rules_of("flux");
	double u, w;

	end_job(job_of(3), 1300);
	end_job(job_of(5), 1500);
	end_job(job_of(6), 1400);
	add_all(&flux);
	fathom_policy_sums_move(sums, HOUR, heir_of, &heirs[_i]);
	u = 600 * fathom_decay(300, HOUR);
	w = 800 * fathom_decay(200, HOUR);
	ck_assert_uint_eq(fathom_policy_sums_count(sums), _i < 2 ? 3 : 2);
	ck_assert_double_eq_tol(sum_of(&flux, FATHOM_SUM_USAGE, 1600, "w"), w + (_i == 2) * u,
				1e-9);
	ck_assert_double_eq_tol(sum_of(&flux, FATHOM_SUM_USAGE, 1600, "B"), (_i == 1) * u, 1e-9);
	ck_assert_double_eq_tol(sum_of(&flux, FATHOM_SUM_USAGE, 1600, "u"), (_i == 0) * u, 1e-9);
	ck_assert_double_eq(sum_of(&flux, FATHOM_SUM_USAGE, 1600, "v"), 0);
	/* and is found again */
	fathom_policy_sums_clear(sums, heirs[_i]);
	ck_assert_double_eq(sum_of(&flux, FATHOM_SUM_USAGE, 1600,
				   (const char *[]){ "u", "B", "w", "w" }[_i]),
			    _i == 3 ? w : 0);
}

TEST_LOOP(earlier_sums_decay_before_later_ones_are_added, 2)
{
	static const uint32_t w = 6;
	struct fathom_sum_rules flux = rules_of("flux");

	end_job(job_of(3), _i ? 1300 : 1500);
	end_job(job_of(6), _i ? 1500 : 1300);
	add_all(&flux);
	fathom_policy_sums_move(sums, HOUR, heir_of, &w);
	ck_assert_double_eq_tol(sum_of(&flux, FATHOM_SUM_USAGE, 1600, "w"),
				1000 * fathom_decay(100, HOUR) + 600 * fathom_decay(300, HOUR),
				1e-9);
}

/* An association has a row for each leaf at which its jobs count. */
TEST(each_leaf_has_sums_of_its_own)
{
	static const uint32_t w = 6;
	struct fathom_sum_rules flux = rules_of("flux");
	struct fathom_observed_job job = job_of(3);

	for (uint32_t leaf = 7; leaf < 10; leaf++) {
		job.run.id.job = leaf;
		job.run.id.leaf = leaf < 9 ? leaf : 7;
		end_job(job, 1300);
	}
	end_job(job_of(6), 1300);
	add_all(&flux);
	ck_assert_uint_eq(fathom_policy_sums_count(sums), 3);
	for (size_t i = 0; i < 3; i++) {
		const struct fathom_policy_sums_row *row = fathom_policy_sums_at(sums, i);

		ck_assert_double_eq_tol(row->own.value[FATHOM_SUM_USAGE],
					row->leaf == 7 ? 1200 : 600, 1e-9);
	}
	ck_assert_double_eq_tol(sum_of(&flux, FATHOM_SUM_USAGE, 1300, "u"), 1800, 1e-9);
	fathom_policy_sums_move(sums, HOUR, heir_of, &w);	/* 6 has none at these leaves */
	ck_assert_uint_eq(fathom_policy_sums_count(sums), 3);
	ck_assert_double_eq_tol(sum_of(&flux, FATHOM_SUM_USAGE, 1300, "w"), 2400, 1e-9);
	fathom_policy_sums_clear(sums, 6);
	ck_assert_double_eq(sum_of(&flux, FATHOM_SUM_USAGE, 1300, "w"), 0);
}

TEST(only_sums_that_there_are_move)
{
	static const uint32_t account = 4;
	struct fathom_sum_rules flux = rules_of("flux");

	end_job(job_of(3), 1300);
	add_all(&flux);
	fathom_policy_sums_move(sums, HOUR, heir_of, &account);
	fathom_policy_sums_clear(sums, 3);
	ck_assert_double_eq_tol(sum_of(&flux, FATHOM_SUM_USAGE, 1300, "B"), 600, 1e-9);
	fathom_policy_sums_clear(sums, 4);
	ck_assert_double_eq(sum_of(&flux, FATHOM_SUM_USAGE, 1300, "B"), 0);
}

/* u's go to the account or to w, which has none of two leaves; u has 0 and no more to give. */
TEST_LOOP(sums_of_one_are_added_to_those_of_another, 2)
{
	static const uint32_t to[] = { 4, 6 };
	struct fathom_sum_rules flux = rules_of("flux");
	struct fathom_observed_job job = job_of(3);
	double u = 1200 * fathom_decay(300, HOUR), w = 800 * fathom_decay(200, HOUR);

	for (uint32_t leaf = 0; leaf < 2; leaf++) {
		job.run.id.job = 7 + leaf;
		job.run.id.leaf = leaf;
		end_job(job, 1300);
	}
	end_job(job_of(6), 1400);
	add_all(&flux);
	for (size_t i = 0; i < 2; i++)
		ck_assert_int_eq(fathom_policy_sums_move_one(sums, HOUR, 3, to[_i]), 0);
	ck_assert_double_eq(sum_of(&flux, FATHOM_SUM_USAGE, 1600, "u"), 0);
	ck_assert_double_eq_tol(sum_of(&flux, FATHOM_SUM_USAGE, 1600, "B"), _i ? 0 : u, 1e-9);
	ck_assert_double_eq_tol(sum_of(&flux, FATHOM_SUM_USAGE, 1600, "w"), _i ? w + u : w, 1e-9);
	fathom_policy_sums_clear(sums, to[_i]);
	ck_assert_double_eq(sum_of(&flux, FATHOM_SUM_USAGE, 1600, _i ? "w" : "B"), 0);
}

/* The 99th is GPUs. */
TEST(run_has_none_of_a_tres_that_it_has_not)
{
	struct fathom_sum_rules flux = rules_of("flux");

	ck_assert_int_eq(fathom_settings_set(flux.policy, &settings, "gpu_weight", "1000", NULL),
			 0);
	end_job(job_of(3), 1300);
	end_job(job_of(5), 1300);	/* whose counts lie behind */
	add_all(&flux);
	ck_assert_double_eq_tol(sum_of(&flux, FATHOM_SUM_USAGE, 1300, "u"), 600, 1e-9);
	fathom_policy_sums_reset(sums, 0);
	flux.tres.gpus = 2;
	add_all(&flux);
	ck_assert_double_eq_tol(sum_of(&flux, FATHOM_SUM_USAGE, 1300, "u"), 600 + 100 * 300000.,
				1e-6);
	fathom_policy_sums_reset(sums, 0);
	flux.tres.gpus = TRES;		/* the first that it has not */
	add_all(&flux);
	ck_assert_double_eq_tol(sum_of(&flux, FATHOM_SUM_USAGE, 1300, "u"), 600, 1e-9);
}

TEST(sums_of_associations_unknown_to_the_tree_are_the_accounts)
{
	struct fathom_sum_rules flux = rules_of("flux");

	end_job(job_of(77), 1300);
	add_all(&flux);
	ck_assert_double_eq_tol(sum_of(&flux, FATHOM_SUM_USAGE, 1300, "B"), 600, 1e-9);
}

TEST(rows_without_an_association_stay)
{
	const struct fathom_sum_rules flux = rules_of("flux");
	struct fathom_charge charge = { .run.id = { .association = FATHOM_NO_ASSOCIATION } };
	const uint32_t heir = 6;

	for (uint32_t partition = 0; partition < 2; partition++) {
		charge.run.id.leaf = partition;
		ck_assert_int_eq(fathom_policy_sums_add(sums, &flux, &charge), 0);
	}
	fathom_policy_sums_move(sums, HOUR, heir_of, &heir);
	ck_assert_uint_eq(fathom_policy_sums_count(sums), 2);
	for (uint32_t i = 0; i < 2; i++) {
		ck_assert_uint_eq(fathom_policy_sums_at(sums, i)->association,
				  FATHOM_NO_ASSOCIATION);
		ck_assert_uint_eq(fathom_policy_sums_at(sums, i)->leaf, i);
	}
}

TEST(saved_sums_come_back)
{
	struct fathom_policy_sums_row row = { 3, 4, 0, 1300, { { 1, 2, 3 } } };
	struct fathom_sum_rules lsf = rules_of("lsf");

	ck_assert_int_eq(fathom_policy_sums_restore(sums, &row), 0);
	row.own.value[FATHOM_SUM_CPU_TIME] = 20;
	ck_assert_int_eq(fathom_policy_sums_restore(sums, &row), 0);
	fathom_policy_sums_set_since(sums, 1250);
	ck_assert_uint_eq(fathom_policy_sums_count(sums), 1);
	ck_assert_double_eq(fathom_policy_sums_at(sums, 0)->own.value[FATHOM_SUM_CPU_TIME], 20);
	ck_assert_double_eq(fathom_policy_sums_at(sums, 0)->time, 1300);
	ck_assert_uint_eq(fathom_policy_sums_at(sums, 0)->account, 4);
	ck_assert_double_eq(fathom_policy_sums_since(sums), 1250);
	ck_assert_double_eq_tol(sum_of(&lsf, FATHOM_SUM_CPU_TIME, 1400, "u"),
				20 * fathom_decay(100, half_life_of(&lsf)), 1e-12);
}

/* ---- all --------------------------------------------------------------------------------- */
