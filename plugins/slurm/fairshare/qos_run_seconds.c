/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Since Slurm 24.05 a QOS counts running seconds not only for itself, but also for each account and
 * each user (MaxTRESRunMinsPerAccount, MaxTRESRunMinsPerUser). A job adds its whole time limit when
 * it begins; the seconds that it has run are taken off here.
 */
#include "fairshare/fairshare_private.h"

#include "base/slurm_locks.h"
#include "walk/slice.h"

#define CHARGES_AT_ONCE 4	/* between two looks at the clock: each charge may search four times
				 * through all accounts or users of a QOS */

slurmdb_qos_rec_t *qos_find(uint32_t id)
{
	return id && assoc_mgr_qos_list
		? list_find_first(assoc_mgr_qos_list, slurmdb_find_qos_in_list, &id) : NULL;
}

/* Takes released seconds off what the QOS counts for the association's account and for its user. */
static void take_off_one(slurmdb_qos_rec_t *qos, const slurmdb_assoc_rec_t *association,
			 const struct fathom_amount *amount, uint32_t tres_count)
{
	usage_release_from(compat_account_run_seconds(qos, association->acct), amount,
			       tres_count, &association->acct);
	if (association->user && association->uid != NO_VAL)
		usage_release_from(compat_user_run_seconds(qos, association->uid), amount,
				       tres_count, &association->user);
}

/* Takes the seconds that a charge releases off the counts of both its QOS. */
static void take_off(const struct fathom_charge *charge)
{
	const bool decays = false;	/* amount.released alone is used */
	const struct fathom_run_id *id = &charge->run.id;
	const uint32_t qos_id[] = { id->qos, id->partition_qos };
	uint32_t tres_count = (uint32_t)slurmctld_tres_cnt;
	double tres[tres_count + 1];
	uint64_t released[tres_count + 1];
	struct fathom_amount amount;
	const slurmdb_assoc_rec_t *association;

	if (!charge->released)
		return;
	association = associations_record(id->association);
	if (!association)
		association = associations_record(id->account);
	amount = fairshare_amount(charge, decays, tres_count, tres, released);
	for (size_t i = 0; association && i < sizeof(qos_id) / sizeof(*qos_id); i++) {
		slurmdb_qos_rec_t *qos = qos_find(qos_id[i]);

		if (qos)
			take_off_one(qos, association, &amount, tres_count);
	}
}

/* Takes off the seconds of at most `count` charges from the index `at` on. Returns the index of the
 * next charge. */
static size_t take_off_some(const struct fathom_charges *charges, size_t at, size_t count)
{
	size_t end = MIN(fathom_charges_count(charges), at + count);

	for (; at < end; at++)
		take_off(fathom_charges_at(charges, at));
	return at;
}

void qos_run_seconds_release(const struct fathom_charges *charges, size_t first)
{
	if (SLURM_QOS_COUNTS_RUN_SECONDS)
		take_off_some(charges, first, fathom_charges_count(charges));
}

/* Returns whether any charge releases seconds: without limits none does. */
static bool any_released(const struct fathom_charges *charges)
{
	for (size_t i = 0; i < fathom_charges_count(charges); i++)
		if (fathom_charges_at(charges, i)->released)
			return true;
	return false;
}

/* This has slices of its own, as each charge needs searches in lists. */
void qos_run_seconds_release_sliced(const struct fathom_charges *charges)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = WRITE_LOCK, .tres = READ_LOCK };
	size_t at = 0, count = fathom_charges_count(charges);

	if (!SLURM_QOS_COUNTS_RUN_SECONDS || !any_released(charges))
		return;
	while (at < count) {
		struct slice slice;

		locks_take(NULL, &locks);
		slice = slice_begin();
		do
			at = take_off_some(charges, at, CHARGES_AT_ONCE);
		while (at < count && !slice_is_over(&slice));
		locks_release(NULL, &locks);
		if (at < count)
			slice_pause();
	}
}
