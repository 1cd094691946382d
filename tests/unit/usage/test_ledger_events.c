/* SPDX-License-Identifier: GPL-2.0-or-later */
/* semantics.md section 9: what each event of a job's life is charged, one by one. */
#include "../unit.h"

#define HOUR 3600.
#define JOB 7

static const struct fathom_charge_rules plain = { .seen = 1e6, .note_ends = true };

static struct fathom_ledger *ledger;
static struct fathom_charges *charges;
static uint64_t counts[3] = { 4, 2, 1000 };

/* Runs since 1000 on 4 CPUs, of association 3 in account 2. */
static struct fathom_observed_job job;

static void set_up(void)
{
	ledger = fathom_ledger_create();
	charges = fathom_charges_create(&plain);
	ck_assert(ledger && charges);
	fathom_ledger_set_base(ledger, 900);
	job = (struct fathom_observed_job){
		.run.id = { JOB, 3, 2, 1, 0, 0, 0, "batch" },
		.run.rate = { .billing = 5, .usage_factor = 1, .limit = 600, .tres = counts,
			      .tres_count = 3 },
		.start = 1000,
		.reserved = -1,
	};
}

static void tear_down(void)
{
	fathom_charges_destroy(charges);
	fathom_ledger_destroy(ledger);
}

TEST_FIXTURE(set_up, tear_down)

static void use_rules(struct fathom_charge_rules rules)
{
	fathom_charges_destroy(charges);
	charges = fathom_charges_create(&rules);
	ck_assert_ptr_nonnull(charges);
}

static double nobody_knows(const struct fathom_ledger_row *row, double now, void *context)
{
	(void)row, (void)now;
	if (context)
		++*(int *)context;
	return 0;
}

static double ended_at(const struct fathom_ledger_row *row, double now, void *context)
{
	ck_assert_uint_eq(row->run.id.job, JOB);
	(void)now;
	return *(double *)context;
}

static void observe(double now)
{
	ck_assert_int_eq(fathom_ledger_observe(ledger, &job, now, charges), 0);
}

static void close_at(double now)
{
	const struct fathom_lost_runs lost = { .end_of = nobody_knows };

	ck_assert_int_eq(fathom_ledger_close_round(ledger, now, &lost, charges), 0);
}

static void round_at(double now)
{
	observe(now);
	close_at(now);
}

static void resize_at(double when)
{
	ck_assert_int_eq(fathom_ledger_resize(ledger, &job, when, charges), 0);
}

static void end_at(double when)
{
	ck_assert_int_eq(fathom_ledger_end(ledger, &job, when, charges), 0);
}

static void release(void)
{
	ck_assert_int_eq(fathom_ledger_release(ledger, &job, charges), 0);
}

static size_t count(void)
{
	return fathom_charges_count(charges);
}

static const struct fathom_charge *charge(size_t at)
{
	ck_assert_uint_lt(at, count());
	return fathom_charges_at(charges, at);
}

static double seconds(void)
{
	double sum = 0;

	for (size_t i = 0; i < count(); i++)
		sum += charge(i)->seconds;
	return sum;
}

static uint64_t released(void)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count(); i++)
		sum += charge(i)->released;
	return sum;
}

/* ---- a run ------------------------------------------------------------------ */

TEST(run_is_charged_from_its_start_to_the_round)
{
	round_at(1100);
	ck_assert_uint_eq(count(), 1);
	ck_assert_double_eq(charge(0)->seconds, 100);
	ck_assert_double_eq(charge(0)->decayed_seconds, 100);
	ck_assert_double_eq(charge(0)->part[0].begin, 1000);
	ck_assert_double_eq(charge(0)->part[0].end, 1100);
	ck_assert_double_eq(charge(0)->part[1].begin, charge(0)->part[1].end);
	ck_assert_double_eq(charge(0)->ran, 100);
	ck_assert(!charge(0)->over);
	ck_assert_uint_eq(charge(0)->run.id.job, JOB);
	ck_assert_uint_eq(charge(0)->run.id.association, 3);
	ck_assert_uint_eq(charge(0)->run.id.account, 2);
	ck_assert_uint_eq(charge(0)->run.id.qos, 1);
	ck_assert_str_eq(charge(0)->run.id.partition, "batch");
	ck_assert_double_eq(charge(0)->run.rate.billing, 5);
	ck_assert_uint_eq(charge(0)->run.rate.tres_count, 3);
	ck_assert_uint_eq(charge(0)->run.rate.tres[2], 1000);
}

TEST(one_that_ran_before_the_base_is_charged_from_there)
{
	job.start = 500;
	round_at(1000);
	ck_assert_double_eq(seconds(), 100);
	ck_assert_double_eq(charge(0)->ran, 500);
}

TEST(next_round_charges_what_came_since)
{
	round_at(1100);
	round_at(1150);
	ck_assert_uint_eq(count(), 2);
	ck_assert_double_eq(charge(1)->seconds, 50);
	ck_assert_double_eq(charge(1)->part[0].begin, 1100);
	ck_assert_double_eq(charge(1)->ran, 150);
}

TEST(same_instant_is_charged_once)
{
	round_at(1100);
	round_at(1100);
	observe(1100);
	ck_assert_uint_eq(count(), 1);
}

TEST(clock_set_back_charges_nothing)
{
	round_at(1100);
	observe(1050);
	ck_assert_uint_eq(count(), 1);
	observe(1120);
	ck_assert_double_eq(seconds(), 120);
}

TEST(run_of_the_future_is_not_charged_yet)
{
	job.start = 1200;
	round_at(1100);
	ck_assert_uint_eq(count(), 0);
	round_at(1300);
	ck_assert_double_eq(seconds(), 100);
}

TEST(rate_is_what_it_is_observed_to_be)
{
	round_at(1100);
	counts[0] = 8;
	job.run.rate.billing = 9;
	job.run.id.qos = 2;
	job.run.id.association = 4;
	job.run.id.account = 9;
	round_at(1200);
	counts[0] = 4;
	ck_assert_double_eq(charge(1)->run.rate.billing, 9);
	ck_assert_uint_eq(charge(1)->run.rate.tres[0], 8);
	ck_assert_uint_eq(charge(0)->run.rate.tres[0], 4);
	ck_assert_uint_eq(charge(1)->run.id.qos, 2);
	ck_assert_uint_eq(charge(1)->run.id.association, 4);
	ck_assert_uint_eq(charge(1)->run.id.account, 9);
}

