/* SPDX-License-Identifier: GPL-2.0-or-later */
/* semantics.md section 9: accrual, decay and resets. */
#include "../unit.h"

#include <time.h>

#define MINUTE 60.
#define HOUR 3600.
#define DAY 86400.
#define WEEK (7 * DAY)

/* ---- decay ----------------------------------------------------------------------- */

static const struct { double usage, elapsed, half_life, left; } decays[] = {
	{ 1000, DAY, WEEK, 905.723664264 },	/* vector A1 */
	{ 1000, 300, WEEK, 999.656236094 },
	{ 1000, 0, 60, 1000 },
	{ 1000, 60, 60, 500 },
	{ 1000, 600, 60, 1000 / 1024. },
	{ 1000, 60, 0, 1000 },			/* no decay */
	{ 1000, 1e18, 60, 0 },
	{ 1000, -60, 60, 1000 },		/* a clock that went back */
	{ 1000, NAN, 60, 1000 },
	{ 1000, 1, .5, 250 },			/* any half-life above 0 */
	{ 0, 60, 60, 0 },
};

TEST_EACH(decay_halves_usage_every_half_life, decays)
{
	double left = decays[_i].usage * fathom_decay(decays[_i].elapsed, decays[_i].half_life);

	ck_assert_double_eq_tol(left, decays[_i].left, UNIT_TOLERANCE);
}

static const double half_lives[] = { WEEK, DAY, HOUR, 60, 10, 1, .693, .1 };

TEST_EACH(after_one_half_life_just_half_is_left, half_lives)
{
	double half_life = half_lives[_i];

	ck_assert(fathom_decay(half_life, half_life) == .5);
	ck_assert_double_eq_tol(fathom_decay(10 * half_life, half_life), 0x1p-10, 1e-18);
}

static const struct { double whole, part; } splits[] = {
	{ HOUR, MINUTE }, { DAY, 300 }, { WEEK, HOUR }, { 1000, .1 },
};

TEST_EACH(one_step_equals_many_small_ones, splits)
{
	double whole = splits[_i].whole, part = splits[_i].part, left = 1, once;

	for (int i = 0; i < (int)(whole / part + .5); i++)
		left *= fathom_decay(part, DAY);
	once = fathom_decay(whole, DAY);
	ck_assert_double_eq_tol(left / once, 1, 1e-12);
}

/* ---- decay in steps --------------------------------------------------------------- */

static const struct { double last, now, period, steps; } due_steps[] = {
	{ 0, 0, DAY, 0 }, { 0, DAY - 1, DAY, 0 }, { 0, DAY, DAY, 1 }, { 0, 2 * DAY - 1, DAY, 1 },
	{ HOUR, HOUR + 3 * DAY, DAY, 3 },	/* missed ones are made up for */
	{ DAY, 0, DAY, 0 },			/* a clock that went back */
	{ 0, DAY, 0, 0 },
};

TEST_EACH(steps_are_counted_from_the_last_one, due_steps)
{
	ck_assert(fathom_decay_steps(due_steps[_i].last, due_steps[_i].now,
				     due_steps[_i].period) == due_steps[_i].steps);
}

static const struct { double usage, steps, factor, least, left; } stepwise[] = {
	{ 1000, 0, .5, 1, 1000 }, { 1000, 1, .5, 1, 500 }, { 1000, 3, .7, 1, 343 },
	{ 1000, 10, .5, 1, 1 },		/* never below what it starts at */
	{ 1000, 10, .5, 0, 1000 / 1024. },
	{ 0, 5, .5, 0, 0 },
};

TEST_EACH(each_step_leaves_its_factor, stepwise)
{
	double left = fathom_decay_stepwise(stepwise[_i].usage, stepwise[_i].steps,
					    stepwise[_i].factor, stepwise[_i].least);

	ck_assert_double_eq_tol(left, stepwise[_i].left, UNIT_TOLERANCE);
}

static const struct { double period, factor, hours; } half_lives_of_steps[] = {
	{ DAY, .5, 24 }, { DAY, .7, 46.640597 }, { HOUR, .25, .5 },
};

TEST_EACH(half_life_of_steps_is_exact_at_each_of_them, half_lives_of_steps)
{
	double period = half_lives_of_steps[_i].period, factor = half_lives_of_steps[_i].factor;
	double half_life = fathom_decay_half_life(period, factor);

	ck_assert_double_eq_tol(half_life / HOUR, half_lives_of_steps[_i].hours, 1e-6);
	for (int steps = 1; steps < 20; steps++)
		ck_assert_double_eq_tol(fathom_decay(steps * period, half_life) /
						fathom_decay_stepwise(1, steps, factor, 0),
					1, 1e-12);
}

/* ---- charge ---------------------------------------------------------------------- */

