/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Charges a job at its end, between two passes or in the middle of one. In the middle of a pass
 * some records are decayed to the pass's time, others are not yet. The charge is as of the pass's
 * time:
 *
 *	pass with decay 1/2, charge 10	record decayed already: + 10
 *					not decayed yet: + 20, of which the pass leaves 10
 *
 * The order of the steps matters:
 *
 *	1. Give accounts their own usage back if slurmctld has replaced all records. It is known
 *	   from what was last seen, which step 3 overwrites.
 *	2. See whether the root's total is as fathom left it, before the charge changes it. Only
 *	   then note the new total after step 3: otherwise a RawUsage=0 would go unnoticed.
 *	3. For each association: see whether others have changed its usage; charge it; remember its
 *	   usage, so that the pass does not take the charge for a change by others.
 *	4. Charge the policies' own sums, which step 3 sets to 0 if it finds usage cleared.
 *	5. Charge the QOS.
 */
#include "fairshare/fairshare_private.h"

#include "base/log.h"
#include "charging/qos_run_seconds.h"

#include <math.h>
#include <string.h>

/* What a charge is multiplied by before it is added to a record. aged: this pass has decayed the
 * record already. */
static double charge_scale(const struct fairshare *fairshare, bool aged)
{
	if (!fairshare->updating || !(fairshare->decay > 0) || aged)
		return 1;
	return fmin(1 / fairshare->decay, 1e100);	/* more could become infinite */
}

/* Makes the node's row of the image late, if the pass has filled it: the row lacks the charge, and
 * the pass will copy the record again. */
static void mark_row_late(struct fairshare *fairshare, uint32_t node)
{
	if (!fairshare->updating || !(fairshare->progress.of_node[node] & WRITTEN) ||
	    fairshare->progress.is_late[node])
		return;
	fairshare->progress.is_late[node] = true;
	fairshare->progress.late[fairshare->progress.late_count++] = node;
}

/* Returns the record of the job's association; if that is deleted, of its account or the root.
 * job->assoc_ptr may be a deleted record: assoc_mgr takes it out of its list first. */
static slurmdb_assoc_rec_t *record_to_charge(const struct fathom_run_id *id)
{
	slurmdb_assoc_rec_t *record = associations_record(id->association);

	if (!record)
		record = associations_record(id->account);
	return record ? record : assoc_mgr_root_assoc;
}

/* Adds a charge to the own usage of its association and to all totals above it. */
static void charge_association(struct fairshare *fairshare, const struct fathom_charge *charge,
			       uint32_t tres_count)
{
	double tres[tres_count + 1];
	uint64_t released[tres_count + 1];
	struct fathom_amount amount = { .tres = tres, .released = released };
	struct associations *associations = &fairshare->associations;
	slurmdb_assoc_rec_t *record = record_to_charge(&charge->run.id);
	uint32_t node;
	/* one that came since the tree was read is not found; the next round will decay it */
	bool found = associations_find(associations, record->id, &node);
	double scale = charge_scale(fairshare, found && (fairshare->progress.of_node[node] & AGED));
	/* before the charge: with it, usage is not 0 any more */
	unsigned changes = found ? associations_changes(associations, record, node) : 0;

	if (changes & ASSOCIATION_CLEARED)
		schemes_clear(fairshare, node);
	memset(tres, 0, sizeof(tres));
	memset(released, 0, sizeof(released));
	fathom_amount_add_charge(&amount, charge, true, tres_count);
	usage_add_own(record, &amount, scale, tres_count);
	usage_add_to_totals(record, &amount, scale, tres_count);
	usage_release(record, &amount, tres_count);
	/* what an account has inherited is left to the pass, which must find the usage changed */
	if (found && !(changes & ASSOCIATION_INHERITED))
		associations_see_usage(associations, record, node);
	if (found)
		mark_row_late(fairshare, node);
}

/* Adds to a QOS what its runs are charged, and copies it to the image of a pass. */
static void charge_qos(struct fairshare *fairshare, const struct fathom_qos_totals *totals,
		       slurmdb_qos_rec_t *qos, uint32_t tres_count)
{
	const struct fathom_amount *amount = qos ? usage_charged_qos(totals, qos) : NULL;

	if (!amount)
		return;
	usage_add_qos(qos, amount, tres_count);
	if (fairshare->updating)
		usage_image_put_qos(fairshare->image, qos);
}

void fairshare_charge_ended_job(struct fairshare *fairshare, const struct fathom_charges *charges,
				const job_record_t *job)
{
	slurmdb_qos_rec_t *partition_qos = job->part_ptr ? job->part_ptr->qos_ptr : NULL;
	uint32_t tres_count = (uint32_t)slurmctld_tres_cnt;
	struct fathom_qos_totals *totals = fathom_qos_totals_create(charges, tres_count);
	bool total_is_known;

	fairshare_give_back_own(fairshare);
	total_is_known = fairshare_total_is_known(fairshare);
	for (size_t i = 0; i < fathom_charges_count(charges); i++)
		charge_association(fairshare, fathom_charges_at(charges, i), tres_count);
	if (total_is_known)
		fairshare_note_total(fairshare);
	schemes_charge(fairshare, charges);
	if (!totals)
		error(LOG_PREFIX "out of memory; %pJ is not charged to its QOS", job);
	charge_qos(fairshare, totals, job->qos_ptr, tres_count);
	if (partition_qos != job->qos_ptr)
		charge_qos(fairshare, totals, partition_qos, tres_count);
	fathom_qos_totals_destroy(totals);
	qos_run_seconds_release(charges);
}