TEST(usage_factor_multiplies_seconds_not_their_time)
{
	job.run.rate.usage_factor = .25;
	round_at(1100);
	ck_assert_double_eq(charge(0)->seconds, 25);
	ck_assert_double_eq(charge(0)->decayed_seconds, 25);
	ck_assert_double_eq(charge(0)->ran, 100);
}

TEST(counts_may_become_more_and_none)
{
	uint64_t more[5] = { 1, 2, 3, 4, 5 };

	round_at(1100);
	job.run.rate.tres = more;
	job.run.rate.tres_count = 5;
	round_at(1200);
	job.run.rate.tres = NULL;
	job.run.rate.tres_count = 0;
	round_at(1300);
	ck_assert_uint_eq(charge(1)->run.rate.tres_count, 5);
	ck_assert_uint_eq(charge(1)->run.rate.tres[4], 5);
	ck_assert_uint_eq(charge(2)->run.rate.tres_count, 0);
}

/* vector A1: half a week is the half-life, a rate of 4 */
TEST(charges_decay_to_the_time_they_are_seen_at)
{
	use_rules((struct fathom_charge_rules){ .half_life = 7 * 24 * HOUR, .seen = 24 * HOUR });
	fathom_ledger_set_base(ledger, 0);
	job.start = 0.;
	job.run.rate.billing = 4;
	observe(HOUR);
	ck_assert_double_eq_tol(charge(0)->decayed_seconds * 4, 13069.363512698, UNIT_TOLERANCE);
	ck_assert_double_eq(charge(0)->seconds, HOUR);
}

/* ---- its end ------------------------------------------------------------------- */

static void observe_end(double end, double now)
{
	ck_assert_int_eq(fathom_ledger_observe_end(ledger, &job, end, now, charges), 0);
}

TEST(end_is_charged_at_the_rate_it_ran_at)
{
	round_at(1100);
	job.run.rate.billing = 0;	/* its record may have lost it */
	job.run.rate.tres_count = 0;
	observe_end(1150, 1200);
	ck_assert_double_eq(seconds(), 150);
	ck_assert_double_eq(charge(1)->run.rate.billing, 5);
	ck_assert_uint_eq(charge(1)->run.rate.tres[0], 4);
	ck_assert(charge(1)->over);
}

TEST(start_and_end_between_two_rounds_count_whole)
{
	observe_end(1050, 1100);
	ck_assert_double_eq(seconds(), 50);
	ck_assert(charge(0)->over);
	ck_assert_double_eq(charge(0)->ran, 50);
}

TEST(ended_job_is_charged_once_as_long_as_it_is_there)
{
	ck_assert(!fathom_ledger_has_charged(ledger, JOB, 1050));
	for (double now = 1100; now < 1500; now += 100) {
		observe_end(1050, now);
		close_at(now);
		ck_assert(fathom_ledger_has_charged(ledger, JOB, 1050));
		ck_assert_uint_eq(fathom_ledger_count(ledger), 0);
	}
	ck_assert_uint_eq(count(), 1);
	ck_assert(fathom_ledger_has_charged(ledger, JOB, 1400));
	ck_assert(!fathom_ledger_has_charged(ledger, JOB, 1401));
}

TEST(end_at_the_base_was_charged_before)
{
	observe_end(900, 1100);
	job.start = 500;
	observe_end(900, 1100);
	ck_assert_uint_eq(count(), 0);
	observe_end(901, 1100);
	ck_assert_double_eq(seconds(), 1);
}

TEST(end_after_the_round_began_is_over_in_the_next)
{
	round_at(1100);
	observe_end(1250, 1200);
	close_at(1200);
	ck_assert_double_eq(seconds(), 200);
	ck_assert(!charge(1)->over);
	observe_end(1250, 1300);
	close_at(1300);
	ck_assert_double_eq(seconds(), 250);
	ck_assert(charge(2)->over);
	observe_end(1250, 1400);
	ck_assert_uint_eq(count(), 3);
}

TEST(told_end_needs_no_round_and_is_not_charged_by_one)
{
	round_at(1100);
	end_at(1130);
	ck_assert_double_eq(seconds(), 130);
	ck_assert(charge(1)->over);
	end_at(1140);
	observe_end(1130, 1120);	/* of a round that began before */
	close_at(1120);
	ck_assert_uint_eq(fathom_ledger_count(ledger), 1);
	observe_end(1130, 1130);
	close_at(1130);
	ck_assert_uint_eq(fathom_ledger_count(ledger), 0);
	observe_end(1130, 1200);
	ck_assert_uint_eq(count(), 2);
}

TEST(end_of_no_seconds_counts_where_it_is_asked_for)
{
	round_at(1100);
	observe_end(1100, 1150);
	ck_assert_uint_eq(count(), 2);
	ck_assert(charge(1)->over);
	ck_assert_double_eq(charge(1)->seconds, 0);
	ck_assert_double_eq(charge(1)->ran, 100);
	use_rules((struct fathom_charge_rules){ .seen = 1200 });
	job.run.id.job = 8;
	round_at(1150);
	observe_end(1150, 1200);
	ck_assert_uint_eq(count(), 1);
	ck_assert(!charge(0)->over);
}

TEST(end_far_ahead_is_left_to_the_next_round)
{
	use_rules((struct fathom_charge_rules){ .half_life = 1, .seen = 1000 });
	end_at(1501);
	ck_assert_uint_eq(count(), 0);
	ck_assert_uint_eq(fathom_ledger_count(ledger), 0);
	end_at(1500);
	ck_assert(isfinite(charge(0)->decayed_seconds));
	ck_assert_double_eq(seconds(), 500);
}

TEST(end_at_the_start_charges_nothing)
{
	end_at(1000);
	ck_assert_uint_eq(count(), 0);
	ck_assert_uint_eq(fathom_ledger_count(ledger), 0);
}

/* ---- resize, requeue, gone ------------------------------------------------------ */

TEST(resize_parts_the_run)
{
	uint64_t small[3] = { 1, 1, 1 };

	round_at(1100);
	job.resized = 1130;
	job.run.rate.tres = small;
	job.run.rate.billing = 1;
	round_at(1200);
	ck_assert_uint_eq(count(), 3);
	ck_assert_double_eq(charge(1)->seconds, 30);
	ck_assert_double_eq(charge(1)->run.rate.billing, 5);
	ck_assert_double_eq(charge(2)->seconds, 70);
	ck_assert_uint_eq(charge(2)->run.rate.tres[0], 1);
	ck_assert(!charge(1)->over && !charge(2)->over);
	observe_end(1250, 1300);
	ck_assert_double_eq(charge(3)->run.rate.billing, 1);
}