static const struct { double rate, begin, end, seen, half_life, charged; } charges[] = {
	{ 4, 0, HOUR, HOUR, WEEK, 14370.334505004 },	/* vector A1 */
	{ 4, 0, HOUR, DAY, WEEK, 13069.363512698 },
	{ 4, 0, HOUR, DAY, 0, 14400 },			/* no decay */
	{ 4, 100, 100, DAY, WEEK, 0 },
	{ 4, 100, 50, DAY, WEEK, 0 },			/* a clock that went back */
	{ 4, NAN, 50, DAY, WEEK, 0 },
	{ 1, 0, 1e12, 1e12, HOUR, HOUR / M_LN2 },	/* for ever: the integral's limit */
	{ 1, 0, 1, 1e9, 1, 0 },				/* long forgotten */
};

TEST_EACH(charge_is_the_integral_of_the_decay, charges)
{
	double charged = charges[_i].rate *
			 fathom_decayed_seconds(charges[_i].begin, charges[_i].end,
						charges[_i].seen, charges[_i].half_life);

	ck_assert_double_eq_tol(charged, charges[_i].charged, UNIT_TOLERANCE);
}

/* "Why not released Slurm's way", the column of exact figures: a second of the
 * machine, charged over a period of 300 s and seen at its end. */
static const struct { double half_life, charged; } periods[] = {
	{ WEEK, 299.948432 }, { DAY, 299.639275 }, { HOUR, 291.500103 }, { 300, 216.404256 },
};

TEST_EACH(charge_does_not_depend_on_the_calculation_period, periods)
{
	double half_life = periods[_i].half_life, charged = 0;

	ck_assert_double_eq_tol(fathom_decayed_seconds(0, 300, 300, half_life), periods[_i].charged,
				5e-7);
	for (int pass = 0; pass < 300; pass++)
		charged = charged * fathom_decay(1, half_life) +
			  fathom_decayed_seconds(pass, pass + 1, pass + 1, half_life);
	ck_assert_double_eq_tol(charged, fathom_decayed_seconds(0, 300, 300, half_life), 1e-10);
}

TEST_LOOP(any_split_of_a_run_charges_the_same, 50)
{
	struct unit_random random = { (uint64_t)_i };
	double half_life = half_lives[_i % 5], end = 10000, at = 0, parts = 0, whole;

	while (at < end) {
		double next = fmin(end, at + unit_random_real(&random) * 900);

		parts += fathom_decayed_seconds(at, next, end, half_life);
		at = next;
	}
	whole = fathom_decayed_seconds(0, end, end, half_life);
	ck_assert_double_eq_tol(parts / whole, 1, 1e-12);
}

TEST(charge_seen_early_decays_to_the_right_figure)
{
	double early = fathom_decayed_seconds(1000, 2000, 500, HOUR),
	       late = fathom_decayed_seconds(1000, 2000, 9000, HOUR);

	ck_assert_double_gt(early, 1000);
	ck_assert_double_eq_tol(early * fathom_decay(9000 - 500, HOUR) / late, 1, 1e-14);
}

TEST(short_run_in_a_long_half_life_keeps_its_digits)
{
	/* 2^x - 2^y would lose ten digits here */
	double second = fathom_decayed_seconds(0, 1, 1, 1e9 * M_LN2);

	ck_assert_double_eq_tol(second, 1 - 5e-10, 1e-15);
}

/* ---- resets ----------------------------------------------------------------------- */

static const struct { enum fathom_reset period; struct fathom_date last, next; } resets[] = {
	/* vector A2: Tuesday 2023-11-14 */
	{ FATHOM_RESET_DAILY, { 2023, 11, 14 }, { 2023, 11, 15 } },
	{ FATHOM_RESET_WEEKLY, { 2023, 11, 14 }, { 2023, 11, 19 } },
	{ FATHOM_RESET_MONTHLY, { 2023, 11, 14 }, { 2023, 12, 1 } },
	{ FATHOM_RESET_QUARTERLY, { 2023, 11, 14 }, { 2024, 1, 1 } },
	{ FATHOM_RESET_YEARLY, { 2023, 11, 14 }, { 2024, 1, 1 } },
	{ FATHOM_RESET_NONE, { 2023, 11, 14 }, { 2023, 11, 14 } },
	{ FATHOM_RESET_NOW, { 2023, 11, 14 }, { 2023, 11, 14 } },
	/* ends of months and years, leap years */
	{ FATHOM_RESET_DAILY, { 2023, 12, 31 }, { 2024, 1, 1 } },
	{ FATHOM_RESET_DAILY, { 2023, 2, 28 }, { 2023, 3, 1 } },
	{ FATHOM_RESET_DAILY, { 2024, 2, 28 }, { 2024, 2, 29 } },
	{ FATHOM_RESET_DAILY, { 2024, 2, 29 }, { 2024, 3, 1 } },
	{ FATHOM_RESET_DAILY, { 2000, 2, 28 }, { 2000, 2, 29 } },
	{ FATHOM_RESET_DAILY, { 2100, 2, 28 }, { 2100, 3, 1 } },
	{ FATHOM_RESET_DAILY, { 2024, 4, 30 }, { 2024, 5, 1 } },
	{ FATHOM_RESET_WEEKLY, { 2023, 11, 18 }, { 2023, 11, 19 } },
	{ FATHOM_RESET_WEEKLY, { 2023, 11, 19 }, { 2023, 11, 26 } },	/* on a Sunday: the next */
	{ FATHOM_RESET_WEEKLY, { 2024, 2, 26 }, { 2024, 3, 3 } },
	{ FATHOM_RESET_WEEKLY, { 2024, 12, 30 }, { 2025, 1, 5 } },
	{ FATHOM_RESET_MONTHLY, { 2023, 12, 1 }, { 2024, 1, 1 } },
	{ FATHOM_RESET_MONTHLY, { 2024, 1, 31 }, { 2024, 2, 1 } },
	{ FATHOM_RESET_QUARTERLY, { 2024, 1, 1 }, { 2024, 4, 1 } },
	{ FATHOM_RESET_QUARTERLY, { 2024, 3, 31 }, { 2024, 4, 1 } },
	{ FATHOM_RESET_QUARTERLY, { 2024, 4, 1 }, { 2024, 7, 1 } },
	{ FATHOM_RESET_QUARTERLY, { 2024, 9, 30 }, { 2024, 10, 1 } },
	{ FATHOM_RESET_QUARTERLY, { 2024, 10, 1 }, { 2025, 1, 1 } },
	{ FATHOM_RESET_YEARLY, { 2024, 1, 1 }, { 2025, 1, 1 } },
	{ FATHOM_RESET_YEARLY, { 2024, 12, 31 }, { 2025, 1, 1 } },
};

