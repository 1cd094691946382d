/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Charges a job at its end: in the records at once, as limits and slurmctld's own dump see these;
 * and as a late charge, which the decay thread takes into the rows. The order of the steps matters:
 *
 *	1. See whether the root's total is as fathom left it, before the charge changes it. Only if
 *	   it is, note the new total after step 2: otherwise a RawUsage=0 would go unnoticed.
 *	2. For each association: see whether its usage has been set to 0; charge it; remember its
 *	   usage, so that the pass does not take the charge for a change by others.
 *	3. Charge the QOS.
 */
#include "fairshare/fairshare_private.h"

#include "base/log.h"
#include "core/array.h"

/* Returns the record of the job's association; if that is deleted, of its account or the root.
 * job->assoc_ptr may be a deleted record: assoc_mgr takes it out of its list first. */
static slurmdb_assoc_rec_t *record_to_charge(const struct fathom_run_id *id)
{
	slurmdb_assoc_rec_t *record = associations_record(id->association);

	if (!record)
		record = associations_record(id->account);
	return record ? record : assoc_mgr_root_assoc;
}

void fairshare_note_cleared(struct fairshare *fairshare, uint32_t association, bool is_new,
			    size_t charges_before)
{
	struct cleared *cleared = array_grow(fairshare->cleared, &fairshare->cleared_room,
					     fairshare->cleared_count + 1, sizeof(*cleared));

	if (!cleared) {
		error(LOG_PREFIX "out of memory; late usage of association %u is not set to 0",
		      association);
		return;
	}
	fairshare->cleared = cleared;
	cleared[fairshare->cleared_count++] = (struct cleared){ association, is_new,
								charges_before };
}

/* Does step 2 of the head of this file for one charge: adds it to the own usage of its association
 * and to all totals above, and takes the seconds that it releases off their running seconds. index:
 * its index among late charges; if usage was set to 0, those before it do not count. */
static void charge_association(struct fairshare *fairshare, const struct fathom_charge *charge,
			       size_t index, uint32_t tres_count)
{
	const bool decays = true;
	double tres[tres_count + 1];
	uint64_t released[tres_count + 1];
	struct fathom_amount amount = fairshare_amount(charge, decays, tres_count, tres, released);
	struct associations *associations = &fairshare->associations;
	slurmdb_assoc_rec_t *record = record_to_charge(&charge->run.id);
	uint32_t node;
	bool found = associations_find(associations, record->id, &node);
	unsigned changes = found ? associations_changes(associations, record, node) : 0;

	if (changes & ASSOCIATION_CLEARED)	/* with the charge, usage will not be 0 any more */
		fairshare_note_cleared(fairshare, record->id, changes & ASSOCIATION_NEW, index);
	usage_add(record, &amount, tres_count);
	usage_release(record, &amount, tres_count);
	/* what an account has inherited is left to the pass, which must find the usage changed */
	if (found && !(changes & ASSOCIATION_INHERITED))
		associations_see_usage(associations, record, node);
}

/* Charges the QOS with this id, unless it is 0 or gone. The ids are those of the charge, as the job
 * or its partition may have another QOS by now. */
static void charge_qos(uint32_t id, const struct fathom_charge *charge, uint32_t tres_count)
{
	slurmdb_qos_rec_t *qos = qos_find(id);
	double tres[tres_count + 1];
	uint64_t released[tres_count + 1];
	struct fathom_amount amount;

	if (!qos)
		return;
	amount = fairshare_amount(charge, !(qos->flags & QOS_FLAG_NO_DECAY), tres_count, tres,
				  released);
	usage_change_qos(qos, 1, &amount, tres_count);
}

void fairshare_end_job(struct fairshare *fairshare, const struct settings *settings,
		       job_record_t *job, time_t now)
{
	uint32_t tres_count = (uint32_t)slurmctld_tres_cnt;
	size_t first;
	const struct fathom_charges *charges =
		book_end_job(fairshare->book, settings, job, now, fairshare->time, &first);
	size_t end = charges ? fathom_charges_count(charges) : 0;
	bool total_is_known = fairshare_total_is_known(fairshare);

	for (size_t i = first; i < end; i++) {
		const struct fathom_charge *charge = fathom_charges_at(charges, i);

		charge_association(fairshare, charge, i, tres_count);
		charge_qos(charge->run.id.qos, charge, tres_count);
		charge_qos(charge->run.id.partition_qos, charge, tres_count);
	}
	if (end == first)
		return;
	if (total_is_known)
		fairshare_note_total(fairshare);
	qos_run_seconds_release(charges, first);
}