TEST(resize_counts_before_an_end_that_was_not_told)
{
	round_at(1100);
	job.resized = 1130;
	job.run.rate.billing = 1;
	observe_end(1150, 1200);
	ck_assert_double_eq(charge(1)->seconds, 30);
	ck_assert_double_eq(charge(1)->run.rate.billing, 5);
	ck_assert_double_eq(charge(2)->seconds, 20);
	ck_assert_double_eq(charge(2)->run.rate.billing, 1);
	ck_assert(!charge(1)->over && charge(2)->over);
}

TEST(resize_at_the_end_of_the_round_is_of_the_old_size)
{
	round_at(1100);
	job.resized = 1200;
	job.run.rate.billing = 1;
	observe(1200);
	ck_assert_double_eq(seconds(), 200);
	ck_assert_double_eq(charge(1)->run.rate.billing, 5);
	ck_assert_double_eq(fathom_ledger_find(ledger, JOB)->run.rate.billing, 1);
	ck_assert_double_eq(fathom_ledger_find(ledger, JOB)->resized, 1200);
}

TEST(resize_after_the_round_began_is_of_the_next)
{
	round_at(1100);
	job.resized = 1230;
	job.run.rate.billing = 1;
	round_at(1200);
	ck_assert_double_eq(charge(1)->run.rate.billing, 5);
	round_at(1300);
	ck_assert_double_eq(charge(2)->seconds, 30);
	ck_assert_double_eq(charge(2)->run.rate.billing, 5);
	ck_assert_double_eq(charge(3)->seconds, 70);
	ck_assert_double_eq(charge(3)->run.rate.billing, 1);
}

TEST(what_is_seen_last_at_the_resize_is_the_rate)
{
	round_at(1100);
	job.resized = 1200;
	observe(1200);
	job.run.rate.billing = 9;
	observe(1200);
	observe_end(1300, 1400);
	ck_assert_double_eq(charge(count() - 1)->seconds, 100);
	ck_assert_double_eq(charge(count() - 1)->run.rate.billing, 9);
}

TEST_LOOP(resize_that_cannot_be_charged_is_left_to_the_next_round, 2)
{
	use_rules((struct fathom_charge_rules){ .half_life = 1, .seen = 1000 });
	job.reserved = 600;
	resize_at(_i ? 1000 : 1501);
	ck_assert_uint_eq(count(), 1);
	ck_assert_double_eq(charge(0)->seconds, 0);
	ck_assert_uint_eq(charge(0)->released, 600);
	ck_assert_uint_eq(fathom_ledger_count(ledger), 0);
}

TEST(told_resize_goes_on_at_the_size_it_is_seen_with)
{
	round_at(1100);
	resize_at(1130);
	ck_assert_double_eq(seconds(), 130);
	ck_assert(!charge(1)->over);
	job.resized = 1130;
	job.run.rate.billing = 1;
	round_at(1200);
	ck_assert_uint_eq(count(), 3);
	ck_assert_double_eq(charge(2)->seconds, 70);
	ck_assert_double_eq(charge(2)->run.rate.billing, 1);
}

TEST(told_resize_is_known_by_an_end_before_the_next_round)
{
	round_at(1100);
	resize_at(1130);
	job.resized = 1130;
	job.run.rate.billing = 1;
	end_at(1150);
	ck_assert_double_eq(charge(2)->seconds, 20);
	ck_assert_double_eq(charge(2)->run.rate.billing, 1);
	resize_at(1160);
	ck_assert_uint_eq(count(), 3);
	ck_assert(fathom_ledger_find(ledger, JOB)->over);
}

/* What a told resize has left unknown is of the size that is seen next. */
TEST(second_resize_before_it_was_seen_is_of_the_size_seen)
{
	round_at(1100);
	resize_at(1130);
	job.resized = 1150;
	job.run.rate.billing = 1;
	round_at(1200);
	ck_assert_uint_eq(count(), 3);
	ck_assert_double_eq(charge(2)->seconds, 70);
	ck_assert_double_eq(charge(2)->run.rate.billing, 1);
}

TEST(run_keeps_its_leaf_and_the_next_run_has_none)
{
	fathom_ledger_set_leaf(ledger, JOB, 9);	/* not there yet */
	round_at(1100);
	ck_assert_uint_eq(charge(0)->run.id.leaf, 0);
	fathom_ledger_set_leaf(ledger, JOB, 7);
	round_at(1130);
	ck_assert_uint_eq(charge(1)->run.id.leaf, 7);
	job.run.id.leaf = 8;	/* who observes the job may know it better */
	round_at(1140);
	ck_assert_uint_eq(charge(2)->run.id.leaf, 8);
	job.run.id.leaf = 0;
	job.start = 1160;
	job.requeued = 1150;
	round_at(1200);
	ck_assert_uint_eq(charge(3)->run.id.leaf, 8);
	ck_assert_uint_eq(charge(4)->run.id.leaf, 0);
}

/* Sent back at 1130 and running again since 1160. */
TEST_LOOP(requeue_ends_the_run_and_the_next_begins, 2)
{
	round_at(1100);
	if (_i)		/* told; the record may not tell any more */
		fathom_ledger_requeue(ledger, JOB, 1130);
	job.requeued = _i ? 1155 : 1130;
	job.start = 1160;
	job.run.id.association = 4;
	job.run.id.partition = "debug";
	round_at(1200);
	ck_assert_uint_eq(count(), 3);
	ck_assert_double_eq(charge(1)->seconds, 30);
	ck_assert(charge(1)->over);
	ck_assert_uint_eq(charge(1)->run.id.association, 3);
	ck_assert_str_eq(charge(1)->run.id.partition, "batch");
	ck_assert_double_eq(charge(1)->ran, 130);
	ck_assert_double_eq(charge(2)->seconds, 40);
	ck_assert_uint_eq(charge(2)->run.id.association, 4);
	ck_assert_str_eq(charge(2)->run.id.partition, "debug");
	ck_assert_double_eq(charge(2)->ran, 40);
}