TEST_EACH(reset_falls_due_on_the_first_day_after_the_last, resets)
{
	struct fathom_date next = fathom_next_reset(resets[_i].period, resets[_i].last);

	ck_assert_int_eq(next.year, resets[_i].next.year);
	ck_assert_int_eq(next.month, resets[_i].next.month);
	ck_assert_int_eq(next.day, resets[_i].next.day);
}

static const struct {
	enum fathom_reset period;
	bool wished;
	struct fathom_date last, today;
	bool due;
} due_resets[] = {
	{ FATHOM_RESET_NONE, true, { 2023, 11, 14 }, { 2033, 11, 14 }, false },
	{ FATHOM_RESET_NOW, true, { 2023, 11, 14 }, { 2023, 11, 14 }, true },
	{ FATHOM_RESET_NOW, false, { 2023, 11, 14 }, { 2033, 11, 14 }, false },
	{ FATHOM_RESET_DAILY, true, { 2023, 11, 14 }, { 2023, 11, 14 }, false },
	{ FATHOM_RESET_DAILY, false, { 2023, 11, 14 }, { 2023, 11, 15 }, true },
	{ FATHOM_RESET_WEEKLY, false, { 2023, 11, 14 }, { 2023, 11, 18 }, false },
	{ FATHOM_RESET_WEEKLY, false, { 2023, 11, 14 }, { 2023, 11, 19 }, true },
	{ FATHOM_RESET_WEEKLY, false, { 2023, 11, 14 }, { 2024, 1, 1 }, true },
	{ FATHOM_RESET_MONTHLY, false, { 2023, 11, 14 }, { 2023, 11, 30 }, false },
	{ FATHOM_RESET_MONTHLY, false, { 2023, 11, 14 }, { 2023, 12, 1 }, true },
	{ FATHOM_RESET_MONTHLY, false, { 2023, 12, 14 }, { 2023, 12, 31 }, false },
	{ FATHOM_RESET_MONTHLY, false, { 2023, 12, 14 }, { 2024, 1, 1 }, true },
	{ FATHOM_RESET_MONTHLY, false, { 2023, 11, 14 }, { 2024, 1, 1 }, true },
	/* a clock set back */
	{ FATHOM_RESET_YEARLY, false, { 2023, 11, 14 }, { 2022, 12, 31 }, false },
	{ FATHOM_RESET_YEARLY, false, { 2023, 11, 14 }, { 2023, 12, 31 }, false },
	{ FATHOM_RESET_YEARLY, false, { 2023, 11, 14 }, { 2024, 1, 1 }, true },
};

TEST_EACH(reset_is_due_from_its_day_on, due_resets)
{
	ck_assert(fathom_reset_is_due(due_resets[_i].period, due_resets[_i].last,
				      due_resets[_i].today, due_resets[_i].wished) ==
		  due_resets[_i].due);
}

static time_t seconds(struct fathom_date date)
{
	struct tm day = { .tm_year = date.year - 1900,
			  .tm_mon = date.month - 1,
			  .tm_mday = date.day };

	return timegm(&day);
}

/* The C library's calendar as the second opinion, day by day for 40 years. */
TEST(resets_agree_with_the_c_librarys_calendar)
{
	struct fathom_date date = { 1999, 12, 31 };

	for (time_t at = seconds(date); date.year < 2040; at += 86400) {
		struct fathom_date daily = fathom_next_reset(FATHOM_RESET_DAILY, date);
		time_t week = seconds(fathom_next_reset(FATHOM_RESET_WEEKLY, date));
		struct tm tm;

		ck_assert_int_eq(seconds(date), at);
		gmtime_r(&week, &tm);
		ck_assert_int_eq(tm.tm_wday, 0);
		ck_assert_int_gt(week, at);
		ck_assert_int_le(week - at, 7 * 86400);
		date = daily;
	}
}
