/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Since Slurm 24.05 a QOS counts running seconds not only for itself, but also for each account and
 * each user (MaxTRESRunMinsPerAccount, MaxTRESRunMinsPerUser). A job adds its whole time limit when
 * it begins; the seconds that it has run are taken off here.
 */
#include "fairshare/fairshare_private.h"

#include "walk/slice.h"

#define CHARGES_AT_ONCE 4	/* between two looks at the clock: each charge may search four times
				 * through all accounts or users of a QOS */

slurmdb_qos_rec_t *qos_find(uint32_t id)
{
	return id && assoc_mgr_qos_list
		? list_find_first(assoc_mgr_qos_list, slurmdb_find_qos_in_list, &id) : NULL;
}

/* Takes released seconds off what the QOS counts for the association's account and for its user. */
static void release_for_account_and_user(slurmdb_qos_rec_t *qos,
					 const slurmdb_assoc_rec_t *association,
					 const struct fathom_amount *amount, uint32_t tres_count)
{
	usage_release_from(compat_account_run_seconds(qos, association->acct), amount,
			       tres_count, &association->acct);
	if (association->user && association->uid != NO_VAL)
		usage_release_from(compat_user_run_seconds(qos, association->uid), amount,
				       tres_count, &association->user);
}

/* Takes the seconds that the charge at an index releases off the counts of both its QOS. context:
 * points to a pointer to the charges. The caller holds assoc read, qos write, tres read. */
static void release_charge(void *context, size_t at)
{
	const struct fathom_charges *const *charges = context;
	const struct fathom_charge *charge = fathom_charges_at(*charges, at);
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
			release_for_account_and_user(qos, association, &amount, tres_count);
	}
}

void qos_run_seconds_release(const struct fathom_charges *charges, size_t first)
{
	for (size_t at = first; SLURM_QOS_COUNTS_RUN_SECONDS && at < fathom_charges_count(charges);
	     at++)
		release_charge(&charges, at);
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

	if (SLURM_QOS_COUNTS_RUN_SECONDS && any_released(charges))
		slice_numbers(fathom_charges_count(charges), CHARGES_AT_ONCE, &locks,
			      release_charge, &charges);
}