TEST_LOOP(first_word_of_a_requeue_counts, 2)
{
	double waits_since = 1130;
	const struct fathom_lost_runs lost = { ended_at, &waits_since };

	round_at(1100);
	if (_i) {
		fathom_ledger_requeue(ledger, JOB, 1120);
		fathom_ledger_requeue(ledger, JOB, 1150);
	}
	ck_assert_int_eq(fathom_ledger_close_round(ledger, 1200, &lost, charges), 0);
	ck_assert_double_eq(seconds(), _i ? 120 : 130);
	ck_assert(charge(1)->over);
	ck_assert_uint_eq(fathom_ledger_count(ledger), 0);
}

TEST_LOOP(requeue_within_the_first_second_counts, 2)
{
	fathom_ledger_set_base(ledger, 0);
	job.start = 0;
	observe(.25);
	fathom_ledger_requeue(ledger, JOB, .5);
	fathom_ledger_requeue(ledger, JOB, .75);
	job.start = 1;
	job.requeued = .75;
	if (_i)
		observe(2);
	close_at(2);
	close_at(3);
	ck_assert_double_eq(seconds(), _i ? .5 + 1 : .5);
}

TEST(requeue_of_what_is_over_or_unknown_is_nothing)
{
	fathom_ledger_requeue(ledger, JOB, 1130);
	ck_assert_uint_eq(fathom_ledger_count(ledger), 0);
	observe(1100);
	end_at(1110);
	fathom_ledger_requeue(ledger, JOB, 1130);
	job.start = 1200;
	observe(1300);
	ck_assert_double_eq(seconds(), 110 + 100);
	close_at(1300);		/* the second run was not requeued */
	ck_assert_uint_eq(fathom_ledger_count(ledger), 1);
	job.start = 1310;
	job.requeued = 1305;
	observe(1320);
	ck_assert_double_eq(seconds(), 110 + 100 + 5 + 10);
}

TEST(job_that_is_gone_ends_where_it_was_charged_last)
{
	int asked = 0;
	const struct fathom_lost_runs lost = { nobody_knows, &asked };

	round_at(1100);
	ck_assert_int_eq(fathom_ledger_close_round(ledger, 1200, &lost, charges), 0);
	ck_assert_int_eq(asked, 1);
	ck_assert_double_eq(seconds(), 100);
	ck_assert(charge(1)->over);
	ck_assert_uint_eq(fathom_ledger_count(ledger), 0);
	ck_assert_int_eq(fathom_ledger_close_round(ledger, 1300, &lost, charges), 0);
	ck_assert_int_eq(asked, 1);
}

/* ---- parts on sets of hosts --------------------------------------------------------- */

static void assert_part(const struct fathom_run_rate *rate, const char *hosts, uint64_t cpus)
{
	ck_assert_uint_eq(rate->part_count, 1);
	ck_assert_str_eq(rate->part->hosts, hosts);
	ck_assert_uint_eq(rate->part->cpus, cpus);
}

/* The caller's array and names are gone when they are charged. */
TEST(parts_are_those_of_the_size_that_is_charged)
{
	char name[] = "h1";
	struct fathom_run_part part = { name, 4, 4 };

	job.run.rate.part = &part;
	job.run.rate.part_count = 1;
	round_at(1100);
	part.cpus = 1;
	name[1] = '2';
	job.resized = 1150;
	round_at(1200);
	job.run.rate.part_count = 0;
	end_at(1250);
	ck_assert_uint_eq(count(), 4);
	assert_part(&charge(0)->run.rate, "h1", 4);
	assert_part(&charge(1)->run.rate, "h1", 4);
	ck_assert_double_eq(charge(1)->part[1].end, 1150);
	assert_part(&charge(2)->run.rate, "h2", 1);
	assert_part(&charge(3)->run.rate, "h2", 1);	/* as it was last observed */
}

/* ---- pauses ------------------------------------------------------------------------- */

/* Ran for 60 s, was suspended at 1060, and resumed at 1085 if at all. */
static void pause_job(bool resumed)
{
	job.ran = 60;
	job.switched = resumed ? 1085 : 1060;
	job.suspended = !resumed;
}

TEST_LOOP(pauses_are_charged_unless_the_rules_say_otherwise, 2)
{
	pause_job(_i);
	round_at(1100);
	ck_assert_double_eq(seconds(), 100);
	ck_assert_double_eq(charge(0)->ran, 100);
	ck_assert_double_eq(fathom_ledger_find(ledger, JOB)->paused, _i ? 25 : 40);
}

TEST(pause_is_left_out_where_it_was)
{
	use_rules((struct fathom_charge_rules){ .half_life = 100, .seen = 1100,
						.skip_pauses = true });
	pause_job(true);
	round_at(1100);
	ck_assert_double_eq(charge(0)->seconds, 75);
	ck_assert_double_eq(charge(0)->ran, 75);
	ck_assert_double_eq(charge(0)->part[0].begin, 1000);
	ck_assert_double_eq(charge(0)->part[0].end, 1060);
	ck_assert_double_eq(charge(0)->part[1].begin, 1085);
	ck_assert_double_eq(charge(0)->part[1].end, 1100);
	ck_assert_double_eq_tol(charge(0)->decayed_seconds,
				fathom_decayed_seconds(1000, 1060, 1100, 100) +
					fathom_decayed_seconds(1085, 1100, 1100, 100), 1e-12);
	round_at(1150);
	ck_assert_double_eq(charge(1)->seconds, 50);
	ck_assert_double_eq(charge(1)->ran, 125);
}

TEST(pause_that_lasts_ends_with_the_charge)
{
	use_rules((struct fathom_charge_rules){ .seen = 1100, .skip_pauses = true });
	pause_job(false);
	round_at(1100);
	ck_assert_double_eq(charge(0)->seconds, 60);
	ck_assert_double_eq(charge(0)->part[0].end, 1060);
	ck_assert_double_eq(charge(0)->part[1].begin, 1100);
	round_at(1150);
	ck_assert_double_eq(seconds(), 60);
	ck_assert_double_eq(fathom_ledger_find(ledger, JOB)->charged_until, 1150);
}

TEST(pause_that_lasts_ends_with_the_charge_of_a_run_that_began_at_0)
{
	use_rules((struct fathom_charge_rules){ .seen = 100, .skip_pauses = true });
	fathom_ledger_set_base(ledger, 0);
	job.start = 0;
	job.ran = job.switched = .5;
	job.suspended = true;
	round_at(100);
	ck_assert_double_eq(charge(0)->part[0].end, .5);
	ck_assert_double_eq(charge(0)->part[1].begin, 100);
}

