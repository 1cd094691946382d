/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/slurm_locks.h"

#include <stdatomic.h>
#include <time.h>

static const struct lock_kind {
	const char *name;
	bool of_assoc_mgr;
	size_t at;		/* of the level in Slurm's struct */
} kinds[] = {
	{ "conf", false, offsetof(slurmctld_lock_t, conf) },
	{ "job", false, offsetof(slurmctld_lock_t, job) },
	{ "node", false, offsetof(slurmctld_lock_t, node) },
	{ "part", false, offsetof(slurmctld_lock_t, part) },
	{ "assoc", true, offsetof(assoc_mgr_lock_t, assoc) },
	{ "qos", true, offsetof(assoc_mgr_lock_t, qos) },
	{ "tres", true, offsetof(assoc_mgr_lock_t, tres) },
};

#define KINDS (sizeof(kinds) / sizeof(*kinds))
_Static_assert(2 * KINDS <= LOCKS_MOST, "LOCKS_MOST has no room for all kinds in both modes");

static atomic_llong longest[KINDS][2];		/* nanoseconds; [1]: held for writing */
/* When this thread took its locks of slurmctld, and those of assoc_mgr. They have a fixed place in
 * each thread: LeakSanitizer crashes at the end of one to which the linker gave memory later. */
static __thread long long begun[2] __attribute__((tls_model("initial-exec")));

static long long nanoseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void note_hold(const void *locks, bool of_assoc_mgr)
{
	long long held = nanoseconds() - begun[of_assoc_mgr];

	for (size_t i = 0; i < KINDS; i++) {
		lock_level_t level = NO_LOCK;

		if (kinds[i].of_assoc_mgr == of_assoc_mgr)
			level = *(const lock_level_t *)((const char *)locks + kinds[i].at);
		if (level != NO_LOCK) {
			atomic_llong *most = &longest[i][level == WRITE_LOCK];
			long long before = atomic_load(most);

			while (before < held && !atomic_compare_exchange_weak(most, &before, held))
				;
		}
	}
}

/* Slurm takes pointers to locks that are not const, and does not change them. */
void locks_take(const slurmctld_lock_t *locks, const assoc_mgr_lock_t *assoc_locks)
{
	if (locks) {
		lock_slurmctld(*locks);
		begun[false] = nanoseconds();
	}
	if (assoc_locks) {
		assoc_mgr_lock((assoc_mgr_lock_t *)assoc_locks);
		begun[true] = nanoseconds();
	}
}

void locks_release(const slurmctld_lock_t *locks, const assoc_mgr_lock_t *assoc_locks)
{
	if (assoc_locks) {
		assoc_mgr_unlock((assoc_mgr_lock_t *)assoc_locks);
		note_hold(assoc_locks, true);
	}
	if (locks) {
		unlock_slurmctld(*locks);
		note_hold(locks, false);
	}
}

size_t locks_longest(struct lock_hold hold[LOCKS_MOST])
{
	static const char *const modes[] = { "read", "write" };
	size_t count = 0;

	for (size_t i = 0; i < 2 * KINDS; i++) {
		double held = (double)atomic_exchange(&longest[i / 2][i % 2], 0);

		if (held > 0)
			hold[count++] = (struct lock_hold){ kinds[i / 2].name, modes[i % 2],
							    held / 1e9 };
	}
	return count;
}
