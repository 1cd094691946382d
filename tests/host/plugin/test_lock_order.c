/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checks of --enable-debug: locks out of their order end the process. */
#include "base/compat.h"
#include "base/lock_order.h"
#include "base/slurm_locks.h"
#include "scenario/captured_log.h"
#include "scenario/host_suite.h"

#include <signal.h>

static struct ordered_lock lock[LOCK_RANKS];
static slurmctld_lock_t jobs = { .job = READ_LOCK };
static assoc_mgr_lock_t associations = { .assoc = READ_LOCK };

static void take(enum lock_rank rank)
{
	if (rank == LOCK_CONTROLLER) {
		locks_take(&jobs, NULL);
	} else if (rank == LOCK_ASSOC_MGR) {
		locks_take(NULL, &associations);
	} else {
		ordered_lock_init(&lock[rank], rank);
		ordered_lock_take(&lock[rank]);
	}
}

static void release(enum lock_rank rank)
{
	if (rank == LOCK_CONTROLLER)
		locks_release(&jobs, NULL);
	else if (rank == LOCK_ASSOC_MGR)
		locks_release(NULL, &associations);
	else
		ordered_lock_release(&lock[rank]);
}

TEST(locks_in_their_order_may_be_held_together)
{
	host_open();
	for (int round = 0; round < 2; round++) {
		for (enum lock_rank rank = 0; rank < LOCK_RANKS; rank++)
			take(rank);
		for (enum lock_rank rank = 0; rank < LOCK_RANKS; rank++)
			release(rank);
	}
}

TEST(longest_hold_is_told)
{
	static const char of_book[] = "lock book: held 3 times, for ";
	const struct timespec pause = { .tv_nsec = 20000000 };
	const char *told;

	setenv("HOST_LOG", "debug", 1);
	capture_log();
	host_configure("%s", "");
	for (int i = 0; i < 3; i++) {
		take(LOCK_BOOK);
		if (i == 1)
			nanosleep(&pause, NULL);
		release(LOCK_BOOK);
	}
	lock_order_report();
	ck_assert_uint_eq(logged("lock timer: held 0 times, for 0.000 ms"), 1);
	ck_assert_uint_eq(logged(" times, for "), LOCK_RANKS);
	told = strstr(log_text(), of_book);
	ck_assert_ptr_nonnull(told);
	ck_assert_double_ge(atof(told + strlen(of_book)), 20);
}

/* Each pair the wrong way round: the inner one first, or the same one twice. */
static const struct { enum lock_rank inner, outer; } wrong[] = {
	{ LOCK_PUBLISHING, LOCK_BOOK }, { LOCK_ASSOC_MGR, LOCK_CONTROLLER },
	{ LOCK_READING, LOCK_CONTROLLER }, { LOCK_BOOK, LOCK_ASSOC_MGR },
	{ LOCK_ASSOC_MGR, LOCK_READING }, { LOCK_FORMULA, LOCK_FORMULA },
};

TEST_SIGNAL(lock_out_of_order_ends_the_process, SIGABRT, COUNT(wrong))
{
	host_open();
	take(wrong[_i].inner);
	take(wrong[_i].outer);
}

TEST_SIGNAL(release_of_a_lock_that_is_not_held_ends_the_process, SIGABRT, 1)
{
	ordered_lock_init(&lock[LOCK_TIMER], LOCK_TIMER);
	take(LOCK_BOOK);
	release(LOCK_TIMER);
}