/* slurmctld then tells when the pause began as the end; a round may have charged later seconds. */
TEST(pause_in_which_a_run_ends_is_none_of_what_it_ran)
{
	use_rules((struct fathom_charge_rules){ .seen = 1100, .skip_pauses = true,
						.note_ends = true });
	pause_job(false);
	round_at(1100);
	job.suspended = false;
	end_at(1060);
	ck_assert_uint_eq(count(), 2);
	ck_assert_double_eq(charge(1)->seconds, 0);
	ck_assert_double_eq(charge(1)->ran, 60);
}

TEST(pause_that_began_nobody_knows_when_is_charged)
{
	use_rules((struct fathom_charge_rules){ .seen = 1100, .skip_pauses = true });
	job.suspended = true;
	round_at(1100);
	ck_assert_double_eq(seconds(), 100);
}

TEST(pause_that_is_seen_late_takes_nothing_back)
{
	use_rules((struct fathom_charge_rules){ .seen = 1100, .skip_pauses = true });
	round_at(1100);
	pause_job(false);
	round_at(1110);		/* 50 seconds, of which 40 have been charged */
	ck_assert_double_eq(charge(1)->seconds, 0);
	ck_assert_double_eq(charge(1)->part[0].end, 1100);
}

TEST(pause_before_a_run_was_first_seen_is_not_its_next_charge)
{
	use_rules((struct fathom_charge_rules){ .seen = 1100, .skip_pauses = true });
	fathom_ledger_set_base(ledger, 1090);
	pause_job(true);
	round_at(1100);
	ck_assert_double_eq(seconds(), 10);
	ck_assert_double_eq(charge(0)->ran, 75);
}

/* Resumed at 1085, or suspended since 1060. */
TEST_LOOP(pause_before_a_resize_is_left_out_of_the_old_size, 2)
{
	bool resumed = _i;

	use_rules((struct fathom_charge_rules){ .seen = 1100, .skip_pauses = true });
	round_at(1050);
	pause_job(resumed);
	job.resized = 1090;
	round_at(1100);
	ck_assert_double_eq(charge(1)->seconds, resumed ? 15 : 10);
	ck_assert_double_eq(charge(1)->ran, resumed ? 65 : 60);
	ck_assert_double_eq(charge(1)->part[0].end, 1060);
	ck_assert_double_eq(charge(1)->part[1].begin, resumed ? 1085 : 1090);
	ck_assert_double_eq(charge(2)->seconds, resumed ? 10 : 0);
}

/* ---- reserved seconds -------------------------------------------------------------------- */

TEST(reserved_seconds_are_released_as_they_run)
{
	job.reserved = 600;
	job.run.rate.usage_factor = .5;
	round_at(1101);
	ck_assert_uint_eq(charge(0)->released, 50);
	round_at(1200);
	ck_assert_uint_eq(charge(1)->released, 50);	/* cut twice, 100 in all */
	round_at(1700);
	ck_assert_uint_eq(charge(2)->released, 200);
	round_at(1800);		/* beyond its limit */
	ck_assert_uint_eq(charge(3)->released, 0);
	ck_assert_uint_eq(released(), 300);
}

TEST(end_releases_what_is_left_once)
{
	job.reserved = 600;
	round_at(1100);
	end_at(1130);
	ck_assert_uint_eq(charge(1)->released, 500);
	job.reserved = -1;
	observe_end(1130, 1200);
	ck_assert_uint_eq(released(), 600);
}

/* Its record has an end that has not come yet, round after round. */
TEST(end_ahead_releases_once)
{
	job.reserved = 600;
	round_at(1100);
	observe_end(1250, 1150);
	close_at(1150);
	ck_assert_uint_eq(charge(1)->released, 500);
	observe_end(1250, 1200);
	close_at(1200);
	release();
	observe_end(1250, 1300);
	close_at(1300);
	ck_assert_uint_eq(released(), 600);
	ck_assert_double_eq(seconds(), 250);
}

TEST(end_that_was_charged_before_releases_yet)
{
	use_rules((struct fathom_charge_rules){ .seen = 1100 });
	round_at(1100);
	job.reserved = 600;
	end_at(1100);
	ck_assert_uint_eq(count(), 2);
	ck_assert_double_eq(charge(1)->seconds, 0);
	ck_assert_uint_eq(charge(1)->released, 600);
}

TEST(nothing_is_released_that_was_not_reserved)
{
	round_at(1100);
	end_at(1130);
	ck_assert_uint_eq(released(), 0);
}

TEST(reserved_of_0_are_counted)
{
	job.reserved = 0;
	round_at(1100);
	job.reserved = 600;
	round_at(1200);
	ck_assert_uint_eq(released(), 100);	/* from 1100 on */
}

TEST(reserved_anew_is_released_from_the_start)
{
	job.reserved = 600;
	round_at(1100);
	fathom_ledger_reserve_anew(ledger);
	round_at(1150);
	ck_assert_uint_eq(charge(1)->released, 150);
}

TEST(every_run_is_reserved_anew)
{
	job.reserved = 600;
	observe(1100);
	job.run.id.job = JOB + 1;
	round_at(1100);
	fathom_ledger_reserve_anew(ledger);
	round_at(1150);
	ck_assert_uint_eq(charge(2)->run.id.job, JOB + 1);
	ck_assert_uint_eq(charge(2)->released, 150);
}

TEST(less_than_a_second_may_be_reserved)
{
	job.reserved = .5;
	job.run.rate.usage_factor = 10;
	round_at(1100);
	ck_assert_uint_eq(released(), 5);
}

TEST(resize_releases_all_and_is_reserved_anew)
{
	job.reserved = 600;
	round_at(1100);
	resize_at(1130);
	ck_assert_uint_eq(charge(1)->released, 500);
	job.resized = 1130;
	round_at(1200);
	ck_assert_uint_eq(charge(2)->released, 200);
	end_at(1250);
	ck_assert_uint_eq(charge(3)->released, 400);
}

TEST(resize_of_what_is_over_releases_nothing_again)
{
	job.reserved = 600;
	round_at(1100);
	end_at(1130);
	resize_at(1140);
	release();
	ck_assert_uint_eq(released(), 600);
}

