/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The dynamic priorities that LSF's document prints for bhpart and bqueues, as a pass computes them
 * from running jobs. CPU time does not count here, as the document prints it undecayed
 * (CPU_TIME_FACTOR=0): that gives six of its seven rows.
 */
#include "scenario/two_users.h"

/* A user or group of the document. */
static const struct row {
	const char *group, *name;	/* group: NULL at the top */
	uint32_t shares, slots;
	time_t run_time;		/* of all its jobs, seconds */
	double printed;
} rows[] = {
	{ NULL, "user1", 100, 2, 7034, 9.645 },
	{ NULL, "group1", 40, 5, 17618, 1.867 },
	{ NULL, "group2", 20, 6, 24664, .775 },
	{ "group2", "user1", 8, 1, 5108, 1.144 },
	{ "group2", "user2", 2, 0, 0, .667 },
	{ "group2", "others", 1, 5, 19556, .046 },
};

/* Starts a job of one slot for each of the row's, so that they have run for run_time by `now`. */
static void start_jobs(struct host_association *user, const struct row *row, time_t now)
{
	for (uint32_t i = 0; i < row->slots; i++) {
		time_t ran = (row->run_time + i) / row->slots;

		host_job_begin(host_job(&(struct host_job){ .user = user, .minutes = 6000 }),
			       now - ran);
	}
}

TEST(priorities_are_those_that_the_document_prints)
{
	struct host_association *of[sizeof(rows) / sizeof(*rows)], *group2 = NULL;

	two_users_grow("PriorityCalcPeriod=200");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		of[i] = i == 2 ? host_account(host_root(), rows[i].name, rows[i].shares)
			       : host_user(rows[i].group ? group2 : host_root(), rows[i].name,
					   rows[i].shares);
		group2 = i == 2 ? of[i] : group2;
	}
	host_passed_at(host_now());
	two_users_open();
	two_users_load("Policy=lsf CpuTimeFactor=0");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (i != 2)
			start_jobs(of[i], &rows[i], host_now() + 12000);
	host_pass();	/* 12,000 seconds later */
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		double priority = (double)of[i]->record->usage->level_fs;

		ck_assert_msg(fabs(priority - rows[i].printed) < .0005, "row %zu: %.6f, not %.3f",
			      i, priority, rows[i].printed);
	}
}
