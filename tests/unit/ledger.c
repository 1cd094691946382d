/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ledger of runs: what is entered is found, what is dropped is not. */
#include "unit.h"

#include "plugins/slurm/ledger.h"

#include <stdio.h>
#include <string.h>

#define JOBS 400

/* What the ledger must hold, by job id. */
struct model {
	bool entered[JOBS], ended[JOBS], seen[JOBS];
	time_t charged_until[JOBS];
};

static void assert_same(const struct ledger *ledger, const struct model *model)
{
	size_t count = 0;

	for (uint32_t id = 1; id < JOBS; id++) {
		const struct ledger_entry *entry = ledger_find(ledger, id);

		ck_assert_msg(!entry == !model->entered[id], "job %u is%s there", id,
			      entry ? "" : " not");
		if (!entry)
			continue;
		ck_assert_uint_eq(entry->job_id, id);
		ck_assert_int_eq(entry->charged_until, model->charged_until[id]);
		count++;
	}
	ck_assert_uint_eq(ledger->count, count);
}

static void enter(struct ledger *ledger, struct model *model, struct unit_random *random, time_t now)
{
	uint32_t id = 1 + unit_random_below(random, JOBS - 1);
	struct ledger_entry *entry = ledger_enter(ledger, id);

	ck_assert_ptr_nonnull(entry);
	entry->seen = model->seen[id] = unit_random_below(random, 3);
	entry->ended = model->ended[id] = !unit_random_below(random, 3);
	entry->charged_until = model->charged_until[id] =
		now + (time_t)unit_random_below(random, 3) - 1;
	model->entered[id] = true;
}

static void move_base(struct ledger *ledger, struct model *model, time_t now)
{
	ledger_move_base(ledger, now);
	ck_assert_int_eq(ledger->base, now);
	for (uint32_t id = 1; id < JOBS; id++) {
		if ((model->ended[id] && model->charged_until[id] <= now) || !model->seen[id])
			model->entered[id] = false;
		model->seen[id] = false;
	}
}

START_TEST(holds_what_was_entered)
{
	struct unit_random random = { (uint64_t)_i + 1 };
	struct ledger ledger = { 0 };
	struct model model = { 0 };

	assert_same(&ledger, &model);
	for (time_t now = 1000; now < 1040; now++) {
		uint32_t entries = unit_random_below(&random, _i % 2 ? 20 : 2 * JOBS);

		for (uint32_t i = 0; i < entries; i++)
			enter(&ledger, &model, &random, now);
		assert_same(&ledger, &model);
		move_base(&ledger, &model, now);
		assert_same(&ledger, &model);
	}
	ledger_clear(&ledger);
	ck_assert_ptr_null(ledger_find(&ledger, 1));
}
END_TEST

START_TEST(names_stay_where_they_are)
{
	struct ledger ledger = { 0 };
	const struct ledger_name *batch = ledger_name(&ledger, "batch");
	const struct ledger_name *gpu = ledger_name(&ledger, "gpu");
	char name[16];

	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof(name), "p%d", i);
		ck_assert_str_eq(ledger_name(&ledger, name)->text, name);
	}
	strcpy(name, "batch");
	ck_assert_ptr_eq(ledger_name(&ledger, name), batch);
	ck_assert_ptr_eq(ledger_name(&ledger, "gpu"), gpu);
	ck_assert_ptr_null(ledger_name(&ledger, NULL));
	ck_assert_uint_eq(ledger.names, 102);
	for (size_t i = 1; i < ledger.names; i++)	/* in a row */
		ck_assert_uint_eq(ledger.name[i]->place,
				  ledger.name[i - 1]->place +
					  strlen(ledger.name[i - 1]->text) + 1);
	ck_assert_uint_eq(batch->place, 1);
	ck_assert_uint_eq(ledger.names_length, ledger_name(&ledger, "p99")->place + 3);
	ledger_clear(&ledger);
}
END_TEST

static void add_tests(TCase *tests)
{
	tcase_add_test(tests, names_stay_where_they_are);
	tcase_add_loop_test(tests, holds_what_was_entered, 0, 20);
}

int main(void)
{
	return unit_run("ledger", add_tests);
}