TEST(resized_run_that_began_at_0_is_reserved_anew)
{
	fathom_ledger_set_base(ledger, 0);
	job.start = 0;
	job.reserved = 600;
	round_at(100);
	resize_at(130);
	job.resized = 130;
	round_at(200);
	ck_assert_uint_eq(charge(2)->released, 200);
}

/* Where a resize was not told, what ran until then was of the old size. */
TEST(old_size_releases_what_it_ran)
{
	job.reserved = 600;
	round_at(1100);
	job.resized = 1130;
	round_at(1200);
	ck_assert_uint_eq(charge(1)->released, 30);
	ck_assert_uint_eq(charge(2)->released, 70);
	fathom_ledger_reserve_anew(ledger);	/* at the new size, by whoever resized it */
	job.resized = 1230;
	round_at(1300);
	ck_assert_uint_eq(charge(3)->released, 0);
	ck_assert_uint_eq(charge(4)->released, 300);
}

TEST(run_seen_at_its_start_releases_at_its_first_size)
{
	job.reserved = 600;
	round_at(1000);
	job.resized = 1130;
	round_at(1200);
	ck_assert_uint_eq(charge(0)->released, 130);
	ck_assert_uint_eq(charge(1)->released, 70);
}

TEST_LOOP(release_gives_back_all_and_leaves_the_ledger, 3)
{
	job.reserved = 600;
	if (_i)
		round_at(1100);
	if (_i == 2)
		job.start = 1050;	/* of another run */
	release();
	ck_assert_uint_eq(charge(_i > 0)->released, _i == 1 ? 500 : 600);
	ck_assert_double_eq(charge(_i > 0)->seconds, 0);
	ck_assert(!charge(_i > 0)->over);
	ck_assert_ptr_null(charge(_i > 0)->run.id.partition);
	ck_assert_uint_eq(charge(_i > 0)->run.rate.tres[0], 4);
	ck_assert_uint_eq(fathom_ledger_count(ledger), _i > 0);
	if (_i)
		ck_assert_double_eq(fathom_ledger_find(ledger, JOB)->charged_until, 1100);
}

TEST(lost_run_releases_nothing)
{
	job.reserved = 600;
	round_at(1100);
	close_at(1200);
	ck_assert_uint_eq(released(), 100);
}

/* ---- what is saved ----------------------------------------------------------------------- */

static void restore(struct fathom_ledger_row row)
{
	fathom_ledger_destroy(ledger);
	ledger = fathom_ledger_create();
	ck_assert_ptr_nonnull(ledger);
	fathom_ledger_set_base(ledger, 1100);
	ck_assert_int_eq(fathom_ledger_restore(ledger, &row), 0);
}

/* Names and counts have to be the caller's own by then. */
static struct fathom_ledger_row saved_row(void)
{
	struct fathom_ledger_row row = *fathom_ledger_at(ledger, 0);

	row.run.rate.tres = counts;
	row.run.id.partition = "batch";
	return row;
}

TEST(restored_run_goes_on_where_it_was)
{
	round_at(1100);
	restore(saved_row());
	ck_assert_str_eq(fathom_ledger_at(ledger, 0)->run.id.partition, "batch");
	round_at(1200);
	ck_assert_double_eq(charge(1)->seconds, 100);
	ck_assert_double_eq(charge(1)->ran, 200);
	ck_assert_str_eq(charge(1)->run.id.partition, "batch");
}

TEST(restored_row_is_a_copy)
{
	struct fathom_ledger_row row;
	uint64_t lent[3] = { 4, 2, 1000 };
	char name[] = "batch";

	round_at(1100);
	row = saved_row();
	row.run.rate.tres = lent;
	row.run.id.partition = name;
	restore(row);
	lent[0] = 99;
	name[0] = 'x';
	observe_end(1150, 1200);
	ck_assert_uint_eq(charge(1)->run.rate.tres[0], 4);
	ck_assert_str_eq(charge(1)->run.id.partition, "batch");
}

TEST(parts_are_restored_and_charged_before_they_are_observed)
{
	const struct fathom_run_part parts[] = { { "h1", 1, 4 }, { "h2", 3, 4 } };

	restore((struct fathom_ledger_row){
		.run = { .id = { .job = JOB, .association = 3 },
			 .rate = { .usage_factor = 1, .part = parts, .part_count = 2 } },
		.start = 1000, .charged_until = 1000 });
	end_at(1100);
	ck_assert_uint_eq(charge(0)->run.rate.part_count, 2);
	ck_assert_str_eq(charge(0)->run.rate.part[1].hosts, "h2");
	ck_assert_ptr_ne(charge(0)->run.rate.part, parts);
}

TEST(restored_run_that_ended_since_is_charged_at_its_rate)
{
	round_at(1100);
	restore(saved_row());
	job.run.rate.billing = 0;
	observe_end(1150, 1200);
	ck_assert_double_eq(charge(1)->seconds, 50);
	ck_assert_double_eq(charge(1)->run.rate.billing, 5);
	ck_assert(charge(1)->over);
}

TEST(restored_end_is_not_charged_again)
{
	observe(1100);
	end_at(1130);
	close_at(1100);
	restore(saved_row());
	ck_assert(fathom_ledger_at(ledger, 0)->over);
	observe_end(1130, 1200);
	close_at(1200);
	ck_assert_double_eq(seconds(), 130);
	ck_assert_uint_eq(fathom_ledger_count(ledger), 0);
}

/* Jobs may not have been read yet by the first round. */
TEST(restored_run_outlives_a_round_that_does_not_meet_it)
{
	round_at(1100);
	restore(saved_row());
	close_at(1200);
	ck_assert_uint_eq(fathom_ledger_count(ledger), 1);
	round_at(1300);
	ck_assert_double_eq(seconds(), 300);
}

TEST(row_without_an_association_is_not_charged_before_it_is_seen)
{
	struct fathom_ledger_row row;

	round_at(1100);
	row = saved_row();
	row.run.id.association = 0;
	restore(row);
	close_at(1150);
	close_at(1200);
	ck_assert_uint_eq(count(), 1);
	ck_assert_uint_eq(fathom_ledger_count(ledger), 0);
	restore(row);
	round_at(1200);
	ck_assert_uint_eq(charge(1)->run.id.association, 3);
	ck_assert_double_eq(charge(1)->seconds, 100);
}

TEST(row_restored_twice_is_one)
{
	round_at(1100);
	restore(saved_row());
	ck_assert_int_eq(fathom_ledger_restore(ledger, &(struct fathom_ledger_row){
		.run.id = { .job = JOB, .association = 3 } }), 0);
	ck_assert_uint_eq(fathom_ledger_count(ledger), 1);
}

