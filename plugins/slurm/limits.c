/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "limits.h"

#include "associations.h"
#include "slice.h"
#include "usage.h"

#include <string.h>

#define LIMITS_BLOCK 64		/* charges between two looks at the clock */

static slurmdb_qos_rec_t *find_qos(uint32_t id)
{
	return id && assoc_mgr_qos_list
		? list_find_first(assoc_mgr_qos_list, slurmdb_find_qos_in_list, &id) : NULL;
}

/* The account's and the user's; the user is unknown if the association is gone. */
static void take_off_one(slurmdb_qos_rec_t *qos, const slurmdb_assoc_rec_t *association,
			 const struct amount *amount, uint32_t tres_count)
{
	usage_take_run_seconds(compat_account_run_seconds(qos, association->acct), amount,
			       tres_count, &association->acct);
	if (association->user && association->uid != NO_VAL)
		usage_take_run_seconds(compat_user_run_seconds(qos, association->uid), amount,
				       tres_count, &association->user);
}

static void take_off(const struct charge *charge)
{
	uint32_t tres_count = (uint32_t)slurmctld_tres_cnt;
	double tres[tres_count + 1];
	uint64_t run_seconds[tres_count + 1];
	struct amount amount = { .tres = tres, .run_seconds = run_seconds };
	const uint32_t qos_id[] = { charge->qos_id, charge->partition_qos_id };
	const slurmdb_assoc_rec_t *association;

	if (!charge->run_seconds)
		return;
	association = associations_record(charge->assoc_id);
	if (!association)
		association = associations_record(charge->account_id);
	memset(tres, 0, sizeof(tres));
	memset(run_seconds, 0, sizeof(run_seconds));
	amount_add_charge(&amount, charge, false, tres_count);
	for (size_t i = 0; association && i < sizeof(qos_id) / sizeof(*qos_id); i++) {
		slurmdb_qos_rec_t *qos = find_qos(qos_id[i]);

		if (qos)
			take_off_one(qos, association, &amount, tres_count);
	}
}

void limits_take_off(const struct charge *charge, size_t count)
{
	for (size_t i = 0; COMPAT_QOS_COUNTS_RUN_SECONDS && i < count; i++)
		take_off(&charge[i]);
}

static bool any_run_seconds(const struct charges *charges)
{
	for (size_t i = 0; i < charges->count; i++)
		if (charges->list[i].run_seconds)
			return true;
	return false;
}

/* Not with the rest of usage: this is a search in lists for each charge. */
void limits_take_off_all(const struct charges *charges)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = WRITE_LOCK, .tres = READ_LOCK };
	size_t at = 0;

	if (!COMPAT_QOS_COUNTS_RUN_SECONDS || !any_run_seconds(charges))
		return;
	while (at < charges->count) {
		struct slice slice;

		assoc_mgr_lock(&locks);
		slice = slice_begin();
		do {
			size_t count = MIN(charges->count - at, LIMITS_BLOCK);

			limits_take_off(charges->list + at, count);
			at += count;
		} while (at < charges->count && !slice_is_over(&slice));
		assoc_mgr_unlock(&locks);
		if (at < charges->count)
			slice_pause();
	}
}
