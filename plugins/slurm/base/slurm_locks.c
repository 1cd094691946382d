/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/slurm_locks.h"

#include "base/lock_order.h"

#include <stdatomic.h>

/* The two sets of locks, each of which is taken and released in one call. */
enum lock_set { OF_SLURMCTLD, OF_ASSOC_MGR, LOCK_SETS };

static const struct lock_kind {
	const char *name;
	enum lock_set set;
	size_t level_offset;	/* in Slurm's struct of the set: of this lock's lock_level_t */
} kinds[] = {
	{ "conf", OF_SLURMCTLD, offsetof(slurmctld_lock_t, conf) },
	{ "job", OF_SLURMCTLD, offsetof(slurmctld_lock_t, job) },
	{ "node", OF_SLURMCTLD, offsetof(slurmctld_lock_t, node) },
	{ "part", OF_SLURMCTLD, offsetof(slurmctld_lock_t, part) },
	{ "assoc", OF_ASSOC_MGR, offsetof(assoc_mgr_lock_t, assoc) },
	{ "qos", OF_ASSOC_MGR, offsetof(assoc_mgr_lock_t, qos) },
	{ "tres", OF_ASSOC_MGR, offsetof(assoc_mgr_lock_t, tres) },
};

#define KINDS (sizeof(kinds) / sizeof(*kinds))
_Static_assert(2 * KINDS <= LOCKS_MOST, "LOCKS_MOST has no room for all kinds in both modes");

/* The longest hold of each lock since locks_longest() was called, in nanoseconds, to read [0] and
 * to write [1]; 0: it was not held. */
static atomic_llong longest[KINDS][2];
/* When this thread took the locks of each set. The model gives the variable a fixed place in each
 * thread: LeakSanitizer crashes at the end of a thread to which the linker gave memory later. */
static __thread long long taken_at[LOCK_SETS] __attribute__((tls_model("initial-exec")));

/* Notes how long this thread has held the locks of a set, which it has just released. locks:
 * Slurm's struct of that set. */
static void note_hold(const void *locks, enum lock_set set)
{
	long long held = monotonic_now() - taken_at[set];

	for (size_t i = 0; i < KINDS; i++) {
		lock_level_t level = NO_LOCK;

		if (kinds[i].set == set)
			level = *(const lock_level_t *)((const char *)locks +
							kinds[i].level_offset);
		if (level != NO_LOCK) {
			atomic_llong *most = &longest[i][level == WRITE_LOCK];
			long long before = atomic_load(most);

			/* until it is stored, or another thread has stored a longer one */
			while (before < held && !atomic_compare_exchange_weak(most, &before, held))
				;
		}
	}
}

/* The cast: assoc_mgr_lock() does not change the locks, although its parameter is not const. */
void locks_take(const slurmctld_lock_t *locks, const assoc_mgr_lock_t *assoc_locks)
{
	if (locks) {
		lock_order_taking(LOCK_CONTROLLER);
		lock_slurmctld(*locks);
		lock_order_taken(LOCK_CONTROLLER);
		taken_at[OF_SLURMCTLD] = monotonic_now();
	}
	if (assoc_locks) {
		lock_order_taking(LOCK_ASSOC_MGR);
		assoc_mgr_lock((assoc_mgr_lock_t *)assoc_locks);
		lock_order_taken(LOCK_ASSOC_MGR);
		taken_at[OF_ASSOC_MGR] = monotonic_now();
	}
}

void locks_release(const slurmctld_lock_t *locks, const assoc_mgr_lock_t *assoc_locks)
{
	if (assoc_locks) {
		lock_order_releasing(LOCK_ASSOC_MGR);
		assoc_mgr_unlock((assoc_mgr_lock_t *)assoc_locks);
		note_hold(assoc_locks, OF_ASSOC_MGR);
	}
	if (locks) {
		lock_order_releasing(LOCK_CONTROLLER);
		unlock_slurmctld(*locks);
		note_hold(locks, OF_SLURMCTLD);
	}
}

size_t locks_longest(struct lock_hold hold[LOCKS_MOST])
{
	size_t count = 0;

	for (size_t kind = 0; kind < KINDS; kind++)
		for (int is_write = 0; is_write < 2; is_write++) {
			double held = (double)atomic_exchange(&longest[kind][is_write], 0);

			if (held > 0)
				hold[count++] = (struct lock_hold){
					kinds[kind].name, is_write ? "write" : "read", held / 1e9 };
		}
	return count;
}