/* ---- many jobs --------------------------------------------------------------------------- */

#define MANY 700

TEST(each_of_many_jobs_has_its_own)
{
	for (uint64_t id = 1; id <= MANY; id++) {
		job.run.id.job = id;
		job.start = 1000 + (double)(id % 50);
		observe(1100);
	}
	for (uint64_t id = 1; id <= MANY; id += 3) {
		job.run.id.job = id;
		job.start = 1000 + (double)(id % 50);
		end_at(1090);
	}
	close_at(1100);
	ck_assert_uint_eq(fathom_ledger_count(ledger), MANY - (MANY + 2) / 3);
	for (uint64_t id = 1; id <= MANY; id++) {
		const struct fathom_ledger_row *row = fathom_ledger_find(ledger, id);

		ck_assert(!row == (id % 3 == 1));
		ck_assert(!row || row->run.id.job == id);
		ck_assert(!row || row->start == 1000 + (double)(id % 50));
	}
}

TEST(jobs_of_a_partition_share_its_name)
{
	const char *shared[20];
	char name[16];

	job.run.id.partition = name;
	for (uint64_t id = 0; id < 40; id++) {
		job.run.id.job = id + 1;
		snprintf(name, sizeof(name), "p%d", (int)(id % 20));
		observe(1100);
		if (id < 20)
			shared[id] = fathom_ledger_find(ledger, id + 1)->run.id.partition;
		ck_assert_str_eq(shared[id % 20], name);
		ck_assert_ptr_eq(fathom_ledger_find(ledger, id + 1)->run.id.partition,
				 shared[id % 20]);
	}
}

/* Counts of TRES of many charges fill several blocks. */
TEST(charges_keep_their_counts)
{
	static uint64_t wide[70000];

	job.run.rate.tres = wide;
	for (uint32_t i = 0; i < 400; i++) {
		uint32_t width = i % 20 == 7 ? 70000 : 1000 + i;

		job.run.id.job = i + 1;
		job.run.rate.tres_count = width;
		wide[0] = i;
		wide[width - 1] = i + 1;
		observe(1100);
		wide[width - 1] = 0;
	}
	for (uint32_t i = 0; i < 400; i++) {
		const struct fathom_run_rate *rate = &charge(i)->run.rate;

		ck_assert_uint_eq(rate->tres[0], i);
		ck_assert_uint_eq(rate->tres[rate->tres_count - 1], i + 1);
	}
}

/* ---- jobs that a round has not seen --------------------------------------------------------- */

static void end_unseen(uint64_t id, double end)
{
	ck_assert_int_eq(fathom_ledger_end_unseen(ledger, id, end, charges), 0);
}

/* Jobs 1, 2 and 3 run; then a round sees 2 alone. */
static void see_one_of_three(void)
{
	for (job.run.id.job = 1; job.run.id.job <= 3; job.run.id.job++)
		observe(1100);
	close_at(1100);
	job.run.id.job = 2;
	observe(1200);
}

TEST(jobs_that_were_not_seen_are_listed)
{
	size_t at = 0;

	see_one_of_three();
	ck_assert_uint_eq(fathom_ledger_next_unseen(ledger, &at)->run.id.job, 1);
	ck_assert_uint_eq(fathom_ledger_next_unseen(ledger, &at)->run.id.job, 3);
	ck_assert_ptr_null(fathom_ledger_next_unseen(ledger, &at));
	end_unseen(1, 1150);
	at = 0;
	ck_assert_uint_eq(fathom_ledger_next_unseen(ledger, &at)->run.id.job, 3);
	job.run.id.job = 3;
	observe(1200);
	at = 0;
	ck_assert_ptr_null(fathom_ledger_next_unseen(ledger, &at));
}

TEST(job_that_was_not_seen_ends_once)
{
	see_one_of_three();
	use_rules(plain);
	end_unseen(1, 1150);
	end_unseen(1, 1180);
	end_unseen(2, 1150);	/* has been seen */
	end_unseen(4, 1150);	/* is not known */
	ck_assert_uint_eq(count(), 1);
	ck_assert_double_eq(seconds(), 50);
	ck_assert(charge(0)->over);
	fathom_ledger_requeue(ledger, 3, 1120);
	end_unseen(3, 1150);
	ck_assert_double_eq(seconds(), 50 + 20);
	ck_assert_int_eq(fathom_ledger_close_round(ledger, 1200, NULL, charges), 0);
	ck_assert_double_eq(seconds(), 50 + 20);
	ck_assert_uint_eq(fathom_ledger_count(ledger), 1);
	ck_assert_ptr_nonnull(fathom_ledger_find(ledger, 2));
}

/* Beyond the base the row is needed: the job's record may be seen again. */
TEST(run_that_ends_beyond_the_base_keeps_its_row)
{
	see_one_of_three();
	end_unseen(1, 1250);
	close_at(1200);
	ck_assert_double_eq(fathom_ledger_find(ledger, 1)->charged_until, 1250);
	ck_assert_ptr_null(fathom_ledger_find(ledger, 3));
	close_at(1300);
	ck_assert_uint_eq(fathom_ledger_count(ledger), 0);
}

TEST(rows_are_found_in_any_order)
{
	static const uint64_t order[] = { 1, 2, 3, 4, 2, 3, 1, 4, 1 };
	size_t at = 0;

	see_one_of_three();
	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++) {
		const struct fathom_ledger_row *row =
			fathom_ledger_find_from(ledger, order[i], &at);

		ck_assert(!row == (order[i] == 4));
		ck_assert(!row || row->run.id.job == order[i]);
	}
}

TEST(tres_that_a_run_has_used_is_noted)
{
	counts[1] = 0;
	observe(1100);
	ck_assert(fathom_ledger_has_used(ledger, 0) && !fathom_ledger_has_used(ledger, 1));
	counts[1] = 2;
	ck_assert(!fathom_ledger_has_used(ledger, 1));
	observe(1200);
	ck_assert(fathom_ledger_has_used(ledger, 1) && !fathom_ledger_has_used(ledger, 255));
	ck_assert(fathom_ledger_has_used(ledger, 256));
}

/* ---- a small ledger beside that of the rounds ---------------------------------------------- */

static struct fathom_ledger *beside;

static void copy(struct fathom_ledger *to, const struct fathom_ledger *from)
{
	ck_assert_int_eq(fathom_ledger_copy_run(to, from, JOB), 0);
}

/* Calls `call` on a ledger that knows the job alone, and copies what this one knows then. */
static void call_beside(void (*call)(double when), double when)
{
	struct fathom_ledger *main = ledger;

	copy(beside, main);
	ledger = beside;
	call(when);
	ledger = main;
	copy(main, beside);
	fathom_ledger_destroy(beside);
	beside = fathom_ledger_create();
}

static void requeue_at(double when)
{
	fathom_ledger_requeue(ledger, JOB, when);
}

static void begin_beside(void)
{
	struct fathom_run_part part = { "h1", 4, 4 };

	beside = fathom_ledger_create();
	ck_assert_ptr_nonnull(beside);
	job.run.rate.part = &part;
	job.run.rate.part_count = 1;
	round_at(1100);
	job.run.rate.part_count = 0;
}

static void assert_row(const struct fathom_ledger_row *row, double until)
{
	ck_assert_double_eq(row->charged_until, until);
	ck_assert_double_eq(row->start, 1000);
	ck_assert_str_eq(row->run.id.partition, "batch");
	ck_assert_uint_eq(row->run.id.association, 3);
	ck_assert_uint_eq(row->run.rate.tres_count, 3);
	ck_assert_uint_eq(row->run.rate.tres[2], 1000);
	assert_part(&row->run.rate, "h1", 4);
}

TEST(copy_of_a_run_is_its_own)
{
	begin_beside();
	copy(beside, ledger);
	assert_row(fathom_ledger_find(beside, JOB), 1100);
	fathom_ledger_destroy(ledger);
	ledger = beside;
	assert_row(fathom_ledger_find(beside, JOB), 1100);
}

TEST(job_that_is_not_known_is_not_copied)
{
	begin_beside();
	ck_assert_int_eq(fathom_ledger_copy_run(beside, ledger, JOB + 1), 0);
	ck_assert_uint_eq(fathom_ledger_count(beside), 0);
	copy(ledger, beside);		/* nor does this forget the run */
	assert_row(fathom_ledger_find(ledger, JOB), 1100);
	fathom_ledger_destroy(beside);
}

/* Of five jobs every second is over. */
TEST_LOOP(runs_are_moved_some_at_a_time, 6)
{
	size_t moved = 0;

	begin_beside();
	for (uint64_t i = 0; i < 5; i++) {
		job.run.id.job = JOB + i;
		observe(1150);
		if (i % 2)
			ck_assert_int_eq(fathom_ledger_end(ledger, &job, 1160, charges), 0);
	}
	while (fathom_ledger_count(ledger)) {
		ck_assert_int_eq(fathom_ledger_move_runs(beside, ledger, (size_t)_i + 1), 0);
		moved += (size_t)_i + 1;
		ck_assert_uint_eq(fathom_ledger_count(beside), moved < 5 ? moved : 5);
		ck_assert_uint_eq(fathom_ledger_count(ledger), moved < 5 ? 5 - moved : 0);
	}
	for (uint64_t i = 0; i < 5; i++) {
		ck_assert_double_eq(fathom_ledger_find(beside, JOB + i)->charged_until,
				    i % 2 ? 1160 : 1150);
		ck_assert_uint_eq(fathom_ledger_find(beside, JOB + i)->over, i % 2);
	}
	/* the ledger is as good as new */
	job.run.id.job = JOB;
	ck_assert_int_eq(fathom_ledger_end(ledger, &job, 1170, charges), 0);
	ck_assert_uint_eq(fathom_ledger_count(ledger), 1);
	fathom_ledger_destroy(beside);
}

TEST(names_outlive_runs_that_are_moved)
{
	const char *partition;

	begin_beside();
	copy(beside, ledger);
	partition = fathom_ledger_find(beside, JOB)->run.id.partition;
	ck_assert_int_eq(fathom_ledger_move_runs(ledger, beside, 1), 0);
	ck_assert_uint_eq(fathom_ledger_count(beside), 0);
	ck_assert_str_eq(partition, "batch");
	fathom_ledger_destroy(beside);
}

TEST(end_beside_the_ledger_is_charged_once)
{
	begin_beside();
	call_beside(end_at, 1130);
	ck_assert_double_eq(seconds(), 130);
	ck_assert(fathom_ledger_find(ledger, JOB)->over);
	observe_end(1130, 1200);
	close_at(1200);
	ck_assert_double_eq(seconds(), 130);
	ck_assert_ptr_null(fathom_ledger_find(ledger, JOB));
	fathom_ledger_destroy(beside);
}

/* What is reserved is released once, and anew for the new size. */
TEST(resize_beside_the_ledger_is_charged_once)
{
	job.reserved = 600;
	begin_beside();
	call_beside(resize_at, 1130);
	ck_assert_uint_eq(released(), 600);
	job.resized = 1130;
	job.run.rate.billing = 9;
	round_at(1200);
	ck_assert_double_eq(seconds(), 200);
	ck_assert_double_eq(charge(count() - 1)->run.rate.billing, 9);
	ck_assert_double_eq(charge(count() - 1)->seconds, 70);
	ck_assert_uint_eq(released(), 600 + 200);
	fathom_ledger_destroy(beside);
}

/* What the new size is charged, nobody knows until the job is seen. */
TEST_LOOP(size_that_is_not_known_is_not_known_to_a_copy, 2)
{
	double end = 1200;
	const struct fathom_lost_runs lost = { .end_of = ended_at, .context = &end };

	begin_beside();
	if (_i) {
		call_beside(resize_at, 1130);
		close_at(1150);
		ck_assert_int_eq(fathom_ledger_close_round(ledger, 1300, &lost, charges), 0);
		ck_assert_double_eq(seconds(), 130);
	} else {
		resize_at(1130);
		job.run.rate.billing = 9;
		call_beside(end_at, 1160);
		ck_assert_double_eq(seconds(), 160);
		ck_assert_double_eq(charge(count() - 1)->run.rate.billing, 9);
	}
	fathom_ledger_destroy(beside);
}

TEST(requeue_beside_the_ledger_ends_the_run)
{
	begin_beside();
	call_beside(requeue_at, 1130);
	close_at(1200);
	ck_assert_double_eq(seconds(), 130);
	fathom_ledger_destroy(beside);
}

/* ---- all --------------------------------------------------------------------------------- */
